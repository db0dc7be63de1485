/**
 * The folders that the extension makes for fetched sites and unpacked bundles. Uses `node:fs`, because
 * only the file system is shared by all windows.
 */
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCodeOrName } from '../../common/errorCode';
import type { Clock, Log, NewId } from '../../common/ports';

/** Matches the names of folders that this file makes. Nothing else is ever deleted. */
const folderName = /^[\w-]{1,100}$/;
const useName = /^use-[\w-]+$/;

/** Age from which a folder without a set is deleted. A younger one may be filled by another window. */
const STALE_AFTER_MS = 24 * 60 * 60 * 1000;

interface OwnFoldersPorts {
  /** Absolute path of the folder that holds all of them. It is created when needed. */
  readonly root: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: NewId;
  readonly log: Log;
  /** ID of this process. Its windows' marks count as long as it lives. */
  readonly processId: number;
  /** Returns whether a process lives. */
  readonly isAlive: (processId: number) => boolean;
}

/**
 * Folders of the extension, one per fetched site or unpacked bundle. A window marks a folder that it
 * serves with a file in it, so that another window doesn't delete it. A mark counts as long as
 * its process lives.
 */
export class OwnFolders {
  readonly #ports: OwnFoldersPorts;
  /** Number of uses of each folder in this window. */
  readonly #uses = new Map<string, number>();
  /** Name of this window's marks. */
  readonly #use: string;

  constructor(ports: OwnFoldersPorts) {
    this.#ports = ports;
    this.#use = `use-${ports.newId()}`;
  }

  /** Returns the absolute path of what is inside a folder. */
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

  /** Marks a folder as used by this window, until {@link release} was called as often. */
  async use(name: string): Promise<void> {
    this.#uses.set(name, (this.#uses.get(name) ?? 0) + 1);
    const { processId, log } = this.#ports;
    try {
      await writeFile(this.pathOf(name, this.#use), String(processId));
    } catch (error) {
      // Without its mark, another window may delete the folder. The service then says so.
      log.warn(`The use of a docs folder could not be noted (${errorCodeOrName(error)})`);
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

  /**
   * Deletes a folder, unless a window uses it. What is left is deleted by a later {@link sweep}.
   * @returns whether the folder is gone.
   */
  async remove(name: string): Promise<boolean> {
    const { log } = this.#ports;
    if (!folderName.test(name) || (await this.#isUsed(name))) return false;
    try {
      await rm(this.pathOf(name), { recursive: true, force: true, maxRetries: 3 });
      return true;
    } catch (error) {
      log.warn(`A docs folder could not be deleted (${errorCodeOrName(error)})`);
      return false;
    }
  }

  /**
   * Deletes the folders that belong to no set, such as those of a window that closed during a fetch.
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
