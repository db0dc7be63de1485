import type { Clock } from '../../src/common/ports';

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

/** A clock that a test moves. Delays end only by {@link advance} or by their signal. */
export class FakeClock implements Clock {
  #now: number;
  #sleepers: Sleeper[] = [];

  constructor(now = Date.UTC(2025, 0, 2, 3, 4, 5)) {
    this.#now = now;
  }

  /** How many delays wait now. */
  get waiting(): number {
    return this.#sleepers.length;
  }

  now(): number {
    return this.#now;
  }

  delay(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason as Error);
        return;
      }
      const stop = (): void => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal?.reason as Error);
      };
      const sleeper: Sleeper = {
        until: this.#now + ms,
        wake: () => {
          signal?.removeEventListener('abort', stop);
          resolve();
        },
      };
      signal?.addEventListener('abort', stop, { once: true });
      this.#sleepers.push(sleeper);
    });
  }

  /** Moves time on; delays end in their order, each with time to react to the one before. */
  async advance(ms: number): Promise<void> {
    const target = this.#now + ms;
    await settled();
    for (;;) {
      const next = this.#sleepers
        .filter((sleeper) => sleeper.until <= target)
        .sort((a, b) => a.until - b.until)[0];
      if (!next) break;
      this.#sleepers = this.#sleepers.filter((sleeper) => sleeper !== next);
      this.#now = Math.max(this.#now, next.until);
      next.wake();
      await settled();
    }
    this.#now = target;
    await settled();
  }
}

/** Resolves once everything that can go on without time or network has gone on. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}
