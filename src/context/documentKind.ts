import type { ContextItem } from './contextItem';

/** Language ids that are written for people to read, so that a selection of them is prose. */
const proseLanguages = new Set([
  'asciidoc',
  'bibtex',
  'context',
  'git-commit',
  'git-rebase',
  'jj-commit',
  'latex',
  'markdown',
  'mdx',
  'org',
  'plaintext',
  'prompt',
  'quarto',
  'restructuredtext',
  'rmd',
  'scminput',
  'tex',
  'textile',
  'typst',
]);

/** Extensions (lower case, with the dot) of prose, where no extension names the language. */
const proseExtensions = new Set([
  '.adoc',
  '.asciidoc',
  '.bib',
  '.latex',
  '.ltx',
  '.markdown',
  '.md',
  '.mdx',
  '.org',
  '.qmd',
  '.rst',
  '.tex',
  '.text',
  '.textile',
  '.txt',
  '.typ',
]);

/**
 * Whether a document's text is code or prose (platform-api.md § Context item, `type`).
 *
 * VS Code calls every file `plaintext` that no installed extension knows, such as a `.csv` or a
 * `.proto`: those are told apart by their extension.
 *
 * @param languageId VS Code's language id.
 * @param fileName the last segment of the document's path.
 */
export function contextItemType(languageId: string, fileName: string): ContextItem['type'] {
  if (!proseLanguages.has(languageId)) return 'code';
  if (languageId !== 'plaintext') return 'textSelection';
  const dot = fileName.lastIndexOf('.');
  const extension = dot < 0 ? '' : fileName.slice(dot).toLowerCase();
  return extension === '' || proseExtensions.has(extension) ? 'textSelection' : 'code';
}
