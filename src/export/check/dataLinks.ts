import { Parser } from 'htmlparser2';
import { parseUrl } from '../../common/parseUrl';
import type { FoundAddress } from './foundAddress';

/** One `<loc>` of a sitemap; `url` is absent where it is no absolute address. */
export interface SitemapLocation {
  readonly url?: URL;
  readonly found: FoundAddress;
}

/** The pages of a sitemap, or the sitemaps of a sitemap index; none of any other XML. */
export function readSitemap(text: string): SitemapLocation[] {
  const locations: SitemapLocation[] = [];
  let isSitemap = false;
  /** Path of open elements: `image:loc` and the like have another parent or name. */
  const open: string[] = [];
  let current: { start: number; text: string } | undefined;
  const parser: Parser = new Parser(
    {
      onopentag: (name) => {
        if (open.length === 0) isSitemap = name === 'urlset' || name === 'sitemapindex';
        open.push(name);
        if (isSitemap && name === 'loc' && open.length === 3) {
          current = { start: parser.endIndex + 1, text: '' };
        }
      },
      ontext: (piece) => {
        if (current) current.text += piece;
      },
      onclosetag: () => {
        if (current && open.at(-1) === 'loc') {
          locations.push(locationOf(current.text.trim(), current.start, parser.startIndex));
          current = undefined;
        }
        open.pop();
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
  return locations;
}

/** Their paths, with `/` at the start. */
export function sitemapPaths(locations: readonly SitemapLocation[]): string[] {
  return locations.flatMap(({ url }) => (url ? [url.pathname] : []));
}

function locationOf(address: string, start: number, end: number): SitemapLocation {
  const found: FoundAddress = { kind: 'sitemap', address, start, end };
  const url = /^https?:\/\//i.test(address) ? parseUrl(address) : undefined;
  return url ? { url, found } : { found };
}
