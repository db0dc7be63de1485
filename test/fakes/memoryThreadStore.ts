import { parseStoredThread, storedThread, type Thread } from '../../src/assistant/thread';
import type { ThreadStore, ThreadSummary } from '../../src/assistant/threadStore';

/** Keeps JSON, as the real store does, so that a test sees what storing loses. */
export class MemoryThreadStore implements ThreadStore {
  readonly records = new Map<string, string>();
  #currentId: string | undefined;
  /** How often a thread was written. */
  writeCount = 0;
  /** Set to make every write fail. */
  failure: Error | undefined;

  async list(): Promise<readonly ThreadSummary[]> {
    const threads = await Promise.all([...this.records.keys()].map((id) => this.read(id)));
    return threads
      .filter((thread) => thread !== undefined)
      .map(({ id, title, updatedAt }) => ({ id, title, updatedAt }))
      .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
  }

  read(id: string): Promise<Thread | undefined> {
    const record = this.records.get(id);
    return Promise.resolve(
      record === undefined ? undefined : parseStoredThread(JSON.parse(record) as unknown),
    );
  }

  write(thread: Thread): Promise<void> {
    if (this.failure) return Promise.reject(this.failure);
    this.writeCount++;
    this.records.set(thread.id, JSON.stringify(storedThread(thread)));
    return Promise.resolve();
  }

  currentId(): Promise<string | undefined> {
    return Promise.resolve(this.#currentId);
  }

  setCurrentId(id: string): Promise<void> {
    this.#currentId = id;
    return Promise.resolve();
  }
}
