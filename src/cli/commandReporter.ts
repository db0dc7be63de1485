import { systemClock } from '../common/clock';
import type { Clock } from '../common/ports';
import { type CliContext, exitCodes, Interrupted } from './context';
import { type CommandEvent, EVENT_VERSION } from './events';
import { failureOf, reportFailure } from './failure';
import { StatusLine } from './terminal/statusLine';

/** Most findings or differences that a command prints. A saved report has all of them. */
export const MAX_PRINTED = 200;
/** Most entries of each list in an event, because CI limits the size of logs. Counts count all. */
export const MAX_IN_EVENT = 1000;

/** Pause after the first plain line of progress. It doubles with each line. */
const FIRST_PAUSE_MS = 10_000;
/** Longest pause between two plain lines. CI may stop a command that prints nothing for long. */
const LONGEST_PAUSE_MS = 60_000;
/** Pause between two events of progress. A download reports ten times a second. */
const EVENT_PAUSE_MS = 1000;

type ReporterContext = Pick<CliContext, 'stdout' | 'stderr' | 'env' | 'signal' | 't'>;

/**
 * Prints the progress and the results of a long command. On a terminal, progress is one line that
 * is replaced. In a pipe and in CI, it is a plain line from time to time. With `--json`, everything
 * is an event on its own line.
 */
export class CommandReporter {
  readonly #context: ReporterContext;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #isJson: boolean;
  /** Line on the terminal. Undefined if progress is printed as plain lines or events. */
  readonly #status: StatusLine | undefined;
  /** Subject of the current progress, such as a job or a download. */
  #topic = '';
  #toldAt = -Infinity;
  #pauseMs = 0;

  /** @param options of the command. */
  constructor(
    context: ReporterContext,
    { json: isJson = false }: { readonly json?: boolean },
    clock: Pick<Clock, 'now'> = systemClock,
  ) {
    const { stderr, env } = context;
    this.#context = context;
    this.#clock = clock;
    this.#isJson = isJson;
    const isCi = env['CI'] !== undefined && !/^(?:|0|false)$/i.test(env['CI']);
    const isTerminal = stderr.isTTY && env['TERM'] !== 'dumb' && !isCi;
    if (isTerminal && !isJson) this.#status = new StatusLine(stderr, env);
  }

  /** Prints a result on stdout: the sentences, each on a line, or with `--json` the event. */
  tell(event: CommandEvent, ...sentences: readonly string[]): void {
    this.clear();
    if (this.#isJson) this.#print(event);
    else for (const sentence of sentences) this.#context.stdout.line(sentence);
  }

  /**
   * Prints findings, at most {@link MAX_PRINTED}, a summary, and the kinds of `--fail-on` that were found. With
   * `--json`, prints the event.
   * @returns the exit code.
   */
  tellFindings(
    event: CommandEvent & { readonly failed: readonly string[] },
    findings: readonly string[],
    ...summary: readonly string[]
  ): number {
    const { t } = this.#context;
    const { failed } = event;
    const left = findings.length - MAX_PRINTED;
    this.tell(
      event,
      ...findings.slice(0, MAX_PRINTED),
      ...(left > 0 ? [t('… and {0} more. --report saves them all.', left)] : []),
      ...summary,
      ...(failed.length > 0 ? [t('Failed because of --fail-on: {0}', failed.join(', '))] : []),
    );
    return failed.length > 0 ? exitCodes.checkFailed : exitCodes.ok;
  }

  /** Prints a warning: the sentence on stderr, or with `--json` the event. */
  warn(event: CommandEvent | undefined, sentence: string): void {
    this.clear();
    if (this.#isJson && event) this.#print(event);
    else this.#context.stderr.line(sentence);
  }

  /**
   * Prints how far the command is.
   * @param topic subject of the progress. A new topic is printed at once.
   * @param isBrief whether the step is usually over soon. Its first plain line then comes only
   * after a pause.
   */
  progress(
    topic: string,
    event: CommandEvent,
    sentence: string,
    { isBrief = false }: { readonly isBrief?: boolean } = {},
  ): void {
    if (this.#status) {
      this.#status.show(sentence);
      return;
    }
    const now = this.#clock.now();
    if (topic !== this.#topic) {
      this.#topic = topic;
      this.#pauseMs = 0;
      if (isBrief && !this.#isJson) {
        this.#toldAt = now;
        this.#pauseMs = FIRST_PAUSE_MS;
        return;
      }
    } else if (now - this.#toldAt < (this.#isJson ? EVENT_PAUSE_MS : this.#pauseMs)) return;
    this.#toldAt = now;
    this.#pauseMs =
      this.#pauseMs === 0 ? FIRST_PAUSE_MS : Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
    if (this.#isJson) this.#print(event);
    else this.#context.stderr.line(sentence);
  }

  /**
   * Shows a sentence for which there is no event, such as that an archive is unpacked for a check.
   */
  note(sentence: string): void {
    this.#status?.show(sentence);
  }

  /** Prints a failure. An interruption on a terminal needs no message. @returns the exit code. */
  async fail(error: unknown): Promise<number> {
    this.clear();
    const { signal, t } = this.#context;
    // The interruption causes the errors that follow it.
    const cause: unknown = signal.aborted ? signal.reason : error;
    const { exitCode, code, message, retryAt } = await failureOf(cause, t);
    // Wrong arguments are told as the parser tells them.
    if (!this.#isJson || exitCode === exitCodes.usage)
      return reportFailure(error, this.#context, this.#clock.now());
    const isUnheard = cause instanceof Interrupted && cause.exitCode === 0;
    const until = retryAt === undefined ? undefined : new Date(retryAt);
    if (!isUnheard) this.#print({ event: 'error', code, exitCode, message, retryAt: until });
    return exitCode;
  }

  /** Removes the line of progress. */
  clear(): void {
    this.#status?.clear();
  }

  #print({ event, ...fields }: CommandEvent): void {
    const time = new Date(this.#clock.now());
    this.#context.stdout.json({ version: EVENT_VERSION, time, event, ...fields });
  }
}

/**
 * Runs a command that reports its progress and its results.
 * @param run gets a function for what is to be closed at the end, the last opened first.
 * @returns the exit code. Failures have been reported then.
 */
export async function runReported(
  context: ReporterContext,
  options: { readonly json?: boolean },
  run: (reporter: CommandReporter, atEnd: (close: () => Promise<void>) => void) => Promise<number>,
): Promise<number> {
  const reporter = new CommandReporter(context, options);
  const closings: (() => Promise<void>)[] = [];
  try {
    return await run(reporter, (close) => void closings.unshift(close));
  } catch (error) {
    return await reporter.fail(error);
  } finally {
    for (const close of closings) await close();
  }
}
