/** Reads an HTML page of an exported or public site. */
import { encodePath } from '../../../common/http/encodePath';
import { splitHeadingId } from '../../../common/text/blankEnds';
import { withoutBreakHints } from '../../../shared/characters';
import { parseUrl } from '../../../shared/links';
import {
  attribute,
  collapsedText,
  descendants,
  findElement,
  type HtmlDocument,
  type HtmlElement,
  parentOf,
  parseHtmlDocument,
  textContent,
} from './dom';
import { htmlToMarkdown, type ResolveHref, TOP_ID } from './htmlMarkdown';
import { findMainContent } from './mainContent';

/** An HTML page as Markdown, with facts from its head. */
export interface HtmlPage {
  /** Main content, which begins with the page's title as its heading. */
  readonly markdown: string;
  readonly title: string;
  readonly description: string;
  /** Language of the page, such as `en-US`. */
  readonly language?: string;
  /** Absolute canonical URL that the page names. */
  readonly canonicalUrl?: string;
  /** Reason why the page has no content of its own. Undefined for a page with content. */
  readonly emptyBecause?: 'redirect' | 'frames' | 'no-text';
  /** Target of `<meta http-equiv="refresh">` on a page without content, in the form of rewritten links. */
  readonly redirectsTo?: string;
}

/**
 * Reads an HTML page. Broken HTML is read as far as it goes.
 * @param path path of the page below the root of its site. The page's `<base>` is resolved against it.
 */
export function readHtmlPage(path: string, html: string): HtmlPage {
  return readHtmlTree(path, parseHtmlDocument(html), (href) => href);
}

/**
 * Reads a parsed page as {@link readHtmlPage} does.
 * @param rewrite returns the form in which a link or an image of the page is written.
 */
export function readHtmlTree(
  path: string,
  document: HtmlDocument,
  rewrite: (href: string) => string,
): HtmlPage {
  const head = readHead(document);
  const main = findMainContent(document);
  const isRedirect = isRedirectStub(document);
  const isFrameset = findElement(document, ({ name }) => name === 'frameset') !== undefined;
  const resolve = linkResolver(path, head.base);
  const rewritten: ResolveHref = (written) => {
    const href = resolve(written);
    return href === undefined ? undefined : rewrite(href);
  };
  const body = main && !isRedirect && !isFrameset ? htmlToMarkdown(main, rewritten) : '';
  const ownTitle = /^#[ \t]+(.+)$/m.exec(body.split(/^(?:`{3}|~{3})/m, 1)[0] ?? '')?.[1];
  const outer = ownTitle === undefined ? headingOf(document, head.title) : undefined;
  const title = outer ?? plainHeading(ownTitle) ?? head.title;
  const redirectsTo = isRedirect ? refreshTarget(document) : undefined;
  const target = redirectsTo === undefined ? undefined : rewritten(redirectsTo);
  const { description, language, canonicalUrl } = head;
  const emptyBecause = isRedirect
    ? 'redirect'
    : isFrameset
      ? 'frames'
      : /[^\s#]/.test(body.replace(/^<\/?\w[^>\n]*>$/gm, ''))
        ? undefined
        : 'no-text';
  return {
    markdown:
      ownTitle === undefined && title !== ''
        ? `# ${escapeHeading(title)} {#${TOP_ID}}\n\n${body}`
        : body,
    title,
    description,
    language,
    canonicalUrl,
    emptyBecause,
    redirectsTo: target,
  };
}

/** Returns the canonical URL that an HTML page names in its head. Cheaper than reading the page. */
export function canonicalUrlIn(html: string): string | undefined {
  const head = /^[^]*?<\/head\s*>/i.exec(html.slice(0, MAX_HEAD))?.[0] ?? html.slice(0, MAX_HEAD);
  return readHead(parseHtmlDocument(head)).canonicalUrl;
}

/** Number of characters at the start of a page that can contain its head. */
const MAX_HEAD = 200_000;

interface Head {
  readonly title: string;
  readonly description: string;
  readonly language?: string;
  readonly canonicalUrl?: string;
  readonly base?: string;
}

function readHead(document: HtmlDocument): Head {
  let title = '';
  let siteName = '';
  let socialTitle = '';
  let description = '';
  let language: string | undefined;
  let canonical: string | undefined;
  let base: string | undefined;
  for (const element of descendants(document)) {
    const { name } = element;
    const content = attribute(element, 'content')?.trim() ?? '';
    const key = attribute(element, 'name') ?? attribute(element, 'property') ?? '';
    if (name === 'html') language = attribute(element, 'lang') ?? attribute(element, 'xml:lang');
    else if (name === 'title' && title === '' && parentOf(element)?.name !== 'svg')
      title = oneLine(textContent(element));
    else if (name === 'base' && base === undefined) base = attribute(element, 'href');
    else if (name === 'link' && /(?:^|\s)canonical(?:\s|$)/i.test(attribute(element, 'rel') ?? ''))
      canonical ??= attribute(element, 'href');
    else if (name === 'meta') {
      if (/^description$/i.test(key)) description = content;
      else if (/^og:description$/i.test(key) && description === '') description = content;
      else if (/^og:site_name$/i.test(key)) siteName = content;
      else if (/^og:title$/i.test(key)) socialTitle = content;
    }
  }
  const canonicalUrl = absoluteUrl(canonical);
  return {
    title: withoutSiteName(title === '' ? oneLine(socialTitle) : title, siteName),
    description: oneLine(description),
    language:
      language === undefined || !/^[a-z]{2,3}(?:[-_][a-z\d]+)*$/i.test(language)
        ? undefined
        : language,
    canonicalUrl,
    base,
  };
}

function absoluteUrl(href: string | undefined): string | undefined {
  const url = href === undefined ? undefined : parseUrl(href.trim());
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return undefined;
  url.hash = '';
  return url.href;
}

/** Returns a title without the name of the site at its end, as in `Webhooks | Parcelwren`. */
function withoutSiteName(title: string, siteName: string): string {
  if (siteName !== '' && title.endsWith(siteName)) {
    const rest = title.slice(0, -siteName.length).replace(/(?<![\s|·•—–:»-])[\s|·•—–:»-]+$/, '');
    if (rest !== '') return rest;
  }
  const parts = title.split(/\s+[|·•—–»]\s+|\s+-\s+/);
  return parts[0]?.trim() ?? title;
}

/**
 * Returns the level 1 heading above the main content. A heading outside the main element is the name
 * of the site, unless the page's title begins with it.
 */
function headingOf(document: HtmlDocument, title: string): string | undefined {
  for (const element of descendants(document)) {
    if (element.name !== 'h1') continue;
    const text = collapsedText(element).replace(/\s*[¶#]$/, '');
    if (text === '' || text.length > 200) continue;
    if (title === '' || title.startsWith(text) || isInMain(element)) return text;
  }
  return undefined;
}

function isInMain(element: HtmlElement): boolean {
  for (let at = parentOf(element); at; at = parentOf(at))
    if (at.name === 'main' || at.name === 'article' || attribute(at, 'role') === 'main')
      return true;
  return false;
}

function plainHeading(markdown: string | undefined): string | undefined {
  if (markdown === undefined) return undefined;
  return splitHeadingId(markdown)
    .text.replace(/\\(?=[\p{P}\p{S}])/gu, '')
    .replace(/[`*]/g, '')
    .trim();
}

function escapeHeading(title: string): string {
  return title.replace(/[\\`*[\]<>#]/g, '\\$&');
}

function oneLine(text: string): string {
  return withoutBreakHints(text).replace(/\s+/g, ' ').trim();
}

/**
 * Returns whether a page only leads to another one: by `<meta http-equiv="refresh">` at once, or by
 * a script with hardly any text.
 */
function isRedirectStub(document: HtmlDocument): boolean {
  const refresh = refreshOf(document);
  if (refresh !== undefined) return /^\s*[0-5](?:\.\d+)?\s*[;,]\s*url\s*=/i.test(refresh);
  const text = textContent(document).replace(/\s+/g, ' ').trim();
  if (text.length > 300) return false;
  const script = findElement(
    document,
    (element) =>
      element.name === 'script' &&
      element.children.some(
        (child) =>
          'data' in child &&
          /(?:window|document|top|self)\.location(?:\.href)?\s*=|location\.replace\(/.test(
            child.data,
          ),
      ),
  );
  return script !== undefined;
}

/** Returns the content of `<meta http-equiv="refresh">`, or undefined for a page without it. */
function refreshOf(document: HtmlDocument): string | undefined {
  const refresh = findElement(
    document,
    (element) =>
      element.name === 'meta' && /^refresh$/i.test(attribute(element, 'http-equiv') ?? ''),
  );
  return refresh && (attribute(refresh, 'content') ?? '');
}

function refreshTarget(document: HtmlDocument): string | undefined {
  return /url\s*=\s*["']?([^"']+)/i.exec(refreshOf(document) ?? '')?.[1];
}

/** Origin that stands for the site while a link is resolved. */
const OWN_ORIGIN = 'http://page.invalid';

/**
 * Returns the function that resolves a page's links. Without a `<base>`, links within the site stay
 * as written. Links that run scripts lead nowhere.
 */
function linkResolver(path: string, base: string | undefined): ResolveHref {
  const pageUrl = new URL(encodePath(path), `${OWN_ORIGIN}/`);
  const baseUrl = base === undefined ? undefined : parseUrl(base.trim(), pageUrl.href);
  return (written) => {
    const href = written.trim();
    if (href === '' || /^(?:javascript|data|vbscript|file|blob):/i.test(href)) return undefined;
    if (!baseUrl || href.startsWith('#')) return href;
    const url = parseUrl(href, baseUrl.href);
    if (!url) return undefined;
    return url.origin === OWN_ORIGIN ? url.pathname + url.search + url.hash : url.href;
  };
}
