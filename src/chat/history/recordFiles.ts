/**
 * The records of all threads in a folder that windows share. A record never changes: what is new
 * is written as another one, and then those are removed that it stands for, so that nobody needs a
 * lock, nobody overwrites anybody, and whoever dies in between leaves one record too many. Uses
 * `node:fs`.
 */
import { close, open, read } from 'node:fs';
import { mkdir, readdir, readFile, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Log } from '../../common/ports';
import type { ThreadRecord } from './joinThreads';
import {
  deletedName,
  filesName,
  parseEntry,
  recordName,
  safeName,
  SET_ASIDE_FOLDER,
  siteFolder,
} from './threadNames';
import {
  decodeRecord,
  encodeRecord,
  MAX_HEAD_BYTES,
  newer,
  parseHead,
  type RecordHead,
} from './threadRecord';
import {
  ifThere,
  removeFile,
  systemCode,
  touchFile,
  whenNotBusy,
  writeWholeFile,
  type WholeFilePorts,
} from './wholeFile';

const openFile = promisify(open);
const readStart = promisify(read);
const closeFile = promisify(close);

/** No thread is larger: it would be too much for one string, and for the memory of most. */
const MAX_RECORD_BYTES = 256 * 1024 * 1024;
/** Heads that are read at the same time. */
const PARALLEL_READS = 16;

export interface RecordFilesPorts extends WholeFilePorts {
  /** Absolute path. */
  readonly folder: string;
  readonly log: Log;
}

/** What is there of one thread. All paths are relative to the folder of all sites. */
export interface ThreadEntries {
  /** {@link safeName} of the thread's id. */
  readonly name: string;
  readonly records: string[];
  /** Marks of its having been deleted; any of them is enough. */
  readonly deleted: { readonly path: string; readonly deletedAt: number }[];
  /** Folders with the content of attached files. */
  readonly files: string[];
}

/** A record that was read. `size` is about its size in bytes. */
export type StoredRecord = ThreadRecord & { readonly size: number };

/** Stays where it is, as the file system does not hand it out. */
const unreadable: unique symbol = Symbol('unreadable');

export class RecordFiles {
  readonly #ports: RecordFilesPorts;
  /** By path; what is known of a record stays true. */
  readonly #heads = new Map<string, RecordHead | typeof newer>();
  /** What could be neither read nor moved; said once. */
  readonly #stuck = new Set<string>();

  constructor(ports: RecordFilesPorts) {
    this.#ports = ports;
  }

  absolute(relative: string): string {
    return path.join(this.#ports.folder, relative);
  }

  /** The folders of all sites. */
  async siteFolders(): Promise<readonly string[]> {
    const names = (await ifThere(readdir(this.#ports.folder))) ?? [];
    return names.filter((name) => name !== SET_ASIDE_FOLDER && !name.startsWith('.'));
  }

  /** What is in the folder of a site, by the names of threads. */
  async entriesIn(folder: string): Promise<Map<string, ThreadEntries>> {
    return entriesAmong(folder, await this.#namesIn(folder));
  }

  /** @throws the error of the file system where it cannot tell what is there. */
  async entriesOfSite(siteId: string): Promise<Map<string, ThreadEntries>> {
    const folder = siteFolder(siteId);
    const isThere = (await this.siteFolders()).includes(folder);
    const names = isThere ? await ifThere(readdir(this.absolute(folder))) : undefined;
    return entriesAmong(folder, names ?? []);
  }

  /** What is there of one thread, wherever it is kept. */
  entriesOf(threadId: string): Promise<ThreadEntries> {
    return this.entriesNamed(safeName(threadId));
  }

  async entriesNamed(name: string): Promise<ThreadEntries> {
    const threads = new Map<string, ThreadEntries>();
    for (const folder of await this.siteFolders()) {
      for (const file of await this.#namesIn(folder)) {
        if (file.startsWith(`${name}.`)) addEntry(threads, folder, file);
      }
    }
    return threads.get(name) ?? { name, records: [], deleted: [], files: [] };
  }

  /** The heads of those records that can be read, and whether any of them is gone by now. */
  async headsOf(
    paths: readonly string[],
  ): Promise<{ readonly heads: Map<string, RecordHead>; readonly isAnyGone: boolean }> {
    const unknown = paths.filter((record) => !this.#heads.has(record));
    let isAnyGone = false;
    const readNext = async (): Promise<void> => {
      for (let record = unknown.pop(); record !== undefined; record = unknown.pop()) {
        if (!(await this.#readHead(record))) isAnyGone = true;
      }
    };
    await Promise.all(Array.from({ length: PARALLEL_READS }, readNext));
    const heads = new Map<string, RecordHead>();
    for (const record of paths) {
      const head = this.#heads.get(record);
      if (head && head !== newer) heads.set(record, head);
    }
    return { heads, isAnyGone };
  }

  /**
   * Reads records; those that cannot be read are left out, and set aside unless a newer version
   * wrote them.
   * @returns undefined if one of them is gone, as another window has written what stands for it.
   */
  async read(paths: readonly string[]): Promise<ReadonlyMap<string, StoredRecord> | undefined> {
    const records = new Map<string, StoredRecord>();
    for (const record of [...paths].sort()) {
      const content = await this.#content(record);
      if (content === undefined) return undefined;
      if (content === unreadable) continue;
      const decoded = decodeRecord(content);
      if (decoded === newer) continue;
      if (decoded && isNamed(record, decoded.thread.id)) {
        records.set(record, { ...decoded, size: content.length });
      } else {
        await this.#setAside(record);
      }
    }
    return records;
  }

  /**
   * Writes a record into the folder of the thread's site.
   * @returns its path and its size in bytes.
   */
  async write(
    record: ThreadRecord,
    messageCount: number,
  ): Promise<{ readonly path: string; readonly size: number }> {
    const { thread } = record;
    const content = encodeRecord(record, messageCount);
    const name = recordName(safeName(thread.id), this.#ports.newId());
    const relative = `${siteFolder(thread.site?.id ?? '')}/${name}`;
    await writeWholeFile(this.absolute(relative), content, this.#ports);
    return { path: relative, size: Buffer.byteLength(content) };
  }

  async remove(paths: Iterable<string>): Promise<void> {
    for (const relative of paths) {
      this.#heads.delete(relative);
      await removeFile(this.absolute(relative), this.#ports);
    }
  }

  /** Marks a thread as deleted, beside its records, or where they will be. */
  async mark({ name, records, files }: ThreadEntries, siteId = ''): Promise<void> {
    const [any] = [...records, ...files];
    const folder = any ? path.posix.dirname(any) : siteFolder(siteId);
    const mark = `${folder}/${deletedName(name, this.#ports.clock.now())}`;
    try {
      await touchFile(this.absolute(mark));
    } catch (error) {
      // Marked by another window in the same millisecond.
      if (!(await ifThere(stat(this.absolute(mark))))) throw error;
    }
  }

  /** The folder for the content of a thread's files: the one that is there, or a new one. */
  filesFolder(threadId: string, siteId: string, { files }: ThreadEntries): string {
    return files[0] ?? `${siteFolder(siteId)}/${filesName(safeName(threadId))}`;
  }

  async #namesIn(folder: string): Promise<readonly string[]> {
    try {
      return await readdir(this.absolute(folder));
    } catch {
      // Gone, or no folder at all: whatever it is, it holds no threads.
      return [];
    }
  }

  /** @returns undefined if it is gone, and nothing if it is too large. */
  async #content(record: string): Promise<string | typeof unreadable | undefined> {
    if (this.#stuck.has(record)) return unreadable;
    const file = this.absolute(record);
    try {
      return await whenNotBusy(this.#ports.clock, async () => {
        const { size } = await stat(file);
        return size > MAX_RECORD_BYTES ? '' : await readFile(file, 'utf8');
      });
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined;
      this.#sayStuck(record, error);
      return unreadable;
    }
  }

  /** @returns false if it is gone. */
  async #readHead(record: string): Promise<boolean> {
    if (this.#stuck.has(record)) return true;
    try {
      const file = this.absolute(record);
      const head = parseHead(await whenNotBusy(this.#ports.clock, () => firstLine(file)));
      if (head && (head === newer || isNamed(record, head.id))) this.#heads.set(record, head);
      else await this.#setAside(record);
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return false;
      this.#sayStuck(record, error);
    }
    return true;
  }

  #sayStuck(record: string, error: unknown): void {
    this.#stuck.add(record);
    this.#ports.log.error('A stored conversation could be neither read nor set aside', error);
  }

  async #setAside(record: string): Promise<void> {
    const { log, clock } = this.#ports;
    const name = `${clock.now()}-${record.replaceAll('/', '-')}`;
    this.#heads.delete(record);
    try {
      const aside = this.absolute(SET_ASIDE_FOLDER);
      await mkdir(aside, { recursive: true, mode: 0o700 });
      await whenNotBusy(clock, () => rename(this.absolute(record), path.join(aside, name)));
      log.warn(`A stored conversation could not be read and was set aside as ${name}`);
    } catch (error) {
      this.#sayStuck(record, error);
    }
  }
}

/** False for a record that lies about whose it is. */
function isNamed(record: string, threadId: string): boolean {
  return parseEntry(path.posix.basename(record))?.thread === safeName(threadId);
}

/** By the names of threads. */
function entriesAmong(folder: string, names: readonly string[]): Map<string, ThreadEntries> {
  const threads = new Map<string, ThreadEntries>();
  for (const name of names) addEntry(threads, folder, name);
  return threads;
}

function addEntry(threads: Map<string, ThreadEntries>, folder: string, file: string): void {
  const entry = parseEntry(file);
  if (!entry) return;
  const { thread: name } = entry;
  const entries = threads.get(name) ?? { name, records: [], deleted: [], files: [] };
  threads.set(name, entries);
  const relative = `${folder}/${file}`;
  if (entry.kind === 'deleted') {
    entries.deleted.push({ path: relative, deletedAt: entry.deletedAt });
  } else if (entry.kind === 'record') entries.records.push(relative);
  else entries.files.push(relative);
}

/** With plain file descriptors: lists read hundreds of heads, and handles cost twice as much. */
async function firstLine(file: string): Promise<string> {
  const descriptor = await openFile(file, 'r');
  try {
    const start = Buffer.allocUnsafe(MAX_HEAD_BYTES);
    const { bytesRead } = await readStart(descriptor, start, 0, MAX_HEAD_BYTES, 0);
    const end = start.subarray(0, bytesRead).indexOf(0x0a);
    return start.toString('utf8', 0, end < 0 ? bytesRead : end);
  } finally {
    await closeFile(descriptor);
  }
}
