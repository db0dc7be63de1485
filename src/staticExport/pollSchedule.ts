/** When a job is asked about next. All times are in milliseconds; `random` is from 0 up to 1. */
import { DocsAssistantError } from '../common/errors';
import type { Clock } from '../common/ports';
import { ExportError } from './exportErrors';

const FIRST_INTERVAL_MS = 1000;
const INTERVAL_GROWTH = 1.5;
/** What clients in the field do all the time (field-notes.md § Static export). */
const LONGEST_INTERVAL_MS = 10_000;
const FIRST_BACK_OFF_MS = 2000;
const LONGEST_BACK_OFF_MS = 60_000;
const STALLED_INTERVAL_MS = 30_000;
/** Quiet time after which a job counts as stalled. */
export const STALLED_AFTER_MS = 30 * 60 * 1000;

/** Pause after the answer of that number, counted from 1: quick at first and slower later. */
export function pollIntervalMs(answers: number, isStalled: boolean, random: () => number): number {
  const interval = isStalled
    ? STALLED_INTERVAL_MS
    : Math.min(FIRST_INTERVAL_MS * INTERVAL_GROWTH ** (answers - 1), LONGEST_INTERVAL_MS);
  return jittered(interval, random);
}

/**
 * Pause after that many failures in a row. A wait that the service told is kept in full, and
 * spread by at most a second, as all who were told the same would come back at once.
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

/** Milliseconds that a service asked to wait; undefined where it asked for none. */
export function toldWaitMs(error: unknown, clock: Clock): number | undefined {
  const isOurs = error instanceof ExportError || error instanceof DocsAssistantError;
  const retryAt = isOurs ? error.details.retryAt : undefined;
  return retryAt === undefined ? undefined : Math.max(0, retryAt - clock.now());
}

/** ±20 %. */
function jittered(ms: number, random: () => number): number {
  return ms * (0.8 + 0.4 * random());
}

/** Timers stand still while a machine sleeps, so a wait is made of pieces no longer than this. */
const PIECE_MS = 2000;

/**
 * Waits, but not on after the time that was meant has passed by the clock: a machine that wakes up
 * asks at once. A clock that is set back does not make the wait longer.
 *
 * @returns the time that passed for a machine that does not sleep.
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
