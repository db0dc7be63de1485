import type { ThreadSite } from '../../site/activeSite';
import * as v from 'valibot';
import { cutText } from '../../common/text/strings';
import type { ContextItem } from '../context/contextItem';
import { errorActionNames, errorCodes, type ErrorInfo } from '../../shared/errorInfo';
import { MAX_TITLE_LENGTH } from '../../shared/protocol';
import {
  messagePartSchema,
  reasoningPartSchema,
  replyStatusSchema,
  sourcePartSchema,
} from '../../shared/messageSchemas';
import {
  isReplyRunning,
  partView,
  type AttachmentView,
  type MessagePart,
  type ReplyStatus,
  type ServiceMetadata,
} from '../../shared/uiMessage';
import { metadataSchema } from '../assistant/serviceMetadata';

/** A file that travels with a question as a `file` part (platform-api.md § Part). */
export interface Attachment extends AttachmentView {
  /** `data:` address with the content in base64. */
  readonly url: string;
}

export interface Question {
  readonly role: 'user';
  readonly id: string;
  /** The message before it; absent for the first of a thread. */
  readonly parentId?: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly text: string;
  readonly contextItems: readonly ContextItem[];
  /** Attached files. Absent if there are none. */
  readonly files?: readonly Attachment[];
}

export interface Reply {
  readonly role: 'assistant';
  readonly id: string;
  /** The question that it replies to; absent in threads of before there were branches. */
  readonly parentId?: string;
  readonly createdAt: string;
  readonly parts: readonly MessagePart[];
  readonly status: ReplyStatus;
  readonly error?: ErrorInfo;
  readonly notice?: string;
  /** Quotes of the reply's sources, by `sourceId`: plain text or Markdown. */
  readonly quotes?: Readonly<Record<string, string>>;
  /** The site that was asked, as {@link ThreadSite} names it; no other gets its metadata. */
  readonly siteId?: string;
  /** The service's own, to be sent back with the message. */
  readonly metadata?: ServiceMetadata;
}

export type ThreadMessage = Question | Reply;

/** The thread as one service knows it. Never sent to another origin or domain. */
export interface ServiceThread {
  readonly origin: string;
  readonly domain: string;
  readonly threadId: string;
  /** True if the service gave a key with it, which is kept in the secret storage. */
  readonly hasKey: boolean;
}

/** Our conversation. `id` is ours; `serviceThread.threadId` is the platform's. */
export interface Thread {
  readonly id: string;
  /** Title, made from the first question. Empty before it. */
  readonly title: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /**
   * Site of the thread. Absent until the first question, and in threads from before threads were
   * stored by site.
   */
  readonly site?: ThreadSite;
  readonly serviceThread?: ServiceThread;
  /** The branch that is shown, from the first question on. */
  readonly messages: readonly ThreadMessage[];
  /** Messages of the other branches, in no order; absent if there are none. */
  readonly others?: readonly ThreadMessage[];
}

/** Returns the start of a question's first line that isn't blank. */
export function titleOf(question: string): string {
  const line = question.trim().split(/[\r\n]/, 1)[0] ?? '';
  return line.length <= MAX_TITLE_LENGTH ? line : `${cutText(line, MAX_TITLE_LENGTH - 1).trim()}…`;
}

/**
 * Messages as this window has them: a reply that runs in a record but not here is interrupted, as
 * the window that read it is gone, or another one. The record keeps it as that window left it.
 */
export function interrupted(
  messages: readonly ThreadMessage[],
  runningId?: string,
): readonly ThreadMessage[] {
  return messages.map((message) =>
    message.role === 'assistant' && isReplyRunning(message.status) && message.id !== runningId
      ? { ...message, status: 'interrupted' }
      : message,
  );
}

/** Returns the messages without what another site than this one attached to its replies. */
export function withoutForeignMetadata(
  messages: readonly ThreadMessage[],
  siteId: string | undefined,
): readonly ThreadMessage[] {
  return messages.map((message) => {
    if (message.role === 'user' || message.siteId === siteId) return message;
    const { metadata: _metadata, ...reply } = message;
    return { ...reply, parts: reply.parts.map(partView) };
  });
}

/** Raised when a stored field changes its meaning; records of another version are set aside. */
const SCHEMA_VERSION = 1;

/** Returns the thread as plain JSON for storage. It contains neither keys nor thread keys. */
export function storedThread(thread: Thread): unknown {
  return { schemaVersion: SCHEMA_VERSION, ...thread };
}

/**
 * Reads what {@link storedThread} made. Fields that it does not know are dropped, and so are parts
 * and statuses that a newer version may have written; what cannot do without is exact. Every
 * message of the branch that is shown comes with its parent.
 * @returns undefined for another `schemaVersion` and for anything corrupt.
 */
export function parseStoredThread(record: unknown): Thread | undefined {
  const parsed = v.safeParse(storedSchema, record);
  if (!parsed.success) return undefined;
  const { schemaVersion: _schemaVersion, others, ...thread } = parsed.output;
  return {
    ...thread,
    messages: linked(thread.messages),
    ...(others.length > 0 ? { others } : {}),
  };
}

/**
 * Returns the messages with their parents. The shown branch is in order, and threads from before
 * branches have nothing else.
 */
function linked(messages: readonly ThreadMessage[]): ThreadMessage[] {
  const unlike = [...new Map(messages.map((message) => [message.id, message])).values()];
  return unlike.map((message, index) => {
    const parentId = unlike[index - 1]?.id;
    if (message.parentId === parentId) return message;
    const { parentId: _parentId, ...rest } = message;
    return parentId === undefined ? rest : { ...rest, parentId };
  });
}

const text = v.string();
const optionalText = v.exactOptional(text);
const count = v.pipe(v.number(), v.integer());

export const contextItemSchema = v.object({
  id: text,
  type: v.picklist(['code', 'textSelection']),
  value: text,
  path: optionalText,
  elementId: optionalText,
  label: text,
  startLine: v.exactOptional(count),
  endLine: v.exactOptional(count),
  target: v.exactOptional(
    v.object({
      uri: text,
      startLine: count,
      startCharacter: count,
      endLine: count,
      endCharacter: count,
    }),
  ),
});

const errorSchema = v.object({
  code: v.fallback(v.picklist(errorCodes), 'unexpected'),
  message: text,
  actions: v.fallback(v.array(v.picklist(errorActionNames)), ['retry']),
  retryAt: v.exactOptional(v.fallback(v.pipe(v.number(), v.finite()), 0)),
});

export const attachmentSchema = v.object({
  id: text,
  filename: text,
  mediaType: text,
  sizeBytes: v.pipe(count, v.minValue(0)),
  url: text,
});

const providerMetadata = v.exactOptional(metadataSchema);

const partSchema = v.union([
  v.object({ ...reasoningPartSchema.entries, providerMetadata }),
  v.object({ ...sourcePartSchema.entries, providerMetadata }),
  messagePartSchema,
]);

const replySchema = v.object({
  role: v.literal('assistant'),
  id: text,
  parentId: optionalText,
  createdAt: text,
  parts: v.pipe(
    v.array(v.fallback(v.nullable(partSchema), null)),
    v.transform((parts) => parts.filter((part) => part !== null)),
  ),
  status: v.fallback(replyStatusSchema, 'interrupted'),
  error: v.exactOptional(errorSchema),
  notice: optionalText,
  quotes: v.exactOptional(v.record(text, text)),
  siteId: optionalText,
  metadata: v.exactOptional(metadataSchema),
});

const questionSchema = v.object({
  role: v.literal('user'),
  id: text,
  parentId: optionalText,
  createdAt: text,
  text,
  contextItems: v.array(contextItemSchema),
  files: v.exactOptional(v.array(attachmentSchema)),
});

const messageSchema = v.variant('role', [questionSchema, replySchema]);

const storedSchema = v.object({
  schemaVersion: v.literal(SCHEMA_VERSION),
  id: v.pipe(text, v.minLength(1)),
  title: text,
  createdAt: text,
  updatedAt: text,
  site: v.exactOptional(v.object({ id: text, label: text })),
  serviceThread: v.exactOptional(
    v.object({ origin: text, domain: text, threadId: text, hasKey: v.boolean() }),
  ),
  messages: v.array(messageSchema),
  // A branch that cannot be read must not take the shown one along.
  others: v.optional(
    v.pipe(
      v.array(v.fallback(v.nullable(messageSchema), null)),
      v.transform((messages) => messages.filter((message) => message !== null)),
    ),
    [],
  ),
});
