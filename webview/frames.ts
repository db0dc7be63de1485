/**
 * Decides when the view changes the document: at most once a frame, all changes together. A change
 * between two frames would cause a layout of its own.
 */

/** Maximum delay of a drawing in milliseconds, if the browser gives no frames. */
const LATE_FRAME_MS = 250;
/**
 * After each frame the view rests for a multiple of the time that the frame took. Drawing gets a
 * quarter of the time, and the reader's scrolling and typing gets the rest.
 */
const REST_FACTOR = 3;
const MAX_REST_MS = 1_000;

let read: (() => void) | undefined;
const writes = new Set<() => void>();
let draw: (() => void) | undefined;
let frame: number | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let restUntil = 0;
let restFactor = REST_FACTOR;

/**
 * Sets the function that draws and lays out the view, and so pays the whole cost of a frame.
 * @param factor how many times a frame's own time the view rests after it. Tests that are not about
 *   frames pass 0, so that they need not wait.
 */
export function drawWith(drawView: () => void, factor = REST_FACTOR): void {
  draw = drawView;
  restFactor = factor;
}

/**
 * Sets the function that reads the layout at the beginning of each frame. Nothing has changed the
 * document yet, so the browser need not lay it out for this.
 */
export function readFirst(readView: () => void): void {
  read = readView;
}

/** Changes the document in the next frame, before the view is drawn. */
export function writeInFrame(write: () => void): void {
  writes.add(write);
  requestFrame();
}

/** Draws the view in the next frame, or at once if the page is hidden and gets no frames. */
export function requestFrame(): void {
  if (document.hidden) {
    drawNow();
    return;
  }
  if (frame !== undefined || timer !== undefined) return;
  const restMs = restUntil - performance.now();
  if (restMs > 0) {
    timer = setTimeout(() => {
      timer = undefined;
      requestFrame();
    }, restMs);
    return;
  }
  frame = requestAnimationFrame(drawNow);
  timer = setTimeout(drawNow, LATE_FRAME_MS);
}

export function drawNow(): void {
  if (frame !== undefined) cancelAnimationFrame(frame);
  clearTimeout(timer);
  frame = timer = undefined;
  const start = performance.now();
  read?.();
  const due = [...writes];
  writes.clear();
  for (const write of due) write();
  draw?.();
  const end = performance.now();
  restUntil = end + Math.min((end - start) * restFactor, MAX_REST_MS);
}

/** Time in milliseconds to leave of an idle period. */
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
      // At least one task runs, because a busy page may never have that much time to spare.
      do tasks.shift()?.();
      while (tasks.length > 0 && deadline.timeRemaining() > RESERVE_MS);
      schedule();
    },
    { timeout: 500 },
  );
}
