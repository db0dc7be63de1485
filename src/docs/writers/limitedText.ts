import type { Clock } from '../../common/ports';
import { ModelError, type Model, type ModelMessage } from './model';
import { type FilteredText, ThinkingFilter } from './thinkingFilter';

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

/** Piece that takes back all earlier pieces, because they turned out to be a thought. */
export const TAKEN_BACK = Symbol('taken back');

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
 * that the client doesn't time out. Thoughts are left out.
 * @throws {ModelError} the model's errors, `timed-out`, or `too-long` after the text up to the limit.
 */
export async function* limitedText(
  model: Model,
  messages: readonly ModelMessage[],
  { clock, signal, limits }: LimitedTextOptions,
): AsyncGenerator<string | typeof TAKEN_BACK, void, undefined> {
  const ending = new AbortController();
  const either = AbortSignal.any([signal, ending.signal]);
  const pieces = model.stream(messages, either)[Symbol.asyncIterator]();
  const start = clock.now();
  let last = start;
  let length = 0;
  let hasStarted = false;
  let firstTextMs: number | undefined;
  const filter = new ThinkingFilter(model.experience.opensThoughts);
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
        if (clock.now() >= deadline) {
          firstTextMs ??= clock.now() - start;
          throw new ModelError('timed-out');
        }
        yield '';
        continue;
      }
      if ('error' in result) throw result.error;
      if (result.value.done === true) {
        yield filter.end().text;
        return;
      }
      const piece = result.value.value;
      hasStarted = true;
      last = clock.now();
      if (last - start > limits.totalMs) throw new ModelError('timed-out');
      const room = limits.maxCharacters - length;
      if (piece.length > room) {
        yield* piecesOf(filter.push(piece.slice(0, room)));
        throw new ModelError('too-long');
      }
      length += piece.length;
      const filtered = filter.push(piece);
      if (filtered.text.trim() !== '') firstTextMs ??= last - start;
      yield* piecesOf(filtered);
      next = settled(pieces.next());
    }
  } finally {
    model.experience.opensThoughts ||= filter.wasOpened;
    model.experience.firstTextMs = firstTextMs ?? model.experience.firstTextMs;
    ending.abort();
    // This promise is not awaited, because a model that hangs would block the reply.
    void pieces.return?.().catch(() => undefined);
  }
}

function* piecesOf({ text, takesBack }: FilteredText): Generator<string | typeof TAKEN_BACK> {
  if (takesBack) yield TAKEN_BACK;
  if (text !== '') yield text;
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
