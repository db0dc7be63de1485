import type { Context } from 'hono';
import { createUIMessageStreamResponse } from 'ai';
import type { Clock, Log, NewId } from '../common/ports';
import { composeAnswer } from './answer';
import type { DocsLibrary } from './docsLibrary';
import { parseMessageRequest, type MessageRequest, type RequestMessage } from './messageSchema';
import type { Question } from './query';
import { questionFiles } from './questionFiles';
import { replyStream } from './replyStream';
import { replyTexts } from './replyTexts';
import { retrieve } from './retrieval';
import { isSameSecret } from './sameSecret';
import type { ServiceThreads, ThreadTurn } from './threads';

export interface MessageRoutePorts {
  readonly library: DocsLibrary;
  readonly threads: ServiceThreads;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  readonly paceMs: number;
  /** Milliseconds that a question waits for the first indexing before it is answered from what is there. */
  readonly patienceMs: number;
  /** Address under which pages are read, without a slash at its end. */
  readonly origin: () => string;
}

/** An assistant key of this service (platform-api.md § Authentication). */
export const localKeyPattern = /^local_dsc_[A-Za-z0-9_-]{8,}$/;

/**
 * Why an `Authorization` header does not open the assistant; `undefined` if it does. Tells a key of
 * another kind by its form.
 */
export function keyProblem(header: string | undefined, key: string): string | undefined {
  const given = /^Bearer +(\S+)\s*$/i.exec(header ?? '')?.[1];
  if (given === undefined) {
    return 'Send the assistant key as "Authorization: Bearer local_dsc_…".';
  }
  if (isSameSecret(given, key)) return undefined;
  if (given.includes('_dsc_')) return 'This is not the assistant key of this service.';
  if (given.includes('_us_')) {
    return 'This is a user key. Asking takes the assistant key, which looks like "local_dsc_…".';
  }
  if (/^[a-z][a-z0-9]*_/i.test(given)) {
    return 'This looks like an admin key, which must stay secret. Asking takes the assistant key, which looks like "local_dsc_…".';
  }
  return 'This is not an assistant key: it looks like "local_dsc_…".';
}

/** Answers a message whose sender, site and size have been checked. */
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
      { error: 'This service knows no such thread. Leave out threadId to begin one.' },
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
 * The last question with the turns before it: those of the body, else those of the thread. Its
 * files that are texts help to find what it is about; the others are `unread`.
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
