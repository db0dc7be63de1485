import { slugAliases } from '../common/headingSlugs';
import type { DocsIndex, FoundSection } from './docsIndex';
import { isElsewhere } from './siteConfig/configFiles';
import type { Redirects } from './siteConfig/redirects';
import { isPagePath, routeOf, type DocsPage } from './page';

/** Where pages are read in a browser, below the service's address. */
export const DOCS_PATH = '/docs/';

/** Path and fragment of a page, or of one of its sections, at this service. */
export function pageHref(page: DocsPage, slug = ''): string {
  const route = page.route.split('/').map(encodeURIComponent).join('/');
  // Relative links of a folder's own page start from the folder.
  const isFolderPage = page.route !== '' && page.route !== page.path.replace(/\.\w+$/, '');
  return `${DOCS_PATH}${route}${isFolderPage ? '/' : ''}${slug === '' ? '' : `#${encodeURIComponent(slug)}`}`;
}

/** {@link pageHref} of a section. */
export function sectionHref({ page, section }: FoundSection): string {
  return pageHref(page, section.slug);
}

/** Finds pages by where they stand in the docs folder, and by the route that readers know. */
export interface PageLookup<Page> {
  pageAtPath(path: string): Page | undefined;
  pageAtRoute(route: string): Page | undefined;
  /** Finds a page by its {@link plainRoute}, which is what generators serve numbered files at. */
  pageAtPlainRoute?(route: string): Page | undefined;
  readonly roots?: LinkRoots;
}

/** Where links from the root of the site lead, as its configuration says. */
export interface LinkRoots {
  /** The folder of the pages, below the docs folder. */
  readonly contentFolder: string;
  /** Addresses below which the pages are served, without slashes around them. */
  readonly basePaths: readonly string[];
  /** Folders whose files are served at the site's root. */
  readonly publicFolders: readonly string[];
}

/** A route without the numbers that order files: `03-core/05-text` to `core/text`. */
export function plainRoute(route: string): string {
  return route
    .split('/')
    .map((name) => name.replace(/^\d+\s*[-_.]+\s*(?=[^-_.\s\d])/, ''))
    .join('/');
}

/** Where a link within the docs leads. */
export interface LinkTarget<Page> {
  readonly page: Page | undefined;
  /** If not to a page: the files that may be meant, below the docs folder, likeliest first. */
  readonly paths: readonly string[];
  /** As the link has it, with its `#`; may be empty. */
  readonly fragment: string;
  /** The base path that had to be left out to find the page. */
  readonly basePath?: string;
}

/**
 * Follows a link or image of the page at `from`; `undefined` if it leads elsewhere. Links from the
 * site's root (`/guides/x`) are also tried below the page's own folders, as sites with versions and
 * languages resolve them.
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
 * Follows the site's redirects from where a link leads to no page.
 * @returns the page or files that are meant then, the address of another site, `'loop'` where the
 * rules lead in a circle, `undefined` where none is about it.
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
 * Where a link or image of a page leads: a page or file of this service as a path, anything with a
 * scheme as it is.
 */
export function resolveLink(index: DocsIndex, page: DocsPage, href: string): string {
  const target = findLinkTarget(index, page.path, href);
  if (!target) return href;
  if (target.page) {
    return `${pageHref(target.page)}${sectionFragment(target.page, target.fragment)}`;
  }
  const path = (target.paths[0] ?? '').split('/').map(encodeURIComponent).join('/');
  return `${DOCS_PATH}${path}${target.fragment}`;
}

/**
 * Returns the fragment of the section that a link means, also where it is written as another
 * generator makes it; as it is written where no section is meant.
 * @param fragment with its `#`; may be empty.
 */
export function sectionFragment({ sections }: DocsPage, fragment: string): string {
  const wanted = decodeFragment(fragment.slice(1));
  if (wanted === '' || sections.some(({ slug }) => slug === wanted)) return fragment;
  const lower = wanted.toLowerCase();
  const found =
    sections.find(({ slug }) => slug.toLowerCase() === lower) ??
    sections[slugAliases(sections.map(({ heading }) => ({ text: heading }))).get(lower) ?? -1];
  return found && found.slug !== '' ? `#${encodeURIComponent(found.slug)}` : fragment;
}

/** Returns a fragment without percent signs, or as it is where they mean nothing. */
export function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** Finds the page at a path below the docs folder, with or without its ending. */
export function pageFor<Page>(pages: PageLookup<Page>, path: string): Page | undefined {
  const plain = path.replace(/\/+$/, '');
  const route = routeOf(plain.replace(/\.html?$/, ''));
  return (
    (isPagePath(plain) ? pages.pageAtPath(plain) : undefined) ??
    pages.pageAtRoute(route) ??
    pages.pageAtPlainRoute?.(plainRoute(route))
  );
}

/** The path from the docs folder; `undefined` where `..` leads out of it. */
function joinPath(base: readonly string[], relative: string): string | undefined {
  const names = [...base];
  for (const name of relative.split('/')) {
    if (name === '..') {
      if (names.pop() === undefined) return undefined;
    } else if (name !== '.' && name !== '') names.push(name);
  }
  return names.join('/');
}

const codeOrLink =
  /(`+)[\s\S]*?\1|(!?)\[((?:[^[\]\\]|\\.|\[[^\]]*\])*)\](?:\(\s*(<[^<>\n]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)|\[([^\]]*)\])/g;

/**
 * A page's Markdown with links that work anywhere: absolute, references resolved, images as links.
 * Code stays as it is. `toUrl` makes an address of what {@link resolveLink} gives.
 */
export function absoluteLinks(
  markdown: string,
  index: DocsIndex,
  page: DocsPage,
  toUrl: (href: string) => string,
): string {
  return markdown.replace(
    codeOrLink,
    (
      match: string,
      ticks?: string,
      image?: string,
      label = '',
      inline?: string,
      reference?: string,
    ) => {
      if (ticks !== undefined) return match;
      const name = reference === '' || reference === undefined ? String(label) : reference;
      const href = inline?.replace(/^<|>$/g, '') ?? page.references[normaliseLabel(name)];
      if (href === undefined) return match;
      const url = toUrl(resolveLink(index, page, href)).replace(/[()\s]/g, encodeURIComponent);
      const shown = image === '!' && label === '' ? 'image' : String(label);
      return `[${shown}](${url})`;
    },
  );
}

/** As markdown-it keys its references. */
function normaliseLabel(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase();
}
