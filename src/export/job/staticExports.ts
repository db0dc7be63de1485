import { isDeepStrictEqual } from 'node:util';
import type { Disposable } from '../../common/disposable';
import type { Translate } from '../../common/errors';
import { Emitter } from '../../common/event';
import { hostOf } from '../../common/http/responseErrors';
import { isExpired, type BundleLink, type LinkSource } from '../download/bundleLink';
import { describeExportError, ExportError } from '../exportErrors';
import type { JobAnswer } from './answers';
import { ExportClient, type ExportClientPorts } from './client';
import type { Exports, ExportTarget, ExportView, WatchState } from './exports';
import { followJob, type JobPorts, newBundleLink, startJob } from './jobFlow';
import { hasEnded, type JobEvent, shownPercent } from './jobState';
import type { BundlePlaces, Claims, ExportRecordStore } from './record';
import { RecordSaver } from './recordSaver';
import { bundleDigest, type NewResult, type ResultKind } from './results';
import { SharedWork } from './sharedWork';

/** A link that expires within this time is not used again. */
const LINK_RESERVE_MS = 60_000;

/** Services that {@link StaticExports} uses. */
interface ExportsPorts extends ExportClientPorts, Omit<JobPorts, 'client'> {
  readonly records: ExportRecordStore;
  readonly claims: Claims;
  /** Translation of errors. English by default. */
  readonly translate?: Translate;
}

/** State of an export in this window, besides its record. */
interface Live {
  watch: WatchState;
  /** Last answer about the running job. */
  answer?: JobAnswer;
  /** Controller of the export's only poller, if one is running. */
  poller?: AbortController;
  link?: BundleLink;
}

/**
 * Exports on top of the export API, the records and the claims, with one poller per job and window.
 *
 * A job becomes *unwatchable* if only the user can fix what prevents polling: a missing or rejected
 * key, the plan, an API that moved, or a missing job. `watch` resumes it, and its next end is
 * announced again.
 */
export class StaticExports implements Exports, Disposable {
  readonly #ports: ExportsPorts & JobPorts;
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
    this.#ports = { ...ports, client: new ExportClient(ports) };
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
    const outcome = this.#saver.get(id)?.outcome;
    if (!live) return;
    if (outcome === 'unwatchable') {
      const { saved } = this.#move(id, live, { name: 'watched-again' });
      this.#poll(id, live);
      await saved;
    } else if (outcome === 'running' && live.watch.name !== 'watching') {
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

  noteFiles(id: string, files: BundlePlaces): Promise<void> {
    return this.#note(id, { name: 'files-noted', ...files });
  }

  async noteResult<Kind extends ResultKind>(
    bundle: string,
    kind: Kind,
    result: NewResult<Kind>,
  ): Promise<void> {
    const at = this.#ports.clock.now();
    for (const { record } of this.list) {
      const { id, archive, siteFolder } = record;
      const sha256 = bundle === siteFolder ? bundleDigest(record) : archive?.sha256;
      if (bundle !== siteFolder && bundle !== archive?.path) continue;
      await this.#note(id, { name: 'result-noted', kind, result: { ...result, at, sha256 } });
    }
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
    const { watch, answer, link } = live;
    const shown = record.outcome === 'running' ? answer : undefined;
    const percent = shown && shownPercent(record, shown);
    return { record, watch, percent, totalPages: shown?.totalPages, link };
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
      const live: Live = known ?? { watch: { name: 'idle' } };
      this.#live.set(id, live);
      if (!known && record.outcome === 'running') this.#poll(id, live);
      this.#didChange.fire(id);
    }
  }

  async #start(target: ExportTarget, keep: () => void): Promise<string> {
    const record = await startJob(this.#ports, target, this.#lifetime.signal, keep);
    const { id } = record;
    const live: Live = { watch: { name: 'idle' } };
    this.#live.set(id, live);
    const saved = this.#saver.add(record);
    this.#poll(id, live);
    await saved;
    return id;
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
    const record = this.#saver.get(id);
    if (!record) return;
    for await (const step of followJob(this.#ports, record, signal)) {
      if (signal.aborted) return;
      switch (step.name) {
        case 'running': {
          const { event, stalledSince: since } = step;
          live.answer = step.answer;
          this.#move(
            id,
            live,
            event,
            since === undefined ? { name: 'watching' } : { name: 'stalled', since },
          );
          break;
        }
        case 'waiting':
          this.#wait(id, live, step.error, step.until);
          break;
        case 'ended':
          await this.#end(id, live, step.event);
          return;
        default:
          step satisfies never;
      }
    }
  }

  #wait(id: string, live: Live, cause: unknown, until: number): void {
    const { log, translate } = this.#ports;
    const error = describeExportError(cause, translate);
    log.warn(`An export cannot be asked about for now: ${error.code}`);
    if (error.code === 'unexpected') log.error('Asking about an export failed', cause);
    this.#show(id, live, { name: 'waiting', error, until });
  }

  async #end(id: string, live: Live, event: JobEvent): Promise<void> {
    const { claims, log } = this.#ports;
    live.poller = undefined;
    const { view, saved } = this.#move(id, live, event, { name: 'idle' });
    await saved;
    const stored = this.#saver.get(id);
    if (!view || !stored || this.#lifetime.signal.aborted) return;
    const { record } = view;
    // Another window has stored and announced the real end.
    if (hasEnded(stored) && !hasEnded(record)) return;
    const { outcome, watchRound = 0 } = record;
    log.info(`The export of ${record.exportDomain} is ${outcome}`);
    const name = outcome === 'unwatchable' ? `export-end:${id}:${watchRound}` : `export-end:${id}`;
    const isOurs = await claims.claim(name).catch((error: unknown) => {
      log.error('The end of an export could not be claimed', error);
      return true;
    });
    if (isOurs) this.#didEnd.fire(view);
  }

  /**
   * Applies an event to the job, and shows and saves the job.
   *
   * @returns `view` is the export at that moment, because listeners of the change may change it
   * again. `saved` resolves when the event is stored.
   */
  #move(
    id: string,
    live: Live,
    event: JobEvent,
    watch = live.watch,
  ): { readonly view: ExportView | undefined; readonly saved: Promise<void> } {
    const before = this.#view(id);
    live.watch = watch;
    const isProgress = event.name === 'answered' && event.answer.outcome === 'running';
    let saved = Promise.resolve();
    if (isProgress) this.#saver.applySoon(id, event);
    else saved = this.#saver.apply(id, event);
    const view = this.#view(id);
    if (!isDeepStrictEqual(before, view)) this.#didChange.fire(id);
    return { view, saved };
  }

  async #note(id: string, event: JobEvent): Promise<void> {
    const live = this.#live.get(id);
    if (live) await this.#move(id, live, event).saved;
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
    const live = this.#live.get(id);
    const record = this.#saver.get(id);
    if (!live || !record) throw new ExportError('unknown-job');
    const apply = async (event: JobEvent): Promise<void> => {
      if (event.name === 'bundle-linked') live.link = event.link;
      const { view, saved } = this.#move(id, live, event);
      const isRunning = event.name === 'bundle-refused' && view?.record.outcome === 'running';
      if (isRunning && !live.poller) this.#poll(id, live);
      await saved;
    };
    return newBundleLink(this.#ports, record, apply, signal);
  }

  #drop(id: string): void {
    this.#live.get(id)?.poller?.abort(new Error('The export was taken off the list'));
    if (this.#live.delete(id)) {
      this.#saver.drop(id);
      this.#didChange.fire(id);
    }
  }
}
