import type { ContextItem } from '../context/contextItem';
import type { ErrorInfo } from '../shared/errorInfo';
import type { MessagePart, ReplyStatus } from '../shared/uiMessage';

export interface Question {
  readonly role: 'user';
  readonly id: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly text: string;
  readonly contextItems: readonly ContextItem[];
}

export interface Reply {
  readonly role: 'assistant';
  readonly id: string;
  readonly createdAt: string;
  readonly parts: readonly MessagePart[];
  readonly status: ReplyStatus;
  readonly error?: ErrorInfo;
  readonly notice?: string;
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
  /** From the first question; empty before it. */
  readonly title: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly serviceThread?: ServiceThread;
  readonly messages: readonly ThreadMessage[];
}
