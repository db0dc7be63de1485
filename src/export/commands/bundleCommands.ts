/** The commands about a bundle: its link, its archive and its unpacked site. Uses `node:fs`. */
import os from 'node:os';
import path from 'node:path';
import { exportCommands, type ExportCommandId } from '../../common/contributions';
import type { RequestTimeouts } from '../../common/http/guardedRequest';
import { exists } from '../../common/onDisk';
import type { Clock, Fetch, Log, Memento, NewId } from '../../common/ports';
import { numberText, sizeText } from '../../shared/units';
import { siteNameOf } from '../archive/archiveFile';
import { unpackBundle } from '../archive/unpack';
import { removeStaleUnpacking } from '../archive/unpackTarget';
import { downloadBundle, pathForDownload } from '../download/bundleDownload';
import type { BundleLink } from '../download/bundleLink';
import type { Exports, ExportView } from '../job/exports';
import type { DownloadedArchive } from '../job/record';
import { nodeOf, pickCompleted, pickExport, type ExportNode } from './pickExport';
import type { OpenedSite, OpenedSites } from './storedSites';
import { downloadText, newLinkText, unpackedText } from './texts';
import { offer, type Choice, type WindowUi } from '../../common/windowUi';

/** Services that the bundle commands use. */
export interface BundlePorts {
  readonly exports: Exports;
  readonly sites: Pick<OpenedSites, 'list' | 'add'>;
  readonly memento: Memento;
  readonly ui: WindowUi;
  readonly timeouts: () => RequestTimeouts;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly newId: NewId;
  /** Random number from 0 to 1, which varies the waits. */
  readonly random: () => number;
  readonly log: Log;
  /** Absolute path of the built `hashWorker.ts`. */
  readonly hashScript?: string;
}

/**
 * Runs a command with the argument that the tree or a caller gave it. From the menu of several
 * selected nodes, `selection` has all of them.
 */
type ExportHandler = (argument?: unknown, selection?: unknown) => Promise<void>;

export type ExportHandlers = Readonly<Partial<Record<ExportCommandId, ExportHandler>>>;

const LAST_FOLDER = 'exportDownloadFolder';

export function bundleHandlers(ports: BundlePorts): ExportHandlers {
  return {
    [exportCommands.getBundleLink]: async (node) => {
      const view = await pickCompleted(ports, node);
      if (!view) return;
      await copyLink(ports, view, (signal) => ports.exports.bundleLink(view.record.id, signal));
    },
    [exportCommands.renewLink]: async (node) => {
      const view = await pickCompleted(ports, node);
      if (!view) return;
      const source = ports.exports.linkSource(view.record.id);
      await copyLink(ports, view, (signal) => source.renew(signal));
    },
    [exportCommands.downloadBundle]: async (node) => {
      const view = await pickCompleted(ports, node);
      if (view) await download(ports, view);
    },
    [exportCommands.openBundle]: async (node) => {
      await openBundle(ports, node);
    },
  };
}

async function copyLink(
  { ui, clock }: BundlePorts,
  view: ExportView,
  get: (signal: AbortSignal) => Promise<BundleLink>,
): Promise<void> {
  const { translate: t } = ui;
  const title = t('Getting the bundle link for {0}', view.record.exportDomain);
  const link = await ui.progress(title, (_report, signal) => get(signal));
  if (!link) return;
  await ui.copy(link.url);
  const text = `${t('Bundle link copied.')} ${newLinkText(link, clock.now(), t)}`;
  const node = nodeOf(view);
  offer(ui, text, {
    [t('Download Bundle')]: () => ui.runCommand(exportCommands.downloadBundle, node),
    [t('Insert Deployment Configuration')]: () =>
      ui.runCommand(exportCommands.insertDeployment, node),
  });
}

async function download(ports: BundlePorts, view: ExportView): Promise<void> {
  const { ui } = ports;
  const { translate: t } = ui;
  const archive = await downloadArchive(ports, view);
  if (!archive) return;
  const name = path.basename(archive.path);
  const text = t(
    'Downloaded {0} ({1}, SHA-256 {2}).',
    name,
    sizeText(archive.sizeBytes),
    archive.sha256,
  );
  offer(ui, text, {
    [t('Open Bundle')]: () => ui.runCommand(exportCommands.openBundle, nodeOf(view)),
    [t('Copy SHA-256')]: () => ui.copy(archive.sha256),
  });
}

/**
 * Downloads an export's bundle to where the user chooses, and saves the place with the export.
 * @returns undefined if the user canceled.
 */
export async function downloadArchive(
  ports: BundlePorts,
  view: ExportView,
): Promise<DownloadedArchive | undefined> {
  const { exports, memento, ui, clock, fetch, log, random, timeouts, hashScript } = ports;
  const { translate: t } = ui;
  const { id, exportDomain } = view.record;
  const lastFolder = memento.get(LAST_FOLDER);
  const folder = typeof lastFolder === 'string' ? lastFolder : os.homedir();
  const target = await ui.chooseSaveFile({
    title: t('Download the Bundle of {0}', exportDomain),
    defaultPath: pathForDownload(folder, exportDomain, new Date(clock.now())),
    filters: { [t('Bundles')]: ['gz', 'tar', 'zip'] },
  });
  if (target === undefined) return undefined;
  const archive = await ui.progress(
    t('Downloading the bundle of {0}', exportDomain),
    async (report, signal) =>
      downloadBundle({
        link: exports.linkSource(id),
        target,
        // The dialog has asked whether to replace an existing file.
        overwrite: await exists(target),
        fetch,
        clock,
        log,
        random,
        signal,
        hashScript,
        timeouts: timeouts(),
        onProgress: (progress) => report(downloadText(progress, t)),
      }),
  );
  if (!archive) return undefined;
  await memento.update(LAST_FOLDER, path.dirname(target));
  await exports.noteFiles(id, { archive });
  return archive;
}

/**
 * Unpacks an export's archive, or one that the user chooses, into a new folder.
 * @returns undefined if the user canceled.
 */
export async function openBundle(
  ports: BundlePorts,
  node: unknown,
): Promise<OpenedSite | undefined> {
  const { ui } = ports;
  const { translate: t } = ui;
  const source = await chooseArchive(ports, node);
  const unpacked = source && (await unpackArchive(ports, source));
  if (!source || !unpacked) return undefined;
  const { folder, target } = unpacked;
  const { exportId: id } = source;
  const siteNode: ExportNode = id === undefined ? { kind: 'site', folder } : { kind: 'export', id };
  const name = path.basename(target);
  offer(ui, unpackedText(unpacked, name, t), {
    [t('Check Bundle')]: () => ui.runCommand(exportCommands.checkBundle, siteNode),
    [t('Preview Bundle')]: () => ui.runCommand(exportCommands.previewBundle, siteNode),
    [t('Ask This Bundle')]: () => ui.runCommand(exportCommands.askBundle, siteNode),
    [t('Open Folder')]: () => ui.openFolder(folder),
  });
  return { folder, label: unpacked.label };
}

/** A site that was unpacked just now. */
interface UnpackedSite extends OpenedSite {
  /** Absolute path of the new folder, which holds the site. */
  readonly target: string;
  readonly files: number;
  readonly bytes: number;
}

/**
 * Unpacks an archive where the user chooses, and saves the place with its export or in the list of
 * opened sites.
 * @returns undefined if the user canceled.
 */
export async function unpackArchive(
  { exports, sites, ui, clock, newId }: BundlePorts,
  source: ChosenArchive,
): Promise<UnpackedSite | undefined> {
  const { translate: t } = ui;
  const target = await chooseTarget(ui, source.archive);
  if (target === undefined) return undefined;
  // A window that died while it unpacked leaves a temporary folder behind (faults.md E9).
  await removeStaleUnpacking(path.dirname(target), clock);
  const unpacked = await ui.progress(
    t('Opening {0}', path.basename(source.archive)),
    (report, signal) =>
      unpackBundle({
        archive: source.archive,
        target,
        newId,
        signal,
        onProgress: ({ files, totalFiles, bytes }) =>
          report({
            message: t(
              '{0} of {1} files, {2}',
              numberText(files),
              numberText(totalFiles),
              sizeText(bytes),
            ),
          }),
      }),
  );
  if (!unpacked) return undefined;
  const { siteRoot: folder, files, bytes } = unpacked;
  const { exportId: id, label } = source;
  if (id === undefined) await sites.add({ folder, label: path.basename(target) });
  else await exports.noteFiles(id, { siteFolder: folder });
  return { folder, label, target, files, bytes };
}

/** An archive to unpack, and the export that it belongs to, if any. */
export interface ChosenArchive {
  /** Absolute path. */
  readonly archive: string;
  readonly label: string;
  readonly exportId?: string;
}

async function chooseArchive(
  ports: BundlePorts,
  node: unknown,
): Promise<ChosenArchive | undefined> {
  const { exports, ui } = ports;
  const { translate: t } = ui;
  if (node !== undefined) {
    const view = await pickExport(ports, node, {
      fits: ({ record }) => record.archive !== undefined,
      none: t('No bundle has been downloaded yet.'),
    });
    return view && archiveOf(view);
  }
  const downloaded = exports.list.flatMap((view) => archiveOf(view) ?? []);
  if (downloaded.length === 0) return chooseArchiveFile(ui);
  const chosen = await ui.choose<ChosenArchive | 'file'>(t('Open Bundle'), [
    ...downloaded.map((archive) => ({
      label: archive.label,
      description: path.basename(archive.archive),
      value: archive,
    })),
    { icon: 'file-zip', label: t('Another archive on this machine…'), value: 'file' },
  ]);
  return chosen === 'file' ? chooseArchiveFile(ui) : chosen;
}

export function archiveOf({ record }: ExportView): ChosenArchive | undefined {
  const { archive, exportDomain: label, id: exportId } = record;
  return archive && { archive: archive.path, label, exportId };
}

/** Asks for an archive on this machine. */
export async function chooseArchiveFile(ui: WindowUi): Promise<ChosenArchive | undefined> {
  const { translate: t } = ui;
  const archive = await ui.chooseFile({
    title: t('Open Bundle'),
    button: t('Open'),
    filters: { [t('Bundles')]: ['gz', 'tgz', 'tar', 'zip'] },
  });
  return archive === undefined ? undefined : { archive, label: siteNameOf(archive) };
}

/** Asks for the folder to unpack into and returns its path. The folder does not exist yet. */
async function chooseTarget(ui: WindowUi, archive: string): Promise<string | undefined> {
  const { translate: t } = ui;
  const name = siteNameOf(archive);
  const beside = await newFolder(path.dirname(archive), name);
  const choices: Choice<'beside' | 'other'>[] = [
    { label: t('Next to the archive'), detail: beside, value: 'beside' },
    { label: t('In another folder…'), value: 'other' },
  ];
  const chosen = await ui.choose(t('Unpack the Bundle into a New Folder'), choices);
  if (chosen !== 'other') return chosen && beside;
  const parent = await ui.chooseFolder({
    title: t('Unpack the Bundle In'),
    button: t('Unpack Here'),
  });
  return parent === undefined ? undefined : newFolder(parent, name);
}

/** Returns the first of `name`, `name-2`, `name-3`… that does not exist. */
async function newFolder(parent: string, name: string): Promise<string> {
  for (let number = 1; ; number++) {
    const folder = path.join(parent, number === 1 ? name : `${name}-${number}`);
    if (!(await exists(folder))) return folder;
  }
}
