/**
 * Extracts the text of a page as people read it, in a form that can be compared between two
 * bundles.
 */
import { createHash } from 'node:crypto';
import { readHtmlPage } from '../../pages/html/htmlPage';
import { linkTarget } from '../../pages/markup/markdownWriter';
import { LinkResolver } from '../check/resolveLink';
import { listedFile, readText, SiteFiles } from '../check/siteFiles';
import { ExportError } from '../exportErrors';
import { pageRoute, withoutHash } from './pageAddress';

export interface ReadableText {
  readonly title: string;
  /** Main content of the page. For a redirect page, a link without text. */
  readonly markdown: string;
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
 */
export function readableText(path: string, html: string, basePath: string): ReadableText {
  const resolver = new LinkResolver(noFiles, basePath);
  const base = resolver.baseOf(path);
  const rewritten = (href: string): string => {
    if (href.startsWith('#')) return href;
    const sitePath = resolver.pathOf(href, base);
    return sitePath === undefined ? href : comparableAddress(sitePath, href);
  };
  const { markdown, title, redirectsTo } = readHtmlPage(path, html, rewritten);
  return {
    title,
    markdown: redirectsTo === undefined ? withoutIds(markdown) : `[→](${linkTarget(redirectsTo)})`,
  };
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
    throw new ExportError('not-readable', { path, causeCode: note?.detail ?? note?.code ?? '?' });
  return `${readableText(path, text, basePath).markdown}\n`;
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
  return `/${pageRoute(sitePath.replace(/^\/|\/$/g, ''))}${fragment}`;
}

const fence = /^\s*(?:[-+*>]\s+|\d+[.)]\s+)*(`{3,}|~{3,})/;
const idAtEnd = /^(\s*(?:[>\-+*]\s+)*#{1,6}\s.*?)\s*\{#[^\s{}]+\}$/;
const anchors = /(`+)[^]*?\1|<a id="[^"]*">(?:<\/a>)?/g;

/** Removes the IDs of headings and the anchors of links, which nobody reads, outside of code. */
function withoutIds(markdown: string): string {
  let open = '';
  const lines: string[] = [];
  for (const line of markdown.split('\n')) {
    const mark = fence.exec(line)?.[1];
    if (open !== '') {
      if (mark?.startsWith(open) === true && line.trim() === mark) open = '';
      lines.push(line);
      continue;
    }
    if (mark !== undefined) {
      open = mark;
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
