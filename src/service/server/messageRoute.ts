import { createUIMessageStreamResponse } from 'ai';
import type { Context } from 'hono';
import type { Clock, Log, NewId } from '../../common/ports';
import { cutText } from '../../common/text/strings';
import { askedQuestion } from './askedQuestion';
import { type MessageRequest, parseMessageRequest } from './messageSchema';
import { replyStream } from './replyStream';
import { jsonBody } from './requestChecks';
import type { ServedEngine } from './servedEngine';
import type { ThreadStore } from './serviceThreads';

/** Maximum characters of a reply that are kept. A model's later request has no space for more. */
const MAX_KEPT_REPLY = 2000;

export interface MessageRoutePorts {
  readonly engine: Pick<ServedEngine, 'prepare' | 'packages'>;
  readonly threads: ThreadStore;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  readonly paceMs: number;
  /** Called with each question whose reply was sent, and with whether the docs had a source for it. */
  readonly onAnswered?: (question: string, hasSources: boolean) => void;
}

/** Answers a message. The app has already checked the key, the site and the size of the request. */
export async function answerMessage(
  c: Context,
  ports: MessageRoutePorts,
  signal: AbortSignal,
): Promise<Response> {
  const { engine, threads, log } = ports;
  const read = await jsonBody(c);
  if ('error' in read) return c.json(read, 400);
  const parsed = parseMessageRequest(read.body);
  if (!parsed.ok) return c.json({ error: parsed.error }, 400);
  const { request, ignoredFields } = parsed;
  if (ignoredFields.length > 0) log.debug(`${ignoredFields.length} unknown fields ignored`);

  const threadId = request.threadId ?? undefined;
  const turns = threadId === undefined ? [] : await threads.turns(threadId, request.fp);
  if (turns === undefined) {
    return c.json(
      {
        error: "This thread doesn't exist at this service. Leave out threadId to start a new one.",
      },
      404,
    );
  }

  const asked = await setsOfPackage(request, engine);
  if ('error' in asked) return c.json({ error: asked.error }, 400);
  const question = askedQuestion(request, turns);
  const { citedRoutes, changes } = await engine.prepare({ ...question, ...asked }, signal);
  const stream = replyStream(ports, {
    changes,
    paceMs: ports.paceMs,
    signal,
    onError: (error) => log.error('The reply failed', error),
    onSent: async (text, hasSources) => {
      ports.onAnswered?.(question.text, hasSources);
      try {
        return await threads.record(threadId, request.fp, {
          question: question.text,
          citedRoutes,
          reply: cutText(text, MAX_KEPT_REPLY),
        });
      } catch (error) {
        // The reader has the whole reply. Only a later question won't be understood from it.
        log.error("Can't store the thread", error);
        return undefined;
      }
    },
  });
  const response = createUIMessageStreamResponse({ stream });
  // The SDK keeps the connection open, even if the client asks to close it. That is for Node to decide.
  response.headers.delete('connection');
  return response;
}

/** Returns the sets of the package that a question is about, if it names one, or why they can't be asked. */
async function setsOfPackage(
  { package: named }: MessageRequest,
  { packages }: MessageRoutePorts['engine'],
): Promise<{ readonly sets?: readonly string[] } | { readonly error: string }> {
  if (named === undefined) return {};
  if (!packages) return { error: 'These docs have no packages. Leave out the package.' };
  const found = await packages.setsOf(named);
  if (found.kind === 'found') return { sets: found.sets };
  const { otherVersion } = found;
  return {
    error:
      otherVersion === undefined
        ? 'The package of this question is no longer installed here. Ask without it.'
        : `The package of this question is installed in version ${otherVersion}. Ask about this one.`,
  };
}
