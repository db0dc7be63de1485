import * as v from 'valibot';
import type { Translate } from '../../common/errors';
import { parsedAs } from '../../shared/schemas';
import { numberText, pageCountText } from '../../shared/units';

const label = v.string();
/** Absolute path of a folder. */
const folder = v.string();

const docsOfOneSet = [
  /** A folder of Markdown or MDX. */
  v.object({ kind: v.literal('folder'), folder, label }),
  /** An unpacked bundle: a folder of HTML pages. */
  v.object({ kind: v.literal('bundle'), folder, label }),
  /** A public docs site, fetched into a folder of the extension. `url` is the URL that the reader gave. */
  v.object({ kind: v.literal('site'), url: v.string(), folder, label }),
] as const;

/** Schema of the docs that the local docs service answers from, as the extension stores them. */
export const localDocsSchema = v.variant('kind', [
  ...docsOfOneSet,
  /**
   * The packages that are installed for a folder, which is in the workspace folder `root`, together with the docs
   * `beside` them.
   */
  v.object({
    kind: v.literal('installed'),
    folder,
    root: v.optional(v.string()),
    label,
    beside: v.optional(v.variant('kind', docsOfOneSet)),
  }),
]);

export type LocalDocs = v.InferOutput<typeof localDocsSchema>;

/** Docs that are one set: not the installed packages, which are many. */
export type DocsOfOneSet = Exclude<LocalDocs, { kind: 'installed' }>;

/** Returns stored docs, or undefined if the value is no such docs. */
export function parseLocalDocs(stored: unknown): LocalDocs | undefined {
  return parsedAs(localDocsSchema, stored);
}

/** Counts of the served docs. `packages` is absent for docs that aren't those of installed packages. */
interface ServedCounts {
  readonly pages?: number;
  readonly packages?: number;
}

/** Returns the sentence that says how many pages of which docs the local docs service has read. */
export function servedText(
  { pages = 0, packages }: ServedCounts,
  { label }: LocalDocs,
  translate: Translate,
): string {
  if (packages !== undefined) {
    return packages === 1
      ? translate('You can ask about 1 installed package now.')
      : translate('You can ask about {0} installed packages now.', numberText(packages));
  }
  if (pages === 0) {
    return translate(
      'No pages found in {0}. The local docs service reads Markdown, MDX and HTML.',
      label,
    );
  }
  return translate(
    'The local docs service is ready: {0} of {1}.',
    pageCountText(pages, translate),
    label,
  );
}
