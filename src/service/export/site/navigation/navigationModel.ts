import type { SitePage } from '../siteSurvey';
import { languageName, siteTexts } from '../siteTexts';

/** An entry of a folder in the navigation. */
export type NavEntry =
  | { readonly kind: 'page'; readonly page: SitePage }
  | { readonly kind: 'folder'; readonly folder: NavFolder }
  /** A section of a page that has its own entry. */
  | {
      readonly kind: 'section';
      readonly page: SitePage;
      /** Fragment as the configuration writes it, without `#`. */
      readonly fragment: string;
      readonly title: string;
    }
  /** A page on another site. */
  | { readonly kind: 'link'; readonly href: string; readonly title: string };

/** A folder or group of an edition. Folders that only name a version or language are left out. */
export interface NavFolder {
  readonly title: string;
  /** Path below the docs folder. */
  readonly source: string;
  readonly parent: NavFolder | undefined;
  /** Target of links to the folder. */
  readonly landing: SitePage;
  /** The landing page, if it is a page of the docs and not in `entries`. */
  readonly ownPage: SitePage | undefined;
  /** The page that lists the folder, if the site adds one. */
  readonly overview: SitePage | undefined;
  readonly order: number;
  readonly entries: readonly NavEntry[];
  /** Pages among the entries, in their order. */
  readonly pages: readonly SitePage[];
  readonly folders: readonly NavFolder[];
  /** Number of pages in the folder and below it. */
  readonly pageCount: number;
}

/** The pages of one version in one language. */
export interface Edition {
  readonly version: string | undefined;
  readonly language: string | undefined;
  readonly root: NavFolder;
  /** Pages by their path within the edition. The same page has the same path in every edition. */
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
  /** Editions, newest version first. */
  readonly editions: readonly Edition[];
  /** Edition for readers without a preference. Undefined if there are no pages. */
  readonly mainEdition: Edition | undefined;
  /** The page `index.html`. */
  readonly home: SitePage;
  /**
   * Pages that the site adds, each with the folder that it lists. If the docs have no pages, the value for the
   * home page is undefined.
   */
  readonly overviews: ReadonlyMap<SitePage, NavFolder | undefined>;
  /** Paths that the configuration's navigation lists but that have no page. */
  readonly missing: readonly string[];
  placeOf(page: SitePage): PagePlace | undefined;
  /** Returns the title of a page in lists of pages. */
  titleOf(page: SitePage): string;
}

/**
 * Maximum number of a folder's entries in a navigation. For more entries, the site adds an overview
 * page.
 */
export const MAX_NAV_ENTRIES = 40;

/** Returns the title of an edition, such as `v2 · English`. */
export function editionTitle({ version, language }: Pick<Edition, 'version' | 'language'>): string {
  return [version, language === undefined ? undefined : languageName(language)]
    .filter((part) => part !== undefined)
    .join(' · ');
}

export function rootTitle(edition: Pick<Edition, 'version' | 'language'>): string {
  return editionTitle(edition) || siteTexts(edition.language).otherPages;
}

/** Returns the folders from the edition's root down to a folder. */
export function trailOf(folder: NavFolder | undefined): NavFolder[] {
  const trail: NavFolder[] = [];
  for (let next = folder; next; next = next.parent) trail.unshift(next);
  return trail;
}

/** Returns an edition's pages with the folder of each, in the order of the navigation. */
export function pageSequence(root: NavFolder): { page: SitePage; folder: NavFolder }[] {
  const sequence: { page: SitePage; folder: NavFolder }[] = [];
  const add = (folder: NavFolder): void => {
    if (folder.ownPage) sequence.push({ page: folder.ownPage, folder });
    for (const entry of folder.entries) {
      if (entry.kind === 'page') sequence.push({ page: entry.page, folder });
      else if (entry.kind === 'folder') add(entry.folder);
    }
  };
  add(root);
  return sequence;
}
