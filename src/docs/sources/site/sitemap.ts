import { Parser } from 'htmlparser2';

interface Sitemap {
  /** URLs of pages. */
  readonly pages: readonly string[];
  /** URLs of further sitemaps. */
  readonly sitemaps: readonly string[];
}

/** Number of characters of XML to parse at a time, so that other requests can run in between. */
const PIECE = 256 * 1024;
/** Maximum depth of elements. The parser's time grows with the square of the depth, and real sitemaps need 4. */
const MAX_DEPTH = 50;
/** Maximum characters of a URL in a sitemap, from the sitemap specification. */
const MAX_URL = 2048;

/**
 * Reads a sitemap or a list of sitemaps, in XML or with one URL on each line.
 * @param maxUrls maximum number of page URLs to return.
 * @param breathe called between two pieces of a large sitemap.
 */
export async function readSitemap(
  text: string,
  maxUrls: number,
  breathe: () => Promise<void>,
): Promise<Sitemap> {
  const pages: string[] = [];
  const sitemaps: string[] = [];
  if (!text.trimStart().startsWith('<')) {
    for (const line of text.slice(0, maxUrls * MAX_URL).split(/\r?\n/)) {
      if (pages.length >= maxUrls) break;
      if (/^https?:\/\/\S+$/.test(line.trim())) pages.push(line.trim());
    }
    return { pages, sitemaps };
  }
  let place: 'url' | 'sitemap' | undefined;
  let loc: string | undefined;
  let depth = 0;
  const parser: Parser = new Parser(
    {
      onopentag: (name) => {
        if (++depth > MAX_DEPTH) parser.pause();
        if (name === 'url' || name === 'sitemap') place = name;
        else if (name === 'loc' && place !== undefined) loc = '';
      },
      ontext: (piece) => {
        if (loc !== undefined && loc.length <= MAX_URL) loc += piece;
      },
      onclosetag: (name) => {
        depth--;
        if (name === place) place = undefined;
        if (name !== 'loc' || loc === undefined) return;
        const url = loc.trim();
        if (url !== '' && url.length <= MAX_URL) (place === 'sitemap' ? sitemaps : pages).push(url);
        loc = undefined;
      },
    },
    { xmlMode: true },
  );
  for (let at = 0; at < text.length; at += PIECE) {
    parser.write(text.slice(at, at + PIECE));
    if (pages.length >= maxUrls || sitemaps.length >= maxUrls || depth > MAX_DEPTH) break;
    await breathe();
  }
  return { pages: pages.slice(0, maxUrls), sitemaps };
}
