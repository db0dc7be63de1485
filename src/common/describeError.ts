/** Sentences and actions of errors. They load with the first error, not at the start of a window. */
import type { ErrorAction, ErrorCode, ErrorInfo } from '../shared/errorInfo';
import { type ErrorDetails, knownError, plainTranslate, type Translate } from './errors';

/** The sentence and the actions of every code: a new code doesn't compile without an entry. */
export type ErrorTable<
  Code extends string,
  Action extends string,
  Details extends ErrorDetails = ErrorDetails,
> = Readonly<
  Record<
    Code,
    {
      readonly message: (t: Translate, details: Details) => string;
      readonly actions: readonly Action[];
    }
  >
>;

/** An error in the reader's language, with the actions that can help. */
export interface ErrorDescription<Code extends string = string, Action extends string = string> {
  readonly code: Code;
  readonly message: string;
  readonly actions: readonly Action[];
  /** Milliseconds since the epoch from which a retry may succeed. */
  readonly retryAt?: number;
}

/** Returns the description of an error by the table of its class. */
export function describedBy<
  Code extends string,
  Action extends string,
  Details extends ErrorDetails,
>(
  table: ErrorTable<Code, Action, Details>,
  { code, details }: { readonly code: Code; readonly details: Details },
  translate: Translate,
): ErrorDescription<Code, Action> {
  const { message, actions } = table[code];
  const { retryAt } = details;
  return {
    code,
    message: message(translate, details),
    actions,
    retryAt,
  };
}

/** Returns the sentence with the service's own words behind it, if there are any. */
export function withServiceMessage(sentence: string, { serviceMessage }: ErrorDetails): string {
  return serviceMessage === undefined ? sentence : `${sentence} (${serviceMessage})`;
}

const hostOf = (details: ErrorDetails): string => details.host ?? 'the docs service';
const said = withServiceMessage;

function tooManyRequests(t: Translate, { limit }: ErrorDetails): string {
  switch (limit) {
    case 'organization':
      return t(
        'Too many requests. Your organization may have reached its limit of 10,000 requests per hour.',
      );
    case 'address':
      return t(
        'Too many requests. Your IP address may have reached its limit of 10,000 requests per day.',
      );
    case undefined:
      return t('Too many requests. Wait a moment, then try again.');
  }
}

const descriptions: ErrorTable<ErrorCode, ErrorAction> = {
  'empty-question': {
    message: (t) => t('Type a question first.'),
    actions: [],
  },
  'question-too-long': {
    message: (t) => t('The question is too long. Shorten it, or attach the text as a selection.'),
    actions: [],
  },
  'reply-running': {
    message: (t) => t('A reply is still being written. Stop it or wait until it ends.'),
    actions: [],
  },
  'not-configured': {
    message: (t) =>
      t('No docs site is set up yet. Set one up, or choose docs to ask without an account.'),
    actions: ['set-up-site', 'choose-docs', 'retry'],
  },
  'assistant-air-gapped': {
    message: (t) =>
      t(
        'The assistant isn’t available for air-gapped sites because it needs the docs platform’s cloud. You can choose docs on this machine, such as the site’s bundle, and ask them.',
      ),
    actions: ['choose-docs', 'show-features'],
  },
  'assistant-switched-off': {
    message: (t) =>
      t(
        'The assistant is turned off for this client-hosted site. You can choose docs on this machine, such as the site’s bundle, and ask them.',
      ),
    actions: ['choose-docs', 'show-features'],
  },
  'not-signed-in': {
    message: (t, d) =>
      d.signsIn === true
        ? t(
            'You aren’t signed in to {0}. Sign in or set an assistant key, then try again.',
            hostOf(d),
          )
        : t('No assistant key is saved for {0}. Set the key, then try again.', hostOf(d)),
    actions: ['set-assistant-key', 'retry'],
  },
  'key-rejected': {
    message: (t, d) =>
      said(
        t(
          '{0} rejected the assistant key. The key is wrong, expired, or revoked. Set a new key, then try again.',
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
          '{0} refused the request. The plan may not include the assistant, the key may be for another site, or your IP address may not be allowed. Contact the docs site’s administrator.',
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
          'No docs site named “{1}” exists at {0}. Check the site and the base URL.',
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
        'The docs service no longer has this thread. Try again to ask in a new one. Everything above stays here.',
      ),
    actions: ['retry'],
  },
  'bad-request': {
    message: (t, d) =>
      said(t('The docs service didn’t accept the question. Change it and send it again.'), d),
    actions: ['retry', 'open-log'],
  },
  'too-large': {
    message: (t, d) =>
      said(
        t(
          'The question is too large for the docs service. Attach fewer or smaller files and selections.',
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
        ? t('Can’t reach {0}. Check your network and the base URL, then try again.', hostOf(d))
        : t(
            'Can’t reach {0} ({1}). Check your network and the base URL, then try again.',
            hostOf(d),
            d.causeCode,
          ),
    actions: ['retry', 'open-settings', 'check-setup'],
  },
  'timed-out': {
    message: (t, d) =>
      t(
        '{0} sent no data for {1} s. Try again, or increase the timeout in the settings.',
        hostOf(d),
        d.seconds ?? 0,
      ),
    actions: ['retry', 'open-settings'],
  },
  'insecure-connection': {
    message: (t, d) =>
      t(
        'The secure connection to {0} failed ({1}). Check the URL, this machine’s clock, and its trusted certificates.',
        hostOf(d),
        d.causeCode ?? 'TLS',
      ),
    actions: ['retry', 'open-settings', 'check-setup'],
  },
  redirected: {
    message: (t, d) =>
      t(
        'The docs service redirects to {0}. The key was not sent there. If you trust that host, use it in the base URL.',
        hostOf(d),
      ),
    actions: ['set-up-site'],
  },
  'proxy-refused': {
    message: (t) =>
      t(
        'Your network proxy requires authentication (HTTP 407). Check VS Code’s proxy settings, then try again.',
      ),
    actions: ['retry', 'open-settings', 'check-setup'],
  },
  'service-down': {
    message: (t, d) =>
      said(
        t(
          '{0} is temporarily unavailable (HTTP {1}). Try again in a moment.',
          hostOf(d),
          d.status ?? 500,
        ),
        d,
      ),
    actions: ['retry'],
  },
  'unexpected-html': {
    message: (t, d) =>
      said(
        t(
          '{0} sent a web page instead of a reply. The cause can be a sign-in page, a proxy, or a wrong base URL.',
          hostOf(d),
        ),
        d,
      ),
    actions: ['retry', 'set-up-site', 'check-setup'],
  },
  'empty-reply': {
    message: (t, d) => t('{0} sent an empty reply. Try again.', hostOf(d)),
    actions: ['retry'],
  },
  'bad-stream': {
    message: (t, d) =>
      said(
        t('{0} sent data that isn’t a reply. Any readable part is kept. Try again.', hostOf(d)),
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
        'The connection was lost before the reply was complete. The received part is kept. Try again to ask once more.',
      ),
    actions: ['retry'],
  },
  'secret-store-failed': {
    message: (t) =>
      t(
        'VS Code’s secret storage isn’t available, so keys can’t be read or saved. Keys are never stored elsewhere. Unlock or install the system’s keyring, then try again.',
      ),
    actions: ['retry', 'open-log'],
  },
  'file-refused': {
    message: (t, d) => said(t('This file can’t be attached.'), d),
    actions: [],
  },
  'too-many-files': {
    message: (t, d) => said(t('You can’t attach more files to this question.'), d),
    actions: [],
  },
  'other-site': {
    message: (t, d) =>
      t('This thread belongs to {0}. Switch to that site to continue it.', d.domain ?? ''),
    actions: ['switch-site'],
  },
  'docs-not-served': {
    message: (t) =>
      t(
        'The docs that this workspace answers from can’t be served. Your question wasn’t sent. Choose docs, or send it again to ask the site of this window.',
      ),
    actions: ['choose-docs'],
  },
  'thread-gone': {
    message: (t) => t('This thread no longer exists.'),
    actions: [],
  },
  'selection-gone': {
    message: (t) =>
      t(
        'The selection that you asked about no longer exists. Insert the code at the cursor instead.',
      ),
    actions: [],
  },
  unexpected: {
    message: (t) => t('Something went wrong. See the log for details.'),
    actions: ['retry', 'open-log'],
  },
};

/**
 * Returns an error as a person and the webview get it. An error of any other class is described as
 * `unexpected`.
 */
export function describeError(error: unknown, translate: Translate = plainTranslate): ErrorInfo {
  return describedBy(descriptions, knownError(error), translate);
}
