/**
 * The conversation as the host keeps it and the webview shows it. Parts carry the names of the
 * chat SDK's UI message parts (platform-api.md § Part), plus `search` for a service's search tool.
 */
import type { ErrorInfo } from './errorInfo';

/** What a service attached to a message or part for itself: plain JSON, limited in size. */
export type ServiceMetadata = Readonly<Record<string, unknown>>;

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

export interface ReasoningPart {
  readonly type: 'reasoning';
  readonly text: string;
  /** The service's own, to be sent back with the part. Stays in the host. */
  readonly providerMetadata?: ServiceMetadata;
}

/** A cited page. `url` is what the service sent: check its scheme before opening it. */
export interface SourcePart {
  readonly type: 'source-url';
  readonly sourceId: string;
  readonly url: string;
  readonly title?: string;
  /** As in {@link ReasoningPart}. */
  readonly providerMetadata?: ServiceMetadata;
}

/** A file in a reply. `url` may be `https:` or `data:`; it is never loaded by itself. */
export interface FilePart {
  readonly type: 'file';
  readonly mediaType: string;
  readonly url: string;
  readonly filename?: string;
}

/** Marks the start of a new step. */
export interface StepStartPart {
  readonly type: 'step-start';
}

/** A search that the service ran on the way to its reply (field-notes.md § Assistant messages). */
export interface SearchPart {
  readonly type: 'search';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly state: 'running' | 'done' | 'failed';
  readonly query?: string;
  readonly resultCount?: number;
}

export type MessagePart =
  TextPart | ReasoningPart | SourcePart | FilePart | StepStartPart | SearchPart;

/** Returns a part as the webview gets it: without what a service attached to it for itself. */
export function partView(part: MessagePart): MessagePart {
  if (!('providerMetadata' in part)) return part;
  const { providerMetadata: _providerMetadata, ...view } = part;
  return view;
}

/**
 * How a reply stands. `streaming` is the only state that changes by itself. `incomplete`: the
 * stream ended without an end marker. `interrupted`: the window closed or reloaded meanwhile.
 */
export const replyStatuses = [
  'waiting',
  'streaming',
  'complete',
  'stopped',
  'stopped-by-service',
  'incomplete',
  'interrupted',
  'failed',
] as const;

export type ReplyStatus = (typeof replyStatuses)[number];

/** True while the service may still add to the reply. */
export function isReplyRunning(status: ReplyStatus): boolean {
  return status === 'waiting' || status === 'streaming';
}

/** What a chip shows of a context item. The value itself stays in the host. */
export interface ContextItemView {
  readonly id: string;
  readonly type: 'code' | 'textSelection';
  /** File name, symbol or untitled name for the chip. */
  readonly label: string;
  /** Path as it is sent, with forward slashes; absent for untitled documents. */
  readonly path?: string;
  /** First and last line, counted from 1. */
  readonly startLine?: number;
  readonly endLine?: number;
  /** Characters (UTF-16 code units) of the value. */
  readonly length: number;
}

/** A file that a person attached. Its content stays in the host. */
export interface AttachmentView {
  readonly id: string;
  readonly filename: string;
  readonly mediaType: string;
  readonly sizeBytes: number;
}

/** Which of several versions of a message is shown; absent where there is only one. */
export interface BranchView {
  /** Counted from 0. */
  readonly index: number;
  /** At least 2. */
  readonly count: number;
}

export interface QuestionView {
  readonly role: 'user';
  readonly id: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly text: string;
  readonly contextItems: readonly ContextItemView[];
  /** Absent if there are none. */
  readonly files?: readonly AttachmentView[];
  readonly branch?: BranchView;
}

export interface ReplyView {
  readonly role: 'assistant';
  readonly id: string;
  readonly createdAt: string;
  readonly parts: readonly MessagePart[];
  readonly status: ReplyStatus;
  /** Shown once, below what was read of the reply. */
  readonly error?: ErrorInfo;
  /** A sentence beside the reply that is not an error, such as a new thread having begun. */
  readonly notice?: string;
  readonly branch?: BranchView;
}

export type MessageView = QuestionView | ReplyView;

/** The branch of a thread that is shown. */
export interface ThreadView {
  readonly id: string;
  readonly title: string;
  readonly messages: readonly MessageView[];
}
