import { compareVersions } from '../pageVariants';
import type { FolderCategory } from '../siteConfig/docusaurus';
import type { ConfiguredEntry } from '../siteConfig/siteConfig';
import { ConfiguredBuilder } from './configuredNavigation';
import {
  addedPage,
  compareNames,
  FolderBuilder,
  openEdition,
  type OpenEdition,
} from './folderNavigation';
import { pageSequence, type Edition, type PagePlace, type SiteNavigation } from './navigationModel';
import type { SiteTitle } from './siteTitle';
import type { SitePage, SiteSurvey } from './siteSurvey';

/** What the site's configuration says of order and titles. */
export interface NavigationConfig {
  readonly navigation: readonly ConfiguredEntry[];
  /** By folder. */
  readonly categories?: ReadonlyMap<string, FolderCategory>;
}

/** Arranges the pages by version, language and folder, and adds the pages that lead to them. */
export function buildNavigation(
  survey: SiteSurvey,
  { name, description }: SiteTitle,
  { navigation, categories }: NavigationConfig = { navigation: [] },
): SiteNavigation {
  const pagesOf = new Map(groupByEdition(survey.pages).map((pages) => [openEdition(pages), pages]));
  const open = [...pagesOf.keys()].sort(compareEditions(undefined));
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
  const builder = new FolderBuilder(survey, categories);
  const configured = new ConfiguredBuilder(survey, builder, navigation);
  const editions = open.map((edition) => {
    const standIn = edition === main && home !== ownHome ? home : undefined;
    const pages = pagesOf.get(edition) ?? [];
    return configured.edition(edition, pages, standIn) ?? builder.edition(edition, standIn);
  });
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
    missing: [...configured.missing],
    placeOf: (page) => places.get(page),
    titleOf: (page) => configured.titles.get(page) ?? page.navTitle ?? page.title,
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

/** Returns every page of the edition with its neighbours, hidden pages without. */
function placesOf(edition: Edition): [SitePage, PagePlace][] {
  const sequence = pageSequence(edition.root);
  const alone = { edition, folder: edition.root, previous: undefined, next: undefined };
  return [
    ...[...edition.pathOf.keys()].map((page): [SitePage, PagePlace] => [page, alone]),
    ...sequence.map(({ page, folder }, index): [SitePage, PagePlace] => [
      page,
      {
        edition,
        folder,
        previous: sequence[index - 1]?.page,
        next: sequence[index + 1]?.page,
      },
    ]),
  ];
}
