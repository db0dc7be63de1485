import { parseUrl, percentDecoded } from '../../../shared/links';
import { isLoopbackHost } from '../../../common/http/address';
import { SiteError } from './siteErrors';

/**
 * Parses the URL of a site that a person enters. Accepts `http:` too, because requests have no secrets and
 * most sites redirect to `https:`.
 * @throws {SiteError} if the text is no URL of a site.
 */
export function parseSiteUrl(text: string): URL {
  const url = parseUrl(text.trim());
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new SiteError('bad-url');
  url.hash = '';
  url.search = '';
  // Not every system resolves names such as `x.localhost`, but all resolve `localhost`.
  if (isLoopbackHost(url.hostname) && url.hostname.endsWith('.localhost'))
    url.hostname = 'localhost';
  return url;
}

/**
 * Returns the folders of a site that can have its lists of pages, as paths that end with a slash: the URL's
 * own path, the folder that it is in, and the root.
 */
export function listFolders({ pathname }: URL): string[] {
  const folders = [];
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  if (last !== '' && !last.includes('.')) folders.push(`${pathname}/`);
  folders.push(pathname.slice(0, pathname.lastIndexOf('/') + 1), '/');
  return [...new Set(folders)];
}

/**
 * Filters a list for a whole origin. Returns the URLs below the site's own path, or below the nearest
 * folder above it that has at least two. Returns all URLs if no such folder has two.
 */
export function withinScope(urls: readonly URL[], start: URL): readonly URL[] {
  let folders = listFolders(start).slice(0, -1);
  const deepest = folders.at(-1) ?? '/';
  const above = deepest.split('/').slice(1, -2);
  folders = [
    ...folders,
    ...above.map((_name, depth) => `/${above.slice(0, above.length - depth).join('/')}/`),
  ];
  for (const folder of folders) {
    const inside = urls.filter(
      ({ pathname }) => pathname.startsWith(folder) || `${pathname}/` === folder,
    );
    if (inside.length >= 2) return inside;
  }
  return urls;
}

/** Maximum characters of a name in a path. Longer names can't be part of a route. */
const MAX_NAME = 150;

/**
 * Returns the path of a page for its URL: `guide/index.md` for `/guide/`, and `guide/start.md` for both
 * `/guide/start` and `/guide/start.html`.
 */
export function pagePathOf(url: URL): string {
  const query = url.search === '' ? '' : `-${url.search.slice(1)}`;
  const names = percentDecoded(url.pathname)
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

/** Returns a name that can be part of a route, without control characters, slashes and leading dots. */
function safeName(name: string): string {
  return name
    .replace(/[\p{Cc}\\/?#%]+/gu, '-')
    .replace(/^\.+/, '_')
    .replace(/^node_modules$/, '_node_modules')
    .slice(0, MAX_NAME);
}

/**
 * Returns the URL of a page for people: `/start` for `/start.md`, `/start.html` for `/start.html.md`, and
 * `/guide/` for `/guide/index.md`.
 */
export function readersUrl(url: URL): string {
  const plain = new URL(url.href);
  plain.hash = '';
  if (/\.mdx?$/i.test(plain.pathname)) {
    plain.pathname = plain.pathname.replace(/\.mdx?$/i, '').replace(/\/index(?:\.html)?$/i, '/');
  }
  return plain.href;
}
