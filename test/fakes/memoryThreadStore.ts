import { parseStoredThread, storedThread, type Thread } from '../../src/assistant/thread';
import type { ThreadStore, ThreadSummary } from '../../src/assistant/threadStore';

/** Keeps JSON, as the real store does, so that a test sees what storing loses. */
export class MemoryThreadStore implements ThreadStore {
  readonly records = new Map<string, string>();
  readonly #deleted = new Map<string, string>();
  #currentId: string | undefined;
  /** How often a thread was written. */
  writeCount = 0;
  /** Set to make every write fail. */
  failure: Error | undefined;

  async list(): Promise<readonly ThreadSummary[]> {
    const threads = await Promise.all([...this.records.keys()].map((id) => this.read(id)));
    return threads
      .filter((thread) => thread !== undefined)
      .map(({ id, title, updatedAt, messages }) => ({
        id,
        title,
        updatedAt,
        messageCount: messages.length,
      }))
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

  search(): Promise<readonly ThreadSummary[]> {
    return this.list();
  }

  async rename(id: string, title: string): Promise<void> {
    const thread = await this.read(id);
    if (thread) await this.write({ ...thread, title });
  }

  delete(id: string): Promise<void> {
    const record = this.records.get(id);
    if (record !== undefined) this.#deleted.set(id, record);
    this.records.delete(id);
    return Promise.resolve();
  }

  restore(id: string): Promise<boolean> {
    const record = this.#deleted.get(id);
    if (record !== undefined) this.records.set(id, record);
    return Promise.resolve(record !== undefined);
  }

  currentId(): Promise<string | undefined> {
    return Promise.resolve(this.#currentId);
  }

  setCurrentId(id: string): Promise<void> {
    this.#currentId = id;
    return Promise.resolve();
  }
}
