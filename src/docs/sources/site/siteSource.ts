import { plainTranslate, type Translate } from '../../../common/errors';
import type { Clock, Fetch, Log } from '../../../common/ports';
import type { PageFile } from '../docsFolder';
import type { FolderChanges } from '../folderWatch';
import type { IncludedFiles } from '../../pages/markup/lines';
import { noConfig, type PageSource, type PageWatch, type ReadingProgress } from '../pageSource';
import { AddressPolicy, guardedFetch } from './guardedFetch';
import { isOldSet, type KeptFile, type KeptPage, SiteCache, type SiteSet } from './siteCache';
import { SiteClient } from './siteClient';
import { SiteError, siteErrorText } from './siteErrors';
import { SiteFetcher } from './siteFetcher';
import { type SiteLimits, siteLimits } from './siteLimits';
import { parseSiteUrl } from './sitePaths';

/** Milliseconds after which a question tries again to replace an old set. */
const RETRY_MS = 60 * 60 * 1000;
/** Milliseconds between two reports of a refresh. */
const PROGRESS_MS = 250;

/** State of a complete set of a site's pages. */
export interface SiteState {
  /** Milliseconds since the epoch. */
  readonly fetchedAt: number;
  readonly sizeBytes: number;
  /** Sentences about limits that were reached and pages that were left out. */
  readonly notes: readonly string[];
}

interface SiteSourcePorts {
  /** URL that the reader entered. */
  readonly url: string;
  /** Absolute path of a folder that only has this site's pages. */
  readonly cache: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Called while a set is fetched again. */
  readonly onProgress?: (progress: ReadingProgress) => void;
  /** Called when a new set is complete and its changes have been reported. */
  readonly onRefreshed?: () => void;
  /** Called with a message when a new set could not be fetched. The old set stays. */
  readonly onRefreshFailed?: (message: string) => void;
  readonly limits?: Partial<SiteLimits>;
  /** Sends the requests, for tests. Node's own HTTP with an address policy if absent. */
  readonly fetch?: Fetch;
  /** Translates notes and errors. They are in English if this is absent. */
  readonly translate?: Translate;
}

/**
 * The docs of a public site, kept in a folder. The first start fetches the site. Later starts read the
 * folder. If the set is older than a day, the next question starts a new fetch, and the old set answers until
 * the new set is complete. If the fetch fails, the old set stays.
 */
export class SiteSource implements PageSource {
  readonly hasPagesOnly = true;
  readonly readConfig = noConfig;
  readonly #ports: SiteSourcePorts;
  readonly #start: URL;
  readonly #cache: SiteCache;
  readonly #stopping = new AbortController();
  #set: SiteSet | undefined;
  #pages = new Map<string, KeptPage>();
  #total: number | undefined;
  #changes: FolderChanges | undefined;
  #refreshing: Promise<void> | undefined;
  #isFirst = false;
  /** Ends the fetch that runs for {@link refresh}. */
  #canceling = new AbortController();
  /** Whether the folder lacks a page of the set, so that the next refresh must fetch all pages. */
  #isDamaged = false;
  /** Time of the last refresh that a question started, in milliseconds since the epoch. */
  #triedAt = -Infinity;

  /** @throws {SiteError} if the URL can't be the URL of a site. */
  constructor(ports: SiteSourcePorts) {
    this.#ports = ports;
    this.#start = parseSiteUrl(ports.url);
    this.#cache = new SiteCache(ports.cache, ports.clock, ports.log);
  }

  /** State of the current set, or undefined while there is none. */
  get state(): SiteState | undefined {
    if (!this.#set) return undefined;
    const { fetchedAt, notes } = this.#set;
    return { fetchedAt, notes, sizeBytes: sizeOf(this.#pages.values()) };
  }

  get isSlow(): boolean {
    return this.#isFirst;
  }

  get size(): { readonly total?: number; readonly sizeBytes: number } {
    return {
      total: this.#total,
      sizeBytes: sizeOf(this.#pages.values()),
    };
  }

  async *paths(signal: AbortSignal): AsyncGenerator<string> {
    await this.#cache.prepare();
    const kept = await this.#cache.load(this.#start.href);
    if (kept) {
      this.#use(kept);
      yield* this.#pages.keys();
      return;
    }
    this.#isFirst = true;
    try {
      for await (const page of this.#fetch(undefined, signal)) {
        this.#pages.set(page.path, page);
        yield page.path;
      }
    } catch (error) {
      this.#pages.clear();
      throw error;
    } finally {
      this.#isFirst = false;
    }
  }

  async read(path: string): Promise<PageFile | undefined> {
    const page = this.#pages.get(path);
    const source = page && (await this.#cache.read(page.hash));
    if (page && source === undefined) this.#isDamaged = true;
    if (!page || source === undefined) return undefined;
    const { canonicalUrl = '' } = page;
    return { source, stamp: stampOf(page), changedAt: -Infinity, canonicalUrl };
  }

  stamp(path: string): Promise<string | undefined> {
    const page = this.#pages.get(path);
    return Promise.resolve(page && stampOf(page));
  }

  readIncludes(): Promise<IncludedFiles> {
    return Promise.resolve(new Map());
  }

  readFile(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /**
   * Fetches the site again if the set is too old. Questions call this, but the start of the service doesn't,
   * because every window that opens starts the service.
   */
  use(): void {
    const now = this.#ports.clock.now();
    if (!this.#set || !isOldSet(this.#set, now)) return;
    if (Math.abs(now - this.#triedAt) < RETRY_MS) return;
    this.#triedAt = now;
    void this.refresh();
  }

  /** Reports the changes that later sets make. */
  watch(changes: FolderChanges): PageWatch {
    this.#changes = changes;
    return {
      start: () => undefined,
      stop: async () => {
        this.#stopping.abort();
        await this.#refreshing;
      },
    };
  }

  /** Fetches the site again, or waits for a fetch that already runs. Never rejects. */
  async refresh(): Promise<void> {
    if (this.#isFirst) return;
    this.#refreshing ??= this.#refresh().finally(() => (this.#refreshing = undefined));
    await this.#refreshing;
  }

  /** Ends a fetch that {@link refresh} started. The pages of the earlier fetch stay. */
  cancelRefresh(): void {
    this.#canceling.abort(new Error('Canceled'));
  }

  async #refresh(): Promise<void> {
    const { clock, log, onProgress, onRefreshed, onRefreshFailed } = this.#ports;
    const { translate = plainTranslate } = this.#ports;
    this.#canceling = new AbortController();
    const signal = AbortSignal.any([this.#stopping.signal, this.#canceling.signal]);
    let pages = 0;
    let sizeBytes = 0;
    let reportedAt = clock.now();
    try {
      await this.#cache.prepare();
      const before = this.#pages;
      const isDamaged = this.#isDamaged;
      for await (const page of this.#fetch(isDamaged ? undefined : this.#set, signal)) {
        pages++;
        sizeBytes += page.bytes;
        if (clock.now() - reportedAt < PROGRESS_MS) continue;
        reportedAt = clock.now();
        const total = this.#total;
        onProgress?.({ pages, sizeBytes, total });
      }
      if (this.#set) this.#use(this.#set);
      this.#report(before, isDamaged);
      onRefreshed?.();
    } catch (error) {
      if (signal.aborted) return;
      const sentence = error instanceof SiteError ? siteErrorText(error, translate) : String(error);
      log.warn(`The site was not fetched again: ${sentence}`);
      onRefreshFailed?.(sentence);
    }
  }

  #use(set: SiteSet): void {
    this.#set = set;
    this.#isDamaged = false;
    this.#pages = new Map(set.files.flatMap(({ pages }) => pages).map((page) => [page.path, page]));
    this.#total = this.#pages.size;
  }

  /** Reports how the current set differs from an earlier one. */
  #report(before: ReadonlyMap<string, KeptPage>, isDamaged: boolean): void {
    for (const page of this.#pages.values()) {
      const old = before.get(page.path);
      // After damage, all pages are reported. The receiver skips those that it has with the same stamp.
      if (isDamaged || !old || stampOf(old) !== stampOf(page))
        this.#changes?.changed(page.path, stampOf(page));
    }
    for (const path of before.keys()) if (!this.#pages.has(path)) this.#changes?.removed(path);
  }

  /** Fetches a set and stores it once it is complete. Yields its pages as they arrive. */
  async *#fetch(previous: SiteSet | undefined, signal: AbortSignal): AsyncGenerator<KeptPage> {
    const { clock, log, limits, translate = plainTranslate } = this.#ports;
    const lifetime = new AbortController();
    const guarded = this.#ports.fetch
      ? { fetch: this.#ports.fetch, close: () => undefined }
      : guardedFetch(new AddressPolicy(this.#start.hostname));
    const client = new SiteClient(this.#start, {
      fetch: guarded.fetch,
      clock,
      log,
      signal: AbortSignal.any([signal, lifetime.signal]),
    });
    const fetcher = new SiteFetcher(this.#start, previous, {
      client,
      clock,
      log,
      limits: { ...siteLimits, ...limits },
      translate,
    });
    const files = new Map<string, KeptFile>();
    const added = new Set<string>();
    try {
      for await (const fetched of fetcher.pages()) {
        signal.throwIfAborted();
        this.#total = fetcher.total;
        if (fetched.kind === 'kept') {
          files.set(fetched.file.url, fetched.file);
          yield* fetched.file.pages;
          continue;
        }
        const { hash, isNew } = await this.#cache.put(fetched.source);
        if (isNew) added.add(hash);
        const page: KeptPage = {
          path: fetched.path,
          hash,
          bytes: Buffer.byteLength(fetched.source),
          canonicalUrl: fetched.canonicalUrl,
        };
        const file = files.get(fetched.fileUrl);
        if (file) file.pages.push(page);
        else
          files.set(fetched.fileUrl, {
            url: fetched.fileUrl,
            ...fetched.validators,
            pages: [page],
          });
        yield page;
      }
      const set: SiteSet = {
        version: 1,
        url: this.#start.href,
        fetchedAt: clock.now(),
        form: fetcher.form,
        notes: fetcher.notes,
        files: [...files.values()],
      };
      await this.#cache.commit(set);
      added.clear();
      this.#set = set;
      for (const note of set.notes) log.info(note);
    } finally {
      // If the set was not completed, its new pages are removed.
      await this.#cache.discard(added);
      lifetime.abort();
      guarded.close();
    }
  }
}

function stampOf({ hash, canonicalUrl }: KeptPage): string {
  return `${hash} ${canonicalUrl ?? ''}`;
}

function sizeOf(pages: Iterable<KeptPage>): number {
  let size = 0;
  for (const { bytes } of pages) size += bytes;
  return size;
}
