/**
 * Cuts Markdown where a reader would: after a block, else after a line or a word, and never within a
 * code fence, a code span or a link. The next piece begins where the last one ended.
 */
import { cutText } from '../common/text/strings';

/** A piece of a longer Markdown text. */
export interface MarkdownPiece {
  readonly text: string;
  /** Character of the whole text at which the next piece begins, or its length at the end. */
  readonly end: number;
}

/** Lines of a text from one blank line outside a fence to the next. Positions count characters. */
interface MarkdownBlock {
  readonly start: number;
  /** End of the block without the blank lines behind it. */
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
 * Returns the text from a character on, up to `maxLength` characters of it. A fence that has to be cut
 * is closed at the end of the piece and opened again in the next one.
 *
 * A piece has at least one character more than nothing, so that a reader always gets on.
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

/** Code spans, links, images and addresses, which are not cut. */
const atoms =
  /(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)|!?\[(?:[^[\]\\]|\\.|\[[^\]]*\])*\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^\]]*\])?|<[^<>\s]+>|[a-z][a-z\d+.-]*:\/\/[^\s<>)\]]+/gi;

/** Returns how many characters of a block fit, at least one. */
function proseCut(text: string, room: number): number {
  if (text.length <= room) return text.length;
  const kept = [...text.slice(0, room + MAX_ATOM).matchAll(atoms)].map(({ 0: atom, index }) => ({
    start: index,
    end: index + atom.length,
  }));
  const isInAtom = (at: number): boolean => kept.some(({ start, end }) => at > start && at < end);
  const line = lastBreak(text, room, /\n/g, isInAtom);
  if (line > room / 2) return line;
  const sentence = lastBreak(text, room, /[.!?。！？]\s+|[。！？]/g, isInAtom);
  if (sentence > room / 2) return sentence;
  const word = lastBreak(text, room, /\s+/g, isInAtom);
  const found = Math.max(line, word);
  if (found > 0) return found;
  const atom = kept.find(({ start, end }) => start < room && end > room);
  // One that doesn't fit at all is kept whole: half of a link is of no use to anybody.
  if (atom) return atom.start > 0 ? atom.start : Math.min(atom.end, text.length);
  return Math.max(1, cutText(text, room).length);
}

/** Longest link that is looked for across the end of a piece. */
const MAX_ATOM = 4000;

/** Returns the end of the last match that fits and that no atom contains, or 0. */
function lastBreak(
  text: string,
  room: number,
  pattern: RegExp,
  isInAtom: (at: number) => boolean,
): number {
  let found = 0;
  for (const match of text.slice(0, room).matchAll(pattern)) {
    const end = match.index + match[0].length;
    if (end <= room && !isInAtom(match.index) && !isInAtom(end)) found = end;
  }
  return found;
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
  let next = 0;
  for (let at = 0; at < markdown.length; at = next) {
    const lineEnd = indexOr(markdown.indexOf('\n', at), markdown.length);
    const line = markdown.slice(at, lineEnd).replace(/\r$/, '');
    next = lineEnd + 1;
    if (open?.isQuoted === true && !/^[ \t]*>/.test(line)) close(at);
    if (open) {
      end = lineEnd;
      if (closes(line, open.mark)) close(at);
      continue;
    }
    const [, prefix = '', mark] = fenceStart.exec(line) ?? [];
    if (mark !== undefined) {
      push();
      open = fenceOf(line, prefix, mark, Math.min(next, markdown.length));
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

function indexOr(index: number, otherwise: number): number {
  return index < 0 ? otherwise : index;
}

function closes(line: string, mark: string): boolean {
  const found = /^[ \t>]*(`{3,}|~{3,})\s*$/.exec(line)?.[1];
  return found !== undefined && found.startsWith(mark.charAt(0)) && found.length >= mark.length;
}
