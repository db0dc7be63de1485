import type { DocsPage } from '../pages/page';
import { compareVersions } from '../pages/pageFilter';
import { versionOfPath } from '../pages/pagePath';
import { languageOfPath } from './languages';

/** Docusaurus keeps older versions in this folder, and the current pages outside of it without a version. */
const archived = /(?:^|\/)versioned_docs\//;
/** The version of pages without a version, if the others are older. No page names it. */
const CURRENT = '';

type EditedPage = Pick<DocsPage, 'path' | 'route' | 'version'>;

/** The versions and languages of a set's pages, and which of them readers want who don't say so. */
export class Editions {
  /** Language that the configuration of the docs names, such as `en` or `pt-BR`, or an empty text. */
  configuredLanguage = '';
  /** Number of pages by version. */
  readonly #versions = new Map<string, number>();
  /** Number of pages by language. */
  readonly #languages = new Map<string, number>();
  /** Number of pages by language, without those in a folder or file that is named after a language. */
  readonly #rootLanguages = new Map<string, number>();
  /** Number of pages in folders of older versions whose current pages have no version. */
  #archivedCount = 0;
  /** Number of pages without a version by route. */
  readonly #plain = new Map<string, number>();
  /** Number of pages in folders of versions, by their route without this folder. */
  readonly #versioned = new Map<string, number>();
  /** Number of routes that are in both. */
  #shared = 0;

  get versions(): readonly string[] {
    return [...this.#versions.keys()];
  }

  hasLanguage(language: string): boolean {
    return this.#languages.has(language);
  }

  get mainLanguage(): string | undefined {
    const configured = this.configuredLanguage.toLowerCase().split(/[-_]/)[0] ?? '';
    if (this.#languages.has(configured)) return configured;
    const counts = this.#rootLanguages.size > 0 ? this.#rootLanguages : this.#languages;
    const most = Math.max(...counts.values());
    if (counts.get('en') === most) return 'en';
    return [...counts].find(([, count]) => count === most)?.[0];
  }

  get currentVersion(): string | undefined {
    // Docusaurus's sites have the current version at their root, and pages of older ones in folders beside it. A few
    // pages at the root can belong to all versions.
    const isAtRoot = this.#shared * 2 > this.#versioned.size;
    return this.#archivedCount > 0 || isAtRoot
      ? CURRENT
      : this.versions.toSorted(compareVersions)[0];
  }

  /**
   * Counts a page that is added (1) or removed (-1).
   * @param language the language that the page names, or the one that it is written in.
   */
  count(page: EditedPage, language: string | undefined, change: 1 | -1): void {
    const { path, version } = page;
    add(this.#languages, language, change);
    if (languageOfPath(path) === undefined) add(this.#rootLanguages, language, change);
    add(this.#versions, version, change);
    if (archived.test(path)) this.#archivedCount += change;
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
function routeWithoutVersion({ path, route, version }: EditedPage): string | undefined {
  if (version === undefined) return route;
  const folder = versionOfPath(path);
  const folders = route.split('/');
  const place = folder === undefined ? -1 : folders.indexOf(folder);
  return place < 0 ? undefined : folders.toSpliced(place, 1).join('/');
}

function add(counts: Map<string, number>, key: string | undefined, change: 1 | -1): void {
  if (key === undefined) return;
  const after = (counts.get(key) ?? 0) + change;
  if (after === 0) counts.delete(key);
  else counts.set(key, after);
}
