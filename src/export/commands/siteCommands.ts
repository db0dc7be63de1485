/** The commands about an unpacked site: check it, save the report, preview it. */
import { pageProgress } from './texts';
import path from 'node:path';
import { commands, exportCommands } from '../../common/contributions';
import type { Event } from '../../common/event';
import { isFolder } from '../../common/onDisk';
import { checkInWorker } from '../check/checkInWorker';
import { reportJson } from '../check/report';
import type { BundleReport } from '../check/reportTypes';
import type { Previews, RunningPreview } from '../preview/previews';
import { openBundle, type BundlePorts, type ExportHandlers } from './bundleCommands';
import { parseExportNode, pickExport } from './pickExport';
import type { OpenedSite } from './storedSites';

/** Check reports of this window, by the folder of the site. */
export interface CheckedSites {
  readonly onDidChange: Event<void>;
  /** Checked sites, in the order of their checks. */
  readonly list: readonly OpenedSite[];
  has(siteFolder: string): boolean;
  get(siteFolder: string): BundleReport | undefined;
  /** Adds a report. It replaces an earlier one of the same folder. */
  add(site: OpenedSite, report: BundleReport): void;
  forget(siteFolder: string): void;
  /** Opens the report as a document. */
  show(siteFolder: string): Promise<void>;
}

/** Services that the commands about a site use. */
interface SitePorts extends BundlePorts {
  readonly previews: Pick<Previews, 'list' | 'start' | 'stop'>;
  readonly reports: CheckedSites;
  /** Absolute path of the built `checkWorker.ts`. */
  readonly checkScript: string;
  /**
   * Returns whether a site runs without outbound network.
   * @param label host name of the exported site, or the name of a bundle of no known export.
   */
  readonly isAirGapped: (label: string) => boolean;
  /** Shows a preview inside VS Code. */
  readonly showPreview: (preview: RunningPreview) => Promise<void>;
  /** Shows a preview in the user's browser. */
  readonly openPreview: (preview: RunningPreview) => Promise<void>;
}

/** Returns the handlers of the commands about an unpacked site. */
export function siteHandlers(ports: SitePorts): ExportHandlers {
  return {
    [exportCommands.checkBundle]: async (node) => {
      const site = await chooseSite(ports, node);
      if (site) await checkSite(ports, site);
    },
    [exportCommands.saveReport]: (node) => saveReport(ports, node),
    [exportCommands.previewBundle]: async (node) => {
      const site = await chooseSite(ports, node);
      if (!site) return;
      const basePath = ports.reports.get(site.folder)?.basePath;
      await ports.showPreview(await ports.previews.start(site.folder, site.label, basePath));
    },
    [exportCommands.askBundle]: async (node) => {
      const site = await chooseSite(ports, node);
      // The local docs service serves it and keeps it as a set.
      if (site) await ports.ui.runCommand(commands.chooseDocs, { kind: 'bundle', ...site });
    },
    [exportCommands.openPreview]: async (node) => {
      const preview = await choosePreview(ports, node);
      if (preview) await ports.openPreview(preview);
    },
    [exportCommands.stopPreview]: async (node) => {
      const preview = await choosePreview(ports, node);
      if (preview) await ports.previews.stop(preview.id);
    },
  };
}

/** Returns the unpacked site that a command is about, and unpacks its archive first if needed. */
export async function chooseSite(
  ports: BundlePorts,
  node: unknown,
): Promise<OpenedSite | undefined> {
  const known = parseExportNode(node);
  if (known?.kind === 'site') return { folder: known.folder, label: labelOf(ports, known.folder) };
  if (node === undefined) return chooseKnownSite(ports);
  const view = await pickExport(ports, node, {
    fits: ({ record }) => record.siteFolder !== undefined || record.archive !== undefined,
    none: ports.ui.translate('No bundle has been downloaded yet.'),
  });
  if (!view) return undefined;
  const { id, siteFolder, exportDomain } = view.record;
  if (siteFolder !== undefined && (await isFolder(siteFolder))) {
    return { folder: siteFolder, label: exportDomain };
  }
  return openBundle(ports, { kind: 'export', id });
}

/** Returns the name of a site: that of its export, or the one it was opened with. */
function labelOf({ exports, sites }: BundlePorts, folder: string): string {
  const owner = exports.list.find(({ record }) => record.siteFolder === folder);
  const opened = sites.list.find((site) => site.folder === folder);
  return owner?.record.exportDomain ?? opened?.label ?? path.basename(folder);
}

/** Asks for one of the known sites on this machine, or opens another one. */
async function chooseKnownSite(ports: BundlePorts): Promise<OpenedSite | undefined> {
  const { exports, ui } = ports;
  const { translate: t } = ui;
  const ofExports = exports.list.flatMap(({ record: { siteFolder, exportDomain } }) =>
    siteFolder === undefined ? [] : [{ folder: siteFolder, label: exportDomain }],
  );
  const sites = [...ofExports, ...ports.sites.list];
  if (sites.length === 0) return openBundle(ports, undefined);
  const chosen = await ui.choose<OpenedSite | 'bundle' | 'folder'>(t('Choose a Bundle'), [
    ...sites.map((site) => ({ label: site.label, description: site.folder, value: site })),
    { icon: 'file-zip', label: t('Another bundle…'), value: 'bundle' },
    { icon: 'folder', label: t('A folder with an unpacked bundle…'), value: 'folder' },
  ]);
  if (chosen === 'bundle') return openBundle(ports, undefined);
  if (chosen !== 'folder') return chosen;
  const folder = await ui.chooseFolder({});
  return folder === undefined ? undefined : { folder, label: path.basename(folder) };
}

async function checkSite(
  { exports, ui, reports, checkScript, isAirGapped }: SitePorts,
  site: OpenedSite,
): Promise<void> {
  const { translate: t } = ui;
  const checked = await ui.progress(t('Checking {0}', site.label), (show, signal) =>
    checkInWorker({
      script: checkScript,
      root: site.folder,
      signal,
      onProgress: (progress) => show(pageProgress(progress, t)),
    }),
  );
  if (!checked) return;
  const report: BundleReport = isAirGapped(site.label)
    ? { ...checked, isAirGapped: true }
    : checked;
  reports.add(site, report);
  const { pages, brokenCount: broken, outsideFetchCount: outsideFetches } = report;
  await exports.noteResult(site.folder, 'check', { pages, broken, outsideFetches });
  await reports.show(site.folder);
}

async function saveReport(ports: SitePorts, node: unknown): Promise<void> {
  const { ui, reports } = ports;
  const site = await chooseChecked(ports, node);
  const report = site && reports.get(site.folder);
  if (!report) return;
  const name = `${path.basename(site.folder)}-report.json`;
  await ui.saveText(
    {
      title: ui.translate('Save Check Report as JSON'),
      defaultPath: path.join(path.dirname(site.folder), name),
      filters: { JSON: ['json'] },
    },
    reportJson(report),
  );
}

/** Returns the site of the node or one of the checked sites, and checks it first if needed. */
async function chooseChecked(ports: SitePorts, node: unknown): Promise<OpenedSite | undefined> {
  const { reports, ui } = ports;
  if (node === undefined && reports.list.length > 0) {
    if (reports.list.length === 1) return reports.list[0];
    return ui.choose(
      ui.translate('Choose a Report'),
      reports.list.map((site) => ({ label: site.label, description: site.folder, value: site })),
    );
  }
  const site = await chooseSite(ports, node);
  if (site && !reports.has(site.folder)) await checkSite(ports, site);
  return site;
}

async function choosePreview(
  { previews, ui }: SitePorts,
  node: unknown,
): Promise<RunningPreview | undefined> {
  const { list } = previews;
  const known = parseExportNode(node);
  if (known?.kind === 'preview') return list.find(({ id }) => id === known.id);
  if (list.length === 0) {
    void ui.inform(ui.translate('No preview is running in this window.'));
    return undefined;
  }
  if (list.length === 1) return list[0];
  return ui.choose(
    ui.translate('Choose a Preview'),
    list.map((preview) => ({ label: preview.label, description: preview.url, value: preview })),
  );
}
