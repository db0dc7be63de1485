/** Finds text in all messages of a thread, in small steps. */
import type { MessageView } from '../../src/shared/uiMessage';
import { MessageText, type OpenParts } from './findText';

export interface FindQuery {
  readonly text: string;
  readonly isCaseSensitive: boolean;
}

/** One match in the conversation. */
export interface FoundPlace {
  readonly messageId: string;
  /** Index of the match in its message, from 0. */
  readonly ordinal: number;
  /** Start of the match in the text of the message, in UTF-16 code units. */
  readonly start: number;
}

interface FoundIn {
  readonly text: string;
  readonly query: FindQuery;
  /** Start of each match. Matches don't overlap. */
  readonly starts: readonly number[];
}

interface SearchSettings {
  /** Returns for each foldable part of the message whether it is open, as {@link MessageText.read} takes it. */
  openParts(messageId: string): OpenParts;
  /** Handles progress: more messages, or all of them, have been searched. */
  onProgress(isDone: boolean): void;
}

/** @returns undefined if there is nothing to search for. Matches of the pattern are never empty. */
export function findPattern({ text, isCaseSensitive }: FindQuery): RegExp | undefined {
  const wanted = text.replaceAll('\0', '').replace(/\s+/g, ' ');
  if (wanted === '') return undefined;
  const source = wanted.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return new RegExp(source, isCaseSensitive ? 'gu' : 'giu');
}

/** The matches in a thread, in the order of its messages. */
export class FindSearch {
  readonly #settings: SearchSettings;
  readonly #slices = new Slices();
  readonly #texts = new Map<string, MessageText>();
  #found = new Map<string, FoundIn>();
  #order: readonly string[] = [];
  /** Number of matches before each message, plus the total at the end. */
  #before: number[] = [0];
  #query: FindQuery = { text: '', isCaseSensitive: false };

  constructor(settings: SearchSettings) {
    this.#settings = settings;
  }

  /** Number of matches found so far. */
  get count(): number {
    return this.#before.at(-1) ?? 0;
  }

  /** Searches what has changed since the last call, beginning at a message and wrapping around. */
  run(messages: readonly MessageView[], query: FindQuery, from: string | undefined): void {
    this.#order = messages.map(({ id }) => id);
    const isSame =
      query.text === this.#query.text && query.isCaseSensitive === this.#query.isCaseSensitive;
    if (!isSame) {
      this.#query = query;
      this.#found = new Map();
    }
    const present = new Set(this.#order);
    for (const id of this.#texts.keys()) {
      if (present.has(id)) continue;
      this.#texts.delete(id);
      this.#found.delete(id);
    }
    const first = Math.max(0, from === undefined ? 0 : this.#order.indexOf(from));
    const rotated = [...messages.slice(first), ...messages.slice(0, first)];
    this.#slices.run(this.#work(rotated), (isDone) => {
      this.#sum();
      this.#settings.onProgress(isDone);
    });
    this.#sum();
  }

  stop(): void {
    this.#slices.stop();
  }

  /** Returns the index of a match among all matches, or -1 if it is gone. */
  indexOf({ messageId, ordinal }: FoundPlace): number {
    const message = this.#order.indexOf(messageId);
    const starts = this.#found.get(messageId)?.starts ?? [];
    return message < 0 || ordinal >= starts.length ? -1 : (this.#before[message] ?? 0) + ordinal;
  }

  /** @param index wraps around at both ends. */
  at(index: number): FoundPlace | undefined {
    const { count } = this;
    if (count === 0) return undefined;
    const wanted = ((index % count) + count) % count;
    // Finds the last message that begins at or before the wanted match.
    let [low, high] = [0, this.#order.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#before[middle] ?? 0) <= wanted) low = middle;
      else high = middle - 1;
    }
    return this.#place(low, wanted - (this.#before[low] ?? 0));
  }

  /**
   * Returns the first match at or after a position in a message. After the last match comes the
   * first.
   */
  firstFrom(messageId: string, start: number): FoundPlace | undefined {
    const message = Math.max(0, this.#order.indexOf(messageId));
    const starts = this.#found.get(messageId)?.starts ?? [];
    const ordinal = starts.findIndex((at) => at >= start);
    const first = this.#before[message] ?? 0;
    return this.at(ordinal < 0 ? first + starts.length : first + ordinal);
  }

  /** Returns the start of each match in a message. */
  startsIn(messageId: string): readonly number[] {
    return this.#found.get(messageId)?.starts ?? [];
  }

  /** Returns the words around a match, in about `length` characters on each side of its start. */
  excerpt({ messageId, start }: FoundPlace, length: number): string {
    const text = this.#found.get(messageId)?.text ?? '';
    const last = text.indexOf('\0', start);
    const before = text.slice(text.lastIndexOf('\0', start) + 1, start);
    const after = text.slice(start, last < 0 ? undefined : last);
    const matched = this.#query.text.length;
    // A word that is cut would be read out as another one.
    const lead = before.length > length ? before.slice(-length).replace(/^\S+\s/, '') : before;
    const rest = after.slice(matched, Math.max(matched, length));
    const isCut = after.length > matched + rest.length;
    return (lead + after.slice(0, matched) + (isCut ? rest.replace(/\s\S*$/, '') : rest)).trim();
  }

  #place(message: number, ordinal: number): FoundPlace | undefined {
    const messageId = this.#order[message] ?? '';
    const start = this.#found.get(messageId)?.starts[ordinal];
    return start === undefined ? undefined : { messageId, ordinal, start };
  }

  *#work(messages: readonly MessageView[]): Generator<void> {
    const query = this.#query;
    const pattern = findPattern(query);
    for (const message of messages) {
      const { id } = message;
      const own = this.#texts.get(id) ?? new MessageText();
      this.#texts.set(id, own);
      const text = yield* own.read(message, this.#settings.openParts(id));
      const known = this.#found.get(id);
      if (known?.text !== text || known.query !== query) {
        const starts = pattern ? Array.from(text.matchAll(pattern), ({ index }) => index) : [];
        this.#found.set(id, { text, query, starts });
      }
      yield;
    }
  }

  #sum(): void {
    let sum = 0;
    const before = this.#order.map((id) => {
      const first = sum;
      sum += this.#found.get(id)?.starts.length ?? 0;
      return first;
    });
    this.#before = [...before, sum];
  }
}

/** Time in milliseconds of a slice. The last step of a slice may take a little longer. */
const SLICE_MS = 8;

/** Runs one piece of work at a time, in slices, so that the page stays responsive meanwhile. */
class Slices {
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * Runs the work from its next step on. It replaces unfinished work.
   * @param onSlice called after each slice.
   */
  run(work: Iterator<void>, onSlice: (isDone: boolean) => void): void {
    this.stop();
    const slice = (): void => {
      this.#timer = undefined;
      const end = performance.now() + SLICE_MS;
      let isDone: boolean;
      do isDone = work.next().done === true;
      while (!isDone && performance.now() < end);
      if (!isDone) this.#timer = setTimeout(slice);
      onSlice(isDone);
    };
    this.#timer = setTimeout(slice);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
