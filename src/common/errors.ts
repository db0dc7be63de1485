import type { ErrorAction, ErrorCode, ErrorInfo } from '../shared/errorInfo';
import { fill } from '../shared/viewStrings';

/** What an error's sentence may mention. Values are redacted and cut before they get here. */
export interface ErrorDetails {
  readonly status?: number | undefined;
  /** Host (with port) that the request went to; never a full URL. */
  readonly host?: string | undefined;
  readonly domain?: string | undefined;
  /** The service's own sentence, redacted and at most 500 characters. */
  readonly serviceMessage?: string | undefined;
  /** Milliseconds since the epoch from which a retry may succeed. */
  readonly retryAt?: number | undefined;
  /** Documented limit that the service's wait fits (platform-api.md § Limits). */
  readonly limit?: 'organization' | 'address' | undefined;
  /** Whole seconds without a byte. */
  readonly seconds?: number | undefined;
  /** The system's cause code, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`. */
  readonly causeCode?: string | undefined;
  readonly cause?: unknown;
}

/** A failure that a person can be told about. `code` is stable; sentences may change. */
export class DocsAssistantError extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly details: ErrorDetails = {},
  ) {
    super(code, { cause: details.cause });
    this.name = 'DocsAssistantError';
  }
}

/**
 * Puts `{0}`-style arguments into a sentence in the reader's language: `vscode.l10n.t` in the
 * workbench, {@link plainTranslate} elsewhere.
 */
export type Translate = (message: string, ...args: (string | number)[]) => string;

/** English, for tests and tools. */
export const plainTranslate: Translate = fill;

interface Description {
  readonly message: (t: Translate, details: ErrorDetails) => string;
  readonly actions: readonly ErrorAction[];
}

const hostOf = (details: ErrorDetails): string => details.host ?? 'the docs service';
const said = (sentence: string, details: ErrorDetails): string =>
  details.serviceMessage === undefined ? sentence : `${sentence} (${details.serviceMessage})`;

function tooManyRequests(t: Translate, { limit }: ErrorDetails): string {
  switch (limit) {
    case 'organization':
      return t(
        'Too many requests. Your organization may have reached its limit of 10,000 requests an hour.',
      );
    case 'address':
      return t(
        'Too many requests. Your IP address may have reached its limit of 10,000 requests a day.',
      );
    case undefined:
      return t('Too many requests. Wait a moment, then retry.');
  }
}

/** Every code has its sentence and its way out: a new code does not compile without. */
const descriptions: Record<ErrorCode, Description> = {
  'empty-question': {
    message: (t) => t('Type a question first.'),
    actions: [],
  },
  'question-too-long': {
    message: (t) =>
      t('The question is too long. Shorten it, or attach the long text as a selection.'),
    actions: [],
  },
  'reply-running': {
    message: (t) => t('A reply is still running. Stop it or wait for it, then ask.'),
    actions: [],
  },
  'not-configured': {
    message: (t) =>
      t('No docs site is set up yet. Set one up, or start the local docs service, then ask again.'),
    actions: ['set-up-site', 'start-local-service'],
  },
  'assistant-air-gapped': {
    message: (t) =>
      t(
        'The assistant is not available for an air-gapped site, as it needs the docs platform’s cloud. The local docs service answers from a folder of docs on this machine instead.',
      ),
    actions: ['start-local-service', 'open-settings'],
  },
  'assistant-switched-off': {
    message: (t) =>
      t(
        'The settings say that this client-hosted site has no assistant. The local docs service answers from a folder of docs on this machine instead.',
      ),
    actions: ['start-local-service', 'open-settings'],
  },
  'not-signed-in': {
    message: (t, d) =>
      t('There is no assistant key for {0} yet. Set the key, then retry.', hostOf(d)),
    actions: ['set-assistant-key', 'retry'],
  },
  'key-rejected': {
    message: (t, d) =>
      said(
        t(
          '{0} did not accept the assistant key: it is wrong, expired or revoked. Set a new key, then retry.',
          hostOf(d),
        ),
        d,
      ),
    actions: ['set-assistant-key', 'retry'],
  },
  forbidden: {
    message: (t, d) =>
      said(
        t(
          '{0} refused this request. The plan may not include the assistant, the key may be for another site, or your network address may not be allowed. Ask whoever manages the docs site.',
          hostOf(d),
        ),
        d,
      ),
    actions: ['set-up-site', 'retry'],
  },
  'unknown-site': {
    message: (t, d) =>
      said(
        t(
          '{0} knows no docs site “{1}”. Check the site and the base address.',
          hostOf(d),
          d.domain ?? '',
        ),
        d,
      ),
    actions: ['set-up-site', 'retry'],
  },
  'unknown-thread': {
    message: (t) =>
      t(
        'The docs service no longer knows this conversation. Retry asks the question in a new thread; everything above stays here.',
      ),
    actions: ['retry'],
  },
  'bad-request': {
    message: (t, d) =>
      said(t('The docs service did not accept the question. Change it and send it again.'), d),
    actions: ['retry', 'open-log'],
  },
  'too-large': {
    message: (t, d) =>
      said(
        t(
          'The question with its files and selections is too large for the docs service. Ask again with fewer or smaller ones.',
        ),
        d,
      ),
    actions: ['retry'],
  },
  'rate-limited': {
    message: (t, d) => said(tooManyRequests(t, d), d),
    actions: ['retry'],
  },
  offline: {
    message: (t, d) =>
      d.causeCode === undefined
        ? t('Cannot reach {0}. Check the network and the base address, then retry.', hostOf(d))
        : t(
            'Cannot reach {0} ({1}). Check the network and the base address, then retry.',
            hostOf(d),
            d.causeCode,
          ),
    actions: ['retry', 'open-settings'],
  },
  'timed-out': {
    message: (t, d) =>
      t(
        'No data from {0} for {1} s. Retry, or raise the time-out in the settings.',
        hostOf(d),
        d.seconds ?? 0,
      ),
    actions: ['retry', 'open-settings'],
  },
  'insecure-connection': {
    message: (t, d) =>
      t(
        'The secure connection to {0} failed ({1}). Check the address, the clock and the certificates that this machine trusts.',
        hostOf(d),
        d.causeCode ?? 'TLS',
      ),
    actions: ['retry', 'open-settings'],
  },
  redirected: {
    message: (t, d) =>
      t(
        'The docs service redirects to {0}. The key is not sent there. If that address is right, set it as the base address.',
        hostOf(d),
      ),
    actions: ['set-up-site'],
  },
  'proxy-refused': {
    message: (t) =>
      t('The network proxy wants a sign-in (407). Check VS Code’s proxy settings, then retry.'),
    actions: ['retry', 'open-settings'],
  },
  'service-down': {
    message: (t, d) =>
      said(
        t('{0} has a problem at its end ({1}). Retry in a moment.', hostOf(d), d.status ?? 500),
        d,
      ),
    actions: ['retry'],
  },
  'unexpected-html': {
    message: (t, d) =>
      said(
        t(
          '{0} sent a web page, not a reply. A sign-in page, a proxy or a wrong base address can be the cause.',
          hostOf(d),
        ),
        d,
      ),
    actions: ['retry', 'set-up-site'],
  },
  'empty-reply': {
    message: (t, d) => t('{0} sent an empty reply. Retry.', hostOf(d)),
    actions: ['retry'],
  },
  'bad-stream': {
    message: (t, d) =>
      said(
        t('{0} sent something that is not a reply. What could be read is kept; retry.', hostOf(d)),
        d,
      ),
    actions: ['retry', 'open-log'],
  },
  'service-error': {
    message: (t, d) => said(t('The docs service reported an error.'), d),
    actions: ['retry'],
  },
  'connection-lost': {
    message: (t) =>
      t(
        'The connection was lost before the reply was complete. What arrived is kept; retry asks again.',
      ),
    actions: ['retry'],
  },
  'secret-store-failed': {
    message: (t) =>
      t(
        'VS Code’s secret storage does not work here, so the key cannot be read or kept. It is never stored elsewhere. Unlock or install the system’s keyring, then try again.',
      ),
    actions: ['retry', 'open-log'],
  },
  'file-refused': {
    message: (t, d) => said(t('This file cannot be attached.'), d),
    actions: [],
  },
  'too-many-files': {
    message: (t, d) => said(t('No more files fit into one question. Remove one first.'), d),
    actions: [],
  },
  'thread-gone': {
    message: (t) => t('This conversation is not there any more.'),
    actions: [],
  },
  'selection-gone': {
    message: (t) =>
      t(
        'The selection that was asked about cannot be found any more. Insert the code at the cursor instead.',
      ),
    actions: [],
  },
  unexpected: {
    message: (t) => t('Something unexpected went wrong. The log says more.'),
    actions: ['retry', 'open-log'],
  },
};

/** The error as a person and the webview get it. Anything that is not ours becomes `unexpected`. */
export function describeError(error: unknown, translate: Translate = plainTranslate): ErrorInfo {
  const known = error instanceof DocsAssistantError ? error : new DocsAssistantError('unexpected');
  const { message, actions } = descriptions[known.code];
  return {
    code: known.code,
    message: message(translate, known.details),
    actions,
    ...(known.details.retryAt === undefined ? {} : { retryAt: known.details.retryAt }),
  };
}
