import { parseUrl } from '../../../shared/links';

/** Links of an `llms.txt`. */
interface LlmsIndex {
  /** URLs of pages, with their titles. */
  readonly pages: readonly { readonly url: string; readonly title: string }[];
  /** URLs of further files of this kind. */
  readonly indexes: readonly string[];
}

const link =
  /(!?)\[((?:[^[\]\\]|\\.)*)\]\(\s*<?([^\s<>()]+(?:\([^\s()]*\)[^\s()]*)*)>?(?:\s+"[^"]*")?\s*\)/g;
const noPage =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|pdf|zip|tar|t?gz|mp4|webm|mp3|json|ya?ml|xml|css|js|woff2?)$/i;

/**
 * Reads the links of an `llms.txt`, each page once.
 * @param base URL of the file, against which links are resolved.
 */
export function readLlmsIndex(text: string, base: string, maxPages: number): LlmsIndex {
  const pages = new Map<string, string>();
  const indexes = new Set<string>();
  for (const [, image, label = '', target = ''] of text.matchAll(link)) {
    const url = image === '!' ? undefined : parseUrl(target, base);
    if (!url || !/^https?:$/.test(url.protocol) || isNoPage(url)) continue;
    url.hash = '';
    if (/\/llms(?:-[\w-]+)?\.txt$/i.test(url.pathname)) {
      // Files such as `llms-small.txt` have the same pages in another form, so they are left out.
      if (/\/llms\.txt$/i.test(url.pathname)) indexes.add(url.href);
      continue;
    }
    if (!pages.has(url.href)) pages.set(url.href, label.replace(/\\(.)/g, '$1').trim());
    if (pages.size >= maxPages) break;
  }
  indexes.delete(base);
  return { pages: [...pages].map(([url, title]) => ({ url, title })), indexes: [...indexes] };
}

/** Returns whether a URL is for an image, an archive or another file that is no page. */
export function isNoPage(url: URL): boolean {
  return noPage.test(url.pathname);
}
