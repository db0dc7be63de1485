import type { SitePage } from './siteSurvey';
import { languageName, siteTexts } from './siteTexts';

/** What stands in a folder of the navigation, in its order. */
export type NavEntry =
  | { readonly kind: 'page'; readonly page: SitePage }
  | { readonly kind: 'folder'; readonly folder: NavFolder }
  /** A section of a page that has its own place in the navigation. */
  | {
      readonly kind: 'section';
      readonly page: SitePage;
      /** As the configuration has it, without `#`. */
      readonly fragment: string;
      readonly title: string;
    }
  /** A page of another site. */
  | { readonly kind: 'link'; readonly href: string; readonly title: string };

/** A folder or group of an edition, as readers see it: without the folders that name version and language. */
export interface NavFolder {
  readonly title: string;
  /** Below the docs folder. */
  readonly source: string;
  readonly parent: NavFolder | undefined;
  /** What a link to the folder leads to. */
  readonly landing: SitePage;
  /** The landing page, where it is one of the docs and none of the entries. */
  readonly ownPage: SitePage | undefined;
  /** The page that lists the folder, where the site adds one. */
  readonly overview: SitePage | undefined;
  readonly order: number;
  readonly entries: readonly NavEntry[];
  /** Those of the entries, in their order. */
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
  /** Paths that the configuration's navigation lists and where no page is. */
  readonly missing: readonly string[];
  placeOf(page: SitePage): PagePlace | undefined;
  /** Returns what a page is called in lists of pages. */
  titleOf(page: SitePage): string;
}

/** Entries of one folder that a navigation shows; with more, the site adds an overview page. */
export const MAX_NAV_ENTRIES = 40;

/** `v2 · English`. */
export function editionTitle({ version, language }: Pick<Edition, 'version' | 'language'>): string {
  return [version, language === undefined ? undefined : languageName(language)]
    .filter((part) => part !== undefined)
    .join(' · ');
}

export function rootTitle(edition: Pick<Edition, 'version' | 'language'>): string {
  return editionTitle(edition) || siteTexts(edition.language ?? '').otherPages;
}

/** Returns the folders from the edition's own down to the given one. */
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
