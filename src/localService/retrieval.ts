import {
  codeLanguageOf,
  codeLanguagesIn,
  isProgramming,
  isSameOrKin,
  type CodeLanguage,
} from './codeLanguages';
import type { DocsIndex, FoundSection, SectionHit } from './docsIndex';
import type { RequestFilter } from './messageSchema';
import { routeOf, type DocsPage, type Section } from './page';
import { buildQuery, type Query, type Question } from './query';
import { indexText, termsOf } from './terms';

/** What was found for a question, best first. */
export interface Retrieval {
  readonly query: Query;
  readonly sections: readonly RetrievedSection[];
  /** Of several examples of the same, the one to show. */
  readonly codeLanguage?: CodeLanguage;
}

export interface RetrievedSection extends FoundSection {
  /** How well it matches, as a share of the best one: 0 to 1. */
  readonly strength: number;
}

/** Share of a question's subject, by how telling its words are, that the best section must have. */
const MIN_RELEVANCE = 0.4;
/** The same for each further section, as a share of the best one's. */
const MIN_SHARE_OF_BEST = 0.4;
/** Hits that are looked at more closely. */
const CANDIDATES = 200;
/** Share of common terms from which two sections say the same. */
const SAME_TEXT = 0.8;

/**
 * Finds the sections to answer from, at most `pageSize`; none if the docs say nothing about the
 * question. Filters exclude; the page, version and language that the question implies are preferred.
 */
export function retrieve(
  index: DocsIndex,
  question: Question,
  filter: RequestFilter | null | undefined,
  pageSize: number,
): Retrieval {
  const query = buildQuery(question, index);
  const accepts = (page: DocsPage): boolean => passesFilter(page, filter);
  const currentPage = findCurrentPage(index, question.currentPath);
  if (query.terms.size === 0 || (query.own.size === 0 && isAboutCurrentPage(query, currentPage))) {
    const sections = currentPage && accepts(currentPage) ? currentPage.sections : [];
    const found = sections.map((section) => ({ page: currentPage, section, strength: 1 }));
    return { query, sections: found.filter(hasPage).slice(0, pageSize) };
  }
  const preferences = new Preferences(index, question, query, filter, currentPage);
  const relevant = index
    .search(query.terms, accepts, CANDIDATES)
    .map((hit) => ({ hit, relevance: relevanceOf(hit, query, index) }))
    .filter(({ relevance }) => relevance > 0)
    .map(({ hit, relevance }) => ({
      hit,
      relevance,
      score: hit.score * (0.3 + relevance) * preferences.factor(hit),
    }))
    .sort((one, other) => other.score - one.score);
  const best = Math.max(0, ...relevant.slice(0, 5).map(({ relevance }) => relevance));
  if (best < MIN_RELEVANCE) return { query, sections: [] };
  const candidates = relevant
    .filter(({ relevance }) => relevance >= Math.max(best * MIN_SHARE_OF_BEST, 0.2))
    .map(({ hit, relevance, score }) => ({ ...hit, relevance, score }));
  const kept = preferences.keepPreferred(candidates);
  const { codeLanguage } = preferences;
  if (codeLanguage !== undefined) {
    return { query, sections: distinct(kept, pageSize), codeLanguage };
  }
  const ordered = parentFirst(alternativesInPageOrder(kept));
  return { query, sections: distinct(ordered, pageSize) };
}

function hasPage<T extends { page: DocsPage | undefined }>(
  found: T,
): found is T & { page: DocsPage } {
  return found.page !== undefined;
}

/** "What is this page about?": no word of its own, no code, no turn before. */
function isAboutCurrentPage(query: Query, currentPage: DocsPage | undefined): boolean {
  return currentPage !== undefined && !query.isFollowUp && !query.isAboutContext;
}

/** Words that occur nowhere else which together prove a section to be about the question. */
const PROOF_WORDS = 2;
/** A word that the docs do not know at all speaks against the question being about them. */
const FOREIGN_WEIGHT = 1.5;

/** From 0 to 1: how much of what the question is about the section mentions. */
function relevanceOf(hit: SectionHit, query: Query, index: DocsIndex): number {
  const own = [...query.own];
  if (
    query.isFollowUp &&
    own.length > 0 &&
    !own.some((term) => hit.matched.has(term) || index.has(term))
  ) {
    // "And the weather?" is no question about the topic before.
    return 0;
  }
  const share = Math.max(shareOf(query, hit, index), proofOf(own, hit, index));
  if (!query.isAboutContext) return share;
  const contextMatches = [...query.terms.keys()].filter(
    (term) => !query.subject.has(term) && hit.matched.get(term) === 1,
  );
  const contextShare = Math.min(1, contextMatches.length / 4);
  return own.length === 0 ? contextShare : Math.max(share, (share + contextShare) / 2);
}

/** The first part of a split compound is only ever found as the beginning of another one. */
function creditOf(term: string, hit: SectionHit, query: Query): number {
  const credit = hit.matched.get(term) ?? 0;
  return credit > 0 && query.beginnings.has(term) ? Math.max(credit, 0.8) : credit;
}

function shareOf(query: Query, hit: SectionHit, index: DocsIndex): number {
  let all = 0;
  let found = 0;
  for (const [term, weight] of query.subject) {
    const worth = weight * index.rarity(term) * (index.has(term) ? 1 : FOREIGN_WEIGHT);
    all += worth;
    found += worth * creditOf(term, hit, query);
  }
  return all === 0 ? 0 : found / all;
}

/** Several telling words in one section are no accident, whatever else the question says. */
function proofOf(own: readonly string[], hit: SectionHit, index: DocsIndex): number {
  const matched = own.filter((term) => hit.matched.get(term) === 1);
  if (matched.length < 2) return 0;
  const proof = matched.reduce((sum, term) => sum + index.rarity(term), 0);
  return Math.min(1, proof / (PROOF_WORDS * index.greatestRarity));
}

/** Whether a page is within the filter. A page that names no version (…) is within no version. */
export function passesFilter(page: DocsPage, filter: RequestFilter | null | undefined): boolean {
  if (!filter) return true;
  const { version, language, groups } = filter;
  if (version !== undefined && version !== '' && !isSameVersion(page.version, version))
    return false;
  if (language !== undefined && language !== '' && !isSameLanguage(page.language, language))
    return false;
  if (groups === undefined || groups.length === 0) return true;
  const wanted = new Set(groups.map((group) => group.toLowerCase()));
  return page.groups.some((group) => wanted.has(group.toLowerCase()));
}

function isSameVersion(one: string | undefined, other: string): boolean {
  const plain = (version: string): string =>
    version
      .trim()
      .toLowerCase()
      .replace(/^v(?=\d)/, '');
  return one !== undefined && plain(one) === plain(other);
}

/** `en` and `en-US` are one language for a reader. */
function isSameLanguage(one: string | undefined, other: string): boolean {
  const base = (language: string): string => language.trim().toLowerCase().split(/[-_]/)[0] ?? '';
  return one !== undefined && base(one) === base(other);
}

/** Newest first: by the numbers in the label; labels without numbers are newest (`latest`, `next`). */
export function compareVersions(one: string, other: string): number {
  const numbers = (version: string): number[] => (version.match(/\d+/g) ?? []).map(Number);
  const [left, right] = [numbers(one), numbers(other)];
  if (left.length === 0 || right.length === 0) return left.length - right.length;
  for (let place = 0; place < Math.max(left.length, right.length); place++) {
    const difference = (right[place] ?? 0) - (left[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function normaliseRoute(currentPath: string): string {
  const path = currentPath.replace(/^[a-z]+:\/\/[^/]+/i, '').replace(/[?#].*$/, '');
  return routeOf(
    path
      .replace(/^\/+|\/+$/g, '')
      .replace(/^docs\//, '')
      .replace(/\.html?$/, ''),
  );
}

/** The page that is being viewed: by its whole path, else the only page whose path ends so. */
function findCurrentPage(index: DocsIndex, currentPath: string | undefined): DocsPage | undefined {
  if (currentPath === undefined) return undefined;
  const route = normaliseRoute(currentPath);
  const exact = index.pageAtRoute(route);
  if (exact || route === '') return exact;
  const candidates = [...index.pages()].filter((page) => page.route.endsWith(`/${route}`));
  return candidates.length === 1 ? candidates[0] : undefined;
}

interface Candidate extends SectionHit {
  readonly relevance: number;
}

/** Share of another version's relevance from which the preferred version speaks alone. */
const REPLACES_OLDER = 0.75;

function mostRelevant(candidates: readonly Candidate[]): number {
  return Math.max(0, ...candidates.map(({ relevance }) => relevance));
}

class Preferences {
  readonly #route: string | undefined;
  readonly #version: string | undefined;
  readonly #isVersionNamed: boolean;
  #language: string | undefined;
  /** Asked for, that of the code that came along, or that of the page being viewed. */
  readonly codeLanguage: CodeLanguage | undefined;
  readonly #citedRoutes: ReadonlySet<string>;
  readonly #query: Query;

  constructor(
    index: DocsIndex,
    question: Question,
    query: Query,
    filter: RequestFilter | null | undefined,
    currentPage: DocsPage | undefined,
  ) {
    this.#query = query;
    this.#route =
      currentPage?.route ??
      (question.currentPath === undefined ? undefined : normaliseRoute(question.currentPath));
    const known = new Set<string>();
    for (const page of index.pages()) {
      if (page.version !== undefined && passesFilter(page, filter)) known.add(page.version);
    }
    const versions = [...known].sort(compareVersions);
    const named = versions.find((version) =>
      query.versions.some((asked) => isSameVersion(version, asked)),
    );
    this.#isVersionNamed = named !== undefined;
    this.#version = named ?? currentPage?.version ?? versions[0];
    this.#language = filter?.language ?? query.language ?? currentPage?.language;
    this.codeLanguage =
      query.codeLanguage ?? codeLanguagesIn(currentPage?.title ?? '').find(isProgramming);
    this.#citedRoutes = new Set(query.isFollowUp ? question.earlier.at(-1)?.citedRoutes : []);
  }

  factor(found: FoundSection): number {
    const { page } = found;
    let factor = nearness(page.route, this.#route);
    if (!this.#isPreferredVersion(page)) factor *= 0.45;
    if (!this.#isPreferredLanguage(page)) factor *= 0.5;
    if (this.#citedRoutes.has(page.route)) factor *= 1.3;
    if (this.#hasPhrase(found)) factor *= 1.3;
    return factor * this.#codeFactor(found);
  }

  /** Leaves out other languages and versions where the preferred ones have as much to say. */
  keepPreferred(candidates: readonly Candidate[]): readonly Candidate[] {
    // Where nothing tells the asker's language, the best hit's is as good as any; a mix is not.
    this.#language ??= candidates[0]?.page.language;
    const inLanguage = candidates.filter(({ page }) => this.#isPreferredLanguage(page));
    const kept = inLanguage.length > 0 ? inLanguage : candidates;
    const inVersion = kept.filter(({ page }) => this.#isPreferredVersion(page));
    // What only an older version has is worth knowing; what a newer one replaces is not.
    const isEnough = this.#isVersionNamed
      ? inVersion.length > 0
      : mostRelevant(inVersion) >= mostRelevant(kept) * REPLACES_OLDER;
    return isEnough ? inVersion : kept;
  }

  /** "Rate limits" in a heading says more than "rate" in one and "limits" in another. */
  #hasPhrase({ page, section }: FoundSection): boolean {
    return [page.title, section.heading].some((heading) => {
      const terms = ` ${indexText(heading)} `;
      return this.#query.phrases.some((phrase) => terms.includes(` ${phrase} `));
    });
  }

  #isPreferredVersion(page: DocsPage): boolean {
    return (
      this.#version === undefined ||
      page.version === undefined ||
      isSameVersion(page.version, this.#version)
    );
  }

  #isPreferredLanguage(page: DocsPage): boolean {
    return (
      this.#language === undefined ||
      page.language === undefined ||
      isSameLanguage(page.language, this.#language)
    );
  }

  /** Examples in the language that somebody writes are worth more than others. */
  #codeFactor({ page, section }: FoundSection): number {
    const wanted = this.codeLanguage;
    if (wanted === undefined) return 1;
    const isAsked = this.#query.askedCodeLanguage !== undefined;
    const isOfWanted = (language: CodeLanguage): boolean => isSameOrKin(language, wanted);
    const languages = codeLanguagesOf(section);
    if (languages.some(isOfWanted) || codeLanguagesIn(page.title).some(isOfWanted)) {
      return isAsked ? 1.5 : 1.2;
    }
    return languages.some(isProgramming) && isAsked ? 0.7 : 1;
  }
}

/** The languages of a section's code. */
export function codeLanguagesOf(section: Section): CodeLanguage[] {
  return [...new Set(section.blocks.flatMap((block) => block.codeLanguage ?? []))];
}

/**
 * Whether two sections are the same example, once per language: side by side, with headings that
 * differ in the language's name alone.
 */
export function areAlternatives(one: FoundSection, other: FoundSection): boolean {
  const place = ({ page, section }: FoundSection): string =>
    [page.path, ...section.ancestors, withoutLanguages(section.heading)].join('\n');
  const [left, right] = [codeLanguagesOf(one.section), codeLanguagesOf(other.section)];
  return (
    one.section !== other.section &&
    place(one) === place(other) &&
    left.length > 0 &&
    right.length > 0 &&
    !left.some((language) => isProgramming(language) && right.includes(language))
  );
}

function withoutLanguages(heading: string): string {
  return heading.replace(/[^\s,()]+/g, (word) => (codeLanguageOf(word) === undefined ? word : ''));
}

/** Share of the best hit's score from which the section above it comes first. */
const PARENT_SHARE = 0.6;

/** Where the best hit is one of several examples, what they are examples of comes before it. */
function parentFirst(hits: readonly SectionHit[]): readonly SectionHit[] {
  const [best] = hits;
  if (!best) return hits;
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

/** Alternatives in the order of their page, where nobody prefers one: others follow the ranking. */
function alternativesInPageOrder(hits: readonly SectionHit[]): SectionHit[] {
  const result = [...hits];
  result.forEach((hit, position) => {
    for (let later = position + 1; later < result.length; later++) {
      const other = result[later];
      const current = result[position] ?? hit;
      if (!other || !areAlternatives(current, other)) continue;
      const { sections } = current.page;
      if (sections.indexOf(other.section) < sections.indexOf(current.section)) {
        result[position] = { ...other, score: current.score };
        result[later] = { ...current, score: other.score };
      }
    }
  });
  return result;
}

/** 1.5 for the page being viewed, less for its folder and tree, 1 elsewhere. */
function nearness(route: string, current: string | undefined): number {
  if (current === undefined || current === '') return 1;
  if (route === current || route.endsWith(`/${current}`)) return 1.5;
  const folder = current.split('/').slice(0, -1);
  if (folder.length === 0) return 1;
  const pageFolder = route.split('/').slice(0, -1).join('/');
  if (pageFolder === folder.join('/') || pageFolder.endsWith(`/${folder.join('/')}`)) return 1.25;
  return route.startsWith(`${folder[0] ?? ''}/`) ? 1.1 : 1;
}

/** The first `count` hits that do not repeat an earlier one. */
function distinct(hits: readonly SectionHit[], count: number): RetrievedSection[] {
  const best = hits[0]?.score ?? 1;
  const kept: (RetrievedSection & { terms: ReadonlySet<string> })[] = [];
  for (const { page, section, score } of hits) {
    if (kept.length >= count) break;
    const terms = new Set(sectionTerms(section));
    if (kept.some((other) => overlap(other.terms, terms) >= SAME_TEXT)) continue;
    kept.push({ page, section, strength: score / best, terms });
  }
  return kept.map(({ page, section, strength }) => ({ page, section, strength }));
}

function sectionTerms(section: Section): string[] {
  return section.blocks.flatMap((block) => termsOf(block.text).map((term) => term.text));
}

function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 || other.size === 0) return 0;
  let common = 0;
  for (const term of one) if (other.has(term)) common++;
  return common / (one.size + other.size - common);
}
