import { createParser } from 'eventsource-parser';
import * as v from 'valibot';
import type { Clock } from '../../common/ports';

/**
 * Milliseconds for which the stream is read after its reason for the end. Some servers send a reason with each
 * event, so more text can follow. An open connection must not keep the reply running.
 */
const END_GRACE_MS = 1000;

/** Blank line, which the last event can lack. */
const END_OF_EVENT = '\n\n';

const chunkSchema = v.object({
  choices: v.optional(v.array(v.object({ finish_reason: v.nullish(v.string()) })), []),
  error: v.optional(v.unknown()),
  message: v.optional(v.unknown()),
});

/**
 * Passes on the events of a chat completion up to its end, which is a reason for the end or `[DONE]`. Whatever the
 * connection does after that doesn't matter. Leaves out events without a choice, such as keep-alives and usage.
 */
export async function* eventsUntilEnd(
  body: ReadableStream<Uint8Array>,
  clock: Clock,
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  const events = new CompletionEvents();
  const reader = body.getReader();
  let grace = new AbortController();
  let silence: Promise<'silence'> | undefined;
  try {
    for (;;) {
      const read = await Promise.race([reader.read(), ...(silence ? [silence] : [])]).catch(
        (error: unknown) => {
          if (!events.hasReason) throw error;
          return 'silence' as const;
        },
      );
      if (read === 'silence') break;
      const text = events.push(
        read.done ? END_OF_EVENT : decoder.decode(read.value, { stream: true }),
        read.done,
      );
      if (text !== '') yield encoder.encode(text);
      if (events.isDone) break;
      if (read.done) return;
      if (text !== '' && events.hasReason) {
        grace.abort();
        grace = new AbortController();
        silence = clock.delay(END_GRACE_MS, grace.signal).then(() => 'silence');
        silence.catch(() => undefined);
      }
    }
    yield encoder.encode(events.last());
  } finally {
    grace.abort();
    void reader.cancel().catch(() => undefined);
  }
}

/** Reads server-sent events, and writes the ones that matter in one form. */
class CompletionEvents {
  /** Whether `[DONE]` has come. */
  isDone = false;
  /** Whether a reason for the end has come. */
  hasReason = false;
  #out = '';
  #isEnding = false;
  readonly #parser = createParser({ onEvent: ({ data }) => this.#take(data.trim()) });

  /** @param isEnd whether the text ends the stream, so that the last event can be cut off. */
  push(text: string, isEnd: boolean): string {
    this.#isEnding = isEnd;
    this.#parser.feed(text);
    const out = this.#out;
    this.#out = '';
    return out;
  }

  /** Returns the events that end the stream. */
  last(): string {
    // `[DONE]` is an end without a reason, too.
    const reason = this.hasReason ? '' : event({ choices: [{ delta: {}, finish_reason: 'stop' }] });
    return `${reason}data: [DONE]\n\n`;
  }

  #take(data: string): void {
    if (data === '' || this.isDone) return;
    if (data === '[DONE]') {
      this.isDone = true;
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(data);
    } catch {
      // The last event can be cut off.
      if (!this.#isEnding) this.#out += `data: ${data.replaceAll('\n', '')}\n\n`;
      return;
    }
    const chunk = v.safeParse(chunkSchema, value);
    if (!chunk.success) {
      this.#out += event(value);
      return;
    }
    const { choices, error, message } = chunk.output;
    if (choices.length === 0 && (error === undefined || error === null)) {
      // Some servers send an error without the field `error`.
      if (typeof message === 'string') this.#out += event({ error: value });
      return;
    }
    // Some servers send an empty reason with each event.
    const reason = choices[0]?.finish_reason ?? '';
    this.hasReason ||= reason !== '';
    this.#out += event(value);
  }
}

function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
