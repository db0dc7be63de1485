/** The commands about a bundle: its link, its archive and its unpacked site. */
import { stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { BundleLink } from '../../staticExport/bundle';
import { downloadBundle, pathForDownload } from '../../staticExport/bundleDownload';
import { ExportError } from '../../staticExport/exportErrors';
import type { ExportView } from '../../staticExport/exports';
import { sizeText } from '../../staticExport/sizeText';
import { exportCommands } from '../exportContributions';
import { translate } from '../notifications';
import type { BundleHandlers, BundlePorts } from './bundlePorts';
import { deploymentHandlers } from './deploymentCommands';
import { durationText } from './exportTexts';
import { showFeatures } from './featureCommands';
import { offer } from './offer';
import { openBundle } from './openBundle';
import { pickCompleted } from './pickCompleted';
import { siteHandlers } from './siteCommands';
import { withProgress } from './withProgress';

const LAST_FOLDER = 'exportDownloadFolder';

/** The handlers of every command that starts from a completed export or an archive on disk. */
export function bundleHandlers(ports: BundlePorts): BundleHandlers {
  return {
    [exportCommands.getBundleLink]: async (node) => {
      const view = await pickCompleted(ports, node);
      if (view)
        await copyLink(ports, view, (signal) => ports.exports.bundleLink(view.record.id, signal));
    },
    [exportCommands.renewLink]: async (node) => {
      const view = await pickCompleted(ports, node);
      if (view) {
        const source = ports.exports.linkSource(view.record.id);
        await copyLink(ports, view, (signal) => source.renew(signal));
      }
    },
    [exportCommands.downloadBundle]: async (node) => {
      const view = await pickCompleted(ports, node);
      if (view) await download(ports, view);
    },
    [exportCommands.openBundle]: async (node) => {
      await openBundle(ports, node);
    },
    ...siteHandlers(ports),
    ...deploymentHandlers(ports),
    [exportCommands.showFeatures]: showFeatures,
  };
}

async function copyLink(
  ports: BundlePorts,
  view: ExportView,
  get: (signal: AbortSignal) => Promise<BundleLink>,
): Promise<void> {
  const title = translate('Getting the bundle’s link of {0}…', view.record.exportDomain);
  const link = await withProgress(ports, title, (_report, signal) => get(signal));
  if (!link) return;
  await vscode.env.clipboard.writeText(link.url);
  const insert = translate('Insert Deployment Configuration');
  const download = translate('Download Bundle');
  const text =
    link.expiresAt === undefined
      ? translate('The bundle’s link is on the clipboard. The service did not say when it expires.')
      : translate(
          'The bundle’s link is on the clipboard. It expires in {0}.',
          durationText(link.expiresAt - ports.clock.now(), translate),
        );
  const node = { kind: 'export', id: view.record.id };
  offer(text, {
    [download]: () => vscode.commands.executeCommand(exportCommands.downloadBundle, node),
    [insert]: () => vscode.commands.executeCommand(exportCommands.insertDeployment, node),
  });
}

async function download(ports: BundlePorts, view: ExportView): Promise<void> {
  const { id, exportDomain } = view.record;
  const folder = ports.memento.get<unknown>(LAST_FOLDER);
  const target = await vscode.window.showSaveDialog({
    title: translate('Download the Bundle of {0}', exportDomain),
    defaultUri: vscode.Uri.file(
      pathForDownload(
        typeof folder === 'string' ? folder : os.homedir(),
        exportDomain,
        new Date(ports.clock.now()),
      ),
    ),
    filters: { [translate('Bundles')]: ['gz', 'tar', 'zip'] },
  });
  if (!target) return;
  if (target.scheme !== 'file') {
    throw new ExportError('not-writable', { path: target.path, causeCode: target.scheme });
  }
  const isThere = await stat(target.fsPath).then(
    () => true,
    () => false,
  );
  const archive = await withProgress(
    ports,
    translate('Downloading the bundle of {0}', exportDomain),
    (report, signal) =>
      downloadBundle({
        link: ports.exports.linkSource(id),
        target: target.fsPath,
        // The dialog asked before it gave the name of a file that is there.
        overwrite: isThere,
        fetch: ports.fetch,
        clock: ports.clock,
        log: ports.log,
        timeouts: ports.timeouts(),
        signal,
        hashScript: vscode.Uri.joinPath(ports.extensionUri, 'dist', 'hashArchive.js').fsPath,
        onProgress: ({ receivedBytes, totalBytes, bytesPerSecond, state }) => {
          const received = sizeText(receivedBytes);
          const amount =
            totalBytes === undefined
              ? received
              : translate('{0} of {1}', received, sizeText(totalBytes));
          const message =
            state === 'receiving'
              ? translate('{0}, {1}/s', amount, sizeText(bytesPerSecond))
              : state === 'renewing'
                ? translate('{0}, renewing the link', amount)
                : translate('{0}, waiting for the store', amount);
          const percent =
            totalBytes === undefined || totalBytes === 0
              ? undefined
              : (receivedBytes / totalBytes) * 100;
          report({ message, ...(percent === undefined ? {} : { percent }) });
        },
      }),
  );
  if (!archive) return;
  await ports.memento.update(LAST_FOLDER, path.dirname(target.fsPath));
  await ports.exports.noteFiles(id, { archive });
  const open = translate('Open Bundle');
  const copy = translate('Copy SHA-256');
  offer(
    translate(
      '{0} is downloaded: {1}, SHA-256 {2}',
      path.basename(archive.path),
      sizeText(archive.sizeBytes),
      archive.sha256,
    ),
    {
      [open]: () =>
        vscode.commands.executeCommand(exportCommands.openBundle, { kind: 'export', id }),
      [copy]: () => vscode.env.clipboard.writeText(archive.sha256),
    },
  );
}
