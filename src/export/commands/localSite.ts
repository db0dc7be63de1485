/** Brings a chosen bundle to this machine, as an unpacked site. Uses `node:fs`. */
import { isFile, isFolder } from '../../common/onDisk';
import type { ChosenBundle } from './bundleChoice';
import { archiveOf, downloadArchive, unpackArchive, type BundlePorts } from './bundleCommands';
import type { OpenedSite } from './storedSites';

/**
 * Returns the unpacked site of a bundle. Downloads and unpacks it first if that is needed, each of
 * which asks the user where to.
 * @returns undefined if the user canceled.
 */
export async function localSite(
  ports: BundlePorts,
  bundle: ChosenBundle,
): Promise<OpenedSite | undefined> {
  if (bundle.kind === 'site') return bundle.site;
  if (bundle.kind === 'archive') return unpackArchive(ports, bundle.source);
  const { view } = bundle;
  const { id, siteFolder: folder, exportDomain: label } = view.record;
  if (folder !== undefined && (await isFolder(folder))) return { folder, label };
  const known = archiveOf(view);
  if (known && (await isFile(known.archive))) return unpackArchive(ports, known);
  const downloaded = await downloadArchive(ports, view);
  return downloaded && unpackArchive(ports, { archive: downloaded.path, label, exportId: id });
}
