import type { Memento } from 'vscode';
import { parseStoredThread, storedThread, type Thread } from '../assistant/thread';
import type { ThreadStore, ThreadSummary } from '../assistant/threadStore';
import type { Clock, Log } from '../common/ports';

/** Threads kept for a workspace; older ones go when a new one is written. */
const MAX_THREADS = 50;
/** Unreadable records kept for whoever wants to look at them. */
const MAX_SET_ASIDE = 5;

const RECORD = 'thread:';
const SET_ASIDE = 'setAside:';
const CURRENT = 'currentThread';

interface ThreadMementoPorts {
  readonly memento: Memento;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
  /** Told of each thread that went, so that its secrets go too. */
  readonly onDidForget?: (threadId: string) => void;
}

/**
 * Threads in the workspace's state, one record each, and no index beside them that could disagree.
 * A record that cannot be read (corrupt, or written by a newer version) is set aside under another
 * key with a line in the log; nothing here throws for what is stored.
 */
export class ThreadMemento implements ThreadStore {
  readonly #ports: ThreadMementoPorts;

  constructor(ports: ThreadMementoPorts) {
    this.#ports = ports;
  }

  async list(): Promise<readonly ThreadSummary[]> {
    const threads = await Promise.all(this.#ids().map((id) => this.read(id)));
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

  async read(id: string): Promise<Thread | undefined> {
    const record: unknown = this.#ports.memento.get(RECORD + id);
    if (record === undefined) return undefined;
    const thread = parseStoredThread(record);
    if (thread?.id === id) return thread;
    await this.#setAside(RECORD + id, record);
    return undefined;
  }

  async write(thread: Thread): Promise<void> {
    await this.#ports.memento.update(RECORD + thread.id, storedThread(thread));
    if (this.#ids().length > MAX_THREADS) await this.#prune(thread.id);
  }

  search(): Promise<readonly ThreadSummary[]> {
    return this.list();
  }

  async rename(id: string, title: string): Promise<void> {
    const thread = await this.read(id);
    if (thread) await this.write({ ...thread, title });
  }

  async delete(id: string): Promise<void> {
    await this.#ports.memento.update(RECORD + id, undefined);
  }

  restore(): Promise<boolean> {
    return Promise.resolve(false);
  }

  async currentId(): Promise<string | undefined> {
    const id: unknown = this.#ports.memento.get(CURRENT);
    if (id === undefined || typeof id === 'string') return id;
    await this.#setAside(CURRENT, id);
    return undefined;
  }

  async setCurrentId(id: string): Promise<void> {
    await this.#ports.memento.update(CURRENT, id);
  }

  #ids(): string[] {
    return this.#ports.memento
      .keys()
      .filter((key) => key.startsWith(RECORD))
      .map((key) => key.slice(RECORD.length));
  }

  async #prune(justWritten: string): Promise<void> {
    const kept = new Set([justWritten, await this.currentId()]);
    const oldestFirst = (await this.list()).filter(({ id }) => !kept.has(id)).reverse();
    const surplus = this.#ids().length - MAX_THREADS;
    for (const { id } of oldestFirst.slice(0, surplus)) {
      await this.#ports.memento.update(RECORD + id, undefined);
      this.#ports.onDidForget?.(id);
    }
  }

  async #setAside(key: string, record: unknown): Promise<void> {
    const { memento, clock, log } = this.#ports;
    log.warn(`A stored record could not be read and was set aside: ${key}`);
    try {
      const aside = memento.keys().filter((name) => name.startsWith(SET_ASIDE));
      for (const name of aside.sort().slice(0, Math.max(0, aside.length - MAX_SET_ASIDE + 1))) {
        await memento.update(name, undefined);
      }
      const time = new Date(clock.now()).toISOString();
      await memento.update(`${SET_ASIDE}${time}:${key}`, record);
      await memento.update(key, undefined);
    } catch (error) {
      log.error('Setting a stored record aside failed', error);
    }
  }
}
