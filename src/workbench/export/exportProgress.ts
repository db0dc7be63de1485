import type { Clock } from '../../common/ports';
import type { Exports, ExportView } from '../../staticExport/exports';
import { apiName, progressLine } from './exportTexts';
import type { ExportUi, ProgressReport } from './exportUi';
import { growingBar } from './withProgress';

/** While trouble is waited out, the seconds that are left count down. */
const COUNTDOWN_MS = 1000;

interface ExportProgressPorts {
  readonly exports: Pick<Exports, 'list' | 'onDidChange' | 'watch' | 'stopWatching'>;
  readonly ui: ExportUi;
  readonly clock: Clock;
  /** True once the window closes: nothing is said about what ends with it. */
  readonly isClosing: () => boolean;
  /** Shows what a task in the background throws. */
  readonly inBackground: (task: Promise<void>) => void;
}

type Report = (progress: ProgressReport) => void;

/** Follows jobs in notifications. Their *Cancel* ends the watching; the job goes on. */
export class ExportProgress {
  readonly #ports: ExportProgressPorts;
  readonly #followed = new Set<string>();

  constructor(ports: ExportProgressPorts) {
    this.#ports = ports;
  }

  /** Follows a job that is watched until it is watched no longer. One notification per job. */
  async follow(id: string): Promise<void> {
    const view = this.#viewOf(id);
    if (!view || this.#followed.has(id)) return;
    // VS Code begins only a moment later.
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
   * @returns the export as soon as it is started.
   * @throws what `start` throws.
   */
  startAndFollow(
    exportDomain: string,
    start: (signal: AbortSignal) => Promise<ExportView>,
  ): Promise<ExportView> {
    const { ui, inBackground } = this.#ports;
    return new Promise((resolve, reject) => {
      const whole = ui.progress(this.#title(exportDomain), async (report, signal) => {
        report({ message: ui.translate('starting…') });
        const view = await start(signal);
        resolve(view);
        await this.#followIn(view.record.id, report, signal);
        return view.record.id;
      });
      whole.then((id) => inBackground(this.#sayIfStopped(id)), reject);
    });
  }

  async #followIn(id: string, report: Report, signal: AbortSignal): Promise<void> {
    const { exports, clock, isClosing } = this.#ports;
    this.#followed.add(id);
    const ended = new AbortController();
    const incrementTo = growingBar();
    let lastLine = '';
    const show = (): void => {
      const view = this.#viewOf(id);
      if (!view || !isWatched(view) || isClosing()) {
        ended.abort();
        return;
      }
      const line = progressLine(view, clock.now(), this.#ports.ui.translate);
      const { increment } = incrementTo(view.percent);
      if (line === lastLine && increment === undefined) return;
      lastLine = line;
      report({ message: line, ...(increment === undefined ? {} : { increment }) });
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
      return; // It ended.
    }
    show();
  }

  /** Says what became of a job that still runs but is watched no longer. */
  async #sayIfStopped(id: string): Promise<void> {
    const { exports, ui, isClosing } = this.#ports;
    const view = this.#viewOf(id);
    if (!view || view.record.outcome !== 'running' || isWatched(view) || isClosing()) return;
    const { translate: t } = ui;
    const again = t('Watch Again');
    const chosen = await ui.inform(
      t(
        'The export of {0} is watched no longer. The job itself goes on at {1}: there is no way to cancel it.',
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

  #viewOf(id: string): ExportView | undefined {
    return this.#ports.exports.list.find(({ record }) => record.id === id);
  }
}

const isWatched = ({ record, watch }: ExportView): boolean =>
  record.outcome === 'running' && watch.name !== 'idle';
