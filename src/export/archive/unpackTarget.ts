/** Writes the files of an archive. Uses `node:fs`. */
import { lstat, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { systemErrorCode } from '../../common/errorCode';
import type { Clock } from '../../common/ports';
import { ExportError } from '../exportErrors';
import { writeError } from '../exportErrors';
import { unsafeEntry, unsafeReasons } from './limits';

const temporaryName = /^\..+\.[\w-]+\.unpacking$/;
/** Characters of the target's name in the temporary name, so that it isn't too long. */
const MAX_NAME_START = 60;
const STALE_AFTER_MS = 24 * 60 * 60 * 1000;

/** Creates a new file, like `writeFile` of `node:fs/promises`. Tests inject failures here. */
export type WriteFile = (
  file: string,
  content: AsyncIterable<Buffer>,
  options: { readonly flag: 'wx'; readonly mode: number },
) => Promise<void>;

/**
 * Folder that an archive is unpacked into. It is a temporary folder next to the target, and becomes the
 * target in one step when it is complete (faults.md D16, D18, D19). `EntryTree` has checked the names,
 * but existing files are never overwritten in any case.
 *
 * Any method may throw `already-exists`, `disk-full` or `not-writable` as an {@link ExportError}.
 */
export class UnpackTarget {
  readonly #target: string;
  readonly #writeFile: WriteFile;
  /** Temporary folder, which only its owner can read. The folder inside gets a normal mode. */
  readonly #temporary: string;
  readonly #root: string;
  /** Exact names of the existing folders. */
  readonly #folders = new Set<string>(['']);

  private constructor(target: string, id: string, write: WriteFile) {
    this.#target = target;
    this.#writeFile = write;
    const name = basename(target);
    const start = name.slice(0, MAX_NAME_START);
    this.#temporary = join(dirname(target), `.${start}.${id}.unpacking`);
    this.#root = join(this.#temporary, name);
  }

  /**
   * Creates the temporary folder.
   * @param target absolute path, which must not exist yet.
   * @param id suffix of the temporary folder: letters, digits, `-` and `_`.
   */
  static async create(
    target: string,
    id: string,
    write: WriteFile = writeFile,
  ): Promise<UnpackTarget> {
    const created = new UnpackTarget(target, id, write);
    await created.#requireFree();
    await created.#stored(mkdir(created.#temporary, { mode: 0o700 }));
    try {
      await created.#stored(mkdir(created.#root, { mode: 0o755 }));
    } catch (error) {
      await created.discard();
      throw error;
    }
    return created;
  }

  /**
   * Creates a folder and its parents. An existing folder is fine, also one whose name differs by case on
   * a file system that ignores case.
   *
   * @param entry the entry's name as archived, for errors.
   * @throws {ExportError} `unsafe-archive` if one of them is a file.
   */
  async addFolder(entry: string, segments: readonly string[]): Promise<void> {
    const name = segments.join('/');
    if (this.#folders.has(name)) return;
    try {
      await mkdir(join(this.#root, ...segments), { mode: 0o755, recursive: true });
    } catch (error) {
      throw this.#madeError(error, entry);
    }
    this.#folders.add(name);
  }

  /**
   * Creates a new file and its folders.
   *
   * @param entry the entry's name as archived, for errors.
   * @throws {ExportError} `unsafe-archive` if the file exists.
   * @throws the errors of `content`, unchanged.
   */
  async addFile(
    entry: string,
    segments: readonly string[],
    content: AsyncIterable<Buffer>,
  ): Promise<void> {
    await this.addFolder(entry, segments.slice(0, -1));
    let contentError: unknown;
    const watched = watchErrors(content, (error) => {
      contentError = error;
    });
    try {
      const file = join(this.#root, ...segments);
      await this.#writeFile(file, watched, { flag: 'wx', mode: 0o644 });
    } catch (error) {
      if (error === contentError) throw error;
      throw this.#madeError(error, entry);
    }
  }

  /** Returns the error of a failed write. A file system may merge more names than `EntryTree` knows. */
  #madeError(error: unknown, entry: string): unknown {
    const code = systemErrorCode(error);
    return code === 'EEXIST' || code === 'ENOTDIR'
      ? unsafeEntry(entry, unsafeReasons.collision)
      : writeError(error, this.#target);
  }

  /**
   * Renames the folder to the target.
   * @returns the absolute path of the site's root: the target, or its only folder.
   */
  async finish(): Promise<string> {
    const siteRoot = await this.#stored(siteRootIn(this.#root));
    await this.#requireFree();
    try {
      await rename(this.#root, this.#target);
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOTDIR') throw this.#taken();
      throw writeError(error, this.#target);
    }
    return join(this.#target, relative(this.#root, siteRoot));
  }

  /**
   * Removes the temporary folder, after success and failure. An error must not hide the result, so the
   * folder is left to {@link removeStaleUnpacking} then.
   */
  async discard(): Promise<void> {
    await rm(this.#temporary, { recursive: true, force: true, maxRetries: 3 }).catch(
      () => undefined,
    );
  }

  async #requireFree(): Promise<void> {
    try {
      await lstat(this.#target);
    } catch (error) {
      if (systemErrorCode(error) === 'ENOENT') return;
      throw writeError(error, this.#target);
    }
    throw this.#taken();
  }

  #taken(): ExportError {
    return new ExportError('already-exists', { path: basename(this.#target) });
  }

  async #stored<T>(step: Promise<T>): Promise<T> {
    try {
      return await step;
    } catch (error) {
      throw writeError(error, this.#target);
    }
  }
}

async function* watchErrors(
  content: AsyncIterable<Buffer>,
  onError: (error: unknown) => void,
): AsyncGenerator<Buffer> {
  try {
    yield* content;
  } catch (error) {
    onError(error);
    throw error;
  }
}

/** Names of files that macOS adds for its own use. */
const madeByMacOs = /^(?:\.DS_Store|__MACOSX|\._.*)$/;

async function siteRootIn(folder: string): Promise<string> {
  const entries = await readdir(folder, { withFileTypes: true });
  const [first, ...others] = entries.filter(({ name }) => !madeByMacOs.test(name));
  if (first === undefined || others.length > 0 || !first.isDirectory()) return folder;
  return siteRootIn(join(folder, first.name));
}

/**
 * Removes temporary folders of processes that died while unpacking (faults.md E9). A folder younger than
 * a day may still be in use.
 *
 * @returns the number of removed folders. A folder that can't be removed is left for the next time.
 */
export async function removeStaleUnpacking(folder: string, clock: Clock): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  let removed = 0;
  for (const entry of entries) {
    if (!entry.isDirectory() || !temporaryName.test(entry.name)) continue;
    const path = join(folder, entry.name);
    try {
      const { mtimeMs } = await lstat(path);
      if (clock.now() - mtimeMs < STALE_AFTER_MS) continue;
      await rm(path, { recursive: true, force: true });
      removed += 1;
    } catch {
      // Another process may have removed it.
    }
  }
  return removed;
}
