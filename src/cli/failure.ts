import { describeError } from '../common/describeError';
import { DocsAssistantError, ReportedError, type Translate } from '../common/errors';
import { DocsError } from '../docs/docsError';
import { plainLine } from '../shared/characters';
import type { ErrorCode } from '../shared/errorInfo';
import { durationText } from '../shared/units';
import { CliError, exitCodes, type Failure, Interrupted, type CliContext } from './context';

const codesByExit = new Map<number, string>(
  Object.entries({
    usage: 'usage',
    notSetUp: 'not-set-up',
    key: 'key',
    notFound: 'not-found',
    rateLimit: 'rate-limited',
    service: 'service',
    incomplete: 'incomplete',
    noAnswer: 'no-answer',
    plan: 'plan',
    jobFailed: 'job-failed',
    checkFailed: 'check-failed',
    file: 'file',
    timedOut: 'timed-out',
  } as const).map(([name, code]) => [exitCodes[name as keyof typeof exitCodes], code]),
);

/** Returns the message and the exit code for an error. */
export async function failureOf(error: unknown, t: Translate): Promise<Failure> {
  if (error instanceof Interrupted) {
    return { exitCode: error.exitCode, code: 'interrupted', message: t('Interrupted.') };
  }
  if (error instanceof CliError) {
    const { exitCode, message } = error;
    return {
      exitCode,
      code: codesByExit.get(exitCode) ?? 'unexpected',
      message: plainLine(message),
    };
  }
  if (error instanceof DocsAssistantError) return askFailure(error, t);
  if (error instanceof DocsError) {
    return { exitCode: exitCodes.usage, code: 'usage', message: plainLine(error.message) };
  }
  if (error instanceof ReportedError) {
    // Most commands never need the texts of static export.
    const { exportFailure } = await import('./export/exportFailure');
    const failure = exportFailure(error, t);
    if (failure) return failure;
  }
  const name = error instanceof Error ? error.name : typeof error;
  return {
    exitCode: exitCodes.unexpected,
    code: 'unexpected',
    message: t('Something went wrong ({0}). Try again with --verbose.', name),
  };
}

/** Returns the message and the exit code for an error of a question. */
export function askFailure(error: DocsAssistantError, t: Translate): Failure {
  const { code, details } = error;
  const { message, retryAt } = describeError(error, t);
  const own = askFailures[code];
  return {
    exitCode: own.exitCode,
    code,
    message: plainLine(own.message?.(t, details) ?? message),
    retryAt,
  };
}

/** An error of a question as the command line reports it. */
interface AskFailureRow {
  readonly exitCode: number;
  /** Sentence in place of the usual one, which mentions VS Code. */
  readonly message?: (t: Translate, details: DocsAssistantError['details']) => string;
}

const { usage, notSetUp, key, notFound, rateLimit, service, incomplete, unexpected } = exitCodes;

/** The exit code of every error of a question: a new code doesn't compile without a row. */
const askFailures: Readonly<Record<ErrorCode, AskFailureRow>> = {
  'empty-question': {
    exitCode: usage,
    message: (t) => t('Ask a question: docs-assistant ask "…"'),
  },
  'question-too-long': {
    exitCode: usage,
    message: (t) => t('The question is too long. Shorten it, or attach the text with --code.'),
  },
  'too-large': { exitCode: usage },
  'bad-request': { exitCode: usage },
  'file-refused': { exitCode: usage, message: (t) => t('A file can’t be attached.') },
  'too-many-files': { exitCode: usage },
  'not-configured': { exitCode: notSetUp },
  'assistant-air-gapped': { exitCode: notSetUp },
  'assistant-switched-off': { exitCode: notSetUp },
  redirected: { exitCode: notSetUp },
  'not-signed-in': {
    exitCode: key,
    message: (t, { host = '' }) =>
      t('Set DOCS_ASSISTANT_KEY to the assistant key of {0}, then try again.', host),
  },
  'key-rejected': { exitCode: key },
  forbidden: { exitCode: key },
  'unknown-site': { exitCode: notFound },
  'unknown-thread': { exitCode: notFound },
  'rate-limited': { exitCode: rateLimit },
  offline: { exitCode: service },
  'timed-out': {
    exitCode: service,
    message: (t, { host = '', seconds = 0 }) =>
      t('{0} sent no data for {1} s. Try again, or raise --timeout.', host, seconds),
  },
  'insecure-connection': { exitCode: service },
  'proxy-refused': {
    exitCode: service,
    message: (t) =>
      t(
        'Your network proxy requires authentication (HTTP 407). Add the user name and password to the proxy’s URL, then try again.',
      ),
  },
  'service-down': { exitCode: service },
  'service-error': { exitCode: service },
  'unexpected-html': { exitCode: service },
  'empty-reply': { exitCode: service },
  'bad-stream': { exitCode: service },
  'connection-lost': { exitCode: incomplete },
  'reply-running': { exitCode: unexpected },
  'secret-store-failed': { exitCode: unexpected },
  'thread-gone': { exitCode: unexpected },
  'other-site': { exitCode: unexpected },
  'docs-not-served': { exitCode: unexpected },
  'selection-gone': { exitCode: unexpected },
  unexpected: { exitCode: unexpected },
};

/**
 * Prints a failure on stderr. An interruption needs no message.
 * @returns the exit code.
 */
export async function reportFailure(
  error: unknown,
  { stderr, signal, t }: Pick<CliContext, 'stderr' | 'signal' | 't'>,
  now: number = Date.now(),
): Promise<number> {
  // The interruption causes the errors that follow it.
  const cause: unknown = signal.aborted ? signal.reason : error;
  const { exitCode, message, retryAt } = await failureOf(cause, t);
  if (!(cause instanceof Interrupted)) stderr.line(withWait(message, retryAt, now, t));
  return exitCode;
}

function withWait(message: string, retryAt: number | undefined, now: number, t: Translate): string {
  if (retryAt === undefined || retryAt <= now) return message;
  // A wait that is over needs no mention.
  const wait = Math.ceil((retryAt - now) / 1000) * 1000;
  return `${message} ${t('Try again in {0}.', durationText(wait, t))}`;
}
