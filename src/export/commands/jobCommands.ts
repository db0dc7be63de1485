import { exportCommands } from '../../common/contributions';
import { originOf } from '../../common/http/address';
import type { Clock } from '../../common/ports';
import { type Exports, type ExportView, findExport } from '../job/exports';
import type { AdminKeys } from './adminKey';
import type { ExportHandlers } from './bundleCommands';
import type { ExportSite } from './exportSite';
import type { ExportProgress } from './jobNotifications';
import { parseExportNode, pickExport } from './pickExport';
import type { CheckedSites } from './siteCommands';
import type { OpenedSites } from './storedSites';
import { apiName } from './texts';
import type { WindowUi } from '../../common/windowUi';

interface ExportCommandPorts {
  readonly exports: Exports;
  readonly sites: Pick<OpenedSites, 'forget'>;
  readonly reports: Pick<CheckedSites, 'forget'>;
  readonly adminKeys: Pick<AdminKeys, 'set' | 'remove'>;
  readonly site: Pick<ExportSite, 'run' | 'startAgain'>;
  readonly progress: Pick<ExportProgress, 'follow'>;
  readonly ui: WindowUi;
  readonly clock: Clock;
  /** Shows errors of a task that runs in the background. */
  readonly inBackground: (task: Promise<void>) => void;
}

/** Returns the handlers of the commands about admin keys, jobs and the list of exports. */
export function exportHandlers(ports: ExportCommandPorts): ExportHandlers {
  const { adminKeys, site } = ports;
  return {
    [exportCommands.setAdminKey]: (node) => setAdminKey(ports, node),
    [exportCommands.removeAdminKey]: () => adminKeys.remove(),
    [exportCommands.exportSite]: (argument) => {
      const known = parseExportNode(argument);
      return known?.kind === 'group' ? site.startAgain(known) : site.run(argument);
    },
    [exportCommands.startAgain]: (node) => startAgain(ports, node),
    [exportCommands.watchExport]: (node) => watchExport(ports, node),
    [exportCommands.stopWatching]: (node) => stopWatching(ports, node),
    [exportCommands.removeExport]: (node) => removeExport(ports, node),
  };
}

/** Asks for the key of the node's export API, since the setting may name another API by now. */
async function setAdminKey({ exports, adminKeys }: ExportCommandPorts, node: unknown) {
  const known = parseExportNode(node);
  const view = known?.kind === 'export' ? findExport(exports, known.id) : undefined;
  await adminKeys.set(view && originOf(view.record.apiUrl));
}

/** Returns whether the job can't produce anything anymore: it ended, or the service lost it. */
const hasEnded = ({ record }: ExportView): boolean =>
  record.outcome === 'completed' ||
  record.outcome === 'failed' ||
  record.errorCode === 'unknown-job';

const isOpen = ({ record }: ExportView): boolean =>
  record.outcome === 'running' || record.outcome === 'unwatchable';

async function startAgain(ports: ExportCommandPorts, node: unknown): Promise<void> {
  const { site, ui } = ports;
  const { translate: t } = ui;
  const view = await pickExport(ports, node, {
    fits: hasEnded,
    none: t('No export has ended.'),
    title: t('Choose the Export to Start Again'),
  });
  if (view) await site.startAgain(view.record);
}

async function watchExport(ports: ExportCommandPorts, node: unknown): Promise<void> {
  const { exports, progress, ui, inBackground } = ports;
  const { translate: t } = ui;
  const view = await pickExport(ports, node, {
    fits: isOpen,
    none: t('No export is running.'),
    title: t('Choose the Export to Watch'),
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
    none: t('No export is being watched.'),
    title: t('Choose the Export to Stop Watching'),
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
    none: t('The list of exports is empty.'),
    title: t('Choose the Export to Remove from the List'),
  });
  if (!view) return;
  const { record } = view;
  const question = t(
    'The export of {0} is still running at {1}. Remove it from the list? The job keeps running, but VS Code no longer tracks it.',
    record.exportDomain,
    apiName(record, t),
  );
  if (record.outcome === 'running' && !(await ui.confirm(question, t('Remove')))) return;
  await exports.forget(record.id);
  if (record.siteFolder !== undefined) reports.forget(record.siteFolder);
}
