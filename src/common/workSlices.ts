/** Long work in slices, so that other work gets a turn. Uses `node:timers`. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from './ports';

/** Milliseconds of work after which other work gets a turn. */
const SLICE_MS = 10;

/** Returns a function that gives other work a turn if there was none for a slice. Call it often. */
export function workSlices(clock: Pick<Clock, 'now'>): () => Promise<void> {
  let start = 0;
  return async () => {
    if (clock.now() - start < SLICE_MS) return;
    await nextTurn();
    start = clock.now();
  };
}
