import type { UIMessageChunk } from 'ai';
import * as v from 'valibot';
import { plainSentence } from '../common/plainSentence';
import { redactExactly } from '../common/redact';
import {
  documentSchema,
  errorTextOf,
  fileSchema,
  isFields,
  metadataSchema,
  sourceSchema,
  threadIdSchema,
  toolSchema,
  toolTypes,
  type Fields,
  type FileFields,
} from './chunkFields';
import { GrowingTexts, type TextKind } from './growingTexts';
import { Oddities } from './oddities';
import { ReplyChunks } from './replyChunks';
import { ReplySources } from './replySources';
import { ReplyMetadata, type JsonObject } from './serviceMetadata';

/** How the service ended its reply; the first marker counts. */
export type EndMarker = 'finish' | 'done' | 'abort';

/**
 * Events of a reply stream → chunks that the reducer of `ai` accepts, whatever the service sent.
 *
 * The schemas and the reducer of `ai` refuse a stream for one unknown type or value, or for a
 * delta without its start (field-notes.md § The stream's vocabulary). Here each event is looked at
 * by its `type`: what is not known is left out and counted, sequences are repaired, and what the
 * reducer would drop (the thread, errors, end markers) is read off. Deltas of one part that wait
 * to be taken are joined, so that the reducer runs per network read and not per event.
 */
export class ChunkStream {
  readonly #secrets: readonly string[];
  readonly #oddities = new Oddities();
  readonly #chunks = new ReplyChunks();
  readonly #texts: GrowingTexts;
  readonly #sources: ReplySources;
  readonly #replyMetadata: ReplyMetadata;
  /** What still counts behind the end marker. */
  readonly #endHandlers = new Map<string, (chunk: Fields) => void>([
    ['start', (chunk) => this.#metadata(chunk)],
    ['message-metadata', (chunk) => this.#metadata(chunk)],
    ['finish', (chunk) => this.#finish(chunk)],
    ['abort', () => (this.#endMarker ??= 'abort')],
    ['error', (chunk) => this.#error(chunk)],
  ]);
  readonly #contentHandlers = new Map<string, (chunk: Fields) => void>([
    ['text-start', (chunk) => this.#texts.start('text', chunk['id'])],
    ['text-end', (chunk) => this.#texts.end('text', chunk['id'])],
    ['reasoning-start', (chunk) => this.#startReasoning(chunk)],
    ['reasoning-delta', (chunk) => this.#growReasoning(chunk)],
    ['reasoning-end', (chunk) => this.#endReasoning(chunk)],
    // These two: early releases 5.0.
    ['reasoning', (chunk) => this.#delta('reasoning', '', chunk['text'])],
    ['reasoning-part-finish', () => this.#texts.end('reasoning', '')],
    ['start-step', () => this.#startStep()],
    ['finish-step', () => this.#texts.endAll()],
    ['reset-step', () => this.#resetStep()],
    [
      'source-url',
      (chunk) => this.#parsed(sourceSchema, chunk, (fields) => this.#sources.cite(fields)),
    ],
    ['source-document', (chunk) => this.#document(chunk)],
    ['file', (chunk) => this.#parsed(fileSchema, chunk, (fields) => this.#file(fields))],
    ['reasoning-file', (chunk) => this.#parsed(fileSchema, chunk, (fields) => this.#file(fields))],
    ...toolTypes.map(
      (type) =>
        [
          type,
          (chunk: Fields) =>
            this.#parsed(toolSchema, chunk, (tool) => this.#sources.search(type, tool)),
        ] as const,
    ),
    ['tool-input-delta', () => undefined],
  ]);
  #endMarker: EndMarker | undefined;
  #isDone = false;
  #errorText: string | undefined;
  #metadataThreadId: string | undefined;
  #finishThreadId: string | undefined;
  #eventCount = 0;
  #unreadableCount = 0;

  /** @param secrets which a service may echo; they are kept out of every text. */
  constructor(secrets: readonly string[] = []) {
    this.#secrets = secrets;
    this.#replyMetadata = new ReplyMetadata(secrets);
    this.#texts = new GrowingTexts(this.#chunks, this.#oddities, secrets);
    this.#sources = new ReplySources(this.#chunks, this.#oddities, this.#replyMetadata, secrets);
  }

  /** The service's thread, from `finish` or else from the message's metadata. */
  get threadId(): string | undefined {
    return this.#finishThreadId ?? this.#metadataThreadId;
  }

  get endMarker(): EndMarker | undefined {
    return this.#endMarker;
  }

  /** True after `[DONE]`, which nothing follows, whatever ended the reply before it. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** The service's own words about what failed, redacted and at most 500 characters. */
  get errorText(): string | undefined {
    return this.#errorText;
  }

  /** Events that were JSON objects with a type, known or not, and `[DONE]`. */
  get eventCount(): number {
    return this.#eventCount;
  }

  /** Events that were not JSON: some of the reply may be missing. */
  get unreadableCount(): number {
    return this.#unreadableCount;
  }

  /** What was left out or repaired, for the log: `unknown type x` → how often. */
  get oddities(): ReadonlyMap<string, number> {
    return this.#oddities.counts;
  }

  /**
   * Takes one event.
   * @param isLast the body ended within this event, so it may have been cut.
   * @throws {ReplyTooLongError}
   */
  push(event: string, isLast = false): void {
    if (!event.startsWith('{') && event.trim() === '[DONE]') {
      this.#eventCount++;
      this.#endMarker ??= 'done';
      this.#isDone = true;
      return;
    }
    let chunk: unknown;
    try {
      chunk = JSON.parse(event);
    } catch {
      if (isLast) return;
      this.#unreadableCount++;
      this.#oddities.note('event that is not JSON');
      return;
    }
    if (isFields(chunk) && typeof chunk['type'] === 'string') {
      this.#eventCount++;
      this.#dispatch(chunk['type'], chunk);
    } else {
      this.#oddities.note('event without a type');
      // An error that a service put into the stream as it would have sent it alone.
      if (isFields(chunk) && typeof chunk['error'] === 'string') this.#error(chunk);
    }
  }

  /** Quotes of all sources by their ids, if there are new ones since the last call. */
  takeQuotes(): Readonly<Record<string, string>> | undefined {
    return this.#sources.takeQuotes();
  }

  /** The message's metadata, if there is something new since the last call. */
  takeMetadata(): JsonObject | undefined {
    return this.#replyMetadata.take();
  }

  /** The chunks since the last call. */
  take(): UIMessageChunk[] {
    this.#texts.flush();
    return this.#chunks.take();
  }

  /** No more events come: the rest of the chunks. */
  end(): UIMessageChunk[] {
    this.#texts.flush();
    this.#texts.endAll();
    return this.#chunks.take();
  }

  #dispatch(type: string, chunk: Fields): void {
    if (type === 'text-delta') {
      this.#delta('text', chunk['id'], chunk['delta']);
      return;
    }
    const alwaysHandled = this.#endHandlers.get(type);
    if (alwaysHandled) {
      alwaysHandled(chunk);
      return;
    }
    const handler = this.#contentHandlers.get(type);
    if (!handler) {
      const isOwn = type.startsWith('data-'); // a service's own, by the vocabulary's design
      const name = isOwn ? 'data-*' : plainSentence(type, this.#secrets, 40);
      this.#oddities.note(`unknown type ${name}`);
    } else if (this.#endMarker !== undefined) this.#oddities.note('content behind the end');
    else handler(chunk);
  }

  /** The hot path: no schema. */
  #delta(kind: TextKind, id: unknown, delta: unknown): void {
    if (typeof delta !== 'string' || this.#endMarker !== undefined) {
      this.#oddities.note(
        this.#endMarker ? 'content behind the end' : `${kind}-delta without text`,
      );
      return;
    }
    this.#texts.grow(kind, id, delta);
  }

  #startReasoning(chunk: Fields): void {
    this.#texts.start('reasoning', chunk['id']);
    this.#describeReasoning(chunk);
  }

  #growReasoning(chunk: Fields): void {
    this.#delta('reasoning', chunk['id'], chunk['delta']);
    this.#describeReasoning(chunk);
  }

  #endReasoning(chunk: Fields): void {
    this.#describeReasoning(chunk);
    this.#texts.end('reasoning', chunk['id']);
  }

  #describeReasoning(chunk: Fields): void {
    if (chunk['providerMetadata'] === undefined) return;
    const metadata = this.#replyMetadata.ofPart(chunk['providerMetadata']);
    if (metadata) this.#texts.describe('reasoning', chunk['id'], metadata);
    else this.#oddities.note('metadata that is not kept');
  }

  #startStep(): void {
    this.#sources.startStep();
    this.#chunks.add({ type: 'start-step' });
  }

  /**
   * The service starts the step anew. Parts never go away on our side of the reducer (texts only
   * grow, indexes stay), so a mark tells `replyParts.ts` to empty those of the step.
   */
  #resetStep(): void {
    this.#texts.endAll();
    this.#sources.resetStep();
    this.#chunks.add({ type: 'data-reset', data: null });
  }

  /** A document has no page of its own; some services send its address all the same. */
  #document(chunk: Fields): void {
    this.#parsed(documentSchema, chunk, ({ url = '', title, filename, ...document }) =>
      this.#sources.cite({ ...document, url, title: title ?? filename }),
    );
  }

  #file(file: FileFields): void {
    this.#chunks.countCharacters(file.url.length);
    const redacted = (value: string): string => redactExactly(value, this.#secrets);
    const url = redacted(file.url);
    const mediaType = redacted(file.mediaType);
    const filename = file.filename === undefined ? undefined : redacted(file.filename);
    this.#chunks.add({
      type: 'file',
      mediaType,
      url,
      // The reducer keeps a file's provider metadata, but not its name.
      ...(filename === undefined ? {} : { providerMetadata: { file: { filename } } }),
    });
  }

  #metadata(chunk: Fields): void {
    this.#replyMetadata.add(chunk['messageMetadata']);
    const metadata = v.safeParse(metadataSchema, chunk['messageMetadata']);
    if (metadata.success) this.#metadataThreadId = metadata.output.threadId;
  }

  #finish(chunk: Fields): void {
    this.#endMarker ??= 'finish';
    this.#metadata(chunk);
    const threadId = v.safeParse(threadIdSchema, chunk['threadId']);
    if (threadId.success) this.#finishThreadId = threadId.output;
  }

  #error(chunk: Fields): void {
    this.#errorText ??= plainSentence(errorTextOf(chunk), this.#secrets);
  }

  #parsed<Schema extends v.GenericSchema>(
    schema: Schema,
    chunk: Fields,
    use: (fields: v.InferOutput<Schema>) => void,
  ): void {
    const parsed = v.safeParse(schema, chunk);
    if (parsed.success) use(parsed.output);
    else this.#oddities.note(`${String(chunk['type'])} without what it needs`);
  }
}
