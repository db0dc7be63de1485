import { compareVersions } from '../pageVariants';
import { routeOf } from '../page';
import { languageName, siteTexts } from './siteTexts';
import type { SiteTitle } from './siteTitle';
import { splitPath } from './sitePaths';
import type { SitePage, SiteSurvey } from './siteSurvey';

/** A folder of an edition, as readers see it: without the folders that name version and language. */
export interface NavFolder {
  readonly title: string;
  /** Below the docs folder. */
  readonly source: string;
  readonly parent: NavFolder | undefined;
  /** What a link to the folder leads to. */
  readonly landing: SitePage;
  /** The page that lists the folder, where the site adds one. */
  readonly overview: SitePage | undefined;
  readonly order: number;
  /** In their order, without the landing page. */
  readonly pages: readonly SitePage[];
  readonly folders: readonly NavFolder[];
  /** Pages in it and below. */
  readonly pageCount: number;
}

/** The pages of one version in one language. */
export interface Edition {
  readonly version: string | undefined;
  readonly language: string | undefined;
  readonly root: NavFolder;
  /** By the path within the edition: the same page of another edition has the same. */
  readonly byPath: ReadonlyMap<string, SitePage>;
  readonly pathOf: ReadonlyMap<SitePage, string>;
}

export interface PagePlace {
  readonly edition: Edition;
  readonly folder: NavFolder;
  readonly previous: SitePage | undefined;
  readonly next: SitePage | undefined;
}

export interface SiteNavigation {
  /** Newest version first. */
  readonly editions: readonly Edition[];
  /** What a reader without a preference wants; `undefined` without pages. */
  readonly mainEdition: Edition | undefined;
  /** `index.html`. */
  readonly home: SitePage;
  /** Pages that the site adds, each with what it lists; the home page has `undefined` without pages. */
  readonly overviews: ReadonlyMap<SitePage, NavFolder | undefined>;
  placeOf(page: SitePage): PagePlace | undefined;
}

/** Entries of one folder that a navigation shows; with more, the site adds an overview page. */
export const MAX_NAV_ENTRIES = 40;

interface OpenFolder {
  readonly name: string;
  readonly source: string;
  readonly pages: SitePage[];
  readonly folders: Map<string, OpenFolder>;
}

interface OpenEdition extends Pick<Edition, 'version' | 'language'> {
  readonly root: OpenFolder;
  readonly byPath: Map<string, SitePage>;
}

/** Arranges the pages by version, language and folder, and adds the pages that lead to them. */
export function buildNavigation(
  survey: SiteSurvey,
  { name, description }: SiteTitle,
): SiteNavigation {
  const open = groupByEdition(survey.pages).map(openEdition).sort(compareEditions(undefined));
  const main = mainOf(open);
  open.sort(compareEditions(main?.language));
  const ownHome = survey.pageAtRoute('');
  const home =
    ownHome?.file === 'index.html'
      ? ownHome
      : {
          ...addedPage('index.html', name, { version: main?.version, language: main?.language }),
          description,
        };
  const builder = new FolderBuilder(survey);
  const editions = open.map((edition) =>
    builder.edition(edition, edition === main && home !== ownHome ? home : undefined),
  );
  const mainEdition = editions[main ? open.indexOf(main) : 0];
  if (home !== ownHome) {
    builder.overviews.set(home, mainEdition?.root);
    survey.addRoute('', home);
  }
  const places = new Map(editions.flatMap(placesOf));
  return {
    editions,
    mainEdition,
    home,
    overviews: builder.overviews,
    placeOf: (page) => places.get(page),
  };
}

function groupByEdition(pages: readonly SitePage[]): SitePage[][] {
  const groups = new Map<string, SitePage[]>();
  for (const page of pages) {
    const key = JSON.stringify([page.version, page.language]);
    const group = groups.get(key);
    if (group) group.push(page);
    else groups.set(key, [page]);
  }
  return [...groups.values()];
}

function openEdition(pages: readonly SitePage[]): OpenEdition {
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

/** The folder of `source` that is `depth` folders deep, those that name an edition not counted. */
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

/** Newest version first, no version last; within each `firstLanguage`, then by name. */
function compareEditions(
  firstLanguage: string | undefined,
): (one: OpenEdition, other: OpenEdition) => number {
  const isVersionless = ({ version }: OpenEdition): number => (version === undefined ? 1 : 0);
  const isForeign = ({ language }: OpenEdition): number => (language === firstLanguage ? 0 : 1);
  return (one, other) =>
    isVersionless(one) - isVersionless(other) ||
    compareVersions(one.version ?? '', other.version ?? '') ||
    compareNames(one.version ?? '', other.version ?? '') ||
    isForeign(one) - isForeign(other) ||
    compareNames(one.language ?? '', other.language ?? '');
}

/** The newest version in the site's own language, which is none or English. */
function mainOf(editions: readonly OpenEdition[]): OpenEdition | undefined {
  const whole = editions.filter((edition) => edition.byPath.size > 1);
  const candidates = whole.length > 0 ? whole : editions;
  const newest = candidates.filter(({ version }) => version === candidates[0]?.version);
  return (
    newest.find(({ language }) => language === undefined) ??
    newest.find(({ language }) => /^en\b/i.test(language ?? '')) ??
    newest[0]
  );
}

const collator = new Intl.Collator('en', { numeric: true });

/** `step-9` before `step-10`; equal only for the same name. */
function compareNames(one: string, other: string): number {
  return collator.compare(one, other) || (one < other ? -1 : one > other ? 1 : 0);
}

function addedPage(
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
    ...(version === undefined ? {} : { version }),
    ...(language === undefined ? {} : { language }),
  };
}

class FolderBuilder {
  readonly overviews = new Map<SitePage, NavFolder | undefined>();
  readonly #survey: SiteSurvey;

  constructor(survey: SiteSurvey) {
    this.#survey = survey;
  }

  /** @param home the page that stands for the edition, if the site adds it. */
  edition(edition: OpenEdition, home: SitePage | undefined): Edition {
    const { version, language, byPath } = edition;
    const pathOf = new Map([...byPath].map(([path, page]) => [page, path]));
    const root = this.#close(edition, edition.root, undefined, home);
    return { version, language, byPath, pathOf, root };
  }

  #close(
    edition: OpenEdition,
    open: OpenFolder,
    parent: NavFolder | undefined,
    standIn: SitePage | undefined,
  ): NavFolder {
    const own = open.pages.find(isFolderPage) ?? standIn;
    // A page `guides` beside the folder `guides` stands for the folder.
    const standIns = new Map<string, SitePage>();
    for (const page of open.pages) {
      const child = open.folders.get(routeOf(splitPath(page.source ?? '').name));
      if (child && page !== own && !child.pages.some(isFolderPage)) standIns.set(child.name, page);
    }
    const taken = new Set([own, ...standIns.values()]);
    const pages = open.pages.filter((page) => !taken.has(page)).sort(comparePages);
    const title = parent ? folderTitle(open.name) : rootTitle(edition);
    const addOverview = (): SitePage =>
      addedPage(this.#overviewFile(edition, open, parent, own), own?.title ?? title, edition);
    const landing = own ?? addOverview();
    const isLong = pages.length > MAX_NAV_ENTRIES || open.folders.size > MAX_NAV_ENTRIES;
    const isAdded = landing.source === undefined;
    const overview = isAdded ? landing : isLong ? addOverview() : undefined;
    const folders: NavFolder[] = [];
    const folder = {
      title: isAdded ? title : landing.title,
      source: open.source,
      parent,
      landing,
      overview,
      order: landing.order,
      pages,
      folders,
      pageCount: pages.length + (isAdded ? 0 : 1),
    };
    const children = [...open.folders.values()].map((child) => ({
      name: child.name,
      folder: this.#close(edition, child, folder, standIns.get(child.name)),
    }));
    children.sort(
      (one, other) =>
        compareOrders(one.folder.order, other.folder.order) || compareNames(one.name, other.name),
    );
    for (const child of children) {
      folders.push(child.folder);
      folder.pageCount += child.folder.pageCount;
    }
    if (overview) this.overviews.set(overview, folder);
    this.#survey.addRoute(open.source, folder.landing);
    return folder;
  }

  #overviewFile(
    { version, language }: OpenEdition,
    { source }: OpenFolder,
    parent: NavFolder | undefined,
    own: SitePage | undefined,
  ): string {
    const { paths } = this.#survey;
    if (own) return paths.file(source, 'all-pages.html');
    // Editions that share the root folder, told apart by front matter alone.
    if (!parent && source === '') {
      const name = [version, language].filter((part) => part !== undefined).join('-');
      return paths.file('', `${name === '' ? 'pages' : name}.html`);
    }
    return paths.file(source, 'index.html');
  }
}

function isFolderPage(page: SitePage): boolean {
  return /(?:^|\/)index\.html$/.test(page.file);
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

/** `rest-api` to `REST API`, `getting_started` to `Getting started`. */
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

/** `v2 · English`. */
export function editionTitle({ version, language }: Pick<Edition, 'version' | 'language'>): string {
  return [version, language === undefined ? undefined : languageName(language)]
    .filter((part) => part !== undefined)
    .join(' · ');
}

function rootTitle(edition: Pick<Edition, 'version' | 'language'>): string {
  return editionTitle(edition) || siteTexts(edition.language ?? '').otherPages;
}

/** Every page of the edition with its neighbours, in the order of the navigation. */
function placesOf(edition: Edition): [SitePage, PagePlace][] {
  const sequence: { page: SitePage; folder: NavFolder }[] = [];
  const add = (folder: NavFolder): void => {
    if (folder.landing.source !== undefined) sequence.push({ page: folder.landing, folder });
    for (const page of folder.pages) sequence.push({ page, folder });
    for (const child of folder.folders) add(child);
  };
  add(edition.root);
  return sequence.map(({ page, folder }, index) => [
    page,
    {
      edition,
      folder,
      previous: sequence[index - 1]?.page,
      next: sequence[index + 1]?.page,
    },
  ]);
}
