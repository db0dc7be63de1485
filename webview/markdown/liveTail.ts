/**
 * Decides how the unfinished end of a growing text is shown. Markup that has been begun looks as it
 * will when it is complete, or is held back while that can't be told. Markers never flash up.
 */
import { isFormula } from './syntaxRules';

/** Maximum length of unfinished markup. Longer lines and brackets are shown as they are. */
const MAX_MARKER_LENGTH = 200;
const MAX_OPEN_LENGTH = 300;
const MAX_FORMULA_LENGTH = 1_000;

const containers = /(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))*[ \t]*/.source;

/** Lines that may still become different things: rules, markers, or half a definition. */
const undecided = [
  /[-*_=+~#>|$:]{0,6}/,
  /\d{1,9}[.)]?/,
  /`{1,2}/,
  /`{3,}[^`]*/,
  /~{3,}.*/,
  /\\\[?/,
  /\[[ xX]?\]?/,
  /\[![a-z]*\]?/i,
  /\[\^[^\]]*\]?:?/,
  /\[[^\]]*\]:(?:[ \t]*<[^<>]*(?:>[ \t]*(?:"[^"]*|'[^']*|\([^)]*)?)?)?/,
].map(({ source }) => source);

const undecidedLine = new RegExp(`^${containers}(?:${undecided.join('|')})[ \\t]*$`, 'i');

/** Returns the text without a last line that consists only of markers. */
export function withoutUndecidedLine(text: string): string {
  const lineStart = text.lastIndexOf('\n') + 1;
  const line = text.slice(lineStart);
  if (line.length > MAX_MARKER_LENGTH || !undecidedLine.test(line)) return text;
  return text.slice(0, lineStart);
}

/**
 * Completes a row of cells at the end of a paragraph to a table, because it will most likely become
 * one.
 * @returns the text with a delimiter row below the head, or undefined if no table begins there.
 */
export function withTableDelimiter(text: string): string | undefined {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const last = lines.at(-1) ?? '';
  const isDelimiter = /^ {0,3}\|[ \t:|-]*$/.test(last) && /[-:]/.test(last);
  if (isDelimiter) lines.pop();
  const head = lines.at(-1) ?? '';
  const isBelowRow = /^ {0,3}\|/.test(lines.at(-2) ?? '');
  if (!/^ {0,3}\|.*[^\s|]/.test(head) || isBelowRow) return undefined;
  // A complete row below the head has already decided.
  if (isDelimiter && text.endsWith('\n')) return undefined;
  const cells = head
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/);
  return [...lines, '|---'.repeat(cells.length)].join('\n');
}

/**
 * Returns unfinished text of a paragraph, heading or cell with its open markup closed.
 * @param isWordOpen whether the last word may go on, because no space follows it.
 */
export function closedInline(content: string, isWordOpen: boolean): string {
  const { text, ending } = withClosedSpans(content);
  if (ending !== '' || !isWordOpen) return text + ending;
  return text
    .replace(/&#?[a-z\d]{0,8}$/i, '')
    .replace(/<(?:b(?:r(?:\s*\/?)?)?)?$/i, '')
    .replace(/<((?:https?|mailto):[^\s<>]*)$/i, '$1')
    .replace(/(?<!\\)[*_~]{1,3}$/, '')
    .replace(/(^|[^\\])((?:\\\\)*)\\$/, '$1$2');
}

interface OpenBracket {
  readonly start: number;
  /** Position at which the text in the brackets begins. */
  readonly textStart: number;
}

/** Removes half a link or footnote at the end. `ending` closes open code or an open formula. */
function withClosedSpans(content: string): { text: string; ending: string } {
  const brackets: OpenBracket[] = [];
  let at = 0;
  while (at < content.length) {
    const character = content.charAt(at);
    if (character === '\\') {
      const isNear = content.length - at <= MAX_FORMULA_LENGTH;
      const math = isNear ? /^\\([([])/.exec(content.slice(at, at + 2))?.[1] : undefined;
      const closing = math === '(' ? '\\)' : '\\]';
      const end = math === undefined ? -1 : content.indexOf(closing, at + 2);
      if (math !== undefined && end < 0 && isFormula(content.slice(at + 2))) {
        return { text: withoutOpenBracket(content.replace(/\\$/, ''), brackets), ending: closing };
      }
      at += 2;
    } else if (character === '`') {
      const run = /^`+/.exec(content.slice(at, at + 50))?.[0] ?? '`';
      const end = endOfCode(content, at + run.length, run.length);
      if (end < 0) {
        const code = content.slice(at + run.length).replace(/`+$/, '');
        const isEmpty = code.trim() === '';
        const text = content.slice(0, at) + (isEmpty ? '' : run + code);
        return { text: withoutOpenBracket(text, brackets), ending: isEmpty ? '' : run };
      }
      at = end;
    } else if (character === '[') {
      const start = content.charAt(at - 1) === '!' ? at - 1 : at;
      brackets.push({ start, textStart: at + 1 });
      at++;
    } else if (character === ']') {
      const open = brackets.pop();
      at++;
      if (!open) continue;
      const end = endOfLink(content, open.textStart, at);
      if (end >= 0) at = Math.max(at, end);
      else if (content.length - at <= MAX_OPEN_LENGTH) {
        const inner = content.slice(open.textStart, at - 1);
        return { text: content.slice(0, open.start) + inner, ending: '' };
      }
    } else at++;
  }
  return { text: withoutOpenBracket(content, brackets), ending: '' };
}

function endOfCode(content: string, from: number, length: number): number {
  const runs = /`+/g;
  runs.lastIndex = from;
  for (let run = runs.exec(content); run; run = runs.exec(content)) {
    if (run[0].length === length) return run.index + length;
  }
  return -1;
}

/** @returns the end of a link's target, 0 if there is no target, or -1 if it may go on. */
function endOfTarget(content: string, from: number): number {
  const target =
    /^\s*(?:<[^<>\n]*>?|(?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*\))*)(?:\s+(?:"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|\((?:[^()\\]|\\.)*\)?)?)?\s*/s.exec(
      content.slice(from, from + 2_000),
    )?.[0] ?? '';
  const end = from + target.length;
  if (content.charAt(end) === ')') return end + 1;
  const isOpen = end >= content.length || /^[(\\]/.test(content.charAt(end));
  return isOpen && !content.slice(end).includes(')') ? -1 : 0;
}

/**
 * @param at position after the bracket that closes the text. @returns a position as {@link
 *   endOfTarget} does.
 */
function endOfLink(content: string, textStart: number, at: number): number {
  if (content.charAt(at) === '(') return endOfTarget(content, at + 1);
  if (content.charAt(at) === '[') return content.includes(']', at) ? 0 : -1;
  // The bracket completes a footnote reference.
  return at === content.length && content.charAt(textStart) !== '^' ? -1 : 0;
}

function withoutOpenBracket(content: string, brackets: readonly OpenBracket[]): string {
  const open = brackets.find(({ start }) => content.length - start <= MAX_OPEN_LENGTH);
  if (!open) return content;
  if (content.startsWith('^', open.textStart)) return content.slice(0, open.start);
  return content.slice(0, open.start) + content.slice(open.textStart);
}
