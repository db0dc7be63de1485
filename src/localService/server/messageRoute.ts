import { setImmediate as nextTurn } from 'node:timers/promises';
import { createUIMessageStream, createUIMessageStreamResponse } from 'ai';
import type { Context } from 'hono';
import type { Clock, Log, NewId } from '../../common/ports';
import { type Answer, composeAnswer, replyTexts } from '../answers/answer';
import { codeLanguageOf } from '../codeLanguages';
import type { DocsLibrary } from '../pages/docsLibrary';
import type { Question, QuestionContextItem, ThreadTurn } from '../search/query';
import { retrieve } from '../search/retrieval';
import { type MessageRequest, parseMessageRequest, type RequestMessage } from './messageSchema';

interface ServiceThread {
  readonly fp: string;
  readonly turns: ThreadTurn[];
}

const MAX_THREADS = 1000;
const MAX_TURNS = 50;

/** Stores the threads of this service. The least recently used threads are removed first. */
export class ServiceThreads {
  readonly #threads = new Map<string, ServiceThread>();

  constructor(
    private readonly newId: NewId,
    private readonly capacity: number = MAX_THREADS,
  ) {}

  /**
   * Returns the turns of a thread, oldest first, or undefined if no thread has this ID and `fp`.
   */
  turns(threadId: string, fp: string): readonly ThreadTurn[] | undefined {
    const thread = this.#threads.get(threadId);
    if (thread?.fp !== fp) return undefined;
    this.#threads.delete(threadId);
    this.#threads.set(threadId, thread);
    return thread.turns;
  }

  /**
   * Adds a turn to a thread, or starts a new thread.
   * @returns the ID of the thread.
   */
  record(threadId: string | undefined, fp: string, turn: ThreadTurn): string {
    const id = threadId ?? this.newId();
    const thread = this.#threads.get(id) ?? { fp, turns: [] };
    thread.turns.push(turn);
    if (thread.turns.length > MAX_TURNS) thread.turns.shift();
    this.#threads.delete(id);
    this.#threads.set(id, thread);
    for (const oldest of this.#threads.keys()) {
      if (this.#threads.size <= this.capacity) break;
      this.#threads.delete(oldest);
    }
    return id;
  }
}

/** Texts of a question's files. Nothing is fetched: only the content of `data:` URLs is read. */
export interface QuestionFiles {
  /** Texts of the files, which the search treats like selected code and text. */
  readonly items: readonly QuestionContextItem[];
  /** Names of files that are not text, such as images. */
  readonly unread: readonly string[];
}

type FilePart = Extract<RequestMessage['parts'][number], { readonly type: 'file' }>;

/** Characters of a file that the search uses. The beginning is enough to find its topic. */
const MAX_TEXT_LENGTH = 100_000;

const textTypes =
  /^(?:text\/.*|application\/(?:.*\+)?(?:json|json5|jsonc|yaml|x-yaml|xml|toml|javascript|ecmascript|typescript|graphql|sql|x-sh|x-httpd-php|x-ndjson))$/i;

/** Reads the files of a question. */
export function questionFiles({ parts }: Pick<RequestMessage, 'parts'>): QuestionFiles {
  const items: QuestionContextItem[] = [];
  const unread: string[] = [];
  for (const part of parts) {
    if (part.type !== 'file') continue;
    const value = fileText(part);
    if (value === undefined) unread.push(part.filename ?? part.mediaType);
    else if (value.trim() !== '') items.push(itemOf(value, part.filename));
  }
  return { items, unread };
}

function itemOf(value: string, path: string | undefined): QuestionContextItem {
  const ending = /\.([\w+]+)$/.exec(path ?? '')?.[1];
  const isCode = ending !== undefined && codeLanguageOf(ending) !== undefined;
  return {
    type: isCode ? 'code' : 'textSelection',
    value,
    ...(path === undefined ? {} : { path }),
  };
}

/** Returns the beginning of a text file, or undefined for other files. */
function fileText({ mediaType, url }: FilePart): string | undefined {
  const type = mediaType.split(';', 1)[0]?.trim() ?? '';
  const comma = url.indexOf(',');
  if (!textTypes.test(type) || comma < 0 || !/^data:/i.test(url)) return undefined;
  const isBase64 = /;\s*base64\s*$/i.test(url.slice(0, comma));
  // Four characters of base64 encode three bytes, and a character can take three bytes.
  const content = url.slice(comma + 1, comma + 1 + 4 * MAX_TEXT_LENGTH);
  const bytes = isBase64 ? Buffer.from(content, 'base64') : Buffer.from(unescaped(content));
  const text = bytes.toString('utf8');
  return text.includes('\0') ? undefined : text.slice(0, MAX_TEXT_LENGTH);
}

function unescaped(content: string): string {
  try {
    return decodeURIComponent(content);
  } catch {
    return content;
  }
}

export interface ReplyStreamPorts {
  readonly clock: Clock;
  readonly newId: NewId;
}

export interface ReplyStreamInput {
  readonly answer: Answer;
  /** Milliseconds between two deltas. 0 sends them without a pause. */
  readonly paceMs: number;
  /** Aborts when the client has disconnected or the service stops. Nothing more is sent then. */
  readonly signal: AbortSignal;
  /** Called when the whole text is sent. Returns the thread ID for the `finish` chunk. */
  readonly onSent: () => string;
}

/** Key of the quote in a source's metadata (platform-api.md § Part, `providerMetadata`). */
const METADATA_KEY = 'localDocs';

const WORDS_PER_DELTA = 3;
/** Deltas after which other requests get a turn, if there is no pause between deltas. */
const DELTAS_PER_TURN = 50;

/**
 * Streams a reply as chunks of the chat SDK (platform-api.md § Assistant response stream). The
 * first step holds the reasoning about the search, the second the sources and the text.
 */
export function replyStream(
  { clock, newId }: ReplyStreamPorts,
  { answer, paceMs, signal, onSent }: ReplyStreamInput,
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
        writer.write({ type: 'start-step' });
        writer.write({ type: 'reasoning-start', id: 'reasoning' });
        for (const delta of deltasOf(answer.reasoning)) {
          writer.write({ type: 'reasoning-delta', id: 'reasoning', delta });
          await pause();
        }
        writer.write({ type: 'reasoning-end', id: 'reasoning' });
        writer.write({ type: 'finish-step' });
        writer.write({ type: 'start-step' });
        for (const { quote, ...source } of answer.sources) {
          const providerMetadata = { [METADATA_KEY]: { quote } };
          writer.write({ type: 'source-url', ...source, providerMetadata });
        }
        writer.write({ type: 'text-start', id: 'text' });
        for (const delta of deltasOf(answer.text)) {
          writer.write({ type: 'text-delta', id: 'text', delta });
          await pause();
        }
        writer.write({ type: 'text-end', id: 'text' });
        writer.write({ type: 'finish-step' });
        // The SDK's type of this chunk has no `threadId`, but the SDK passes unknown fields on.
        const finish = { type: 'finish', finishReason: 'stop', threadId: onSent() } as const;
        writer.write(finish);
      } catch (error) {
        // The client has disconnected, which is a normal end and not an error.
        if (!signal.aborted) throw error;
      }
    },
  });
}

const deltaPattern = new RegExp(`\\s*(?:\\S+\\s*){1,${WORDS_PER_DELTA}}|\\s+`, 'g');

/** Splits a text into deltas of a few words. Joined, they are the text. */
export function deltasOf(text: string): string[] {
  return text.match(deltaPattern) ?? [];
}

export interface MessageRoutePorts {
  readonly library: DocsLibrary;
  readonly threads: ServiceThreads;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  readonly paceMs: number;
  /**
   * Milliseconds that a question waits for the first indexing. After that it is answered from the
   * pages read so far.
   */
  readonly patienceMs: number;
  /** Returns the base URL of the pages, without a slash at its end. */
  readonly origin: () => string;
}

/** Answers a message. Its key, site and size have been checked before. */
export async function answerMessage(
  c: Context,
  ports: MessageRoutePorts,
  signal: AbortSignal,
): Promise<Response> {
  const { library, threads, log } = ports;
  let body: unknown;
  try {
    body = JSON.parse(await c.req.text());
  } catch {
    return c.json({ error: 'The request body is not valid JSON.' }, 400);
  }
  const parsed = parseMessageRequest(body);
  if (!parsed.ok) return c.json({ error: parsed.error }, 400);
  const { request, ignoredFields } = parsed;
  if (ignoredFields.length > 0) log.debug(`${ignoredFields.length} unknown fields ignored`);

  const threadId = request.threadId ?? undefined;
  const turns = threadId === undefined ? [] : threads.turns(threadId, request.fp);
  if (turns === undefined) {
    return c.json(
      {
        error: "This thread doesn't exist at this service. Leave out threadId to start a new one.",
      },
      404,
    );
  }

  await library.settle(ports.patienceMs, signal);
  const { question, unread } = questionOf(request, turns);
  const retrieval = retrieve(library.index, question, request.filter, request.retrievalPageSize);
  const composed = composeAnswer({
    retrieval,
    index: library.index,
    filter: request.filter,
    origin: ports.origin(),
    isIndexed: library.isIndexed,
  });
  const note =
    unread.length > 0 ? `${replyTexts[retrieval.query.language ?? 'en'].unread(unread)}\n\n` : '';
  const answer = { ...composed, text: note + composed.text };
  const stream = replyStream(ports, {
    answer,
    paceMs: ports.paceMs,
    signal,
    onSent: () =>
      threads.record(threadId, request.fp, {
        question: question.text,
        citedRoutes: [...new Set(retrieval.sections.map(({ page }) => page.route))],
      }),
  });
  return createUIMessageStreamResponse({ stream });
}

/**
 * Returns the last question with its earlier turns: those of the request body, or those of the
 * thread. Text files help to find the topic. Other files are `unread`.
 */
function questionOf(
  request: MessageRequest,
  turns: readonly ThreadTurn[],
): { readonly question: Question; readonly unread: readonly string[] } {
  const questions = request.messages.filter(
    (message) => message.role === 'user' && textOf(message).trim() !== '',
  );
  const last = questions.at(-1);
  const earlier = questions.slice(0, -1).map((message, position) => ({
    question: textOf(message),
    citedRoutes: turns.at(position - questions.length + 1)?.citedRoutes ?? [],
  }));
  const { items, unread } = last ? questionFiles(last) : { items: [], unread: [] };
  const question = {
    text: last ? textOf(last) : '',
    earlier: earlier.length > 0 ? earlier : turns,
    contextItems: [...request.context, ...items],
    currentPath: request.currentPath,
  };
  return { question, unread };
}

function textOf(message: RequestMessage): string {
  return message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}
