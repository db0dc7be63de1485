import {
  type ExampleLanguage,
  codeLanguageOf,
  codeLanguagesIn,
  isProgramming,
  isSameOrKin,
} from '../pages/codeLanguages';
import { compareVersions, isSameLanguageTag, isSameVersion } from '../pages/pageFilter';
import type { DocsPage, FoundSection } from '../pages/page';
import { routeOf } from '../pages/pagePath';
import { NOT_EXPORTED, type Section } from '../pages/sections';
import { pageKey, plainRoute } from '../pages/links';
import type { DocsIndex, IndexedSet, SectionHit } from './docsIndex';
import type { Query, SearchQuestion } from './query';
import type { AskFilter } from '../../shared/askFilter';

/** Returns the programming languages of a section's code. */
export function codeLanguagesOf(section: Section): ExampleLanguage[] {
  if (section.codeLanguages) return [...section.codeLanguages];
  return [...new Set(section.blocks.flatMap((block) => block.codeLanguage ?? []))];
}

/**
 * Returns whether two sections show the same example in different programming languages. Such sections have
 * the same parent, and their headings differ only in the name of the language.
 */
export function areAlternatives(one: FoundSection, other: FoundSection): boolean {
  // Every pair of hits is compared, and most pairs are of two pages. So this cheap check comes first.
  if (one.page !== other.page || one.section === other.section) return false;
  const [left, right] = [codeLanguagesOf(one.section), codeLanguagesOf(other.section)];
  if (left.length === 0 || right.length === 0) return false;
  if (left.some((language) => isProgramming(language) && right.includes(language))) return false;
  const place = ({ section }: FoundSection): string =>
    [...section.ancestors, withoutLanguages(section.heading)].join('\n');
  return place(one) === place(other);
}

function withoutLanguages(heading: string): string {
  return heading.replace(/[^\s,()]+/g, (word) => (codeLanguageOf(word) === undefined ? word : ''));
}

/** Minimum score of the parent section, as a share of the best hit's, to be shown first. */
const PARENT_SHARE = 0.6;

/** Moves the parent section to the front if the best hit is one of several examples of it in other languages. */
export function parentFirst(hits: readonly SectionHit[]): readonly SectionHit[] {
  const [best] = hits;
  if (!best || !hits.some((other) => areAlternatives(best, other))) return hits;
  const parent = hits.find(
    ({ page, section, score }) =>
      page === best.page &&
      section.heading === best.section.ancestors.at(-1) &&
      score >= best.score * PARENT_SHARE,
  );
  if (!parent) return hits;
  const rest = hits.filter((hit) => hit !== parent);
  return [{ ...parent, score: best.score }, ...rest];
}

/** Returns the route that a path or URL of a page names. */
function normaliseRoute(currentPath: string): string {
  const path = currentPath.replace(/^[a-z]+:\/\/[^/]+/i, '').replace(/[?#].*$/, '');
  return routeOf(
    path
      .replace(/^\/+|\/+$/g, '')
      .replace(/^docs\//, '')
      .replace(/\.html?$/, ''),
  );
}

/**
 * Returns the page that the reader views: the page at this route, or the only page whose route ends with it. If there
 * is none, the numbers that sort files don't count.
 */
export function findCurrentPage(
  index: DocsIndex,
  currentPath: string | undefined,
): DocsPage | undefined {
  if (currentPath === undefined) return undefined;
  const route = normaliseRoute(currentPath);
  const exact = index.sets.flatMap((set) => set.pageAtRoute(route) ?? []);
  if (exact.length > 0 || route === '') return exact.length === 1 ? exact[0] : undefined;
  const pages = [...index.pages()];
  const candidates = pages.filter((page) => page.route.endsWith(`/${route}`));
  if (candidates.length > 0) return candidates.length === 1 ? candidates[0] : undefined;
  const numbered = pages.filter((page) => `/${plainRoute(page.route)}`.endsWith(`/${route}`));
  return numbered.length === 1 ? numbered[0] : undefined;
}

/**
 * Returns the score factor for a page near the viewed one: 1.5 for the page itself, 1.25 for pages of its
 * folder, 1.1 for pages of its top folder, and 1 for others.
 */
function nearness(route: string, current: string | undefined): number {
  if (current === undefined || current === '') return 1;
  if (route === current || route.endsWith(`/${current}`)) return 1.5;
  const folder = current.split('/').slice(0, -1);
  if (folder.length === 0) return 1;
  const pageFolder = route.split('/').slice(0, -1).join('/');
  if (pageFolder === folder.join('/') || pageFolder.endsWith(`/${folder.join('/')}`)) return 1.25;
  return route.startsWith(`${folder[0] ?? ''}/`) ? 1.1 : 1;
}

/**
 * Minimum score of the best section in the preferred language or version, as a share of the best score, to
 * leave out the others. It is lower for languages because readers prefer their own.
 */
const REPLACES_OTHER_VERSION = 0.75;
const REPLACES_OTHER_LANGUAGE = 0.5;
/** Factors for the scores of sections that are not in the preferred version or language. */
const OTHER_VERSION = 0.45;
const OTHER_LANGUAGE = 0.5;

/** Factor for the score of what defines a name of code that the question has: a section, or a page with this title. */
const NAMED = 1.5;
/** Factor for the score of the sections of a page of which the question is the title. */
const TITLED = 3;
/** Factor for the score of a section that has a message of an error. */
const HAS_MESSAGE = 2;
/**
 * Factor for a section of an API that has only code, or of a type that code can't import: others explain what its name
 * repeats, such as that of an option.
 */
const UNEXPLAINED = 0.6;

/**
 * Paths of pages that mention everything and explain little: notes for coding agents, parts that other pages
 * include, changelogs, release notes, rules for contributors and posts with a date.
 */
const secondary =
  /(?:^|\/)(?:AGENTS?|CLAUDE|GEMINI|SKILL|copilot-instructions|llms(?:-full)?)\.\w+$|(?:^|\/)\.[a-z]+\/|(?:^|\/)_?(?:snippets?|partials?|includes?|fixtures?|templates?)\/|(?:^|\/)_[^/]+$|(?:^|\/)(?:change-?logs?|history|release-?notes?|releases?|whats-?new|news|blogs?|posts?|contributing|code[-_]of[-_]conduct)(?:\/|[-_.\d]*\.\w+$|[-_]\d)|^changes[-_.\d]*\.\w+$|(?:^|\/)\d{4}-\d{2}-\d{2}[-_.]/i;

/**
 * Pages of the API that code imports with a subpath, such as `zod/v4/core`. The module with the package's own name has
 * what most code needs, and the others repeat it for older versions, for other builds and for tools.
 */
const sideModule = /^api\/(?:@[^/]+\/)?[^/@]+\/./;
const declarations = /\.d\.[cm]?ts(?:\/|$)/;

/** Factor for the score of such pages. They still answer what no other page does. */
const SECONDARY = 0.7;

/** Version and language of a set that a question implies. */
interface PreferredEdition {
  readonly version: string | undefined;
  readonly language: string | undefined;
}

/** The page, version and languages that a question implies. Ranks sections that match them first. */
export class Preferences {
  readonly #route: string | undefined;
  readonly #isVersionNamed: boolean;
  readonly #index: DocsIndex;
  /** Preferred version and language of each set. */
  readonly #bySet: ReadonlyMap<IndexedSet, PreferredEdition>;
  /**
   * Programming language that the question names, or the language of the attached code, or the one that the
   * viewed page's title names.
   */
  readonly codeLanguage: ExampleLanguage | undefined;
  readonly #citedRoutes: ReadonlySet<string>;
  readonly #query: Query;

  constructor(
    index: DocsIndex,
    question: SearchQuestion,
    query: Query,
    filter: AskFilter | null | undefined,
    currentPage: DocsPage | undefined,
  ) {
    this.#query = query;
    this.#index = index;
    this.#route =
      currentPage?.route ??
      (question.currentPath === undefined ? undefined : normaliseRoute(question.currentPath));
    const namedIn = ({ versions }: Pick<IndexedSet, 'versions'>): string | undefined =>
      versions
        .toSorted(compareVersions)
        .find((version) => query.versions.some((asked) => isSameVersion(version, asked)));
    this.#isVersionNamed = namedIn(index) !== undefined;
    const { readerLanguage } = query;
    this.#bySet = new Map(
      index.sets.map((set) => {
        const viewed = currentPage && index.setOf(currentPage) === set ? currentPage : undefined;
        const canRead = readerLanguage !== undefined && set.hasLanguage(readerLanguage);
        const edition = {
          version: filter?.version ?? namedIn(set) ?? viewed?.version ?? set.currentVersion,
          language:
            filter?.language ?? (canRead ? readerLanguage : (viewed?.language ?? set.mainLanguage)),
        };
        return [set, edition];
      }),
    );
    this.codeLanguage =
      query.codeLanguage ?? codeLanguagesIn(currentPage?.title ?? '').find(isProgramming);
    this.#citedRoutes = new Set(query.isFollowUp ? question.earlier.at(-1)?.citedRoutes : []);
  }

  /**
   * Returns the factor for the score of a section.
   * @param readFor whether its text is read for what defines a name of the question, and for a message of an error.
   */
  factor(
    found: SectionHit,
    readFor: { readonly names: boolean; readonly messages: boolean },
  ): number {
    const { page } = found;
    let factor = nearness(page.route, this.#route);
    if (!this.#isPreferredVersion(page)) factor *= OTHER_VERSION;
    if (!this.#isPreferredLanguage(page)) factor *= OTHER_LANGUAGE;
    factor *= kindFactor(page);
    if (this.#query.topic.isName(page.title)) factor *= TITLED;
    if (this.#citedRoutes.has(pageKey(page))) factor *= 1.4;
    if (readFor.messages && this.#query.messages.isIn(found)) factor *= HAS_MESSAGE;
    return factor * this.#nameFactor(found, readFor.names) * this.#codeFactor(found);
  }

  /**
   * Removes sections in other languages and versions if the preferred ones match about as well.
   * @param relevanceOf returns the share of the question's topic that a section has.
   */
  keepPreferred(
    hits: readonly SectionHit[],
    relevanceOf: (hit: SectionHit) => number,
  ): readonly SectionHit[] {
    const inLanguage = hits.filter(({ page }) => this.#isPreferredLanguage(page));
    const isTranslated = bestScore(inLanguage) >= bestScore(hits) * REPLACES_OTHER_LANGUAGE;
    const kept = isTranslated ? inLanguage : hits;
    const inVersion = kept.filter(({ page }) => this.#isPreferredVersion(page));
    // A section stays if only another version has it. It goes if the preferred version replaces it.
    if (this.#isVersionNamed) return inVersion.length > 0 ? inVersion : kept;
    if (bestScore(inVersion) < bestScore(kept) * REPLACES_OTHER_VERSION) return kept;
    const covered = Math.max(0, ...inVersion.map(relevanceOf));
    return kept.filter((hit) => this.#isPreferredVersion(hit.page) || relevanceOf(hit) > covered);
  }

  #isPreferredVersion(page: DocsPage): boolean {
    const version = this.#bySet.get(this.#index.setOf(page))?.version;
    return (
      version === undefined || page.version === undefined || isSameVersion(page.version, version)
    );
  }

  #isPreferredLanguage(page: DocsPage): boolean {
    const set = this.#index.setOf(page);
    const preferred = this.#bySet.get(set)?.language;
    const language = set.languageOf(page);
    return (
      preferred === undefined || language === undefined || isSameLanguageTag(language, preferred)
    );
  }

  /**
   * Returns the factor for what defines a name of the question, in upper and lower case as it is there
   * (`QueryOptions` isn't `queryOptions`). Other sections can name code in passing.
   */
  #nameFactor(hit: SectionHit, isRead: boolean): number {
    const { page, section, matched } = hit;
    const { names } = this.#query;
    if (section.place === undefined) {
      if (names.isTitle(page.title)) return NAMED;
      // Flags of one letter have no terms.
      const canDefine =
        names.terms.size === 0 || [...names.terms].some((term) => matched.has(term));
      return isRead && canDefine && names.isDefinedIn(hit) ? NAMED : 1;
    }
    if (names.isOfApi(section)) return NAMED;
    const isInternal = section.blocks[0]?.markdown === NOT_EXPORTED;
    return isInternal || section.blocks.every(({ kind }) => kind === 'code') ? UNEXPLAINED : 1;
  }

  /** Returns the factor for examples in the programming language that the reader uses. */
  #codeFactor({ page, section }: FoundSection): number {
    const wanted = this.codeLanguage;
    if (wanted === undefined) return 1;
    const isAsked = this.#query.askedCodeLanguage !== undefined;
    const isOfWanted = (language: ExampleLanguage): boolean => isSameOrKin(language, wanted);
    const languages = codeLanguagesOf(section);
    if (languages.some(isOfWanted) || codeLanguagesIn(page.title).some(isOfWanted)) {
      return isAsked ? 1.5 : 1.2;
    }
    return languages.some(isProgramming) && isAsked ? 0.7 : 1;
  }
}

function bestScore(hits: readonly SectionHit[]): number {
  return Math.max(0, ...hits.map(({ score }) => score));
}

/** Returns the factor for a page's score by its place in the docs. */
function kindFactor({ path, route }: Pick<DocsPage, 'path' | 'route'>): number {
  const isSide = sideModule.test(route) && declarations.test(path);
  return isSide || secondary.test(path) ? SECONDARY : 1;
}
