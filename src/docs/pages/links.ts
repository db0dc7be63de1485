import { encodePath } from '../../common/http/encodePath';
import { slugAliases } from '../../common/text/headingSlugs';
import { CodeSpans } from './markup/codeSpans';
import { isElsewhere, parseUrl, percentDecoded } from '../../shared/links';
import type { DocsPage } from './page';
import { isHtmlPath, isPagePath, routeOf } from './pagePath';
import type { Section } from './sections';
import type { Redirects } from '../siteConfig/redirects';

/** Path below which this service shows pages in a browser. */
export const DOCS_PATH = '/docs/';

/** Returns the path and fragment that a page or one of its sections has at this service. */
export function pageHref(page: DocsPage, slug = ''): string {
  const route = encodePath(page.route);
  // The path of a folder's index page ends with a slash, so that its relative links start in the folder.
  const isFolderPage = page.route !== '' && page.route !== page.path.replace(/\.\w+$/, '');
  return `${DOCS_PATH}${route}${isFolderPage ? '/' : ''}${slug === '' ? '' : `#${encodeURIComponent(slug)}`}`;
}

/** Names what no site publishes: pages of unknown sites, and images and other files of the docs. */
export interface PageAddresses {
  /**
   * Returns the address for a path from {@link pageHref} or {@link resolveLink}, which starts with a slash.
   * @param set id of the page's set, if the engine has several.
   */
  readonly write: (href: string, set?: string) => string;
  /** Whether links lead to pages where their site publishes them. If absent, they lead to the addresses written here. */
  readonly linksToSite?: boolean;
  /**
   * Returns the address of a place in a file, for what a file declares. If absent, the page that describes it is
   * named instead.
   * @param file path below the docs of the set.
   * @param fragment the line, such as `L12`, or the declared name if the line is in a file of another package.
   */
  readonly writeFile?: (file: string, fragment: string, set?: string) => string;
  /** Returns what an address names that this returned, or undefined for another one. */
  readonly read: (address: string) => AddressedPath | undefined;
}

/** A path that an address names. */
interface AddressedPath {
  /** Percent-encoded path below the docs of its set. It can have a fragment. */
  readonly path: string;
  /** Id of the set. Undefined for the docs of an engine that has no other set. */
  readonly set?: string;
}

/** Path below which a service shows the pages of a set that has an id. */
export const SETS_PATH = '/sets/';

/** Returns the addresses of pages that a service shows. @param origin its base URL, without a slash at its end. */
export function addressesAt(origin: () => string): PageAddresses {
  return {
    write: (href, set) =>
      origin() + (set === undefined ? '' : SETS_PATH + encodeURIComponent(set)) + href,
    read: (address) => {
      // At a service of several sites, links of its pages begin with the path of the site.
      const starts = [origin(), new URL(origin()).pathname];
      const start = starts.find((one) => one !== '/' && address.startsWith(one));
      if (start === undefined) return undefined;
      const [, encoded, path] =
        /^(?:\/sets\/([^/?#]+))?\/docs\/(.*)$/s.exec(address.slice(start.length)) ?? [];
      if (path === undefined) return undefined;
      return { path, set: encoded === undefined ? undefined : percentDecoded(encoded) };
    },
  };
}

/** Returns a text that identifies a page among those of all sets: its route, behind the id of its set. */
export function pageKey({ set, route }: Pick<DocsPage, 'set' | 'route'>): string {
  return set === undefined ? route : `${set.id}\n${route}`;
}

/**
 * Returns the address at which a reader can open a section: on the site that publishes the page, or else the
 * one that `addresses` gives it.
 */
export function sourceUrl(
  page: DocsPage,
  section: Section | undefined,
  addresses: PageAddresses,
): string {
  const slug = section?.slug ?? '';
  const place = section?.place ?? page.sections[0]?.place;
  if (place && addresses.writeFile) {
    // A file of another package has no address in this set, but the file that exports from it has one.
    return place.package === undefined
      ? addresses.writeFile(place.file, `L${place.line}`, page.set?.id)
      : addresses.writeFile(declaringFile(page), encodeURIComponent(slug), page.set?.id);
  }
  if (page.canonicalUrl === undefined) return addresses.write(pageHref(page, slug), page.set?.id);
  // The published page may not have this service's ID for the title, and the title is at the top anyway.
  const isTop = slug === '' || section?.heading === page.title;
  return `${page.canonicalUrl}${isTop ? '' : `#${encodeURIComponent(slug)}`}`;
}

/** Returns the path of the file that exports what a page describes. Pages that share a file have their titles after it. */
export function declaringFile({ path, title }: Pick<DocsPage, 'path' | 'title'>): string {
  return path.endsWith(`/${title}`) ? path.slice(0, -title.length - 1) : path;
}

/** Finds pages by their path in the docs folder, and by their route. */
export interface PageLookup<Page> {
  pageAtPath(path: string): Page | undefined;
  pageAtRoute(route: string): Page | undefined;
  /** Finds a page by its {@link plainRoute}. Generators serve files with numbers at this route. */
  pageAtPlainRoute?(route: string): Page | undefined;
  readonly roots?: LinkRoots;
}

/** Folders and paths to which links from the site's root can lead, from the site's configuration. */
export interface LinkRoots {
  /** Folder of the pages, below the docs folder. */
  readonly contentFolder: string;
  /** Paths below which the pages are served, without slashes at their ends. */
  readonly basePaths: readonly string[];
  /** Folders whose files are served at the site's root. */
  readonly publicFolders: readonly string[];
  /** Whether this service only has the pages, while images and other files are on the published site. */
  readonly hasPagesOnly?: boolean;
  readonly web?: WebPlaces | undefined;
}

/** Places on the web that have what pages link to, but their folder lacks. */
export interface WebPlaces {
  /** URL at which the files of the folder can be seen, with a slash at its end. */
  readonly folder: string | undefined;
  /** Origin of the site that publishes the pages. */
  readonly site: string | undefined;
}

/** Returns a route without the numbers that sort files: `03-core/05-text` becomes `core/text`. */
export function plainRoute(route: string): string {
  return route
    .split('/')
    .map((name) => name.replace(/^\d+\s*[-_.]+\s*(?=[^-_.\s\d])/, ''))
    .join('/');
}

/** Target of a link within the docs. */
export interface LinkTarget<Page> {
  readonly page: Page | undefined;
  /**
   * Paths of files, relative to the docs folder, that the link can mean. The most likely comes first. Needed
   * if the target is not a page.
   */
  readonly paths: readonly string[];
  /** Fragment as written, with its `#`. Can be empty. */
  readonly fragment: string;
  /** Base path that was removed to find the page. */
  readonly basePath?: string;
}

/**
 * Finds the target of a link or image of the page at `from`. Also tries links from the site's root
 * (`/guides/x`) below the page's own folders, because sites with versions or languages resolve them there.
 * @returns undefined if the link doesn't lead to a path below the docs folder.
 */
export function findLinkTarget<Page>(
  pages: PageLookup<Page>,
  from: string,
  href: string,
): LinkTarget<Page> | undefined {
  if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(href) || href === '') return undefined;
  const [, target = '', , fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(href) ?? [];
  if (target === '') return { page: pages.pageAtPath(from), paths: [from], fragment };
  let decoded;
  try {
    decoded = decodeURIComponent(target);
  } catch {
    return undefined;
  }
  const folder = from.split('/').slice(0, -1);
  const isFromRoot = decoded.startsWith('/');
  if (!isFromRoot) {
    const path = joinPath(folder, decoded);
    return path === undefined ? undefined : { page: pageFor(pages, path), paths: [path], fragment };
  }
  const { contentFolder, basePaths, publicFolders } = pages.roots ?? noRoots;
  const written = decoded.replace(/^\/+/, '');
  const folders = [
    [],
    ...folder.map((_name, count) => folder.slice(0, count + 1)).reverse(),
    namesOf(contentFolder),
  ];
  const below = (bases: readonly (readonly string[])[], relative: string): string[] => [
    ...new Set(bases.map((base) => joinPath(base, relative)).filter((path) => path !== undefined)),
  ];
  const paths = below(folders, written);
  if (paths.length === 0) return undefined;
  const files = [...paths, ...below(publicFolders.map(namesOf), written)];
  for (const path of paths) {
    const page = pageFor(pages, path);
    if (page) return { page, paths: files, fragment };
  }
  for (const basePath of basePaths) {
    if (written !== basePath && !written.startsWith(`${basePath}/`)) continue;
    const rest = written.slice(basePath.length + 1);
    const within = below([[], namesOf(contentFolder)], rest);
    files.push(...within, ...below(publicFolders.map(namesOf), rest));
    for (const path of within) {
      const page = pageFor(pages, path);
      if (page) return { page, paths: files, fragment, basePath };
    }
  }
  return { page: undefined, paths: files, fragment };
}

/**
 * Follows the site's redirects for a link that leads to no page.
 * @returns the page or files, the URL of another site, `'loop'` if the redirects form a loop, or undefined if
 * there is no redirect.
 */
export function followRedirects<Page>(
  pages: PageLookup<Page>,
  redirects: Redirects,
  from: string,
  { paths, fragment }: LinkTarget<Page>,
): LinkTarget<Page> | string | undefined {
  if (redirects.isEmpty) return undefined;
  const { contentFolder, basePaths } = pages.roots ?? noRoots;
  const find = (address: string): LinkTarget<Page> | undefined =>
    findLinkTarget(pages, from, address.startsWith('/') ? address : `/${address}`);
  for (const path of paths) {
    const below =
      contentFolder !== '' && path.startsWith(`${contentFolder}/`)
        ? [path.slice(contentFolder.length + 1)]
        : [];
    for (const written of [path, ...below, ...basePaths.map((base) => `${base}/${path}`)]) {
      const led = redirects.follow(`/${written}`, (address) => find(address)?.page !== undefined);
      if (led === undefined) continue;
      if (led === 'loop' || isElsewhere(led)) return led;
      const target = find(led);
      if (target) return target.fragment === '' ? { ...target, fragment } : target;
    }
  }
  return undefined;
}

const noRoots: LinkRoots = { contentFolder: '', basePaths: [], publicFolders: [] };

function namesOf(folder: string): string[] {
  return folder.split('/').filter((name) => name !== '');
}

/**
 * Returns the target of a page's link or image: the path of a page or file at this service, or the URL of a
 * file that only the published site or the repository has. Returns a link with a scheme unchanged.
 * @param hrefOf returns the address of a page that the link leads to.
 */
export function resolveLink(
  index: PageLookup<DocsPage>,
  page: DocsPage,
  href: string,
  hrefOf: (page: DocsPage) => string = pageHref,
): string {
  const target = findLinkTarget(index, page.path, href);
  if (target?.page) {
    return `${hrefOf(target.page)}${sectionFragment(target.page, target.fragment)}`;
  }
  const onWeb = urlOnWeb(index.roots?.web, page, href);
  if (onWeb !== undefined) return onWeb;
  if (!target) return href;
  if (index.roots?.hasPagesOnly === true && page.canonicalUrl !== undefined)
    return parseUrl(href, page.canonicalUrl)?.href ?? href;
  const path = encodePath(target.paths[0] ?? '');
  return `${DOCS_PATH}${path}${target.fragment}`;
}

/** Images that a folder can have beside its pages, which this service shows. */
const imagePath = /\.(?:avif|gif|ico|jpe?g|png|svg|webp)(?:[?#]|$)/i;

/**
 * Returns the URL of what a page links to, but that isn't among the docs. Packages are published without most files of
 * their repositories and pages of their sites, to which their pages still lead.
 */
function urlOnWeb(web: WebPlaces | undefined, page: DocsPage, href: string): string | undefined {
  if (!web || href === '' || imagePath.test(href)) return undefined;
  const { folder, site } = web;
  if (href.startsWith('/')) return site === undefined ? undefined : parseUrl(href, site)?.href;
  if (folder === undefined) return undefined;
  const url = parseUrl(href, folder + encodePath(page.path));
  const top = /^.*?\/HEAD\//.exec(folder)?.[0] ?? folder;
  return url?.href.startsWith(top) === true ? url.href : undefined;
}

/**
 * Returns the fragment of the section that a link means, even if the link has the fragment that another site
 * generator would give the heading. Returns the fragment unchanged if no section matches.
 * @param fragment fragment with its `#`. Can be empty.
 */
export function sectionFragment({ sections }: DocsPage, fragment: string): string {
  const wanted = percentDecoded(fragment.slice(1));
  if (wanted === '' || sections.some(({ slug }) => slug === wanted)) return fragment;
  const lower = wanted.toLowerCase();
  const found =
    sections.find(({ slug }) => slug.toLowerCase() === lower) ??
    sections[slugAliases(sections.map(({ heading }) => ({ text: heading }))).get(lower) ?? -1];
  return found && found.slug !== '' ? `#${encodeURIComponent(found.slug)}` : fragment;
}

/** Finds the page at a path below the docs folder, with or without its ending. */
export function pageFor<Page>(pages: PageLookup<Page>, path: string): Page | undefined {
  const plain = path.replace(/\/+$/, '');
  const route = routeOf(plain);
  return (
    (isPagePath(plain) || isHtmlPath(plain) ? pages.pageAtPath(plain) : undefined) ??
    pages.pageAtRoute(route) ??
    pages.pageAtPlainRoute?.(plainRoute(route))
  );
}

/** Returns a path from the docs folder, or undefined if `..` leads out of it. */
function joinPath(base: readonly string[], relative: string): string | undefined {
  const names = [...base];
  for (const name of relative.split('/')) {
    if (name === '..') {
      if (names.pop() === undefined) return undefined;
    } else if (name !== '.' && name !== '') names.push(name);
  }
  return names.join('/');
}

const codeOrBracket = /\\[^]|`+|[[\]]/g;
/** Matches the target of a link after its label. */
const linkTarget =
  /\(\s*(<[^<>\n]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)|\[([^\]]*)\]/y;

/** Matches what stands behind the label of a definition of a reference: `: ../start.md "Start"`. */
const definitionEnd = /^:[ \t]*\S+(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*(?:\n|$)/;

/** Returns the labels of a Markdown text: the position of the closing bracket for each opening one, in order. */
function labelsIn(markdown: string): Map<number, number> {
  const labels = new Map<number, number>();
  const open: number[] = [];
  const spans = new CodeSpans(markdown);
  codeOrBracket.lastIndex = 0;
  for (let found = codeOrBracket.exec(markdown); found; found = codeOrBracket.exec(markdown)) {
    const { 0: mark, index } = found;
    if (mark.startsWith('`'))
      codeOrBracket.lastIndex = spans.endOf(index, mark.length) ?? codeOrBracket.lastIndex;
    else if (mark === '[') {
      open.push(index);
      labels.set(index, -1);
    } else if (mark === ']') {
      const start = open.pop();
      if (start !== undefined) labels.set(start, index);
    }
  }
  return labels;
}

/**
 * Returns a page's Markdown with links that work anywhere: addresses instead of paths, resolved references,
 * and images as links. Code is unchanged.
 */
export function absoluteLinks(
  markdown: string,
  index: PageLookup<DocsPage>,
  page: DocsPage,
  addresses: Pick<PageAddresses, 'write' | 'linksToSite'>,
): string {
  const published = (led: DocsPage): string => led.canonicalUrl ?? pageHref(led);
  const hrefOf = addresses.linksToSite === true ? published : pageHref;
  let text = '';
  let at = 0;
  for (const [start, end] of labelsIn(markdown)) {
    if (start < at || end < 0) continue;
    linkTarget.lastIndex = end + 1;
    const [whole, inline, reference] = linkTarget.exec(markdown) ?? [''];
    // CommonMark allows so many characters in a label that is a reference by itself.
    if (whole === '' && end - start > 1000) continue;
    const label = markdown.slice(start + 1, end);
    if (whole === '' && page.references[normaliseLabel(label)] === undefined) continue;
    const definition = whole === '' ? definitionEnd.exec(markdown.slice(end + 1)) : null;
    if (definition && /(?:^|\n)[ \t>]*$/.test(markdown.slice(at, start))) {
      text += markdown.slice(at, start).replace(/[ \t>]+$/, '');
      at = end + 1 + definition[0].length;
      continue;
    }
    const name = reference === '' || reference === undefined ? label : reference;
    const href = inline?.replace(/^<|>$/g, '') ?? page.references[normaliseLabel(name)];
    const isImage = start > at && markdown[start - 1] === '!';
    const next = end + 1 + whole.length;
    text += markdown.slice(at, isImage && href !== undefined ? start - 1 : start);
    if (href === undefined) text += markdown.slice(start, next);
    else {
      const resolved = resolveLink(index, page, href, hrefOf);
      const url = (
        resolved.startsWith('/') ? addresses.write(resolved, page.set?.id) : resolved
      ).replace(/[()\s]/g, encodeURIComponent);
      const shown = label.includes('`') ? label : label.replace(innerImage, '$1');
      text += `[${shown === '' && (isImage || label !== '') ? 'image' : shown}](${url})`;
    }
    at = next;
  }
  return text + markdown.slice(at);
}

/** An image in the text of a link, such as a screenshot that leads to itself. */
const innerImage = /!\[([^\]]{0,300})\](?:\([^()]{0,2000}\)|\[[^\]]{0,200}\]|(?![([]))/g;

/** Normalizes a label as markdown-it does for its references. */
export function normaliseLabel(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase();
}
