import { escapeHtml } from '../pageHtml';
import { canonicalUrl } from './pageTemplate';
import type { SitePaths } from './sitePaths';
import type { SitePage } from './siteSurvey';

/** Addresses that one sitemap may hold, by its specification. */
const MAX_ADDRESSES = 50_000;
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** `sitemap.xml` and, for a site that is too large for one, those that it names. */
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
