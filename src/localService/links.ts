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

/**
 * Where a link or image of a page leads: a page or file of this service as a path, anything with a
 * scheme as it is. Links from the site's root (`/guides/x`) are also tried below the page's own
 * folders, as sites with versions and languages resolve them.
 */
export function resolveLink(index: DocsIndex, page: DocsPage, href: string): string {
  if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(href) || href === '') return href;
  const [, target = '', , fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(href) ?? [];
  if (target === '') return `${pageHref(page)}${fragment}`;
  let decoded;
  try {
    decoded = decodeURIComponent(target);
  } catch {
    return href;
  }
  const folder = page.path.split('/').slice(0, -1);
  const isFromRoot = decoded.startsWith('/');
  const bases = isFromRoot
    ? folder.map((_name, count) => folder.slice(0, count + 1)).reverse()
    : [folder];
  for (const base of isFromRoot ? [[], ...bases] : bases) {
    const path = joinPath(base, decoded.replace(/^\/+/, ''));
    const found = path === undefined ? undefined : pageFor(index, path);
    if (found) return `${pageHref(found)}${fragment}`;
  }
  const path = joinPath(isFromRoot ? [] : folder, decoded.replace(/^\/+/, ''));
  if (path === undefined) return href;
  return `${DOCS_PATH}${path.split('/').map(encodeURIComponent).join('/')}${fragment}`;
}

function pageFor(index: DocsIndex, path: string): DocsPage | undefined {
  const plain = path.replace(/\/+$/, '');
  return (
    (isPagePath(plain) ? index.pageAtPath(plain) : undefined) ??
    index.pageAtRoute(routeOf(plain.replace(/\.html?$/, '')))
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
