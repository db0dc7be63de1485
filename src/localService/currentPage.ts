/** The page that is being viewed while a question is asked, and how near others are to it. */
import type { DocsIndex } from './docsIndex';
import { routeOf, type DocsPage } from './page';

/** The route that a path, or an address, of a page of the site names. */
export function normaliseRoute(currentPath: string): string {
  const path = currentPath.replace(/^[a-z]+:\/\/[^/]+/i, '').replace(/[?#].*$/, '');
  return routeOf(
    path
      .replace(/^\/+|\/+$/g, '')
      .replace(/^docs\//, '')
      .replace(/\.html?$/, ''),
  );
}

/** The page that is being viewed: by its whole path, else the only page whose path ends so. */
export function findCurrentPage(
  index: DocsIndex,
  currentPath: string | undefined,
): DocsPage | undefined {
  if (currentPath === undefined) return undefined;
  const route = normaliseRoute(currentPath);
  const exact = index.pageAtRoute(route);
  if (exact || route === '') return exact;
  const candidates = [...index.pages()].filter((page) => page.route.endsWith(`/${route}`));
  return candidates.length === 1 ? candidates[0] : undefined;
}

/** 1.5 for the page being viewed, less for its folder and tree, 1 elsewhere. */
export function nearness(route: string, current: string | undefined): number {
  if (current === undefined || current === '') return 1;
  if (route === current || route.endsWith(`/${current}`)) return 1.5;
  const folder = current.split('/').slice(0, -1);
  if (folder.length === 0) return 1;
  const pageFolder = route.split('/').slice(0, -1).join('/');
  if (pageFolder === folder.join('/') || pageFolder.endsWith(`/${folder.join('/')}`)) return 1.25;
  return route.startsWith(`${folder[0] ?? ''}/`) ? 1.1 : 1;
}
