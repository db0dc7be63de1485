/** Work that somebody waits for, in slices between which the page does everything else. */

/** What a slice may take, in ms; a step of the work may take it a little further. */
const SLICE_MS = 8;

/** Runs the steps of one piece of work at a time. */
export class Slices {
  #timer: ReturnType<typeof setTimeout> | undefined;

  get isRunning(): boolean {
    return this.#timer !== undefined;
  }

  /**
   * Does the work from its next step on, in place of what was not finished.
   * @param onSlice after each slice.
   */
  run(work: Iterator<void>, onSlice: (isDone: boolean) => void): void {
    this.stop();
    const slice = (): void => {
      this.#timer = undefined;
      const end = performance.now() + SLICE_MS;
      let isDone: boolean;
      do isDone = work.next().done === true;
      while (!isDone && performance.now() < end);
      if (!isDone) this.#timer = setTimeout(slice);
      onSlice(isDone);
    };
    this.#timer = setTimeout(slice);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
