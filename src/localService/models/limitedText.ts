import type { Clock } from '../../common/ports';
import { ModelError, type Model, type ModelMessage } from './model';

/** Limits of one request to a model. */
export interface TextLimits {
  /** Maximum milliseconds until the first piece. A model that has to load first takes about a minute. */
  readonly firstTextMs: number;
  /** Maximum milliseconds between two pieces. Bytes without a piece of text or thought don't count. */
  readonly idleMs: number;
  /** Maximum milliseconds for the whole request. Also ends a model that only thinks and never answers. */
  readonly totalMs: number;
  /** Maximum characters of the text. A reply about docs is rarely longer than a page. */
  readonly maxCharacters: number;
}

/** Limits of a reply. */
export const replyLimits: TextLimits = {
  firstTextMs: 90_000,
  idleMs: 30_000,
  totalMs: 5 * 60_000,
  maxCharacters: 60_000,
};

const thinking = { start: '<think>', end: '</think>' } as const;

/**
 * Removes the thoughts (`<think>…</think>`) that many open models write at the beginning of their text. The
 * thoughts are not part of the reply, and JSON in them is not the list of queries.
 */
export class ThinkingFilter {
  #state: 'undecided' | 'thinking' | 'writing' = 'undecided';
  #held = '';

  /** Adds a piece of the text, and returns the text that is certain to be no thought. */
  push(piece: string): string {
    if (this.#state === 'writing') return piece;
    this.#held += piece;
    if (this.#state === 'undecided') {
      const begun = this.#held.trimStart();
      if (thinking.start.startsWith(begun.slice(0, thinking.start.length))) {
        if (begun.length < thinking.start.length) return '';
        this.#state = 'thinking';
      } else return this.#write(this.#held);
    }
    const end = this.#held.indexOf(thinking.end);
    if (end >= 0) return this.#write(this.#held.slice(end + thinking.end.length));
    this.#held = this.#held.slice(-thinking.end.length);
    return '';
  }

  /** Returns the text that was held back because it could be the beginning of a thought. */
  end(): string {
    return this.#state === 'undecided' ? this.#write(this.#held) : '';
  }

  #write(text: string): string {
    this.#state = 'writing';
    this.#held = '';
    return text;
  }
}

/**
 * Milliseconds without text after which an empty piece tells the client that the service is still working.
 * The shortest timeout that clients can set is five seconds.
 */
export const HEARTBEAT_MS = 4000;

interface LimitedTextOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly limits: TextLimits;
}

/**
 * Streams the text of a model, within limits. Yields an empty text after every four seconds without text, so
 * that the client doesn't time out.
 * @throws {ModelError} the model's errors, `timed-out`, or `too-long` after the text up to the limit.
 */
export async function* limitedText(
  model: Model,
  messages: readonly ModelMessage[],
  { clock, signal, limits }: LimitedTextOptions,
): AsyncGenerator<string, void, undefined> {
  const ending = new AbortController();
  const either = AbortSignal.any([signal, ending.signal]);
  const pieces = model.stream(messages, either)[Symbol.asyncIterator]();
  const start = clock.now();
  let last = start;
  let length = 0;
  let hasStarted = false;
  const filter = new ThinkingFilter();
  let next = settled(pieces.next());
  try {
    for (;;) {
      const deadline = Math.min(
        last + (hasStarted ? limits.idleMs : limits.firstTextMs),
        start + limits.totalMs,
      );
      const waitMs = Math.min(HEARTBEAT_MS, Math.max(0, deadline - clock.now()));
      const result = await firstOf(next, waitMs, clock, either);
      signal.throwIfAborted();
      if (result === undefined) {
        if (clock.now() >= deadline) throw new ModelError('timed-out');
        yield '';
        continue;
      }
      if ('error' in result) throw result.error;
      if (result.value.done === true) {
        yield filter.end();
        return;
      }
      const piece = result.value.value;
      hasStarted = true;
      last = clock.now();
      if (last - start > limits.totalMs) throw new ModelError('timed-out');
      length += piece.length;
      if (length > limits.maxCharacters) {
        yield filter.push(
          piece.slice(0, Math.max(0, piece.length - (length - limits.maxCharacters))),
        );
        throw new ModelError('too-long');
      }
      const text = filter.push(piece);
      if (text !== '') yield text;
      next = settled(pieces.next());
    }
  } finally {
    ending.abort();
    // This promise is not awaited, because a model that hangs would block the reply.
    void pieces.return?.().catch(() => undefined);
  }
}

type Settled = { readonly value: IteratorResult<string, unknown> } | { readonly error: unknown };

function settled(promise: Promise<IteratorResult<string, unknown>>): Promise<Settled> {
  return promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}

/** Returns the result of the promise, or undefined if it doesn't settle in time or the signal aborts. */
async function firstOf(
  promise: Promise<Settled>,
  ms: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<Settled | undefined> {
  const waiting = new AbortController();
  const stopping = AbortSignal.any([signal, waiting.signal]);
  try {
    return await Promise.race([
      promise,
      clock.delay(ms, stopping).then(
        () => undefined,
        () => (signal.aborted ? undefined : promise),
      ),
    ]);
  } finally {
    waiting.abort();
  }
}
