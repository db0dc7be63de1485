/**
 * Puts foreign text into a Markdown document. The text keeps its words, but can't break out of its
 * place in the document.
 */
import MarkdownIt, { type Token } from 'markdown-it';
import { withoutControls, withoutLineBreaks } from '../../shared/characters';
import { longestRun } from '../../shared/codeSpan';

/** Parser with raw HTML turned on, so that it finds HTML wherever any other parser could. */
const reader = new MarkdownIt({ html: true });

/**
 * Most passes over a text. Escaped markup can reveal more markup, and only a hostile text needs
 * more passes.
 */
const MAX_PASSES = 8;
const DEEPEST_HEADING = 6;

/** Returns one line of untrusted text as Markdown that shows exactly that text. */
export function textToMarkdown(text: string): string {
  return escapeLine(withoutLineBreaks(text).trim());
}

/**
 * Returns text that a person typed as Markdown that shows it as typed, line by line. Code between
 * fences or backticks stays code.
 */
export function typedMarkdown(text: string): string {
  const lines = normalLines(text);
  const blocks: string[] = [];
  let paragraph: string[] = [];
  const endParagraph = (): void => {
    if (paragraph.length > 0) blocks.push(paragraph.join('\\\n'));
    paragraph = [];
  };
  /**
   * Marks that have no closing mark in the rest of the text, so that each is searched for only
   * once.
   */
  const unclosed = new Set<string>();
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const fence = openingFence(line);
    const isHopeless = fence === undefined || unclosed.has(fence.mark);
    const end = isHopeless ? -1 : closingLine(lines, at + 1, fence.mark);
    if (fence !== undefined && end < 0) unclosed.add(fence.mark);
    if (fence !== undefined && end >= 0) {
      endParagraph();
      blocks.push(fencedCode(lines.slice(at + 1, end).join('\n'), fence.language));
      at = end;
    } else if (line.trim() === '') endParagraph();
    else paragraph.push(withoutIndent(line));
  }
  endParagraph();
  return blocks.join('\n\n');
}

/** Returns a fenced code block, with more backticks than the code has in a row. */
export function fencedCode(code: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(code) + 1));
  const known = /^[\w+#.-]{1,30}$/.test(language) ? language : '';
  return `${fence}${known}\n${code}${code === '' || code.endsWith('\n') ? '' : '\n'}${fence}`;
}

/**
 * Returns untrusted Markdown as a part of a document. Its headings go below the given level, raw
 * HTML becomes text, images become links so that nothing is loaded, and an open code block is
 * closed.
 */
export function embeddedMarkdown(markdown: string, headingLevel: number): string {
  let lines = normalLines(markdown.trimEnd());
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const inert = withoutMarkup(lines, pass > 0);
    // Spaces before the first letter can mark a code block, so they stay.
    if (inert === lines) return trimLines(withHeadings(lines, headingLevel).join('\n'));
    lines = inert;
  }
  return fencedCode(lines.join('\n'), 'markdown');
}

/** @returns the same array if nothing had to change. */
function withoutMarkup(lines: string[], isThorough: boolean): string[] {
  const changed = [...lines];
  let isChanged = false;
  for (const token of reader.parse(lines.join('\n'), {})) {
    const [start, end] = token.map ?? [0, 0];
    const before = lines.slice(start, end).join('\n');
    const after = isActive(token)
      ? token.type === 'html_block' || isThorough
        ? before.replace(/(?<!\\)<(?=[a-z/!?])/gi, '\\<')
        : inertInline(before)
      : before;
    if (after === before) continue;
    changed.splice(start, end - start, ...after.split('\n'));
    isChanged = true;
  }
  return isChanged ? changed : lines;
}

function isActive({ type, children }: Token): boolean {
  return (
    type === 'html_block' ||
    (children?.some((child) => child.type === 'html_inline' || child.type === 'image') ?? false)
  );
}

/**
 * Returns inline Markdown with raw HTML as text and images as links. Code and URLs in angle
 * brackets stay.
 */
function inertInline(text: string): string {
  return segments(text, true)
    .map(({ isKept, text: piece }) =>
      isKept
        ? piece
        : piece.replace(/\\[^]|<(?=[a-z/!?])|!(?=\[)/gi, (found) =>
            found === '<' ? '\\<' : found === '!' ? '' : found,
          ),
    )
    .join('');
}

/** Moves headings to their new levels and closes blocks that are still open at the end. */
function withHeadings(lines: readonly string[], headingLevel: number): string[] {
  const tokens = reader.parse(lines.join('\n'), {});
  const headings = tokens.filter(({ type }) => type === 'heading_open');
  const highest = Math.min(...headings.map(({ tag }) => Number(tag.slice(1))));
  const moved: (string | undefined)[] = [...lines];
  for (const { tag, map } of headings) {
    const [start, end] = map ?? [0, 0];
    const level = Math.min(DEEPEST_HEADING, Number(tag.slice(1)) - highest + headingLevel);
    const mark = '#'.repeat(level);
    const first = lines[start] ?? '';
    // Quote and list marks before a heading contain no `#`.
    if (end - start === 1) moved[start] = first.replace(/#{1,6}(?=[ \t]|$)/, mark);
    else {
      const prefix = containerPrefix(first);
      const rest = lines
        .slice(start + 1, end - 1)
        .map((line) => line.slice(containerPrefix(line).length));
      moved[start] = `${prefix}${mark} ${[first.slice(prefix.length), ...rest].join(' ')}`;
      moved.fill(undefined, start + 1, end);
    }
  }
  const kept = moved.filter((line) => line !== undefined);
  const open = tokens.findLast(({ type, level }) => type === 'fence' && level === 0);
  const isOpen = open?.map?.[1] === lines.length && !isClosed(open, lines);
  return isOpen ? [...kept, open.markup] : kept;
}

function isClosed({ map, markup }: Token, lines: readonly string[]): boolean {
  const [start, end] = map ?? [0, 0];
  return end - start > 1 && closesFence(lines[end - 1] ?? '', markup);
}

function containerPrefix(line: string): string {
  return /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))*[ \t]*/.exec(line)?.[0] ?? '';
}

interface Fence {
  readonly mark: string;
  readonly language: string;
}

function openingFence(line: string): Fence | undefined {
  const [, mark = '', rest = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
  if (mark === '' || (mark.startsWith('`') && rest.includes('`'))) return undefined;
  return { mark, language: rest.trim().split(/\s/, 1)[0] ?? '' };
}

function closingLine(lines: readonly string[], from: number, mark: string): number {
  for (let at = from; at < lines.length; at++) if (closesFence(lines[at] ?? '', mark)) return at;
  return -1;
}

function closesFence(line: string, mark: string): boolean {
  const end = line.trim();
  return (
    /^ {0,3}\S/.test(line) && end.length >= mark.length && end === mark.charAt(0).repeat(end.length)
  );
}

/**
 * Returns the line with its leading spaces as entities, because Markdown would drop them or read
 * the line as code.
 */
function withoutIndent(line: string): string {
  const text = line.trimStart();
  const indent = line.slice(0, line.length - text.length).replaceAll('\t', '    ');
  return '\u00a0'.repeat(indent.length) + escapeLine(text.trimEnd());
}

function escapeLine(line: string): string {
  const escaped = segments(line, false)
    .map(({ isKept, text }) => (isKept ? text : escapeText(text)))
    .join('');
  return escaped
    .replace(/^(#{1,6}(?=\s|$)|[-+=]|:)/, '\\$1')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
}

/** Returns the text with every Markdown mark escaped. URLs stay links. */
function escapeText(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>]*[^\s<>.,;:!?)\]}'"*_~])/)
    .map((piece, index) => (index % 2 === 1 ? `<${piece}>` : escapeMarks(piece)))
    .join('');
}

function escapeMarks(text: string): string {
  return text
    .replace(/[\\`*[\]<>|~$]|&(?=#?\w+;)/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_');
}

interface Segment {
  /**
   * Whether the segment is code between backticks or a URL between angle brackets, which stays as
   * it is.
   */
  readonly isKept: boolean;
  readonly text: string;
}

/** @param hasEscapes whether a backslash escapes the character after it. */
function segments(text: string, hasEscapes: boolean): Segment[] {
  const found: Segment[] = [];
  const autolink = /<[a-z][a-z\d+.-]{1,31}:[^\s<>]*>/iy;
  const runs = backtickRuns(text);
  let plainStart = 0;
  let at = 0;
  const keep = (end: number): void => {
    if (at > plainStart) found.push({ isKept: false, text: text.slice(plainStart, at) });
    found.push({ isKept: true, text: text.slice(at, end) });
    at = plainStart = end;
  };
  while (at < text.length) {
    const letter = text[at];
    if (letter === '\\' && hasEscapes) at += 2;
    else if (letter === '`') {
      const length = runLength(text, at);
      const close = runs.next(length, at + length);
      if (close === undefined) at += length;
      else keep(close + length);
    } else if (letter === '<' && hasEscapes) {
      autolink.lastIndex = at;
      if (autolink.test(text)) keep(autolink.lastIndex);
      else at++;
    } else at++;
  }
  if (plainStart < text.length) found.push({ isKept: false, text: text.slice(plainStart) });
  return found;
}

/**
 * Returns an index of the runs of backticks by length. Each run is visited once, even if many have
 * no closing run.
 */
function backtickRuns(text: string): { next(length: number, from: number): number | undefined } {
  const places = new Map<number, number[]>();
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const known = places.get(run.length);
    if (known) known.push(index);
    else places.set(run.length, [index]);
  }
  for (const list of places.values()) list.reverse();
  return {
    next: (length, from) => {
      const list = places.get(length) ?? [];
      while (list.length > 0 && (list.at(-1) ?? from) < from) list.pop();
      return list.at(-1);
    },
  };
}

function runLength(text: string, at: number): number {
  let end = at;
  while (text[end] === '`') end++;
  return end - at;
}

function trimLines(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
}

function normalLines(text: string): string[] {
  return withoutControls(text.replace(/\r\n?|[\u2028\u2029]/g, '\n')).split('\n');
}
