/** Finds the docs that an argument names. Uses `node:fs` and the user's cache folder. */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { systemClock } from '../common/clock';
import { encodePath } from '../common/http/encodePath';
import type { DocsSource } from '../docs/engine';
import type { PageAddresses } from '../docs/pages/links';
import { routeOf } from '../docs/pages/pagePath';
import { folderKind } from '../docs/sources/folderKind';
import type { DocsOfOneSet } from '../service/server/servedDocs';
import { isOldSet, SiteCache } from '../docs/sources/site/siteCache';
import { parseSiteAddress } from '../service/sets/siteAddress';
import { type BundleFolderPorts, unpackForNow } from './bundle/bundleFolder';
import { CliError, exitCodes } from './context';
import { statNamed } from './namedFile';
import { cacheFolder, makeCacheFolder, shownPathWithSlashes } from './places';
import { percentDecoded } from '../shared/links';

/** Docs on this machine, ready to be opened. */
export interface FoundDocs {
  readonly docs: DocsOfOneSet;
  /**
   * Names pages that no site publishes by their files if the docs are a folder, otherwise by the name of
   * the docs and the path.
   */
  readonly addresses: PageAddresses;
  /**
   * Time of the last fetch of a site, if the cached pages are too old to use without a new fetch.
   */
  readonly oldSince?: number;
  /** True if the folder of the docs is deleted at the end. */
  readonly isTemporary?: true;
  /** Deletes the folder that was unpacked for the docs. */
  readonly close: () => Promise<void>;
}

/**
 * Finds what `--docs` names: a folder of Markdown, an unpacked bundle, the archive of one, or the URL
 * of a public site.
 * @throws {CliError} for docs that don't exist or can't be read.
 * @throws {ExportError} for an archive that can't be unpacked.
 */
export async function findDocs(named: string, ports: BundleFolderPorts): Promise<FoundDocs> {
  const { cwd, t } = ports;
  if (isUrl(named)) return siteDocs(named, ports);
  const place = path.resolve(cwd, named);
  const label = path.basename(place);
  const stats = await statNamed(place, named, t);
  if (!stats.isDirectory()) {
    if (/\.(?:mdx?|markdown|html?)$/i.test(place)) {
      throw new CliError(exitCodes.notFound, t('{0} is a single page. Name its folder.', named));
    }
    return unpackedDocs(place, label, ports);
  }
  return {
    docs: { kind: await folderKind(place), folder: place, label },
    close: keep,
    addresses: fileAddresses({ label, root: place, cwd }),
  };
}

/**
 * Refuses what {@link findDocs} can't find, before a command spends time or credits on other docs.
 * @throws {CliError} for a path where nothing is, and for a URL that no site can have.
 */
export async function refuseMissingDocs(
  named: string,
  { cwd, t }: Pick<BundleFolderPorts, 'cwd' | 't'>,
): Promise<void> {
  if (isUrl(named)) siteAddress(named, t);
  else await statNamed(path.resolve(cwd, named), named, t);
}

const isUrl = (named: string): boolean => /^https?:\/\//i.test(named);

/** Returns the names of pages. `root` is the folder of the pages, if people know it. */
export function fileAddresses(docs: {
  readonly label: string;
  readonly root?: string;
  readonly cwd?: string;
}): PageAddresses {
  const { label, root, cwd = '' } = docs;
  const start = `${label}/`;
  return {
    write: (href) => {
      const page = href.replace(/^\/(?:docs\/)?/, '');
      return (root === undefined ? undefined : pageFile(page, root, cwd)) ?? start + page;
    },
    // Without a folder, what is written here is a name that opens nothing.
    linksToSite: root === undefined,
    read: (address) => {
      // A URL names a page of another site.
      if (/^[a-z][a-z\d+.-]+:/i.test(address)) return undefined;
      const [file = '', fragment] = address.split('#');
      const inside =
        root === undefined ? '..' : path.relative(root, path.resolve(cwd, percentDecoded(file)));
      if (!inside.startsWith('..') && !path.isAbsolute(inside)) {
        const page = encodePath(inside.split(path.sep).join('/'));
        return { path: fragment === undefined ? page : `${page}#${fragment}` };
      }
      return address.startsWith(start) ? { path: address.slice(start.length) } : undefined;
    },
  };
}

/** Returns found docs as the engine opens them. */
export function sourceOf(docs: DocsOfOneSet): DocsSource {
  return docs.kind === 'site'
    ? { kind: 'site', url: docs.url, cache: docs.folder }
    : { kind: docs.kind, folder: docs.folder };
}

/** Endings of pages, in the order in which one is chosen if a page has several files. */
const pageEndings = ['.md', '.mdx', '.markdown', '.html', '.htm', ''];

/**
 * Returns the file of a page, or undefined if there is none. The path is relative to the current
 * folder if the file is below it. The fragment stays, because editors and Markdown viewers
 * understand it.
 */
export function pageFile(page: string, root: string, cwd: string): string | undefined {
  const [encoded = '', fragment = ''] = page.split('#');
  const route = percentDecoded(encoded).replace(/\/$/, '');
  if (route.split('/').includes('..')) return undefined;
  const place = path.join(root, route);
  const name = path.basename(place);
  const found = [
    ...(route === '' ? [] : filesIn(path.dirname(place), (file) => routeOf(file) === name)),
    ...filesIn(place, (file) => routeOf(file) === ''),
  ];
  const rank = (file: string): number => pageEndings.indexOf(path.extname(file).toLowerCase());
  const [file] = found.sort((one, other) => rank(one) - rank(other));
  if (file === undefined) return undefined;
  // The service uses this fragment for the beginning of a page.
  return (
    encodeURI(shownPathWithSlashes(file, cwd)) +
    (fragment === '' || fragment === '_top' ? '' : `#${fragment}`)
  );
}

/** Returns the paths of the files in a folder whose names a condition accepts, `index` before `README`. */
function filesIn(folder: string, accepts: (name: string) => boolean): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory() && accepts(entry.name))
      .map(({ name }) => path.join(folder, name))
      .sort((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1));
  } catch {
    return [];
  }
}

const keep = (): Promise<void> => Promise.resolve();

function siteAddress(
  named: string,
  t: BundleFolderPorts['t'],
): { readonly url: string; readonly label: string } {
  const address = parseSiteAddress(named);
  if (address.ok) return address;
  throw new CliError(exitCodes.usage, t(address.message, address.detail ?? ''));
}

/** Returns the docs of a public site. Its pages stay in the cache for the next command. */
async function siteDocs(named: string, { env, log, t }: BundleFolderPorts): Promise<FoundDocs> {
  const { url, label } = siteAddress(named, t);
  const name = createHash('sha256').update(url).digest('hex').slice(0, 24);
  const folder = path.join(cacheFolder(env), 'sites', name);
  await makeCacheFolder(folder, env, t);
  const kept = await new SiteCache(folder, systemClock, log).load(url);
  return {
    docs: { kind: 'site', url, folder, label },
    close: keep,
    addresses: fileAddresses({ label }),
    oldSince: kept && isOldSet(kept, systemClock.now()) ? kept.fetchedAt : undefined,
  };
}

async function unpackedDocs(
  archive: string,
  label: string,
  ports: BundleFolderPorts,
): Promise<FoundDocs> {
  const { folder, close } = await unpackForNow(archive, ports);
  return {
    docs: { kind: 'bundle', folder, label },
    close,
    addresses: fileAddresses({ label }),
    isTemporary: true,
  };
}
