/** Finds the page for a URL or a path that a reader, a model or another page wrote. */
import { silentLog } from '../common/ports';
import { parseUrl, percentDecoded } from '../shared/links';
import type { ReadableSet } from './askedDocs';
import {
  declaringFile,
  DOCS_PATH,
  findLinkTarget,
  followRedirects,
  type PageAddresses,
  pageFor,
} from './pages/links';
import type { DocsPage } from './pages/page';
import type { DocsIndex } from './search/docsIndex';
import { Redirects } from './siteConfig/redirects';

/** A page with the fragment of the section that was asked for. */
export interface FoundPage {
  readonly page: DocsPage;
  /** Fragment with its `#`, or empty. */
  readonly fragment: string;
}

/**
 * Returns the page for an address that `addresses` wrote, for the URL at which the page is published, or for
 * a path below the docs or from the root of the site, with or without an ending. Follows the site's redirects.
 */
export async function findPage(
  { index, source }: Pick<ReadableSet, 'index' | 'source'>,
  addresses: PageAddresses,
  address: string,
): Promise<FoundPage | undefined> {
  const given = address.trim();
  // Lists name pages as they are, so a name can have what else begins a query or a fragment, such as that of C#.
  const named = index.pageAtPath(given) ?? index.pageAtRoute(given);
  if (named) return { page: named, fragment: '' };
  const url = parseUrl(given);
  const isWebUrl = url !== undefined && /^https?:$/.test(url.protocol);
  if (isWebUrl) {
    const published = publishedPage(index, url);
    if (published) return { page: published, fragment: url.hash };
  }
  const written = partsOf(isWebUrl ? `${url.pathname}${url.hash}` : given);
  const own = addresses.read(given);
  for (const { paths, fragment } of own === undefined ? [written] : [written, partsOf(own.path)]) {
    for (const path of paths) {
      const declared = declaredAt(index, path, fragment);
      if (declared) return declared;
      const page = pageFor(index, path) ?? findLinkTarget(index, '', `/${path}`)?.page;
      if (page) return { page, fragment };
    }
  }
  const { redirects } = await source.readConfig(silentLog);
  const from = { page: undefined, ...written };
  const led = followRedirects(index, new Redirects(redirects), '', from);
  if (led === undefined || typeof led === 'string' || !led.page) return undefined;
  return { page: led.page, fragment: led.fragment };
}

/**
 * Returns the section that describes what a line of a file declares, for addresses such as `index.d.ts#L12`, or what
 * it exports from another package, for those such as `index.d.ts#Client`.
 */
function declaredAt(index: DocsIndex, file: string, fragment: string): FoundPage | undefined {
  const named = percentDecoded(fragment.slice(1));
  if (named === '') return undefined;
  for (const page of index.pages()) {
    for (const { place, slug } of page.sections) {
      if (!place) continue;
      const isThere =
        place.package === undefined
          ? place.file === file && `L${place.line}` === named
          : slug === named && declaringFile(page) === file;
      if (isThere) return { page, fragment: slug && `#${slug}` };
    }
  }
  return undefined;
}

/** Returns the paths that a written one can mean, and its fragment with the `#`, or an empty one. */
function partsOf(written: string): { readonly paths: string[]; readonly fragment: string } {
  const [, path = '', fragment = ''] = /^([^?#]*)(?:\?[^#]*)?(#.*)?$/s.exec(written) ?? [];
  return { paths: pathsOf(path), fragment };
}

/** Returns the paths below the docs that a written path can mean, the most likely first. */
function pathsOf(written: string): string[] {
  const decoded = percentDecoded(written);
  const withoutSlash = (path: string): string => path.replace(/^(?:\.?\/)+/, '');
  const isOfService = decoded.startsWith(DOCS_PATH);
  const path = withoutSlash(decoded);
  // A folder of the docs can have the same name as the path below which this service shows pages.
  return isOfService ? [path, withoutSlash(decoded.slice(DOCS_PATH.length))] : [path];
}

function publishedPage(index: DocsIndex, url: URL): DocsPage | undefined {
  const wanted = plainUrl(url);
  for (const page of index.pages()) {
    const published = page.canonicalUrl === undefined ? undefined : parseUrl(page.canonicalUrl);
    if (published && plainUrl(published) === wanted) return page;
  }
  return undefined;
}

/** Returns the part of a URL that identifies a page: without scheme, `www.`, query, fragment and ending. */
function plainUrl({ host, pathname }: URL): string {
  const path = percentDecoded(pathname)
    .replace(/\/+$/, '')
    .replace(/\.(?:html?|mdx?)$/i, '')
    .replace(/\/index$/i, '');
  return `${host.replace(/^www\./, '')}${path}`;
}

/** Maximum number of pages that may be meant by an address that leads to none. */
const MAX_SIMILAR = 5;

/** Returns the pages whose route or title shares words with an address, the most similar first. */
export function similarPages(index: DocsIndex, address: string): DocsPage[] {
  const wanted = wordsOf(percentDecoded(address.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, '')));
  const scored: { readonly page: DocsPage; readonly score: number }[] = [];
  for (const page of index.pages()) {
    const words = new Set(wordsOf(`${page.route} ${page.title}`));
    const shared = wanted.filter((word) => words.has(word)).length;
    if (shared > 0) scored.push({ page, score: shared / (wanted.length + words.size - shared) });
  }
  return scored
    .sort((one, other) => other.score - one.score)
    .slice(0, MAX_SIMILAR)
    .map(({ page }) => page);
}

function wordsOf(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [])];
}
