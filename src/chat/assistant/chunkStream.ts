import { parsedAs } from '../../shared/schemas';
import type { TextPart } from '../../shared/uiMessage';
import type { UIMessageChunk } from 'ai';
import * as v from 'valibot';
import { plainSentence } from '../../common/text/safeText';
import { redactExactly } from '../../common/http/redact';
import { messageIn, serviceMessageIn } from '../../common/http/responseErrors';
import { isJsonObject } from '../../common/text/strings';
import { withoutUndefined } from '../../common/withoutUndefined';
import type { PartOp } from '../../shared/replyOps';
import { parseProof, proofLength } from './replyProof';
import { documentSchema, sourceSchema, toolSchema, ReplySources } from './replySources';
import type { StreamEvent } from './eventReader';
import { GrowingTexts, type TextKind, Repairs, ReplyParts } from './replyParts';
import { ReplyMetadata, type JsonObject } from './serviceMetadata';

/** Marker that ends a reply. If a service sends several, the first one counts. */
type EndMarker = 'finish' | 'done' | 'abort';

/**
 * Chunk types of the chat SDK. If a release adds a type, the code doesn't compile until a handler
 * for it exists.
 */
type ChunkType = Exclude<UIMessageChunk['type'], `data-${string}`>;

/** Chunk types that only early releases of version 5.0 send. */
type OldChunkType = 'reasoning' | 'reasoning-part-finish';

/** Type of the only data part that is read (field-notes.md § Proven replies). */
const PROOF_TYPE = 'data-proof';

type EndType = 'start' | 'message-metadata' | 'finish' | 'abort' | 'error';

type Handler = (chunk: Fields) => void;

/** Reasons in `finish` with which a service says that the reply lacks its end. */
const unfinishedReasons: ReadonlySet<unknown> = new Set([
  'length',
  'content-filter',
  'error',
  'interrupted',
]);

/** Names and types of events that only keep a connection open. */
const keepAlives = new Set(['ping', 'heartbeat', 'keepalive', 'keep-alive']);

/**
 * Turns the events of a reply stream into changes of the reply's parts, whatever the service sends.
 *
 * The schemas and the reducer of `ai` refuse a whole stream for one unknown type or value, or for a
 * delta without its start (field-notes.md § The stream's vocabulary). They also copy the whole
 * message at each chunk. This class handles each event by its `type` instead. It leaves out and
 * counts unknown events, repairs sequences, joins the deltas of a part, and keeps the thread,
 * errors and end markers, which the reducer would drop. For a valid stream, the parts are the same
 * as the reducer's.
 */
export class ChunkStream {
  readonly #secrets: readonly string[];
  readonly #repairs = new Repairs();
  readonly #parts = new ReplyParts();
  readonly #texts: GrowingTexts;
  readonly #sources: ReplySources;
  readonly #replyMetadata: ReplyMetadata;
  /** Handlers of chunks that count even after the end marker. */
  readonly #endHandlers = handlers<EndType>({
    start: (chunk) => this.#metadata(chunk),
    'message-metadata': (chunk) => this.#metadata(chunk),
    finish: (chunk) => this.#finish(chunk),
    abort: () => (this.#endMarker ??= 'abort'),
    error: (chunk) => this.#fail(this.#sentenceIn(chunk)),
  });
  readonly #contentHandlers = handlers<
    Exclude<ChunkType, EndType> | OldChunkType | typeof PROOF_TYPE
  >({
    'text-start': (chunk) => this.#texts.start('text', chunk['id'], roleOf(chunk)),
    'text-delta': (chunk) => this.#delta('text', chunk['id'], chunk['delta']),
    'text-end': (chunk) => this.#texts.end('text', chunk['id']),
    'reasoning-start': (chunk) => this.#startReasoning(chunk),
    'reasoning-delta': (chunk) => this.#growReasoning(chunk),
    'reasoning-end': (chunk) => this.#endReasoning(chunk),
    reasoning: (chunk) => this.#delta('reasoning', '', chunk['text']),
    'reasoning-part-finish': () => this.#texts.end('reasoning', ''),
    'start-step': () => this.#startStep(),
    'finish-step': () => this.#texts.endAll(),
    'reset-step': () => this.#resetStep(),
    'source-url': (chunk) =>
      this.#parsed(sourceSchema, chunk, (fields) => this.#sources.cite(fields)),
    'source-document': (chunk) => this.#document(chunk),
    file: (chunk) => this.#parsed(fileSchema, chunk, (fields) => this.#file(fields)),
    'reasoning-file': (chunk) => this.#parsed(fileSchema, chunk, (fields) => this.#file(fields)),
    'tool-input-start': (chunk) => this.#tool(chunk),
    'tool-input-available': (chunk) => this.#tool(chunk),
    'tool-input-error': (chunk) => this.#tool(chunk),
    'tool-output-available': (chunk) => this.#tool(chunk),
    'tool-output-error': (chunk) => this.#tool(chunk),
    'tool-output-denied': (chunk) => this.#tool(chunk),
    'tool-input-delta': () => undefined,
    'tool-approval-request': (chunk) => this.#unused(chunk),
    'tool-approval-response': (chunk) => this.#unused(chunk),
    'steering-message': (chunk) => this.#unused(chunk),
    custom: (chunk) => this.#unused(chunk),
    [PROOF_TYPE]: (chunk) => this.#proof(chunk),
  });
  #endMarker: EndMarker | undefined;
  /** Index of the reply's proof. A later proof takes its place. */
  #proofIndex: number | undefined;
  #isUnfinished = false;
  #isDone = false;
  #errorText: string | undefined;
  #metadataThreadId: string | undefined;
  #finishThreadId: string | undefined;
  #eventCount = 0;
  #unreadableCount = 0;

  /** @param secrets that a service could echo. They are removed from every text. */
  constructor(secrets: readonly string[] = []) {
    this.#secrets = secrets;
    this.#texts = new GrowingTexts(this.#parts, this.#repairs, secrets);
    this.#replyMetadata = new ReplyMetadata(secrets);
    this.#sources = new ReplySources(this.#parts, this.#repairs, this.#replyMetadata, secrets);
  }

  /** ID of the service's thread, from `finish` or else from the message's metadata. */
  get threadId(): string | undefined {
    return this.#finishThreadId ?? this.#metadataThreadId;
  }

  get endMarker(): EndMarker | undefined {
    return this.#endMarker;
  }

  /** True if the service says in `finish` that the reply lacks its end. */
  get isUnfinished(): boolean {
    return this.#isUnfinished;
  }

  /** True after `[DONE]`. Every event after it is ignored. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** The service's own sentence about a failure, redacted and at most 500 characters. */
  get errorText(): string | undefined {
    return this.#errorText;
  }

  /** True if the reply holds more than blank text and steps. */
  get hasContent(): boolean {
    return this.#parts.hasContent;
  }

  /**
   * Number of events that were JSON objects with a type, known or not, or `[DONE]`. Keep-alives
   * don't count.
   */
  get eventCount(): number {
    return this.#eventCount;
  }

  /** Number of events that were not JSON. A part of the reply may be missing then. */
  get unreadableCount(): number {
    return this.#unreadableCount;
  }

  /**
   * Chunks that were left out or repaired, with their counts, such as `unknown type x`, for the
   * log.
   */
  get repairs(): ReadonlyMap<string, number> {
    return this.#repairs.counts;
  }

  /**
   * Takes one event.
   * @param isLast whether the body ended within this event, so that it may be cut off.
   * @throws {ReplyTooLongError} if the reply gets too long. The changes before this event can still
   * be taken.
   */
  push(event: StreamEvent, isLast = false): void {
    const { data, name } = event;
    if (this.#isDone || isKeepAlive(event)) return;
    if (!data.startsWith('{') && data.trim() === '[DONE]') {
      this.#eventCount++;
      this.#endMarker ??= 'done';
      this.#isDone = true;
      return;
    }
    let chunk: unknown;
    try {
      chunk = JSON.parse(data);
    } catch {
      if (name === 'error') this.#fail(serviceMessageIn(data, this.#secrets) ?? '');
      else if (!isLast) this.#notJson(event);
      return;
    }
    const type = isJsonObject(chunk) ? chunkType(chunk['type']) : undefined;
    if (!isJsonObject(chunk) || type === undefined || (name === 'error' && !this.#isKnown(type))) {
      this.#notChunk(chunk, name);
    } else if (!keepAlives.has(type)) {
      this.#eventCount++;
      this.#dispatch(type, chunk);
    }
  }

  /**
   * Returns the quotes of all sources by their IDs, or undefined if nothing is new since the last
   * call.
   */
  takeQuotes(): Readonly<Record<string, string>> | undefined {
    return this.#sources.takeQuotes();
  }

  /** Returns the message's metadata, or undefined if nothing is new since the last call. */
  takeMetadata(): JsonObject | undefined {
    return this.#replyMetadata.take();
  }

  /** Returns the changes of the parts since the last call. */
  take(): PartOp[] {
    this.#texts.flush();
    return this.#parts.take();
  }

  /** Ends the stream. Text that was held back can be taken then. */
  end(): void {
    this.#texts.endAll();
  }

  #isKnown(type: string): boolean {
    return this.#endHandlers.has(type) || this.#contentHandlers.has(type);
  }

  #dispatch(type: string, chunk: Fields): void {
    const alwaysHandled = this.#endHandlers.get(type);
    if (alwaysHandled) {
      alwaysHandled(chunk);
      return;
    }
    const handler = this.#contentHandlers.get(type);
    if (!handler) {
      const isOwn = type.startsWith('data-'); // services name their own data parts like this
      const name = isOwn ? 'data-*' : plainSentence(type, this.#secrets, 40);
      this.#repairs.note(`unknown type ${name}`);
    } else if (this.#endMarker !== undefined) this.#repairs.note('content behind the end');
    else handler(chunk);
  }

  /**
   * Counts an event that is not JSON. Only unnamed events must be JSON, because chunks have no
   * name.
   */
  #notJson({ data, name = 'message' }: StreamEvent): void {
    if (name !== 'message' && !data.startsWith('{')) {
      this.#repairs.note('named event that is not JSON');
      return;
    }
    this.#unreadableCount++;
    this.#repairs.note('event that is not JSON');
  }

  /** Handles JSON that isn't a chunk. It can be an error that the service put into the stream. */
  #notChunk(value: unknown, name: string | undefined): void {
    this.#repairs.note('event without a type');
    const isNamedSo = name === 'error';
    const sentence = isNamedSo && typeof value === 'string' ? value : this.#sentenceIn(value);
    const isError = isNamedSo || (isJsonObject(value) && Boolean(value['error']));
    if (isError || sentence !== '') this.#fail(sentence);
  }

  /** Appends a delta. Runs for most chunks, so it uses no schema. */
  #delta(kind: TextKind, id: unknown, delta: unknown): void {
    if (typeof delta === 'string') this.#texts.grow(kind, id, delta);
    else this.#repairs.note(`${kind}-delta without text`);
  }

  #unused(chunk: Fields): void {
    this.#repairs.note(`unused type ${String(chunk['type'])}`);
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
    if (metadata) this.#texts.describeReasoning(chunk['id'], metadata);
    else this.#repairs.note('metadata that is not kept');
  }

  #startStep(): void {
    this.#sources.startStep();
    this.#parts.add({ type: 'step-start' });
  }

  /**
   * Empties the parts of the current step, because the service starts the step again. Parts are
   * never removed, because the indexes of later parts must not shift.
   */
  #resetStep(): void {
    this.#texts.endAll();
    this.#sources.resetStep();
    this.#parts.emptyStep();
  }

  /** Cites a document. A document has no page of its own, but some services send a URL for it. */
  #document(chunk: Fields): void {
    this.#parsed(documentSchema, chunk, ({ url = '', title, filename, ...document }) =>
      this.#sources.cite({ ...document, url, title: title ?? filename }),
    );
  }

  #file(file: FileFields): void {
    this.#parts.countCharacters(file.url.length);
    const redacted = (value: string): string => redactExactly(value, this.#secrets);
    this.#parts.add(
      withoutUndefined({
        type: 'file' as const,
        mediaType: redacted(file.mediaType),
        url: redacted(file.url),
        filename: file.filename === undefined ? undefined : redacted(file.filename),
      }),
    );
  }

  #tool(chunk: Fields): void {
    this.#parsed(toolSchema, chunk, (tool) => this.#sources.search(String(chunk['type']), tool));
  }

  #proof(chunk: Fields): void {
    const proof = parseProof(chunk['data'], this.#secrets);
    if (!proof) {
      this.#repairs.note(`${PROOF_TYPE} without what it needs`);
      return;
    }
    this.#parts.countCharacters(proofLength(proof));
    const part = { type: 'proof', ...proof } as const;
    if (this.#proofIndex === undefined) this.#proofIndex = this.#parts.add(part);
    else this.#parts.replace(this.#proofIndex, part);
  }

  #metadata(chunk: Fields): void {
    this.#replyMetadata.add(chunk['messageMetadata']);
    const metadata = v.safeParse(metadataSchema, chunk['messageMetadata']);
    if (metadata.success) this.#metadataThreadId = metadata.output.threadId;
  }

  #finish(chunk: Fields): void {
    this.#endMarker ??= 'finish';
    this.#isUnfinished ||= unfinishedReasons.has(chunk['finishReason']);
    this.#metadata(chunk);
    const threadId = v.safeParse(threadIdSchema, chunk['threadId']);
    if (threadId.success) this.#finishThreadId = threadId.output;
  }

  #sentenceIn(value: unknown): string {
    return messageIn(value, this.#secrets) ?? '';
  }

  #fail(sentence: string): void {
    this.#errorText ??= plainSentence(sentence, this.#secrets);
  }

  #parsed<Schema extends v.GenericSchema>(
    schema: Schema,
    chunk: Fields,
    use: (fields: v.InferOutput<Schema>) => void,
  ): void {
    const parsed = v.safeParse(schema, chunk);
    if (parsed.success) use(parsed.output);
    else this.#repairs.note(`${String(chunk['type'])} without what it needs`);
  }
}

function isKeepAlive({ data, name }: StreamEvent): boolean {
  return (name !== undefined && keepAlives.has(name)) || !/\S/.test(data);
}

/**
 * Returns the type of a chunk, or undefined for anything else. A type that is a URL marks a problem
 * document (RFC 9457).
 */
function chunkType(type: unknown): string | undefined {
  return typeof type === 'string' && !/[:/]/.test(type) ? type : undefined;
}

/**
 * Returns the handlers as a map, because a service can send a type such as `constructor`, which
 * every object has as a property.
 */
function handlers<Type extends string>(
  byType: Readonly<Record<Type, Handler>>,
): ReadonlyMap<string, Handler> {
  return new Map(Object.entries(byType));
}

/** A chunk as the service sent it. */
type Fields = Readonly<Record<string, unknown>>;

const fileSchema = v.object({
  url: v.string(),
  mediaType: v.fallback(v.string(), 'application/octet-stream'),
  filename: v.fallback(v.optional(v.string()), undefined),
});
const threadIdSchema = v.pipe(v.string(), v.minLength(1), v.maxLength(1000));
const metadataSchema = v.object({ threadId: threadIdSchema });

type FileFields = v.InferOutput<typeof fileSchema>;

const textRoleSchema = v.object({
  providerMetadata: v.object({ localDocs: v.object({ role: v.picklist(['closest', 'more']) }) }),
});

/** Returns the role of the text that starts (field-notes.md § Replies of quotes). */
function roleOf(chunk: unknown): TextPart['role'] {
  return parsedAs(textRoleSchema, chunk)?.providerMetadata.localDocs.role;
}
