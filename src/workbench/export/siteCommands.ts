/** The commands about an unpacked site: check it, save the report, preview it. */
import path from 'node:path';
import * as vscode from 'vscode';
import { checkInWorker } from '../../staticExport/check/checkInWorker';
import { codeOf } from '../../staticExport/errorCode';
import { reportJson } from '../../staticExport/check/report';
import { ExportError } from '../../staticExport/exportErrors';
import { exportCommands } from '../exportContributions';
import { plainText, translate } from '../notifications';
import type { BundleHandlers, BundlePorts } from './bundlePorts';
import { openBundle, type SiteOnDisk } from './openBundle';
import type { RunningPreview } from './openedSites';
import { parseExportNode } from './pickExport';
import { openPreviewOutside, showPreview } from './showPreview';
import { withProgress } from './withProgress';

export function siteHandlers(ports: BundlePorts): BundleHandlers {
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
      const preview = await ports.previews.start(site.folder, site.label, basePath);
      await showPreview(ports.previews, preview);
    },
    [exportCommands.openPreview]: async (node) => {
      const preview = await choosePreview(ports, node);
      if (preview) await openPreviewOutside(ports.previews, preview);
    },
    [exportCommands.stopPreview]: async (node) => {
      const preview = await choosePreview(ports, node);
      if (preview) await ports.previews.stop(preview.id);
    },
  };
}

/** The unpacked site that a command is about. An archive that was not unpacked yet is, first. */
async function chooseSite(ports: BundlePorts, node: unknown): Promise<SiteOnDisk | undefined> {
  const known = parseExportNode(node);
  if (known?.kind === 'site') return { folder: known.folder, label: nameOf(ports, known.folder) };
  if (node === undefined) return chooseFromAll(ports);
  const view = await ports.pickExport(
    node,
    ({ record }) => record.siteFolder !== undefined || record.archive !== undefined,
    translate('No bundle is downloaded yet.'),
  );
  if (!view) return undefined;
  const { id, siteFolder, exportDomain } = view.record;
  if (siteFolder !== undefined && (await isFolder(siteFolder))) {
    return { folder: siteFolder, label: exportDomain };
  }
  return openBundle(ports, { kind: 'export', id });
}

/** What a site folder is called elsewhere: after its export, or as it was opened. */
function nameOf({ exports, sites }: BundlePorts, folder: string): string {
  const owner = exports.list.find(({ record }) => record.siteFolder === folder);
  const opened = sites.list.find((site) => site.folder === folder);
  return owner?.record.exportDomain ?? opened?.label ?? path.basename(folder);
}

/** All sites on this machine that are known, from the palette. */
async function chooseFromAll(ports: BundlePorts): Promise<SiteOnDisk | undefined> {
  const ofExports = ports.exports.list.flatMap(({ record }) =>
    record.siteFolder === undefined
      ? []
      : [{ folder: record.siteFolder, label: record.exportDomain }],
  );
  const sites = [...ofExports, ...ports.sites.list];
  if (sites.length === 0) return openBundle(ports, undefined);
  const chosen = await vscode.window.showQuickPick(
    [
      ...sites.map((site) => ({
        label: plainText(site.label),
        description: site.folder,
        choose: () => Promise.resolve<SiteOnDisk | undefined>(site),
      })),
      {
        label: `$(file-zip) ${translate('Another bundle…')}`,
        choose: () => openBundle(ports, undefined),
      },
      {
        label: `$(folder) ${translate('A folder with an unpacked bundle…')}`,
        choose: chooseSiteFolder,
      },
    ],
    { title: translate('Which Bundle?') },
  );
  return chosen?.choose();
}

async function chooseSiteFolder(): Promise<SiteOnDisk | undefined> {
  const [folder] =
    (await vscode.window.showOpenDialog({ canSelectFiles: false, canSelectFolders: true })) ?? [];
  return folder?.scheme === 'file'
    ? { folder: folder.fsPath, label: path.basename(folder.fsPath) }
    : undefined;
}

async function checkSite(ports: BundlePorts, site: SiteOnDisk): Promise<void> {
  const report = await withProgress(ports, translate('Checking {0}', site.label), (show, signal) =>
    checkInWorker({
      script: vscode.Uri.joinPath(ports.extensionUri, 'dist', 'checkBundle.js').fsPath,
      root: site.folder,
      signal,
      onProgress: ({ pages, totalPages }) =>
        show({
          message: translate('{0} of {1} pages', pages, totalPages),
          percent: totalPages === 0 ? 0 : (pages / totalPages) * 100,
        }),
    }),
  );
  if (!report) return;
  ports.reports.add(site, report);
  await ports.reports.show(site.folder);
}

async function saveReport(ports: BundlePorts, node: unknown): Promise<void> {
  const site = await chooseChecked(ports, node);
  const report = site && ports.reports.get(site.folder);
  if (!report) return;
  const target = await vscode.window.showSaveDialog({
    title: translate('Save Check Report as JSON'),
    defaultUri: vscode.Uri.file(
      path.join(path.dirname(site.folder), `${path.basename(site.folder)}-report.json`),
    ),
    filters: { JSON: ['json'] },
  });
  if (!target) return;
  try {
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(reportJson(report)));
  } catch (error) {
    throw new ExportError('not-writable', {
      path: target.path,
      causeCode: codeOf(error),
      cause: error,
    });
  }
  await vscode.window.showTextDocument(target);
}

/** The site of the node, else of the checked ones. One that was not checked yet is, first. */
async function chooseChecked(ports: BundlePorts, node: unknown): Promise<SiteOnDisk | undefined> {
  const { reports } = ports;
  if (node === undefined && reports.list.length > 0) {
    const items = reports.list.map((site) => ({
      label: site.label,
      description: site.folder,
      site,
    }));
    const chosen =
      items.length === 1
        ? items[0]
        : await vscode.window.showQuickPick(items, { title: translate('Which Report?') });
    return chosen?.site;
  }
  const site = await chooseSite(ports, node);
  if (site && !reports.has(site.folder)) await checkSite(ports, site);
  return site;
}

async function choosePreview(
  ports: BundlePorts,
  node: unknown,
): Promise<RunningPreview | undefined> {
  const { list } = ports.previews;
  const known = parseExportNode(node);
  if (known?.kind === 'preview') return list.find(({ id }) => id === known.id);
  if (list.length === 0) {
    void vscode.window.showInformationMessage(translate('No preview runs in this window.'));
    return undefined;
  }
  if (list.length === 1) return list[0];
  const chosen = await vscode.window.showQuickPick(
    list.map((preview) => ({
      label: plainText(preview.label),
      description: preview.url,
      preview,
    })),
    { title: translate('Which Preview?') },
  );
  return chosen?.preview;
}

async function isFolder(folder: string): Promise<boolean> {
  try {
    const { type } = await vscode.workspace.fs.stat(vscode.Uri.file(folder));
    return (type & vscode.FileType.Directory) !== 0;
  } catch {
    return false;
  }
}
