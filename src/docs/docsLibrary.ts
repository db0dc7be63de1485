import { inTurns } from '../common/clock';
import { errorCodeOrName } from '../common/errorCode';
import type { Clock, Log } from '../common/ports';
import type { DocsSet } from '../common/localDocsApi';
import { workSlices } from '../common/workSlices';
import { SetIndex } from './search/setIndex';
import { type KeptPage, type ReadPage, readingWords } from './search/pageWords';
import { type PageFile, PageParts } from './sources/docsFolder';
import type { FolderChanges } from './sources/folderWatch';
import { KeptPages, type MadeOf, keyOfPage, type KeptPlace } from './kept/keptPages';
import { type IncludedFiles, includesOf } from './pages/markup/lines';
import { isHtmlPath, isPagePath } from './pages/pagePath';
import { type DocsPage, parsePageFile } from './pages/page';
import type { MadePages, PageSource, PageWatch, ReadingProgress } from './sources/pageSource';

export interface DocsLibraryPorts {
  /** Name of the set of docs, if the engine has several. */
  readonly set?: DocsSet;
  readonly source: PageSource;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether later changes of the pages are indexed, as by default. */
  readonly isFollowed?: boolean;
  /**
   * Returns a page as readers of the docs see it, or undefined for one that isn't theirs, of which no word is indexed.
   * By default, they see all pages as they are.
   */
  readonly seen?: (page: DocsPage) => DocsPage | undefined;
  /** Place to keep what was read of the pages for the next process. Nothing is kept if this is absent. */
  readonly kept?: KeptPlace;
  /** Called repeatedly while the pages are read for the first time. */
  readonly onProgress?: (progress: ReadingProgress) => void;
  /** Called when pages that changed after the first reading are indexed. */
  readonly onChanged?: () => void;
}

/** Number of files that are read ahead of the one being indexed. */
const READ_AHEAD = 16;
/** Milliseconds between two reports of progress. People can't read more frequent ones. */
const PROGRESS_MS = 250;

/**
 * Age in milliseconds from which a file's stamp can be trusted. After a younger change, the file can change again
 * within the same tick of the file system's clock, which is up to two seconds long, and keep its stamp and size.
 */
const SAFE_AGE_MS = 2000;

/** A file with the time at which its reading began. */
type ReadFile = PageFile & { readonly readAt: number };
/** A file, or what was read of it earlier. */
type FoundFile =
  | ReadFile
  | { readonly read: KeptPage; readonly stamp: string; readonly bytes: number };

/**
 * One set of docs: indexes the pages of its source in the background and keeps the index up to date until {@link
 * stop}.
 */
export class DocsLibrary {
  readonly index: SetIndex;
  readonly #ports: DocsLibraryPorts;
  readonly #stamps = new Map<string, string>();
  /** Size of each page in bytes, by path. */
  readonly #sizes = new Map<string, number>();
  #sizeBytes = 0;
  readonly #parts = new PageParts();
  readonly #kept: KeptPages | undefined;
  #keeping: Promise<void> | undefined;
  readonly #stopping = new AbortController();
  /** Paths of pages to read again, processed one by one. */
  readonly #changed = new Set<string>();
  #watch: PageWatch | undefined;
  #indexing: Promise<void> | undefined;
  /** Settles with the first indexing, also for those who wait before it has begun. */
  readonly #indexed: Promise<void>;
  #settleIndexed: (indexing?: Promise<void>) => void = () => undefined;
  #refreshing: Promise<void> | undefined;
  #isIndexed = false;
  /** Files that look like pages but only have the site's navigation. */
  #noPages: ReadonlySet<string> = new Set();
  /** Lets requests run from time to time. */
  readonly #pause: () => Promise<void>;
  #progressAt = 0;

  constructor(ports: DocsLibraryPorts) {
    this.#ports = ports;
    this.index = new SetIndex(ports.set);
    this.#indexed = new Promise((resolve) => (this.#settleIndexed = resolve));
    // Callers of `whenIndexed` get the error. If there are none, it must not end the process.
    this.#indexed.catch(() => undefined);
    const { set, kept: place, clock, log } = ports;
    const { vocabulary } = this.index;
    this.#pause = workSlices(clock);
    this.#kept = place && new KeptPages({ place, set, vocabulary, clock, log, pause: this.#pause });
  }

  /** Source of the pages. */
  get source(): PageSource {
    return this.#ports.source;
  }

  /** Whether all pages that existed at the start are indexed. */
  get isIndexed(): boolean {
    return this.#isIndexed;
  }

  /** Starts to index. Call it once. */
  start(): void {
    this.#indexing = this.#indexAll();
    this.#settleIndexed(this.#indexing);
  }

  /**
   * Resolves when the first indexing has ended, or when this was stopped before it began.
   * @throws if the pages can't be read. The library is empty then.
   */
  async whenIndexed(): Promise<void> {
    await this.#indexed;
  }

  /** Resolves when the changes that the source has reported so far are indexed. */
  async whenUpToDate(): Promise<void> {
    await this.#refreshing;
  }

  /** Waits until all pages are indexed, at most `ms` milliseconds, or until the signal aborts. */
  async settle(ms: number, signal: AbortSignal): Promise<void> {
    if (this.#isIndexed || signal.aborted) return;
    const given = new AbortController();
    const ending = AbortSignal.any([signal, given.signal]);
    await Promise.race([
      this.#indexed,
      this.#ports.clock.delay(ms, ending).catch(() => undefined),
    ]).catch(() => undefined);
    given.abort();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#settleIndexed();
    await this.#indexing?.catch(() => undefined);
    await this.#watch?.stop();
    await this.#refreshing;
    await this.#keeping;
    // The next process goes on from here, even if not all pages have been read.
    await this.#kept?.close();
  }

  async #indexAll(): Promise<void> {
    const { source, log } = this.#ports;
    const { contentFolder, basePaths, publicFolders, noPages, language } =
      await source.readConfig(log);
    this.#noPages = new Set(noPages);
    const { hasPagesOnly = false, web } = source;
    this.index.roots = { contentFolder, basePaths, publicFolders, hasPagesOnly, web };
    this.index.configuredLanguage = language;
    if (this.#ports.isFollowed !== false) this.#watch = source.watch(this.#changes());
    await this.#kept?.open();
    try {
      await this.#indexPages();
    } catch (error) {
      for (const path of [...this.#stamps.keys()]) this.index.remove(path);
      this.#stamps.clear();
      this.#sizes.clear();
      this.#sizeBytes = 0;
      // The watch still starts, because a later refresh of a public site can bring its pages.
      this.#isIndexed = true;
      this.#watch?.start();
      throw error;
    }
    if (this.#stopping.signal.aborted) return;
    this.#isIndexed = true;
    this.#watch?.start(this.#stamps.keys());
    this.#keep();
  }

  /** Writes what is new in the background. */
  #keep(): void {
    this.#keeping = (this.#keeping ?? Promise.resolve()).then(() => this.#kept?.settle());
  }

  async #indexPages(): Promise<void> {
    const { source, clock } = this.#ports;
    const { signal } = this.#stopping;
    this.#progressAt = clock.now();
    const reads: { path: string; file: Promise<FoundFile | undefined> }[] = [];
    const indexNext = async (): Promise<void> => {
      const next = reads.shift();
      if (next) await this.#putFound(next.path, await next.file);
    };
    for await (const path of source.paths(signal)) {
      if (signal.aborted) break;
      reads.push({ path, file: this.#find(path) });
      const readAhead = source.isSlow === true ? 0 : READ_AHEAD;
      while (reads.length > readAhead) await indexNext();
      this.#reportProgress();
    }
    while (reads.length > 0 && !signal.aborted) await indexNext();
    await Promise.all(reads.map(({ file }) => file));
    if (source.made && !signal.aborted) await this.#indexMade(source.made);
  }

  /** Indexes the pages without files. The others are there without them, if they can't be made. */
  async #indexMade(made: MadePages): Promise<void> {
    const { signal } = this.#stopping;
    // Making the pages of a large package takes seconds, for which nobody waits at the end.
    const pause = async (): Promise<void> => {
      await this.#pause();
      signal.throwIfAborted();
    };
    try {
      const of = await this.#whatMade(made, pause);
      const kept = of && this.#kept?.findMade(of);
      if (kept) {
        for (const read of kept) {
          const page = this.#seen(read.page);
          if (page) this.index.addKept({ ...read, page });
          await pause();
        }
        return;
      }
      const read: ReadPage[] = [];
      for (const own of await made.make(pause)) {
        const words = await inTurns(readingWords(own, this.index.vocabulary), pause);
        const page = this.#seen(own);
        if (page) this.index.add({ ...words, page });
        read.push(words);
        await pause();
      }
      if (of) await this.#kept?.putMade(of, read);
    } catch (error) {
      if (signal.aborted) return;
      this.#ports.log.warn(`Can't make the pages without files: ${errorCodeOrName(error)}`);
    }
  }

  /** Returns what the pages without files are made of, if they can be kept. */
  async #whatMade(made: MadePages, pause: () => Promise<void>): Promise<MadeOf | undefined> {
    const { stamp } = made;
    if (stamp === undefined || !this.#kept) return undefined;
    return { stamp, content: this.#kept.contentOf(stamp) ?? (await made.content(pause)) };
  }

  /** Size of all pages in bytes, before they were parsed. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  #reportProgress(): void {
    const { clock, onProgress, source } = this.#ports;
    const now = clock.now();
    if (!onProgress || now - this.#progressAt < PROGRESS_MS) return;
    this.#progressAt = now;
    onProgress({ pages: this.index.pageCount, ...source.size });
  }

  #changes(): FolderChanges {
    return {
      changed: (path, stamp) => {
        // A watch first reports all pages. Pages with a known stamp have already been read.
        if (this.#stamps.get(path) !== stamp) this.#refresh(path);
      },
      removed: (path) => this.#refresh(path),
    };
  }

  #refresh(path: string): void {
    this.#changed.add(path);
    this.#refreshing ??= this.#workOff().finally(() => {
      this.#refreshing = undefined;
      if (this.#stopping.signal.aborted) return;
      this.#keep();
      this.#ports.onChanged?.();
    });
  }

  async #workOff(): Promise<void> {
    for (const path of this.#changed) {
      if (this.#stopping.signal.aborted) return;
      this.#changed.delete(path);
      await this.#putFound(path, await this.#find(path));
    }
  }

  /** Returns what was read of a page whose file has not changed since, or else reads the file. */
  async #find(path: string): Promise<FoundFile | undefined> {
    const { source, clock } = this.#ports;
    const stamp = this.#kept?.hasStamp(path) === true ? await source.stamp?.(path) : undefined;
    const unchanged = stamp === undefined ? undefined : this.#kept?.findUnchanged(path, stamp);
    if (stamp !== undefined && unchanged) return { ...unchanged, stamp };
    const readAt = clock.now();
    const file = await source.read(path);
    return file && { ...file, readAt };
  }

  async #putFound(path: string, found: FoundFile | undefined): Promise<void> {
    if (!found || !('read' in found) || this.#noPages.has(path))
      return this.#put(path, found && 'read' in found ? undefined : found);
    this.#noteChange(path, found.stamp, found.bytes);
    this.#addKept(path, found.read);
    await this.#pause();
  }

  /** Notes the file of a page, or that there is none. */
  #noteChange(path: string, stamp: string | undefined, bytes: number): void {
    // When a file changes, the pages that include it must be read again.
    if (this.#isIndexed && stamp !== this.#stamps.get(path)) {
      for (const user of this.#parts.usersOf(path)) this.#changed.add(user);
    }
    if (stamp === undefined) this.#stamps.delete(path);
    else this.#stamps.set(path, stamp);
    this.#sizeBytes += bytes - (this.#sizes.get(path) ?? 0);
    if (stamp === undefined) this.#sizes.delete(path);
    else this.#sizes.set(path, bytes);
  }

  #addKept(path: string, read: KeptPage): void {
    const page = this.#seen(read.page);
    if (!page) {
      this.index.remove(path);
      return;
    }
    logProblems(page, this.#ports.log);
    this.index.addKept({ ...read, page });
  }

  #seen(page: DocsPage): DocsPage | undefined {
    return this.#ports.seen ? this.#ports.seen(page) : page;
  }

  async #put(path: string, found: ReadFile | undefined): Promise<void> {
    const file = this.#noPages.has(path) ? undefined : found;
    const bytes = file ? Buffer.byteLength(file.source) : 0;
    this.#noteChange(path, file?.stamp, bytes);
    const files = file
      ? await this.source.readIncludes(path, file.source)
      : new Map<string, string>();
    for (const other of this.#parts.set(path, files.keys())) {
      if (this.#parts.isPart(other)) this.index.remove(other);
      else if (this.#isIndexed && isPagePath(other) && !this.index.pageAtPath(other))
        this.#changed.add(other);
    }
    if (file && !this.#parts.isPart(path)) await this.#index(path, file, files, bytes);
    else this.index.remove(path);
    if (!file) this.#kept?.remove(path);
    await this.#pause();
  }

  async #index(path: string, file: ReadFile, files: IncludedFiles, bytes: number): Promise<void> {
    try {
      const key = this.#kept && keyOfPage(path, file.source, file.canonicalUrl, files);
      const kept = key === undefined ? undefined : this.#kept?.find(path, key);
      if (kept) this.#addKept(path, kept);
      else {
        const read = await this.#read(path, file, files);
        logProblems(read.page, this.#ports.log);
        const isEmpty = isHtmlPath(path) && read.page.sections.length === 0;
        const page = isEmpty ? undefined : this.#seen(read.page);
        if (page) this.index.add({ ...read, page });
        else this.index.remove(path);
        if (key !== undefined) await this.#kept?.put(key, read, bytes);
      }
      // An included file can change, appear or go without any change of the page.
      const isAlone = files.size === 0 && includesOf(path, file.source).length === 0;
      const { stamp, changedAt = Infinity, readAt } = file;
      if (key !== undefined && isAlone && changedAt + SAFE_AGE_MS < readAt)
        this.#kept?.trust(path, { key, stamp, bytes });
    } catch (error) {
      this.#ports.log.error(`Can't index ${path}`, error);
    }
  }

  async #read(path: string, file: PageFile, files: IncludedFiles): Promise<ReadPage> {
    const page = parsePageFile(path, file, files);
    await this.#pause();
    return inTurns(readingWords(page, this.index.vocabulary), this.#pause);
  }
}

/** Logs what was left out of a page. */
export function logProblems({ path, problems }: DocsPage, log: Log): void {
  for (const { line, reason } of problems) {
    if (isHtmlPath(path)) log.info(`Left out ${path}: ${reason}`);
    else log.warn(`${path}:${line} is read as Markdown: ${reason}`);
  }
}
