import * as v from 'valibot';
import { Parser } from 'htmlparser2';
import { parsedJson } from '../../common/text/strings';
import { parseUrl } from '../../shared/links';
import { parsedAs } from '../../shared/schemas';
import type { FoundAddress } from './findings';

const images = v.fallback(v.array(v.fallback(v.object({ src: v.string() }), { src: '' })), []);

const manifestSchema = v.object({
  start_url: v.fallback(v.optional(v.string()), undefined),
  icons: images,
  screenshots: images,
  shortcuts: v.fallback(v.array(v.fallback(v.object({ url: v.string() }), { url: '' })), []),
});

/** Returns the addresses of a web app manifest, or none for another file. */
export function manifestAddresses(text: string): FoundAddress[] {
  const manifest = parsedAs(manifestSchema, parsedJson(text));
  if (!manifest) return [];
  const { start_url: startUrl, icons, screenshots, shortcuts } = manifest;
  return [
    ...(startUrl === undefined ? [] : [foundIn(text, 'link', startUrl)]),
    ...[...icons, ...screenshots].map(({ src }) => foundIn(text, 'image', src)),
    ...shortcuts.map(({ url }) => foundIn(text, 'link', url)),
  ];
}

/** Returns an address at the first equal string, since JSON.parse gives no positions. */
function foundIn(text: string, kind: FoundAddress['kind'], address: string): FoundAddress {
  const at = Math.max(0, text.indexOf(JSON.stringify(address)));
  return { kind, address, start: at, end: at + address.length + 2 };
}

/** One `<loc>` of a sitemap. `url` is absent if it isn't an absolute URL. */
interface SitemapLocation {
  readonly url?: URL;
  readonly found: FoundAddress;
}

/** Returns the pages of a sitemap or the sitemaps of an index, or none for other XML. */
export function sitemapLocations(text: string): SitemapLocation[] {
  const locations: SitemapLocation[] = [];
  let isSitemap = false;
  /** Names of the open elements. Elements such as `image:loc` have another parent or name. */
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

/** Returns the paths of the locations, with `/` at the start. */
export function sitemapPaths(locations: readonly SitemapLocation[]): string[] {
  return locations.flatMap(({ url }) => (url ? [url.pathname] : []));
}

function locationOf(address: string, start: number, end: number): SitemapLocation {
  const found: FoundAddress = { kind: 'sitemap', address, start, end };
  const url = /^https?:\/\//i.test(address) ? parseUrl(address) : undefined;
  return url ? { url, found } : { found };
}
