/** What of a bundle has arrived, in a file beside the one that it becomes; uses `node:fs`. */
import { constants, type Stats } from 'node:fs';
import {
  link,
  lstat,
  open,
  readFile,
  rename,
  rm,
  statfs,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import type { Clock, Log } from '../common/ports';
import { releaseLock, takeLock } from './downloadLock';
import { ExportError } from './exportErrors';
import { fileErrorCode, writeError } from './fileErrors';
import { hashFile, type FileHash } from './fileHash';
import type { Validators } from './storeRequest';
import { withoutUndefined } from './withoutUndefined';

/** Opens a file; `open` of `node:fs/promises`, or one that fails as a test wants it. */
export type OpenFile = (file: string, flags: number) => Promise<FileHandle>;

export interface PartFileOptions {
  /** Absolute path of the file that this becomes. */
  readonly target: string;
  readonly overwrite: boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly openFile?: OpenFile | undefined;
  /** Absolute path of the built `hashWorker.ts`; without it, this thread hashes. */
  readonly hashScript?: string | undefined;
}

/** No link and no query: what is on disk opens nothing. */
const noteSchema = v.object({
  schemaVersion: v.literal(1),
  address: v.string(),
  etag: v.optional(v.string()),
  lastModified: v.optional(v.string()),
  totalBytes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
});

const WRITE_BYTES = 512 * 1024;

/** So much is brought to the disk at a time while more arrives, so that the end has little to wait. */
const SYNC_BYTES = 64 * 1024 * 1024;

/**
 * The file that a download writes to until it is whole, with a note beside it that says of which
 * archive it is, and a lock. All three are hidden files named after the target.
 *
 * Every failed operation is an {@link ExportError}: `disk-full`, `not-writable`, `already-exists`.
 */
export class PartFile {
  readonly #options: PartFileOptions;
  readonly #names: ReturnType<typeof namesFor>;
  #handle: FileHandle | undefined;
  #hash: FileHash | undefined;
  #sizeBytes = 0;
  /** Bytes that are not being written yet: many small writes cost more than a few larger ones. */
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  /** The last write, which goes on while the next bytes arrive and are hashed. */
  #writing: Promise<void> = Promise.resolve();
  #syncedBytes = 0;
  #isSyncing = false;
  /** The last sync; a failed one stays, for a system tells of such a failure only once. */
  #syncing: Promise<void> = Promise.resolve();

  private constructor(options: PartFileOptions) {
    this.#options = options;
    this.#names = namesFor(options.target);
  }

  /**
   * Makes sure that the folder can be written and the name is free, before a byte is fetched.
   * @throws {ExportError} `download-under-way` if another one is making this file.
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

  /** Bytes of the archive, from its start, that are in the file. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /**
   * Takes up what an earlier download left, or starts an empty file.
   * @returns of which archive it is; undefined if the file is empty.
   */
  async open(signal: AbortSignal): Promise<Validators | undefined> {
    return this.#guard(async () => {
      const left = await this.#readNote();
      const isFile = (await statOf(this.#names.part))?.isFile() === true;
      if (left === undefined || !isFile) {
        await this.#create();
        return undefined;
      }
      // Somebody could put a link where the file was a moment ago. Windows has no such flag, and
      // what is undefined adds nothing.
      const handle = await this.#openFile(constants.O_RDWR | constants.O_NOFOLLOW);
      const { size } = await handle.stat();
      // One byte is always asked for, so that the store confirms that the archive is still the same.
      const sizeBytes = Math.min(size, (left.totalBytes ?? Infinity) - 1);
      if (sizeBytes <= 0) {
        await this.startOver();
        return undefined;
      }
      await handle.truncate(sizeBytes);
      await this.#hash?.resume(sizeBytes, signal);
      this.#sizeBytes = sizeBytes;
      return left;
    });
  }

  /** Empties the file. */
  async startOver(): Promise<void> {
    await this.#guard(async () => {
      await this.#flushed();
      await this.#handle?.truncate(0);
      this.#sizeBytes = 0;
      this.#syncedBytes = 0;
      this.#hash?.startOver();
    });
  }

  /** Notes of which archive the file is, so that a later download can go on with it. */
  async note(validators: Validators): Promise<void> {
    await this.#guard(() =>
      writeFile(this.#names.note, JSON.stringify({ schemaVersion: 1, ...validators })),
    );
  }

  /** @throws {ExportError} `disk-full` if the disk cannot take that many bytes more. */
  async assertRoom(bytes: number): Promise<void> {
    const folder = path.dirname(this.#options.target);
    // Some network drives cannot tell, or tell of no blocks at all.
    const disk = await statfs(folder).catch(() => undefined);
    if (disk === undefined || disk.blocks === 0 || disk.bavail * disk.bsize >= bytes) return;
    throw new ExportError('disk-full', { path: path.basename(this.#options.target) });
  }

  /**
   * Appends the bytes. Resolves while some of them are still to be written: one write is under way
   * at a time, so that memory stays flat while the disk always has something to do.
   */
  async append(bytes: Uint8Array): Promise<void> {
    this.#hash?.append(bytes);
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
   * Gives the whole file its final name in one step.
   * @returns the SHA-256 of its bytes, lower-case hex.
   */
  async finish(signal: AbortSignal): Promise<string> {
    return this.#guard(async () => {
      await this.#flushed();
      const [sha256] = await Promise.all([this.#digest(signal), this.#synced()]);
      signal.throwIfAborted();
      await this.#close();
      await publish(this.#names.part, this.#options);
      await rm(this.#names.note, { force: true });
      await releaseLock(this.#names.lock);
      return sha256;
    });
  }

  /** Leaves the file for the next download to go on with. */
  async keep(): Promise<void> {
    try {
      await this.#flushed();
    } finally {
      await this.#close();
      await releaseLock(this.#names.lock);
    }
  }

  /** Leaves nothing behind. */
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
    const { openFile = open, hashScript, log } = this.#options;
    const handle = await openFile(this.#names.part, flags);
    this.#handle = handle;
    this.#hash = hashFile({ handle, script: hashScript, log });
    return handle;
  }

  async #digest(signal: AbortSignal): Promise<string> {
    if (this.#hash === undefined) throw new Error('The file is not open');
    return this.#hash.digest(this.#sizeBytes, signal);
  }

  async #synced(): Promise<void> {
    await this.#syncing;
    await this.#handle?.sync();
  }

  /** Syncs what is written, once it is worth it; the next writes go on meanwhile. */
  #syncBehind(handle: FileHandle, writtenBytes: number): void {
    if (this.#isSyncing || writtenBytes - this.#syncedBytes < SYNC_BYTES) return;
    this.#isSyncing = true;
    this.#syncing = handle.datasync().then(() => {
      this.#isSyncing = false;
      this.#syncedBytes = writtenBytes;
    });
    // Looked at when the file is finished; until then it is not an unhandled rejection.
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
    // Looked at by the next operation; until then it is not an unhandled rejection.
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

  async #readNote(): Promise<Validators | undefined> {
    try {
      const text = await readFile(this.#names.note, 'utf8');
      const { schemaVersion: _, ...validators } = v.parse(noteSchema, JSON.parse(text));
      return withoutUndefined(validators);
    } catch {
      // None, or one that a crash cut: the download starts over.
      return undefined;
    }
  }

  async #close(): Promise<void> {
    await this.#writing.catch(ignore);
    await this.#syncing.catch(ignore);
    // The worker reads through the descriptor, whose number may soon be another file's.
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

/** What follows the first so many bytes of the chunks; a disk may take less than it was given. */
function behind(chunks: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let left = bytes;
  return chunks.flatMap((chunk) => {
    const taken = Math.min(left, chunk.length);
    left -= taken;
    return taken === chunk.length ? [] : [chunk.subarray(taken)];
  });
}

/** Scanners of other programs hold a new file open for a moment on Windows. */
const removal = { force: true, maxRetries: 5, retryDelay: 100 } as const;

function namesFor(target: string): { part: string; note: string; lock: string } {
  const part = path.join(path.dirname(target), `.${path.basename(target)}.part`);
  return { part, note: `${part}.json`, lock: `${part}.lock` };
}

async function statOf(file: string): Promise<Stats | undefined> {
  try {
    return await lstat(file);
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function assertFree({ target, overwrite }: PartFileOptions): Promise<void> {
  const existing = await statOf(target);
  if (existing === undefined) return;
  if (existing.isDirectory()) {
    throw new ExportError('not-writable', { path: target, causeCode: 'EISDIR' });
  }
  if (!overwrite) throw new ExportError('already-exists', { path: target });
}

/** Codes of file systems that know no second name for a file. */
const noLinks = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'EINVAL']);

/** Gives the part its final name; a file that is there is replaced only if that was asked for. */
async function publish(part: string, { target, overwrite, clock }: PartFileOptions): Promise<void> {
  if (overwrite) {
    await renameOver(part, target, clock);
    return;
  }
  try {
    // Unlike a rename, a link fails if somebody was quicker to make a file of that name.
    await link(part, target);
    await rm(part, removal);
  } catch (error) {
    const code = fileErrorCode(error) ?? '';
    if (code === 'EEXIST') throw new ExportError('already-exists', { path: target, cause: error });
    if (!noLinks.has(code)) throw error;
    await reserveAndRename(part, target, clock);
  }
}

async function reserveAndRename(part: string, target: string, clock: Clock): Promise<void> {
  try {
    await (await open(target, 'wx')).close();
  } catch (error) {
    if (fileErrorCode(error) !== 'EEXIST') throw error;
    throw new ExportError('already-exists', { path: target, cause: error });
  }
  try {
    await renameOver(part, target, clock);
  } catch (error) {
    await rm(target, removal);
    throw error;
  }
}

/** Renames, and on Windows waits for a program that holds the old file open for a moment. */
async function renameOver(part: string, target: string, clock: Clock): Promise<void> {
  for (let waitMs = 50; ; waitMs *= 2) {
    try {
      await rename(part, target);
      return;
    } catch (error) {
      const isHeldOpen = ['EPERM', 'EACCES', 'EBUSY'].includes(fileErrorCode(error) ?? '');
      if (process.platform !== 'win32' || !isHeldOpen || waitMs > 1000) throw error;
      await clock.delay(waitMs);
    }
  }
}

function ignore(): void {
  // The next operation on the file tells.
}
