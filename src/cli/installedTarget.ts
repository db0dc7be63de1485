/** Opens the docs of the packages that are installed for a folder. Uses `node:fs`. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { systemClock } from '../common/clock';
import type { PackageSets } from '../common/localDocsApi';
import { InstalledEngine } from '../docs/installedEngine';
import type { PageAddresses } from '../docs/pages/links';
import { isWithin, manifestIn, parentsOf } from '../docs/sources/installed/codePlaces';
import type { InstalledPackage } from '../docs/sources/installed/installedDocs';
import { InstalledPackages } from '../docs/sources/installed/installedPackages';
import type { FlagValues } from '../service/server/serviceOptions';
import { CliError, exitCodes, type CliContext } from './context';
import { fileAddresses } from './localDocs';
import { type TargetPorts, writerOf } from './localTarget';
import { namedFolder } from './namedFile';
import { cacheFolder, shownPathWithSlashes } from './places';

/** Installed packages that options name. */
interface NamedPackages {
  readonly folder: string;
  /** Name of the only package to ask, with or without a version. */
  readonly package: string | undefined;
}

interface InstalledTarget {
  readonly label: string;
  readonly engine: InstalledEngine;
  /** Whether a model writes the replies. */
  readonly hasWriter: boolean;
  readonly close: () => Promise<void>;
}

/** Longest wait of an agent's question for packages that are read for the first time. */
const AGENT_PATIENCE_MS = 5000;
/** Longest wait of a single question, whose process ends with the reply. */
const SINGLE_PATIENCE_MS = 10 * 60_000;

/**
 * Opens the packages of a folder. A command that asks for long reads them in the background, and a single question
 * reads those that it is about.
 * @throws {CliError} for a folder that doesn't exist or has no packages, and a package that isn't installed.
 */
export async function openInstalledTarget(
  { folder: named, package: wanted }: NamedPackages,
  values: FlagValues,
  ports: TargetPorts,
): Promise<InstalledTarget> {
  const { env, log, signal, t, isFollowed = false } = ports;
  const cwd = await realpath(ports.cwd).catch(() => ports.cwd);
  const folder = await projectOf(await namedFolder(named, { cwd, t }));
  const label = path.basename(folder);
  const writer = writerOf(values, ports);
  const engine = new InstalledEngine({
    installed: new InstalledPackages({
      // Packages of a monorepo can be found by what is at its top, where the command was started.
      root: isWithin(folder, cwd) ? cwd : folder,
      // Who names a folder trusts it, as for every tool that runs in it.
      isTrusted: () => true,
      clock: systemClock,
      log,
    }),
    folder,
    addresses: (packages) => packageAddresses(packages, cwd),
    readsAhead: isFollowed,
    writer,
    log,
    vectorsFolder: path.join(cacheFolder(env), 'vectors'),
    indexFolder: path.join(cacheFolder(env), 'index'),
    patienceMs: isFollowed ? AGENT_PATIENCE_MS : SINGLE_PATIENCE_MS,
  });
  const close = (): Promise<void> => engine.close();
  const hasWriter = writer?.model !== undefined;
  try {
    if (wanted !== undefined) {
      const found = await engine.narrowTo(wanted);
      if (found.kind !== 'found') throw notInstalled(wanted, found, label, t);
      const [id = wanted] = found.sets;
      return { label: id, engine, hasWriter, close };
    }
    const { packages, problems } = await engine.list(signal);
    for (const line of problems) ports.onNotice?.(line);
    if (packages.length === 0) {
      throw new CliError(
        exitCodes.notFound,
        t(
          'No packages are installed for {0}. Install them there, or name the folder of a project that uses packages.',
          label,
        ),
      );
    }
    ports.onProgress(t('Reading the docs of the installed packages…'));
    return { label: t('Packages of {0}', label), engine, hasWriter, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Returns the folder of the project that a folder belongs to, as package managers find it, or the folder itself. */
async function projectOf(folder: string): Promise<string> {
  for (const parent of parentsOf(folder)) {
    if ((await manifestIn(parent)) !== undefined) return parent;
  }
  return folder;
}

function notInstalled(
  wanted: string,
  { otherVersion }: Extract<PackageSets, { kind: 'not-installed' }>,
  folder: string,
  t: CliContext['t'],
): CliError {
  const sentence =
    otherVersion === undefined
      ? t(
          'The package {0} is not installed for {1}. Install it there, or name the folder that uses it with --installed.',
          wanted,
          folder,
        )
      : t(
          '{0} is not installed for {1}, which has version {2}. Leave out the version, or install this one.',
          wanted,
          folder,
          otherVersion,
        );
  return new CliError(exitCodes.notFound, sentence);
}

/** Returns addresses that name the files of packages. */
function packageAddresses(
  packages: ReadonlyMap<string, InstalledPackage>,
  cwd: string,
): PageAddresses {
  const inPackage = ({ id, folder }: InstalledPackage): PageAddresses =>
    fileAddresses({ label: id, root: folder, cwd });
  return {
    write: (href, set) => {
      const found = set === undefined ? undefined : packages.get(set);
      return found ? inPackage(found).write(href, set) : href;
    },
    writeFile: (file, fragment, set) => {
      const found = set === undefined ? undefined : packages.get(set);
      const place = found ? shownPathWithSlashes(path.join(found.folder, file), cwd) : file;
      return `${encodeURI(place)}${fragment === '' ? '' : `#${fragment}`}`;
    },
    read: (address) => {
      // The innermost folder has the file: packages can be installed within packages.
      const inner = [...packages.values()].sort((a, b) => b.folder.length - a.folder.length);
      for (const one of inner) {
        const found = inPackage(one).read(address);
        if (found) return { path: found.path, set: one.id };
      }
      return undefined;
    },
  };
}
