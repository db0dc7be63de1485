/** Finds the package that an argument names. Uses `node:fs`. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { systemClock } from '../../common/clock';
import { isFolder } from '../../common/onDisk';
import { silentLog } from '../../common/ports';
import type { PackagePlace } from '../../docs/packages/packageDocs';
import { compareVersions, installedVersions, isVersion } from '../../docs/packages/packageVersions';
import type { InstalledPackage } from '../../docs/sources/installed/installedDocs';
import { InstalledPackages } from '../../docs/sources/installed/installedPackages';
import { isPackageName } from '../../docs/sources/installed/packageNames';
import { unpackForNow } from '../bundle/bundleFolder';
import { CliError, exitCodes, type CliContext } from '../context';
import { statNamed } from '../namedFile';

/** A package that an argument names. */
export interface NamedPackage {
  readonly place: PackagePlace;
  /** Name under which code imports the package, if it is installed. */
  readonly importedAs: string | undefined;
  /** Deletes what was unpacked for this command. */
  readonly close: () => Promise<void>;
}

type PackageArgumentPorts = Pick<CliContext, 'cwd' | 'env' | 'signal' | 't'> & {
  /** Absolute path of the folder with the installed versions. */
  readonly folder: string;
  readonly pause: () => Promise<void>;
  readonly onProgress: (sentence: string) => void;
};

/**
 * Finds the package that an argument names: a path that begins with a dot or a slash, a tarball, or the name of an
 * installed package with or without a version.
 * @throws {CliError} if it isn't on this machine, with how to get it.
 * @throws {ExportError} for a tarball that can't be unpacked.
 */
export async function openPackage(
  named: string,
  ports: PackageArgumentPorts,
): Promise<NamedPackage> {
  const isArchive = /\.(?:tgz|tar\.gz|tar)$/i.test(named);
  if (isArchive || /^\.{1,2}(?:[\\/]|$)/.test(named) || path.isAbsolute(named))
    return openPath(named, ports);
  return findInstalled(named, ports);
}

async function openPath(named: string, ports: PackageArgumentPorts): Promise<NamedPackage> {
  const { cwd, t } = ports;
  const place = path.resolve(cwd, named);
  const stats = await statNamed(place, named, t);
  if (stats.isDirectory()) {
    const folder = await realpath(place);
    return {
      place: { folder, root: folder },
      importedAs: undefined,
      close: () => Promise.resolve(),
    };
  }
  const { folder, close } = await unpackForNow(place, { ...ports, log: silentLog });
  return { place: { folder, root: folder }, importedAs: undefined, close };
}

async function findInstalled(
  named: string,
  { cwd, folder, pause, t }: PackageArgumentPorts,
): Promise<NamedPackage> {
  const [, name = named, wanted] = /^(@?[^@]+)(?:@(.*))?$/.exec(named) ?? [];
  if (!isPackageName(name)) {
    throw new CliError(
      exitCodes.usage,
      t('“{0}” is not the name of a package. Write ./ before the path of a folder.', named),
    );
  }
  const installed = new InstalledPackages({
    root: folder,
    // Who names a folder trusts it, as for every tool that runs in it.
    isTrusted: () => true,
    clock: systemClock,
    log: silentLog,
  });
  const versions = await installedVersions(installed, name, folder, pause);
  const found =
    wanted === undefined
      ? versions[0]
      : versions
          .filter(({ version }) => isVersion(version, wanted))
          // The one that the folder itself gets comes first, but the newest one is meant.
          .reduce<InstalledPackage | undefined>(
            (best, each) =>
              best && compareVersions(best.version, each.version) >= 0 ? best : each,
            undefined,
          );
  if (!found) {
    const isOfFolder = versions.length === 0 && (await isFolder(path.resolve(cwd, named)));
    throw isOfFolder ? meansFolder(named, t) : notHere(named, name, versions, t);
  }
  return {
    place: { folder: found.folder, root: folder },
    importedAs: found.importedAs,
    close: () => Promise.resolve(),
  };
}

/** Returns the error for the name of a folder. `npm pack` would get a package of the same name, which is a stranger's. */
function meansFolder(named: string, t: CliContext['t']): CliError {
  return new CliError(
    exitCodes.notFound,
    t('{0} is not installed for this folder. To compare the folder, write ./{0}.', named),
  );
}

function notHere(
  named: string,
  name: string,
  versions: readonly InstalledPackage[],
  t: CliContext['t'],
): CliError {
  const get = `npm pack ${named}`;
  const sentence =
    versions.length === 0
      ? t(
          '{0} is not installed for this folder. Name the folder that uses it with --in, or get it with “{1}” and name the file.',
          name,
          get,
        )
      : t(
          '{0} is not on this machine. Installed are: {1}. Get it with “{2}” and name the file.',
          named,
          versions.map(({ version }) => version).join(', '),
          get,
        );
  return new CliError(exitCodes.notFound, sentence);
}
