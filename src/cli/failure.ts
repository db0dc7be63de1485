import { describeError, DocsAssistantError, ReportedError, type Translate } from '../common/errors';
import { LocalServiceError } from '../localService/server/serviceError';
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
  if (error instanceof LocalServiceError) {
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
  return {
    exitCode: exitCodeOf(code),
    code,
    message: plainLine(ownSentence(code, details, t) ?? message),
    ...(retryAt === undefined ? {} : { retryAt }),
  };
}

/**
 * Returns the sentence for an error whose usual sentence mentions VS Code, or undefined for others.
 */
function ownSentence(
  code: ErrorCode,
  { host = '', seconds = 0 }: DocsAssistantError['details'],
  t: Translate,
): string | undefined {
  switch (code) {
    case 'empty-question':
      return t('Ask a question: docs-assistant ask "…"');
    case 'question-too-long':
      return t('The question is too long. Shorten it, or attach the text with --code.');
    case 'not-signed-in':
      return t('Set DOCS_ASSISTANT_KEY to the assistant key of {0}, then try again.', host);
    case 'timed-out':
      return t('{0} sent no data for {1} s. Try again, or raise --timeout.', host, seconds);
    case 'proxy-refused':
      return t(
        'Your network proxy requires authentication (HTTP 407). Add the user name and password to the proxy’s URL, then try again.',
      );
    case 'file-refused':
      return t('A file can’t be attached.');
    default:
      return undefined;
  }
}

function exitCodeOf(code: ErrorCode): number {
  switch (code) {
    case 'empty-question':
    case 'question-too-long':
    case 'too-large':
    case 'bad-request':
    case 'file-refused':
    case 'too-many-files':
      return exitCodes.usage;
    case 'not-configured':
    case 'assistant-air-gapped':
    case 'assistant-switched-off':
    case 'redirected':
      return exitCodes.notSetUp;
    case 'not-signed-in':
    case 'key-rejected':
    case 'forbidden':
      return exitCodes.key;
    case 'unknown-site':
    case 'unknown-thread':
      return exitCodes.notFound;
    case 'rate-limited':
      return exitCodes.rateLimit;
    case 'offline':
    case 'timed-out':
    case 'insecure-connection':
    case 'proxy-refused':
    case 'service-down':
    case 'service-error':
    case 'unexpected-html':
    case 'empty-reply':
    case 'bad-stream':
      return exitCodes.service;
    case 'connection-lost':
      return exitCodes.incomplete;
    default:
      return exitCodes.unexpected;
  }
}

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
  if (!(cause instanceof Interrupted)) stderr.write(`${withWait(message, retryAt, now, t)}\n`);
  return exitCode;
}

function withWait(message: string, retryAt: number | undefined, now: number, t: Translate): string {
  if (retryAt === undefined || retryAt <= now) return message;
  // A wait that is over needs no mention.
  const wait = Math.ceil((retryAt - now) / 1000) * 1000;
  return `${message} ${t('Try again in {0}.', durationText(wait, t))}`;
}
