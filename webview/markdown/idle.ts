/** Work that nobody waits for, done in order while the page has nothing else to do. */

/** Time to leave of an idle period, in ms. */
const RESERVE_MS = 4;

const tasks: (() => void)[] = [];
let isScheduled = false;

export function whenIdle(task: () => void): void {
  tasks.push(task);
  schedule();
}

function schedule(): void {
  if (isScheduled || tasks.length === 0) return;
  isScheduled = true;
  requestIdleCallback(
    (deadline) => {
      isScheduled = false;
      // One at least, as a busy page may never have so much time to spare.
      do tasks.shift()?.();
      while (tasks.length > 0 && deadline.timeRemaining() > RESERVE_MS);
      schedule();
    },
    { timeout: 500 },
  );
}
