import { sendableText } from '../../shared/characters';
import type { ContextItem, ContextTarget } from './contextItem';
import {
  baseName,
  workspacePath,
  type DocumentAddress,
  type WorkspaceFolder,
} from './documentPaths';
import { withoutUndefined } from '../../common/withoutUndefined';

/** A document as plain values. */
export interface DocumentSnapshot extends DocumentAddress {
  /** `document.uri.toString()`. */
  readonly uri: string;
  readonly languageId: string;
  /** True while the document has never been saved anywhere. */
  readonly isUntitled: boolean;
  /**
   * Notebook cell that the document is. The address above is that of the notebook then. Absent for
   * other documents.
   */
  readonly cell?: {
    /**
     * The cell's own ID if the notebook's format has one, or else VS Code's number for the cell.
     */
    readonly id: string;
    /** Number of the cell, from 1. */
    readonly number: number;
  };
  readonly folders: readonly WorkspaceFolder[];
}

/** Selection of an editor at one moment, as plain values. */
export interface SelectionSnapshot extends Omit<ContextTarget, 'uri'> {
  readonly document: DocumentSnapshot;
  readonly text: string;
  /** Name of the symbol, if the reader chose a symbol instead of selecting text. */
  readonly symbol?: string;
  /** Names of packages that the text uses, by the imports of its document. */
  readonly imports?: readonly string[];
}

/** Reason why a selection can't be attached. Sizes are bytes of UTF-8. */
export type SelectionRefusal =
  | { readonly reason: 'empty' }
  | { readonly reason: 'binary'; readonly label: string }
  | {
      readonly reason: 'too-large';
      readonly label: string;
      readonly sizeBytes: number;
      readonly limitBytes: number;
    };

type SelectionResult =
  | { readonly ok: true; readonly item: ContextItem }
  | { readonly ok: false; readonly refusal: SelectionRefusal };

/** A text with a larger share of control and replacement characters counts as binary. */
const BINARY_SHARE = 0.1;
/** Fewest such characters in a binary text. A short text with a few of them is cleaned instead. */
const BINARY_MINIMUM = 8;

/**
 * Makes the context item of a selection, or returns why it can't be attached. A selection over the
 * limit is refused, never cut. Lone surrogates become U+FFFD and NUL characters are removed,
 * because services refuse JSON with them.
 */
export function toContextItem(
  selection: SelectionSnapshot,
  limitBytes: number,
  id: string,
): SelectionResult {
  const { document } = selection;
  const fileName = baseName(document.path);
  const label = labelOf(selection, fileName);
  if (selection.text.trim() === '') return { ok: false, refusal: { reason: 'empty' } };

  const sizeBytes = new TextEncoder().encode(selection.text).length;
  if (sizeBytes > limitBytes) {
    return { ok: false, refusal: { reason: 'too-large', label, sizeBytes, limitBytes } };
  }
  if (isBinary(selection.text)) return { ok: false, refusal: { reason: 'binary', label } };
  const value = sendableText(selection.text);
  if (value.trim() === '') return { ok: false, refusal: { reason: 'empty' } };

  const path = document.isUntitled ? undefined : workspacePath(document, document.folders);
  return {
    ok: true,
    item: withoutUndefined({
      id,
      type: contextItemType(document.languageId, fileName),
      value,
      path: path || undefined,
      elementId: document.cell?.id,
      label,
      startLine: selection.startLine + 1,
      endLine: lastLine(selection),
      imports: selection.imports?.length ? [...selection.imports] : undefined,
      target: {
        uri: document.uri,
        startLine: selection.startLine,
        startCharacter: selection.startCharacter,
        endLine: selection.endLine,
        endCharacter: selection.endCharacter,
      },
    }),
  };
}

function labelOf(selection: SelectionSnapshot, fileName: string): string {
  if (selection.symbol !== undefined) return selection.symbol;
  const { cell } = selection.document;
  return cell ? `${fileName} [${cell.number}]` : fileName;
}

/**
 * Returns the last selected line, from 1. A selection of whole lines ends at the start of the next
 * line, which isn't part of it.
 */
function lastLine({ startLine, endLine, endCharacter }: SelectionSnapshot): number {
  return endCharacter === 0 && endLine > startLine ? endLine : endLine + 1;
}

function isBinary(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  const odd = text.match(/[\0-\x08\x0e-\x1a\x1c-\x1f\x7f\u{FFFD}]/gu)?.length ?? 0;
  return odd > Math.max(BINARY_MINIMUM, text.length * BINARY_SHARE);
}

/** IDs of languages for prose. */
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

/** Extensions (lower case, with the dot) of files with prose that VS Code calls `plaintext`. */
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
 * Returns whether a document's text is code or prose (platform-api.md § Context item, `type`).
 *
 * VS Code calls a file `plaintext` if no installed extension knows its type, such as a `.csv` or
 * `.proto` file. For such files, the extension of the file name decides.
 *
 * @param languageId VS Code's language ID.
 * @param fileName the last segment of the document's path.
 */
export function contextItemType(languageId: string, fileName: string): ContextItem['type'] {
  if (!proseLanguages.has(languageId)) return 'code';
  if (languageId !== 'plaintext') return 'textSelection';
  const dot = fileName.lastIndexOf('.');
  const extension = dot < 0 ? '' : fileName.slice(dot).toLowerCase();
  return extension === '' || proseExtensions.has(extension) ? 'textSelection' : 'code';
}

/** Returns a context item for text that isn't a range of a document. */
export function textItem(id: string, label: string, value: string): ContextItem {
  return { id, type: 'textSelection', value, label };
}
