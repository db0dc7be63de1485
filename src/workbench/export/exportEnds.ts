import { DisposableStore, type Disposable } from '../../common/disposable';
import type { Log } from '../../common/ports';
import { errorOfRecord, type Claims } from '../../staticExport/exportRecord';
import type { Exports, ExportView } from '../../staticExport/exports';
import { exportCommands } from '../exportContributions';
import { showExportError } from './exportNotifications';
import { apiName, pagesText } from './exportTexts';
import type { ExportUi } from './exportUi';
import type { ExportNode } from './openedSites';

interface ExportEndsPorts {
  readonly exports: Pick<Exports, 'list' | 'onDidChange' | 'onDidEnd' | 'stopWatching'>;
  readonly claims: Claims;
  readonly ui: ExportUi;
  readonly log: Log;
}

/** Announces how jobs ended, and, once for each, that nothing happens at one. */
export class ExportEnds implements Disposable {
  readonly #ports: ExportEndsPorts;
  readonly #store = new DisposableStore();
  /** Jobs whose standstill this window has dealt with. */
  readonly #stalled = new Set<string>();

  constructor(ports: ExportEndsPorts) {
    this.#ports = ports;
    const { exports, log } = ports;
    const failed = (error: unknown): void => log.error('Telling of an export failed', error);
    this.#store.add(exports.onDidEnd((view) => void this.#tellEnd(view).catch(failed)));
    this.#store.add(
      exports.onDidChange((id) => {
        const view = exports.list.find(({ record }) => record.id === id);
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
        ? t('The export of {0} is completed.', exportDomain)
        : t('The export of {0} is completed: {1}.', exportDomain, pages),
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
        : await ui.fail(t('The export of {0} can be watched no longer.', exportDomain));
      if (chosen === again) await ui.runCommand(exportCommands.startAgain, node);
      return;
    }
    await showExportError(error, {
      ui,
      log,
      node,
      ...(isFailed
        ? {}
        : { about: t('The export of {0} can be watched no longer.', exportDomain) }),
      ...(isFailed || view.record.errorCode === 'unknown-job'
        ? {}
        : {
            again: {
              label: t('Watch Again'),
              run: () => ui.runCommand(exportCommands.watchExport, node),
            },
          }),
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
        'Nothing has changed at the export of {0} for a long time. {1} is still asked about it, less often.',
        exportDomain,
        apiName(view.record, t),
      ),
      t('Keep Waiting'),
      stop,
    );
    if (chosen === stop) exports.stopWatching(id);
  }
}

const nodeOf = ({ record }: ExportView): ExportNode => ({ kind: 'export', id: record.id });
