import type { Clock } from '../../src/common/ports';

interface Delay {
  readonly until: number;
  readonly resolve: () => void;
}

/** Clock whose time passes only when the test says so. */
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

  /** Sets the clock forward or back without ending delays, as when a machine sleeps. */
  sleep(ms: number): void {
    this.#sleptMs += ms;
  }

  /** Number of delays that have not ended. */
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

  /** Lets time pass. Ends the delays that become due in their order, including new ones that start meanwhile. */
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

  /** Resolves when a delay is pending. */
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

/** Resolves when all code that needs neither time nor network has run. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}
