/** Keeps stored threads within their size limit. Uses `node:fs`. */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import {
  type RecordFiles,
  type RecordFilesPorts,
  type ThreadEntries,
  idOfName,
  fileNameOfId,
  SET_ASIDE_FOLDER,
} from './recordFiles';
import { ifThere, removeFile, TEMPORARY_PREFIX } from './wholeFile';
import { systemErrorCode } from '../../common/errorCode';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Time for which a deleted thread can be restored. */
const MAX_BIN_AGE_MS = 30 * DAY_MS;
/** Age from which an unfinished file is removed. No write takes this long. */
const MAX_TEMPORARY_AGE_MS = DAY_MS / 24;
/** A thread that was written within this time may be running in another window. */
const ACTIVE_MS = 60_000;
/** Most unreadable records that are kept for inspection. */
const MAX_SET_ASIDE = 20;
/** Share of the limit that is left after a cleanup, so that not every question needs one. */
const LEFT_AFTER = 0.9;

interface ThreadQuotaPorts extends RecordFilesPorts {
  readonly records: RecordFiles;
  readonly current: { read(): string | undefined };
  readonly limitBytes: () => number;
  readonly onDidForget?: (threadId: string) => void | Promise<void>;
}

/** A thread with its files and their size. */
interface StoredThread {
  readonly entries: ThreadEntries;
  readonly id: string | undefined;
  readonly updatedAt: string;
  readonly deletedAt: number | undefined;
  readonly bytes: number;
  readonly changedAt: number;
  /** Whether a newer version wrote the thread. It must not be removed then. */
  readonly isForeign: boolean;
}

export class ThreadQuota {
  readonly #ports: ThreadQuotaPorts;
  /** Bytes on disk as far as this window knows. Undefined until it has counted them. */
  #bytes: number | undefined;
  #work: Promise<void> = Promise.resolve();
  #isWaiting = false;

  constructor(ports: ThreadQuotaPorts) {
    this.#ports = ports;
  }

  /** Counts bytes that a write added or removed. Cleanup continues in the background. */
  grew(bytes: number): void {
    if (this.#bytes !== undefined) this.#bytes += bytes;
    const isEnough = this.#bytes !== undefined && this.#bytes <= this.#ports.limitBytes();
    if (isEnough || this.#isWaiting) return;
    this.#isWaiting = true;
    this.#work = this.#work.then(() => {
      this.#isWaiting = false;
      return this.#tidy();
    });
  }

  async settled(): Promise<void> {
    await this.#work;
  }

  async #tidy(): Promise<void> {
    try {
      if (this.#bytes === undefined) await this.#removeRemnants();
      const threads = await this.#storedThreads();
      this.#bytes = threads.reduce((sum, { bytes }) => sum + bytes, 0);
      const { clock, limitBytes } = this.#ports;
      const limit = limitBytes();
      const isOver = this.#bytes > limit;
      for (const thread of this.#leavingOrder(threads)) {
        const isExpired =
          thread.deletedAt !== undefined && clock.now() - thread.deletedAt > MAX_BIN_AGE_MS;
        if (!isExpired && (!isOver || this.#bytes <= limit * LEFT_AFTER)) continue;
        if (await this.#forget(thread)) this.#bytes -= thread.bytes;
      }
    } catch (error) {
      this.#ports.log.error('Making room for conversations failed', error);
    }
  }

  /**
   * Returns the threads in the order in which they would be removed: deleted ones first, then the
   * oldest. Threads in use are left out.
   */
  #leavingOrder(all: readonly StoredThread[]): readonly StoredThread[] {
    const threads = all.filter(({ isForeign }) => !isForeign);
    const { clock, current } = this.#ports;
    const currentId = current.read();
    const shown = currentId === undefined ? undefined : fileNameOfId(currentId);
    const deleted = threads
      .filter(({ deletedAt }) => deletedAt !== undefined)
      .sort((a, b) => (a.deletedAt ?? 0) - (b.deletedAt ?? 0));
    const kept = threads
      .filter(({ deletedAt }) => deletedAt === undefined)
      .filter(({ entries, changedAt }) => {
        return entries.name !== shown && clock.now() - changedAt > ACTIVE_MS;
      })
      .sort((a, b) => (a.updatedAt < b.updatedAt ? -1 : 1));
    return [...deleted, ...kept];
  }

  async #storedThreads(): Promise<StoredThread[]> {
    const threads: StoredThread[] = [];
    for (const entries of (await this.#ports.records.allEntries()).values()) {
      threads.push(await this.#storedThread(entries));
    }
    return threads;
  }

  async #storedThread(entries: ThreadEntries): Promise<StoredThread> {
    const { records } = this.#ports;
    const heads = [...(await records.headsOf(entries.records)).heads.values()];
    let bytes = 0;
    let changedAt = 0;
    const add = async (file: string): Promise<void> => {
      const stats = await ifThere(stat(file));
      bytes += stats?.size ?? 0;
      changedAt = Math.max(changedAt, stats?.mtimeMs ?? 0);
    };
    for (const record of entries.records) await add(records.absolute(record));
    for (const folder of entries.files) {
      const absolute = records.absolute(folder);
      for (const name of (await ifThere(readdir(absolute))) ?? []) {
        await add(path.join(absolute, name));
      }
    }
    const times = entries.deleted.map(({ deletedAt }) => deletedAt);
    return {
      entries,
      id: heads[0]?.id ?? idOfName(entries.name),
      updatedAt: heads.reduce((at, head) => (head.updatedAt > at ? head.updatedAt : at), ''),
      deletedAt: times.length > 0 ? Math.min(...times) : undefined,
      bytes,
      changedAt,
      isForeign: heads.length < entries.records.length,
    };
  }

  /**
   * Removes a thread. If it is interrupted, the thread stays deleted and its secrets are removed
   * later.
   * @returns false if it stays, because another window has just written it.
   */
  async #forget({ entries, id, bytes }: StoredThread): Promise<boolean> {
    const { records, log, onDidForget } = this.#ports;
    const { name } = entries;
    if (entries.deleted.length === 0) {
      await records.mark(entries);
      const { records: now, deleted: marks } = await records.entriesNamed(name);
      if (now.some((record) => !entries.records.includes(record))) {
        await records.remove(marks.map(({ path: mark }) => mark));
        return false;
      }
    }
    await records.remove(entries.records);
    await records.remove(entries.files);
    try {
      if (id !== undefined) await onDidForget?.(id);
    } catch (error) {
      // The mark stays, so the removal is tried again.
      log.warn(`The secrets of a removed thread could not be removed: ${String(error)}`);
      return true;
    }
    const { deleted } = await records.entriesNamed(name);
    await records.remove(deleted.map(({ path: mark }) => mark));
    log.info(`An old thread was removed to make room (${bytes} bytes)`);
    return true;
  }

  /** Removes unfinished files of windows that were closed, and the oldest unreadable records. */
  async #removeRemnants(): Promise<void> {
    const { records, clock, log } = this.#ports;
    for (const folder of await records.siteFolders()) {
      const absolute = records.absolute(folder);
      for (const name of await namesIn(absolute)) {
        if (!name.startsWith(TEMPORARY_PREFIX)) continue;
        const stats = await ifThere(stat(path.join(absolute, name)));
        if (stats && clock.now() - stats.mtimeMs > MAX_TEMPORARY_AGE_MS) {
          await removeFile(path.join(absolute, name), this.#ports);
        }
      }
    }
    const aside = records.absolute(SET_ASIDE_FOLDER);
    // The names begin with the time, so sorting them sorts by age.
    const surplus = [...(await namesIn(aside))].sort().slice(0, -MAX_SET_ASIDE);
    for (const name of surplus) await removeFile(path.join(aside, name), this.#ports);
    if (surplus.length > 0) log.warn(`Unreadable conversations removed: ${surplus.length}`);
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT' || systemErrorCode(error) === 'ENOTDIR') return [];
    throw error;
  }
}
