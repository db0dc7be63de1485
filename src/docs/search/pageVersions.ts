import type { DocsPage } from '../pages/page';
import { compareVersions } from '../pages/pageFilter';
import { versionOfPath } from '../pages/pagePath';

/** Docusaurus keeps older versions in this folder, and the current pages outside of it without a version. */
const archived = /(?:^|\/)versioned_docs\//;
/** The version of pages without a version, if the others are older. No page names it. */
const CURRENT = '';

type VersionedPage = Pick<DocsPage, 'path' | 'route' | 'version'>;

/** The versions of a set's pages, and which of them is the current one. */
export class PageVersions {
  /** Number of pages by version. */
  readonly #counts = new Map<string, number>();
  /** Number of pages in folders of older versions whose current pages have no version. */
  #archivedCount = 0;
  /** Number of pages without a version by route. */
  readonly #plain = new Map<string, number>();
  /** Number of pages in folders of versions, by their route without this folder. */
  readonly #versioned = new Map<string, number>();
  /** Number of routes that are in both. */
  #shared = 0;

  get names(): readonly string[] {
    return [...this.#counts.keys()];
  }

  /** Version of the docs that readers want who don't say which. */
  get current(): string | undefined {
    // Docusaurus's sites have the current version at their root, and pages of older ones in folders beside it. A few
    // pages at the root can belong to all versions.
    const isAtRoot = this.#shared * 2 > this.#versioned.size;
    return this.#archivedCount > 0 || isAtRoot ? CURRENT : this.names.toSorted(compareVersions)[0];
  }

  /** Counts a page that is added (1) or removed (-1). */
  count(page: VersionedPage, change: 1 | -1): void {
    const { path, version } = page;
    if (archived.test(path)) this.#archivedCount += change;
    if (version !== undefined) add(this.#counts, version, change);
    const [own, other] =
      version === undefined ? [this.#plain, this.#versioned] : [this.#versioned, this.#plain];
    const route = routeWithoutVersion(page);
    // Each site has a home page.
    if (route === undefined || route === '') return;
    const isNew = !own.has(route);
    add(own, route, change);
    if (other.has(route) && isNew !== !own.has(route)) this.#shared += change;
  }
}

/** Returns the route of a page without the folder of its version. Undefined if its version has no folder. */
function routeWithoutVersion({ path, route, version }: VersionedPage): string | undefined {
  if (version === undefined) return route;
  const folder = versionOfPath(path);
  const folders = route.split('/');
  const place = folder === undefined ? -1 : folders.indexOf(folder);
  return place < 0 ? undefined : folders.toSpliced(place, 1).join('/');
}

function add(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const after = (counts.get(key) ?? 0) + change;
  if (after === 0) counts.delete(key);
  else counts.set(key, after);
}
