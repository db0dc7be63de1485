import type { Clock, Log } from '../common/ports';
import type { Thread } from './thread';
import type { ThreadStore } from './threadStore';

/** Longest time for which a running reply lives in memory alone. */
const SAVE_INTERVAL_MS = 1000;

/** Writes threads to their store, one write at a time, and a growing one not too often. */
export class ThreadSaver {
  readonly #store: ThreadStore;
  readonly #clock: Clock;
  readonly #log: Log;
  #unsaved: Thread | undefined;
  #timer: AbortController | undefined;
  #writes: Promise<void> = Promise.resolve();

  constructor(store: ThreadStore, clock: Clock, log: Log) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  /** Writes this state, or a later one, within {@link SAVE_INTERVAL_MS}. */
  saveSoon(thread: Thread): void {
    if (this.#unsaved && this.#unsaved.id !== thread.id) this.#write();
    this.#unsaved = thread;
    if (this.#timer) return;
    this.#timer = new AbortController();
    this.#clock.delay(SAVE_INTERVAL_MS, this.#timer.signal).then(
      () => this.#write(),
      () => undefined,
    );
  }

  saveNow(thread: Thread): void {
    this.saveSoon(thread);
    this.#write();
  }

  /** Remembers which thread is shown, after the writes that are under way. */
  setCurrentId(id: string): void {
    this.#enqueue(() => this.#store.setCurrentId(id));
  }

  /** Resolves when everything up to now is in the store, or has failed and is in the log. */
  async flush(): Promise<void> {
    this.#write();
    await this.#writes;
  }

  #write(): void {
    this.#timer?.abort();
    this.#timer = undefined;
    const thread = this.#unsaved;
    this.#unsaved = undefined;
    if (thread) this.#enqueue(() => this.#store.write(thread));
  }

  #enqueue(write: () => Promise<void>): void {
    this.#writes = this.#writes.then(write).catch((error: unknown) => {
      this.#log.error('The conversation could not be stored', error);
    });
  }
}
