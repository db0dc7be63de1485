/**
 * The docs engine: docs in, answers out. It holds one set of docs or several (`docsSets.ts`). It has no server and
 * no process of its own, and works in slices of 10 ms, so any process can hold it. Uses `node:fs` to check the
 * folder.
 */
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { systemClock } from '../common/clock';
import type { OpenDocs } from '../common/localDocsApi';
import { plainTranslate, type Translate } from '../common/errors';
import { silentLog } from '../common/ports';
import { DocsError } from './docsError';
import type { ReadableSet } from './askedDocs';
import type { DocsLibrary, DocsLibraryPorts } from './docsLibrary';
import { type DocsSets, type DocsSetsPorts, SetsEngine } from './docsSets';
import { BundleSource } from './sources/bundleSource';
import { FolderSource, type PageSource, type ReadingProgress } from './sources/pageSource';
import { SiteError, siteErrorText } from './sources/site/siteErrors';
import type { SiteLimits } from './sources/site/siteLimits';
import { SiteSource, type SiteState } from './sources/site/siteSource';

/** Docs to open. */
export type DocsSource =
  | { readonly kind: 'folder'; readonly folder: string }
  /** An unpacked bundle: a folder with an exported site. */
  | { readonly kind: 'bundle'; readonly folder: string }
  /** A public site, whose pages are kept in the folder `cache`. */
  | { readonly kind: 'site'; readonly url: string; readonly cache: string };

/** Counts of the pages and sections that were read, with the total size of the pages' files. */
export interface IndexedDocs {
  readonly pages: number;
  readonly sections: number;
  readonly sizeBytes: number;
}

/** A complete set of a public site's pages. */
export interface RefreshedDocs extends SiteState {
  readonly pages: number;
  readonly sections: number;
}

export interface DocsEnginePorts extends DocsSetsPorts, Pick<DocsLibraryPorts, 'seen'> {
  /** Translates errors and notes about the docs. English if it is absent. */
  readonly translate?: Translate;
  /** Whether later changes of a folder's files are indexed, as by default. One question needs none. */
  readonly isFollowed?: boolean;
  /** Limits for fetching a public site. */
  readonly siteLimits?: Partial<SiteLimits>;
  /** Called repeatedly while the pages are read for the first time or fetched again. */
  readonly onProgress?: (progress: ReadingProgress) => void;
  /** Called when pages that changed after the first reading are indexed. */
  readonly onChanged?: (docs: Pick<IndexedDocs, 'pages'>) => void;
  /** Called when the pages of a public site are indexed, and each time they were fetched again. */
  readonly onRefreshed?: (docs: RefreshedDocs) => void;
  /** Called with a sentence when a public site could not be fetched again. */
  readonly onRefreshFailed?: (message: string) => void;
}

/** One set of docs that can be asked, wherever its index is. */
export interface SiteEngine extends OpenDocs, Pick<DocsSets, 'prepare' | 'start' | 'close'> {
  /**
   * Resolves with the counts of the first indexing, without those of added sets.
   * @throws if the folder can't be read or the site can't be fetched.
   */
  whenIndexed(): Promise<Pick<IndexedDocs, 'pages' | 'sections'>>;
  /** Fetches a public site again. Resolves when its pages are indexed, even if the fetch failed. */
  refresh(): Promise<void>;
  /**
   * Returns what `read` makes of the docs, after a wait for their first indexing. It runs again if what it reads comes
   * in turns.
   */
  reading<Result>(read: (docs: ReadableSet) => Promise<Result>): Promise<Result>;
}

/** Maximum milliseconds that somebody who opens a page waits for the first indexing. */
const READING_PATIENCE_MS = 10_000;

/** Docs that this process has opened and indexed. Further sets can be added to them. */
export interface DocsEngine extends DocsSets, SiteEngine {
  /** Pages and index of the docs that the engine was opened with. */
  readonly library: DocsLibrary;
  /** Real path of the folder that has the pages. */
  readonly place: string;
  ask: DocsSets['ask'];
  whenIndexed(): Promise<IndexedDocs>;
  /** Ends a fetch that {@link refresh} started. The pages of the earlier fetch stay. */
  cancelRefresh(): void;
}

/**
 * Opens docs. They can be asked at once, and are read after {@link DocsEngine.start}.
 * @throws {DocsError} for a folder that doesn't exist or a URL that can't be the URL of a site.
 */
export async function openDocs(docs: DocsSource, ports: DocsEnginePorts): Promise<DocsEngine> {
  const { translate: t = plainTranslate } = ports;
  if (docs.kind !== 'site') {
    const root = await docsRoot(docs.folder, t);
    const { clock = systemClock, log = silentLog } = ports;
    const folder = { root, clock, log };
    const source = docs.kind === 'bundle' ? new BundleSource(folder) : new FolderSource(folder);
    return new Engine(docs.kind, source, root, ports);
  }
  let engine: Engine | undefined;
  const place = path.resolve(docs.cache);
  const site = openSite(docs.url, place, ports, () => void engine?.reportSite());
  return (engine = new Engine(docs.kind, site, place, ports, site));
}

class Engine extends SetsEngine implements DocsEngine {
  readonly library: DocsLibrary;
  readonly #ports: DocsEnginePorts;
  readonly #site: SiteSource | undefined;

  constructor(
    kind: DocsSource['kind'],
    source: PageSource,
    place: string,
    ports: DocsEnginePorts,
    site?: SiteSource,
  ) {
    super(place, ports);
    this.#ports = ports;
    this.#site = site;
    this.library = this.makeLibrary({
      source,
      key: `${kind} ${place}`,
      // The watch of a site only tells what a fetch has brought.
      isFollowed: site !== undefined || ports.isFollowed !== false,
      seen: ports.seen,
      onProgress: ports.onProgress,
      onChanged: () => ports.onChanged?.({ pages: this.library.index.pageCount }),
    });
  }

  override start(): void {
    this.library.start();
    this.updateVectors();
    super.start();
    if (this.#site) void this.reportSite();
  }

  async whenIndexed(): Promise<IndexedDocs> {
    await this.library.whenIndexed();
    const { sizeBytes, index } = this.library;
    return { pages: index.pageCount, sections: index.sectionCount, sizeBytes };
  }

  async reading<Result>(read: (docs: ReadableSet) => Promise<Result>): Promise<Result> {
    await this.library.settle(READING_PATIENCE_MS, new AbortController().signal);
    return read(this.library);
  }

  async refresh(): Promise<void> {
    await this.#site?.refresh();
    await this.library.whenUpToDate();
  }

  cancelRefresh(): void {
    this.#site?.cancelRefresh();
  }

  /** Tells about a site's pages once they are indexed. */
  async reportSite(): Promise<void> {
    try {
      await this.library.whenIndexed();
    } catch {
      // The first fetch failed. A later one may have succeeded.
    }
    await this.library.whenUpToDate();
    this.updateVectors();
    const state = this.#site?.state;
    if (!state || this.isClosed) return;
    const { pageCount: pages, sectionCount: sections } = this.library.index;
    this.#ports.onRefreshed?.({ ...state, pages, sections });
  }
}

function openSite(
  url: string,
  cache: string,
  ports: DocsEnginePorts,
  onRefreshed: () => void,
): SiteSource {
  const { clock = systemClock, log = silentLog, translate: t = plainTranslate } = ports;
  try {
    return new SiteSource({
      url,
      cache,
      clock,
      log,
      onRefreshed,
      translate: t,
      onProgress: ports.onProgress,
      onRefreshFailed: ports.onRefreshFailed,
      limits: ports.siteLimits,
    });
  } catch (error) {
    if (error instanceof SiteError) throw new DocsError(siteErrorText(error, t));
    throw error;
  }
}

/**
 * Returns the real path of a folder of docs.
 * @throws {DocsError} if it does not exist.
 */
export async function docsRoot(folder: string, t: Translate = plainTranslate): Promise<string> {
  try {
    const root = await realpath(folder);
    if ((await stat(root)).isDirectory()) return root;
  } catch {
    throw new DocsError(t("The folder {0} doesn't exist.", folder));
  }
  throw new DocsError(t('{0} is not a folder.', folder));
}
