/** One site of the service: its docs for each audience, and how they are refreshed. */
import { untilAborted } from '../../../common/clock';
import { errorCodeOrName } from '../../../common/errorCode';
import { type Clock, type Log, type NewId, prefixedLog } from '../../../common/ports';
import { openDocs, type SiteEngine } from '../../../docs/engine';
import { DocsError } from '../../../docs/docsError';
import { addressesAt } from '../../../docs/pages/links';
import { SiteError, siteErrorText } from '../../../docs/sources/site/siteErrors';
import { plainTranslate } from '../../../common/errors';
import { pageCountText } from '../../../shared/units';
import { StoreDown } from '../stores';
import type { ManifestSite } from './manifestSchema';
import { audienceOf, isIn, restrictedVersions, siteAudience } from './siteAudience';
import {
  type LoadedDocs,
  type SiteDocs,
  type SiteLoader,
  SiteNotReady,
  SourceError,
} from './siteLoader';

/** State of a site, as operators are told it. */
export interface SiteState {
  readonly domain: string;
  readonly name: string;
  /** Number of pages that everybody sees who may ask the site. */
  readonly pages: number;
  readonly isReady: boolean;
  /** Time of the last refresh that succeeded, in milliseconds since the epoch. */
  readonly refreshedAt?: number;
  /** Sentence about the last refresh, if it failed. The docs of the one before are still answered from. */
  readonly problem?: string;
}

export interface HostedSitePorts {
  readonly sources: SiteLoader;
  /** Absolute path of the folder that keeps what was read of all sites' pages. */
  readonly indexFolder: string;
  /** Returns the base URL of the site's pages, without a slash at its end. */
  readonly origin: () => string;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: NewId;
}

/** Milliseconds for which replies of replaced docs can go on. */
const GRACE_MS = 60_000;
/** Shortest time between two refreshes, so that a webhook that is sent again and again costs little. */
const MIN_REFRESH_MS = 10_000;

/** Longest time of a timer. One that is set to more ends at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const NO_PAGES = 'The source has no pages that the site can show.';
const UNREADABLE =
  "The docs of this site can't be read from their source. The log of the service says why.";

const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns the milliseconds of a time such as `30m`. */
export function durationMs(written: string): number {
  const [, count, unit] = /^(\d+)([smhd])$/.exec(written) ?? [];
  return Number(count) * unitMs[unit === 's' || unit === 'm' || unit === 'h' ? unit : 'd'];
}

/**
 * A site of the manifest. Readers who may see other versions get an engine of their own, which holds no word of the
 * pages that they may not see. So nothing that it counts, ranks or suggests can tell of them.
 */
export class HostedSite {
  readonly entry: ManifestSite;
  readonly #ports: HostedSitePorts;
  readonly #closing = new AbortController();
  /** Engines by the names of the restricted versions that they hold. */
  readonly #engines = new Map<string, Promise<SiteEngine>>();
  #loaded: LoadedDocs | undefined;
  /** Whether docs can be answered from. It stays “reading” until the first load has ended. */
  #readiness: 'reading' | 'failed' | 'ready' = 'reading';
  #pages = 0;
  #refreshedAt: number | undefined;
  #triedAt = -Infinity;
  #problem: string | undefined;
  /** Line of the log about the last refresh that succeeded. */
  #told: string | undefined;
  #refreshing: Promise<void> | undefined;
  /** Whether somebody has asked for a refresh that hasn't begun. */
  #isRefreshDue = false;
  #closed: Promise<void> | undefined;
  /** The site before a change of the manifest. It answers until the docs of this one have been read. */
  #before: HostedSite | undefined;

  constructor(entry: ManifestSite, ports: HostedSitePorts, before: HostedSite | undefined) {
    this.entry = entry;
    this.#ports = ports;
    this.#before = before;
  }

  get state(): SiteState {
    const { domain, name = domain } = this.entry;
    const told = this.#ports.sources.told?.();
    const before = this.#before?.state;
    return {
      domain,
      name,
      pages: before?.pages ?? this.#pages,
      isReady: before?.isReady ?? this.#isReady,
      refreshedAt: told?.refreshedAt ?? this.#refreshedAt ?? before?.refreshedAt,
      problem: told?.problem ?? this.#problem,
    };
  }

  /** Opens the docs that an earlier process has loaded, if there are any, and loads the newest ones. */
  async start(): Promise<void> {
    const { sources } = this.#ports;
    this.#loaded = await sources.last();
    if (this.#loaded) {
      await this.#open().then(
        () => this.#replaceBefore(),
        () => undefined,
      );
    }
    const every = this.entry.refresh?.every;
    const everyMs = every === undefined ? sources.everyMs : durationMs(every);
    await this.#refreshNow(false);
    if (everyMs !== undefined) void this.#refreshEvery(everyMs);
  }

  /**
   * Refreshes the docs for somebody who says that they have changed: after a refresh that runs, which may not have seen
   * the change, and some time after the last one began. Calls until then are one. Never rejects: {@link state} has the
   * problem.
   */
  async refresh(): Promise<void> {
    if (this.#isRefreshDue) return;
    this.#isRefreshDue = true;
    const { clock } = this.#ports;
    try {
      await clock.delay(this.#waitMs(), this.#closing.signal);
    } catch {
      return; // The site was closed.
    }
    while (this.#refreshing) await this.#refreshing;
    this.#isRefreshDue = false;
    await this.#refreshNow(true);
  }

  /**
   * Returns the docs as people in these groups may see them, or undefined if they may not see the site.
   * @throws {SiteNotReady}
   */
  async docsFor(groups: readonly string[]): Promise<SiteEngine | undefined> {
    if (!this.isFor(groups)) return undefined;
    const hasFailed = this.#readiness === 'failed';
    // The docs may be there by now, such as a mount or a server that comes late.
    if (hasFailed) this.#retry();
    if (this.#before) return this.#before.docsFor(groups);
    if (hasFailed || !this.#loaded) throw this.#notReady();
    try {
      return await this.#engineOf(this.audienceOf(groups));
    } catch (error) {
      if (!(error instanceof DocsError)) throw error;
      this.#retry();
      throw new SiteNotReady(UNREADABLE);
    }
  }

  /**
   * Folder of Markdown that static export can read, if the docs are one on this machine.
   * @throws {SiteNotReady}
   */
  get exportRoot(): string | undefined {
    if (this.#before) return this.#before.exportRoot;
    if (this.#readiness === 'failed' || !this.#loaded) throw this.#notReady();
    const { docs } = this.#loaded;
    return docs.kind === 'folder' ? docs.folder : undefined;
  }

  /** Returns whether people in these groups may ask the site. */
  isFor(groups: readonly string[]): boolean {
    return isIn(this.entry.groups, groups);
  }

  /** Whether everybody sees the same pages, whatever groups they are in. */
  get isOpen(): boolean {
    return this.entry.groups === undefined && restrictedVersions(this.entry).length === 0;
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  /**
   * Returns the site that answers until the one of a changed manifest can: this one, or the one before if the docs of
   * this one have not been read. This one then reads no further.
   */
  giveWay(): HostedSite | undefined {
    const answering = this.#before ?? (this.#isReady ? this : undefined);
    this.#before = undefined;
    if (answering !== this) void this.close();
    return answering;
  }

  /** Names the restricted versions that people in these groups may see. */
  audienceOf(groups: readonly string[]): string {
    return audienceOf(this.entry, groups);
  }

  #notReady(): SiteNotReady {
    return new SiteNotReady(this.#readiness === 'failed' ? UNREADABLE : undefined);
  }

  #engineOf(audience: string): Promise<SiteEngine> {
    const known = this.#engines.get(audience);
    if (known) return known;
    const opening = this.#openEngine(audience);
    this.#engines.set(audience, opening);
    opening.catch(() => this.#engines.delete(audience));
    return opening;
  }

  async #openEngine(audience: string): Promise<SiteEngine> {
    const { indexFolder, origin, clock, log, newId } = this.#ports;
    this.#closing.signal.throwIfAborted();
    if (!this.#loaded) throw new SourceError('The site has not been loaded yet.');
    const { docs } = this.#loaded;
    const readers = siteAudience(this.entry, audience);
    const ports = {
      addresses: addressesAt(origin),
      newId,
      onChanged: ({ pages }: { readonly pages: number }) => {
        if (audience === this.audienceOf([])) this.#pages = pages;
      },
    };
    const engine =
      docs.kind === 'stored'
        ? docs.open(readers, ports)
        : await openDocs(docs, {
            ...ports,
            seen: readers.seen,
            indexFolder,
            clock,
            log: prefixedLog(`The site ${this.entry.domain}`, log),
            onRefreshFailed: (message: string) => this.#fail(message),
          });
    engine.start();
    return engine;
  }

  async #refreshEvery(ms: number): Promise<void> {
    const { clock } = this.#ports;
    try {
      for (;;) {
        for (let leftMs = ms; leftMs > 0; leftMs -= MAX_TIMER_MS) {
          await clock.delay(Math.min(leftMs, MAX_TIMER_MS), this.#closing.signal);
        }
        await this.#refreshNow(false);
      }
    } catch {
      return; // The site was closed.
    }
  }

  /** Tries again to read docs that could not be read, however many readers ask for them. */
  #retry(): void {
    if (this.#waitMs() === 0) void this.#refreshNow(true);
  }

  /** Returns the milliseconds until a refresh may begin. The time of the last one tells nothing if the clock was set back. */
  #waitMs(): number {
    const sinceMs = this.#ports.clock.now() - this.#triedAt;
    return sinceMs < 0 ? 0 : Math.max(0, MIN_REFRESH_MS - sinceMs);
  }

  /** Begins a refresh if none runs, and waits for its end. */
  #refreshNow(isAsked: boolean): Promise<void> {
    return (this.#refreshing ??= this.#refresh(isAsked).finally(
      () => (this.#refreshing = undefined),
    ));
  }

  async #refresh(isAsked: boolean): Promise<void> {
    const { sources, clock, log } = this.#ports;
    const { domain } = this.entry;
    const { signal } = this.#closing;
    this.#triedAt = clock.now();
    const before = this.#problem;
    let isReplaced = false;
    this.#problem = undefined;
    try {
      const loaded = await sources.load(signal, isAsked);
      if (isSameSource(this.#loaded?.docs, loaded.docs) && this.#isReady) {
        const engines = await Promise.all(this.#engines.values());
        await Promise.all(engines.map((engine) => engine.refresh()));
        if (this.#pages === 0) throw new SourceError(NO_PAGES);
      } else {
        isReplaced = true;
        const old = [...this.#engines.values()];
        const last = this.#loaded;
        this.#loaded = loaded;
        this.#engines.clear();
        try {
          await this.#open();
        } catch (error) {
          if (last) await this.#goBack(last, old);
          throw error;
        }
        void this.#closeLater(old);
      }
      if (this.#hasProblem()) return;
      this.#replaceBefore();
      this.#refreshedAt = clock.now();
      const told = `The site ${domain} is up to date: ${pageCountText(this.#pages, plainTranslate)}`;
      // A folder is looked at each minute, mostly in vain.
      if (isAsked || isReplaced || told !== this.#told) log.info(told);
      this.#told = told;
    } catch (error) {
      if (signal.aborted) return;
      if (!this.#isReady || this.#before) this.#readiness = 'failed';
      this.#fail(problemText(error));
    } finally {
      if (!this.#hasProblem() && before !== undefined) {
        log.info(`The site ${domain} can be refreshed again`);
      }
    }
  }

  /** Opens the docs as everybody sees them, and waits until they are read. */
  async #open(): Promise<void> {
    const { signal } = this.#closing;
    // The site's groups decide before any engine is asked, so this is the audience without restricted versions.
    const engine = await this.#engineOf(this.audienceOf([]));
    const { pages } = await untilAborted(engine.whenIndexed(), signal);
    this.#pages = pages;
    this.#readiness = 'ready';
    if (pages === 0) throw new SourceError(NO_PAGES);
  }

  #replaceBefore(): void {
    void this.#before?.close();
    this.#before = undefined;
  }

  /** Answers from the last docs again. */
  async #goBack(last: LoadedDocs, engines: readonly Promise<SiteEngine>[]): Promise<void> {
    await this.#closeAll([...this.#engines.values()]);
    this.#engines.clear();
    this.#loaded = last;
    const [first] = engines;
    const audience = this.audienceOf([]);
    if (first) this.#engines.set(audience, first);
    await this.#closeAll(engines.slice(1));
    this.#pages = (await (await this.#engineOf(audience)).whenIndexed()).pages;
  }

  get #isReady(): boolean {
    return this.#readiness === 'ready';
  }

  #hasProblem(): boolean {
    return this.#problem !== undefined;
  }

  #fail(sentence: string): void {
    this.#problem = sentence;
    const { domain } = this.entry;
    this.#ports.log.warn(`The site ${domain} can't be refreshed: ${sentence}`);
  }

  async #closeLater(engines: readonly Promise<SiteEngine>[]): Promise<void> {
    const { clock, log, sources } = this.#ports;
    const { signal } = this.#closing;
    await clock.delay(GRACE_MS, signal).catch(() => undefined);
    try {
      await this.#closeAll(engines);
      if (!signal.aborted) await sources.clean();
    } catch (error) {
      const { domain } = this.entry;
      log.warn(`Old docs of the site ${domain} can't be removed (${errorCodeOrName(error)})`);
    }
  }

  async #closeAll(engines: readonly Promise<SiteEngine>[]): Promise<void> {
    await Promise.all(
      engines.map((opening) =>
        opening.then(
          (engine) => engine.close(),
          () => undefined,
        ),
      ),
    );
  }

  async #close(): Promise<void> {
    this.#closing.abort(new Error('The site was closed.'));
    await this.#before?.close();
    await this.#refreshing;
    await this.#closeAll([...this.#engines.values()]);
  }
}

function isSameSource(one: SiteDocs | undefined, other: SiteDocs): boolean {
  return one !== undefined && JSON.stringify(one) === JSON.stringify(other);
}

/** Returns a sentence about docs that can't be loaded, for the operator. */
export function problemText(error: unknown): string {
  if (error instanceof SiteError) return siteErrorText(error, plainTranslate);
  if (error instanceof SourceError || error instanceof DocsError) return error.message;
  if (error instanceof StoreDown) return "The database can't be reached or written.";
  return `The docs can't be read (${errorCodeOrName(error)}).`;
}
