/** One question at the site of a target, as updates of its reply. */
import { DocsAssistantError } from '../common/errors';
import type { Clock, Fetch, Log, NewId } from '../common/ports';
import { originOf } from '../common/http/address';
import type { AssistantClient } from '../chat/assistant/assistantClient';
import type { ReplyEnd } from '../chat/assistant/replyReader';
import { baseName } from '../chat/context/documentPaths';
import type { ContextItem } from '../chat/context/contextItem';
import type { ThreadMessage } from '../chat/conversation/thread';
import { MAX_QUESTION_LENGTH } from '../shared/protocol';
import { applyOps, type PartOp } from '../shared/replyOps';
import type { MessagePart, ProofPart, SourcePart } from '../shared/uiMessage';
import { sendableText } from '../shared/characters';
import type { DocsTarget } from './toolCall';

export interface AskStreamPorts {
  readonly client: Pick<AssistantClient, 'ask'>;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
}

/** A question with the code that it is about. */
export interface AskStreamInput {
  readonly question: string;
  readonly code?: readonly QuestionCode[];
  /** Earlier turns of the same conversation, oldest first. */
  readonly earlier?: readonly { readonly question: string; readonly reply: string }[];
  /** Page that the reader looks at, as a path from the root of the docs. */
  readonly currentPath?: string;
}

export interface QuestionCode {
  readonly text: string;
  /** Relative to the workspace. Of an absolute path, only the file's name is sent. */
  readonly path?: string;
}

/** Change of a reply since the last update. */
export interface AskUpdate {
  /** Text to append to the reply. */
  readonly text?: string;
  /** Whether the reply begins anew, because the service took back what it had written. */
  readonly isReset?: true;
  /** English names of secrets that were replaced in the code before it was sent. */
  readonly redacted?: readonly string[];
  /** Short sentence about the current step of the service, such as `Searching: retry webhooks`. */
  readonly status?: string;
  /** All sources so far. Present if one is new. */
  readonly sources?: readonly SourcePart[];
  /** Comparison of the reply with its sources. */
  readonly proof?: ProofPart;
  /** End of the reply. Present only in the last update. */
  readonly end?: ReplyEnd;
}

/**
 * Asks one question in a new thread and yields the reply as it grows. The request is sent once.
 * Leaving the loop closes it.
 * @throws {DocsAssistantError} with what was yielded before still valid.
 * @throws the signal's reason when stopped.
 */
export async function* askStream(
  ports: AskStreamPorts,
  target: DocsTarget | undefined,
  input: AskStreamInput,
  signal: AbortSignal,
): AsyncGenerator<AskUpdate> {
  const { question } = input;
  if (question.trim() === '') throw new DocsAssistantError('empty-question');
  if (question.length > MAX_QUESTION_LENGTH) throw new DocsAssistantError('question-too-long');
  const { settings, key } = askable(target);
  const { contextItems, messages } = contentOf(input, ports);
  ports.log.info(
    `A docs tool asked a question (${question.length} characters, ${contextItems.length} context items)`,
  );
  const reply = new GrowingReply();
  const { currentPath } = input;
  const updates = ports.client.ask(
    {
      ...{ settings, key, messages, contextItems },
      ...(currentPath === undefined ? {} : { currentPath }),
    },
    signal,
  );
  for await (const { ops = [], end } of updates) {
    const update = reply.take(ops);
    if (end) yield { ...update, end };
    else if (Object.keys(update).length > 0) yield update;
  }
}

/** @throws {DocsAssistantError} if the target can't be asked. */
function askable(target: DocsTarget | undefined): {
  readonly settings: DocsTarget['settings'];
  readonly key: string;
} {
  if (!target) throw new DocsAssistantError('not-configured');
  const { settings, key } = target;
  if (settings.unavailable) throw new DocsAssistantError(settings.unavailable);
  const origin = settings.baseUrl === undefined ? undefined : originOf(settings.baseUrl);
  if (origin === undefined || !settings.assistantDomain) {
    throw new DocsAssistantError('not-configured');
  }
  if (!key) throw new DocsAssistantError('not-signed-in', { host: new URL(origin).host });
  return { settings, key };
}

function contentOf(
  { question, code = [], earlier = [] }: AskStreamInput,
  { clock, newId }: AskStreamPorts,
): { readonly contextItems: readonly ContextItem[]; readonly messages: readonly ThreadMessage[] } {
  const createdAt = new Date(clock.now()).toISOString();
  const contextItems = code
    .filter(({ text }) => text.trim() !== '')
    .map(({ text, path }): ContextItem => {
      const sent = path === undefined ? undefined : relativePath(path);
      return {
        id: newId(),
        type: 'code',
        value: sendableText(text),
        label: sent ?? 'code',
        ...(sent === undefined ? {} : { path: sent }),
      };
    });
  const messages: ThreadMessage[] = [];
  for (const turn of earlier) {
    messages.push(
      { role: 'user', id: newId(), createdAt, text: turn.question, contextItems: [] },
      {
        ...{ role: 'assistant', id: newId(), createdAt, status: 'complete' },
        parts: [{ type: 'text', text: turn.reply }],
      },
    );
  }
  messages.push({ role: 'user', id: newId(), createdAt, text: question, contextItems });
  return { contextItems, messages };
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

/** Collects the parts of one reply, and finds the text that the reader hasn't seen yet. */
class GrowingReply {
  #parts: readonly MessagePart[] = [];
  /** Text that was yielded so far. */
  #told = '';
  #status: string | undefined;
  #sourceCount = 0;
  #proof: ProofPart | undefined;

  take(ops: readonly PartOp[]): AskUpdate {
    if (ops.length === 0) return {};
    this.#parts = applyOps(this.#parts, ops) ?? this.#parts;
    return {
      ...this.#newText(ops),
      ...this.#newStatus(),
      ...this.#newSources(),
      ...this.#newProof(),
    };
  }

  #newText(ops: readonly PartOp[]): Pick<AskUpdate, 'text' | 'isReset'> {
    const last = this.#parts.findLastIndex((part) => part.type === 'text');
    const appended = ops.filter(([index]) => this.#parts[index]?.type === 'text');
    if (appended.length === 0) return {};
    const [only] = appended;
    if (appended.length === 1 && only?.[0] === last && typeof only[1] === 'string') {
      this.#told += only[1];
      return { text: only[1] };
    }
    const whole = this.#parts
      .flatMap((part) => (part.type === 'text' && part.text.trim() !== '' ? [part.text] : []))
      .join('\n\n');
    const isReset = !whole.startsWith(this.#told);
    const text = isReset ? whole : whole.slice(this.#told.length);
    this.#told = whole;
    return { ...(text === '' ? {} : { text }), ...(isReset ? { isReset } : {}) };
  }

  #newStatus(): Pick<AskUpdate, 'status'> {
    const status = statusOf(this.#parts);
    if (status === undefined || status === this.#status) return {};
    this.#status = status;
    return { status };
  }

  #newSources(): Pick<AskUpdate, 'sources'> {
    const sources = this.#parts.filter((part) => part.type === 'source-url');
    if (sources.length === this.#sourceCount) return {};
    this.#sourceCount = sources.length;
    return { sources };
  }

  #newProof(): Pick<AskUpdate, 'proof'> {
    const proof = this.#parts.findLast((part) => part.type === 'proof');
    if (!proof || proof === this.#proof) return {};
    this.#proof = proof;
    return { proof };
  }
}

function statusOf(parts: readonly MessagePart[]): string | undefined {
  const part = parts.findLast(({ type }) => type === 'search' || type === 'text');
  if (part?.type === 'text') return part.text.trim() === '' ? undefined : 'Writing the answer';
  if (part?.type !== 'search') return undefined;
  return part.query === undefined ? 'Searching the docs' : `Searching the docs: ${part.query}`;
}
