/** Keeps what the host serves equal to what its values want, and the last good version if that fails. */
import type { Clock } from '../common/ports';
import { bundleAddress, parseBundleUrl } from '../export/download/bundleLink';
import { waitForLock } from '../export/download/downloadLock';
import type { HostEvent } from './hostEvents';
import { HostProblem, problemOf } from './hostProblem';
import { readWanted, sourceStamp, type SourceFiles, type WantedSite } from './hostSource';
import { prepareVersion, type PreparePorts } from './prepareVersion';
import { SiteVersion, VersionUses } from './siteVersion';
import type { KeptVersion, VersionFolder } from './versionFolder';

/** Pause between two looks at the files of the deployment. */
const LOOK_MS = 2000;

/** Pauses before a new try after a failure. They double. */
const FIRST_RETRY_MS = 10_000;
const MAX_RETRY_MS = 15 * 60 * 1000;

export interface DeploymentOptions {
  readonly files: SourceFiles;
  readonly folder: VersionFolder;
  /** Decoded path at which the site is hosted, instead of that of its pages. */
  readonly basePath: string | undefined;
  /** Number of versions that are kept besides the one that is served. */
  readonly keep: number;
  readonly clock: Clock;
  readonly prepare: PreparePorts;
  readonly tell: (event: HostEvent) => void;
  /** Milliseconds between two looks at the files. */
  readonly lookMs?: number;
}

/** State of a deployment, as the health page shows it. */
interface DeploymentStatus {
  /** `degraded` serves the last good version because of the problem. */
  readonly status: 'starting' | 'serving' | 'degraded' | 'off' | 'unavailable';
  readonly version?: {
    readonly id: string;
    readonly label?: string | undefined;
    readonly pages: number;
    readonly since: Date;
  };
  readonly problem?: { readonly code: string; readonly message: string; readonly since: Date };
}

type WantedOn = Extract<WantedSite, { readonly isOn: true }>;

/** Result of a look at the files. The key differs if something else is wanted. */
type Look = { readonly key: string } & (
  | { readonly wanted: WantedSite; readonly problem?: undefined }
  | { readonly wanted?: undefined; readonly problem: HostProblem }
);

export class Deployment {
  readonly #options: DeploymentOptions;
  #active: SiteVersion | undefined;
  #since = new Date(0);
  /** Earlier versions whose files are still there, the newest first. */
  #earlier: readonly SiteVersion[] = [];
  /** Uses of the files of each version, by its ID. */
  readonly #uses = new Map<string, VersionUses>();
  #problem: { readonly problem: HostProblem; readonly since: Date } | undefined;
  #isOff = false;
  #isStarting = true;
  #refresh: () => void = () => undefined;
  #lastLook: { readonly stamp: string; readonly look: Look } | undefined;

  constructor(options: DeploymentOptions) {
    this.#options = options;
  }

  /** Version from which requests are answered. */
  get active(): SiteVersion | undefined {
    return this.#active;
  }

  /**
   * Earlier versions, the newest first. Pages that readers opened before a swap still load their scripts and images.
   */
  get earlier(): readonly SiteVersion[] {
    return this.#earlier;
  }

  get status(): DeploymentStatus {
    const active = this.#active;
    const failed = this.#problem;
    const problem = failed && {
      code: failed.problem.code,
      message: failed.problem.message,
      since: failed.since,
    };
    if (!active) {
      const status = this.#isOff
        ? 'off'
        : this.#isStarting && !problem
          ? 'starting'
          : 'unavailable';
      return problem ? { status, problem } : { status };
    }
    const { id, label, pages } = active;
    const version = { id, label, pages, since: this.#since };
    return problem ? { status: 'degraded', version, problem } : { status: 'serving', version };
  }

  /** Reads the files and fetches the bundle now. */
  refresh(): void {
    this.#refresh();
  }

  /** Serves the last good version, then follows the files until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const release = await this.#start(signal);
    try {
      for (let failures = 0; !signal.aborted;) {
        const look = await this.#look();
        const changed = new AbortController();
        const following = AbortSignal.any([signal, changed.signal]);
        const change = this.#untilChanged(look.key, following).finally(() => changed.abort());
        const retryMs = await this.#take(look, following, failures);
        failures = retryMs === undefined ? 0 : failures + 1;
        if (retryMs !== undefined) {
          const waited = this.#options.clock.delay(retryMs, following).catch(() => undefined);
          await Promise.race([change, waited]);
        } else await change;
        changed.abort();
        await change;
      }
    } finally {
      await release();
    }
  }

  /** Takes the data folder, and serves what is kept there. @returns the function that releases the folder. */
  async #start(signal: AbortSignal): Promise<() => Promise<void>> {
    const { clock, folder, tell } = this.#options;
    for (let failures = 0; ; failures++) {
      try {
        await folder.make();
        const release = await waitForLock(folder.lock, { clock, signal }, () => {
          tell({ event: 'waiting' });
          this.#problem = { problem: new HostProblem('data-in-use'), since: this.#now() };
        });
        this.#problem = undefined;
        try {
          await folder.open();
          await this.#restore(signal);
          return release;
        } catch (error) {
          await release();
          throw error;
        }
      } catch (error) {
        signal.throwIfAborted();
        const retryMs = retryPause(failures);
        this.#tellProblem(problemOf(error), retryMs);
        await clock.delay(retryMs, signal);
      }
    }
  }

  /** Serves the newest kept version that isn't damaged, unless the values turn serving off. */
  async #restore(signal: AbortSignal): Promise<void> {
    const { folder } = this.#options;
    const { wanted } = await this.#look();
    if (wanted?.isOn === false) return;
    const redirects = wanted?.redirects ?? [];
    const loaded: { readonly kept: KeptVersion; readonly version: SiteVersion }[] = [];
    for (const kept of folder.kept) {
      const version = await this.#load(kept.id, kept.label, redirects, signal);
      if (version) loaded.push({ kept, version });
    }
    const [first, ...others] = loaded;
    if (!first) return;
    this.#serve(first.version, true);
    this.#earlier = others.map(({ version }) => version);
  }

  /**
   * Takes over what a look found.
   * @returns milliseconds until another try, or undefined if none is needed.
   */
  async #take(look: Look, signal: AbortSignal, failures: number): Promise<number | undefined> {
    try {
      if (look.problem) throw look.problem;
      if (look.wanted.isOn) await this.#takeBundle(look.wanted, signal);
      else this.#turnOff();
      this.#problem = undefined;
      return undefined;
    } catch (error) {
      if (signal.aborted) return undefined;
      const problem = problemOf(error);
      const retryMs = problem.isPassing ? retryPause(failures) : undefined;
      this.#tellProblem(problem, retryMs);
      return retryMs;
    } finally {
      this.#isStarting = false;
    }
  }

  #turnOff(): void {
    if (this.#isOff) return;
    const { tell } = this.#options;
    const active = this.#active;
    this.#isOff = true;
    this.#active = undefined;
    if (active) this.#earlier = [active, ...this.#earlier];
    tell({ event: 'off' });
  }

  async #takeBundle(wanted: WantedOn, signal: AbortSignal): Promise<void> {
    const { folder, prepare, tell } = this.#options;
    const { url, label } = wanted;
    const checked = parseBundleUrl(url, url);
    if (!checked.ok) throw new HostProblem('link-refused', checked.reason);
    const address = bundleAddress(checked.url);
    // A pinned version is the same bundle as long as its link leads to the same file, so a restart or a step back
    // works without the file server, and with a link that has expired.
    const isEnhanced = prepare.enhance !== undefined;
    const pinned = folder.kept.find(
      (kept) =>
        label !== undefined &&
        kept.label === label &&
        kept.address === address &&
        kept.isEnhanced === isEnhanced,
    );
    if (pinned && (await this.#activate(pinned, wanted, true, signal))) return;
    tell({ event: 'fetching', from: address });
    const link = { url: checked.url };
    // The link in the files is the only one. If it is refused, the same one is asked again, so that the error is
    // that of the file server.
    const source = { current: link, renew: () => Promise.resolve(link) };
    const id = await prepareVersion(source, folder, prepare, signal);
    if (!(await this.#activate({ id, address, label, isEnhanced }, wanted, false, signal))) {
      throw new HostProblem('unexpected', 'the new version can’t be read');
    }
  }

  /** Serves a version that is in the data folder. @returns whether it could be loaded. */
  async #activate(
    kept: KeptVersion,
    { redirects }: WantedOn,
    isKept: boolean,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { folder, keep, tell } = this.#options;
    const version = await this.#load(kept.id, kept.label, redirects, signal);
    if (!version) return false;
    const others = folder.kept.filter(({ id }) => id !== kept.id);
    // The disk comes first: after a kill, the same version is served as before it.
    await folder.keep([kept, ...others.slice(0, keep)]);
    const before = this.#active;
    const isSame = before?.id === version.id && before.label === version.label;
    if (before && before.id !== version.id) this.#earlier = [before, ...this.#earlier];
    this.#earlier = this.#earlier.filter(({ id }) => id !== version.id);
    if (isSame) {
      this.#active = version;
      tell({ event: 'unchanged', id: version.id });
    } else this.#serve(version, isKept);
    this.#isOff = false;
    for (const { id } of others.slice(keep)) this.#drop(id);
    return true;
  }

  #serve(version: SiteVersion, isKept: boolean): void {
    this.#active = version;
    this.#since = this.#now();
    const { id, label, pages, basePath } = version;
    this.#options.tell({ event: 'serving', id, label, pages, basePath, isKept });
  }

  /** Removes a version that isn't kept. Its files go when the last request that uses them has ended. */
  #drop(id: string): void {
    const { folder } = this.#options;
    this.#earlier = this.#earlier.filter((version) => version.id !== id);
    void this.#usesOf(id)
      .whenUnused()
      .then(async () => {
        // The version may have come back meanwhile.
        if (folder.kept.some((kept) => kept.id === id)) return;
        this.#uses.delete(id);
        await folder.remove(id);
      });
  }

  #usesOf(id: string): VersionUses {
    const uses = this.#uses.get(id) ?? new VersionUses();
    this.#uses.set(id, uses);
    return uses;
  }

  async #load(
    id: string,
    label: string | undefined,
    redirects: WantedOn['redirects'],
    signal: AbortSignal,
  ): Promise<SiteVersion | undefined> {
    const { folder, basePath } = this.#options;
    const record = await folder.load(id, signal);
    if (!record) return undefined;
    return new SiteVersion({
      id,
      record,
      folder: folder.site(id, record.root),
      label,
      redirects,
      uses: this.#usesOf(id),
      basePath,
    });
  }

  async #look(): Promise<Look> {
    const stamp = await sourceStamp(this.#options.files);
    if (this.#lastLook?.stamp !== stamp) this.#lastLook = { stamp, look: await this.#read() };
    return this.#lastLook.look;
  }

  async #read(): Promise<Look> {
    try {
      const wanted = await readWanted(this.#options.files);
      return { key: JSON.stringify(wanted), wanted };
    } catch (error) {
      const problem = problemOf(error);
      return { key: `${problem.code} ${problem.detail}`, problem };
    }
  }

  /** Resolves when the files want something else, when {@link refresh} is called, or when the signal aborts. */
  async #untilChanged(key: string, signal: AbortSignal): Promise<void> {
    const { clock, lookMs = LOOK_MS } = this.#options;
    const refreshed = new AbortController();
    this.#refresh = () => refreshed.abort();
    const stopping = AbortSignal.any([signal, refreshed.signal]);
    let last = key;
    try {
      for (;;) {
        await clock.delay(lookMs, stopping);
        const now = (await this.#look()).key;
        // A file that is being written may be read in the middle, so a change counts when it is seen twice.
        if (now !== key && now === last) return;
        last = now;
      }
    } catch (error) {
      if (!stopping.aborted) throw error;
    }
  }

  #tellProblem(problem: HostProblem, retryMs: number | undefined): void {
    const { clock, tell } = this.#options;
    const { code, message, detail } = problem;
    if (this.#problem?.problem.code !== code) this.#problem = { problem, since: this.#now() };
    tell({
      event: 'problem',
      code,
      message,
      detail,
      id: this.#active?.id,
      nextTry: retryMs === undefined ? undefined : new Date(clock.now() + retryMs),
    });
  }

  #now(): Date {
    return new Date(this.#options.clock.now());
  }
}

function retryPause(failures: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** failures, MAX_RETRY_MS);
}
