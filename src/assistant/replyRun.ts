import { DocsAssistantError } from '../common/errors';
import type { KeyStore, Log, ThreadKeyStore } from '../common/ports';
import { originOf } from '../common/address';
import type { AskSettings } from './askSettings';
import type { AssistantClient, ReplyUpdate } from './assistantClient';
import { leftOutOf, withEarlierContext, type LeftOut } from './earlierContent';
import type { Question, ServiceThread, Thread, ThreadMessage } from './thread';

export interface ReplyRunPorts {
  readonly loadClient: () => Promise<Pick<AssistantClient, 'ask'>>;
  readonly threadKeys: ThreadKeyStore;
  readonly keys: KeyStore;
  readonly log: Log;
}

/** A question with everything that it was asked with, which no later change of settings touches. */
export interface ReplyRunInput {
  readonly settings: AskSettings;
  readonly currentPath: string | undefined;
  readonly thread: Thread;
  /** The thread up to and with the question. */
  readonly messages: readonly ThreadMessage[];
  readonly question: Question;
}

export interface ReplyRunUpdate extends Omit<ReplyUpdate, 'serviceThread'> {
  /** With where it belongs. Its key is stored already. */
  readonly serviceThread?: ServiceThread;
  /** The service knew this conversation once, but the question had to go without it. */
  readonly isThreadLost?: true;
  /** What of earlier messages the question goes without; told before it is asked. */
  readonly leftOut?: LeftOut;
}

/**
 * Asks a thread's question at the site of its settings: with the key of that origin, and with the
 * service's thread if it is one of the same site.
 * @throws {DocsAssistantError} also `not-configured`, `assistant-air-gapped`,
 * `assistant-switched-off`, `not-signed-in`, `secret-store-failed`.
 * @throws the signal's reason when stopped.
 */
export async function* runReply(
  ports: ReplyRunPorts,
  input: ReplyRunInput,
  signal: AbortSignal,
): AsyncGenerator<ReplyRunUpdate> {
  const { settings, thread, messages, question, currentPath } = input;
  const { baseUrl, assistantDomain: domain } = settings;
  if (settings.unavailable) throw new DocsAssistantError(settings.unavailable);
  const origin = baseUrl === undefined ? undefined : originOf(baseUrl);
  if (origin === undefined || !domain) throw new DocsAssistantError('not-configured');
  const key = await assistantKey(ports.keys, origin);
  const client = await ports.loadClient();
  const known = thread.serviceThread;
  const isSameSite = known?.origin === origin && known.domain === domain;
  const threadKey = isSameSite && known.hasKey ? await readThreadKey(ports, thread.id) : undefined;
  // A service that gave a key answers 404 to its thread without it (faults.md A22).
  const isLost = isSameSite && known.hasKey && threadKey === undefined;
  if (isLost) yield { isThreadLost: true };
  const threadId = isSameSite && !isLost ? known.threadId : undefined;
  const context =
    threadId === undefined
      ? withEarlierContext(messages)
      : { contextItems: question.contextItems, leftOut: [] };
  const leftOut = leftOutOf(messages, context.leftOut);
  if (leftOut) yield { leftOut };

  const updates = client.ask(
    {
      settings,
      key,
      messages,
      contextItems: context.contextItems,
      ...(currentPath === undefined ? {} : { currentPath }),
      ...(threadId === undefined ? {} : { threadId }),
      ...(threadKey === undefined ? {} : { threadKey }),
    },
    signal,
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

async function assistantKey(keys: KeyStore, origin: string): Promise<string> {
  let key: string | undefined;
  try {
    key = await keys.read('assistant', origin);
  } catch (error) {
    throw error instanceof DocsAssistantError
      ? error
      : new DocsAssistantError('secret-store-failed', { cause: error });
  }
  if (!key) throw new DocsAssistantError('not-signed-in', { host: new URL(origin).host });
  return key;
}

/** A thread's key is worth a question's continuity, not the question. */
async function readThreadKey(ports: ReplyRunPorts, threadId: string): Promise<string | undefined> {
  try {
    return (await ports.threadKeys.read(threadId)) || undefined;
  } catch (error) {
    ports.log.warn(`The key of the service's thread could not be read: ${nameOf(error)}`);
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
  } catch (error) {
    ports.log.warn(`The key of the service's thread could not be kept: ${nameOf(error)}`);
  }
}

/** A message of the secret storage could quote what it was given. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
