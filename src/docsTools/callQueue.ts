/** Thrown when a queue has no place left. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
}

/**
 * Lets a few calls run at once and the others wait in the order in which they came. A call that is
 * canceled while it waits gives up its place at once.
 */
export class CallQueue {
  readonly #atOnce: number;
  readonly #maxWaiting: number;
  readonly #waiting = new Set<() => void>();
  #running = 0;

  constructor({ atOnce, maxWaiting }: { readonly atOnce: number; readonly maxWaiting: number }) {
    this.#atOnce = atOnce;
    this.#maxWaiting = maxWaiting;
  }

  /**
   * Runs a call when its turn comes.
   * @param onWait is called if it has to wait.
   * @throws {QueueFullError} if too many wait already.
   * @throws the signal's reason if it aborts before the turn comes.
   */
  async run<T>(call: () => Promise<T>, signal: AbortSignal, onWait?: () => void): Promise<T> {
    signal.throwIfAborted();
    if (this.#running < this.#atOnce) this.#running++;
    else {
      onWait?.();
      await this.#turn(signal);
    }
    try {
      return await call();
    } finally {
      this.#pass();
    }
  }

  /** Resolves when a running call has passed its place on. */
  #turn(signal: AbortSignal): Promise<void> {
    if (this.#waiting.size >= this.#maxWaiting) throw new QueueFullError();
    return new Promise((resolve, reject) => {
      const start = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.delete(start);
        reject(signal.reason as Error);
      };
      this.#waiting.add(start);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** Passes a place on to the call that has waited longest. */
  #pass(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#running--;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
