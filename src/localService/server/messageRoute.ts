import { createUIMessageStreamResponse } from 'ai';
import type { Context } from 'hono';
import type { Clock, Log, NewId } from '../../common/ports';
import { cutText } from '../../common/text/strings';
import { codeLanguageOf } from '../../pages/codeLanguages';
import { type Answer, composeAnswer, replyTexts, withNote } from '../answers/answer';
import { withAnsweringSection } from '../answers/answeringSection';
import type { DocsLibrary } from '../pages/docsLibrary';
import type { SearchQuestion, QuestionContextItem, ThreadTurn } from '../search/query';
import type { SimilarSections } from '../models/similarSections';
import { type DocsPage, passesFilter } from '../pages/page';
import type { TextLimits } from '../models/limitedText';
import type { EarlierTurn } from '../models/promptBudget';
import type { ReplyWriter } from '../models/replyWriter';
import { writtenReply } from '../models/writtenReply';
import { type Retrieval, retrieve } from '../search/retrieval';
import { type MessageRequest, parseMessageRequest, type RequestMessage } from './messageSchema';
import { type ReplyPiece, replyStream } from './replyStream';

/** A turn with the beginning of its reply, which a model gets as history. */
interface StoredTurn extends ThreadTurn {
  readonly reply?: string;
}

interface ServiceThread {
  readonly fp: string;
  readonly turns: StoredTurn[];
}

const MAX_THREADS = 1000;
const MAX_TURNS = 50;
/** Maximum characters of a reply that are kept. A model's later request has no space for more. */
const MAX_KEPT_REPLY = 2000;

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
  turns(threadId: string, fp: string): readonly StoredTurn[] | undefined {
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
  record(threadId: string | undefined, fp: string, turn: StoredTurn): string {
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

/** Texts of a question's files. The service fetches nothing: it only reads the content of `data:` URLs. */
interface QuestionFiles {
  /** Texts of the files, which the search treats like selected code and text. */
  readonly items: readonly QuestionContextItem[];
  /** Names of files that are not text, such as images. */
  readonly unread: readonly string[];
}

type FilePart = Extract<RequestMessage['parts'][number], { readonly type: 'file' }>;

/** Maximum characters of a file that the search uses. The beginning is enough to find its topic. */
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
  /** Has the model that writes the replies. Without a model, replies quote the docs. */
  readonly writer?: Pick<ReplyWriter, 'model'>;
  /** Finds sections by meaning. */
  readonly similar?: Pick<SimilarSections, 'find'>;
  /** Limits of a reply that a model writes. */
  readonly limits?: TextLimits;
}

/** Answers a message. The app has already checked the key, the site and the size of the request. */
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
  const asked = questionOf(request, turns);
  const reply = preparedReply(ports, request, asked, signal);
  const stream = replyStream(ports, {
    pieces: reply.pieces,
    paceMs: ports.paceMs,
    signal,
    onError: (error) => log.error('The reply failed', error),
    onSent: (text) =>
      threads.record(threadId, request.fp, {
        question: asked.question.text,
        citedRoutes: [...new Set(reply.retrieval.sections.map(({ page }) => page.route))],
        reply: cutText(text, MAX_KEPT_REPLY),
      }),
  });
  return createUIMessageStreamResponse({ stream });
}

/** Searches with the service's own query, and returns what it found and the pieces of the reply. */
function preparedReply(
  ports: MessageRoutePorts,
  request: MessageRequest,
  { question, earlier, unread }: AskedQuestion,
  signal: AbortSignal,
): { readonly retrieval: Retrieval; readonly pieces: AsyncIterable<ReplyPiece> } {
  const { library } = ports;
  const { filter, retrievalPageSize: pageSize } = request;
  const { index } = library;
  const search = (asked: SearchQuestion): Retrieval =>
    withAnsweringSection(asked.text, retrieve(index, asked, filter, pageSize), index, pageSize);
  const compose = (retrieval: Retrieval): Answer =>
    composeAnswer({
      question: question.text,
      retrieval,
      index: library.index,
      filter,
      origin: ports.origin(),
      isIndexed: library.isIndexed,
    });
  const own = search(question);
  const note =
    unread.length > 0 ? `${replyTexts[own.query.language ?? 'en'].unread(unread)}\n\n` : '';
  const ownQuery = shownQuery(own.query.words, question);
  const model = ports.writer?.model;
  if (!model) return { retrieval: own, pieces: quotedReply(compose(own), ownQuery, note) };
  const { similar } = ports;
  const best = own.sections[0]?.page;
  // Vectors don't tell versions and languages apart, so pages must have those of the best section.
  const accepts = (page: DocsPage): boolean =>
    passesFilter(page, filter) &&
    (best === undefined || (page.version === best.version && page.language === best.language));
  const pieces = writtenReply(
    {
      ...ports,
      model,
      index: library.index,
      findSimilar: (queries, count, ending) =>
        similar?.find(queries, count, accepts, ending) ?? Promise.resolve(undefined),
    },
    {
      ...{ question, earlier, own, ownQuery, pageSize, compose, note, signal },
      search: (text) => search({ ...question, text, earlier: [], contextItems: [] }),
      origin: ports.origin(),
    },
  );
  return { retrieval: own, pieces };
}

/** Maximum words of attached files to show as the query, if no search word is from the question itself. */
const MAX_SHOWN_WORDS = 5;

/**
 * Returns the search query as readers see it: the words that come from the questions. The search itself
 * also uses the words of attached code, which are too many to show.
 */
function shownQuery(words: readonly string[], { text, earlier }: SearchQuestion): string {
  const asked = [text, ...earlier.map((turn) => turn.question)].join(' ').toLowerCase();
  const own = words.filter((word) => asked.includes(word.toLowerCase()));
  const shown = own.length > 0 ? own : words.slice(0, MAX_SHOWN_WORDS);
  return shown.length > 0 ? shown.join(' ') : text;
}

/** Yields a reply that consists of quotes. */
async function* quotedReply(
  answer: Answer,
  query: string,
  note: string,
): AsyncGenerator<ReplyPiece, void, undefined> {
  const id = 'search-1';
  yield { type: 'search', id, query };
  yield { type: 'reasoning', text: answer.reasoning };
  yield { type: 'sources', sources: answer.sources };
  yield { type: 'found', id, sources: answer.sources };
  yield { type: 'text', text: withNote(answer.text, note) };
  await Promise.resolve();
}

interface AskedQuestion {
  readonly question: SearchQuestion;
  /** Earlier turns with their replies, oldest first. */
  readonly earlier: readonly EarlierTurn[];
  /** Names of files that are not text. */
  readonly unread: readonly string[];
}

/**
 * Returns the last question with the earlier turns of the request body, or those of the thread if the body
 * has none. Text files help to find the topic. Other files are `unread`.
 */
function questionOf(request: MessageRequest, turns: readonly StoredTurn[]): AskedQuestion {
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
  return { question, earlier: earlierTurns(request, turns), unread };
}

/** Returns the earlier questions with the replies to them, from the body or from the thread. */
function earlierTurns(
  { messages }: MessageRequest,
  turns: readonly StoredTurn[],
): readonly EarlierTurn[] {
  const sent: { question: string; reply: string }[] = [];
  for (const message of messages) {
    const text = textOf(message).trim();
    if (message.role === 'user' && text !== '') sent.push({ question: text, reply: '' });
    const turn = sent.at(-1);
    if (message.role === 'assistant' && turn) turn.reply = `${turn.reply}\n${text}`.trim();
  }
  return sent.length > 1
    ? sent.slice(0, -1)
    : turns.map(({ question, reply = '' }) => ({ question, reply }));
}

function textOf(message: RequestMessage): string {
  return message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}
