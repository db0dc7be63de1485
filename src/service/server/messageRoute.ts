import { createUIMessageStreamResponse } from 'ai';
import type { Context } from 'hono';
import type { Clock, Log, NewId } from '../../common/ports';
import { cutText } from '../../common/text/strings';
import type { DocsEngine } from '../../docs/engine';
import { askedQuestion, type StoredTurn } from './askedQuestion';
import { parseMessageRequest } from './messageSchema';
import { replyStream } from './replyStream';

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

export interface MessageRoutePorts {
  readonly engine: Pick<DocsEngine, 'prepare'>;
  readonly threads: ServiceThreads;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  readonly paceMs: number;
}

/** Answers a message. The app has already checked the key, the site and the size of the request. */
export async function answerMessage(
  c: Context,
  ports: MessageRoutePorts,
  signal: AbortSignal,
): Promise<Response> {
  const { engine, threads, log } = ports;
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

  const question = askedQuestion(request, turns);
  const { citedRoutes, changes } = await engine.prepare(question, signal);
  const stream = replyStream(ports, {
    changes,
    paceMs: ports.paceMs,
    signal,
    onError: (error) => log.error('The reply failed', error),
    onSent: (text) =>
      threads.record(threadId, request.fp, {
        question: question.text,
        citedRoutes,
        reply: cutText(text, MAX_KEPT_REPLY),
      }),
  });
  return createUIMessageStreamResponse({ stream });
}
