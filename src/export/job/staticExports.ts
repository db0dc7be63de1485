import { isDeepStrictEqual } from 'node:util';
import { untilAborted } from '../../common/clock';
import { toDisposable, type Disposable } from '../../common/disposable';
import { Emitter } from '../../common/event';
import { hostOf } from '../../common/http/responseErrors';
import { isExpired, type BundleLink, type LinkSource } from '../download/bundleLink';
import { describeExportError, ExportError } from '../exportErrors';
import { withoutUndefined } from '../../common/withoutUndefined';
import type { JobAnswer } from './answers';
import { ExportClient, requestBundle } from './client';
import type { Exports, ExportsPorts, ExportTarget, ExportView, WatchState } from './exports';
import { JobPace } from './jobPace';
import { scaleProvenBy, type ProgressScale } from './jobProgress';
import {
  newJob,
  newRecord,
  nextPhase,
  phaseOf,
  withPhase,
  type JobEvent,
  type JobPhase,
} from './jobState';
import { watchJob } from './jobWatcher';
import { type DownloadedArchive, type ExportRecord, withLink } from './record';
import { isFinal, RecordSaver, type RecordChange } from './recordSaver';
import { bundleDigest, type NewResult, type ResultKind } from './results';

/** A link that expires within this time is not used again. */
const LINK_RESERVE_MS = 60_000;

/** State of an export in this window, besides its record. */
interface Live {
  phase: JobPhase;
  watch: WatchState;
  readonly pace: JobPace;
  /** Controller of the export's only poller, if one is running. */
  poller?: AbortController | undefined;
  link?: BundleLink | undefined;
}

/**
 * Exports on top of the export API, the records and the claims, with one poller per job and window.
 *
 * A job becomes *unwatchable* if only the user can fix what prevents polling: a missing or rejected
 * key, the plan, an API that moved, or a missing job. `watch` resumes it, and its next end is
 * announced again.
 */
export class StaticExports implements Exports, Disposable {
  readonly #ports: ExportsPorts;
  readonly #client: ExportClient;
  readonly #saver: RecordSaver;
  /** State of each export by ID, in the order in which this window learned of them. */
  readonly #live = new Map<string, Live>();
  readonly #starts = new SharedWork<string>();
  readonly #bundles = new SharedWork<BundleLink>();
  readonly #lifetime = new AbortController();
  readonly #didChange = new Emitter<string>();
  readonly #didEnd = new Emitter<ExportView>();
  readonly onDidChange = this.#didChange.event;
  readonly onDidEnd = this.#didEnd.event;
  #restoring: Promise<void> | undefined;

  constructor(ports: ExportsPorts) {
    this.#ports = ports;
    this.#client = new ExportClient(ports);
    this.#saver = new RecordSaver({ ...ports, onGone: (id) => this.#drop(id) });
  }

  get list(): readonly ExportView[] {
    return [...this.#live.keys()]
      .map((id) => this.#view(id))
      .filter((view) => view !== undefined)
      .sort((a, b) => b.record.startedAt - a.record.startedAt);
  }

  restore(): Promise<void> {
    this.#restoring ??= this.#restore().finally(() => {
      this.#restoring = undefined;
    });
    return this.#restoring;
  }

  async start(target: ExportTarget, signal: AbortSignal): Promise<ExportView> {
    const { apiUrl, exportDomain, label, paths } = target;
    const key = JSON.stringify([apiUrl, exportDomain, label, paths]);
    try {
      const id = await this.#starts.join(key, signal, (_unwanted, keep) =>
        this.#start(target, keep),
      );
      const view = this.#view(id);
      if (!view) throw new ExportError('unknown-job');
      return view;
    } catch (error) {
      // The request was sent. If a response still arrives, the job appears in the list.
      if (signal.aborted && this.#starts.has(key)) {
        throw new ExportError('start-unclear', { host: hostOf(target.apiUrl), cause: error });
      }
      throw error;
    }
  }

  async watch(id: string): Promise<void> {
    const live = this.#live.get(id);
    if (!live) return;
    if (live.phase.name === 'unwatchable') {
      const { saved } = this.#move(id, live, { name: 'watched-again' }, (record) => ({
        ...record,
        watchRound: (record.watchRound ?? 0) + 1,
      }));
      this.#poll(id, live);
      await saved;
    } else if (live.phase.name === 'running' && live.watch.name !== 'watching') {
      this.#poll(id, live);
    }
  }

  stopWatching(id: string): void {
    const live = this.#live.get(id);
    if (!live?.poller) return;
    live.poller.abort(new Error('Watching stopped'));
    live.poller = undefined;
    this.#show(id, live, { name: 'idle' });
  }

  async forget(id: string): Promise<void> {
    if (!this.#live.has(id)) return;
    this.#drop(id);
    await this.#saver.forget(id);
  }

  async bundleLink(id: string, signal: AbortSignal): Promise<BundleLink> {
    signal.throwIfAborted();
    const link = this.#live.get(id)?.link;
    const isGood = link && !isExpired(link, this.#ports.clock.now(), LINK_RESERVE_MS);
    return isGood ? link : this.#renew(id, signal);
  }

  linkSource(id: string): LinkSource {
    const current = (): BundleLink | undefined => this.#live.get(id)?.link;
    return {
      get current() {
        return current();
      },
      renew: (signal) => this.#renew(id, signal),
    };
  }

  async noteFiles(
    id: string,
    files: { readonly archive?: DownloadedArchive; readonly siteFolder?: string },
  ): Promise<void> {
    await this.#note(id, (record) => {
      const noted = { ...record, ...files };
      if (files.siteFolder === undefined) return noted;
      return withoutUndefined({ ...noted, siteSha256: noted.archive?.sha256 });
    });
  }

  async noteResult<Kind extends ResultKind>(
    id: string,
    kind: Kind,
    result: NewResult<Kind>,
  ): Promise<void> {
    const at = this.#ports.clock.now();
    await this.#note(id, (record) => {
      const sha256 = result.sha256 ?? bundleDigest(record);
      const noted = withoutUndefined({ ...result, at, sha256 });
      return { ...record, results: { ...record.results, [kind]: noted } };
    });
  }

  dispose(): void {
    this.#lifetime.abort(new Error('The exports are disposed'));
    for (const { poller } of this.#live.values()) poller?.abort(this.#lifetime.signal.reason);
    void this.#saver.flush();
    this.#didChange.dispose();
    this.#didEnd.dispose();
  }

  #view(id: string): ExportView | undefined {
    const live = this.#live.get(id);
    const record = this.#saver.get(id);
    if (!live || !record) return undefined;
    const { phase, watch, pace, link } = live;
    const { percent, totalPages } = phase.name === 'running' ? phase : {};
    const endsAt =
      phase.name === 'running' && watch.name === 'watching' ? pace.pace.endsAt : undefined;
    return withoutUndefined({ record, watch, percent, totalPages, endsAt, link });
  }

  async #restore(): Promise<void> {
    const records = await this.#ports.records.list();
    if (this.#lifetime.signal.aborted) return;
    const stored = new Set(records.map(({ id }) => id));
    for (const id of [...this.#live.keys()]) {
      if (!stored.has(id) && this.#saver.isSaved(id)) this.#drop(id);
    }
    for (const listed of records) {
      const { id } = listed;
      const record = this.#saver.adopt(listed);
      const known = this.#live.get(id);
      const live: Live = known ?? newLive(phaseOf(record));
      // The stored phase may come from another window. A running poller keeps its own phase.
      if (!live.poller) live.phase = phaseOf(record);
      this.#live.set(id, live);
      if (!known && live.phase.name === 'running') this.#poll(id, live);
      this.#didChange.fire(id);
    }
  }

  async #start(target: ExportTarget, keep: () => void): Promise<string> {
    const { endpoints, newId, clock, log } = this.#ports;
    const { signal } = this.#lifetime;
    const { apiUrl, exportDomain } = target;
    const endpoint = await endpoints.open(apiUrl);
    signal.throwIfAborted();
    keep();
    const started = await this.#client.startJob(endpoint, exportDomain, target, signal);
    const id = newId();
    const live = newLive(newJob(this.#scaleAt(apiUrl)));
    this.#live.set(id, live);
    const saved = this.#saver.add(newRecord(id, target, started, clock.now()));
    log.info(`Started the export of ${exportDomain}`);
    this.#poll(id, live);
    await saved;
    return id;
  }

  /** Returns the scale of an API's progress numbers, as its newest job with a proof has it. */
  #scaleAt(apiUrl: string): ProgressScale | undefined {
    for (const { record } of this.list) {
      const scale = record.apiUrl === apiUrl ? scaleProvenBy(record.progressScale) : undefined;
      if (scale !== undefined) return scale;
    }
    return undefined;
  }

  /** Polls a job until it ends. A new poller replaces an earlier one. */
  #poll(id: string, live: Live): void {
    live.poller?.abort(new Error('Asked anew'));
    if (this.#lifetime.signal.aborted) return;
    const poller = new AbortController();
    live.poller = poller;
    this.#show(id, live, { name: 'watching' });
    this.#follow(id, live, poller.signal).catch((error: unknown) => {
      if (poller.signal.aborted) return;
      this.#ports.log.error('Watching an export failed', error);
      live.poller = undefined;
      this.#show(id, live, { name: 'idle' });
    });
  }

  async #follow(id: string, live: Live, signal: AbortSignal): Promise<void> {
    const { clock, random, endpoints, log } = this.#ports;
    const ask = async (): Promise<JobAnswer> => {
      const { apiUrl, jobId } = this.#recordOf(id);
      return this.#client.jobStatus(await endpoints.open(apiUrl), jobId, signal);
    };
    for await (const report of watchJob({ ask, clock, random, signal })) {
      if (signal.aborted) return;
      const at = clock.now();
      switch (report.name) {
        case 'answered': {
          const { answer, quietSince } = report;
          const event: JobEvent = { name: 'answered', answer, at };
          if (answer.outcome !== 'running') {
            await this.#end(id, live, event);
            return;
          }
          this.#move(id, live, event);
          const isStalled = quietSince !== undefined;
          if (!isStalled) this.#show(id, live, { name: 'watching' });
          else if (live.watch.name !== 'stalled') {
            this.#show(id, live, { name: 'stalled', since: quietSince });
          }
          break;
        }
        case 'waiting': {
          const error = describeExportError(report.error, this.#ports.translate);
          log.warn(`An export cannot be asked about for now: ${error.code}`);
          if (error.code === 'unexpected') log.error('Asking about an export failed', report.error);
          this.#show(id, live, { name: 'waiting', error, until: report.until });
          break;
        }
        case 'refused': {
          const { code: errorCode, details } = report.error;
          const errorMessage = details.serviceMessage;
          const event = withoutUndefined({ name: 'refused' as const, errorCode, errorMessage, at });
          await this.#end(id, live, event);
          return;
        }
        default:
          report satisfies never;
      }
    }
  }

  async #end(id: string, live: Live, event: JobEvent): Promise<void> {
    live.poller = undefined;
    live.watch = { name: 'idle' };
    const { view, saved } = this.#move(id, live, event);
    await saved;
    const stored = this.#saver.get(id);
    if (!view || !stored || this.#lifetime.signal.aborted) return;
    const { record } = view;
    // Another window has stored and announced the real end.
    if (isFinal(stored.outcome) && !isFinal(record.outcome)) return;
    const { outcome, watchRound = 0 } = record;
    this.#ports.log.info(`The export of ${record.exportDomain} is ${outcome}`);
    const name = outcome === 'unwatchable' ? `export-end:${id}:${watchRound}` : `export-end:${id}`;
    const isOurs = await this.#ports.claims.claim(name).catch((error: unknown) => {
      this.#ports.log.error('The end of an export could not be claimed', error);
      return true;
    });
    if (isOurs) this.#didEnd.fire(view);
  }

  /**
   * Moves the job to its next phase, and shows and saves it only if something changed.
   *
   * @returns `view` is the export at that moment, because listeners of the change may change it
   * again. `saved` resolves when the change is stored.
   */
  #move(
    id: string,
    live: Live,
    event: JobEvent,
    change: RecordChange = (record) => record,
  ): { readonly view: ExportView | undefined; readonly saved: Promise<void> } {
    const before = live.phase;
    const phase = nextPhase(before, event);
    live.phase = phase;
    if (event.name === 'answered' && phase.name === 'running') {
      const { pages, totalPages, percent } = phase;
      live.pace.add({ at: event.at, pages, totalPages, percent });
    }
    const isNews = phase.name === 'running' && before.name === 'running';
    const applied: RecordChange = (record) =>
      // A response from before the end must not undo an end that another window has stored.
      isFinal(record.outcome) && !isFinal(phase.name) && event.name !== 'bundle-refused'
        ? record
        : change(withPhase(record, phase));
    const record = this.#saver.get(id);
    const isSame = record !== undefined && isDeepStrictEqual(record, applied(record));
    let saved = Promise.resolve();
    if (!isNews) saved = this.#saver.change(id, applied);
    else if (!isSame) this.#saver.changeSoon(id, applied);
    const view = this.#view(id);
    if (!isDeepStrictEqual(before, phase)) this.#didChange.fire(id);
    return { view, saved };
  }

  async #note(id: string, change: RecordChange): Promise<void> {
    const saved = this.#saver.change(id, change);
    if (this.#live.has(id)) this.#didChange.fire(id);
    await saved;
  }

  #show(id: string, live: Live, watch: WatchState): void {
    if (isDeepStrictEqual(live.watch, watch)) return;
    live.watch = watch;
    this.#didChange.fire(id);
  }

  async #renew(id: string, signal: AbortSignal): Promise<BundleLink> {
    return this.#bundles.join(id, signal, (unwanted) =>
      this.#generate(id, AbortSignal.any([unwanted, this.#lifetime.signal])),
    );
  }

  async #generate(id: string, signal: AbortSignal): Promise<BundleLink> {
    const { apiUrl, jobId } = this.#recordOf(id);
    const endpoint = await this.#ports.endpoints.open(apiUrl);
    const ports = { ...this.#ports, client: this.#client };
    let link: BundleLink;
    try {
      link = await requestBundle(ports, endpoint, jobId, signal);
    } catch (error) {
      if (error instanceof ExportError && error.code === 'job-not-completed') this.#resume(id);
      throw error;
    }
    const live = this.#live.get(id);
    if (live) live.link = link;
    await this.#saver.change(id, (record) => withLink(record, link));
    if (live) this.#didChange.fire(id);
    return link;
  }

  /** Polls a job again that turned out to be running. */
  #resume(id: string): void {
    const live = this.#live.get(id);
    if (!live) return;
    this.#move(id, live, { name: 'bundle-refused' });
    if (live.phase.name === 'running' && !live.poller) this.#poll(id, live);
  }

  #drop(id: string): void {
    this.#live.get(id)?.poller?.abort(new Error('The export was taken off the list'));
    if (this.#live.delete(id)) {
      this.#saver.drop(id);
      this.#didChange.fire(id);
    }
  }

  /** Returns a record. @throws {ExportError} `unknown-job` if the export was removed. */
  #recordOf(id: string): ExportRecord {
    const record = this.#saver.get(id);
    if (!record) throw new ExportError('unknown-job');
    return record;
  }
}

function newLive(phase: JobPhase): Live {
  return { phase, watch: { name: 'idle' }, pace: new JobPace() };
}

interface Work<T> {
  readonly promise: Promise<T>;
  readonly unwanted: AbortController;
  readonly state: { waiting: number; isKept: boolean };
}

/** Lets several callers share the same work while it runs. */
export class SharedWork<T> {
  readonly #works = new Map<string, Work<T>>();

  /** Returns whether work with this key is running. */
  has(key: string): boolean {
    return this.#works.has(key);
  }

  /**
   * Joins the running work with this key, or begins it.
   *
   * @param signal ends only this caller's wait.
   * @param begin gets a signal that aborts when no caller waits anymore, and a function that keeps the
   * work running even then. The function throws if no caller waits anymore.
   * @throws the signal's reason as soon as it aborts, and the errors of the work.
   */
  async join(
    key: string,
    signal: AbortSignal,
    begin: (unwanted: AbortSignal, keep: () => void) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    const work = this.#works.get(key) ?? this.#begin(key, begin);
    const { promise, unwanted, state } = work;
    state.waiting++;
    const leaving = toDisposable(() => {
      state.waiting--;
      if (state.waiting > 0 || state.isKept) return;
      if (this.#works.get(key) === work) this.#works.delete(key);
      unwanted.abort(signal.reason);
    });
    // The caller leaves at once, so that work that has not sent anything yet can stop.
    const leave = (): void => leaving.dispose();
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await untilAborted(promise, signal);
    } finally {
      signal.removeEventListener('abort', leave);
      leave();
    }
  }

  #begin(key: string, begin: (unwanted: AbortSignal, keep: () => void) => Promise<T>): Work<T> {
    const unwanted = new AbortController();
    const state = { waiting: 0, isKept: false };
    const keep = (): void => {
      unwanted.signal.throwIfAborted();
      state.isKept = true;
    };
    const promise = begin(unwanted.signal, keep).finally(() => {
      if (this.#works.get(key)?.promise === promise) this.#works.delete(key);
    });
    const work: Work<T> = { promise, unwanted, state };
    this.#works.set(key, work);
    return work;
  }
}
