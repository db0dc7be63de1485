import { exportCommands } from '../../common/contributions';
import { DisposableStore, type Disposable } from '../../common/disposable';
import type { Clock, Log } from '../../common/ports';
import { type Exports, type ExportView, findExport } from '../job/exports';
import { errorOfRecord, type Claims } from '../job/record';
import { showExportError } from './errorNotifications';
import { nodeOf } from './pickExport';
import { apiName, pagesText, progressLine } from './texts';
import type { WindowUi, TaskProgress } from '../../common/windowUi';

/** Interval of the countdown to the next try. */
const COUNTDOWN_MS = 1000;

interface ExportProgressPorts {
  readonly exports: Pick<Exports, 'list' | 'onDidChange' | 'watch' | 'stopWatching'>;
  readonly ui: WindowUi;
  readonly clock: Clock;
  /** Returns whether the window is closing. Nothing is shown then. */
  readonly isClosing: () => boolean;
  /** Shows errors of a task that runs in the background. */
  readonly inBackground: (task: Promise<void>) => void;
}

type Report = (progress: TaskProgress) => void;

/** Follows jobs in notifications. *Cancel* stops watching the job but not the job itself. */
export class ExportProgress {
  readonly #ports: ExportProgressPorts;
  readonly #followed = new Set<string>();

  constructor(ports: ExportProgressPorts) {
    this.#ports = ports;
  }

  /** Follows a job for as long as it is watched, in one notification per job. */
  async follow(id: string): Promise<void> {
    const view = findExport(this.#ports.exports, id);
    if (!view || this.#followed.has(id)) return;
    // VS Code starts the task only a moment later.
    this.#followed.add(id);
    try {
      await this.#ports.ui.progress(this.#title(view.record.exportDomain), (report, signal) =>
        this.#followIn(id, report, signal),
      );
    } finally {
      this.#followed.delete(id);
    }
    await this.#sayIfStopped(id);
  }

  /**
   * Starts a job and follows it in the same notification.
   * @returns the export as soon as it has started.
   * @throws the error of `start`.
   */
  startAndFollow(
    exportDomain: string,
    start: (signal: AbortSignal) => Promise<ExportView>,
  ): Promise<ExportView> {
    const { ui, inBackground } = this.#ports;
    return new Promise((resolve, reject) => {
      const ended = ui.progress(this.#title(exportDomain), async (report, signal) => {
        report({ message: ui.translate('starting…') });
        try {
          const view = await start(signal);
          resolve(view);
          await this.#followIn(view.record.id, report, signal);
          return view.record.id;
        } catch (error) {
          // Rejected here, because a canceled start that is unclear must not pass for a mere cancel.
          reject(error instanceof Error ? error : new Error(String(error)));
          return undefined;
        }
      });
      ended.then((id) => {
        if (id !== undefined) inBackground(this.#sayIfStopped(id));
      }, reject);
    });
  }

  async #followIn(id: string, report: Report, signal: AbortSignal): Promise<void> {
    const { exports, clock, isClosing } = this.#ports;
    this.#followed.add(id);
    const ended = new AbortController();
    let last: TaskProgress = { message: '' };
    const show = (): void => {
      const view = findExport(this.#ports.exports, id);
      if (!view || !isWatched(view) || isClosing()) {
        ended.abort();
        return;
      }
      const message = progressLine(view, clock.now(), this.#ports.ui.translate);
      const { percent } = view;
      if (message === last.message && percent === last.percent) return;
      last = { message, percent };
      report(last);
    };
    const registration = exports.onDidChange((changed) => {
      if (changed === id) show();
    });
    const cancel = (): void => {
      exports.stopWatching(id);
      ended.abort();
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      if (signal.aborted) cancel();
      show();
      while (!ended.signal.aborted) await this.#pause(ended.signal, show);
    } finally {
      signal.removeEventListener('abort', cancel);
      registration.dispose();
      this.#followed.delete(id);
    }
  }

  async #pause(signal: AbortSignal, show: () => void): Promise<void> {
    try {
      await this.#ports.clock.delay(COUNTDOWN_MS, signal);
    } catch {
      return; // The job ended.
    }
    show();
  }

  /** Tells the user that a job still runs although nobody watches it. */
  async #sayIfStopped(id: string): Promise<void> {
    const { exports, ui, isClosing } = this.#ports;
    const view = findExport(this.#ports.exports, id);
    if (!view || view.record.outcome !== 'running' || isWatched(view) || isClosing()) return;
    const { translate: t } = ui;
    const again = t('Watch Again');
    const chosen = await ui.inform(
      t(
        'VS Code no longer tracks the export of {0}. The job keeps running at {1} and can’t be canceled.',
        view.record.exportDomain,
        apiName(view.record, t),
      ),
      again,
    );
    if (chosen !== again) return;
    await exports.watch(id);
    await this.follow(id);
  }

  #title(exportDomain: string): string {
    return this.#ports.ui.translate('Exporting {0}', exportDomain);
  }
}

const isWatched = ({ record, watch }: ExportView): boolean =>
  record.outcome === 'running' && watch.name !== 'idle';

interface ExportEndsPorts {
  readonly exports: Pick<Exports, 'list' | 'onDidChange' | 'onDidEnd' | 'stopWatching'>;
  readonly claims: Claims;
  readonly ui: WindowUi;
  readonly log: Log;
}

/** Announces how jobs ended, and once per job that it has stalled. */
export class ExportEnds implements Disposable {
  readonly #ports: ExportEndsPorts;
  readonly #store = new DisposableStore();
  /** IDs of stalled jobs that this window has handled. */
  readonly #stalled = new Set<string>();

  constructor(ports: ExportEndsPorts) {
    this.#ports = ports;
    const { exports, log } = ports;
    const failed = (error: unknown): void =>
      log.error('Announcing the end of an export failed', error);
    this.#store.add(exports.onDidEnd((view) => void this.#tellEnd(view).catch(failed)));
    this.#store.add(
      exports.onDidChange((id) => {
        const view = findExport(exports, id);
        if (view?.watch.name === 'stalled') void this.#tellStall(view).catch(failed);
      }),
    );
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #tellEnd(view: ExportView): Promise<void> {
    const { record } = view;
    if (record.outcome === 'completed') await this.#tellCompleted(view);
    else if (record.outcome !== 'running') await this.#tellFailed(view);
  }

  async #tellCompleted(view: ExportView): Promise<void> {
    const { ui } = this.#ports;
    const { translate: t } = ui;
    const { exportDomain } = view.record;
    const pages = pagesText(view, t);
    const link = t('Get Bundle Link');
    const download = t('Download Bundle…');
    const chosen = await ui.inform(
      pages === undefined
        ? t('The export of {0} has completed.', exportDomain)
        : t('The export of {0} has completed ({1}).', exportDomain, pages),
      link,
      download,
    );
    if (chosen === link) await ui.runCommand(exportCommands.getBundleLink, nodeOf(view));
    else if (chosen === download) await ui.runCommand(exportCommands.downloadBundle, nodeOf(view));
  }

  async #tellFailed(view: ExportView): Promise<void> {
    const { ui, log } = this.#ports;
    const { translate: t } = ui;
    const { outcome, exportDomain } = view.record;
    const error = errorOfRecord(view.record);
    const isFailed = outcome === 'failed';
    const node = nodeOf(view);
    if (!error) {
      const again = t('Start Again');
      const chosen = isFailed
        ? await ui.fail(
            t('The export of {0} failed. The service gave no reason.', exportDomain),
            again,
          )
        : await ui.fail(t('VS Code can’t track the export of {0} anymore.', exportDomain));
      if (chosen === again) await ui.runCommand(exportCommands.startAgain, node);
      return;
    }
    await showExportError(error, {
      ui,
      log,
      node,
      about: isFailed
        ? undefined
        : t('VS Code can’t track the export of {0} anymore.', exportDomain),
      again:
        isFailed || view.record.errorCode === 'unknown-job'
          ? undefined
          : {
              label: t('Watch Again'),
              run: () => ui.runCommand(exportCommands.watchExport, node),
            },
    });
  }

  async #tellStall(view: ExportView): Promise<void> {
    const { exports, claims, ui } = this.#ports;
    const { id, exportDomain } = view.record;
    if (this.#stalled.has(id)) return;
    this.#stalled.add(id);
    if (!(await claims.claim(`stalled:${id}`))) return;
    const { translate: t } = ui;
    const stop = t('Stop Watching');
    const chosen = await ui.warn(
      t(
        'The export of {0} hasn’t made progress for a long time. VS Code now checks {1} less often.',
        exportDomain,
        apiName(view.record, t),
      ),
      t('Keep Waiting'),
      stop,
    );
    if (chosen === stop) exports.stopWatching(id);
  }
}
