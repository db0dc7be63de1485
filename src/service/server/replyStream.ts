/** Streams a reply as chunks. Uses `node:timers` so that other requests can run in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createUIMessageStream, type UIMessageStreamWriter } from 'ai';
import type { Clock, NewId } from '../../common/ports';
import { cutText } from '../../common/text/strings';
import type { EngineChange } from '../../docs/writers/replyChanges';
import type { PartOp } from '../../shared/replyOps';
import type { MessagePart, SourcePart, TextPart } from '../../shared/uiMessage';

interface ReplyStreamPorts {
  readonly clock: Clock;
  readonly newId: NewId;
}

interface ReplyStreamInput {
  readonly changes: AsyncIterable<EngineChange>;
  /** Milliseconds between two deltas of a text that is known already. 0 sends them without a pause. */
  readonly paceMs: number;
  /** Aborts when the client has disconnected or the service stops. Nothing more is sent then. */
  readonly signal: AbortSignal;
  /**
   * Called after the whole text was sent, with whether the reply has sources. Returns the thread ID for the `finish`
   * chunk, or undefined if there is no thread.
   */
  readonly onSent: (text: string, hasSources: boolean) => Promise<string | undefined>;
  /** Called with the error that ended the reply. */
  readonly onError: (error: unknown) => void;
}

/** Key of the quote in a source's metadata (platform-api.md § Part, `providerMetadata`). */
const METADATA_KEY = 'localDocs';

const WORDS_PER_DELTA = 3;
/** Maximum characters of a delta. Clients refuse long events. */
const MAX_DELTA_LENGTH = 10_000;
/** Number of deltas after which other requests can run, if there is no pause between deltas. */
const DELTAS_PER_TURN = 50;

/** Streams a reply as chunks of the chat SDK (platform-api.md § Assistant response stream). */
export function replyStream(
  { clock, newId }: ReplyStreamPorts,
  { changes, paceMs, signal, onSent, onError }: ReplyStreamInput,
): ReturnType<typeof createUIMessageStream> {
  let deltaCount = 0;
  const pause = async (): Promise<void> => {
    deltaCount++;
    if (paceMs > 0) await clock.delay(paceMs, signal);
    else if (deltaCount % DELTAS_PER_TURN === 0) await nextTurn();
    signal.throwIfAborted();
  };
  return createUIMessageStream({
    generateId: newId,
    onError: () => 'The reply failed.',
    execute: async ({ writer }) => {
      try {
        writer.write({ type: 'start', messageId: newId() });
        const reply = new SentReply(writer, pause);
        for await (const { ops = [], quotes, end, unfinished = 'stop' } of changes) {
          signal.throwIfAborted();
          for (const op of ops) await reply.send(op, quotes);
          if (ops.length === 0 && !end) reply.keepAlive();
          if (!end) continue;
          reply.finish();
          // The SDK's type of this chunk has no `threadId`, but the SDK passes unknown fields on.
          const finish = {
            type: 'finish',
            finishReason: unfinished,
            threadId: await onSent(reply.text, reply.hasSources),
          } as const;
          writer.write(finish);
        }
      } catch (error) {
        // The client has disconnected, which is a normal end and not an error.
        if (signal.aborted) return;
        onError(error);
        throw error;
      }
    },
  });
}

/** Writes the changes of one reply as chunks. */
class SentReply {
  /** Text of the reply, without what only adds to it. */
  text = '';
  readonly #writer: UIMessageStreamWriter;
  readonly #pause: () => Promise<void>;
  readonly #sources = new Map<string, SourcePart>();
  #count = 0;
  #hasStep = false;
  /** The text that can still grow. */
  #open: 'text' | 'more' | undefined;
  #isReset = false;

  constructor(writer: UIMessageStreamWriter, pause: () => Promise<void>) {
    this.#writer = writer;
    this.#pause = pause;
  }

  get hasSources(): boolean {
    return this.#sources.size > 0;
  }

  async send([index, value]: PartOp, quotes: EngineChange['quotes']): Promise<void> {
    if (typeof value === 'string') this.#append(value);
    else if (value.type !== undefined) {
      const isNew = index >= this.#count;
      if (isNew) this.#count = index + 1;
      await this.#put(value, isNew, quotes);
    }
  }

  /** Tells the client that the service is still working. */
  keepAlive(): void {
    if (this.#open) this.#writer.write({ type: 'text-delta', id: this.#open, delta: '' });
    else this.#writer.write({ type: 'message-metadata', messageMetadata: {} });
  }

  finish(): void {
    this.#endText();
    this.#writer.write({ type: 'finish-step' });
  }

  async #put(part: MessagePart, isNew: boolean, quotes: EngineChange['quotes']): Promise<void> {
    switch (part.type) {
      case 'step-start':
        this.#endText();
        if (this.#hasStep) this.#writer.write({ type: 'finish-step' });
        this.#hasStep = true;
        this.#writer.write({ type: 'start-step' });
        break;
      case 'text':
        if (isNew) await this.#startText(part);
        else this.#reset();
        break;
      case 'reasoning':
        this.#writer.write({ type: 'reasoning-start', id: 'reasoning' });
        for (const delta of deltasOf(part.text)) {
          this.#writer.write({ type: 'reasoning-delta', id: 'reasoning', delta });
          await this.#pause();
        }
        this.#writer.write({ type: 'reasoning-end', id: 'reasoning' });
        break;
      case 'source-url':
        this.#cite(part, quotes?.[part.sourceId]);
        break;
      case 'search': {
        // The tool call that clients know (field-notes.md § Assistant messages).
        const { toolCallId, toolName, query = '', sourceIds = [] } = part;
        if (isNew) {
          const call = { toolCallId, toolName, input: { query } };
          this.#writer.write({ type: 'tool-input-available', ...call });
          break;
        }
        const results = sourceIds
          .flatMap((sourceId) => this.#sources.get(sourceId) ?? [])
          .map(({ url, title }) => ({ url, title }));
        this.#writer.write({ type: 'tool-output-available', toolCallId, output: { results } });
        break;
      }
      case 'proof': {
        const { type: _, ...proof } = part;
        this.#writer.write({ type: 'data-proof', id: 'proof', data: proof });
        break;
      }
      case 'file':
        throw new TypeError('A reply of docs has no files.');
    }
  }

  #cite(source: SourcePart, quote: string | undefined): void {
    const { sourceId, url, title } = source;
    this.#sources.set(sourceId, source);
    const providerMetadata = quote === undefined ? undefined : { [METADATA_KEY]: { quote } };
    this.#writer.write({ type: 'source-url', sourceId, url, title, providerMetadata });
  }

  /** Sends a part with text that is known already: a few words at a time, and at once what only adds to it. */
  async #startText({ text, role }: TextPart): Promise<void> {
    this.#endText();
    this.#isReset = false;
    const id = role === 'more' ? 'more' : 'text';
    this.#open = id;
    const providerMetadata = role === undefined ? undefined : { [METADATA_KEY]: { role } };
    this.#writer.write({ type: 'text-start', id, providerMetadata });
    if (id === 'more') {
      // Nobody reads along, and the reply would be complete seconds later.
      this.#append(text);
      return;
    }
    this.text += text;
    for (const delta of deltasOf(text)) {
      this.#writer.write({ type: 'text-delta', id, delta });
      await this.#pause();
    }
  }

  /** Sends text that was just written at once. */
  #append(text: string): void {
    if (!this.#open) return;
    if (this.#open === 'text') this.text += text;
    for (const delta of shortDeltas(text)) {
      this.#writer.write({ type: 'text-delta', id: this.#open, delta });
    }
  }

  /** Takes the text back. The client forgets the whole step with this. */
  #reset(): void {
    if (this.#isReset) return;
    this.#isReset = true;
    this.text = '';
    this.#open = undefined;
    this.#writer.write({ type: 'reset-step' });
  }

  #endText(): void {
    if (this.#open) this.#writer.write({ type: 'text-end', id: this.#open });
    this.#open = undefined;
  }
}

const deltaPattern = new RegExp(
  `\\s*(?:\\S{1,${MAX_DELTA_LENGTH}}\\s*){1,${WORDS_PER_DELTA}}|\\s+`,
  'g',
);

/** Splits a text into deltas of a few words. The deltas contain all of the text, with its whitespace. */
export function deltasOf(text: string): string[] {
  return (text.match(deltaPattern) ?? []).flatMap(shortDeltas);
}

/** Splits a delta that a client could refuse. A page can have a word or a blank of any length. */
function shortDeltas(delta: string): string[] {
  const deltas: string[] = [];
  for (let rest = delta; rest !== '';) {
    // A character of two code units stays whole.
    const next = cutText(rest, MAX_DELTA_LENGTH);
    deltas.push(next);
    rest = rest.slice(next.length);
  }
  return deltas;
}
