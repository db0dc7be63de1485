/** What can go wrong while asking. Stable: logs, tests and the webview rely on the words. */
export const errorCodes = [
  'empty-question',
  'question-too-long',
  'reply-running',
  'not-configured',
  'assistant-air-gapped',
  'assistant-switched-off',
  'not-signed-in',
  'key-rejected',
  'forbidden',
  'unknown-site',
  'unknown-thread',
  'bad-request',
  'too-large',
  'rate-limited',
  'offline',
  'timed-out',
  'insecure-connection',
  'redirected',
  'proxy-refused',
  'service-down',
  'unexpected-html',
  'empty-reply',
  'bad-stream',
  'service-error',
  'connection-lost',
  'secret-store-failed',
  'file-refused',
  'too-many-files',
  'thread-gone',
  'selection-gone',
  'unexpected',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** What a person can do about an error, offered as a button beside its sentence. */
export const errorActionNames = [
  'retry',
  'set-up-site',
  'set-assistant-key',
  'start-local-service',
  'open-settings',
  'open-log',
  'new-thread',
] as const;

export type ErrorAction = (typeof errorActionNames)[number];

/** An error as it crosses to the webview: plain text, no key, no stack, no URL with a query. */
export interface ErrorInfo {
  readonly code: ErrorCode;
  /** One or two sentences in the reader's language: what happened and what to do. */
  readonly message: string;
  readonly actions: readonly ErrorAction[];
  /** Milliseconds since the epoch from which a retry may succeed (rate limits). */
  readonly retryAt?: number;
}
