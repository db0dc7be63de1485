import { ReportedError } from '../../common/errors';
import type { Clock } from '../../common/ports';
import type { JobAnswer } from './answers';

/** Result of one request about a job. */
export type WatchReport =
  /** The job's status. `quietSince` is set if the job has stalled. */
  | { readonly name: 'answered'; readonly answer: JobAnswer; readonly quietSince?: number }
  /** A temporary failure. `until` (ms since the epoch) is the time of the next request. */
  | { readonly name: 'waiting'; readonly error: unknown; readonly until: number }
  /** A failure that the user has to fix. It is the last report. */
  | { readonly name: 'refused'; readonly error: ReportedError };

interface JobWatchOptions {
  readonly ask: (signal: AbortSignal) => Promise<JobAnswer>;
  readonly clock: Clock;
  readonly random: () => number;
  /** Ends the watch. The job keeps running at the service. */
  readonly signal: AbortSignal;
}

/**
 * Polls a job until it ends: about every second at first, every 10 s later, and every 30 s after 30
 * minutes without a change. After a temporary failure it waits up to a minute, or as long as the
 * service asks. No number of failures ends the watch, because the job runs without it. Only failures
 * that the user has to fix end it, see {@link needsUser}.
 *
 * @throws the signal's reason when stopped.
 * @see platform-api.md § Get static export job status
 */
export async function* watchJob(options: JobWatchOptions): AsyncGenerator<WatchReport, void> {
  const { ask, clock, random, signal } = options;
  let answers = 0;
  let failures = 0;
  let quietMs = 0;
  let quietSince: number | undefined;
  let last = '';
  for (;;) {
    signal.throwIfAborted();
    let pauseMs: number;
    try {
      const answer = await ask(signal);
      signal.throwIfAborted();
      answers++;
      failures = 0;
      const now = JSON.stringify(answer);
      if (now !== last) {
        quietMs = 0;
        quietSince = undefined;
      }
      last = now;
      const isStalled = quietMs >= STALLED_AFTER_MS;
      if (isStalled) quietSince ??= clock.now() - quietMs;
      yield { name: 'answered', answer, quietSince };
      if (answer.outcome !== 'running') return;
      pauseMs = pollIntervalMs(answers, isStalled, random);
    } catch (error) {
      signal.throwIfAborted();
      if (needsUser(error)) {
        yield { name: 'refused', error };
        return;
      }
      failures++;
      pauseMs = backOffMs(failures, toldWaitMs(error, clock), random);
      yield { name: 'waiting', error, until: clock.now() + pauseMs };
    }
    const pausedMs = await waitAwake(pauseMs, clock, signal);
    // The job may have changed during failures, so that time doesn't count as quiet.
    if (failures === 0) quietMs += pausedMs;
  }
}

const codesForUser: readonly string[] = [
  'no-admin-key',
  'admin-key-rejected',
  'export-forbidden',
  'export-redirected',
  'unknown-job',
  'workspace-not-trusted',
  'secret-store-failed',
];

/**
 * Returns whether waiting can't help: the key is missing, rejected or unreadable, the plan or the
 * network does not allow it, the API has moved, the job is gone, or the workspace is not trusted.
 */
function needsUser(error: unknown): error is ReportedError {
  return error instanceof ReportedError && codesForUser.includes(error.code);
}

const FIRST_INTERVAL_MS = 1000;
const INTERVAL_GROWTH = 1.5;
/** Interval that other clients use (field-notes.md § Static export). */
const LONGEST_INTERVAL_MS = 10_000;
const FIRST_BACK_OFF_MS = 2000;
const LONGEST_BACK_OFF_MS = 60_000;
const STALLED_INTERVAL_MS = 30_000;
/** Time without a change after which a job counts as stalled. */
const STALLED_AFTER_MS = 30 * 60 * 1000;

/** Returns the pause after the given number of responses. It grows with the number. */
function pollIntervalMs(answers: number, isStalled: boolean, random: () => number): number {
  const interval = isStalled
    ? STALLED_INTERVAL_MS
    : Math.min(FIRST_INTERVAL_MS * INTERVAL_GROWTH ** (answers - 1), LONGEST_INTERVAL_MS);
  return jittered(interval, random);
}

/**
 * Returns the pause after a number of failures in a row. It is at least as long as the service asks
 * for, plus up to a second, so that clients do not return at the same moment.
 */
export function backOffMs(
  failures: number,
  toldMs: number | undefined,
  random: () => number,
): number {
  const backOff = jittered(
    Math.min(FIRST_BACK_OFF_MS * 2 ** (failures - 1), LONGEST_BACK_OFF_MS / 1.2),
    random,
  );
  return toldMs === undefined ? backOff : Math.max(backOff, toldMs + 1000 * random());
}

/** Returns the milliseconds that the service asks to wait, or undefined. */
export function toldWaitMs(error: unknown, clock: Clock): number | undefined {
  const retryAt = error instanceof ReportedError ? error.details.retryAt : undefined;
  return retryAt === undefined ? undefined : Math.max(0, retryAt - clock.now());
}

/** Varies a time by up to 20 % in either direction. */
function jittered(ms: number, random: () => number): number {
  return ms * (0.8 + 0.4 * random());
}

/** Longest timer of a wait. Timers stop while a machine sleeps, so a wait uses several short ones. */
const PIECE_MS = 2000;

/**
 * Waits for a time. After the machine wakes up from sleep, the wait ends once the clock has passed its
 * end. Setting the clock back does not prolong the wait.
 *
 * @returns the milliseconds that passed while the machine was awake.
 */
export async function waitAwake(ms: number, clock: Clock, signal: AbortSignal): Promise<number> {
  const until = clock.now() + ms;
  let waitedMs = 0;
  while (waitedMs < ms) {
    const piece = Math.min(PIECE_MS, ms - waitedMs);
    await clock.delay(piece, signal);
    waitedMs += piece;
    if (clock.now() >= until) break;
  }
  return waitedMs;
}
