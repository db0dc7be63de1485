import type { DocsIndex, FoundSection } from './docsIndex';
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
}

/** Where a link within the docs leads. */
export interface LinkTarget<Page> {
  readonly page: Page | undefined;
  /** If not to a page: the files that may be meant, below the docs folder, likeliest first. */
  readonly paths: readonly string[];
  /** As the link has it, with its `#`; may be empty. */
  readonly fragment: string;
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
  const bases = isFromRoot
    ? [[], ...folder.map((_name, count) => folder.slice(0, count + 1)).reverse()]
    : [folder];
  const paths = bases
    .map((base) => joinPath(base, decoded.replace(/^\/+/, '')))
    .filter((path) => path !== undefined);
  if (paths.length === 0) return undefined;
  for (const path of paths) {
    const page = pageFor(pages, path);
    if (page) return { page, paths, fragment };
  }
  return { page: undefined, paths, fragment };
}

/**
 * Where a link or image of a page leads: a page or file of this service as a path, anything with a
 * scheme as it is.
 */
export function resolveLink(index: DocsIndex, page: DocsPage, href: string): string {
  const target = findLinkTarget(index, page.path, href);
  if (!target) return href;
  if (target.page) return `${pageHref(target.page)}${target.fragment}`;
  const path = (target.paths[0] ?? '').split('/').map(encodeURIComponent).join('/');
  return `${DOCS_PATH}${path}${target.fragment}`;
}

function pageFor<Page>(pages: PageLookup<Page>, path: string): Page | undefined {
  const plain = path.replace(/\/+$/, '');
  return (
    (isPagePath(plain) ? pages.pageAtPath(plain) : undefined) ??
    pages.pageAtRoute(routeOf(plain.replace(/\.html?$/, '')))
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
