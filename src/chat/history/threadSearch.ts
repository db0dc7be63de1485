import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Thread, ThreadMessage } from '../thread';
import type { ThreadMatch, ThreadSummary } from '../threadStore';
import { excerptOf } from './excerpt';
import { foldText, wordsOf } from './foldText';
import { allMessages } from './joinThreads';

/** Memory for texts that were searched, so that the next letter of a query finds them folded. */
const MAX_CACHE_BYTES = 48 * 1024 * 1024;
/** Threads that are read at the same time. */
const PARALLEL_READS = 8;
/** How much is folded or looked through before others get their turn. */
const UNITS_PER_TURN = 100_000;

export interface SearchableThread {
  readonly summary: ThreadSummary;
  /** Another one for each state of the thread. */
  readonly version: string;
  /** @returns undefined if it is not there any more. */
  readonly read: () => Promise<Thread | undefined>;
}

/** What can be searched of a thread. */
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

  /** Of the memory for texts, how much is used. */
  get cachedBytes(): number {
    return this.#bytes;
  }

  /** Those threads, in their order, in which all words of the query occur. */
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

/** Bytes that a string takes: one with letters beyond Latin-1 takes twice as much. */
function memoryOf(text: string): number {
  return /[^\0-\xff]/.test(text) ? text.length * 2 : text.length;
}

/** A long text in pieces of whole lines. */
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
