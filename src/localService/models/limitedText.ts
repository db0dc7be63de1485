import type { Clock } from '../../common/ports';
import { ModelError, type Model, type ModelMessage } from './model';

/** Limits of one request to a model. */
export interface TextLimits {
  /** Milliseconds until the first piece. A model that has to load first takes a minute. */
  readonly firstTextMs: number;
  /** Milliseconds between two pieces. Bytes that hold no piece don't count. */
  readonly idleMs: number;
  /** Milliseconds for the whole request, also for a model that thinks and never answers. */
  readonly totalMs: number;
  /** Characters of the text. A reply from the docs is a page at most. */
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
 * Removes what a model thinks aloud at the beginning of its text, as many open models do. Such a
 * text is no reply, and its JSON no query.
 */
export class ThinkingFilter {
  #state: 'undecided' | 'thinking' | 'writing' = 'undecided';
  #held = '';

  /** Returns the part of the text that is decided by now. */
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

  /** Returns what was held back because it could have been the beginning of a thought. */
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
 * Milliseconds without text after which an empty piece shows the client that work goes on. Clients
 * can be set to wait for five seconds only.
 */
export const HEARTBEAT_MS = 4000;

interface LimitedTextOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly limits: TextLimits;
}

/**
 * Streams what a model writes, within limits. Yields an empty text every four seconds in which
 * nothing comes, so that a client doesn't take the reply for dead.
 * @throws {ModelError} as the model does, `timed-out`, or `too-long` after the text up to the limit.
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
    // Not awaited: a model that hangs would hold the reply.
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

/** Returns what settles first within the time, or undefined if nothing does. */
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
