/**
 * Records of all threads, in a folder that windows share. A record never changes. New content is
 * written as another record, and then the replaced records are removed. So windows need no locks
 * and never overwrite each other's content. A window that closes in between leaves an extra record,
 * which does no harm. Uses `node:fs`.
 */
import { close, open, read } from 'node:fs';
import { mkdir, readdir, readFile, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Log } from '../../common/ports';
import { isDeviceName } from '../../common/text/deviceNames';
import {
  type ThreadRecord,
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
  touchFile,
  whenNotBusy,
  writeWholeFile,
  type WholeFilePorts,
} from './wholeFile';
import { systemErrorCode } from '../../common/errorCode';
import { createHash } from 'node:crypto';

const openFile = promisify(open);
const readStart = promisify(read);
const closeFile = promisify(close);

/**
 * Largest record that is read. A larger one would be too much for one string and for most machines'
 * memory.
 */
const MAX_RECORD_BYTES = 256 * 1024 * 1024;
/** Most heads that are read at the same time. */
const PARALLEL_READS = 16;

export interface RecordFilesPorts extends WholeFilePorts {
  /** Absolute path. */
  readonly folder: string;
  readonly log: Log;
}

/** Files of one thread. All paths are relative to the folder of all sites. */
export interface ThreadEntries {
  /** {@link fileNameOfId} of the thread's ID. */
  readonly name: string;
  readonly records: string[];
  /** Marks that say that the thread was deleted. One is enough. */
  readonly deleted: { readonly path: string; readonly deletedAt: number }[];
  /** Folders with the content of attached files. */
  readonly files: string[];
}

/** A record that was read. `size` is about its size in bytes. */
export type StoredRecord = ThreadRecord & { readonly size: number };

/** Stands for a record that the file system refuses to read. The record stays where it is. */
const unreadable: unique symbol = Symbol('unreadable');

export class RecordFiles {
  readonly #ports: RecordFilesPorts;
  /** Heads of records, by path. Records never change, so these stay valid. */
  readonly #heads = new Map<string, RecordHead | typeof newer>();
  /** Records that could be neither read nor moved. Each is logged once. */
  readonly #stuck = new Set<string>();

  constructor(ports: RecordFilesPorts) {
    this.#ports = ports;
  }

  absolute(relative: string): string {
    return path.join(this.#ports.folder, relative);
  }

  async siteFolders(): Promise<readonly string[]> {
    const names = (await ifThere(readdir(this.#ports.folder))) ?? [];
    return names.filter((name) => name !== SET_ASIDE_FOLDER && !name.startsWith('.'));
  }

  /**
   * Returns the files of all threads, by their names. A thread that got its site after its first
   * question can have files in two folders.
   */
  async allEntries(): Promise<Map<string, ThreadEntries>> {
    const threads = new Map<string, ThreadEntries>();
    for (const folder of await this.siteFolders()) {
      for (const file of await this.#namesIn(folder)) addEntry(threads, folder, file);
    }
    return threads;
  }

  /** @throws the error of the file system if the folder can't be read. */
  async entriesOfSite(siteId: string): Promise<Map<string, ThreadEntries>> {
    const folder = siteFolder(siteId);
    const isThere = (await this.siteFolders()).includes(folder);
    const names = isThere ? await ifThere(readdir(this.absolute(folder))) : undefined;
    const threads = new Map<string, ThreadEntries>();
    for (const name of names ?? []) addEntry(threads, folder, name);
    return threads;
  }

  /** Returns the files of one thread, in the folder of any site. */
  entriesOf(threadId: string): Promise<ThreadEntries> {
    return this.entriesNamed(fileNameOfId(threadId));
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

  /** Returns the heads of the readable records, and whether a record is gone by now. */
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
   * Reads records. Unreadable ones are left out, and set aside unless a newer version wrote them.
   * @returns undefined if a record is gone, because another window has replaced it.
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
    const name = recordName(fileNameOfId(thread.id), this.#ports.newId());
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

  /** Marks a thread as deleted, in the folder where its records are or would be. */
  async mark({ name, records, files }: ThreadEntries, siteId = ''): Promise<void> {
    const [any] = [...records, ...files];
    const folder = any ? path.posix.dirname(any) : siteFolder(siteId);
    const mark = `${folder}/${deletedName(name, this.#ports.clock.now())}`;
    try {
      await touchFile(this.absolute(mark));
    } catch (error) {
      // Another window marked the thread in the same millisecond.
      if (!(await ifThere(stat(this.absolute(mark))))) throw error;
    }
  }

  /** Returns the folder for the content of a thread's files: the existing one or a new one. */
  filesFolder(threadId: string, siteId: string, { files }: ThreadEntries): string {
    return files[0] ?? `${siteFolder(siteId)}/${filesName(fileNameOfId(threadId))}`;
  }

  async #namesIn(folder: string): Promise<readonly string[]> {
    try {
      return await readdir(this.absolute(folder));
    } catch {
      // The folder is gone, or is a file. Either way it has no threads.
      return [];
    }
  }

  /** @returns undefined if the record is gone, and an empty text if it is too large. */
  async #content(record: string): Promise<string | typeof unreadable | undefined> {
    if (this.#stuck.has(record)) return unreadable;
    const file = this.absolute(record);
    try {
      return await whenNotBusy(this.#ports.clock, async () => {
        const { size } = await stat(file);
        return size > MAX_RECORD_BYTES ? '' : await readFile(file, 'utf8');
      });
    } catch (error) {
      if (systemErrorCode(error) === 'ENOENT') return undefined;
      this.#sayStuck(record, error);
      return unreadable;
    }
  }

  /** @returns false if the record is gone. */
  async #readHead(record: string): Promise<boolean> {
    if (this.#stuck.has(record)) return true;
    try {
      const file = this.absolute(record);
      const head = parseHead(await whenNotBusy(this.#ports.clock, () => firstLine(file)));
      if (head && (head === newer || isNamed(record, head.id))) this.#heads.set(record, head);
      else await this.#setAside(record);
    } catch (error) {
      if (systemErrorCode(error) === 'ENOENT') return false;
      this.#sayStuck(record, error);
    }
    return true;
  }

  #sayStuck(record: string, error: unknown): void {
    this.#stuck.add(record);
    this.#ports.log.error('A stored thread could be neither read nor set aside', error);
  }

  async #setAside(record: string): Promise<void> {
    const { log, clock } = this.#ports;
    const name = `${clock.now()}-${record.replaceAll('/', '-')}`;
    this.#heads.delete(record);
    try {
      const aside = this.absolute(SET_ASIDE_FOLDER);
      await mkdir(aside, { recursive: true, mode: 0o700 });
      await whenNotBusy(clock, () => rename(this.absolute(record), path.join(aside, name)));
      log.warn(`A stored thread could not be read and was set aside as ${name}`);
    } catch (error) {
      this.#sayStuck(record, error);
    }
  }
}

/** Returns whether a record's name is that of the thread inside it. */
function isNamed(record: string, threadId: string): boolean {
  return parseEntry(path.posix.basename(record))?.thread === fileNameOfId(threadId);
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

/**
 * Returns the first line of a file. It uses plain file descriptors, because lists read hundreds of
 * heads and handles cost twice as much.
 */
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

/** Makes names of files and folders that are safe on every file system. */

/** Folder for threads without a site. No site's folder has this name. */
const NO_SITE_FOLDER = 'no-site';

/** Folder for records that can't be read. */
export const SET_ASIDE_FOLDER = 'set-aside';

/** Names in lower case only, because some file systems ignore case. */
const plainName = /^[a-z0-9][a-z0-9-]{0,63}$/;
const hashedName = /^_[0-9a-f]{32}$/;

/** Returns the ID itself if it can be a file name, or else a hash of it. */
export function fileNameOfId(id: string): string {
  return isPlain(id) ? id : `_${hash(id, 32)}`;
}

function isPlain(id: string): boolean {
  return plainName.test(id) && !isDeviceName(id);
}

/** Returns a readable folder name that is unique to the site. */
function siteFolder(siteId: string): string {
  if (siteId === '') return NO_SITE_FOLDER;
  const readable = siteId
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 48)
    .replace(/^-|-$/g, '');
  return `${readable || 'site'}-${hash(siteId, 12)}`;
}

function recordName(thread: string, unique: string): string {
  return `${thread}.${fileNameOfId(unique)}.json`;
}

/** Returns the name of the file that marks a thread as deleted. `time` is in milliseconds. */
function deletedName(thread: string, time: number): string {
  return `${thread}.${Math.max(0, Math.round(time))}.deleted`;
}

/** Returns the name of the folder with the content of a thread's files. */
function filesName(thread: string): string {
  return `${thread}.files`;
}

/** Meaning of a name in a site's folder. `thread` is the thread's {@link fileNameOfId}. */
type FolderEntry =
  | { readonly kind: 'record' | 'files'; readonly thread: string }
  | { readonly kind: 'deleted'; readonly thread: string; readonly deletedAt: number };

/** @returns undefined for a name that none of the functions above returns. */
function parseEntry(name: string): FolderEntry | undefined {
  const [thread, second, third, ...rest] = name.split('.');
  if (thread === undefined || second === undefined || rest.length > 0) return undefined;
  if (!isPlain(thread) && !hashedName.test(thread)) return undefined;
  if (third === undefined) return second === 'files' ? { kind: 'files', thread } : undefined;
  if (third === 'json') return { kind: 'record', thread };
  if (third !== 'deleted' || !/^\d{1,16}$/.test(second)) return undefined;
  return { kind: 'deleted', thread, deletedAt: Number(second) };
}

/** Returns the thread's ID if its file name tells it. */
export function idOfName(thread: string): string | undefined {
  return isPlain(thread) ? thread : undefined;
}

function hash(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}
