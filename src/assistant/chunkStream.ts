import type { UIMessageChunk } from 'ai';
import * as v from 'valibot';
import { plainSentence } from '../common/plainSentence';
import { redactExactly } from '../common/redact';
import { StreamRedactor } from '../common/streamRedactor';
import type { SearchPart } from '../shared/uiMessage';
import { foundPages, searchQuery } from './searchTool';
import { quoteInMetadata, SourceQuotes } from './sourceQuotes';
import { SourceRegistry, type NamedSource } from './sourceRegistry';

/**
 * Longest reply, in characters of its parts. A book of 3,000 pages fits; an endless stream ends
 * here before it fills the memory (faults.md A17).
 */
export const MAX_REPLY_LENGTH = 16 * 1024 * 1024;

/** Most parts of a reply: the reducer copies the list of parts at each change of it. */
export const MAX_REPLY_PARTS = 2000;

/** The reply is longer than {@link MAX_REPLY_LENGTH} or has more than {@link MAX_REPLY_PARTS}. */
export class ReplyTooLongError extends Error {
  constructor() {
    super('The reply is longer than any real one');
    this.name = 'ReplyTooLongError';
  }
}

/** How the service ended its reply; the first marker counts. */
export type EndMarker = 'finish' | 'done' | 'abort';

/** A part whose text may still grow. `id` is ours, so no foreign id becomes a key anywhere. */
interface OpenPart {
  readonly id: string;
  readonly kind: 'text' | 'reasoning';
  readonly redactor: StreamRedactor;
  pending: string;
}

type Fields = Readonly<Record<string, unknown>>;

const words = v.fallback(v.optional(v.string()), undefined);
const providerMetadata = v.optional(v.unknown());
const sourceSchema = v.object({ sourceId: words, url: v.string(), title: words, providerMetadata });
const documentSchema = v.object({
  sourceId: words,
  url: words,
  title: words,
  filename: words,
  providerMetadata,
});
const fileSchema = v.object({
  url: v.string(),
  mediaType: v.fallback(v.string(), 'application/octet-stream'),
  filename: words,
});
const toolSchema = v.object({
  toolCallId: v.string(),
  toolName: v.fallback(v.string(), 'search'),
  input: v.optional(v.unknown()),
  output: v.optional(v.unknown()),
  preliminary: v.fallback(v.optional(v.boolean()), undefined),
});
const toolTypes = [
  'tool-input-start',
  'tool-input-available',
  'tool-input-error',
  'tool-output-available',
  'tool-output-error',
  'tool-output-denied',
] as const;
const threadIdSchema = v.pipe(v.string(), v.minLength(1), v.maxLength(1000));
const metadataSchema = v.object({ threadId: threadIdSchema });

/** Different unknown types that are remembered by name for the log. */
const MAX_ODDITIES = 20;

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
  readonly #oddities = new Map<string, number>();
  readonly #open = new Map<string, OpenPart>();
  readonly #searches = new Map<string, SearchPart>();
  readonly #sources = new SourceRegistry();
  readonly #quotes = new SourceQuotes();
  /** What still counts behind the end marker. */
  readonly #endHandlers = new Map<string, (chunk: Fields) => void>([
    ['start', (chunk) => this.#metadata(chunk)],
    ['message-metadata', (chunk) => this.#metadata(chunk)],
    ['finish', (chunk) => this.#finish(chunk)],
    ['abort', () => (this.#endMarker ??= 'abort')],
    ['error', (chunk) => this.#error(chunk)],
  ]);
  readonly #contentHandlers = new Map<string, (chunk: Fields) => void>([
    ['text-start', (chunk) => this.#start('text', chunk['id'])],
    ['text-end', (chunk) => this.#end('text', chunk['id'])],
    ['reasoning-start', (chunk) => this.#start('reasoning', chunk['id'])],
    ['reasoning-delta', (chunk) => this.#delta('reasoning', chunk['id'], chunk['delta'])],
    ['reasoning-end', (chunk) => this.#end('reasoning', chunk['id'])],
    // These two: early releases 5.0.
    ['reasoning', (chunk) => this.#delta('reasoning', '', chunk['text'])],
    ['reasoning-part-finish', () => this.#end('reasoning', '')],
    ['start-step', () => this.#startStep()],
    ['finish-step', () => this.#closeAll()],
    ['reset-step', () => this.#resetStep()],
    ['source-url', (chunk) => this.#parsed(sourceSchema, chunk, (fields) => this.#cited(fields))],
    ['source-document', (chunk) => this.#document(chunk)],
    ['file', (chunk) => this.#parsed(fileSchema, chunk, (fields) => this.#file(fields))],
    ['reasoning-file', (chunk) => this.#parsed(fileSchema, chunk, (fields) => this.#file(fields))],
    ...toolTypes.map(
      (type) =>
        [
          type,
          (chunk: Fields) => this.#parsed(toolSchema, chunk, (tool) => this.#tool(type, tool)),
        ] as const,
    ),
    ['tool-input-delta', () => undefined],
  ]);
  #chunks: UIMessageChunk[] = [];
  #grown: OpenPart[] = [];
  #lastDelta: { kind: string; id: unknown; part: OpenPart } | undefined;
  #partCount = 0;
  #length = 0;
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
    return this.#oddities;
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
      this.#note('event that is not JSON');
      return;
    }
    if (isFields(chunk) && typeof chunk['type'] === 'string') {
      this.#eventCount++;
      this.#dispatch(chunk['type'], chunk);
    } else {
      this.#note('event without a type');
      // An error that a service put into the stream as it would have sent it alone.
      if (isFields(chunk) && typeof chunk['error'] === 'string') this.#error(chunk);
    }
  }

  /** Quotes of all sources by their ids, if there are new ones since the last call. */
  takeQuotes(): Readonly<Record<string, string>> | undefined {
    return this.#quotes.take();
  }

  /** The chunks since the last call. */
  take(): UIMessageChunk[] {
    const chunks = this.#chunks;
    for (const part of this.#grown) {
      const delta = part.redactor.push(part.pending);
      part.pending = '';
      if (delta !== '') chunks.push({ type: `${part.kind}-delta`, id: part.id, delta });
    }
    this.#chunks = [];
    this.#grown = [];
    return chunks;
  }

  /** No more events come: the rest of the chunks. */
  end(): UIMessageChunk[] {
    const chunks = this.take();
    for (const part of this.#open.values()) this.#close(part, chunks);
    this.#open.clear();
    return chunks;
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
      this.#note(`unknown type ${name}`);
    } else if (this.#endMarker !== undefined) this.#note('content behind the end');
    else handler(chunk);
  }

  /** The hot path: no schema, and no lookup while the same part grows. */
  #delta(kind: 'text' | 'reasoning', id: unknown, delta: unknown): void {
    if (typeof delta !== 'string' || this.#endMarker !== undefined) {
      this.#note(this.#endMarker ? 'content behind the end' : `${kind}-delta without text`);
      return;
    }
    const last = this.#lastDelta;
    let part = last?.id === id && last?.kind === kind ? last.part : undefined;
    if (!part) {
      part = this.#open.get(keyOf(kind, id)) ?? this.#startImplicitly(kind, id);
      this.#lastDelta = { kind, id, part };
    }
    if (delta === '') return;
    this.#count(delta.length);
    if (part.pending === '') this.#grown.push(part);
    part.pending += delta;
  }

  #startImplicitly(kind: 'text' | 'reasoning', id: unknown): OpenPart {
    this.#note(`${kind}-delta before ${kind}-start`);
    return this.#openPart(kind, id);
  }

  #start(kind: 'text' | 'reasoning', id: unknown): void {
    if (this.#open.has(keyOf(kind, id))) this.#end(kind, id);
    this.#openPart(kind, id);
  }

  #openPart(kind: 'text' | 'reasoning', id: unknown): OpenPart {
    const part: OpenPart = {
      id: `part-${this.#partCount}`,
      kind,
      redactor: new StreamRedactor(this.#secrets),
      pending: '',
    };
    this.#open.set(keyOf(kind, id), part);
    this.#lastDelta = undefined;
    this.#add({ type: `${kind}-start`, id: part.id });
    return part;
  }

  #end(kind: 'text' | 'reasoning', id: unknown): void {
    const part = this.#open.get(keyOf(kind, id));
    if (!part) {
      this.#note(`${kind}-end without ${kind}-start`);
      return;
    }
    this.#open.delete(keyOf(kind, id));
    this.#lastDelta = undefined;
    this.#close(part, this.#chunks);
  }

  /** Our end of a part: its last text, and then its end chunk. */
  #close(part: OpenPart, chunks: UIMessageChunk[]): void {
    const delta = part.redactor.push(part.pending) + part.redactor.end();
    part.pending = '';
    this.#grown = this.#grown.filter((grown) => grown !== part);
    if (delta !== '') chunks.push({ type: `${part.kind}-delta`, id: part.id, delta });
    chunks.push({ type: `${part.kind}-end`, id: part.id });
  }

  /** Ids start anew with each step: one that comes again is another part (faults.md A18). */
  #closeAll(): void {
    for (const part of this.#open.values()) this.#close(part, this.#chunks);
    this.#open.clear();
    this.#lastDelta = undefined;
  }

  #startStep(): void {
    this.#sources.startStep();
    this.#add({ type: 'start-step' });
  }

  /**
   * The service starts the step anew. Parts never go away on our side of the reducer (texts only
   * grow, indexes stay), so a mark tells `replyParts.ts` to empty those of the step.
   */
  #resetStep(): void {
    this.#closeAll();
    this.#sources.resetStep();
    this.#searches.clear();
    this.#add({ type: 'data-reset', data: null });
  }

  #cited({ providerMetadata, ...source }: v.InferOutput<typeof sourceSchema>): void {
    this.#source({ ...source, quote: quoteInMetadata(providerMetadata) });
  }

  #source(source: NamedSource, isFound = false): void {
    const url = redactExactly(source.url, this.#secrets);
    const wantedId = redactExactly(source.sourceId ?? `source-${this.#partCount}`, this.#secrets);
    const sourceId = isFound
      ? this.#sources.addFound(url, wantedId)
      : this.#sources.addCited(url, wantedId);
    const quote = source.quote && redactExactly(source.quote, this.#secrets);
    if (sourceId === undefined) {
      this.#note('source sent again');
      this.#quotes.add(this.#sources.idAt(url), quote);
      return;
    }
    this.#quotes.set(sourceId, quote);
    const title = source.title && redactExactly(source.title, this.#secrets);
    this.#count(url.length + (title?.length ?? 0));
    this.#add({ type: 'source-url', sourceId, url, ...(title ? { title } : {}) });
  }

  /** A document has no page of its own; some services send its address all the same. */
  #document(chunk: Fields): void {
    this.#parsed(documentSchema, chunk, ({ url = '', title, filename, ...document }) =>
      this.#cited({ ...document, url, title: title ?? filename }),
    );
  }

  #file(file: v.InferOutput<typeof fileSchema>): void {
    this.#count(file.url.length);
    const redacted = (value: string): string => redactExactly(value, this.#secrets);
    const url = redacted(file.url);
    const mediaType = redacted(file.mediaType);
    const filename = file.filename === undefined ? undefined : redacted(file.filename);
    this.#add({
      type: 'file',
      mediaType,
      url,
      // The reducer keeps a file's provider metadata, but not its name.
      ...(filename === undefined ? {} : { providerMetadata: { file: { filename } } }),
    });
  }

  #tool(type: string, tool: v.InferOutput<typeof toolSchema>): void {
    const before = this.#searches.get(tool.toolCallId) ?? {
      type: 'search',
      toolCallId: `search-${this.#partCount}`,
      toolName: plainSentence(tool.toolName, this.#secrets, 100),
      state: 'running',
    };
    const query = type === 'tool-input-available' ? searchQuery(tool.input) : undefined;
    const pages = type === 'tool-output-available' ? foundPages(tool.output) : undefined;
    const isNew = !this.#searches.has(tool.toolCallId);
    const search: SearchPart = {
      ...before,
      state: searchState(type, tool.preliminary) ?? before.state,
      ...(query === undefined ? {} : { query: plainSentence(query, this.#secrets) }),
      ...(pages === undefined ? {} : { resultCount: pages.length }),
    };
    this.#searches.set(tool.toolCallId, search);
    if (isNew) this.#countPart();
    this.#chunks.push({ type: 'data-search', id: search.toolCallId, data: search });
    if (search.state !== 'done') return;
    for (const { address, ...page } of pages ?? []) this.#source({ url: address, ...page }, true);
  }

  #metadata(chunk: Fields): void {
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
    else this.#note(`${String(chunk['type'])} without what it needs`);
  }

  #add(chunk: UIMessageChunk): void {
    this.#countPart();
    this.#chunks.push(chunk);
  }

  #countPart(): void {
    if (++this.#partCount > MAX_REPLY_PARTS) throw new ReplyTooLongError();
  }

  #count(length: number): void {
    this.#length += length;
    if (this.#length > MAX_REPLY_LENGTH) throw new ReplyTooLongError();
  }

  #note(oddity: string): void {
    const count = this.#oddities.get(oddity);
    if (count === undefined && this.#oddities.size >= MAX_ODDITIES) return;
    this.#oddities.set(oddity, (count ?? 0) + 1);
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function keyOf(kind: 'text' | 'reasoning', id: unknown): string {
  return `${kind} ${typeof id === 'string' || typeof id === 'number' ? id : ''}`;
}

function errorTextOf(chunk: Fields): string {
  const words = [chunk['errorText'], chunk['error'], chunk['message']];
  return words.find((word) => typeof word === 'string') ?? '';
}

function searchState(type: string, preliminary = false): SearchPart['state'] | undefined {
  if (type === 'tool-output-available') return preliminary ? 'running' : 'done';
  return type.endsWith('-error') || type.endsWith('-denied') ? 'failed' : undefined;
}
