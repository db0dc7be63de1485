/** Opens the services of an `export` command. Uses Node's own `fetch`. */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { systemClock } from '../../common/clock';
import { DocsAssistantError } from '../../common/errors';
import type { RequestTimeouts } from '../../common/http/guardedRequest';
import type { Fetch } from '../../common/ports';
import { ExportError } from '../../export/exportErrors';
import { ExportClient } from '../../export/job/client';
import type { ExportEndpoint } from '../../export/job/exports';
import type { JobPorts } from '../../export/job/jobFlow';
import { waitAwake } from '../../export/job/jobWatcher';
import { durationText } from '../../shared/units';
import { CommandReporter } from '../commandReporter';
import { CliError, type CliContext, exitCodes } from '../context';
import { failureOf } from '../failure';
import { stderrLog } from '../stderrLog';
import { stateFolder } from '../places';
import { type ExportOptions, namedEndpoint } from './exportTarget';
import { KeptJobs } from './keptJobs';

/** Ports and deadline of one command. */
export interface ExportSession extends JobPorts {
  readonly context: CliContext;
  readonly reporter: CommandReporter;
  readonly endpoint: ExportEndpoint;
  readonly jobs: KeptJobs;
  readonly fetch: Fetch;
  readonly timeouts: RequestTimeouts;
  /** Aborts when the command is interrupted or times out. */
  readonly signal: AbortSignal;
  /** Time at which the command times out, in milliseconds since the epoch. */
  readonly deadline: number;
}

/** Default of `--timeout`: twice as long as the longest jobs take. */
const DEFAULT_TIMEOUT_MS = 2 * 60 * 60 * 1000;

/** Timeouts of one request. The extension has the same defaults. */
const timeouts: RequestTimeouts = { headersTimeoutMs: 60_000, idleTimeoutMs: 60_000 };

/** Runs a command. @returns the exit code. Failures have been reported then. */
export async function inSession(
  options: ExportOptions,
  context: CliContext,
  run: (session: ExportSession) => Promise<number>,
): Promise<number> {
  const { env, stderr, t, clock = systemClock } = context;
  const reporter = new CommandReporter(context, options, clock);
  const ended = new AbortController();
  try {
    const endpoint = namedEndpoint(options, context);
    const fetch: Fetch = (url, init) => globalThis.fetch(url, init);
    const log = stderrLog(options.verbose === true ? stderr : undefined);
    const timeoutMs = options.timeout ?? DEFAULT_TIMEOUT_MS;
    const over = new AbortController();
    clock.delay(timeoutMs, ended.signal).then(
      () =>
        over.abort(
          new CliError(
            exitCodes.timedOut,
            t('The command timed out. Raise --timeout to wait longer.'),
          ),
        ),
      () => undefined,
    );
    const folder = path.join(stateFolder(env), 'exports');
    const jobs = new KeptJobs({
      folder,
      clock,
      onUnwritable: (code) =>
        reporter.warn(
          undefined,
          t(
            'The state folder {0} can’t be written ({1}), so a later command can’t continue this job. Set DOCS_ASSISTANT_STATE to another folder.',
            folder,
            code,
          ),
        ),
      onUnreadable: (name) =>
        reporter.warn(
          undefined,
          t('{0} in the state folder can’t be read, so it was renamed.', name),
        ),
      onWaiting: (host) =>
        reporter.warn(
          undefined,
          t('Another command on {0} is starting the same export. Waiting for it.', host),
        ),
    });
    return await run({
      context,
      reporter,
      endpoint,
      endpoints: { open: () => Promise.resolve(endpoint) },
      jobs,
      fetch,
      clock,
      log,
      timeouts,
      newId: randomUUID,
      client: new ExportClient({
        fetch,
        clock,
        log,
        timeouts: () => timeouts,
        secrets: () => [endpoint.adminKey],
      }),
      random: Math.random,
      signal: AbortSignal.any([context.signal, over.signal]),
      deadline: clock.now() + timeoutMs,
    });
  } catch (error) {
    return await reporter.fail(withoutSetting(error, t));
  } finally {
    ended.abort(new Error('The command has ended'));
  }
}

/**
 * Returns an error with its own sentence if the usual sentence would mention the `--timeout` of
 * `ask`.
 */
function withoutSetting(error: unknown, t: CliContext['t']): unknown {
  if (!(error instanceof DocsAssistantError) || error.code !== 'timed-out') return error;
  const { host = '', seconds = 0 } = error.details;
  const message = t('{0} sent no data for {1} s. Try again.', host, seconds);
  return new CliError(exitCodes.service, message, { cause: error });
}

/**
 * Repeats a request while the service answers 429, at the times that the service names. It gives up
 * when the next time is after the deadline of the command.
 * @throws {ExportError} `export-rate-limited` if it gives up, and the errors of the request.
 */
export async function patiently<T>(session: ExportSession, request: () => Promise<T>): Promise<T> {
  const { clock, random, signal, deadline } = session;
  for (;;) {
    try {
      return await request();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ExportError) || error.code !== 'export-rate-limited') throw error;
      // The random part keeps clients with the same waiting time from returning at the same moment.
      const until = (error.details.retryAt ?? clock.now()) + 1000 * (1 + random());
      if (until > deadline) throw error;
      await tellWaiting(session, error, until);
      await waitAwake(until - clock.now(), clock, signal);
    }
  }
}

/** Prints why a request failed and when it is sent again. */
export async function tellWaiting(
  { reporter, clock, context: { t } }: ExportSession,
  error: unknown,
  until: number,
): Promise<void> {
  const { code, message } = await failureOf(error, t);
  const wait = durationText(Math.max(0, until - clock.now()) + 999, t);
  reporter.progress(
    `waiting:${code}`,
    { event: 'waiting', code, message, until: new Date(until) },
    t('{0} Next try in {1}.', message, wait),
  );
}
