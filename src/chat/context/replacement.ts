/** Puts the code of a reply in the place of the selection that the question was about. */
import type { ContextTarget } from './contextItem';
import { sendableText } from '../../shared/characters';

export type DocumentRange = Omit<ContextTarget, 'uri'>;

/**
 * Returns the current range of a selection: its old range if the text there is unchanged, or else
 * the only other place with the same text.
 *
 * @param value the selection's text as it was sent.
 */
export function findSelection(
  documentText: string,
  value: string,
  target: DocumentRange,
): DocumentRange | undefined {
  const text = withLineFeeds(documentText);
  const wanted = withLineFeeds(value);
  const start = offsetOf(text, target.startLine, target.startCharacter);
  const end = offsetOf(text, target.endLine, target.endCharacter);
  const isUnchanged =
    start !== undefined && end !== undefined && sendableText(text.slice(start, end)) === wanted;
  if (isUnchanged) {
    const { startLine, startCharacter, endLine, endCharacter } = target;
    return { startLine, startCharacter, endLine, endCharacter };
  }
  const first = text.indexOf(wanted);
  if (wanted === '' || first < 0 || text.includes(wanted, first + 1)) return undefined;
  const [startLine, startCharacter] = positionOf(text, first);
  const [endLine, endCharacter] = positionOf(text, first + wanted.length);
  return { startLine, startCharacter, endLine, endCharacter };
}

/**
 * Returns the code as it fits into the document in place of the range. It gets the indentation of
 * that place in the document's unit, and ends with a line break only if the range does. Lines end
 * with a line feed.
 */
export function fittedCode(code: string, documentText: string, range: DocumentRange): string {
  const lines = withLineFeeds(documentText).split('\n');
  const firstLine = lines.findIndex(
    (line, index) => index >= range.startLine && index <= range.endLine && line.trim() !== '',
  );
  const base = indentOf(lines[firstLine] ?? '');
  const isWithinIndent = firstLine !== range.startLine || range.startCharacter <= base.length;
  const start = firstLine === range.startLine ? range.startCharacter : 0;
  const fitted = withIndentUnit(dedented(withLineFeeds(code).replace(/^\n+/, '').trimEnd()), lines)
    .split('\n')
    .map((line, index) => {
      if (index === 0) return (isWithinIndent ? base.slice(start) : '') + line;
      return line.trim() === '' ? '' : base + line;
    })
    .join('\n');
  const endsWithBreak = range.endCharacter === 0 && range.endLine > range.startLine;
  return endsWithBreak ? `${fitted}\n` : fitted;
}

function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/**
 * Returns the offset of a position, or undefined if the position is after the end of the text or of
 * its line.
 */
function offsetOf(text: string, line: number, character: number): number | undefined {
  let start = 0;
  for (let passed = 0; passed < line; passed++) {
    const end = text.indexOf('\n', start);
    if (end < 0) return undefined;
    start = end + 1;
  }
  const end = text.indexOf('\n', start);
  return character > (end < 0 ? text.length : end) - start ? undefined : start + character;
}

function positionOf(text: string, offset: number): [line: number, character: number] {
  const before = text.slice(0, offset);
  return [before.split('\n').length - 1, offset - (before.lastIndexOf('\n') + 1)];
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function dedented(code: string): string {
  const lines = code.split('\n');
  const [first = '', ...others] = lines
    .filter((line) => line.trim() !== '')
    .map((line) => indentOf(line));
  let common = first;
  for (const indent of others) while (!indent.startsWith(common)) common = common.slice(0, -1);
  return lines.map((line) => line.slice(Math.min(common.length, indentOf(line).length))).join('\n');
}

/**
 * Returns one level of indentation: a tab, or a number of spaces. Returns undefined if nothing is
 * indented.
 */
function indentUnit(lines: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  let before = 0;
  for (const line of lines) {
    if (line.trim() === '') continue;
    const indent = indentOf(line);
    const step = indent.length - before;
    before = indent.length;
    const unit = indent.startsWith('\t') ? '\t' : ' '.repeat(Math.max(step, 0));
    // A single space aligns lines, as in a block comment, and isn't an indentation.
    if (unit === '\t' || step > 1) counts.set(unit, (counts.get(unit) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  return most?.[0];
}

/**
 * Returns the code with the document's unit of indentation. Code whose indentation isn't a multiple
 * of one unit stays as it is.
 */
function withIndentUnit(code: string, documentLines: readonly string[]): string {
  const lines = code.split('\n');
  const from = indentUnit(lines);
  const to = indentUnit(documentLines);
  if (from === undefined || to === undefined || from === to) return code;
  const levels = lines.map((line) => indentOf(line).length / from.length);
  const isWhole = lines.every(
    (line, index) =>
      line.trim() === '' || indentOf(line) === from.repeat(Math.floor(levels[index] ?? 0)),
  );
  if (!isWhole) return code;
  return lines
    .map((line, index) => to.repeat(Math.floor(levels[index] ?? 0)) + line.trimStart())
    .join('\n');
}
