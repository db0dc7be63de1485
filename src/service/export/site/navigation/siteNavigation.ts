import * as v from 'valibot';
import { parsedJson } from '../../../../common/text/strings';
import { parsedAs } from '../../../../shared/schemas';
import { ConfiguredBuilder } from './configuredNavigation';
import {
  addedPage,
  compareNames,
  FolderBuilder,
  openEdition,
  type OpenEdition,
} from './folderNavigation';
import { type Edition, type PagePlace, pageSequence, type SiteNavigation } from './navigationModel';
import type { SitePage, SiteSurvey } from '../siteSurvey';
import { readDocsFile } from '../../../../docs/sources/docsFolder';
import { compareVersions } from '../../../../docs/pages/pageFilter';
import type { ConfiguredEntry } from '../../../../docs/siteConfig/configFiles';
import type { FolderCategory } from '../../../../docs/siteConfig/docusaurus';
import { plainLine } from '../../../../shared/characters';

interface SiteTitle {
  readonly name: string;
  /** Description in one sentence. Can be empty. */
  readonly description: string;
}

/** Schema of the fields of `docs.json` that are read for the title. */
const docsJsonSchema = v.object({
  name: v.optional(v.fallback(v.string(), ''), ''),
  description: v.optional(v.fallback(v.string(), ''), ''),
});
const MAX_DOCS_JSON_BYTES = 1024 * 1024;

/**
 * Returns the site's title and description. The title comes from `docs.json` in the docs folder, or else from
 * the home page, or else from the host (`Parcelwren` for `docs.parcelwren.com`).
 */
export async function readSiteTitle(
  root: string,
  siteHost: string,
  home: SitePage | undefined,
): Promise<SiteTitle> {
  const { name, description } = await readDocsJson(root);
  const ownTitle = home?.file === 'index.html' ? home.title : '';
  return {
    name: plainLine(name) || ownTitle || nameFromHost(siteHost),
    description: plainLine(description),
  };
}

async function readDocsJson(root: string): Promise<v.InferOutput<typeof docsJsonSchema>> {
  const none = { name: '', description: '' };
  const bytes = await readDocsFile(root, 'docs.json', MAX_DOCS_JSON_BYTES);
  if (!bytes) return none;
  return parsedAs(docsJsonSchema, parsedJson(new TextDecoder().decode(bytes))) ?? none;
}

function nameFromHost(siteHost: string): string {
  const labels = siteHost.replace(/:\d+$/, '').split('.');
  const isGeneral = /^(?:www|docs?|developers?|dev|help|support|learn|api)$/i.test(labels[0] ?? '');
  const label = (isGeneral && labels.length > 1 ? labels[1] : labels[0]) ?? siteHost;
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** The order and the titles of pages and folders, from the site's configuration. */
interface NavigationConfig {
  readonly navigation: readonly ConfiguredEntry[];
  /** Categories by folder. */
  readonly categories: ReadonlyMap<string, FolderCategory>;
}

/** Arranges the pages by version, language and folder, and adds the overview pages. */
export function buildNavigation(
  survey: SiteSurvey,
  { name, description }: SiteTitle,
  { navigation, categories }: NavigationConfig,
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

/**
 * Returns a function that compares editions. Newer versions come first, and editions without a version last.
 * Within a version, `firstLanguage` comes first, then the other languages by name.
 */
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

/**
 * Returns the edition of the newest version that names no language, or else the English one, or else the first.
 */
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

/** Returns every page of the edition with its previous and next page. Hidden pages have neither. */
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
