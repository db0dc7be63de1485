/** Watches the docs folder with `node:fs`. */
import { type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCodeOrName } from '../../common/errorCode';
import type { Clock, Log } from '../../common/ports';
import { isIgnoredName } from '../pages/pagePath';
import { stampAt } from './docsFolder';

/** Receives the changes below the folder. Paths are relative to it, with forward slashes. */
export interface FolderChanges {
  changed(pagePath: string, stamp: string): void;
  removed(pagePath: string): void;
}

export interface FolderWatchPorts {
  readonly root: string;
  readonly clock: Clock;
  readonly log: Log;
}

interface KnownFolder {
  /**
   * Differs if another folder has taken the place of this one, which the watch of this one doesn't tell. Undefined
   * before the first look.
   */
  readonly identity: string | undefined;
  readonly watcher: FSWatcher | undefined;
  /** Stamps of the folder's pages, by file name. */
  readonly pages: Map<string, string>;
}

/** Milliseconds to wait after a change, so that the folder is read once for several changes. */
const SETTLE_MS = 100;
/** Milliseconds between two looks for the folder of the docs while it is gone, because nothing tells that it is back. */
const GONE_MS = 2000;

/**
 * Reports every page below a folder, then every change until stopped.
 *
 * Sets one system watch per folder, then reads the folder and compares it with the last reading. chokidar 5
 * has two problems: it reads a folder before it watches it, so it misses files created in between, and it
 * sets a watch per file, which blocks the service for a second with 10,000 pages. @parcel/watcher needs
 * native code, but one .vsix must run on all platforms.
 */
export class FolderWatch {
  readonly #ports: FolderWatchPorts;
  readonly #changes: FolderChanges;
  readonly #isPage: (name: string) => boolean;
  readonly #isWatched: (folder: string) => boolean;
  readonly #folders = new Map<string, KnownFolder>();
  /** Folders to read, one at a time. */
  readonly #queue = new Set<string>();
  readonly #stopping = new AbortController();
  #looking: Promise<void> | undefined;
  #isWaiting = false;
  #hasWarned = false;

  /** @param isWatched returns whether a folder can have pages, by its path. All folders can by default. */
  constructor(
    ports: FolderWatchPorts,
    changes: FolderChanges,
    isPage: (name: string) => boolean,
    isWatched: (folder: string) => boolean = () => true,
  ) {
    this.#ports = ports;
    this.#changes = changes;
    this.#isPage = isPage;
    this.#isWatched = isWatched;
  }

  /** @param read paths of pages that were read before. Those that are gone by now are reported, too. */
  start(read: Iterable<string> = []): void {
    for (const page of read) {
      const own = parentOf(page);
      // The folders above it lead to it.
      for (let folder = own; folder !== undefined; folder = parentOf(folder)) {
        const known = this.#folders.get(folder) ?? {
          identity: undefined,
          watcher: undefined,
          pages: new Map<string, string>(),
        };
        this.#folders.set(folder, known);
        if (folder === own) known.pages.set(page.slice(page.lastIndexOf('/') + 1), '');
      }
    }
    this.#enqueue('');
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const { watcher } of this.#folders.values()) watcher?.close();
    await this.#looking;
  }

  #enqueue(folder: string): void {
    if (this.#stopping.signal.aborted) return;
    this.#queue.add(folder);
    this.#looking ??= this.#lookAtAll().finally(() => (this.#looking = undefined));
  }

  async #lookAtAll(): Promise<void> {
    while (this.#queue.size > 0) {
      const { signal } = this.#stopping;
      await this.#ports.clock.delay(SETTLE_MS, signal).catch(() => undefined);
      for (const folder of this.#queue) {
        if (signal.aborted) return;
        this.#queue.delete(folder);
        await this.#lookAt(folder);
      }
    }
  }

  async #lookAt(folder: string): Promise<void> {
    const absolute = path.join(this.#ports.root, folder);
    const identity = await this.#identityOf(folder);
    if (identity === undefined) {
      this.#forget(folder);
      return;
    }
    let known = this.#folders.get(folder);
    if (known?.identity !== identity) {
      known?.watcher?.close();
      const pages = known?.pages ?? new Map<string, string>();
      known = { identity, watcher: this.#watch(folder, absolute), pages };
      this.#folders.set(folder, known);
    }
    let entries;
    try {
      entries = await readdir(absolute, { withFileTypes: true });
    } catch {
      this.#forget(folder);
      return;
    }
    const inFolder = (name: string): string => path.posix.join(folder, name);
    const visible = entries.filter(({ name }) => !isIgnoredName(name));
    const pages = visible.filter((entry) => entry.isFile() && this.#isPage(entry.name));
    const stamps = await Promise.all(pages.map(({ name }) => stampAt(absolute, name)));
    if (this.#stopping.signal.aborted) return;
    const gone = new Set(known.pages.keys());
    pages.forEach(({ name }, position) => {
      const stamp = stamps[position];
      if (stamp === undefined) return;
      gone.delete(name);
      if (known.pages.get(name) === stamp) return;
      known.pages.set(name, stamp);
      this.#changes.changed(inFolder(name), stamp);
    });
    for (const name of gone) {
      known.pages.delete(name);
      this.#changes.removed(inFolder(name));
    }
    const subfolders = new Set(
      visible
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => inFolder(name))
        .filter(this.#isWatched),
    );
    for (const subfolder of subfolders) {
      const known = this.#folders.get(subfolder)?.identity;
      if (known === undefined || known !== (await this.#identityOf(subfolder)))
        this.#queue.add(subfolder);
    }
    for (const other of [...this.#folders.keys()]) {
      if (parentOf(other) === folder && !subfolders.has(other)) this.#forget(other);
    }
  }

  async #identityOf(folder: string): Promise<string | undefined> {
    try {
      const { dev, ino, birthtimeMs } = await stat(path.join(this.#ports.root, folder));
      // A new folder can have the number of one that was deleted just before.
      return `${dev}:${ino}:${birthtimeMs}`;
    } catch {
      return undefined;
    }
  }

  #watch(folder: string, absolute: string): FSWatcher | undefined {
    if (this.#stopping.signal.aborted) return undefined;
    try {
      const watcher = watch(absolute, () => this.#enqueue(folder));
      watcher.on('error', () => this.#enqueue(parentOf(folder) ?? ''));
      return watcher;
    } catch (error) {
      if (!this.#hasWarned) {
        this.#hasWarned = true;
        this.#ports.log.warn(
          `Can't watch ${folder || 'the folder of the docs'} for changes: ${errorCodeOrName(error)}`,
        );
      }
      return undefined;
    }
  }

  /** Stops watching a folder that no longer exists, and all folders below it. Reports their pages as removed. */
  #forget(folder: string): void {
    for (const [name, known] of [...this.#folders]) {
      if (name !== folder && !name.startsWith(`${folder}/`) && folder !== '') continue;
      known.watcher?.close();
      this.#folders.delete(name);
      this.#queue.delete(name);
      for (const page of known.pages.keys()) {
        this.#changes.removed(path.posix.join(name, page));
      }
    }
    if (folder === '' && !this.#isWaiting) void this.#waitForRoot();
  }

  async #waitForRoot(): Promise<void> {
    this.#isWaiting = true;
    await this.#ports.clock.delay(GONE_MS, this.#stopping.signal).catch(() => undefined);
    this.#isWaiting = false;
    this.#enqueue('');
  }
}

function parentOf(folder: string): string | undefined {
  if (folder === '') return undefined;
  return folder.includes('/') ? folder.slice(0, folder.lastIndexOf('/')) : '';
}
