import { parseUrl } from '../../shared/links';
import { isLoopbackHost } from '../../common/http/address';
import { SiteError } from './siteErrors';

/**
 * Parses the URL of a site as a person enters it. `http:` is accepted too: no secret is sent, and
 * most sites redirect to `https:`.
 * @throws {SiteError} if it is no URL of a site.
 */
export function parseSiteUrl(text: string): URL {
  const url = parseUrl(text.trim());
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new SiteError('bad-url');
  url.hash = '';
  url.search = '';
  // The system's resolver need not know the names of this machine.
  if (isLoopbackHost(url.hostname) && url.hostname.endsWith('.localhost'))
    url.hostname = 'localhost';
  return url;
}

/**
 * Returns the folders of a site in which its lists of pages are looked for, as paths with a slash at
 * the end: the URL's own, the one it is in, and the root.
 */
export function listFolders({ pathname }: URL): string[] {
  const folders = [];
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  if (last !== '' && !last.includes('.')) folders.push(`${pathname}/`);
  folders.push(pathname.slice(0, pathname.lastIndexOf('/') + 1), '/');
  return [...new Set(folders)];
}

/**
 * Returns the URLs below a site's own path, of a list for the whole origin. A URL that is only one
 * page's gives the pages next to it.
 */
export function withinScope<Item>(
  items: readonly Item[],
  urlOf: (item: Item) => URL | undefined,
  start: URL,
): readonly Item[] {
  let folders = listFolders(start).slice(0, -1);
  const deepest = folders.at(-1) ?? '/';
  const above = deepest.split('/').slice(1, -2);
  folders = [
    ...folders,
    ...above.map((_name, depth) => `/${above.slice(0, above.length - depth).join('/')}/`),
  ];
  for (const folder of folders) {
    const inside = items.filter((item) => {
      const path = urlOf(item)?.pathname;
      return path === undefined || path.startsWith(folder) || `${path}/` === folder;
    });
    if (inside.length >= 2) return inside;
  }
  return items;
}

/** Characters of the longest name in a path, so that it can be a route. */
const MAX_NAME = 150;

/**
 * Returns the path of a page by its URL: `/guide/` is `guide/index.md`, and `/guide/start` and
 * `/guide/start.html` are `guide/start.md`.
 */
export function pagePathOf(url: URL): string {
  const query = url.search === '' ? '' : `-${url.search.slice(1)}`;
  const names = decoded(url.pathname)
    .split('/')
    .slice(1)
    .map((name) => safeName(name));
  const last = names.pop() ?? '';
  const plain = last.replace(/\.(?:html?|mdx?|markdown|txt)$/i, '').replace(/\.html?$/i, '');
  return [
    ...names.filter((name) => name !== ''),
    `${safeName((plain === '' ? 'index' : plain) + query)}.md`,
  ].join('/');
}

/** Returns a path for a page that has a title and no URL. */
export function pathOfTitle(title: string): string {
  const name = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return `${safeName(name === '' ? 'index' : name)}.md`;
}

function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

/** Returns a name that can be part of a route: without control characters, slashes and dots in front. */
function safeName(name: string): string {
  return name
    .replace(/[\p{Cc}\\/?#%]+/gu, '-')
    .replace(/^\.+/, '_')
    .replace(/^node_modules$/, '_node_modules')
    .slice(0, MAX_NAME);
}

/**
 * Returns the URL at which people read a page: `/start.md` is `/start`, `/start.html.md` is
 * `/start.html`, and `/guide/index.md` is `/guide/`.
 */
export function readersUrl(url: URL): string {
  const plain = new URL(url.href);
  plain.hash = '';
  if (/\.mdx?$/i.test(plain.pathname)) {
    plain.pathname = plain.pathname.replace(/\.mdx?$/i, '').replace(/\/index(?:\.html)?$/i, '/');
  }
  return plain.href;
}
