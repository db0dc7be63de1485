import type { Clock } from '../../common/ports';
import { originOf } from '../../common/address';
import type { Exports, ExportView } from '../../staticExport/exports';
import { exportCommands, type ExportCommandId } from '../exportContributions';
import type { AdminKeys } from './adminKey';
import type { ExportProgress } from './exportProgress';
import type { ExportSite } from './exportSite';
import { apiName } from './exportTexts';
import type { ExportUi } from './exportUi';
import type { OpenedSites } from './openedSites';
import { parseExportNode, pickExport } from './pickExport';

interface ExportCommandPorts {
  readonly exports: Exports;
  readonly sites: Pick<OpenedSites, 'forget'>;
  /** What checks found, which goes with its bundle. */
  readonly reports: { forget(siteFolder: string): void };
  readonly adminKeys: Pick<AdminKeys, 'set' | 'remove'>;
  readonly site: Pick<ExportSite, 'run' | 'startAgain'>;
  readonly progress: Pick<ExportProgress, 'follow'>;
  readonly ui: ExportUi;
  readonly clock: Clock;
  /** Shows what a task in the background throws. */
  readonly inBackground: (task: Promise<void>) => void;
}

type ExportHandlers = Readonly<
  Partial<Record<ExportCommandId, (argument?: unknown) => Promise<void>>>
>;

/** The handlers of the commands of key, job and list. */
export function exportHandlers(ports: ExportCommandPorts): ExportHandlers {
  const { adminKeys, site } = ports;
  return {
    [exportCommands.setAdminKey]: (node) => setAdminKey(ports, node),
    [exportCommands.removeAdminKey]: () => adminKeys.remove(),
    [exportCommands.exportSite]: (argument) => site.run(argument),
    [exportCommands.startAgain]: (node) => startAgain(ports, node),
    [exportCommands.watchExport]: (node) => watchExport(ports, node),
    [exportCommands.stopWatching]: (node) => stopWatching(ports, node),
    [exportCommands.removeExport]: (node) => removeExport(ports, node),
  };
}

/** For an export, the key of its own API: `apiUrl` may point elsewhere by now. */
async function setAdminKey({ exports, adminKeys }: ExportCommandPorts, node: unknown) {
  const known = parseExportNode(node);
  const view =
    known?.kind === 'export'
      ? exports.list.find(({ record }) => record.id === known.id)
      : undefined;
  await adminKeys.set(view && originOf(view.record.apiUrl));
}

const isOpen = ({ record }: ExportView): boolean =>
  record.outcome === 'running' || record.outcome === 'unwatchable';

async function startAgain(ports: ExportCommandPorts, node: unknown): Promise<void> {
  const { site, ui } = ports;
  const { translate: t } = ui;
  const view = await pickExport(ports, node, {
    fits: ({ record }) => record.outcome === 'failed' || record.errorCode === 'unknown-job',
    none: t('There is no failed export to start again.'),
    title: t('Start which export again?'),
  });
  if (view) await site.startAgain(view.record);
}

async function watchExport(ports: ExportCommandPorts, node: unknown): Promise<void> {
  const { exports, progress, ui, inBackground } = ports;
  const { translate: t } = ui;
  const view = await pickExport(ports, node, {
    fits: isOpen,
    none: t('There is no export under way to watch.'),
    title: t('Watch which export?'),
  });
  if (!view) return;
  const { id } = view.record;
  if (view.watch.name === 'idle') await exports.watch(id);
  inBackground(progress.follow(id));
}

async function stopWatching(ports: ExportCommandPorts, node: unknown): Promise<void> {
  const { exports, ui } = ports;
  const { translate: t } = ui;
  const view = await pickExport(ports, node, {
    fits: ({ watch }) => watch.name !== 'idle',
    none: t('No export is watched.'),
    title: t('Stop watching which export?'),
  });
  if (!view) return;
  exports.stopWatching(view.record.id);
}

async function removeExport(ports: ExportCommandPorts, node: unknown): Promise<void> {
  const { exports, sites, reports, ui } = ports;
  const { translate: t } = ui;
  const known = parseExportNode(node);
  if (known?.kind === 'site') {
    await sites.forget(known.folder);
    reports.forget(known.folder);
    return;
  }
  const view = await pickExport(ports, node, {
    fits: () => true,
    none: t('There is no export in the list.'),
    title: t('Remove which export from the list?'),
  });
  if (!view) return;
  const { record } = view;
  const question = t(
    'The export of {0} still runs at {1}. Remove it from the list? The job goes on, but nothing here knows it any more.',
    record.exportDomain,
    apiName(record, t),
  );
  if (record.outcome === 'running' && !(await ui.confirm(question, t('Remove')))) return;
  await exports.forget(record.id);
  if (record.siteFolder !== undefined) reports.forget(record.siteFolder);
}
