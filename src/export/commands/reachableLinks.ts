/** Stops the commands that would give an air-gapped site a link which it can't open. */
import { exportCommands } from '../../common/contributions';
import type { ExportHandlers } from './bundleCommands';
import { nodeOf, pickCompleted, pickNewest, type PickExportPorts } from './pickExport';

interface ReachableLinkPorts extends PickExportPorts {
  /** Returns whether an exported site runs without outbound network. */
  readonly isAirGapped: (exportDomain: string) => boolean;
}

/**
 * Returns the same handlers, which first say for an air-gapped site that its bundle link is unavailable
 * there, because the link leads to the platform's cloud (platform-api.md § What the service does, 6). The
 * user can go on, as the site's own network may have a mirror.
 */
export function reachableLinks(
  handlers: ExportHandlers,
  ports: ReachableLinkPorts,
): ExportHandlers {
  const guarded = Object.entries(handlers).map(([command, handle]) => [
    command,
    async (argument?: unknown, selection?: unknown): Promise<void> => {
      // A deployment that is renewed gets the newest bundle of its site.
      const pick = command === exportCommands.renewAndUpdate ? pickNewest : pickCompleted;
      const view = await pick(ports, argument);
      if (!view) return;
      if (await isUseful(ports, view.record.exportDomain, nodeOf(view))) {
        await handle(nodeOf(view), selection);
      }
    },
  ]);
  // The entries have the keys of the handlers.
  return Object.fromEntries(guarded) as ExportHandlers;
}

async function isUseful(
  { ui, isAirGapped }: ReachableLinkPorts,
  exportDomain: string,
  node: object,
): Promise<boolean> {
  if (!isAirGapped(exportDomain)) return true;
  const { translate: t } = ui;
  const download = t('Download Bundle…');
  const anyway = t('Use the Link Anyway');
  const chosen = await ui.warn(
    t(
      'The bundle link is unavailable on an air-gapped site because it leads to the docs platform’s cloud. Download the bundle, and host it in the site’s own network.',
    ),
    download,
    anyway,
  );
  if (chosen === download) await ui.runCommand(exportCommands.downloadBundle, node);
  return chosen === anyway;
}
