import { slug } from 'github-slugger';
import {
  addedPage,
  type FolderBuilder,
  isFolderPage,
  openEdition,
  type OpenEdition,
  type OpenFolder,
} from './folderNavigation';
import {
  type Edition,
  MAX_NAV_ENTRIES,
  type NavEntry,
  type NavFolder,
  pageSequence,
  rootTitle,
  trailOf,
} from './navigationModel';
import { splitPath } from '../sitePaths';
import type { SitePage, SiteSurvey } from '../siteSurvey';
import { siteTexts } from '../siteTexts';
import { pageFor } from '../../../../docs/pages/links';
import type { ConfiguredEntry } from '../../../../docs/siteConfig/configFiles';

/** A group with the entries that exist in the edition. */
interface PlannedGroup {
  readonly title: string;
  readonly own: SitePage | undefined;
  readonly entries: readonly PlannedEntry[];
}

type PlannedEntry =
  | Exclude<NavEntry, { readonly kind: 'folder' }>
  | { readonly kind: 'group'; readonly group: PlannedGroup }
  | { readonly kind: 'open'; readonly open: OpenFolder };

type Labels = Pick<Edition, 'version' | 'language'>;

/**
 * Arranges pages as the site's configuration lists them. Pages that the configuration does not list come last,
 * by folder, so that readers can reach every page.
 */
export class ConfiguredBuilder {
  readonly titles = new Map<SitePage, string>();
  readonly missing = new Set<string>();
  readonly #survey: SiteSurvey;
  readonly #folders: FolderBuilder;
  readonly #entries: readonly ConfiguredEntry[];

  constructor(survey: SiteSurvey, folders: FolderBuilder, entries: readonly ConfiguredEntry[]) {
    this.#survey = survey;
    this.#folders = folders;
    this.#entries = entries;
  }

  /**
   * Arranges the pages of an edition.
   * @param pages all pages of the edition.
   * @param home the site's added home page, if it is the first page of this edition.
   * @returns undefined if the configuration lists none of the pages.
   */
  edition(
    edition: OpenEdition,
    pages: readonly SitePage[],
    home: SitePage | undefined,
  ): Edition | undefined {
    const { version, language, byPath } = edition;
    const plan = new EditionPlan(this.#survey, pages, this);
    const entries = plan.entries(this.#entries);
    if (plan.listed.size === 0) return undefined;
    const first = edition.root.pages.find(isFolderPage) ?? home;
    const own = first && !plan.listed.has(first) ? first : undefined;
    const root = this.#root(edition, entries, own ?? first);
    this.#survey.addRoute(root.source, root.landing);
    this.#leadFolders(root);
    const rest = pages.filter((page) => !page.isHidden && page !== own && !plan.listed.has(page));
    if (rest.length > 0) {
      const open = openEdition(rest).root;
      const name = siteTexts(language).otherPages;
      const folder = this.#folders.close(edition, { ...open, name }, root, undefined);
      root.entries.push({ kind: 'folder', folder });
      root.folders.push(folder);
      root.pageCount += folder.pageCount;
    }
    const pathOf = new Map([...byPath].map(([path, page]) => [page, path]));
    return { version, language, byPath, pathOf, root };
  }

  #root(
    edition: OpenEdition,
    entries: readonly PlannedEntry[],
    landing: SitePage | undefined,
  ): FilledFolder {
    const own = landing?.source === undefined ? undefined : landing;
    const isListed = own !== undefined && planned(entries).includes(own);
    const group = { title: rootTitle(edition), own: isListed ? undefined : own, entries };
    return this.#fill(edition, group, {
      source: edition.root.source,
      parent: undefined,
      landing: landing ?? this.#overview(edition, group),
    });
  }

  #fill(
    labels: Labels,
    group: PlannedGroup,
    given: Pick<NavFolder, 'source' | 'parent' | 'landing'>,
  ): FilledFolder {
    const pages = group.entries.flatMap((entry) => (entry.kind === 'page' ? [entry.page] : []));
    const isAdded = given.landing.source === undefined;
    const isLong = group.entries.length > MAX_NAV_ENTRIES;
    const folder: FilledFolder = {
      ...given,
      title: group.title,
      ownPage: group.own,
      overview: isAdded ? given.landing : isLong ? this.#overview(labels, group) : undefined,
      order: Infinity,
      entries: [],
      pages,
      folders: [],
      pageCount: pages.length + (group.own ? 1 : 0),
    };
    if (folder.overview) this.#folders.overviews.set(folder.overview, folder);
    for (const entry of group.entries) {
      if (entry.kind !== 'group' && entry.kind !== 'open') {
        folder.entries.push(entry);
        continue;
      }
      const child =
        entry.kind === 'open'
          ? this.#folders.close(labels, entry.open, folder, undefined)
          : this.#group(labels, entry.group, folder);
      folder.entries.push({ kind: 'folder', folder: child });
      folder.folders.push(child);
      folder.pageCount += child.pageCount;
    }
    return folder;
  }

  #group(labels: Labels, group: PlannedGroup, parent: NavFolder): NavFolder {
    return this.#fill(labels, group, {
      source: commonFolder(planned(group.entries)),
      parent,
      landing: group.own ?? this.#overview(labels, group),
    });
  }

  /** Creates the page that lists a group. */
  #overview(labels: Labels, group: PlannedGroup): SitePage {
    const { paths } = this.#survey;
    const folder = commonFolder(planned(group.entries));
    const hasIndex =
      folder === '' || group.own !== undefined || this.#survey.pageAtRoute(folder) !== undefined;
    const file = hasIndex
      ? paths.file(folder, `${slug(group.title) || 'pages'}.html`)
      : paths.file(folder, 'index.html');
    const page = addedPage(file, group.own?.title ?? group.title, labels);
    if (!hasIndex) this.#survey.addRoute(folder, page);
    return page;
  }

  /** Makes links to a folder without a page lead to the group that contains the folder's pages. */
  #leadFolders(root: NavFolder): void {
    const holders = new Map<string, { trail: readonly NavFolder[]; first: SitePage }>();
    for (const { page, folder } of pageSequence(root)) {
      const trail = trailOf(folder);
      for (let path = splitPath(page.source ?? '').folder; path !== '';) {
        const known = holders.get(path);
        const end = known?.trail.findIndex((holder, index) => holder !== trail[index]) ?? -1;
        holders.set(path, {
          trail: known ? known.trail.slice(0, end < 0 ? undefined : end) : trail,
          first: known?.first ?? page,
        });
        path = splitPath(path).folder;
      }
    }
    for (const [path, { trail, first }] of holders) {
      const holder = trail.at(-1);
      this.#survey.addRoute(path, holder && holder !== root ? holder.landing : first);
    }
  }
}

/** A folder of the navigation that is still being filled. */
interface FilledFolder extends NavFolder {
  readonly entries: NavEntry[];
  readonly folders: NavFolder[];
  pageCount: number;
}

/** The configuration's entries for one edition. */
class EditionPlan {
  readonly listed = new Set<SitePage>();
  readonly #survey: SiteSurvey;
  readonly #available: ReadonlySet<SitePage>;
  readonly #pages: readonly SitePage[];
  readonly #notes: Pick<ConfiguredBuilder, 'titles' | 'missing'>;

  constructor(
    survey: SiteSurvey,
    pages: readonly SitePage[],
    notes: Pick<ConfiguredBuilder, 'titles' | 'missing'>,
  ) {
    this.#survey = survey;
    this.#pages = pages.filter(({ isHidden }) => !isHidden);
    this.#available = new Set(this.#pages);
    this.#notes = notes;
  }

  entries(configured: readonly ConfiguredEntry[]): PlannedEntry[] {
    return configured.flatMap((entry) => this.#entry(entry));
  }

  #entry(entry: ConfiguredEntry): PlannedEntry[] {
    switch (entry.kind) {
      case 'link':
        return [entry];
      case 'page':
        return this.#page(entry);
      case 'edition': {
        const entries = this.entries(entry.entries);
        return planned(entries).length > 0 ? entries : [];
      }
      case 'group':
        return this.#group(entry);
      case 'folder':
        return this.#folder(entry.folder);
    }
  }

  #page(entry: Extract<ConfiguredEntry, { readonly kind: 'page' }>): PlannedEntry[] {
    const { fragment, title } = entry;
    const page = this.#find(entry.path);
    if (!page) return [];
    if (fragment !== undefined) {
      return [{ kind: 'section', page, fragment, title: title ?? fragment }];
    }
    if (!this.#take(page, title)) return [];
    return [{ kind: 'page', page }];
  }

  #group(group: Extract<ConfiguredEntry, { readonly kind: 'group' }>): PlannedEntry[] {
    if (group.isHidden === true) return [];
    const landing = group.landing === undefined ? undefined : this.#find(group.landing);
    const own = landing && this.#take(landing, undefined) ? landing : undefined;
    const entries = this.entries(group.entries);
    const [only] = entries;
    if (planned(entries).length === 0) {
      // A group without other pages is dropped, but its links and its own page stay.
      if (own) this.#notes.titles.set(own, group.title);
      return own ? [{ kind: 'page', page: own }, ...entries] : entries;
    }
    if (only?.kind === 'open' && entries.length === 1 && !own) {
      return [{ kind: 'open', open: { ...only.open, name: group.title } }];
    }
    return [{ kind: 'group', group: { title: group.title, own, entries } }];
  }

  #folder(source: string): PlannedEntry[] {
    const pages = this.#pages.filter(
      (page) => !this.listed.has(page) && page.source?.startsWith(`${source}/`),
    );
    let open: OpenFolder | undefined = openEdition(pages).root;
    // Descends to the folder itself, because its pages keep their path from the root.
    while (open && open.source.length < source.length) open = [...open.folders.values()][0];
    if (!open || pages.length === 0) return [];
    for (const page of pages) this.listed.add(page);
    return [{ kind: 'open', open }];
  }

  #find(path: string): SitePage | undefined {
    const page = pageFor(this.#survey, path);
    if (!page) this.#notes.missing.add(path);
    return page && this.#available.has(page) ? page : undefined;
  }

  /**
   * Claims a page for this position of the navigation. Each page is listed once.
   * @returns false if the page is already listed elsewhere.
   */
  #take(page: SitePage, title: string | undefined): boolean {
    if (this.listed.has(page)) return false;
    this.listed.add(page);
    if (title !== undefined) this.#notes.titles.set(page, title);
    return true;
  }
}

/** Returns the pages of the entries and of all groups in them. */
function planned(entries: readonly PlannedEntry[]): SitePage[] {
  return entries.flatMap((entry): SitePage[] => {
    switch (entry.kind) {
      case 'page':
        return [entry.page];
      case 'group':
        return [...(entry.group.own ? [entry.group.own] : []), ...planned(entry.group.entries)];
      case 'open':
        return pagesIn(entry.open);
      default:
        return [];
    }
  });
}

function pagesIn({ pages, folders }: OpenFolder): SitePage[] {
  return [...pages, ...[...folders.values()].flatMap(pagesIn)];
}

/** Returns the deepest folder that contains all of the pages. */
function commonFolder(pages: readonly SitePage[]): string {
  const [first, ...others] = pages.map(({ source = '' }) => source.split('/').slice(0, -1));
  let common = first ?? [];
  for (const names of others) {
    const end = common.findIndex((name, index) => name !== names[index]);
    if (end >= 0) common = common.slice(0, end);
  }
  return common.join('/');
}
