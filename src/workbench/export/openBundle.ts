import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { unpackBundle } from '../../staticExport/archive/unpack';
import { removeStaleUnpacking } from '../../staticExport/archive/unpackTarget';
import { ExportError } from '../../staticExport/exportErrors';
import type { ExportView } from '../../staticExport/exports';
import { sizeText } from '../../staticExport/sizeText';
import { exportCommands } from '../exportContributions';
import { translate } from '../notifications';
import type { BundlePorts } from './bundlePorts';
import { offer } from './offer';
import { withProgress } from './withProgress';

/** A site on disk: where its root is, and what it is called. */
export interface SiteOnDisk {
  readonly folder: string;
  readonly label: string;
}

/**
 * Unpacks an export's archive, or one that the person chooses, into a new folder.
 * @returns undefined if the person left.
 */
export async function openBundle(
  ports: BundlePorts,
  node: unknown,
): Promise<SiteOnDisk | undefined> {
  const source = await chooseArchive(ports, node);
  const target = source && (await chooseFolder(source.archive));
  if (!source || target === undefined) return undefined;
  // What an earlier window left when it died in the middle (faults.md E9).
  await removeStaleUnpacking(path.dirname(target), ports.clock);
  const unpacked = await withProgress(
    ports,
    translate('Opening {0}', path.basename(source.archive)),
    (report, signal) =>
      unpackBundle({
        archive: source.archive,
        target,
        newId: ports.newId,
        signal,
        onProgress: ({ files, totalFiles, bytes }) =>
          report({
            message: translate('{0} of {1} files, {2}', files, totalFiles, sizeText(bytes)),
          }),
      }),
  );
  if (!unpacked) return undefined;
  const { siteRoot, files, bytes } = unpacked;
  if (source.exportId === undefined) {
    await ports.sites.add({ folder: siteRoot, label: path.basename(target) });
  } else {
    await ports.exports.noteFiles(source.exportId, { siteFolder: siteRoot });
  }
  const siteNode =
    source.exportId === undefined
      ? { kind: 'site', folder: siteRoot }
      : { kind: 'export', id: source.exportId };
  offer(translate('{0} is unpacked: {1}.', path.basename(target), unpackedText(files, bytes)), {
    [translate('Check Bundle')]: () =>
      vscode.commands.executeCommand(exportCommands.checkBundle, siteNode),
    [translate('Preview Bundle')]: () =>
      vscode.commands.executeCommand(exportCommands.previewBundle, siteNode),
    [translate('Open Folder')]: () =>
      vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(siteRoot), {
        forceNewWindow: true,
      }),
  });
  return { folder: siteRoot, label: source.label };
}

function unpackedText(files: number, bytes: number): string {
  const size = sizeText(bytes);
  return files === 1 ? translate('1 file, {0}', size) : translate('{0} files, {1}', files, size);
}

interface ChosenArchive {
  readonly archive: string;
  readonly label: string;
  readonly exportId?: string;
}

async function chooseArchive(
  ports: BundlePorts,
  node: unknown,
): Promise<ChosenArchive | undefined> {
  const downloaded = ports.exports.list.filter(({ record }) => record.archive !== undefined);
  if (node === undefined && downloaded.length === 0) return chooseFile();
  if (node === undefined) {
    const other = { label: `$(file-zip) ${translate('Another archive on this machine…')}` };
    const items = downloaded.map((view) => ({
      label: view.record.exportDomain,
      description: path.basename(view.record.archive?.path ?? ''),
      view,
    }));
    const chosen = await vscode.window.showQuickPick<vscode.QuickPickItem & { view?: ExportView }>(
      [...items, other],
      { title: translate('Open Bundle') },
    );
    if (!chosen) return undefined;
    return chosen.view ? ofExport(chosen.view) : chooseFile();
  }
  const view = await ports.pickExport(
    node,
    ({ record }) => record.archive !== undefined,
    translate('No bundle is downloaded yet.'),
  );
  return view && ofExport(view);
}

function ofExport({ record }: ExportView): ChosenArchive | undefined {
  return (
    record.archive && {
      archive: record.archive.path,
      label: record.exportDomain,
      exportId: record.id,
    }
  );
}

async function chooseFile(): Promise<ChosenArchive | undefined> {
  const [file] =
    (await vscode.window.showOpenDialog({
      title: translate('Open Bundle'),
      openLabel: translate('Open'),
      filters: { [translate('Bundles')]: ['gz', 'tgz', 'tar', 'zip'] },
    })) ?? [];
  if (!file) return undefined;
  if (file.scheme !== 'file') {
    throw new ExportError('not-readable', { path: file.path, causeCode: file.scheme });
  }
  return { archive: file.fsPath, label: siteName(file.fsPath) };
}

const siteName = (archive: string): string =>
  path.basename(archive).replace(/(\.tar)?\.(gz|tgz|tar|zip)$/i, '') || 'site';

/** A folder that is not there yet, beside the archive or where the person says. */
async function chooseFolder(archive: string): Promise<string | undefined> {
  const beside = await newFolder(path.dirname(archive), siteName(archive));
  const chosen = await vscode.window.showQuickPick(
    [
      {
        label: translate('Beside the archive'),
        detail: beside,
        isOther: false,
      },
      { label: translate('In another folder…'), isOther: true },
    ],
    { title: translate('Unpack the Bundle into a New Folder') },
  );
  if (!chosen) return undefined;
  if (!chosen.isOther) return beside;
  const [parent] =
    (await vscode.window.showOpenDialog({
      title: translate('Unpack the Bundle in'),
      openLabel: translate('Unpack Here'),
      canSelectFiles: false,
      canSelectFolders: true,
    })) ?? [];
  return parent?.scheme === 'file' ? newFolder(parent.fsPath, siteName(archive)) : undefined;
}

/** The first of `name`, `name-2`, `name-3`… that is not there. */
async function newFolder(parent: string, name: string): Promise<string> {
  for (let number = 1; ; number++) {
    const folder = path.join(parent, number === 1 ? name : `${name}-${number}`);
    try {
      await stat(folder);
    } catch {
      return folder;
    }
  }
}
