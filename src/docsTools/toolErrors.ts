/** Errors of the docs tools, worded for a model: what to change, whether to call again, and when. */
import { type ErrorDetails, knownError, ReportedError } from '../common/errors';
import type { ErrorCode } from '../shared/errorInfo';

/** Program that calls the tools. It decides what a user can be asked to do. */
export type ToolCaller = 'vscode' | 'command-line' | 'service';

/** Codes of failures that only the docs tools have. */
type OwnToolErrorCode =
  | 'bad-input'
  | 'no-searchable-docs'
  | 'unknown-page'
  | 'busy'
  | 'site-changed';

type ToolErrorCode = ErrorCode | OwnToolErrorCode;

/**
 * A failure of a docs tool. Its `message` is for a model. `describeError` has the sentence for people
 * if `code` is one of asking.
 */
export class DocsToolError extends ReportedError {
  override readonly name = 'DocsToolError';

  constructor(
    override readonly code: ToolErrorCode,
    message: string,
    details: ErrorDetails = {},
  ) {
    super(code, details);
    this.message = message;
  }
}

interface Wording {
  readonly caller: ToolCaller;
  readonly details: ErrorDetails;
  readonly host: string;
  /** Whole seconds to wait, or undefined if the service named no time. */
  readonly wait: number | undefined;
}

/** Sentences that ask the user to do something, by the program that calls. */
const advice: Readonly<
  Record<ToolCaller, Record<'setUp' | 'chooseDocs' | 'setKey' | 'checkSite', string>>
> = {
  vscode: {
    setUp:
      'Ask the user to run “Docs Assistant: Choose Docs…” (a folder, an exported site, or the URL of a public site) or “Docs Assistant: Set Up Docs Site…” in VS Code',
    chooseDocs:
      'ask the user to run “Docs Assistant: Choose Docs…” in VS Code to choose docs that can be searched',
    setKey: 'Ask the user to run “Docs Assistant: Set Assistant Key…” in VS Code',
    checkSite: 'Ask the user to run “Docs Assistant: Set Up Docs Site…” in VS Code',
  },
  'command-line': {
    setUp:
      'Ask the user to start docs-assistant with --docs (a folder, an exported site, or the URL of a public site), or with --site and --base-url',
    chooseDocs:
      'ask the user to start docs-assistant with --docs to choose docs that can be searched',
    setKey:
      'Ask the user to put the assistant key of that site into the environment variable DOCS_ASSISTANT_KEY',
    checkSite: 'Ask the user to check --site and --base-url of docs-assistant',
  },
  service: {
    setUp: 'Ask the user which site of the docs service to use',
    chooseDocs: 'ask the user for a site of the docs service that can be searched',
    setKey: 'Ask the user for an assistant key of the docs service',
    checkSite: 'Ask the user to check the URL of the docs service',
  },
};

const UNTIL_DONE = 'Do not call this tool again until the user says that it is done.';
const NOT_AGAIN = 'Calling again will not help.';
const ONCE_MORE = 'You can call again once. If that fails too, tell the user.';

const sentences: Readonly<Record<ErrorCode, (wording: Wording) => string>> = {
  'empty-question': () => 'The question is empty. Call again with a question in “question”.',
  'question-too-long': () =>
    'The question is too long. Shorten it and put code into “code”, then call again.',
  'reply-running': () => `Another reply is still being written. ${ONCE_MORE}`,
  'not-configured': ({ caller }) =>
    `No docs are set up yet. ${advice[caller].setUp}. ${UNTIL_DONE}`,
  'assistant-air-gapped': ({ caller }) =>
    `The assistant of this air-gapped site cannot be reached. ${NOT_AGAIN} Instead, ${advice[caller].chooseDocs}.`,
  'assistant-switched-off': ({ caller }) =>
    `The assistant of this site is turned off in the settings. ${NOT_AGAIN} Instead, ${advice[caller].chooseDocs}.`,
  'not-signed-in': ({ caller, host }) =>
    `No assistant key is saved for ${host}. ${advice[caller].setKey}. Never ask for the key itself. ${UNTIL_DONE}`,
  'key-rejected': ({ caller, host }) =>
    `${host} rejected the assistant key: it is wrong, expired or revoked. ${advice[caller].setKey}. Never ask for the key itself. ${UNTIL_DONE}`,
  forbidden: ({ host }) =>
    `${host} refused the request: the plan may not include the assistant, the key may be for another site, or this IP address may not be allowed. ${NOT_AGAIN} Tell the user to contact the administrator of the docs.`,
  'unknown-site': ({ caller, host, details }) =>
    `No docs site named “${details.domain ?? ''}” exists at ${host}. ${advice[caller].checkSite}. ${UNTIL_DONE}`,
  'unknown-thread': () => `The docs service no longer has this conversation. ${ONCE_MORE}`,
  'bad-request': () =>
    'The docs service did not accept the question. Change the question or leave out the code, then call again.',
  'too-large': () =>
    'The question with its code is too large for the docs service. Send less code, then call again.',
  'rate-limited': ({ wait }) =>
    wait === undefined
      ? 'The docs service received too many requests. Call again in a minute, not sooner.'
      : `The docs service received too many requests. Call again in ${secondsText(wait)}, not sooner.`,
  offline: ({ host }) =>
    `${host} cannot be reached. Nothing was asked. ${ONCE_MORE} The network or the URL of the site can be the cause.`,
  'timed-out': ({ host, details }) =>
    `${host} sent nothing for ${secondsText(details.seconds ?? 0)}. ${ONCE_MORE}`,
  'insecure-connection': ({ host }) =>
    `The secure connection to ${host} failed. ${NOT_AGAIN} Tell the user to check the URL, the clock of this machine, and its trusted certificates.`,
  redirected: ({ host }) =>
    `The docs service redirects to ${host}, and the key was not sent there. ${NOT_AGAIN} Tell the user to check the URL of the site.`,
  'proxy-refused': () =>
    `The network proxy requires authentication (HTTP 407). ${NOT_AGAIN} Tell the user to check the proxy settings.`,
  'service-down': ({ host, details, wait }) =>
    `${host} is temporarily unavailable (HTTP ${details.status ?? 500}). You can call again once, in ${secondsText(wait ?? 30)}. If that fails too, tell the user.`,
  'unexpected-html': ({ host }) =>
    `${host} sent a web page instead of an answer. ${NOT_AGAIN} Tell the user: a sign-in page, a proxy, or a wrong URL can be the cause.`,
  'empty-reply': ({ host }) => `${host} sent an empty answer. ${ONCE_MORE}`,
  'bad-stream': ({ host }) => `${host} sent data that is no answer. ${ONCE_MORE}`,
  'service-error': () => `The docs service reported an error. ${ONCE_MORE}`,
  'connection-lost': () => `The connection was lost before the answer was complete. ${ONCE_MORE}`,
  'secret-store-failed': () =>
    `The secret storage of VS Code is not available, so the key cannot be read. ${NOT_AGAIN} Tell the user to unlock or install the keyring of the system.`,
  'file-refused': () => `A file cannot be attached. ${NOT_AGAIN}`,
  'too-many-files': () => `There are too many files. ${NOT_AGAIN}`,
  'other-site': () => `The thread belongs to another docs site. ${NOT_AGAIN}`,
  'docs-not-served': () =>
    `The docs that the window answers from cannot be served. ${NOT_AGAIN} Tell the user to choose docs.`,
  'thread-gone': () => `The thread no longer exists. ${NOT_AGAIN}`,
  'selection-gone': () => `The selection no longer exists. ${NOT_AGAIN}`,
  unexpected: () =>
    'Something went wrong inside Docs Assistant. Nothing is known to help. Tell the user that its log has the details.',
};

/**
 * Returns the error of a failed call, worded for a model. A {@link DocsToolError} is returned as it
 * is. An error of no known class becomes `unexpected` and tells nothing of itself, because it can
 * contain paths.
 * @param now milliseconds since the epoch, from which a wait is counted.
 */
export function toolError(error: unknown, caller: ToolCaller, now: number): DocsToolError {
  if (error instanceof DocsToolError) return error;
  const { code, details } = knownError(error);
  const { retryAt, serviceMessage } = details;
  const wait = retryAt === undefined ? undefined : Math.max(1, Math.ceil((retryAt - now) / 1000));
  const host = details.host ?? 'The docs service';
  const sentence = sentences[code]({ caller, details, host, wait });
  const said = serviceMessage === undefined ? '' : ` The service said: “${serviceMessage}”`;
  const { cause: _cause, ...harmless } = details;
  return new DocsToolError(code, `${sentence}${said}`, harmless);
}

function secondsText(seconds: number): string {
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}

/** Returns the error for input that a tool can't take. The sentence names the field. */
export function badInput(sentence: string): DocsToolError {
  return new DocsToolError('bad-input', `${sentence} Change the input, then call again.`);
}

/** Returns the error for docs that can't be searched or read, because they are on a hosted site. */
export function noSearchableDocs(label: string, caller: ToolCaller): DocsToolError {
  return new DocsToolError(
    'no-searchable-docs',
    `“${label}” is a hosted docs site, which can be asked but not searched or read. Call ask_docs instead, or ${advice[caller].chooseDocs}. Calling this tool again will not help until then.`,
  );
}
