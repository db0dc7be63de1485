import type { Clock } from '../../src/common/ports';

interface Delay {
  readonly until: number;
  readonly resolve: () => void;
}

/** Time that passes only when the test says so. */
export class FakeClock implements Clock {
  readonly #delays = new Set<Delay>();
  readonly #watchers = new Set<() => void>();
  #now: number;
  #sleptMs = 0;

  constructor(now = Date.parse('2025-01-01T00:00:00.000Z')) {
    this.#now = now;
  }

  now(): number {
    return this.#now + this.#sleptMs;
  }

  /** Sets the clock forward, or back, while delays stand still: as when a machine sleeps. */
  sleep(ms: number): void {
    this.#sleptMs += ms;
  }

  /** Delays that have not ended. */
  get pendingCount(): number {
    return this.#delays.size;
  }

  async delay(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const onAbort = (): void => {
        this.#delays.delete(delay);
        reject(signal?.reason as Error);
      };
      const delay: Delay = {
        until: this.#now + ms,
        resolve: () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#delays.add(delay);
      for (const watcher of [...this.#watchers]) watcher();
    });
  }

  /** Lets time pass and ends, in their order, the delays that are due, and those that follow them. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settled();
    for (;;) {
      const due = [...this.#delays]
        .filter(({ until }) => until <= end)
        .toSorted((a, b) => a.until - b.until)[0];
      if (!due) break;
      this.#delays.delete(due);
      this.#now = Math.max(this.#now, due.until);
      due.resolve();
      await settled();
    }
    this.#now = end;
    await settled();
  }

  /** Resolves once something waits for time to pass. */
  async whenDelayed(): Promise<void> {
    if (this.#delays.size > 0) return;
    await new Promise<void>((resolve) => {
      const watcher = (): void => {
        this.#watchers.delete(watcher);
        resolve();
      };
      this.#watchers.add(watcher);
    });
  }
}

/** Resolves once everything that can go on without time or network has gone on. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}
