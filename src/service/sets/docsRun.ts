/** Follows one run of the local docs service and the facts that it reports about its docs. */
import { untilAborted } from '../../common/clock';
import type { Translate } from '../../common/errors';
import type { LocalSite } from '../../common/localSite';
import type { Clock } from '../../common/ports';
import { withoutUndefined } from '../../common/withoutUndefined';
import { ReadingReport, type Report } from '../../docs/readingReport';
import type {
  LocalServicePorts,
  LocalServiceProcess,
  RunningService,
} from '../server/localServiceProcess';
import { MAX_FIRST_PACKAGES } from '../server/parentChannel';
import type { LocalDocs } from '../server/servedDocs';
import type { DocsFacts, DocsSet } from './docsSets';

/** Facts that a run knows about its docs. */
export interface RunFacts extends DocsFacts {
  /** Number of installed packages. Absent for other docs, and until they are listed. */
  readonly packages?: number;
}

export type ServiceProcess = Pick<LocalServiceProcess, 'start' | 'send' | 'dispose'>;

/** Functions to call with the events of a service. */
export type ServiceHooks = Required<
  Pick<
    LocalServicePorts,
    'onDidIndex' | 'onDidList' | 'onDidProgress' | 'onDidRefresh' | 'onDidFail' | 'onDidCrash'
  >
>;

interface DocsRunPorts {
  readonly translate: Translate;
  readonly clock: Clock;
  readonly makeProcess: (hooks: ServiceHooks) => ServiceProcess;
  /** Returns the packages that the code in the editors imports. */
  readonly importedNow?: () => readonly string[];
  /** Called when the facts about the pages have changed. */
  readonly onDidChange: (run: DocsRun) => void;
  /** Called when the service ended by itself after its start. */
  readonly onDidCrash: (run: DocsRun, reason: string) => void;
}

/** A promise that resolves when the service reports complete docs, or rejects when it reports an error. */
interface Waiter {
  readonly isFetch: boolean;
  /** Time of the last known fetch. Only a later fetch resolves the promise. */
  readonly after: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** One run of the local docs service over some docs. */
export class DocsRun {
  readonly #ports: DocsRunPorts;
  readonly #waiting = new Set<Waiter>();
  #process: ServiceProcess | undefined;
  #service: RunningService | undefined;
  #facts: RunFacts;
  #notes: readonly string[] = [];
  readonly #reading: ReadingReport;

  docs: LocalDocs;
  /** Name under which the threads about these docs are stored. */
  threadName: string;
  setId: string | undefined;
  /** Name of the extension's folder that this window uses for the run. */
  ownFolder: string | undefined;
  /** Whether `ownFolder` was created for this run, so that it is deleted if the run fails. */
  isNewFolder = false;
  /** Whether the docs are only complete after a fetch. */
  isFetch = false;
  report: Report = () => undefined;

  /** @param set the kept set of the docs, if there is one. */
  constructor(ports: DocsRunPorts, docs: LocalDocs, set?: DocsSet) {
    this.#ports = ports;
    this.#reading = new ReadingReport({
      clock: ports.clock,
      translate: ports.translate,
      report: (progress) => this.report(progress),
    });
    this.docs = docs;
    this.threadName = set?.threadName ?? threadNameOf(docs);
    this.setId = set?.id;
    const { pages, sizeBytes, fetchedAt } = set ?? {};
    this.#facts = withoutUndefined({ pages, sizeBytes, fetchedAt });
  }

  get facts(): RunFacts {
    return this.#facts;
  }

  /** Sentences about limits that the last fetch reached, and pages that it left out. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  /** Base URL of the service, or undefined before it listens. */
  get url(): string | undefined {
    return this.#service?.url;
  }

  /** The site that questions go to, or undefined before the service listens. */
  get site(): LocalSite | undefined {
    if (!this.#service) return undefined;
    const { url, domain, key, adminKey } = this.#service;
    const { docs, threadName } = this;
    const one = docs.kind === 'installed' ? docs.beside : docs;
    const { pages, packages, fetchedAt } = this.#facts;
    return {
      url,
      domain,
      key,
      adminKey,
      threadName,
      label: docs.label,
      // Only a folder of Markdown has source files that the reader can open.
      docsFolder: one?.kind === 'folder' ? one.folder : undefined,
      docs: {
        kind: docs.kind,
        bundleFolder: one?.kind === 'bundle' ? one.folder : undefined,
        siteUrl: one?.kind === 'site' ? one.url : undefined,
        installedFolder: docs.kind === 'installed' ? docs.folder : undefined,
        pages,
        packages,
        fetchedAt,
      },
    };
  }

  /**
   * Starts the service and resolves when it has read all of the docs, or listed the installed packages: their docs
   * are read in the background.
   * @param onDidListen called when the service can receive questions.
   * @throws Error with the service's own message, or the signal's reason.
   */
  async start(onDidListen: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const { makeProcess, translate, onDidCrash } = this.#ports;
    const whole = this.#whenWhole(this.isFetch, 0);
    this.#process = makeProcess({
      onDidIndex: (pages, sizeBytes) => {
        this.#noteFacts(withoutUndefined({ pages, sizeBytes }), 'indexed');
      },
      onDidList: (packages) => this.#noteFacts({ packages }, 'listed'),
      onDidProgress: (progress) => this.#reading.progress(progress),
      onDidRefresh: ({ pages, sizeBytes, fetchedAt, notes }) => {
        this.#notes = notes;
        this.#noteFacts({ pages, sizeBytes, fetchedAt }, 'refreshed');
      },
      // The service continues if a fetch fails, but the callers that wait for the fetch must get its error.
      onDidFail: (message) => this.#reject(message),
      onDidCrash: (reason) => {
        this.#reject(reason);
        onDidCrash(this, reason);
      },
    });
    this.#service = await this.#process.start(this.docs, signal);
    const names = this.docs.kind === 'installed' ? (this.#ports.importedNow?.() ?? []) : [];
    if (names.length > 0) {
      this.#process.send({ type: 'packages-first', names: names.slice(0, MAX_FIRST_PACKAGES) });
    }
    await onDidListen();
    this.report({ message: translate('reading pages…') });
    await this.#waitFor(whole, signal);
    const { kind, label } = this.docs;
    const { pages, packages } = this.#facts;
    if (kind === 'installed' && packages === 0) {
      throw new Error(
        translate('No packages are installed here. Install the packages of package.json first.'),
      );
    }
    if ((kind === 'bundle' || kind === 'site') && pages === 0) {
      throw new Error(
        translate(
          '{0} has no readable pages. Choose a folder of Markdown, MDX or HTML, such as the site that is built from your docs.',
          label,
        ),
      );
    }
  }

  /**
   * Asks the service to fetch its site again, and resolves at the end of the fetch. A service that has
   * just started also reports the pages of an earlier fetch, which don't count.
   * @throws Error with the service's own message, or the signal's reason, which also ends the fetch.
   */
  async fetchAgain(signal: AbortSignal): Promise<void> {
    const whole = this.#whenWhole(true, this.#facts.fetchedAt ?? 0);
    this.#process?.send({ type: 'docs-refresh' });
    try {
      await this.#waitFor(whole, signal);
    } catch (error) {
      if (signal.aborted) this.#process?.send({ type: 'docs-refresh-cancel' });
      throw error;
    }
  }

  dispose(): void {
    this.#process?.dispose();
  }

  async #waitFor(whole: Promise<void>, signal: AbortSignal): Promise<void> {
    const waiting = untilAborted(whole, signal);
    await (this.docs.kind === 'site' ? this.#reading.whileFetching(waiting) : waiting);
  }

  #whenWhole(isFetch: boolean, after: number): Promise<void> {
    const whole = new Promise<void>((resolve, reject) => {
      this.#waiting.add({ isFetch, after, resolve, reject });
    });
    // If the start was canceled, nobody handles a rejection.
    whole.catch(() => undefined);
    return whole;
  }

  #noteFacts(facts: RunFacts, event: 'listed' | 'indexed' | 'refreshed'): void {
    const isSite = this.docs.kind === 'site';
    // Indexing the pages of a site does not change the time of its fetch.
    const isRead = event === 'indexed' && !isSite;
    const known = isRead ? { ...this.#facts, fetchedAt: this.#ports.clock.now() } : this.#facts;
    this.#facts = { ...known, ...facts };
    for (const waiter of [...this.#waiting]) {
      const isFetched = event === 'refreshed' && (facts.fetchedAt ?? 0) > waiter.after;
      if (waiter.isFetch && !isFetched) continue;
      this.#waiting.delete(waiter);
      waiter.resolve();
    }
    this.#ports.onDidChange(this);
  }

  #reject(reason: string): void {
    for (const { reject } of this.#waiting) reject(new Error(reason));
    this.#waiting.clear();
  }
}

/** Returns the name under which the threads about some docs are stored, unless they are a kept set. */
function threadNameOf(docs: LocalDocs): string {
  if (docs.kind !== 'installed') return docs.label;
  // All workspaces have the same label, and each has packages of its own.
  const packages = `installed ${docs.folder}`;
  return docs.beside ? `${packages} ${docs.beside.label}` : packages;
}
