/** Finds the bundle that an argument names. Uses `node:fs`, and the cache folder of the user. */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { systemClock } from '../../common/clock';
import { isProcessAlive } from '../../common/isProcessAlive';
import { silentLog, type Log } from '../../common/ports';
import { OwnFolders } from '../../service/sets/ownFolders';
import type { CommandReporter } from '../commandReporter';
import type { CliContext } from '../context';
import { statNamed } from '../namedFile';
import { cacheFolder, inCache, makeCacheFolder } from '../places';

/** An unpacked bundle. */
export interface BundleFolder {
  /** Absolute path of the site's root. */
  readonly folder: string;
  /** Name of the archive or folder, without its path. */
  readonly label: string;
  /** Deletes the folder that was unpacked for this command. A folder that the user named stays. */
  readonly close: () => Promise<void>;
}

/** Ports of {@link unpackForNow}. */
export type BundleFolderPorts = Pick<CliContext, 'cwd' | 'env' | 'signal' | 't'> & {
  readonly log: Log;
  /** Called with a sentence while an archive is unpacked. */
  readonly onProgress: (sentence: string) => void;
};

/**
 * Opens a bundle: a folder as it is, and an archive by unpacking it until {@link BundleFolder.close}.
 * @throws {CliError} if nothing has this name.
 * @throws {ExportError} for an archive that can't be unpacked.
 */
export async function openBundleFolder(
  named: string,
  reporter: Pick<CommandReporter, 'note'>,
  context: Pick<CliContext, 'cwd' | 'env' | 'signal' | 't'>,
  log: Log = silentLog,
): Promise<BundleFolder> {
  const place = path.resolve(context.cwd, named);
  const stats = await statNamed(place, named, context.t);
  if (!stats.isDirectory()) {
    const onProgress = (sentence: string): void => reporter.note(sentence);
    return unpackForNow(place, { ...context, log, onProgress });
  }
  return { folder: place, label: path.basename(place), close: () => Promise.resolve() };
}

/** Makes the folder for unpacked archives. @throws {CliError} if the cache can't be written. */
export async function bundlesFolder(env: CliContext['env'], t: CliContext['t']): Promise<string> {
  const root = path.join(cacheFolder(env), 'bundles');
  await makeCacheFolder(root, env, t);
  return root;
}

/**
 * Unpacks an archive into the cache folder.
 * @param archive absolute path.
 * @throws as {@link openBundleFolder}.
 */
export async function unpackForNow(
  archive: string,
  ports: BundleFolderPorts,
): Promise<BundleFolder> {
  const { env, log, onProgress, signal, t } = ports;
  const label = path.basename(archive);
  const root = await bundlesFolder(env, t);
  const folders = new OwnFolders({
    root,
    log,
    clock: systemClock,
    newId: randomUUID,
    isAlive: isProcessAlive,
    processId: process.pid,
  });
  // A command that was killed may have left an unpacked folder behind.
  await folders.sweep([]);
  const { unpackBundle } = await import('../../export/archive/unpack');
  const own = await inCache(() => folders.create(), env, t);
  const close = async (): Promise<void> => {
    await folders.release(own);
    await folders.remove(own);
  };
  try {
    onProgress(t('Unpacking {0}…', label));
    const { siteRoot } = await unpackBundle({
      archive,
      target: folders.pathOf(own, 'site'),
      newId: randomUUID,
      signal,
      onProgress: ({ files, totalFiles }) =>
        onProgress(t('Unpacking {0}: {1} of {2} files…', label, files, totalFiles)),
    });
    return { folder: siteRoot, label, close };
  } catch (error) {
    await close();
    throw error;
  }
}
