/**
 * The threads of all sites on disk, in a folder that all windows share: `<site>/<thread>.*.json`.
 * Uses `node:fs`.
 */
import type { Clock, Log, NewId } from '../../common/ports';
import { isRunningReply } from '../../shared/uiMessage';
import type { Thread, ThreadMessage } from '../conversation/thread';
import type { ThreadMatch, ThreadStore, ThreadSummary } from './threadStore';
import { withContent, withoutContent, writeContent } from './attachmentFiles';
import {
  allMessages,
  joinRecords,
  joinWritten,
  linkedThread,
  type ThreadRecord,
  type ThreadState,
  summaryOf,
} from './threadRecord';
import { RecordFiles, type StoredRecord, type ThreadEntries } from './recordFiles';
import { ThreadQuota } from './threadQuota';
import { ThreadSearch } from './threadSearch';

/** Size of a record from which a growing reply is written apart from the rest of its thread. */
const LARGE_RECORD_BYTES = 64 * 1024;
/** Most changed messages that are written apart. A growing reply changes fewer. */
const MAX_PART_MESSAGES = 20;
/** Threads whose stored state this window remembers. */
const MAX_KNOWN = 3;
/** Most attempts to read a thread while other windows write it. */
const MAX_READS = 50;

export interface ThreadFilesPorts {
  /** Absolute path of a folder that all windows share. Created when it is needed. */
  readonly folder: string;
  /** Storage for the ID of the thread that the workspace showed last. */
  readonly current: {
    read(): string | undefined;
    write(id: string): Promise<void>;
  };
  /** Returns the most bytes on disk before the oldest threads are removed. */
  readonly limitBytes: () => number;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  /** Called for each thread that was permanently removed, so that its secrets are removed too. */
  readonly onDidForget?: (threadId: string) => void | Promise<void>;
}

/** A record with a whole thread that this window wrote, and the record's messages by ID. */
interface Whole {
  readonly path: string;
  readonly size: number;
  readonly messages: ReadonlyMap<string, ThreadMessage>;
}

/** Stored state of a thread, as far as this window knows. */
interface Known {
  readonly state: ThreadState;
  /** Records that the state stands for. */
  readonly paths: readonly string[];
  /** Size of these records in bytes. */
  readonly size: number;
  /** The record with the whole thread, if this window wrote one. */
  readonly whole?: Whole;
  /** The messages that this window wrote last, by ID, if it wrote any. */
  readonly written?: ReadonlyMap<string, ThreadMessage>;
}

/** State of a thread on disk, joined with this window's knowledge. */
interface Found {
  readonly entries: ThreadEntries;
  readonly state: ThreadState | undefined;
  /** Records that the state stands for. */
  readonly paths: readonly string[];
  /** Records that this window hadn't read before. */
  readonly read: readonly (readonly [path: string, record: StoredRecord])[];
}

export class ThreadFiles implements ThreadStore {
  readonly #ports: ThreadFilesPorts;
  readonly #records: RecordFiles;
  readonly #room: ThreadQuota;
  readonly #search = new ThreadSearch();
  /** Threads that were used last, by ID. The newest is at the end. */
  readonly #known = new Map<string, Known>();
  /**
   * Titles that this window has seen for each thread. Writing one of them doesn't count as renaming
   * the thread.
   */
  readonly #titles = new Map<string, Set<string>>();
  readonly #deletedHere = new Set<string>();
  readonly #writtenFiles = new Set<string>();
  readonly #queues = new Map<string, Promise<unknown>>();

  constructor(ports: ThreadFilesPorts) {
    this.#ports = ports;
    this.#records = new RecordFiles(ports);
    this.#room = new ThreadQuota({ ...ports, records: this.#records });
  }

  async list(siteId: string): Promise<readonly ThreadSummary[]> {
    return (await this.#listed(siteId)).map(({ summary }) => summary);
  }

  async search(
    siteId: string,
    query: string,
    signal: AbortSignal,
  ): Promise<readonly ThreadMatch[]> {
    const threads = await this.#listed(siteId);
    return this.#search.search(
      threads.map(({ summary, paths }) => ({
        summary,
        version: paths.join('\n'),
        read: async () => {
          const records = await this.#records.read(paths);
          if (records) return joinRecords([...records.values()])?.thread;
          // Another window has replaced the record meanwhile.
          return (await this.#find(summary.id)).state?.thread;
        },
      })),
      query,
      signal,
    );
  }

  read(id: string): Promise<Thread | undefined> {
    return this.#inTurn(id, async () => {
      const found = await this.#find(id);
      if (found.entries.deleted.length > 0 || !isStored(found)) return undefined;
      const thread = await this.#remember(id, found);
      if (thread) this.#titlesOf(id).add(thread.title);
      this.#deletedHere.delete(id);
      return thread;
    });
  }

  write(state: Thread): Promise<void> {
    const thread = linkedThread(state);
    const { id, title } = thread;
    return this.#inTurn(id, async () => {
      const known = this.#known.get(id);
      const found = await this.#find(id);
      const { records, deleted } = found.entries;
      const isDeletedHere = this.#deletedHere.has(id);
      // The thread was deleted before it was stored for the first time.
      if (isDeletedHere && records.length + deleted.length === 0) {
        await this.#records.mark(found.entries, thread.site?.id);
      }
      const titles = this.#titlesOf(id);
      const isRenamed = found.state?.thread.title !== title && !titles.has(title);
      const order = (found.state?.order ?? 0) + 1;
      const titleAt = isRenamed ? this.#ports.clock.now() : 0;
      const joined = joinWritten({ thread, order, titleAt }, found.state, known?.written);
      await this.#store(found, joined, byId(thread));
      titles.add(title);
      if (!isDeletedHere) await this.#unmark(found.entries);
    });
  }

  rename(id: string, title: string): Promise<void> {
    return this.#inTurn(id, async () => {
      const found = await this.#find(id);
      if (!found.state || !isStored(found)) return;
      const { thread, order } = found.state;
      await this.#store(
        found,
        { thread: { ...thread, title }, order: order + 1, titleAt: this.#ports.clock.now() },
        this.#known.get(id)?.written,
      );
      this.#titlesOf(id).add(title);
    });
  }

  delete(id: string): Promise<void> {
    return this.#inTurn(id, async () => {
      const entries = await this.#records.entriesOf(id);
      this.#deletedHere.add(id);
      if (entries.records.length === 0 || entries.deleted.length > 0) return;
      await this.#records.mark(entries);
    });
  }

  restore(id: string): Promise<boolean> {
    return this.#inTurn(id, async () => {
      const found = await this.#find(id);
      this.#deletedHere.delete(id);
      if (!isStored(found)) return false;
      await this.#unmark(found.entries);
      return true;
    });
  }

  currentId(): Promise<string | undefined> {
    return Promise.resolve(this.#ports.current.read());
  }

  async setCurrentId(id: string): Promise<void> {
    await this.#ports.current.write(id);
  }

  /** Settles when all background work has ended. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#queues.values());
    await this.#room.settled();
  }

  async #listed(
    siteId: string,
  ): Promise<readonly { readonly summary: ThreadSummary; readonly paths: readonly string[] }[]> {
    for (let attempt = 1; ; attempt++) {
      const entries = await this.#records.entriesOfSite(siteId);
      const threads = [...entries.values()].filter(({ deleted }) => deleted.length === 0);
      const paths = threads.flatMap(({ records }) => records);
      const { heads, isAnyGone } = await this.#records.headsOf(paths);
      if (isAnyGone && attempt < MAX_READS) continue;
      return threads
        .flatMap(({ records }) => {
          const summary = summaryOf(records.flatMap((path) => heads.get(path) ?? []));
          return summary ? [{ summary, paths: records }] : [];
        })
        .sort((a, b) => (a.summary.updatedAt < b.summary.updatedAt ? 1 : -1));
    }
  }

  /** Reads everything that is stored of a thread, deleted or not, without the content of files. */
  async #find(id: string): Promise<Found> {
    const known = this.#known.get(id);
    const seen = new Set(known?.paths);
    for (let attempt = 1; ; attempt++) {
      const entries = await this.#records.entriesOf(id);
      const unseen = entries.records.filter((record) => !seen.has(record));
      const read = await this.#records.read(unseen);
      if (!read) {
        if (attempt < MAX_READS) continue;
        throw new Error('A thread is written too often to be read');
      }
      // A record can replace another one while the folder is listed, so an empty folder is read
      // twice.
      if (entries.records.length === 0 && attempt === 1) continue;
      const records: ThreadRecord[] = [...read.values()];
      if (known) records.unshift(known.state);
      return {
        entries,
        state: joinRecords(records),
        paths: [...(known?.paths ?? []), ...read.keys()],
        read: [...read.entries()],
      };
    }
  }

  /** Remembers the state and returns the thread with the content of its files. */
  async #remember(id: string, { entries, state, paths, read }: Found): Promise<Thread | undefined> {
    if (!state) return undefined;
    const known = this.#known.get(id);
    const folders = entries.files.map((folder) => this.#records.absolute(folder));
    const thread = await withContent(folders, state.thread, this.#ports.log);
    const [[path, record] = []] = read;
    const isWhole = !known && read.length === 1 && record?.leafId === undefined;
    const whole =
      isWhole && path !== undefined && record
        ? { path, size: record.size, messages: byId(thread) }
        : known?.whole;
    this.#setKnown(id, {
      state: { ...state, thread },
      paths,
      size: read.reduce((sum, [, { size }]) => sum + size, known?.size ?? 0),
      whole,
      written: known?.written,
    });
    return thread;
  }

  /** Writes a state, which replaces all records that were found. */
  async #store(
    { entries, paths, read }: Found,
    state: ThreadState,
    written: ReadonlyMap<string, ThreadMessage> | undefined,
  ): Promise<void> {
    const { thread } = state;
    const { id, site, messages } = thread;
    const filesFolder = this.#records.filesFolder(id, site?.id ?? '', entries);
    const filesSize = await writeContent(
      this.#records.absolute(filesFolder),
      allMessages(thread),
      // If the folder is gone, so are the files that this window wrote into it.
      entries.files.length > 0 ? this.#writtenFiles : new Set(),
      this.#ports,
    );
    const before = this.#known.get(id)?.whole;
    const isBeforeThere = before && read.length === 0 && entries.records.includes(before.path);
    const part = isBeforeThere ? partOf(state, before) : undefined;
    const record = part ?? state;
    const { path, size } = await this.#records.write(
      { ...record, thread: withoutContent(record.thread) },
      messages.length,
    );
    const whole = part && before ? before : { path, size, messages: byId(thread) };
    const sizeBefore = this.#known.get(id)?.size ?? 0;
    const sizeNow = part ? whole.size + size : size;
    const pathsNow = [...new Set([whole.path, path])];
    this.#setKnown(id, { state, paths: pathsNow, size: sizeNow, whole, written });
    try {
      await this.#records.remove(paths.filter((other) => other !== whole.path));
    } catch (error) {
      // A replaced record does no harm. A later write removes it.
      this.#ports.log.warn(`A record that was replaced could not be removed: ${String(error)}`);
    }
    this.#room.grew(sizeNow - sizeBefore + filesSize);
  }

  async #unmark({ deleted }: ThreadEntries): Promise<void> {
    await this.#records.remove(deleted.map(({ path }) => path));
  }

  #setKnown(id: string, known: Known): void {
    this.#known.delete(id);
    this.#known.set(id, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
  }

  #titlesOf(id: string): Set<string> {
    const titles = this.#titles.get(id) ?? new Set();
    this.#titles.set(id, titles);
    return titles;
  }

  /** Runs one operation on a thread at a time. */
  #inTurn<T>(id: string, operation: () => Promise<T>): Promise<T> {
    const result = (this.#queues.get(id) ?? Promise.resolve()).then(operation);
    const end = result
      .catch(() => undefined)
      .then(() => {
        if (this.#queues.get(id) === end) this.#queues.delete(id);
      });
    this.#queues.set(id, end);
    return result;
  }
}

/**
 * Returns the changes since the whole thread was written, while a reply runs in a large thread.
 * Returns undefined if that would save little, or wouldn't undo removed content.
 */
function partOf(state: ThreadState, whole: Whole): ThreadRecord | undefined {
  const { thread } = state;
  if (whole.size < LARGE_RECORD_BYTES || !thread.messages.some(isRunningReply)) return undefined;
  const together = new Map(whole.messages);
  const changed = allMessages(thread).filter((message) => {
    together.set(message.id, message);
    return whole.messages.get(message.id) !== message;
  });
  if (together.size !== allMessages(thread).length) return undefined;
  if (changed.length > MAX_PART_MESSAGES) return undefined;
  const leafId = thread.messages.at(-1)?.id ?? '';
  return { ...state, thread: { ...thread, messages: [], others: changed }, leafId };
}

/** Returns whether the thread is on disk, and not only in this window's memory. */
function isStored({ entries, state }: Found): boolean {
  return state !== undefined && entries.records.length > 0;
}

function byId(thread: Thread): ReadonlyMap<string, ThreadMessage> {
  return new Map(allMessages(thread).map((message) => [message.id, message]));
}
