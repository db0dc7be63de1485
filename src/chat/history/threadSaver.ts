import type { Clock, Log } from '../../common/ports';
import type { Thread } from '../conversation/thread';
import type { ThreadStore } from './threadStore';

/** Longest time for which the text of a running reply is only in memory. */
const SAVE_INTERVAL_MS = 1000;

/**
 * Writes threads to their store, one write at a time. The first change is written at once, later
 * changes of a growing thread at intervals. A thread that couldn't be written is written again with
 * the next one.
 */
export class ThreadSaver {
  readonly #store: ThreadStore;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #onDidFail: (error: unknown) => void;
  /** States that wait for the next write, by thread ID. */
  readonly #unsaved = new Map<string, Thread>();
  /** Threads whose last write failed, by ID. Retried on the next save. */
  readonly #failed = new Map<string, Thread>();
  #timer: AbortController | undefined;
  #writtenAt = Number.NEGATIVE_INFINITY;
  #work: Promise<void> = Promise.resolve();
  #isFailing = false;

  /**
   * @param onDidFail called when a thread can't be stored, and not again until one could be stored.
   */
  constructor(store: ThreadStore, clock: Clock, log: Log, onDidFail: (error: unknown) => void) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#onDidFail = onDidFail;
  }

  /** Writes this state, or a later one, at most {@link SAVE_INTERVAL_MS} after the last write. */
  saveSoon(thread: Thread): void {
    const isOther = this.#unsaved.size > 0 && !this.#unsaved.has(thread.id);
    this.#unsaved.set(thread.id, thread);
    if (this.#timer && !isOther) return;
    // A clock that was set back must not delay the write.
    const sinceMs = Math.max(0, this.#clock.now() - this.#writtenAt);
    if (isOther || sinceMs >= SAVE_INTERVAL_MS) this.#write();
    else this.#writeIn(SAVE_INTERVAL_MS - sinceMs);
  }

  saveNow(thread: Thread): void {
    this.#unsaved.set(thread.id, thread);
    this.#write();
  }

  /** Returns the last state of a thread that couldn't be written. */
  failed(id: string): Thread | undefined {
    return this.#failed.get(id);
  }

  /** Saves the ID of the shown thread, after the pending writes. */
  setCurrentId(id: string): void {
    this.#enqueue(async () => {
      try {
        await this.#store.setCurrentId(id);
      } catch (error) {
        this.#log.error('The ID of the shown thread could not be stored', error);
      }
    });
  }

  /** Resolves when all earlier changes are stored, or have failed and are logged. */
  async flush(): Promise<void> {
    this.#write();
    await this.#work;
  }

  #writeIn(ms: number): void {
    const timer = new AbortController();
    this.#timer = timer;
    this.#clock.delay(ms, timer.signal).then(
      () => this.#write(),
      () => undefined,
    );
  }

  #write(): void {
    this.#timer?.abort();
    this.#timer = undefined;
    if (this.#unsaved.size + this.#failed.size === 0) return;
    this.#writtenAt = this.#clock.now();
    this.#enqueue(() => this.#writeUnsaved());
  }

  async #writeUnsaved(): Promise<void> {
    const threads = new Map([...this.#failed, ...this.#unsaved]);
    this.#unsaved.clear();
    this.#failed.clear();
    for (const [id, thread] of threads) {
      try {
        await this.#store.write(thread);
        this.#isFailing = this.#failed.size > 0;
      } catch (error) {
        this.#log.error('The thread could not be stored', error);
        this.#failed.set(id, thread);
        if (!this.#isFailing) this.#onDidFail(error);
        this.#isFailing = true;
      }
    }
  }

  #enqueue(work: () => Promise<void>): void {
    this.#work = this.#work.then(work);
  }
}
