import {
  allMessages,
  joinWritten,
  linkedThread,
  type ThreadState,
} from '../../src/chat/history/threadRecord';
import { ThreadSearch } from '../../src/chat/history/threadSearch';
import {
  parseStoredThread,
  storedThread,
  type Thread,
  type ThreadMessage,
} from '../../src/chat/conversation/thread';
import type { ThreadMatch, ThreadStore, ThreadSummary } from '../../src/chat/history/threadStore';

/** Keeps JSON, as the real store does, so that a test sees what storing loses. */
export class MemoryThreadStore implements ThreadStore {
  readonly records: Map<string, string>;
  readonly #deleted: Map<string, string>;
  readonly #search = new ThreadSearch();
  readonly #written = new Map<string, ReadonlySet<string>>();
  readonly #titles = new Set<string>();
  #currentId: string | undefined;
  /** Number of writes. */
  writeCount = 0;
  /** Set to make every write fail. */
  failure: Error | undefined;

  /** @param other store of another window with the same threads. */
  constructor(other?: MemoryThreadStore) {
    this.records = other ? other.records : new Map<string, string>();
    this.#deleted = other ? other.#deleted : new Map<string, string>();
  }

  list(siteId: string): Promise<readonly ThreadSummary[]> {
    return Promise.resolve(this.#threadsOf(siteId).map(summaryOf));
  }

  search(siteId: string, query: string, signal: AbortSignal): Promise<readonly ThreadMatch[]> {
    const threads = this.#threadsOf(siteId).map((thread) => ({
      summary: summaryOf(thread),
      version: JSON.stringify(thread),
      read: () => Promise.resolve(thread),
    }));
    return this.#search.search(threads, query, signal);
  }

  read(id: string): Promise<Thread | undefined> {
    const thread = this.#read(id);
    if (thread) this.#hasSeenTitleOf(thread);
    return Promise.resolve(thread);
  }

  write(thread: Thread): Promise<void> {
    if (this.failure) return Promise.reject(this.failure);
    this.writeCount++;
    const stored = this.#read(thread.id);
    const lastWritten = this.#written.get(thread.id);
    const { thread: joined } = joinWritten(
      stateOf(linkedThread(thread), 2, this.#hasSeenTitleOf(thread) ? 0 : 2),
      stored && stateOf(stored, 1, 1),
      new Map(
        allMessagesOf(stored)
          .filter(({ id }) => lastWritten?.has(id))
          .map((message) => [message.id, message]),
      ),
    );
    this.#written.set(thread.id, new Set(allMessages(thread).map(({ id }) => id)));
    this.records.set(thread.id, JSON.stringify(storedThread(joined)));
    return Promise.resolve();
  }

  rename(id: string, title: string): Promise<void> {
    const thread = this.#read(id);
    if (thread) this.records.set(id, JSON.stringify(storedThread({ ...thread, title })));
    return Promise.resolve();
  }

  delete(id: string): Promise<void> {
    move(id, this.records, this.#deleted);
    return Promise.resolve();
  }

  restore(id: string): Promise<boolean> {
    move(id, this.#deleted, this.records);
    return Promise.resolve(this.records.has(id));
  }

  currentId(): Promise<string | undefined> {
    return Promise.resolve(this.#currentId);
  }

  setCurrentId(id: string): Promise<void> {
    this.#currentId = id;
    return Promise.resolve();
  }

  #read(id: string): Thread | undefined {
    const record = this.records.get(id);
    return record === undefined ? undefined : parseStoredThread(JSON.parse(record) as unknown);
  }

  /** Returns whether this window has seen the thread with this title before, and remembers it. */
  #hasSeenTitleOf({ id, title }: Thread): boolean {
    const hasSeen = this.#titles.has(`${id} ${title}`);
    this.#titles.add(`${id} ${title}`);
    return hasSeen;
  }

  /** Returns the threads of a site, newest first. */
  #threadsOf(siteId: string): readonly Thread[] {
    return [...this.records.keys()]
      .map((id) => this.#read(id))
      .filter((thread) => thread !== undefined)
      .filter(({ site }) => (site?.id ?? '') === siteId)
      .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
  }
}

function allMessagesOf(thread: Thread | undefined): readonly ThreadMessage[] {
  return thread ? allMessages(thread) : [];
}

function stateOf(thread: Thread, order: number, titleAt: number): ThreadState {
  return { thread, order, titleAt };
}

function summaryOf({ id, title, updatedAt, messages }: Thread): ThreadSummary {
  return { id, title, updatedAt, messageCount: messages.length };
}

function move(id: string, from: Map<string, string>, to: Map<string, string>): void {
  const record = from.get(id);
  if (record === undefined) return;
  to.set(id, record);
  from.delete(id);
}
