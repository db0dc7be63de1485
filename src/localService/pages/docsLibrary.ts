import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock, Log } from '../../common/ports';
import { type PageFile, PageParts, pagePaths, readIncludes, readPageFile } from './docsFolder';
import { FolderWatch } from './folderWatch';
import type { IncludedFiles } from './markup/lines';
import { isPagePath, parsePage } from './page';
import { DocsIndex } from '../search/docsIndex';
import { readSiteConfig } from '../siteConfig/siteConfig';

export interface DocsLibraryPorts {
  /** Real path of the docs folder. */
  readonly root: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Milliseconds of indexing after which requests get a turn. */
const SLICE_MS = 10;
/** Number of files that are read ahead of the one being indexed. */
const READ_AHEAD = 16;

/**
 * Indexes the pages of a folder in the background and keeps the index up to date until {@link
 * stop}.
 */
export class DocsLibrary {
  readonly index = new DocsIndex();
  readonly #ports: DocsLibraryPorts;
  readonly #stamps = new Map<string, string>();
  readonly #parts = new PageParts();
  readonly #stopping = new AbortController();
  /** Paths of pages to read again, processed one by one. */
  readonly #changed = new Set<string>();
  #watch: FolderWatch | undefined;
  #indexing: Promise<void> | undefined;
  #refreshing: Promise<void> | undefined;
  #isIndexed = false;
  /** Files that look like pages but hold the site's navigation. */
  #noPages: ReadonlySet<string> = new Set();
  #sliceStart = 0;

  constructor(ports: DocsLibraryPorts) {
    this.#ports = ports;
  }

  /** Whether all pages that existed at the start are indexed. */
  get isIndexed(): boolean {
    return this.#isIndexed;
  }

  /** Starts to index. Call it once. */
  start(): void {
    this.#indexing = this.#indexFolder();
    // Callers of `whenIndexed` get the error. It must not end the process if there are none.
    this.#indexing.catch(() => undefined);
  }

  /**
   * Resolves when the first indexing has ended.
   * @throws when the folder itself cannot be read.
   */
  async whenIndexed(): Promise<void> {
    await this.#indexing;
  }

  /** Waits until everything is indexed, for `ms` milliseconds, or until the signal aborts. */
  async settle(ms: number, signal: AbortSignal): Promise<void> {
    if (this.#isIndexed || signal.aborted) return;
    const given = new AbortController();
    const ending = AbortSignal.any([signal, given.signal]);
    await Promise.race([
      this.#indexing,
      this.#ports.clock.delay(ms, ending).catch(() => undefined),
    ]).catch(() => undefined);
    given.abort();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#indexing?.catch(() => undefined);
    await this.#watch?.stop();
    await this.#refreshing;
  }

  async #indexFolder(): Promise<void> {
    const { root, log } = this.#ports;
    const { contentFolder, basePaths, publicFolders, noPages } = await readSiteConfig(root, log);
    this.#noPages = new Set(noPages);
    this.index.roots = { contentFolder, basePaths, publicFolders };
    const reads: { path: string; file: Promise<PageFile | undefined> }[] = [];
    const indexNext = async (): Promise<void> => {
      const next = reads.shift();
      if (next) await this.#put(next.path, await next.file);
    };
    for await (const path of pagePaths(root, log)) {
      if (this.#stopping.signal.aborted) break;
      reads.push({ path, file: readPageFile(root, path, log) });
      if (reads.length >= READ_AHEAD) await indexNext();
    }
    while (reads.length > 0 && !this.#stopping.signal.aborted) await indexNext();
    await Promise.all(reads.map(({ file }) => file));
    if (this.#stopping.signal.aborted) return;
    this.#isIndexed = true;
    this.#watch = new FolderWatch(this.#ports, {
      changed: (path, stamp) => {
        // The watch first reports all pages. Only those that changed in the meantime are new.
        if (this.#stamps.get(path) !== stamp) this.#refresh(path);
      },
      removed: (path) => this.#refresh(path),
    });
    this.#watch.start();
  }

  #refresh(path: string): void {
    this.#changed.add(path);
    this.#refreshing ??= this.#workOff().finally(() => (this.#refreshing = undefined));
  }

  async #workOff(): Promise<void> {
    for (const path of this.#changed) {
      if (this.#stopping.signal.aborted) return;
      this.#changed.delete(path);
      await this.#put(path, await readPageFile(this.#ports.root, path, this.#ports.log));
    }
  }

  async #put(path: string, found: PageFile | undefined): Promise<void> {
    const file = this.#noPages.has(path) ? undefined : found;
    // A page changes when a file that it includes changes.
    if (this.#isIndexed && file?.stamp !== this.#stamps.get(path)) {
      for (const user of this.#parts.usersOf(path)) this.#changed.add(user);
    }
    if (file) this.#stamps.set(path, file.stamp);
    else this.#stamps.delete(path);
    const files = file
      ? await readIncludes(this.#ports.root, path, file.source)
      : new Map<string, string>();
    for (const other of this.#parts.set(path, files.keys())) {
      if (this.#parts.isPart(other)) this.index.remove(other);
      else if (this.#isIndexed && isPagePath(other) && !this.index.pageAtPath(other))
        this.#changed.add(other);
    }
    if (file && !this.#parts.isPart(path)) this.#index(path, file, files);
    else this.index.remove(path);
    const now = this.#ports.clock.now();
    if (now - this.#sliceStart < SLICE_MS) return;
    await nextTurn();
    this.#sliceStart = this.#ports.clock.now();
  }

  #index(path: string, file: PageFile, files: IncludedFiles): void {
    const { log } = this.#ports;
    try {
      const page = parsePage(path, file.source, files);
      for (const { line, reason } of page.problems)
        log.warn(`${path}:${line} is read as Markdown: ${reason}`);
      this.index.put(page);
    } catch (error) {
      log.error(`Can't index ${path}`, error);
    }
  }
}
