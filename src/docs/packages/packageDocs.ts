/**
 * Reads of a version of a package all that is compared: the paths of its API, and its pages with their sections. Uses `node:fs`.
 */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Clock, Log } from '../../common/ports';
import { routeOf } from '../pages/pagePath';
import { parsePage } from '../pages/page';
import { readPackageApi } from '../pages/types/apiModules';
import { apiNames } from '../pages/types/apiNames';
import { findEntryPoints } from '../pages/types/entryPoints';
import { InstalledPackages } from '../sources/installed/installedPackages';
import { MANIFEST } from '../sources/installed/packageManifest';
import { findPackagePages } from '../sources/installed/packagePages';
import { typesFiles } from '../sources/installed/typesFiles';
import { apiPaths } from './apiPaths';
import type { ApiSide } from './diffApi';

export interface PackageDocs {
  readonly name: string;
  readonly version: string;
  readonly api: ApiSide;
  /** Modules that the package declares, by the names under which code imports them. */
  readonly modules: readonly string[];
  readonly pages: readonly PageOutline[];
  /** Problems of the package and its files, each in one sentence. */
  readonly problems: readonly string[];
}

export interface PageOutline {
  /** Path below the package, with forward slashes. */
  readonly path: string;
  /** Path without the ending, by which the page is found in another version. */
  readonly route: string;
  readonly title: string;
  /** Headings from the top of the page, by the heading of the section itself. */
  readonly sections: ReadonlyMap<string, string>;
}

/** A package on this machine. */
export interface PackagePlace {
  /** Absolute path of its folder. In an archive of Yarn, the path goes on below the archive's file. */
  readonly folder: string;
  /** Workspace whose package manager finds what the package depends on. The folder itself if there is none. */
  readonly root: string;
}

interface ReadingPorts {
  readonly clock: Clock;
  readonly log: Log;
  /** Gives other work a turn, if it is time. It is called often, and can throw to end the reading. */
  readonly pause: () => Promise<void>;
}

/**
 * Reads a version of a package. The caller has asked whether the user trusts the workspace.
 * @returns undefined if the folder isn't that of a package.
 * @throws if the package's folder can't be read.
 */
export async function readPackageDocs(
  { folder, root }: PackagePlace,
  { clock, log, pause }: ReadingPorts,
): Promise<PackageDocs | undefined> {
  const installed = new InstalledPackages({ root, isTrusted: () => true, clock, log });
  const found = await installed.ownerOf(path.join(folder, MANIFEST));
  // A folder without a manifest belongs to a package above it.
  const real = await realpath(folder).catch(() => folder);
  if (found?.folder !== real) return undefined;
  const files = await installed.filesOf(found);
  const types = typesFiles(installed, found, files);
  const { entries, aliases } = await findEntryPoints(types);
  const moduleOf = new Map(entries.map((entry) => [entry.file, entry.name]));
  const sameAs = new Map(aliases.map(({ name, file }) => [name, moduleOf.get(file) ?? name]));
  const api = await readPackageApi(types, pause);
  const paths = apiPaths(apiNames(api), sameAs);
  const modules = new Set(Array.from(paths.values(), ({ module }) => module));
  // A module can export nothing, as one that is only imported for what it does.
  for (const { name } of [...entries, ...aliases]) modules.add(name);
  const wholly = api.modules.filter(({ wholePackages }) => wholePackages.length > 0);
  const incomplete = new Set(wholly.map(({ name }) => name));
  for (const [alias, module] of sameAs) if (incomplete.has(module)) incomplete.add(alias);
  const listed = await findPackagePages(files, found, log, new AbortController().signal);
  const pages: PageOutline[] = [];
  for (const file of listed.paths) {
    const page = await files.readPage(file, log);
    if (page) pages.push(outlineOf(file, page.source));
    await pause();
  }
  return {
    name: api.name === '' ? found.name : api.name,
    version: found.version,
    api: { paths, incomplete },
    modules: [...modules],
    pages,
    problems: api.problems,
  };
}

function outlineOf(file: string, source: string): PageOutline {
  const { title, sections } = parsePage(file, source);
  const headings = new Map<string, string>();
  for (const { heading, ancestors } of sections)
    if (heading !== '' && !headings.has(heading))
      headings.set(heading, [...ancestors, heading].join(' › '));
  return {
    path: file,
    // The route of a readme is that of its folder.
    route: routeOf(file.toLowerCase()),
    title,
    sections: headings,
  };
}
