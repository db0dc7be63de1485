/** One question at the site of a target, as changes of its reply. */
import { DocsAssistantError } from '../common/errors';
import type { Clock, Log, NewId } from '../common/ports';
import { originOf } from '../common/http/address';
import type { AssistantClient, AssistantClientPorts } from '../chat/assistant/assistantClient';
import { wireFilter } from '../chat/assistant/requestBody';
import { sharedClient } from '../chat/assistant/sharedClient';
import type { DocsQuestion } from '../common/localDocsApi';
import type { ReplyChange, ReplyStep } from '../shared/reply';
import { baseName } from '../chat/context/documentPaths';
import type { ContextItem } from '../chat/context/contextItem';
import type { ThreadMessage } from '../chat/conversation/thread';
import { MAX_QUESTION_LENGTH } from '../shared/limits';
import { sendableText } from '../shared/characters';
import type { DocsTarget } from './toolCall';

export interface AskStreamPorts {
  readonly client: Pick<AssistantClient, 'ask'>;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
}

/** Returns a client for services whose code loads with the first request. Docs of this process need none. */
export function lateClient(ports: AssistantClientPorts): Pick<AssistantClient, 'ask'> {
  const load = sharedClient(ports);
  return {
    async *ask(request, signal) {
      yield* (await load()).ask(request, signal);
    },
  };
}

/** A question with the code that it is about. */
export interface AskStreamInput {
  readonly question: string;
  readonly code?: readonly QuestionCode[];
  /** Earlier turns of the same conversation, oldest first. */
  readonly earlier?: readonly { readonly question: string; readonly reply: string }[];
  /** Page that the reader looks at, as a path from the root of the docs. */
  readonly currentPath?: string;
  /** Ids of the sets of docs to answer from. All if absent. A service is asked the first of them. */
  readonly sets?: readonly string[];
}

export interface QuestionCode {
  readonly text: string;
  /** Relative to the workspace. Of an absolute path, only the file's name is sent. */
  readonly path?: string;
}

/**
 * Asks one question in a new thread, of docs that this process has opened or of the target's service, and yields the
 * changes of its reply. The request is sent once.
 * Leaving the loop closes it.
 * @throws {DocsAssistantError} with what was yielded before still valid.
 * @throws the signal's reason when stopped.
 */
export async function* askStream(
  ports: AskStreamPorts,
  target: DocsTarget,
  input: AskStreamInput,
  signal: AbortSignal,
): AsyncGenerator<ReplyChange> {
  const { question, currentPath, sets } = input;
  if (question.trim() === '') throw new DocsAssistantError('empty-question');
  if (question.length > MAX_QUESTION_LENGTH) throw new DocsAssistantError('question-too-long');
  const contextItems = contextItemsOf(input, ports);
  ports.log.info(
    `A docs tool asked a question (${question.length} characters, ${contextItems.length} context items)`,
  );
  const { local } = target;
  if (local && 'engine' in local) {
    const asked: DocsQuestion = {
      text: sendableText(question),
      earlier: input.earlier ?? [],
      contextItems,
      currentPath,
      filter: wireFilter(target.settings),
      pageSize: target.settings.retrievalPageSize,
      sets,
    };
    yield* local.engine.ask(asked, signal);
    return;
  }
  const { settings, key } = askable(target);
  const messages = messagesOf(input, contextItems, ports);
  // A service is told the package by its set, whose id is the name with the version.
  const [only] = sets ?? [];
  const request = { settings, key, messages, contextItems, currentPath, package: only };
  yield* ports.client.ask(request, signal);
}

/** @throws {DocsAssistantError} if the target can't be asked. */
function askable({ settings, key }: DocsTarget): {
  readonly settings: DocsTarget['settings'];
  readonly key: string;
} {
  if (settings.unavailable) throw new DocsAssistantError(settings.unavailable);
  const origin = settings.baseUrl === undefined ? undefined : originOf(settings.baseUrl);
  if (origin === undefined || !settings.assistantDomain) {
    throw new DocsAssistantError('not-configured');
  }
  if (!key) throw new DocsAssistantError('not-signed-in', { host: new URL(origin).host });
  return { settings, key };
}

function contextItemsOf(
  { code = [] }: AskStreamInput,
  { newId }: AskStreamPorts,
): readonly ContextItem[] {
  return code
    .filter(({ text }) => text.trim() !== '')
    .map(({ text, path }): ContextItem => {
      const sent = path === undefined ? undefined : relativePath(path);
      return {
        id: newId(),
        type: 'code',
        value: sendableText(text),
        label: sent ?? 'code',
        path: sent,
      };
    });
}

function messagesOf(
  { question, earlier = [] }: AskStreamInput,
  contextItems: readonly ContextItem[],
  { clock, newId }: AskStreamPorts,
): readonly ThreadMessage[] {
  const createdAt = new Date(clock.now()).toISOString();
  const messages: ThreadMessage[] = [];
  for (const turn of earlier) {
    messages.push(
      { role: 'user', id: newId(), createdAt, text: turn.question, contextItems: [] },
      {
        role: 'assistant',
        id: newId(),
        createdAt,
        status: 'complete',
        parts: [{ type: 'text', text: turn.reply }],
      },
    );
  }
  messages.push({ role: 'user', id: newId(), createdAt, text: question, contextItems });
  return messages;
}

/**
 * Returns a path as a docs service may see it: as it is if it is relative and stays in its folder,
 * else the name of the file. Undefined for a path without a name.
 */
function relativePath(path: string): string | undefined {
  const forward = path.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
  const isAbsolute = /^(?:\/|~|[a-z][a-z\d+.-]*:)/i.test(forward);
  const isInside = !isAbsolute && !forward.split('/').includes('..');
  return (isInside ? forward : baseName(forward)) || undefined;
}

/** Returns a short sentence about a step of the service, such as `Searching the docs: retries`. */
export function stepText(step: ReplyStep): string {
  if (step.name === 'writing') return 'Writing the answer';
  return step.query === undefined ? 'Searching the docs' : `Searching the docs: ${step.query}`;
}
