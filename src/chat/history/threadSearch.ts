import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Thread, ThreadMessage } from '../conversation/thread';
import type { ThreadMatch, ThreadSummary } from './threadStore';
import { allMessages } from './threadRecord';
import type { TextRange } from '../../shared/protocol';
import { withoutUndefined } from '../../common/withoutUndefined';

/**
 * Most bytes of folded texts that are remembered, so that the next letter of a query doesn't fold
 * them again.
 */
const MAX_CACHE_BYTES = 48 * 1024 * 1024;
/** Most threads that are read at the same time. */
const PARALLEL_READS = 8;
/** Characters that are folded or searched before other work gets a turn. */
const UNITS_PER_TURN = 100_000;

export interface SearchableThread {
  readonly summary: ThreadSummary;
  /** Changes with each state of the thread. */
  readonly version: string;
  /** @returns undefined if the thread no longer exists. */
  readonly read: () => Promise<Thread | undefined>;
}

/** Searchable text of a message. */
export interface SearchedText {
  readonly text: string;
  /** The text as {@link foldText} returns it. */
  readonly folded: string;
  /** Whether the text is Markdown, like that of a reply. A question is shown as it was typed. */
  readonly isMarkdown: boolean;
}

interface ThreadText {
  readonly version: string;
  readonly texts: readonly SearchedText[];
  readonly units: number;
  readonly bytes: number;
  /** Number of the last search that used the text. */
  search: number;
}

/** Full-text search. It gives other work turns and limits the memory that it uses. */
export class ThreadSearch {
  readonly #cache = new Map<string, ThreadText>();
  readonly #maxBytes: number;
  #bytes = 0;
  #search = 0;
  #unitsThisTurn = 0;

  constructor(maxBytes = MAX_CACHE_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Used bytes of the memory for texts. */
  get cachedBytes(): number {
    return this.#bytes;
  }

  /** Returns the threads that contain all words of the query, in the given order. */
  async search(
    threads: readonly SearchableThread[],
    query: string,
    signal: AbortSignal,
  ): Promise<ThreadMatch[]> {
    const search = ++this.#search;
    const words = queryWords(query);
    const found: (ThreadMatch | undefined)[] = [];
    const waiting = [...threads.entries()].reverse();
    const lookAtNext = async (): Promise<void> => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        signal.throwIfAborted();
        const [index, thread] = next;
        found[index] =
          words.length === 0 ? thread.summary : await this.#match(thread, words, search, signal);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL_READS }, lookAtNext));
    signal.throwIfAborted();
    return found.filter((match) => match !== undefined);
  }

  async #match(
    thread: SearchableThread,
    words: readonly string[],
    search: number,
    signal: AbortSignal,
  ): Promise<ThreadMatch | undefined> {
    const text = await this.#textOf(thread, search, signal);
    if (!text) return undefined;
    await this.#takeTurns(text.units);
    const title = foldText(thread.summary.title);
    const isMatch = words.every(
      (word) => title.includes(word) || text.texts.some(({ folded }) => folded.includes(word)),
    );
    if (!isMatch) return undefined;
    // Loaded with the first match, because it loads the Markdown parser.
    const { markdownToText } = await import('../../common/text/markdownText');
    const excerpt = excerptOf(text.texts, words, markdownToText);
    return withoutUndefined({ ...thread.summary, excerpt });
  }

  async #textOf(
    { summary: { id }, version, read }: SearchableThread,
    search: number,
    signal: AbortSignal,
  ): Promise<ThreadText | undefined> {
    const cached = this.#cache.get(id);
    if (cached?.version === version) {
      cached.search = search;
      return cached;
    }
    const thread = await read();
    if (!thread) return undefined;
    const texts: SearchedText[] = [];
    let units = 0;
    let bytes = 0;
    for (const message of allMessages(thread)) {
      const text = textOf(message);
      if (text === '') continue;
      signal.throwIfAborted();
      let folded = '';
      for (const lines of pieces(text)) {
        folded += foldText(lines);
        await this.#takeTurns(lines.length);
      }
      texts.push({ text, folded, isMarkdown: message.role === 'assistant' });
      units += text.length;
      bytes += memoryOf(text) + memoryOf(folded);
    }
    const text = { version, texts, units, bytes, search };
    this.#keep(id, text);
    return text;
  }

  /** Remembers a text if it fits beside the texts that this search uses. */
  #keep(id: string, text: ThreadText): void {
    this.#drop(id);
    for (const [other, { search }] of this.#cache) {
      if (this.#bytes + text.bytes <= this.#maxBytes) break;
      if (search < text.search) this.#drop(other);
    }
    if (this.#bytes + text.bytes > this.#maxBytes) return;
    this.#cache.set(id, text);
    this.#bytes += text.bytes;
  }

  #drop(id: string): void {
    this.#bytes -= this.#cache.get(id)?.bytes ?? 0;
    this.#cache.delete(id);
  }

  async #takeTurns(units: number): Promise<void> {
    this.#unitsThisTurn += units;
    if (this.#unitsThisTurn < UNITS_PER_TURN) return;
    this.#unitsThisTurn = 0;
    await nextTurn();
  }
}

/**
 * Returns the bytes of a string in memory. A string with letters beyond Latin-1 takes twice as
 * much.
 */
function memoryOf(text: string): number {
  return /[^\0-\xff]/.test(text) ? text.length * 2 : text.length;
}

/** Yields a long text in pieces of whole lines. */
function* pieces(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const lineEnd = text.indexOf('\n', start + UNITS_PER_TURN);
    const end = lineEnd < 0 ? text.length : lineEnd + 1;
    yield text.slice(start, end);
    start = end;
  }
}

function textOf(message: ThreadMessage): string {
  if (message.role === 'user') return message.text;
  return message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}

/** Characters of an excerpt before the first match, and of the whole excerpt. */
const BEFORE = 50;
const BEHIND = 130;

type Excerpt = NonNullable<ThreadMatch['excerpt']>;

/** Characters of Markdown that are parsed before and after the first match. */
const MARKDOWN_AROUND = 1_000;

/** Links of citations, such as ` [1](https://…)`. Without the link, the number says nothing. */
const citations = /[ \t]?\[\[?\d{1,3}\]?\]\([^()\s]*\)/g;

/**
 * Returns the text around the first match in one of the texts: the first of those that contain the
 * most words.
 * @param toPlainText returns Markdown without marks.
 */
export function excerptOf(
  texts: readonly SearchedText[],
  words: readonly string[],
  toPlainText: (markdown: string) => string,
): Excerpt | undefined {
  let best: SearchedText | undefined;
  let most = 0;
  for (const text of texts) {
    const found = words.filter((word) => text.folded.includes(word)).length;
    if (found > most) [best, most] = [text, found];
    if (most === words.length) break;
  }
  if (!best) return undefined;
  const { text, folded, isMarkdown } = best;
  const place = placeOf(text, folded, firstOf(folded, words));
  if (isMarkdown) {
    const [start, end] = blockAround(text, place);
    const plain = toPlainText(text.slice(start, end).replace(citations, ''));
    const plainFolded = foldText(plain);
    const at = firstOf(plainFolded, words);
    // A word can occur only in the URL of a link, which isn't a part of the plain text.
    if (at >= 0) {
      const isCut = { before: start > 0, behind: end < text.length };
      return cutExcerpt(plain, placeOf(plain, plainFolded, at), words, isCut);
    }
  }
  return cutExcerpt(text, place, words, { before: false, behind: false });
}

/** @param isCut whether there is more text before and after the given text. */
function cutExcerpt(
  text: string,
  place: number,
  words: readonly string[],
  isCut: { readonly before: boolean; readonly behind: boolean },
): Excerpt {
  const start = cutBefore(text, place);
  const end = cutBehind(text, place);
  const excerpt = [
    start > 0 || isCut.before ? '…' : '',
    text.slice(start, end).replace(/\s+/gu, ' ').trim(),
    end < text.length || isCut.behind ? '…' : '',
  ].join('');
  return { text: excerpt, matches: matchesIn(excerpt, words) };
}

/** Returns the position of the first word in the folded text, or -1. */
function firstOf(folded: string, words: readonly string[]): number {
  const places = words.map((word) => folded.indexOf(word)).filter((place) => place >= 0);
  return places.length === 0 ? -1 : Math.min(...places);
}

/** Returns the range of the blocks of Markdown around a position, in whole lines where possible. */
function blockAround(text: string, place: number): [start: number, end: number] {
  const from = Math.max(0, place - MARKDOWN_AROUND);
  const to = Math.min(text.length, place + MARKDOWN_AROUND);
  const before = text.slice(from, place);
  const behind = text.slice(place, to);
  const blankBefore = before.lastIndexOf('\n\n');
  const firstLine = from > 0 ? before.indexOf('\n') : -1;
  const start = blankBefore >= 0 ? blankBefore + 2 : firstLine + 1;
  const blankBehind = behind.indexOf('\n\n');
  const lastLine = to < text.length ? behind.lastIndexOf('\n') : -1;
  const end = blankBehind >= 0 ? blankBehind : lastLine >= 0 ? lastLine : behind.length;
  return [from + start, place + end];
}

/**
 * Returns the position in a text of a position in the folded text. A line always folds to one line.
 */
function placeOf(text: string, folded: string, at: number): number {
  const foldedStart = folded.lastIndexOf('\n', at) + 1;
  let start = 0;
  for (let end = folded.indexOf('\n'); end >= 0 && end < at; end = folded.indexOf('\n', end + 1)) {
    start = text.indexOf('\n', start) + 1;
  }
  const end = text.indexOf('\n', start);
  const { places } = foldLine(text.slice(start, end < 0 ? text.length : end));
  return start + (places[at - foldedStart] ?? 0);
}

function matchesIn(excerpt: string, words: readonly string[]): TextRange[] {
  const { folded, places } = foldLine(excerpt);
  const ranges: TextRange[] = [];
  for (const word of words) {
    for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + word.length)) {
      const start = places[at];
      const last = places[at + word.length - 1];
      if (start === undefined || last === undefined) continue;
      const end = places.slice(at + word.length).find((place) => place > last) ?? excerpt.length;
      ranges.push({ start, end });
    }
  }
  return merged(ranges);
}

function merged(ranges: TextRange[]): TextRange[] {
  const inOrder = ranges.sort((a, b) => a.start - b.start);
  const result: TextRange[] = [];
  for (const range of inOrder) {
    const last = result.at(-1);
    if (last && range.start <= last.end) {
      result[result.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
    } else {
      result.push(range);
    }
  }
  return result;
}

/** Returns where an excerpt begins: at a word, if one begins nearby. */
function cutBefore(text: string, place: number): number {
  const earliest = Math.max(0, place - BEFORE);
  if (earliest === 0) return 0;
  const space = text.slice(earliest, place).search(/\s\S/u);
  return space >= 0 && space < BEFORE / 2 ? earliest + space + 1 : wholeLetter(text, earliest);
}

function cutBehind(text: string, place: number): number {
  const latest = place + BEHIND;
  if (latest >= text.length) return text.length;
  const tail = text.slice(place, latest);
  const space = tail.search(/\s\S*$/u);
  return space > BEHIND / 2 ? place + space : wholeLetter(text, latest);
}

/** Returns the position, moved out of the middle of a surrogate pair. */
function wholeLetter(text: string, place: number): number {
  const unit = text.charCodeAt(place);
  return unit >= 0xdc00 && unit <= 0xdfff ? place - 1 : place;
}

/**
 * Functions that fold texts, so that a search ignores letter case, accents and forms of letters.
 */

const combiningMarks = /[\u0300-\u036f\u0591-\u05bd\u064b-\u065f]/g;
const notAscii = /[^\0-\x7f]/;

/**
 * Returns a text in a form in which texts that look the same to a searcher are equal. Line ends
 * stay.
 */
export function foldText(text: string): string {
  if (!notAscii.test(text)) return text.toLowerCase();
  // Upper case comes first, because some lower-case letters differ although their capitals are the
  // same.
  return text
    .normalize('NFKD')
    .replace(combiningMarks, '')
    .toUpperCase()
    .toLowerCase()
    .replace(/ς/g, 'σ')
    .replace(combiningMarks, '')
    .normalize('NFC');
}

/** Returns the words of a query, folded, without repetition, at most 12. */
export function queryWords(query: string): readonly string[] {
  return [...new Set(foldText(query).split(/\s+/u))].filter((word) => word !== '').slice(0, 12);
}

/**
 * Returns a folded line, and the position in the line of each of its code units (with one more for
 * its end).
 */
export function foldLine(line: string): { readonly folded: string; readonly places: number[] } {
  if (!notAscii.test(line)) {
    return {
      folded: line.toLowerCase(),
      places: Array.from({ length: line.length + 1 }, (_, i) => i),
    };
  }
  let folded = '';
  const places: number[] = [];
  // A letter folds together with its marks, and the parts of a Hangul syllable fold together.
  for (const { 0: letter, index } of line.matchAll(/[\s\S][\p{M}\u1160-\u11ff]*/gu)) {
    const part = foldText(letter);
    for (let unit = 0; unit < part.length; unit++) places.push(index);
    folded += part;
  }
  places.push(line.length);
  return { folded, places };
}
