import {
  type Edition,
  MAX_NAV_ENTRIES,
  type NavEntry,
  type NavFolder,
  rootTitle,
} from './navigationModel';
import { splitPath } from '../sitePaths';
import type { SitePage, SiteSurvey } from '../siteSurvey';
import { routeOf } from '../../../../docs/pages/pagePath';
import type { FolderCategory } from '../../../../docs/siteConfig/docusaurus';

/** A folder to which pages are still added. */
export interface OpenFolder {
  readonly name: string;
  readonly source: string;
  readonly pages: SitePage[];
  readonly folders: Map<string, OpenFolder>;
}

/** An edition whose folders are not sorted yet. */
export interface OpenEdition extends Pick<Edition, 'version' | 'language'> {
  readonly root: OpenFolder;
  readonly byPath: Map<string, SitePage>;
}

/** Puts the pages of one edition into their folders. Hidden pages are only in `byPath` and in no folder. */
export function openEdition(pages: readonly SitePage[]): OpenEdition {
  const { version, language } = pages[0] ?? {};
  const names = new Set([version, language]);
  const openFolder = (name: string, page: SitePage | undefined, depth: number): OpenFolder => ({
    name,
    source: sourceFolder(page?.source ?? '', names, depth),
    pages: [],
    folders: new Map(),
  });
  const byPath = new Map<string, SitePage>();
  const root = openFolder('', pages[0], 0);
  for (const page of pages) {
    const { folder: source, name: file } = splitPath(page.source ?? '');
    const path = source.split('/').filter((name) => name !== '' && !names.has(name));
    byPath.set(routeOf([...path, file].join('/')), page);
    if (page.isHidden) continue;
    let folder = root;
    for (const [index, name] of path.entries()) {
      const next = folder.folders.get(name) ?? openFolder(name, page, index + 1);
      folder.folders.set(name, next);
      folder = next;
    }
    folder.pages.push(page);
  }
  return { version, language, root, byPath };
}

/** Returns the folder of `source` at a depth, without counting folders that name an edition. */
function sourceFolder(
  source: string,
  editionNames: ReadonlySet<string | undefined>,
  depth: number,
): string {
  const folders = source.split('/').slice(0, -1);
  let counted = 0;
  const end = folders.findIndex((name) => !editionNames.has(name) && ++counted > depth);
  return folders.slice(0, end < 0 ? folders.length : end).join('/');
}

/** Creates a page that the site adds, such as the list of a folder. */
export function addedPage(
  file: string,
  title: string,
  { version, language }: Pick<Edition, 'version' | 'language'>,
): SitePage {
  return {
    file,
    title,
    description: '',
    order: Infinity,
    headings: [],
    isHidden: false,
    version,
    language,
  };
}

/**
 * Arranges pages by folder. The pages of a folder are sorted by the order in their front matter, then by name.
 * Subfolders come after the pages.
 */
export class FolderBuilder {
  /** Pages that the site adds, with the folder that each lists. */
  readonly overviews = new Map<SitePage, NavFolder | undefined>();
  readonly #survey: SiteSurvey;
  readonly #categories: ReadonlyMap<string, FolderCategory>;

  /** @param categories titles and positions of folders, by their path below the docs folder. */
  constructor(survey: SiteSurvey, categories: ReadonlyMap<string, FolderCategory>) {
    this.#survey = survey;
    this.#categories = categories;
  }

  /**
   * Arranges the pages of an edition.
   * @param home the site's added home page, if it is the first page of this edition.
   */
  edition(edition: OpenEdition, home: SitePage | undefined): Edition {
    const { version, language, byPath } = edition;
    const pathOf = new Map([...byPath].map(([path, page]) => [page, path]));
    const root = this.close(edition, edition.root, undefined, home);
    return { version, language, byPath, pathOf, root };
  }

  /**
   * Sorts a folder and everything below it.
   * @param standIn the page for links to the folder, if the folder has no page of its own.
   */
  close(
    edition: Pick<Edition, 'version' | 'language'>,
    open: OpenFolder,
    parent: NavFolder | undefined,
    standIn: SitePage | undefined,
  ): NavFolder {
    const own = open.pages.find(isFolderPage) ?? standIn;
    // Links to the folder `guides` lead to the page `guides` next to it, if the folder has no own page.
    const standIns = new Map<string, SitePage>();
    for (const page of open.pages) {
      const child = open.folders.get(routeOf(splitPath(page.source ?? '').name));
      if (child && page !== own && !child.pages.some(isFolderPage)) standIns.set(child.name, page);
    }
    const taken = new Set([own, ...standIns.values()]);
    const pages = open.pages.filter((page) => !taken.has(page)).sort(comparePages);
    const category = this.#categories.get(open.source);
    const named = category?.title === '' ? undefined : category?.title;
    const title = named ?? (parent ? folderTitle(open.name) : rootTitle(edition));
    const addOverview = (): SitePage =>
      addedPage(this.#overviewFile(edition, open, own), own?.title ?? title, edition);
    const landing = own ?? addOverview();
    const isLong = pages.length > MAX_NAV_ENTRIES || open.folders.size > MAX_NAV_ENTRIES;
    const isAdded = landing.source === undefined;
    const overview = isAdded ? landing : isLong ? addOverview() : undefined;
    const folders: NavFolder[] = [];
    const entries: NavEntry[] = pages.map((page) => ({ kind: 'page', page }));
    const folder = {
      title: named ?? (isAdded ? title : landing.title),
      source: open.source,
      parent,
      landing,
      ownPage: isAdded ? undefined : landing,
      overview,
      order: Math.min(category?.order ?? Infinity, landing.order),
      pages,
      folders,
      entries,
      pageCount: pages.length + (isAdded ? 0 : 1),
    };
    const children = [...open.folders.values()].map((child) => ({
      name: child.name,
      folder: this.close(edition, child, folder, standIns.get(child.name)),
    }));
    children.sort(
      (one, other) =>
        compareOrders(one.folder.order, other.folder.order) || compareNames(one.name, other.name),
    );
    for (const child of children) {
      folders.push(child.folder);
      entries.push({ kind: 'folder', folder: child.folder });
      folder.pageCount += child.folder.pageCount;
    }
    if (overview) this.overviews.set(overview, folder);
    this.#survey.addRoute(open.source, folder.landing);
    return folder;
  }

  #overviewFile(
    { version, language }: Pick<Edition, 'version' | 'language'>,
    { source }: OpenFolder,
    own: SitePage | undefined,
  ): string {
    const { paths } = this.#survey;
    if (own) return paths.file(source, 'all-pages.html');
    // Editions that share the root folder differ only in their front matter.
    if (source === '') {
      const name = [version, language].filter((part) => part !== undefined).join('-');
      return paths.file('', `${name === '' ? 'pages' : name}.html`);
    }
    return paths.file(source, 'index.html');
  }
}

/** Returns whether the page is the first page of its folder. */
export function isFolderPage(page: SitePage): boolean {
  return /(?:^|\/)index\.html$/.test(page.file);
}

const collator = new Intl.Collator('en', { numeric: true });

/**
 * Compares names by the numbers in them, so that `step-9` comes before `step-10`. Only returns 0 for equal
 * names.
 */
export function compareNames(one: string, other: string): number {
  return collator.compare(one, other) || (one < other ? -1 : one > other ? 1 : 0);
}

function compareOrders(one: number, other: number): number {
  return one === other ? 0 : one - other;
}

function comparePages(one: SitePage, other: SitePage): number {
  return (
    compareOrders(one.order, other.order) || compareNames(one.source ?? '', other.source ?? '')
  );
}

const capitals =
  /\b(api|cdn|ci|cli|css|faq|html|http|ide|json|oauth|rest|sdk|sql|sso|ui|url|ux|xml|yaml)(s?)\b/gi;

/**
 * Returns a title for a folder: `REST API` for `rest-api`, and `Getting started` for `getting_started`.
 */
function folderTitle(name: string): string {
  const words = name
    .replace(/^\d+[-_. ]+(?=\D)/, '')
    .replace(/[-_]+/g, ' ')
    .trim();
  const title = words.charAt(0).toUpperCase() + words.slice(1);
  return (
    title.replace(capitals, (_word, name: string, plural: string) => name.toUpperCase() + plural) ||
    name
  );
}
