import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Thread, ThreadMessage } from '../conversation/thread';
import type { ThreadMatch, ThreadSummary } from './threadStore';
import { allMessages } from './threadRecord';
import type { TextRange } from '../../shared/protocol';

/** Memory for texts that were searched, so that the next letter of a query finds them folded. */
const MAX_CACHE_BYTES = 48 * 1024 * 1024;
/** Threads that are read at the same time. */
const PARALLEL_READS = 8;
/** Characters that are folded or searched before other work gets its turn. */
const UNITS_PER_TURN = 100_000;

export interface SearchableThread {
  readonly summary: ThreadSummary;
  /** Another one for each state of the thread. */
  readonly version: string;
  /** @returns undefined if it is not there any more. */
  readonly read: () => Promise<Thread | undefined>;
}

/** Searchable text of a thread. */
interface ThreadText {
  readonly version: string;
  readonly texts: readonly string[];
  readonly folded: readonly string[];
  readonly units: number;
  readonly bytes: number;
  /** The last search that used it. */
  search: number;
}

/** Full-text search. It takes turns with everything else, and bounds what it remembers. */
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

  /** Returns the threads that contain all words of the query, in their order. */
  async search(
    threads: readonly SearchableThread[],
    query: string,
    signal: AbortSignal,
  ): Promise<ThreadMatch[]> {
    const search = ++this.#search;
    const words = wordsOf(query);
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
      (word) => title.includes(word) || text.folded.some((part) => part.includes(word)),
    );
    if (!isMatch) return undefined;
    const excerpt = excerptOf(text.texts, text.folded, words);
    return { ...thread.summary, ...(excerpt ? { excerpt } : {}) };
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
    const texts = allMessages(thread)
      .map(textOf)
      .filter((text) => text !== '');
    const folded: string[] = [];
    let units = 0;
    let bytes = 0;
    for (const text of texts) {
      signal.throwIfAborted();
      let fold = '';
      for (const lines of pieces(text)) {
        fold += foldText(lines);
        await this.#takeTurns(lines.length);
      }
      folded.push(fold);
      units += text.length;
      bytes += memoryOf(text) + memoryOf(fold);
    }
    const text = { version, texts, folded, units, bytes, search };
    this.#keep(id, text);
    return text;
  }

  /** Keeps a text if there is room beside those that this search uses. */
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

/** Characters before and behind the first match. */
const BEFORE = 50;
const BEHIND = 130;

type Excerpt = NonNullable<ThreadMatch['excerpt']>;

/**
 * Returns the text around the first match in one of the texts: the first of those that contain the
 * most words.
 * @param folded each text, folded.
 */
export function excerptOf(
  texts: readonly string[],
  folded: readonly string[],
  words: readonly string[],
): Excerpt | undefined {
  let best = -1;
  let most = 0;
  for (const [index, text] of folded.entries()) {
    const found = words.filter((word) => text.includes(word)).length;
    if (found > most) [best, most] = [index, found];
    if (most === words.length) break;
  }
  const [text, foldedText] = [texts[best], folded[best]];
  if (text === undefined || foldedText === undefined) return undefined;
  const at = Math.min(...words.map((word) => foldedText.indexOf(word)).filter((i) => i >= 0));
  const place = placeOf(text, foldedText, at);
  const start = cutBefore(text, place);
  const end = cutBehind(text, place);
  const excerpt = [
    start > 0 ? '…' : '',
    text.slice(start, end).replace(/\s+/gu, ' ').trim(),
    end < text.length ? '…' : '',
  ].join('');
  return { text: excerpt, matches: matchesIn(excerpt, words) };
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
  const inOrder = ranges.sort((a, b) => a.start - b.start || a.end - b.end);
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

/** Comparing texts as people do who search: letter case, accents and forms of letters are one. */

const combiningMarks = /[\u0300-\u036f\u0591-\u05bd\u064b-\u065f]/g;
const notAscii = /[^\0-\x7f]/;

/**
 * Returns a text in a form in which texts that look the same to a searcher are equal. Line ends
 * stay.
 */
export function foldText(text: string): string {
  if (!notAscii.test(text)) return text.toLowerCase();
  // Capitals first, as some small letters differ where their capitals do not.
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
export function wordsOf(query: string): readonly string[] {
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
  // A letter and the marks upon it fold together, and so do the parts of a Hangul syllable.
  for (const { 0: letter, index } of line.matchAll(/[\s\S][\p{M}\u1160-\u11ff]*/gu)) {
    const part = foldText(letter);
    for (let unit = 0; unit < part.length; unit++) places.push(index);
    folded += part;
  }
  places.push(line.length);
  return { folded, places };
}
