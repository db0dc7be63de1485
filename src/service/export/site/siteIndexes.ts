import { encodePath } from '../../../common/http/encodePath';
import {
  type Edition,
  type NavFolder,
  pageSequence,
  type SiteNavigation,
} from './navigation/navigationModel';
import { canonicalUrl } from './pageTemplate';
import type { SitePaths } from './sitePaths';
import { ASSETS_FOLDER, type SitePage } from './siteSurvey';
import { escapeHtml } from '../../../docs/pages/pageHtml';

/** Maximum number of URLs in one sitemap, from the sitemap specification. */
const MAX_ADDRESSES = 50_000;
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** Yields `sitemap.xml` and, for a large site, the sitemaps that it lists. */
export function* sitemapFiles(
  pages: readonly SitePage[],
  siteHost: string,
  paths: SitePaths,
): Generator<{ path: string; content: string }> {
  const addresses = pages.map(({ file }) => escapeHtml(canonicalUrl(siteHost, file)));
  if (addresses.length <= MAX_ADDRESSES) {
    yield { path: 'sitemap.xml', content: urlSet(addresses) };
    return;
  }
  const parts: string[] = [];
  for (let start = 0; start < addresses.length; start += MAX_ADDRESSES) {
    const path = paths.file('', `sitemap-${parts.length + 1}.xml`);
    parts.push(`<sitemap><loc>${escapeHtml(`https://${siteHost}/${path}`)}</loc></sitemap>\n`);
    yield { path, content: urlSet(addresses.slice(start, start + MAX_ADDRESSES)) };
  }
  const content = `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex ${namespace}>\n${parts.join('')}</sitemapindex>\n`;
  yield { path: 'sitemap.xml', content };
}

function urlSet(addresses: readonly string[]): string {
  const urls = addresses.map((address) => `<url><loc>${address}</loc></url>\n`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${namespace}>\n${urls}</urlset>\n`;
}

export function robotsFile(siteHost: string): string {
  return `User-agent: *\nAllow: /\n\nSitemap: https://${siteHost}/sitemap.xml\n`;
}

interface SearchIndexFile {
  readonly path: string;
  content(): string;
}

/** Maximum number of headings of one page in the search index. */
const MAX_HEADINGS = 200;

/**
 * Returns the search index files, one for each edition, with titles, descriptions and headings.
 * They are scripts rather than JSON because pages opened from disk cannot load other files.
 */
export function searchIndexFiles(
  { editions }: SiteNavigation,
  paths: SitePaths,
): Map<Edition, SearchIndexFile> {
  return new Map(
    editions.map((edition) => {
      const name = ['search', edition.version, edition.language]
        .filter((part) => part !== undefined)
        .join('-');
      const path = paths.file(ASSETS_FOLDER, `${name}.js`);
      return [edition, { path, content: () => indexScript(edition.root) }];
    }),
  );
}

/** Returns the search index as a script, which `siteScript` reads. */
function indexScript(root: NavFolder): string {
  const entries = pageSequence(root).map(({ page }) => entryOf(page));
  return `window.siteSearchIndex = [\n${entries.join(',\n')}\n];\n`;
}

function entryOf({ file, title, description, headings }: SitePage): string {
  const found = headings
    .filter(({ id, text, level }) => id !== '' && text !== '' && level > 1)
    .slice(0, MAX_HEADINGS);
  return JSON.stringify([
    encodePath(file),
    title,
    description,
    ...found.flatMap(({ id, text }) => [text, encodeURIComponent(id)]),
  ]);
}
