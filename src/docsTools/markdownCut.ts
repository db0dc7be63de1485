/**
 * Cuts Markdown where a reader would: after a block, else after a line or a word, and never within a
 * code fence, a code span or a link. The next piece begins where the last one ended.
 */
import { cutText } from '../common/text/strings';

/** A piece of a longer Markdown text. */
interface MarkdownPiece {
  readonly text: string;
  /** Character of the whole text at which the next piece begins, or its length at the end. */
  readonly end: number;
}

/** Lines of a text from one blank line outside a fence to the next. Positions count characters. */
interface MarkdownBlock {
  readonly start: number;
  /** End of the block without the blank lines after it. */
  readonly end: number;
  /** Fence around the whole block. */
  readonly fence?: {
    readonly opening: string;
    readonly closing: string;
    readonly bodyStart: number;
    readonly bodyEnd: number;
  };
}

/**
 * Returns the text from a character on, up to `maxLength` characters of it. A fence that has to be
 * cut is closed at the end of the piece and opened again in the next one.
 *
 * Each piece has at least one character, so that a reader always makes progress.
 */
export function cutMarkdown(markdown: string, from: number, maxLength: number): MarkdownPiece {
  const blocks = blocksOf(markdown);
  const first = blocks.findIndex(({ end }) => end > from);
  const current = blocks[first];
  if (!current) return { text: '', end: markdown.length };
  const start = Math.max(from, current.start);
  const isRest = start > current.start;
  if (isRest || current.end - start > maxLength) {
    const piece = partOf(markdown, current, start, maxLength);
    if (piece.end < current.end) return piece;
    const next = blocks[first + 1];
    if (!next) return { ...piece, end: markdown.length };
    const room = maxLength - piece.text.length - 2;
    if (room < next.end - next.start) return { ...piece, end: next.start };
    const rest = cutMarkdown(markdown, next.start, room);
    return { text: `${piece.text}\n\n${rest.text}`, end: rest.end };
  }
  let end = current.end;
  let last = first;
  for (let index = first + 1; index < blocks.length; index++) {
    const block = blocks[index];
    if (!block || block.end - start > maxLength) break;
    end = block.end;
    last = index;
  }
  // A heading alone at the end belongs to what comes after it.
  while (last > first && last < blocks.length - 1 && isHeading(markdown, blocks[last])) {
    last--;
    end = blocks[last]?.end ?? end;
  }
  const next = blocks[last + 1]?.start ?? markdown.length;
  return { text: markdown.slice(start, end), end: next };
}

function isHeading(markdown: string, block: MarkdownBlock | undefined): boolean {
  return block !== undefined && /^#{1,6}\s[^\n]*$/.test(markdown.slice(block.start, block.end));
}

/** Returns part of one block from a character on. */
function partOf(
  markdown: string,
  { end, fence }: MarkdownBlock,
  from: number,
  maxLength: number,
): MarkdownPiece {
  if (!fence) {
    const rest = markdown.slice(from, end);
    const length = proseCut(rest, maxLength);
    return { text: rest.slice(0, length).trimEnd(), end: skipBlanks(markdown, from + length) };
  }
  const { opening, closing, bodyStart, bodyEnd } = fence;
  const codeStart = Math.max(from, bodyStart);
  const room = Math.max(1, maxLength - opening.length - closing.length - 2);
  const code = markdown.slice(codeStart, bodyEnd);
  const length = code.length <= room ? code.length : codeCut(code, room);
  const shown = code.slice(0, length).replace(/\n$/, '');
  const stop = codeStart + length;
  return { text: `${opening}\n${shown}\n${closing}`, end: stop >= bodyEnd ? end : stop };
}

function skipBlanks(markdown: string, from: number): number {
  let at = from;
  while (/\s/.test(markdown.charAt(at))) at++;
  return at;
}

/** Returns how many characters of code fit: whole lines, or a part of a line that is too long. */
function codeCut(code: string, room: number): number {
  const line = code.lastIndexOf('\n', room - 1) + 1;
  return line > 0 ? line : Math.max(1, cutText(code, room).length);
}

/**
 * Matches code spans, links, images and addresses, which are not cut. The lengths are limited, so that
 * text of nothing but brackets or backticks takes no longer than other text.
 */
const atoms =
  /(`+)(?!`)[\s\S]{0,1000}?(?<!`)\1(?!`)|!?\[(?:[^[\]\\]|\\.|\[[^\]]{0,200}\]){0,500}\](?:\([^()\n]{0,2000}(?:\([^()\n]{0,200}\)[^()\n]{0,2000})?\)|\[[^\]]{0,200}\])?|<[^<>\s]{1,2000}>|\b[a-z][a-z\d+.-]{0,20}:\/\/[^\s<>)\]]{1,2000}/gi;

/** Longest match of {@link atoms} that is looked for across the end of a piece. */
const MAX_ATOM = 5000;

/** Returns how many characters of a block fit, at least one. */
function proseCut(text: string, room: number): number {
  if (text.length <= room) return text.length;
  const kept = [...text.slice(0, room + MAX_ATOM).matchAll(atoms)].map(({ 0: atom, index }) => ({
    start: index,
    end: index + atom.length,
  }));
  const line = lastBreak(text, room, /\n/g, kept);
  if (line > room / 2) return line;
  const sentence = lastBreak(text, room, /[.!?]\s+|[。！？]/g, kept);
  if (sentence > room / 2) return sentence;
  const found = Math.max(line, lastBreak(text, room, /\s+/g, kept));
  if (found > 0) return found;
  const atom = kept.find(({ start, end }) => start < room && end > room);
  // An atom that doesn't fit at all is kept whole, because half of a link is useless.
  if (atom) return atom.start > 0 ? atom.start : atom.end;
  return Math.max(1, cutText(text, room).length);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Returns the end of the last match that fits and does not end within a span, or 0. */
function lastBreak(text: string, room: number, pattern: RegExp, spans: readonly Span[]): number {
  const matches = [...text.slice(0, room).matchAll(pattern)];
  const ends = matches.map(({ 0: found, index }) => index + found.length);
  return ends.findLast((end) => !isWithin(end, spans)) ?? 0;
}

/** Returns whether a position is within one of the spans, which are in order. */
function isWithin(at: number, spans: readonly Span[]): boolean {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.end ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  const span = spans[low];
  return span !== undefined && at > span.start && at < span.end;
}

/**
 * Start of a fence: what lists and quotes put before it, and its mark. Fences are found at any depth,
 * because a cut within one turns the rest of the text into code.
 */
const fenceStart = /^((?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*)(`{3,}(?=[^`]*$)|~{3,})/;

interface OpenFence {
  readonly opening: string;
  readonly closing: string;
  readonly mark: string;
  readonly isQuoted: boolean;
  readonly bodyStart: number;
}

/** Returns the blocks of a Markdown text in order. */
function blocksOf(markdown: string): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  let start = -1;
  let end = 0;
  let open: OpenFence | undefined;
  const push = (): void => {
    if (start >= 0) blocks.push({ start, end });
    start = -1;
  };
  const close = (bodyEnd: number): void => {
    if (open) blocks.push({ start, end, fence: { ...open, bodyEnd } });
    start = -1;
    open = undefined;
  };
  for (const { line, at, lineEnd, next } of linesOf(markdown)) {
    if (open?.isQuoted === true && !/^[ \t]*>/.test(line)) close(at);
    if (open) {
      end = lineEnd;
      if (closes(line, open.mark)) close(at);
      continue;
    }
    const [, prefix = '', mark] = fenceStart.exec(line) ?? [];
    if (mark !== undefined) {
      push();
      open = fenceOf(line, prefix, mark, next);
      start = at;
      end = lineEnd;
    } else if (line.trim() === '') push();
    else {
      const isHeadingLine = /^#{1,6}\s/.test(line);
      if (isHeadingLine) push();
      if (start < 0) start = at;
      end = lineEnd;
      if (isHeadingLine) push();
    }
  }
  if (open) close(markdown.length);
  else push();
  return blocks;
}

/** Returns a fence that begins with a line. Its next piece can't begin a list item again. */
function fenceOf(line: string, prefix: string, mark: string, bodyStart: number): OpenFence {
  const indent = prefix.replace(/[^\s>]/g, ' ');
  return {
    opening: indent + line.slice(prefix.length).trimEnd(),
    closing: indent + mark,
    mark,
    isQuoted: prefix.includes('>'),
    bodyStart,
  };
}

/** Yields the lines of a text with their places. */
function* linesOf(text: string): Generator<{
  readonly line: string;
  readonly at: number;
  readonly lineEnd: number;
  readonly next: number;
}> {
  let at = 0;
  while (at < text.length) {
    const found = text.indexOf('\n', at);
    const lineEnd = found < 0 ? text.length : found;
    const next = Math.min(lineEnd + 1, text.length);
    yield { line: text.slice(at, lineEnd).replace(/\r$/, ''), at, lineEnd, next };
    at = next;
  }
}

function closes(line: string, mark: string): boolean {
  const found = /^[ \t>]*(`{3,}|~{3,})\s*$/.exec(line)?.[1];
  return found !== undefined && found.startsWith(mark.charAt(0)) && found.length >= mark.length;
}
