import * as v from 'valibot';
import type { Translate } from '../../common/errors';

/** The docs that the local docs service answers from, as remembered between windows. */
export const localDocsSchema = v.object({
  /** Absolute path of a folder of Markdown. */
  folder: v.string(),
  label: v.string(),
});

export type LocalDocs = v.InferOutput<typeof localDocsSchema>;

/** Returns the sentence that names what the local docs service serves, once its pages are read. */
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
