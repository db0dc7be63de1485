/** The versions of a site's docs, and which of them is for the version of a package that is installed. */
import { parseUrl } from '../shared/links';

/** The version of a package that a site's docs are about, as it is installed for the code in front of the reader. */
interface InstalledVersion {
  /** Name of the package. */
  readonly name: string;
  readonly version: string;
}

/** Returns the name for people: `next@15.5.2`. */
export function nameWithVersion({ name, version }: InstalledVersion): string {
  return `${name}@${version}`;
}

/** An installed version, and the versions of the docs that are about its package. */
export interface SiteVersion {
  readonly installed: InstalledVersion;
  /** Names of the versions, as the site's filter takes them. */
  readonly versions: readonly string[];
}

/** A page that a reply cites, as the service sent it. */
export interface CitedPage {
  readonly url: string;
  readonly providerMetadata?: Readonly<Record<string, unknown>>;
}

/** Matches names of versions that are numbers: `15`, `v15`, `15.x`, `v15.5.2`, `version-15`. */
const numbered = /^(?:v|version|release)?[\s._-]?(\d{1,9}(?:\.\d{1,9}){0,5})(?:\.[x*]){0,3}$/i;
/** Longest name of a version that is read. */
const MAX_NAME = 100;

/** Returns the numbers of a version's name, or undefined for a name such as `latest`. */
function numbersOf(name: string): readonly number[] | undefined {
  const [, numbers] = numbered.exec(name.slice(0, MAX_NAME).trim()) ?? [];
  return numbers?.split('.').map(Number);
}

/** Returns the numbers of a package's version. Those of a prerelease are its release's. */
function numbersOfPackage(version: string): readonly number[] {
  const [numbers = ''] = /^\d+(?:\.\d+)*/.exec(version.slice(0, MAX_NAME)) ?? [];
  return numbers === '' ? [] : numbers.split('.').map(Number);
}

/** Returns whether the docs of a version are for a package's version: all numbers of their name are the same. */
function isVersionOf(name: string, installed: string): boolean {
  const [docs, own] = [numbersOf(name), numbersOfPackage(installed)];
  return docs !== undefined && docs.every((number, place) => number === own[place]);
}

/**
 * Returns the version of the docs that fits an installed version best: the one that has most of its numbers in the
 * name, so `15.5` before `v15` for 15.5.2. Returns undefined if none fits.
 */
export function versionFor({ installed, versions }: SiteVersion): string | undefined {
  const own = installed.version.toLowerCase();
  const exact = versions.find((name) => name.toLowerCase().replace(/^v(?=\d)/, '') === own);
  if (exact !== undefined) return exact;
  return versions
    .filter((name) => isVersionOf(name, installed.version))
    .reduce<string | undefined>(
      (best, name) =>
        best !== undefined && (numbersOf(best)?.length ?? 0) >= (numbersOf(name)?.length ?? 0)
          ? best
          : name,
      undefined,
    );
}

interface VersionPorts {
  /** Returns the installed version of a package, or undefined if it isn't installed. */
  readonly find: (name: string) => Promise<string | undefined>;
  /** Returns the versions that the service says its docs have. Asked only if no others are given. */
  readonly offered: () => Promise<readonly string[]>;
}

/**
 * Finds the first of some packages that is installed, and the versions of the docs.
 * @returns undefined if none is installed.
 */
export async function installedSiteVersion(
  about: { readonly packages: readonly string[]; readonly versions: readonly string[] },
  { find, offered }: VersionPorts,
): Promise<SiteVersion | undefined> {
  for (const name of about.packages) {
    const version = await find(name);
    if (version === undefined) continue;
    const versions = about.versions.length > 0 ? about.versions : await offered();
    return { installed: { name, version }, versions };
  }
  return undefined;
}

/**
 * Returns the versions of the docs, other than the installed one, that the pages of a reply are from. Pages that
 * name no version of these docs say nothing, and neither do versions without numbers.
 */
export function otherVersionsOf(
  pages: readonly CitedPage[],
  { installed, versions }: SiteVersion,
): readonly string[] {
  const named = pages.flatMap((page) => versionOfPage(page, versions) ?? []);
  return [...new Set(named)].filter(
    (name) => numbersOf(name) !== undefined && !isVersionOf(name, installed.version),
  );
}

/** Returns the name of a version that the docs have, if a package of another version is installed. */
export function otherVersionNamed(
  name: string | undefined,
  { installed, versions }: SiteVersion,
): string | undefined {
  if (name === undefined || !versions.includes(name) || numbersOf(name) === undefined)
    return undefined;
  return isVersionOf(name, installed.version) ? undefined : name;
}

/** Returns the version of the docs that the metadata or the path of a page names. */
function versionOfPage(
  { url, providerMetadata }: CitedPage,
  versions: readonly string[],
): string | undefined {
  const providers: unknown[] = Object.values(providerMetadata ?? {});
  for (const provider of providers) {
    if (typeof provider !== 'object' || provider === null || !('version' in provider)) continue;
    const { version } = provider;
    const listed = typeof version === 'string' ? listedAs(version, versions) : undefined;
    if (listed !== undefined) return listed;
  }
  // A path alone gets a placeholder as its host.
  const { pathname = '' } = parseUrl(url) ?? parseUrl(url, 'path://-/') ?? {};
  for (const segment of pathname.split('/')) {
    const listed = listedAs(segment, versions);
    if (listed !== undefined) return listed;
  }
  return undefined;
}

/** Returns the listed version that a name means: `v15` for `15`. */
function listedAs(name: string, versions: readonly string[]): string | undefined {
  const wanted = name.toLowerCase();
  const same = versions.find((version) => version.toLowerCase() === wanted);
  if (same !== undefined || wanted === '') return same;
  const numbers = numbersOf(name)?.join('.');
  return numbers === undefined
    ? undefined
    : versions.find((version) => numbersOf(version)?.join('.') === numbers);
}
