/** Finds the ends of declarations, and their text without comments. */
import type { Tokens } from './tokens';

/** Maximum characters of a signature. A longer one is cut. */
const MAX_SIGNATURE = 4000;

/** Tokens after which a type or a list goes on in the next line. */
const openEnds = new Set(
  '| & = => : ? , . ( [ { < extends keyof typeof readonly infer is new unique asserts abstract implements from as import export type declare const let var function default'.split(
    ' ',
  ),
);
/** Tokens with which a line continues the one before. */
const continuations = new Set('| & = => : ? , . > ) ] extends is implements from as'.split(' '));

/** Returns whether a statement or member ends before a token in a new line without a semicolon. */
export function isNewStart({ texts, breaks }: Tokens, index: number): boolean {
  if (breaks[index] !== true || continuations.has(texts[index] ?? '')) return false;
  // Behind a dot it is a name: `typeof import('./pool').default`.
  return !openEnds.has(texts[index - 1] ?? '') || texts[index - 2] === '.';
}

/** Returns whether a `{` begins the body of a function in a source file, rather than a type. */
export function isBody({ texts }: Tokens, index: number): boolean {
  const before = texts[index - 1] ?? '';
  return texts[index] === '{' && /^[)\]}>\w$]/.test(before) && !openEnds.has(before);
}

/**
 * Returns the index after the last token of a statement, which is its semicolon if it has one. A statement without
 * a semicolon ends with its line, unless its type goes on.
 */
export function endsBefore(tokens: Tokens, start: number, end: number): number {
  const { texts, closes } = tokens;
  for (let at = start; at < end;) {
    if (texts[at] === ';') return at + 1;
    if (at > start && isNewStart(tokens, at) && texts[at] !== '{' && texts[at] !== '<') return at;
    at = Math.max(at, closes[at] ?? -1) + 1;
  }
  return end;
}

/**
 * Returns the text from one token to another without comments and empty lines. Lines keep their indentation, less
 * what all lines after the first have in common.
 */
export function signatureText(tokens: Tokens, start: number, end: number): string {
  const { source, texts, starts } = tokens;
  const last = texts[end - 1] === ';' ? end - 1 : end;
  let text = '';
  let isCut = false;
  for (let at = start; at < last; at++) {
    const token = texts[at] ?? '';
    if (text.length + token.length > MAX_SIGNATURE) {
      isCut = true;
      break;
    }
    if (at > start)
      text += gap(source, (starts[at - 1] ?? 0) + (texts[at - 1] ?? '').length, starts[at] ?? 0);
    text += token;
  }
  const lines = text.split('\n');
  const indents = lines.slice(1).map((line) => /^ */.exec(line)?.[0].length ?? 0);
  const common = Math.min(...indents.slice(0, MAX_SIGNATURE));
  const dedented = lines.map((line, index) => (index === 0 ? line : line.slice(common)));
  return dedented.join('\n') + (isCut ? ' …' : '');
}

/** Returns the white space between two tokens: a line break and its indentation, a space, or nothing. */
function gap(source: string, from: number, to: number): string {
  if (from === to) return '';
  const between = source.slice(from, to);
  const line = between.lastIndexOf('\n');
  if (line < 0) return ' ';
  const indent = /^[ \t]*/.exec(between.slice(line + 1))?.[0].replaceAll('\t', '  ') ?? '';
  return `\n${indent.slice(0, 40)}`;
}
