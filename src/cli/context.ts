import type { Translate } from '../common/errors';
import type { Clock } from '../common/ports';
import type { Output } from './output';

/** Streams, environment and folders of a command. Tests pass their own. */
export interface CliContext {
  readonly stdin: AsyncIterable<Buffer | string>;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path against which relative paths of arguments are resolved. */
  readonly cwd: string;
  /** Absolute path of `dist`, which has the entry files of child processes and workers. */
  readonly distFolder: string;
  /** Aborts when the user or the system asks the command to end. Its reason is an {@link Interrupted}. */
  readonly signal: AbortSignal;
  /** Translates a sentence into the user's language and fills in its arguments. */
  readonly t: Translate;
  /**
   * Makes this process a server: `SIGHUP` calls the listener instead of ending the process, output that is lost doesn't
   * end it, and the process has this time to end after another signal. Absent if the command doesn't own its process.
   */
  readonly becomeServer?: (onHangUp: () => void, exitMs: number) => void;
  /** Time of the commands that wait for a service. The system's if it is absent. */
  readonly clock?: Clock;
}

/** Returns an option or a variable without spaces around it, or undefined if nothing is left. */
export const nonEmpty = (text: string | undefined): string | undefined => text?.trim() || undefined;

/** Reason of the signal when the user or the system asked the command to end. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';

  /** @param exitCode 128 plus the number of the signal, by the convention of shells. */
  constructor(readonly exitCode: number) {
    super('Interrupted');
  }
}

/** Exit codes by kind of failure. They are stable, because scripts rely on them. */
export const exitCodes = {
  ok: 0,
  /** A failure that has no code of its own. */
  unexpected: 1,
  usage: 2,
  notSetUp: 3,
  /** A key is missing, has the wrong form, or was rejected. */
  key: 4,
  /** The site, the docs, a job or a file doesn't exist or can't be used. */
  notFound: 5,
  rateLimit: 6,
  /** The service can't be reached, failed, or sent something that isn't a reply. */
  service: 7,
  /** The reply broke off. The part that arrived was printed. */
  incomplete: 8,
  /** The docs don't answer the question. */
  noAnswer: 9,
  /** The plan doesn't include static export, or this network isn't allowed. */
  plan: 10,
  jobFailed: 11,
  /** A check, a comparison or a test found a problem that makes the command fail. */
  checkFailed: 12,
  /** A file can't be written or edited. */
  file: 13,
  /** The time of `--timeout` has passed. */
  timedOut: 14,
} as const;

/** A failure that the command line itself detects, with a sentence for the user. */
export class CliError extends Error {
  override readonly name = 'CliError';

  /** @param message a sentence in the user's language, without a key. */
  constructor(
    readonly exitCode: number,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A failure as the command line prints it. */
export interface Failure {
  readonly exitCode: number;
  /** Stable name for scripts. */
  readonly code: string;
  /** One or two sentences without a key. */
  readonly message: string;
  /** Milliseconds since the epoch from which a retry may succeed. */
  readonly retryAt?: number;
}
