import * as v from 'valibot';
import { cutText } from '../../common/text/strings';
import { withoutUndefined } from '../../common/withoutUndefined';
import { contextItemSchema } from '../context/contextItem';
import { errorActionNames, errorCodes, keptDocsSchema } from '../../shared/errorInfo';
import { MAX_TITLE_LENGTH } from '../../shared/limits';
import type { Parsed } from '../../shared/schemas';
import {
  messagePartSchema,
  reasoningPartSchema,
  replyStatusSchema,
  sourcePartSchema,
} from '../../shared/messageSchemas';
import { isReplyRunning, partView, type ServiceMetadata } from '../../shared/uiMessage';
import { metadataSchema } from '../assistant/serviceMetadata';

/** Raised when a stored field changes its meaning; records of another version are set aside. */
export const SCHEMA_VERSION = 1;

const text = v.string();
const optionalText = v.optional(text);
const count = v.pipe(v.number(), v.integer());

const errorSchema = v.object({
  code: v.fallback(v.picklist(errorCodes), 'unexpected'),
  message: text,
  actions: v.fallback(v.array(v.picklist(errorActionNames)), ['retry']),
  retryAt: v.optional(v.fallback(v.pipe(v.number(), v.finite()), 0)),
  keptDocs: v.optional(keptDocsSchema),
});

/** Schema of a file that travels with a question as a `file` part (platform-api.md § Part). */
export const attachmentSchema = v.object({
  id: text,
  filename: text,
  mediaType: text,
  sizeBytes: v.pipe(count, v.minValue(0)),
  /** `data:` address with the content in base64. */
  url: text,
  /** Whether secrets in the content were redacted. */
  isRedacted: v.optional(v.boolean()),
});

// The declared type hides the recursive JSON type, which inferred types would repeat endlessly.
const metadata: v.GenericSchema<unknown, ServiceMetadata> = metadataSchema;
const providerMetadata = v.optional(metadata);

const partSchema = v.union([
  v.object({ ...reasoningPartSchema.entries, providerMetadata }),
  v.object({ ...sourcePartSchema.entries, providerMetadata }),
  messagePartSchema,
]);

const replySchema = v.object({
  role: v.literal('assistant'),
  id: text,
  /** ID of the question. */
  parentId: optionalText,
  createdAt: text,
  parts: v.pipe(
    v.array(v.fallback(v.nullable(partSchema), null)),
    v.transform((parts) => parts.filter((part) => part !== null)),
  ),
  status: v.fallback(replyStatusSchema, 'interrupted'),
  error: v.optional(errorSchema),
  notice: optionalText,
  /** Says that the reply is for another version than the installed one. Shown above the reply. */
  versionNote: optionalText,
  /** Quotes of the reply's sources, by `sourceId`: plain text or Markdown. */
  quotes: v.optional(v.record(text, text)),
  /** `ThreadSite.id` of the site that was asked. No other site gets the reply's metadata. */
  siteId: optionalText,
  /** Metadata of the service, which is sent back with the message. */
  metadata: v.optional(metadata),
});

const questionSchema = v.object({
  role: v.literal('user'),
  id: text,
  /** ID of the message before it. Absent for the first message of a thread. */
  parentId: optionalText,
  /** ISO 8601. */
  createdAt: text,
  text,
  contextItems: v.array(contextItemSchema),
  /** Attached files. Absent if there are none. */
  files: v.optional(v.array(attachmentSchema)),
  /** Name of the installed package that the question was narrowed to. */
  package: optionalText,
});

const messageSchema = v.variant('role', [questionSchema, replySchema]);

const serviceThreadSchema = v.object({
  origin: text,
  domain: text,
  threadId: text,
  /** Whether the service gave a key for the thread. The key is in secret storage. */
  hasKey: v.boolean(),
});

const storedSchema = v.object({
  schemaVersion: v.literal(SCHEMA_VERSION),
  id: v.pipe(text, v.minLength(1)),
  /** Title, made from the first question. Empty before the first question. */
  title: text,
  createdAt: text,
  updatedAt: text,
  /** Site of the thread. Absent until the first question. */
  site: v.optional(v.object({ id: text, label: text })),
  serviceThread: v.optional(serviceThreadSchema),
  /** The branch that is shown, from the first question on. */
  messages: v.array(messageSchema),
  /** Messages of the other branches, in no order. */
  // An unreadable branch must not make the shown one unreadable.
  others: v.optional(
    v.pipe(
      v.array(v.fallback(v.nullable(messageSchema), null)),
      v.transform((messages) => messages.filter((message) => message !== null)),
    ),
    [],
  ),
});

export type Attachment = Parsed<typeof attachmentSchema>;

export type Question = Parsed<typeof questionSchema>;

export type Reply = Parsed<typeof replySchema>;

export type ThreadMessage = Question | Reply;

/** The thread as one service knows it. Never sent to another origin or domain. */
export type ServiceThread = Parsed<typeof serviceThreadSchema>;

/** A thread as we store it. `id` is ours, and `serviceThread.threadId` is the platform's. */
export interface Thread extends Omit<Parsed<typeof storedSchema>, 'schemaVersion' | 'others'> {
  /** Messages of the other branches; absent if there are none. */
  readonly others?: readonly ThreadMessage[];
}

/** Returns the start of a question's first line that isn't blank. */
export function titleOf(question: string): string {
  const line = question.trim().split(/[\r\n]/, 1)[0] ?? '';
  return line.length <= MAX_TITLE_LENGTH ? line : `${cutText(line, MAX_TITLE_LENGTH - 1).trim()}…`;
}

/**
 * Returns the messages with running replies shown as interrupted, unless they run in this window.
 * The record keeps their status, because another window may still be reading them.
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

/** Returns the messages without the metadata that other sites attached to their replies. */
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

/** Returns the thread as plain JSON for storage. It contains neither keys nor thread keys. */
export function storedThread(thread: Thread): unknown {
  return { schemaVersion: SCHEMA_VERSION, ...thread };
}

/**
 * Parses a thread that {@link storedThread} returned. Unknown fields, parts and statuses, which a
 * newer version can have written, are dropped. Required fields must be exact. Every message of the
 * shown branch gets its parent's ID.
 * @returns undefined for another `schemaVersion` and for corrupt data.
 */
export function parseStoredThread(record: unknown): Thread | undefined {
  const parsed = v.safeParse(storedSchema, record);
  if (!parsed.success) return undefined;
  const { schemaVersion: _schemaVersion, others, ...thread } = parsed.output;
  return withoutUndefined({
    ...thread,
    messages: linked(thread.messages),
    others: others.length > 0 ? others : undefined,
  });
}

/**
 * Returns the messages of a shown branch, each once and with its parent. They are in order, so the order decides.
 */
export function linked(messages: readonly ThreadMessage[]): ThreadMessage[] {
  const unlike = [...new Map(messages.map((message) => [message.id, message])).values()];
  return unlike.map((message, index) => {
    const parentId = unlike[index - 1]?.id;
    if (message.parentId === parentId) return message;
    const { parentId: _parentId, ...rest } = message;
    return parentId === undefined ? rest : { ...rest, parentId };
  });
}
