import { lstat, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import type { Clock } from '../../common/ports';
import { ExportError } from '../exportErrors';
import { fileErrorCode, writeError } from '../fileErrors';
import { unsafeEntry, unsafeReasons } from './unsafeEntry';

const temporaryName = /^\..+\.[\w-]+\.unpacking$/;
/** Characters of the target's name that the temporary one takes, so that it is not too long. */
const MAX_NAME_START = 60;
const STALE_AFTER_MS = 24 * 60 * 60 * 1000;

/** Makes a new file; `writeFile` of `node:fs/promises`, or one that fails as a test wants it. */
export type WriteFile = (
  file: string,
  content: AsyncIterable<Buffer>,
  options: { readonly flag: 'wx'; readonly mode: number },
) => Promise<void>;

/**
 * The folder that an archive is unpacked into: a temporary one beside the target until all is
 * there, and then, in one step, the target (faults.md D16, D18, D19). What is to be made in it has
 * been checked by `EntryTree`; even so, nothing is ever written over. Uses `node:fs`.
 *
 * Any method may throw `already-exists`, `disk-full` or `not-writable` as an {@link ExportError}.
 */
export class UnpackTarget {
  readonly #target: string;
  readonly #writeFile: WriteFile;
  /** Only its owner may look into it; the unpacked folder inside gets a plain mode. */
  readonly #temporary: string;
  readonly #root: string;
  /** Folders that are there, by their exact names. */
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
   * @param target absolute path; nothing may be there yet.
   * @param id names the temporary folder: letters, digits, `-` and `_`.
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
   * Makes a folder and those around it; one that is there already is fine, also where its name
   * differs by case and the file system takes both for one.
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
   * Makes a new file, and the folders around it.
   *
   * @param entry the entry's name as archived, for errors.
   * @throws {ExportError} `unsafe-archive` if something is there already.
   * @throws what `content` throws, as it is.
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

  /** A file system may take more names for one than `EntryTree` knows of. */
  #madeError(error: unknown, entry: string): unknown {
    const code = fileErrorCode(error);
    return code === 'EEXIST' || code === 'ENOTDIR'
      ? unsafeEntry(entry, unsafeReasons.collision)
      : writeError(error, this.#target);
  }

  /**
   * Makes it the target.
   * @returns absolute path of the folder that holds the site: the target, or the one folder that
   * is alone in it.
   */
  async finish(): Promise<string> {
    const siteRoot = await this.#stored(siteRootIn(this.#root));
    await this.#requireFree();
    try {
      await rename(this.#root, this.#target);
    } catch (error) {
      const code = fileErrorCode(error);
      if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOTDIR') throw this.#taken();
      throw writeError(error, this.#target);
    }
    return join(this.#target, relative(this.#root, siteRoot));
  }

  /**
   * Takes away what is temporary; to be called at any end. What cannot be removed must not hide
   * how it ended, and is left for {@link removeStaleUnpacking}.
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
      if (fileErrorCode(error) === 'ENOENT') return;
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

/** What macOS puts beside files for itself: icons and places of windows, attributes of files. */
const madeByMacOs = /^(?:\.DS_Store|__MACOSX|\._.*)$/;

async function siteRootIn(folder: string): Promise<string> {
  const entries = await readdir(folder, { withFileTypes: true });
  const [first, ...others] = entries.filter(({ name }) => !madeByMacOs.test(name));
  if (first === undefined || others.length > 0 || !first.isDirectory()) return folder;
  return siteRootIn(join(folder, first.name));
}

/**
 * Removes what processes that died while they unpacked have left in a folder (faults.md E9): what
 * is younger than a day may still be in use.
 *
 * @returns how many were removed. What cannot be read or removed is left for the next time.
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
      continue;
    }
  }
  return removed;
}
