import { createUIMessageStreamResponse } from 'ai';
import type { Context } from 'hono';
import type { Clock, Log, NewId } from '../../common/ports';
import { cutText } from '../../common/text/strings';
import type { DocsEngine } from '../../docs/engine';
import { askedQuestion } from './askedQuestion';
import { parseMessageRequest } from './messageSchema';
import { replyStream } from './replyStream';
import type { ServiceThreads } from './serviceThreads';

/** Maximum characters of a reply that are kept. A model's later request has no space for more. */
const MAX_KEPT_REPLY = 2000;

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
