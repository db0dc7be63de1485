/** One run of the local docs service, and what it has told about its docs. */
import { untilAborted } from '../../common/clock';
import type { Translate } from '../../common/errors';
import type { Clock } from '../../common/ports';
import { withoutUndefined } from '../../common/withoutUndefined';
import type {
  DocsProgress,
  LocalServicePorts,
  LocalServiceProcess,
  RunningService,
} from '../server/localServiceProcess';
import type { LocalDocs } from '../server/servedDocs';
import { pagesText } from './docsPick';
import type { DocsFacts, DocsSet } from './docsSets';

/** The site of a local docs service, as questions are sent to it. */
export interface ServedSite {
  readonly url: string;
  readonly domain: string;
  readonly key: string;
  readonly adminKey?: string;
  readonly label?: string;
  readonly threadName?: string;
  readonly docsFolder?: string;
  readonly docs?: Pick<DocsFacts, 'pages' | 'fetchedAt'> & {
    readonly kind: LocalDocs['kind'];
    readonly bundleFolder?: string;
    readonly siteUrl?: string;
  };
}

export type ServiceProcess = Pick<LocalServiceProcess, 'start' | 'send' | 'dispose'>;

/** Functions that are called with what a service tells about itself. */
export type ServiceHooks = Required<
  Pick<
    LocalServicePorts,
    'onDidIndex' | 'onDidProgress' | 'onDidRefresh' | 'onDidFail' | 'onDidCrash'
  >
>;

export type Report = (progress: { message: string; percent?: number | undefined }) => void;

interface DocsRunPorts {
  readonly translate: Translate;
  readonly clock: Pick<Clock, 'now'>;
  readonly makeProcess: (hooks: ServiceHooks) => ServiceProcess;
  /** Called when the facts about the pages have changed. */
  readonly onDidChange: (run: DocsRun) => void;
  /** Called when the service ended by itself after its start. */
  readonly onDidCrash: (run: DocsRun, reason: string) => void;
}

/** Something that waits for a service to tell that its docs are whole, or why not. */
interface Waiter {
  readonly isFetch: boolean;
  /** Time of the last fetch, after which the awaited one ends. */
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
  #facts: DocsFacts;
  #notes: readonly string[] = [];

  docs: LocalDocs;
  /** Name that the threads about these docs are stored under. */
  threadName: string;
  setId: string | undefined;
  /** Own folder that this window uses for the run. */
  ownFolder: string | undefined;
  /** Whether the own folder is new, and goes if nothing comes of the run. */
  isNewFolder = false;
  /** Whether the pages must be fetched before the docs are whole. */
  isFetch = false;
  report: Report = () => undefined;

  /** @param set the kept set of the docs, if there is one. */
  constructor(ports: DocsRunPorts, docs: LocalDocs, set?: DocsSet) {
    this.#ports = ports;
    this.docs = docs;
    this.threadName = set?.threadName ?? docs.label;
    this.setId = set?.id;
    const { pages, sizeBytes, fetchedAt } = set ?? {};
    this.#facts = withoutUndefined({ pages, sizeBytes, fetchedAt });
  }

  get facts(): DocsFacts {
    return this.#facts;
  }

  /** Sentences about limits that the last fetch or reading met. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  /** Base URL of the service, or undefined before it listens. */
  get url(): string | undefined {
    return this.#service?.url;
  }

  /** The site that questions go to, or undefined before the service listens. */
  get site(): ServedSite | undefined {
    if (!this.#service) return undefined;
    const { url, domain, key, adminKey } = this.#service;
    const { docs, threadName } = this;
    const { pages, fetchedAt } = this.#facts;
    return {
      ...{ url, domain, key, adminKey, threadName, label: docs.label },
      // Only a folder of Markdown has files that a person reads.
      ...(docs.kind === 'folder' ? { docsFolder: docs.folder } : {}),
      docs: {
        kind: docs.kind,
        ...(docs.kind === 'bundle' ? { bundleFolder: docs.folder } : {}),
        ...(docs.kind === 'site' ? { siteUrl: docs.url } : {}),
        ...(pages === undefined ? {} : { pages }),
        ...(fetchedAt === undefined ? {} : { fetchedAt }),
      },
    };
  }

  /**
   * Starts the service and resolves when it has read the docs as a whole.
   * @param onDidListen called when it takes questions.
   * @throws Error with the service's own sentence, or the signal's reason.
   */
  async start(onDidListen: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const { makeProcess, translate, onDidCrash } = this.#ports;
    const whole = this.#whenWhole(this.isFetch, 0);
    this.#process = makeProcess({
      onDidIndex: (pages, sizeBytes) => {
        this.#noteFacts(withoutUndefined({ pages, sizeBytes }), 'indexed');
      },
      onDidProgress: (progress) => this.#showProgress(progress),
      onDidRefresh: ({ pages, sizeBytes, fetchedAt, notes }) => {
        this.#notes = notes;
        this.#noteFacts({ pages, sizeBytes, fetchedAt }, 'refreshed');
      },
      // The service goes on if a fetch fails, but what a caller waits for doesn't come.
      onDidFail: (message) => this.#reject(message),
      onDidCrash: (reason) => {
        this.#reject(reason);
        onDidCrash(this, reason);
      },
    });
    this.#service = await this.#process.start(this.docs, signal);
    await onDidListen();
    this.report({ message: translate('reading pages…') });
    await untilAborted(whole, signal);
    const { kind, label } = this.docs;
    if (kind !== 'folder' && this.#facts.pages === 0) {
      throw new Error(translate('{0} has no pages that can be read.', label));
    }
  }

  /**
   * Asks the service to fetch its site again, and resolves at the end of the fetch.
   * @param after time of the last fetch. A service that has just started also tells about the pages
   * that it had before.
   * @throws Error with the service's own sentence, or the signal's reason. The fetch goes on then.
   */
  async fetchAgain(signal: AbortSignal, after = this.#facts.fetchedAt ?? 0): Promise<void> {
    const whole = this.#whenWhole(true, after);
    this.#process?.send({ type: 'docs-refresh' });
    await untilAborted(whole, signal);
  }

  dispose(): void {
    this.#process?.dispose();
  }

  #whenWhole(isFetch: boolean, after: number): Promise<void> {
    const whole = new Promise<void>((resolve, reject) => {
      this.#waiting.add({ isFetch, after, resolve, reject });
    });
    // Nobody waits any longer if the start was canceled.
    whole.catch(() => undefined);
    return whole;
  }

  #noteFacts(facts: DocsFacts, event: 'indexed' | 'refreshed'): void {
    const isSite = this.docs.kind === 'site';
    // Indexing a site's pages again is no fetch.
    const isRead = event === 'indexed' && !isSite;
    this.#facts = {
      ...this.#facts,
      ...(isRead ? { fetchedAt: this.#ports.clock.now() } : {}),
      ...facts,
    };
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

  #showProgress({ pages, total }: DocsProgress): void {
    const { translate: t } = this.#ports;
    if (total === undefined || total < pages) this.report({ message: pagesText(pages, t) });
    else {
      const percent = total === 0 ? 0 : (pages / total) * 100;
      this.report({ message: t('{0} of {1} pages', pages, total), percent });
    }
  }
}
