/**
 * The docs engine: docs in, answers out. It has no server and no process of its own, and works in slices of
 * 10 ms, so any process can hold it. Uses `node:fs` to check the folder.
 */
import { randomUUID } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { systemClock } from '../common/clock';
import { plainTranslate, type Translate } from '../common/errors';
import type { DocsQuestion, OpenDocs } from '../common/localDocsApi';
import { type Clock, type Log, type NewId, silentLog } from '../common/ports';
import { DocsError } from './docsError';
import { DocsLibrary } from './docsLibrary';
import type { PageAddresses } from './pages/links';
import {
  checkTextClaims,
  listFilters,
  listPages,
  proveFromPages,
  readPage,
  type ReadingPorts,
  searchDocs,
} from './reading';
import { BundleSource } from './sources/bundleSource';
import { FolderSource, type PageSource, type ReadingProgress } from './sources/pageSource';
import { SiteError, siteErrorText } from './sources/site/siteErrors';
import type { SiteLimits } from './sources/site/siteLimits';
import { SiteSource, type SiteState } from './sources/site/siteSource';
import type { TextLimits } from './writers/limitedText';
import { type PreparedReply, preparedReply, type ReplyPorts } from './writers/preparedReply';
import type { EngineChange } from './writers/replyChanges';
import type { ReplyWriter } from './writers/replyWriter';
import { SimilarSections } from './writers/similarSections';

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

export interface DocsEnginePorts {
  readonly addresses: PageAddresses;
  readonly clock?: Clock;
  readonly log?: Log;
  readonly newId?: NewId;
  /** Translates errors and notes about the docs. English if it is absent. */
  readonly translate?: Translate;
  /** Has the model that writes the replies. If absent, replies quote the docs. */
  readonly writer?: ReplyWriter;
  /** Limits of a reply that a model writes. */
  readonly replyLimits?: TextLimits;
  /** Folder for the vectors of sections. If absent, they stay in memory. */
  readonly vectorsFolder?: string;
  /** Folder that keeps what was read of the pages for the next process. If absent, nothing is kept. */
  readonly indexFolder?: string;
  /** Maximum milliseconds that a question waits for the first indexing. */
  readonly patienceMs?: number;
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

/** Docs that this process has opened. */
export interface DocsEngine extends OpenDocs {
  /** Pages and their index. */
  readonly library: DocsLibrary;
  /** Real path of the folder that has the pages. */
  readonly place: string;
  /** Starts to read the docs. Call it once. */
  start(): void;
  ask(question: DocsQuestion, signal: AbortSignal): AsyncGenerator<EngineChange>;
  /** Searches for a question. Its reply is written while its changes are read. */
  prepare(question: DocsQuestion, signal: AbortSignal): Promise<PreparedReply>;
  /**
   * Resolves with the counts of the first indexing.
   * @throws if the folder can't be read or the site can't be fetched.
   */
  whenIndexed(): Promise<IndexedDocs>;
  /** Fetches a public site again. Resolves when its pages are indexed, even if the fetch failed. */
  refresh(): Promise<void>;
  /** Ends a fetch that {@link refresh} started. The pages of the earlier fetch stay. */
  cancelRefresh(): void;
  /** Ends running replies and stops reading. Safe to call twice. */
  close(): Promise<void>;
}

const DEFAULT_PATIENCE_MS = 1000;

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

class Engine implements DocsEngine {
  readonly library: DocsLibrary;
  readonly place: string;
  readonly #ports: DocsEnginePorts;
  readonly #site: SiteSource | undefined;
  readonly #similar: SimilarSections;
  readonly #reading: ReadingPorts;
  readonly #replying: ReplyPorts;
  readonly #stopping = new AbortController();
  #following: { dispose: () => void } | undefined;
  #closed: Promise<void> | undefined;

  constructor(
    kind: DocsSource['kind'],
    source: PageSource,
    place: string,
    ports: DocsEnginePorts,
    site?: SiteSource,
  ) {
    const { addresses, clock = systemClock, log = silentLog, newId = randomUUID, writer } = ports;
    this.#ports = ports;
    this.#site = site;
    this.place = place;
    this.library = new DocsLibrary({
      source,
      clock,
      log,
      // The watch of a site only tells what a fetch has brought.
      isFollowed: site !== undefined || ports.isFollowed !== false,
      kept:
        ports.indexFolder === undefined
          ? undefined
          : { folder: ports.indexFolder, docs: `${kind} ${place}` },
      onProgress: ports.onProgress,
      onChanged: () => ports.onChanged?.({ pages: this.library.index.pageCount }),
    });
    const { library } = this;
    this.#similar = new SimilarSections({
      index: library.index,
      root: place,
      folder: ports.vectorsFolder,
      embedder: () => writer?.embedder,
      clock,
      log,
      stopping: this.#stopping.signal,
    });
    const similar = writer ? this.#similar : undefined;
    this.#reading = { library, addresses, similar };
    this.#replying = {
      library,
      addresses,
      clock,
      newId,
      log,
      writer,
      similar,
      limits: ports.replyLimits,
    };
  }

  start(): void {
    this.library.start();
    this.#updateVectors();
    this.#following = this.#ports.writer?.onDidChange(() => this.#updateVectors());
    if (this.#site) void this.reportSite();
  }

  async *ask(question: DocsQuestion, signal: AbortSignal): AsyncGenerator<EngineChange> {
    const ending = this.#untilClosed(signal);
    const { changes } = await this.prepare(question, ending);
    for await (const change of changes) {
      ending.throwIfAborted();
      yield change;
    }
  }

  async prepare(question: DocsQuestion, signal: AbortSignal): Promise<PreparedReply> {
    await this.#settle(signal);
    return preparedReply(this.#replying, question, this.#untilClosed(signal));
  }

  async search(...[request, signal]: Parameters<OpenDocs['search']>) {
    await this.#settle(signal);
    return searchDocs(this.#reading, request, signal);
  }

  async page(...[request, signal]: Parameters<OpenDocs['page']>) {
    await this.#settle(signal);
    return readPage(this.#reading, request);
  }

  async pages(...[request, signal]: Parameters<OpenDocs['pages']>) {
    await this.#settle(signal);
    return listPages(this.#reading, request);
  }

  async filters(signal: AbortSignal) {
    await this.#settle(signal);
    return listFilters(this.#reading);
  }

  async claims(...[request, signal]: Parameters<OpenDocs['claims']>) {
    await this.#settle(signal);
    return checkTextClaims(this.#reading, request, signal);
  }

  async proof(...[request, signal]: Parameters<OpenDocs['proof']>) {
    // Nobody asked these docs, so a comparison doesn't fetch their site again.
    await this.#settle(signal, false);
    return proveFromPages(this.#reading, request);
  }

  pathOf(address: string): string | undefined {
    return this.#ports.addresses.read(address);
  }

  async whenIndexed(): Promise<IndexedDocs> {
    await this.library.whenIndexed();
    const { sizeBytes, index } = this.library;
    return { pages: index.pageCount, sections: index.sectionCount, sizeBytes };
  }

  async refresh(): Promise<void> {
    await this.#site?.refresh();
    await this.library.whenUpToDate();
  }

  cancelRefresh(): void {
    this.#site?.cancelRefresh();
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  /** Tells about a site's pages once they are indexed. */
  async reportSite(): Promise<void> {
    try {
      await this.library.whenIndexed();
    } catch {
      // The first fetch failed. A later one may have succeeded.
    }
    await this.library.whenUpToDate();
    this.#updateVectors();
    const state = this.#site?.state;
    if (!state || this.#stopping.signal.aborted) return;
    const { pageCount: pages, sectionCount: sections } = this.library.index;
    this.#ports.onRefreshed?.({ ...state, pages, sections });
  }

  /** Waits for the pages, at most for a moment: a question is answered from those read so far. */
  async #settle(signal: AbortSignal, isUse = true): Promise<void> {
    if (isUse) this.library.source.use?.();
    await this.library.settle(
      this.#ports.patienceMs ?? DEFAULT_PATIENCE_MS,
      this.#untilClosed(signal),
    );
  }

  #untilClosed(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.#stopping.signal]);
  }

  #updateVectors(): void {
    void this.library.whenIndexed().then(
      () => this.#similar.update(),
      () => undefined,
    );
  }

  async #close(): Promise<void> {
    this.#stopping.abort(new Error('The docs were closed.'));
    this.#following?.dispose();
    await Promise.all([this.library.stop(), this.#similar.whenIdle()]);
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
