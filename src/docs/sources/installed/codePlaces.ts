/** Places of code in a workspace, from which its packages are found. Uses `node:fs`. */
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCodeOrName } from '../../../common/errorCode';
import type { Log } from '../../../common/ports';
import { readPlainFile } from '../docsFolder';
import type { PackageProblem } from './installedDocs';
import {
  MANIFEST,
  MAX_MANIFEST_BYTES,
  type PackageManifest,
  readManifest,
} from './packageManifest';
import { type PackageLookup, PackageLookups, PNP_FILE } from './plugAndPlay';

/** The place of some code, for finding its packages. */
export interface CodePlace {
  /** Real path of the folder with the code. */
  readonly folder: string;
  /** Manifests of the projects that the code is part of, the nearest first. */
  readonly projects: readonly PackageManifest[];
  readonly lookup: PackageLookup | undefined;
  readonly problems: readonly PackageProblem[];
}

export interface CodePlacesPorts {
  /** Absolute path of the workspace folder. Projects above it aren't read. */
  readonly root: string;
  /** Whether the user trusts the workspace, so that its code may run. */
  readonly isTrusted: () => boolean;
  readonly log: Log;
}

/** Finds the projects that code is part of, and the lookup of its package manager. */
export class CodePlaces {
  readonly #ports: CodePlacesPorts;
  readonly #lookups = new PackageLookups();

  constructor(ports: CodePlacesPorts) {
    this.#ports = ports;
  }

  /** Returns the place of a file or folder, which may not exist yet. */
  async at(from: string): Promise<CodePlace> {
    const root = await realpath(this.#ports.root).catch(() => this.#ports.root);
    const folder = await realFolderOf(from);
    const projects: PackageManifest[] = [];
    const problems: PackageProblem[] = [];
    const isInside = isWithin(folder, root);
    for (const parent of parentsOf(folder)) {
      const manifest = await manifestIn(parent);
      if (manifest === 'broken')
        problems.push({ kind: 'broken-manifest', name: path.join(parent, MANIFEST) });
      else if (manifest) projects.push(manifest);
      // Code outside the workspace, such as that of a package, belongs to one project.
      if (parent === root || (!isInside && projects.length > 0)) break;
    }
    const { lookup, problem } = await this.#lookupOf(folder, root);
    if (problem) problems.push(problem);
    return { folder, projects, lookup, problems };
  }

  /** Loads the nearest `.pnp.cjs`, if the workspace is trusted and has it. */
  async #lookupOf(
    folder: string,
    root: string,
  ): Promise<{ readonly lookup?: PackageLookup; readonly problem?: PackageProblem }> {
    for (const parent of parentsOf(folder)) {
      const file = path.join(parent, PNP_FILE);
      const stats = await stat(file).catch(() => undefined);
      if (!stats?.isFile()) continue;
      // Trust is for the workspace, not for the folders above it.
      if (!isWithin(parent, root)) return { problem: { kind: 'outside-workspace', name: file } };
      if (!this.#ports.isTrusted()) return { problem: { kind: 'needs-trust', name: file } };
      try {
        const lookup = await this.#lookups.load(file);
        return (await lookup.owns(folder)) ? { lookup } : {};
      } catch (error) {
        this.#ports.log.warn(`Can't load ${file}: ${errorCodeOrName(error)}`);
        return { problem: { kind: 'broken-lookup', name: file } };
      }
    }
    return {};
  }
}

/** Reads the manifest in a folder on disk. Returns undefined if there is none that can be read. */
export async function manifestIn(folder: string): Promise<PackageManifest | 'broken' | undefined> {
  const bytes = await readPlainFile(path.join(folder, MANIFEST), MAX_MANIFEST_BYTES);
  return bytes && (readManifest(bytes) ?? 'broken');
}

/** Returns whether a folder is another one or below it. */
export function isWithin(folder: string, root: string): boolean {
  const relative = path.relative(root, folder);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/**
 * Yields the real paths at which Node looks for a package, the nearest first, or the error for which there is none.
 * @param name that passes `isPackageName`.
 */
export async function* installedFolders(
  name: string,
  from: string,
): AsyncGenerator<{ readonly folder?: string; readonly error?: unknown }> {
  for (const parent of parentsOf(from)) {
    if (path.basename(parent) === 'node_modules') continue;
    try {
      yield { folder: await realpath(path.join(parent, 'node_modules', name)) };
    } catch (error) {
      yield { error };
    }
  }
}

/** Yields a folder and all folders above it. */
export function* parentsOf(folder: string): Generator<string> {
  for (let parent = folder; ; parent = path.dirname(parent)) {
    yield parent;
    if (path.dirname(parent) === parent) return;
  }
}

/**
 * Returns the real path of a folder, or of the folder of a file. The file may not exist yet, or be in an archive,
 * whose path stays as it is.
 */
export async function realFolderOf(from: string): Promise<string> {
  for (const parent of parentsOf(path.resolve(from))) {
    let real;
    let isFolder;
    try {
      real = await realpath(parent);
      isFolder = (await stat(real)).isDirectory();
    } catch {
      continue;
    }
    const rest = path.relative(parent, path.resolve(from));
    if (rest === '') return isFolder ? real : path.dirname(real);
    return isFolder ? path.join(real, path.dirname(rest)) : path.dirname(path.resolve(from));
  }
  return path.dirname(path.resolve(from));
}
