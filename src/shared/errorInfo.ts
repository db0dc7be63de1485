import * as v from 'valibot';
import type { Parsed } from './schemas';

/**
 * Codes of errors while asking. They are stable, because logs, tests and the webview rely on them.
 */
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
  'other-site',
  'docs-not-served',
  'selection-gone',
  'unexpected',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** Actions that can help after an error, offered as buttons beside its sentence. */
export const errorActionNames = [
  'retry',
  'set-up-site',
  'set-assistant-key',
  'check-setup',
  'choose-docs',
  'ask-installed',
  'start-local-service',
  'open-settings',
  'open-log',
  'new-thread',
  'answer-with',
  'switch-site',
  'filter-docs',
  'show-features',
] as const;

export type ErrorAction = (typeof errorActionNames)[number];

/** Schema of docs on this machine that can answer instead of the site whose request failed. */
export const keptDocsSchema = v.object({
  /** ID of the kept set. */
  id: v.string(),
  /** Name of the docs. */
  label: v.string(),
  /** Time at which their pages were last fetched or read, in milliseconds since the epoch. */
  fetchedAt: v.optional(v.number()),
});

export type KeptDocs = Parsed<typeof keptDocsSchema>;

export const errorInfoSchema = v.object({
  code: v.picklist(errorCodes),
  /** One or two sentences in the reader's language: what happened and what to do. */
  message: v.string(),
  actions: v.array(v.picklist(errorActionNames)),
  /** Milliseconds since the epoch from which a retry may succeed (rate limits). */
  retryAt: v.optional(v.number()),
  keptDocs: v.optional(keptDocsSchema),
});

/** An error as it crosses to the webview: plain text, no key, no stack, no URL with a query. */
export type ErrorInfo = Parsed<typeof errorInfoSchema>;
