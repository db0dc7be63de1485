/** The part of a bundle that has arrived, in a file next to the target. Uses `node:fs`. */
import { constants, type Stats } from 'node:fs';
import {
  link,
  lstat,
  open,
  rename,
  rm,
  statfs,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { systemErrorCode } from '../../common/errorCode';
import type { Clock, Log } from '../../common/ports';
import { ExportError, writeError } from '../exportErrors';
import { checkPlaceOfFile } from '../replaceFile';
import { withoutUndefined } from '../../common/withoutUndefined';
import { releaseLock, takeLock } from './downloadLock';
import { FileHash } from './fileHash';
import type { ArchiveValidators } from './storeRequest';
import { readJson } from '../../common/onDisk';
import { count } from '../../shared/schemas';

/** Opens a file, like `open` of `node:fs/promises`. Tests inject failures here. */
export type OpenFile = (file: string, flags: number) => Promise<FileHandle>;

interface PartFileOptions {
  /** Absolute path of the finished file. */
  readonly target: string;
  readonly overwrite: boolean;
  readonly clock: Clock;
  readonly log: Log;
  /** Absolute path of the built `hashWorker.ts`. Without it, the file is hashed at its end. */
  readonly hashScript?: string | undefined;
  readonly openFile?: OpenFile | undefined;
}

/** Schema of the note next to the part file. It contains no link and no query, which open the bundle. */
const noteSchema = v.object({
  schemaVersion: v.literal(1),
  address: v.string(),
  etag: v.optional(v.string()),
  lastModified: v.optional(v.string()),
  totalBytes: v.optional(count),
});

const WRITE_BYTES = 512 * 1024;

/** Bytes between two syncs during the download, so that the last sync is short. */
const SYNC_BYTES = 64 * 1024 * 1024;

/**
 * File that a download writes to until it is complete, with a note that identifies the archive, and a
 * lock. All three are hidden files named after the target.
 *
 * Failed operations throw {@link ExportError}: `disk-full`, `not-writable`, `already-exists`.
 */
export class PartFile {
  readonly #options: PartFileOptions;
  readonly #names: ReturnType<typeof namesFor>;
  #handle: FileHandle | undefined;
  #hash: FileHash | undefined;
  #sizeBytes = 0;
  /** Bytes waiting for the next write. A few large writes cost less than many small ones. */
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  /** Last write. It continues while the next bytes arrive. */
  #writing: Promise<void> = Promise.resolve();
  #syncedBytes = 0;
  #isSyncing = false;
  /** Last sync. A failed one stays here, because the system reports its failure only once. */
  #syncing: Promise<void> = Promise.resolve();

  private constructor(options: PartFileOptions) {
    this.#options = options;
    this.#names = namesFor(options.target);
  }

  /**
   * Makes sure, before the download, that the folder is writable and the name is free.
   * @throws {ExportError} `download-under-way` if another download writes this file.
   */
  static async claim(options: PartFileOptions): Promise<PartFile> {
    const part = new PartFile(options);
    await part.#guard(async () => {
      await assertFree(options);
      const { lock, part: file } = part.#names;
      if (await takeLock(lock, file, options.clock)) return;
      throw new ExportError('download-under-way', { path: options.target });
    });
    return part;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /**
   * Opens the file of an earlier download, or creates an empty one.
   * @returns the validators of its archive, or undefined if the file is empty.
   */
  async open(): Promise<ArchiveValidators | undefined> {
    return this.#guard(async () => {
      const left = await this.#readNote();
      const isFile = (await statOf(this.#names.part))?.isFile() === true;
      if (left === undefined || !isFile) {
        await this.#create();
        return undefined;
      }
      // O_NOFOLLOW refuses a link that replaced the file. On Windows the flag is undefined, which
      // adds nothing.
      const handle = await this.#openFile(constants.O_RDWR | constants.O_NOFOLLOW);
      const { size } = await handle.stat();
      // At least one byte is left to request, so that the server confirms the archive's identity.
      const sizeBytes = Math.min(size, (left.totalBytes ?? Infinity) - 1);
      if (sizeBytes <= 0) {
        await this.startOver();
        return undefined;
      }
      await handle.truncate(sizeBytes);
      this.#sizeBytes = sizeBytes;
      this.#hash?.written(sizeBytes);
      return left;
    });
  }

  async startOver(): Promise<void> {
    await this.#guard(async () => {
      await this.#flushed();
      await this.#handle?.truncate(0);
      this.#sizeBytes = 0;
      this.#syncedBytes = 0;
      this.#hash?.startOver();
    });
  }

  /** Saves the validators of the archive, so that a later download can continue the file. */
  async note(validators: ArchiveValidators): Promise<void> {
    await this.#guard(() =>
      writeFile(this.#names.note, JSON.stringify({ schemaVersion: 1, ...validators })),
    );
  }

  /** Checks the disk for free space. @throws {ExportError} `disk-full`. */
  async assertRoom(bytes: number): Promise<void> {
    const folder = path.dirname(this.#options.target);
    // Some network drives report an error or zero blocks.
    const disk = await statfs(folder).catch(() => undefined);
    if (disk === undefined || disk.blocks === 0 || disk.bavail * disk.bsize >= bytes) return;
    throw new ExportError('disk-full', { path: path.basename(this.#options.target) });
  }

  /**
   * Appends bytes. Resolves before all of them are written. Only one write runs at a time, so that
   * memory use stays constant while the disk is always busy.
   */
  async append(bytes: Uint8Array): Promise<void> {
    this.#sizeBytes += bytes.length;
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes < WRITE_BYTES) return;
    await this.#guard(() => this.#writing);
    this.#startWriting();
  }

  /** Waits until all bytes are written. */
  async flush(): Promise<void> {
    await this.#guard(() => this.#flushed());
  }

  /**
   * Gives the complete file its final name in one step.
   * @returns the SHA-256 of its bytes, lower-case hex.
   */
  async finish(signal: AbortSignal): Promise<string> {
    return this.#guard(async () => {
      await this.#flushed();
      if (this.#hash === undefined) throw new Error('The part file is not open.');
      const digest = this.#hash.digest(this.#sizeBytes, signal);
      // The hash and the disk take their time side by side.
      const [sha256] = await Promise.all([digest, this.#synced()]);
      signal.throwIfAborted();
      await this.#close();
      await publish(this.#names.part, this.#options);
      await rm(this.#names.note, { force: true });
      await releaseLock(this.#names.lock);
      return sha256;
    });
  }

  /** Closes the file and keeps it for the next download. */
  async keep(): Promise<void> {
    try {
      await this.#flushed();
    } finally {
      await this.#close();
      await releaseLock(this.#names.lock);
    }
  }

  /** Closes the file and removes everything. */
  async discard(): Promise<void> {
    await this.#close();
    await rm(this.#names.part, removal);
    await rm(this.#names.note, removal);
    await releaseLock(this.#names.lock);
  }

  async #create(): Promise<void> {
    await rm(this.#names.part, removal);
    await rm(this.#names.note, removal);
    await this.#openFile(constants.O_RDWR | constants.O_CREAT | constants.O_EXCL);
  }

  async #openFile(flags: number): Promise<FileHandle> {
    const { openFile = open } = this.#options;
    const handle = await openFile(this.#names.part, flags);
    this.#handle = handle;
    this.#hash = new FileHash({ handle, script: this.#options.hashScript, log: this.#options.log });
    return handle;
  }

  async #synced(): Promise<void> {
    await this.#syncing;
    await this.#handle?.sync();
  }

  /** Syncs the written bytes if there are enough of them. The next writes continue meanwhile. */
  #syncBehind(handle: FileHandle, writtenBytes: number): void {
    if (this.#isSyncing || writtenBytes - this.#syncedBytes < SYNC_BYTES) return;
    this.#isSyncing = true;
    this.#syncing = handle.datasync().then(() => {
      this.#isSyncing = false;
      this.#syncedBytes = writtenBytes;
    });
    // `finish` awaits it. Until then it must not count as an unhandled rejection.
    this.#syncing.catch(ignore);
  }

  async #flushed(): Promise<void> {
    await this.#writing;
    this.#startWriting();
    await this.#writing;
  }

  #startWriting(): void {
    const [chunks, bytes] = [this.#waiting, this.#waitingBytes];
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#writing = this.#write(chunks, this.#sizeBytes - bytes);
    // The next operation awaits it. Until then it must not count as an unhandled rejection.
    this.#writing.catch(ignore);
  }

  async #write(chunks: Uint8Array[], position: number): Promise<void> {
    const handle = this.#handle;
    if (handle === undefined || chunks.length === 0) return;
    let [rest, at] = [chunks, position];
    while (rest.length > 0) {
      const { bytesWritten } = await handle.writev(rest, at);
      at += bytesWritten;
      rest = behind(rest, bytesWritten);
    }
    this.#hash?.written(at);
    this.#syncBehind(handle, at);
  }

  async #readNote(): Promise<ArchiveValidators | undefined> {
    const note = await readJson(this.#names.note, noteSchema);
    // Without a note, or with one that a crash cut off, the download starts over.
    if (!note) return undefined;
    const { schemaVersion: _, ...validators } = note;
    return withoutUndefined(validators);
  }

  async #close(): Promise<void> {
    await this.#writing.catch(ignore);
    await this.#syncing.catch(ignore);
    await this.#hash?.stop();
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  async #guard<T>(action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (error) {
      throw writeError(error, this.#options.target);
    }
  }
}

/** Returns the chunks without their first bytes, because a disk may write less than it was given. */
function behind(chunks: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let left = bytes;
  return chunks.flatMap((chunk) => {
    const taken = Math.min(left, chunk.length);
    left -= taken;
    return taken === chunk.length ? [] : [chunk.subarray(taken)];
  });
}

/** Options for removing files. On Windows, virus scanners keep a new file open for a moment, so removing it is retried. */
const removal = { force: true, maxRetries: 5, retryDelay: 100 } as const;

function namesFor(target: string): { part: string; note: string; lock: string } {
  const part = path.join(path.dirname(target), `.${path.basename(target)}.part`);
  return { part, note: `${part}.json`, lock: `${part}.lock` };
}

async function statOf(file: string): Promise<Stats | undefined> {
  try {
    return await lstat(file);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function assertFree({ target, overwrite }: PartFileOptions): Promise<void> {
  if ((await statOf(target)) === undefined) return;
  await checkPlaceOfFile(target);
  if (!overwrite) throw new ExportError('already-exists', { path: target });
}

/** Codes of file systems without hard links. */
const noLinks = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'EINVAL']);

/** Gives the part file its final name. Replaces an existing file only with `overwrite`. */
async function publish(part: string, { target, overwrite, clock }: PartFileOptions): Promise<void> {
  if (overwrite) {
    await renameOver(part, target, clock);
    return;
  }
  try {
    // Unlike a rename, a hard link fails if the target exists by now.
    await link(part, target);
    await rm(part, removal);
  } catch (error) {
    const code = systemErrorCode(error) ?? '';
    if (code === 'EEXIST') throw new ExportError('already-exists', { path: target, cause: error });
    if (!noLinks.has(code)) throw error;
    await reserveAndRename(part, target, clock);
  }
}

async function reserveAndRename(part: string, target: string, clock: Clock): Promise<void> {
  try {
    await (await open(target, 'wx')).close();
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
    throw new ExportError('already-exists', { path: target, cause: error });
  }
  try {
    await renameOver(part, target, clock);
  } catch (error) {
    await rm(target, removal);
    throw error;
  }
}

/** Renames a file. On Windows it waits for programs that keep the old file open for a moment. */
async function renameOver(part: string, target: string, clock: Clock): Promise<void> {
  for (let waitMs = 50; ; waitMs *= 2) {
    try {
      await rename(part, target);
      return;
    } catch (error) {
      const isHeldOpen = ['EPERM', 'EACCES', 'EBUSY'].includes(systemErrorCode(error) ?? '');
      if (process.platform !== 'win32' || !isHeldOpen || waitMs > 1000) throw error;
      await clock.delay(waitMs);
    }
  }
}

function ignore(): void {
  // The next operation on the file throws the error.
}
