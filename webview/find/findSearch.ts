/** Finds a text in all messages of a thread, a little at a time. */
import type { MessageView } from '../src/shared/uiMessage';
import { Slices } from './findSlices';
import { MessageText, type OpenParts } from './findText';

export interface FindQuery {
  readonly text: string;
  readonly isCaseSensitive: boolean;
}

/** One place where the text is. */
export interface FoundPlace {
  readonly messageId: string;
  /** Which of the places within the message, from 0. */
  readonly ordinal: number;
  /** Within the text of the message, in UTF-16 code units. */
  readonly start: number;
}

interface FoundIn {
  readonly text: string;
  readonly query: FindQuery;
  /** Where each place begins; none overlap. */
  readonly starts: readonly number[];
}

interface SearchSettings {
  /** {@link MessageText.read}: which of the message's folded parts are open. */
  openParts(messageId: string): OpenParts;
  /** More has been searched, or all. */
  onProgress(isDone: boolean): void;
}

/** @returns undefined where there is nothing to look for. Its matches are never empty. */
export function findPattern({ text, isCaseSensitive }: FindQuery): RegExp | undefined {
  const wanted = text.replaceAll('\0', '').replace(/\s+/g, ' ');
  if (wanted === '') return undefined;
  const source = wanted.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return new RegExp(source, isCaseSensitive ? 'gu' : 'giu');
}

/** The places of a text in a thread, in the order of its messages. */
export class ThreadSearch {
  readonly #settings: SearchSettings;
  readonly #slices = new Slices();
  readonly #texts = new Map<string, MessageText>();
  #found = new Map<string, FoundIn>();
  #order: readonly string[] = [];
  /** Of each message in that order, the number of places before it; one more for all. */
  #before: number[] = [0];
  #query: FindQuery = { text: '', isCaseSensitive: false };

  constructor(settings: SearchSettings) {
    this.#settings = settings;
  }

  /** Places found so far. */
  get count(): number {
    return this.#before.at(-1) ?? 0;
  }

  /** Looks at what has changed since the last time, from that message on and around to it. */
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

  /** Counted from 0 over all messages; -1 where it is no longer there. */
  indexOf({ messageId, ordinal }: FoundPlace): number {
    const message = this.#order.indexOf(messageId);
    const starts = this.#found.get(messageId)?.starts ?? [];
    return message < 0 || ordinal >= starts.length ? -1 : (this.#before[message] ?? 0) + ordinal;
  }

  /** @param index is taken around: the one after the last is the first. */
  at(index: number): FoundPlace | undefined {
    const { count } = this;
    if (count === 0) return undefined;
    const wanted = ((index % count) + count) % count;
    // The last message before which there are not more.
    let [low, high] = [0, this.#order.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#before[middle] ?? 0) <= wanted) low = middle;
      else high = middle - 1;
    }
    return this.#place(low, wanted - (this.#before[low] ?? 0));
  }

  /** The first place that does not begin before that one of a message; after the last the first. */
  firstFrom(messageId: string, start: number): FoundPlace | undefined {
    const message = Math.max(0, this.#order.indexOf(messageId));
    const starts = this.#found.get(messageId)?.starts ?? [];
    const ordinal = starts.findIndex((at) => at >= start);
    const first = this.#before[message] ?? 0;
    return this.at(ordinal < 0 ? first + starts.length : first + ordinal);
  }

  /** Of that message, where each place begins. */
  startsIn(messageId: string): readonly number[] {
    return this.#found.get(messageId)?.starts ?? [];
  }

  /** What is written around the place. */
  excerpt({ messageId, start }: FoundPlace, length: number): string {
    const text = this.#found.get(messageId)?.text ?? '';
    const from = Math.max(text.lastIndexOf('\0', start) + 1, start - length);
    const end = text.indexOf('\0', start);
    return text.slice(from, Math.min(end < 0 ? text.length : end, start + length)).trim();
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
