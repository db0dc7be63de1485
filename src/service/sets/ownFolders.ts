/**
 * Manages the folders that the extension creates for fetched sites and unpacked bundles. Uses `node:fs`,
 * because all windows only share the file system.
 */
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCodeOrName } from '../../common/errorCode';
import type { Clock, Log, NewId } from '../../common/ports';

/** Matches the names of folders that {@link OwnFolders} creates. It deletes no other folders. */
const folderName = /^[\w-]{1,100}$/;
const useName = /^use-[\w-]+$/;

/** Age at which a folder without a set is deleted. Another window may still be filling a newer one. */
const STALE_AFTER_MS = 24 * 60 * 60 * 1000;

interface OwnFoldersPorts {
  /** Absolute path of the folder that contains all of these folders. It is created when needed. */
  readonly root: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: NewId;
  readonly log: Log;
  /** ID of this process, to write into the marks of this window. */
  readonly processId: number;
  /** Returns whether a process is running. */
  readonly isAlive: (processId: number) => boolean;
}

/**
 * Folders of the extension, one per fetched site or unpacked bundle. A window that serves a folder writes a
 * mark into it, a file with the ID of its process. While this process is running, other windows don't delete
 * the folder.
 */
export class OwnFolders {
  readonly #ports: OwnFoldersPorts;
  /** Number of uses of each folder in this window. */
  readonly #uses = new Map<string, number>();
  /** File name of this window's marks. */
  readonly #use: string;

  constructor(ports: OwnFoldersPorts) {
    this.#ports = ports;
    this.#use = `use-${ports.newId()}`;
  }

  /** Returns the absolute path of a folder, or of a path in it. */
  pathOf(name: string, ...inside: string[]): string {
    return path.join(this.#ports.root, name, ...inside);
  }

  /** Creates a folder, marks it as used by this window, and returns its name. */
  async create(): Promise<string> {
    const name = this.#ports.newId();
    await mkdir(this.pathOf(name), { recursive: true });
    await this.use(name);
    return name;
  }

  /** Marks a folder as used by this window. Each call needs a call of {@link release}. */
  async use(name: string): Promise<void> {
    this.#uses.set(name, (this.#uses.get(name) ?? 0) + 1);
    const { processId, log } = this.#ports;
    try {
      await writeFile(this.pathOf(name, this.#use), String(processId));
    } catch (error) {
      // Without the mark, another window may delete the folder. The service reports this later.
      log.warn(`Can't mark a docs folder as used (${errorCodeOrName(error)})`);
    }
  }

  async release(name: string): Promise<void> {
    const left = (this.#uses.get(name) ?? 0) - 1;
    if (left > 0) {
      this.#uses.set(name, left);
      return;
    }
    this.#uses.delete(name);
    await rm(this.pathOf(name, this.#use), { force: true }).catch(() => undefined);
  }

  /** Deletes a folder, unless a window uses it. If files remain, a later {@link sweep} deletes them. */
  async remove(name: string): Promise<void> {
    const { log } = this.#ports;
    if (!folderName.test(name) || (await this.#isUsed(name))) return;
    try {
      await rm(this.pathOf(name), { recursive: true, force: true, maxRetries: 3 });
    } catch (error) {
      log.warn(`Can't delete a docs folder (${errorCodeOrName(error)})`);
    }
  }

  /**
   * Deletes old folders without a set, for example from a window that closed during a fetch.
   * @param kept names of the folders that belong to a set.
   */
  async sweep(kept: readonly string[]): Promise<void> {
    const { root, clock } = this.#ports;
    const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (!entry.isDirectory() || kept.includes(entry.name)) continue;
      const stats = await stat(this.pathOf(entry.name)).catch(() => undefined);
      if (!stats || clock.now() - stats.mtimeMs < STALE_AFTER_MS) continue;
      await this.remove(entry.name);
    }
  }

  async #isUsed(name: string): Promise<boolean> {
    if (this.#uses.has(name)) return true;
    const files = await readdir(this.pathOf(name)).catch(() => []);
    for (const file of files) {
      if (!useName.test(file) || file === this.#use) continue;
      const text = await readFile(this.pathOf(name, file), 'utf8').catch(() => '');
      const processId = Number.parseInt(text, 10);
      if (Number.isInteger(processId) && processId > 0 && this.#ports.isAlive(processId)) {
        return true;
      }
    }
    return false;
  }
}
