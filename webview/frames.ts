/**
 * When the view changes the document: at most once a frame, all together. What changes between
 * frames is laid out once more, for itself.
 */

/** The view is drawn this late at the latest, where the browser gives no frames. */
const LATE_FRAME_MS = 250;
/**
 * After each frame the view rests for a multiple of the time that it took: drawing has a quarter of
 * the time, and the rest is for the reader's scrolling and typing.
 */
const REST_FACTOR = 3;
const MAX_REST_MS = 1_000;

const writes = new Set<() => void>();
let draw: (() => void) | undefined;
let frame: number | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let restUntil = 0;

/** Names what draws the view, lays it out and so pays the whole cost of a frame. */
export function drawWith(drawView: () => void): void {
  draw = drawView;
}

/** Changes the document in the next frame, before the view is drawn. */
export function writeInFrame(write: () => void): void {
  writes.add(write);
  requestFrame();
}

/** Draws the view in the next frame: at once where nobody sees it, as there are no frames then. */
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
  const due = [...writes];
  writes.clear();
  for (const write of due) write();
  draw?.();
  const end = performance.now();
  restUntil = end + Math.min((end - start) * REST_FACTOR, MAX_REST_MS);
}
