import * as v from 'valibot';
import type { Translate } from '../../common/errors';

const label = v.string();
/** Absolute path of a folder. */
const folder = v.string();

/** Schema of the docs that the local docs service answers from, as the extension stores them. */
export const localDocsSchema = v.variant('kind', [
  /** A folder of Markdown or MDX. */
  v.object({ kind: v.literal('folder'), folder, label }),
  /** An unpacked bundle: a folder of HTML pages. */
  v.object({ kind: v.literal('bundle'), folder, label }),
  /** A public docs site, fetched into a folder of the extension. `url` is the URL that the reader gave. */
  v.object({ kind: v.literal('site'), url: v.string(), folder, label }),
]);

export type LocalDocs = v.InferOutput<typeof localDocsSchema>;

/** Returns stored docs, or undefined if the value is no such docs. */
export function parseLocalDocs(stored: unknown): LocalDocs | undefined {
  const docs = v.safeParse(localDocsSchema, stored);
  return docs.success ? docs.output : undefined;
}

/** Returns the sentence that says how many pages of which docs the local docs service has read. */
export function servedText(pages: number, { label }: LocalDocs, translate: Translate): string {
  if (pages === 0) {
    return translate(
      'No pages found in {0}. The local docs service reads Markdown and MDX.',
      label,
    );
  }
  return pages === 1
    ? translate('The local docs service is ready: 1 page of {0}.', label)
    : translate('The local docs service is ready: {0} pages of {1}.', pages, label);
}
