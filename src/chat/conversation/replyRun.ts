/** One question at the site of its settings: its request, its keys, and the changes of the reply. */
import { DocsAssistantError } from '../../common/errors';
import { originOf } from '../../common/http/address';
import type { KeyStore, Log, ThreadKeyStore } from '../../common/ports';
import { withoutUndefined } from '../../common/withoutUndefined';
import type { ReplyChange } from '../../shared/reply';
import type { AskSettings } from '../../site/activeSite';
import type { AskRequest, AssistantClient } from '../assistant/assistantClient';
import { hasContent } from './branches';
import { type LeftOut, leftOutOf, withEarlierContext } from './earlierContent';
import {
  interrupted,
  withoutForeignMetadata,
  type Question,
  type ServiceThread,
  type Thread,
  type ThreadMessage,
} from './thread';

export interface ReplyRunPorts {
  readonly loadClient: () => Promise<Pick<AssistantClient, 'ask'>>;
  readonly threadKeys: ThreadKeyStore;
  readonly keys: KeyStore;
  readonly log: Log;
}

/** A question with everything that its request needs. Later changes of settings don't affect it. */
export interface ReplyRunInput {
  readonly settings: AskSettings;
  readonly currentPath: string | undefined;
  readonly thread: Thread;
  /** The messages of the thread, up to and including the question. */
  readonly messages: readonly ThreadMessage[];
  readonly question: Question;
}

export interface ReplyRunUpdate extends Omit<ReplyChange, 'serviceThread'> {
  /** Thread at the service, with the site. The thread's key is already stored. */
  readonly serviceThread?: ServiceThread;
  /** Set if the service had this thread, but the question had to be sent without it. */
  readonly isThreadLost?: true;
  /** Names of earlier content that isn't sent, known before the question is sent. */
  readonly leftOut?: LeftOut;
}

/**
 * Asks a question at the site of its settings, with the key of that origin. The service's thread is
 * continued if it belongs to the same site.
 * @throws {DocsAssistantError} also `not-configured`, `assistant-air-gapped`,
 * `assistant-switched-off`, `not-signed-in`, `secret-store-failed`.
 * @throws the signal's reason when stopped.
 */
export async function* runReply(
  ports: ReplyRunPorts,
  input: ReplyRunInput,
  signal: AbortSignal,
): AsyncGenerator<ReplyRunUpdate> {
  const { origin, domain } = siteOf(input.settings);
  const key = await assistantKey(ports.keys, origin);
  const client = await ports.loadClient();
  const { request, isThreadLost, leftOut } = await requestOf(ports, input);
  if (isThreadLost) yield { isThreadLost: true };
  if (leftOut) yield { leftOut };

  const { thread } = input;
  const { threadKey } = request;
  const known = thread.serviceThread;
  const updates = asSignedIn(ports.keys, origin, key, (given) =>
    client.ask({ ...request, key: given }, signal),
  );
  let keyedThreadId = threadKey === undefined ? undefined : known?.threadId;
  for await (const { serviceThread, ...update } of updates) {
    if (!serviceThread) {
      yield update;
      continue;
    }
    const { threadId } = serviceThread;
    if (serviceThread.threadKey !== undefined) {
      await saveThreadKey(ports, thread.id, serviceThread.threadKey);
      keyedThreadId = threadId;
    }
    const hasKey = keyedThreadId === threadId;
    yield { ...update, serviceThread: { origin, domain, threadId, hasKey } };
  }
}

/** @throws {DocsAssistantError} `not-configured`, or the reason why the site has no assistant. */
function siteOf({ baseUrl, assistantDomain: domain, unavailable }: AskSettings): {
  readonly origin: string;
  readonly domain: string;
} {
  if (unavailable) throw new DocsAssistantError(unavailable);
  const origin = baseUrl === undefined ? undefined : originOf(baseUrl);
  if (origin === undefined || !domain) throw new DocsAssistantError('not-configured');
  return { origin, domain };
}

/** A question's request without its key, and the content that it leaves out. */
interface QuestionRequest {
  readonly request: Omit<AskRequest, 'key'>;
  readonly isThreadLost: boolean;
  readonly leftOut: LeftOut | undefined;
}

/**
 * Returns the request that would send the question now. Nothing is sent.
 * @throws {DocsAssistantError} `not-configured`, or the reason why the site has no assistant.
 */
export async function requestOf(
  ports: Pick<ReplyRunPorts, 'threadKeys' | 'log'>,
  input: ReplyRunInput,
): Promise<QuestionRequest> {
  const { settings, thread, messages, question, currentPath } = input;
  const { origin, domain } = siteOf(settings);
  const known = thread.serviceThread;
  const isSameSite = known?.origin === origin && known.domain === domain;
  const threadKey = isSameSite && known.hasKey ? await readThreadKey(ports, thread.id) : undefined;
  // A service that gave a key for its thread answers 404 without that key (faults.md A22).
  const isThreadLost = isSameSite && known.hasKey && threadKey === undefined;
  const threadId = isSameSite && !isThreadLost ? known.threadId : undefined;
  const context = withEarlierContext(threadId === undefined ? messages : unansweredIn(messages));
  const request = withoutUndefined({
    settings,
    messages,
    contextItems: context.contextItems,
    currentPath,
    package: question.package,
    threadId,
    threadKey,
  });
  return { request, isThreadLost, leftOut: leftOutOf(messages, context.leftOut) };
}

async function assistantKey(keys: KeyStore, origin: string): Promise<string> {
  const key = await keys.read('assistant', origin);
  const { signIns } = keys;
  const signsIn = signIns?.has(origin);
  const given = key ?? (signsIn === true ? await signIns?.again(origin) : undefined);
  if (!given)
    throw new DocsAssistantError('not-signed-in', { host: new URL(origin).host, signsIn });
  return given;
}

/**
 * Asks, and once more if the token of a sign-in is refused and the reader signs in anew. A refusal comes before a
 * reply, so the question costs nothing twice. A refused key is never replaced.
 */
async function* asSignedIn<T>(
  { signIns }: KeyStore,
  origin: string,
  key: string,
  ask: (key: string) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  try {
    yield* ask(key);
    return;
  } catch (error) {
    const isRefused = error instanceof DocsAssistantError && error.code === 'key-rejected';
    if (!isRefused || signIns?.has(origin) !== true) throw error;
  }
  const token = await signIns.again(origin);
  if (token === undefined) {
    throw new DocsAssistantError('not-signed-in', { host: new URL(origin).host, signsIn: true });
  }
  yield* ask(token);
}

/**
 * Returns the key of a thread at the service. If it can't be read, the question starts a new thread
 * there.
 */
async function readThreadKey(
  ports: Pick<ReplyRunPorts, 'threadKeys' | 'log'>,
  threadId: string,
): Promise<string | undefined> {
  try {
    return (await ports.threadKeys.read(threadId)) || undefined;
  } catch {
    ports.log.warn('The key of the service’s thread could not be read');
    return undefined;
  }
}

async function saveThreadKey(
  ports: ReplyRunPorts,
  threadId: string,
  threadKey: string,
): Promise<void> {
  try {
    await ports.threadKeys.save(threadId, threadKey);
  } catch {
    ports.log.warn('The key of the service’s thread could not be kept');
  }
}

/**
 * Returns the input of a question's request: its messages and what the service knows of the thread.
 * @param messages the messages of the thread, up to and including the question.
 * @param siteId ID of the site that is asked.
 */
export function runInput({
  thread,
  messages,
  question,
  siteId,
}: {
  readonly thread: Thread;
  readonly messages: readonly ThreadMessage[];
  readonly question: Question;
  readonly siteId: string | undefined;
}): Pick<ReplyRunInput, 'thread' | 'messages' | 'question'> {
  const own = withoutForeignMetadata(interrupted(messages), siteId);
  // If a first question is asked again, the service must not read it as a follow-up to its own
  // reply.
  const { serviceThread, ...rest } = thread;
  const isFirst = own.length === 1;
  const threadToAsk = isFirst || !serviceThread ? rest : { ...rest, serviceThread };
  return { thread: threadToAsk, messages: own, question };
}

/** Returns the messages that the service's thread doesn't have: those after its last reply. */
function unansweredIn(messages: readonly ThreadMessage[]): readonly ThreadMessage[] {
  const last = messages.findLastIndex(
    (message) => message.role === 'assistant' && hasContent(message),
  );
  return messages.slice(last + 1);
}
