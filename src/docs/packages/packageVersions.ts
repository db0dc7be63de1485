/** Finds the versions of a package that are installed below a folder. Uses `node:fs`. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isIgnoredName } from '../pages/pagePath';
import type { InstalledDocs, InstalledPackage } from '../sources/installed/installedDocs';
import { MANIFEST } from '../sources/installed/packageManifest';
import { isPackageName } from '../sources/installed/packageNames';

/** Maximum number of folders that are looked at. */
const MAX_FOLDERS = 50_000;
/** Maximum number of folders in one another, not counting packages. */
const MAX_DEPTH = 12;
const MODULES = 'node_modules';
/** Folder in which pnpm has each version of each package. */
const PNPM = '.pnpm';

/**
 * Returns the versions of a package that are installed for a folder, for the projects below it and for the packages
 * that they use. The one that the folder itself gets comes first, then the newest.
 * @param name name under which code imports the package.
 * @param pause gives other work a turn, if it is time. It is called often, and can throw to end the search.
 */
export async function installedVersions(
  installed: InstalledDocs,
  name: string,
  folder: string,
  pause: () => Promise<void>,
): Promise<readonly InstalledPackage[]> {
  if (!isPackageName(name)) return [];
  const own = await installed.find(name, folder);
  const others: InstalledPackage[] = [];
  for await (const place of packagePlaces(folder, name, pause)) {
    const found = await installed.ownerOf(path.join(place, MANIFEST), folder);
    if (found) others.push({ ...found, importedAs: name });
  }
  others.sort((one, other) => compareVersions(other.version, one.version));
  const byId = new Map<string, InstalledPackage>();
  for (const each of own ? [own, ...others] : others)
    if (!byId.has(each.id)) byId.set(each.id, each);
  return [...byId.values()];
}

/** Yields the folders that can have a package, below the projects in a folder. They may not exist. */
async function* packagePlaces(
  top: string,
  name: string,
  pause: () => Promise<void>,
): AsyncGenerator<string> {
  let seen = 0;
  const folders = [{ folder: top, depth: 0 }];
  for (const { folder, depth } of folders) {
    if (++seen > MAX_FOLDERS) return;
    await pause();
    for (const below of await foldersIn(folder)) {
      if (below === MODULES) yield* placesInModules(path.join(folder, MODULES), name, pause);
      else if (!isIgnoredName(below) && depth < MAX_DEPTH)
        folders.push({ folder: path.join(folder, below), depth: depth + 1 });
    }
  }
}

/** Yields the places of a package in `node_modules`, and in those of the packages there. */
async function* placesInModules(
  modules: string,
  name: string,
  pause: () => Promise<void>,
): AsyncGenerator<string> {
  const names = await foldersIn(modules);
  if (names.length > 0) yield path.join(modules, name);
  for (const each of names) {
    await pause();
    const folder = path.join(modules, each);
    if (each === PNPM) {
      const start = `${name.replace('/', '+')}@`;
      for (const kept of await foldersIn(folder))
        if (kept.startsWith(start)) yield path.join(folder, kept, MODULES, name);
    } else if (each.startsWith('@')) {
      for (const scoped of await foldersIn(folder))
        yield* placesInModules(path.join(folder, scoped, MODULES), name, pause);
    } else if (!each.startsWith('.')) {
      yield* placesInModules(path.join(folder, MODULES), name, pause);
    }
  }
}

/** Returns the names of the folders in a folder, without links, or none if it can't be read. */
async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}

/**
 * Returns a negative number if the first version is older, by the rules of Semantic Versioning. Versions that aren't
 * by its rules are compared as far as they are.
 */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [partsOf(one), partsOf(other)];
  for (let at = 0; at < Math.max(a.numbers.length, b.numbers.length); at++) {
    const difference = (a.numbers[at] ?? 0) - (b.numbers[at] ?? 0);
    if (difference !== 0) return difference;
  }
  // A version without a pre-release is newer than its pre-releases.
  if (a.early === '' || b.early === '') return Number(b.early !== '') - Number(a.early !== '');
  return a.early.localeCompare(b.early, 'en', { numeric: true });
}

function partsOf(version: string): { readonly numbers: readonly number[]; readonly early: string } {
  const [, numbers = '', early = ''] = /^v?([\d.]*)(?:-([^+]*))?/.exec(version) ?? [];
  return { numbers: numbers.split('.').map(Number), early };
}

/** Returns whether a version is one that was asked for: `15` and `15.5` for `15.5.1`, or the version itself. */
export function isVersion(version: string, wanted: string): boolean {
  const plain = wanted.replace(/^v(?=\d)/, '').replace(/(?:\.[x*])+$/i, '');
  return version === plain || (/^[\d.]+$/.test(plain) && version.startsWith(`${plain}.`));
}
