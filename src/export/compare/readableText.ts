/**
 * Extracts the text of a page as people read it, in a form that can be compared between two
 * bundles.
 */
import { createHash } from 'node:crypto';
import { parseHtmlDocument } from '../../docs/pages/html/dom';
import { readHtmlTree } from '../../docs/pages/html/htmlPage';
import { codeLines } from '../../docs/pages/markup/lines';
import { linkTarget } from '../../docs/pages/markup/markdownWriter';
import { LinkResolver } from '../check/resolveLink';
import { listedFile, readText, SiteFiles } from '../check/siteFiles';
import { ExportError } from '../exportErrors';
import { pageRoute, withoutHash } from './pageAddress';
import { pageDetails } from './pageDetails';

export interface ReadableText {
  readonly title: string;
  /** Main content of the page. For a redirect page, a link without text. */
  readonly markdown: string;
  /** Main content between the other words of the page: its title and description, labels and media. */
  readonly whole: string;
}

/**
 * Returns the main content of a page as Markdown, without navigation, markup and the IDs of
 * headings.
 *
 * Links within the site are written as addresses from its root, without `.html`, so a page that
 * moved has the same links. Hashes in the names of pictures are removed, because assets are
 * compared separately.
 *
 * @param path of the page below the site's root.
 * @param basePath such as `/docs`, or empty.
 * @param titleEnd end of the titles of most pages, such as ` · Docs`, which is left out.
 */
export function readableText(
  path: string,
  html: string,
  basePath: string,
  titleEnd = '',
): ReadableText {
  const resolver = new LinkResolver(noFiles, basePath);
  const base = resolver.baseOf(path);
  const rewritten = (href: string): string => {
    if (href.startsWith('#')) return href;
    const sitePath = resolver.pathOf(href, base);
    return sitePath === undefined ? href : comparableAddress(sitePath, href);
  };
  const document = parseHtmlDocument(html);
  const { markdown, title, redirectsTo } = readHtmlTree(path, document, rewritten);
  if (redirectsTo !== undefined) {
    const link = `[→](${linkTarget(redirectsTo)})`;
    return { title, markdown: link, whole: link };
  }
  const text = withoutIds(markdown);
  const { lines, ...head } = pageDetails(document, rewritten);
  const ownTitle = head.title.endsWith(titleEnd)
    ? head.title.slice(0, head.title.length - titleEnd.length)
    : head.title;
  const above = [
    ...(ownTitle === '' || ownTitle === title ? [] : [`title: ${ownTitle}`]),
    ...(head.description === '' ? [] : [`description: ${head.description}`]),
  ];
  const parts = [above.join('\n'), text, lines.join('\n')].filter((part) => part !== '');
  return { title, markdown: text, whole: parts.join('\n\n') };
}

/** Returns the end of a page's title that can be the name of the site: ` | Docs`, or undefined. */
export function titleEndOf(html: string): string | undefined {
  const written = /<title\b[^>]*>[^<]{1,500}<\/title/i.exec(html)?.[0];
  if (written === undefined) return undefined;
  const { title } = pageDetails(parseHtmlDocument(`${written}>`), (href) => href);
  return /\s[|·•—–»-]\s[^|·•—–»]*$/.exec(title)?.[0];
}

const noFiles = new SiteFiles([]);

/**
 * Returns the readable text of a page of an unpacked bundle, as {@link readableText} writes it.
 *
 * @param root absolute path of the bundle.
 * @throws {ExportError} `file-gone` if the bundle has no such page, `not-readable` if it can't be read.
 */
export async function readablePage(root: string, path: string, basePath: string): Promise<string> {
  const file = await listedFile(root, path);
  if (!file) throw new ExportError('file-gone', { path });
  const { text, note } = await readText(root, file);
  if (text === undefined)
    throw new ExportError('not-readable', { path, causeCode: note?.detail ?? note?.code });
  return `${readableText(path, text, basePath).whole}\n`;
}

/** Returns the digest of a text, long enough to tell all texts of a site from each other. */
export function digestOf(text: string): string {
  return createHash('sha1').update(text).digest('base64').slice(0, 16);
}

/** Returns a readable text without the targets of its links and pictures. */
export function withoutTargets(markdown: string): string {
  return markdown.replace(/\]\((?:<[^>\n]*>|[^()\s]*)/g, '](');
}

function comparableAddress(sitePath: string, href: string): string {
  const hash = href.indexOf('#');
  const fragment = hash === -1 ? '' : href.slice(hash);
  const isPage = /(?:\.x?html?|\/|\/[^./]+)$/i.test(sitePath);
  if (!isPage) return withoutHash(sitePath) + fragment;
  // A page can show other content for another query, such as a tab. A file only gets another version.
  const query = /\?[^#]*/.exec(href)?.[0] ?? '';
  return `/${pageRoute(sitePath.replace(/^\/|\/$/g, ''))}${query}${fragment}`;
}

const idAtEnd = /^(\s*(?:[>\-+*]\s+)*#{1,6}\s.*?)\s*\{#[^\s{}]+\}$/;
const anchors = /(`+)[^]*?\1|<a id="[^"]*">(?:<\/a>)?/g;

/** Removes the IDs of headings and the anchors of links, which nobody reads, outside of code. */
function withoutIds(markdown: string): string {
  const isCode = codeLines();
  const lines: string[] = [];
  for (const line of markdown.split('\n')) {
    if (isCode(line)) {
      lines.push(line);
      continue;
    }
    const plain = line
      .replace(idAtEnd, '$1')
      .replace(anchors, (found) => (found.startsWith('`') ? found : ''));
    if (plain.trim() !== '' || line.trim() === '') lines.push(plain);
  }
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
