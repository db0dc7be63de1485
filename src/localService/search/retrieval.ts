import type { ExampleLanguage } from '../../pages/codeLanguages';
import { type DocsPage, type FoundSection, passesFilter } from '../pages/page';
import { isAnswered } from './answerability';
import type { DocsIndex, SectionHit } from './docsIndex';
import { alternativesInPageOrder, findCurrentPage, parentFirst, Preferences } from './preferences';
import { buildQuery, type Query, type SearchQuestion } from './query';
import type { AskFilter } from '../../shared/askFilter';

/** Number of terms of the greatest rarity that together prove that a section is relevant. */
const PROOF_WORDS = 2;
/**
 * Weight of a term that the docs do not have. Such a term makes it less likely that the question is about
 * these docs.
 */
const FOREIGN_WEIGHT = 1.5;

/** Returns the share of the question's topic that the section has, from 0 to 1. */
export function relevanceOf(hit: SectionHit, query: Query, index: DocsIndex): number {
  const own = [...query.own];
  if (
    query.isFollowUp &&
    own.length > 0 &&
    !own.some((term) => hit.matched.has(term) || index.has(term))
  ) {
    // A question such as "And the weather?" is not about the earlier topic.
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

/** Returns the share of the question's terms that the section or its page has, from 0 to 1. */
function coverageOf(hit: SectionHit, query: Query, index: DocsIndex): number {
  let all = 0;
  let found = 0;
  for (const [term, weight] of query.terms) {
    const worth = weight * index.rarity(term);
    all += worth;
    found += worth * Math.max(hit.matched.get(term) ?? 0, ON_PAGE * (hit.onPage.get(term) ?? 0));
  }
  return all === 0 ? 0 : found / all;
}

/**
 * Returns how much a matched term counts. The first part of a split compound counts more than its match,
 * because it can only match as the beginning of a word.
 */
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

/**
 * Returns the relevance that rare terms alone prove. A section hardly has several of them by chance.
 */
function proofOf(own: readonly string[], hit: SectionHit, index: DocsIndex): number {
  const matched = own.filter((term) => hit.matched.get(term) === 1);
  if (matched.length < 2) return 0;
  const proof = matched.reduce((sum, term) => sum + index.rarity(term), 0);
  return Math.min(1, proof / (PROOF_WORDS * index.greatestRarity));
}

/** The sections found for a question, best first. */
export interface Retrieval {
  readonly query: Query;
  readonly sections: readonly RetrievedSection[];
  /** Programming language to show if the same example exists in several. */
  readonly codeLanguage?: ExampleLanguage;
  /** Whether the sections probably don't answer the question and only share words with it. */
  readonly isWeak?: true;
}

export interface RetrievedSection extends FoundSection {
  /** Score as a share of the best section's, from 0 to 1. */
  readonly strength: number;
}

/** Minimum relevance of the best section, where {@link isAnswered} cannot tell. */
const MIN_RELEVANCE = 0.4;
/** Minimum relevance of the best section for a follow-up, whose topic an earlier reply had. */
const MIN_FOLLOW_UP_RELEVANCE = 0.25;
/** Minimum relevance of each further section, as a share of the best section's and as a value. */
const MIN_SHARE_OF_BEST = 0.25;
const LEAST_RELEVANCE = 0.1;
/** Share of a section's score that depends on how many of the question's terms it has. */
const COVERAGE_SHARE = 0.7;
/** Factor for the credit of a term that only other sections of the page have. */
const ON_PAGE = 0.5;
/** Additions to the score's factor if one passage, or one heading, has the whole question. */
const PASSAGE_BONUS = 0.5;
const TOPIC_BONUS = 0.75;
/** Maximum sections of one page per five results. Further sections come after those of other pages. */
const MAX_OF_PAGE = 2;
/** Minimum score of a page's second section to come before other pages, as a share of the best score. */
const SECOND_OF_PAGE = 0.9;
/** Number of the best hits to check for whether the docs answer. */
const JUDGED = 3;
/** Number of hits that are ranked in detail. */
const CANDIDATES = 200;
/** Share of common terms above which two sections count as duplicates. */
const SAME_TEXT = 0.8;

/**
 * Finds up to `pageSize` sections to answer from, or none if the docs don't answer the question. The filter
 * excludes sections. Prefers the page, version and language that the question implies.
 * @param options `keepsWeak` keeps sections that probably don't answer, and sets `isWeak` on the result.
 */
export function retrieve(
  index: DocsIndex,
  question: SearchQuestion,
  filter: AskFilter | null | undefined,
  pageSize: number,
  { keepsWeak = false }: { readonly keepsWeak?: boolean } = {},
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
    .search(query.concepts, accepts, CANDIDATES)
    .map((hit) => ({ hit, relevance: relevanceOf(hit, query, index) }))
    .filter(({ relevance }) => relevance > 0)
    .map(({ hit, relevance }) => ({
      hit,
      relevance,
      score:
        hit.score *
        (1 - COVERAGE_SHARE + COVERAGE_SHARE * coverageOf(hit, query, index)) *
        (1 + PASSAGE_BONUS * hit.passage) *
        (1 + TOPIC_BONUS * hit.topic) *
        preferences.factor(hit),
    }))
    .sort((one, other) => other.score - one.score);
  const best = Math.max(0, ...relevant.slice(0, 5).map(({ relevance }) => relevance));
  const judged =
    query.isFollowUp || query.isAboutContext
      ? undefined
      : isAnswered(
          question.text,
          query,
          relevant.slice(0, JUDGED).map(({ hit }) => hit),
          index,
        );
  const enough = query.isFollowUp ? MIN_FOLLOW_UP_RELEVANCE : MIN_RELEVANCE;
  const isWeak = !(judged ?? best >= enough);
  if (isWeak && !keepsWeak) return { query, sections: [] };
  const mark = isWeak ? { isWeak } : {};
  const least = isWeak ? 0 : LEAST_RELEVANCE;
  const candidates = relevant
    .filter(({ relevance }) => relevance >= Math.max(best * MIN_SHARE_OF_BEST, least))
    .map(({ hit, relevance, score }) => ({ ...hit, relevance, score }));
  const kept = preferences.keepPreferred(candidates);
  const { codeLanguage } = preferences;
  if (codeLanguage !== undefined) {
    return { query, sections: distinct(kept, pageSize), codeLanguage, ...mark };
  }
  const ordered = parentFirst(alternativesInPageOrder(kept));
  return { query, sections: distinct(ordered, pageSize), ...mark };
}

function hasPage<T extends { page: DocsPage | undefined }>(
  found: T,
): found is T & { page: DocsPage } {
  return found.page !== undefined;
}

/**
 * Returns whether the question is about the viewed page as a whole, as in "What is this page
 * about?".
 */
function isAboutCurrentPage(query: Query, currentPage: DocsPage | undefined): boolean {
  return currentPage !== undefined && !query.isFollowUp && !query.isAboutContext;
}

/**
 * Returns the first `count` hits that do not repeat an earlier one. Sections of other pages come before
 * further sections of the same page, unless these score nearly as high as the best hit.
 */
function distinct(hits: readonly SectionHit[], count: number): RetrievedSection[] {
  const best = hits[0]?.score ?? 1;
  const maxOfPage = Math.ceil((count * MAX_OF_PAGE) / 5);
  const first: (RetrievedSection & { words: ReadonlySet<number> })[] = [];
  const further: typeof first = [];
  for (const { page, section, score, words: all } of hits) {
    if (first.length >= count) break;
    const words = new Set(all);
    if ([...first, ...further].some((other) => overlap(other.words, words) >= SAME_TEXT)) continue;
    const ofPage = first.filter((other) => other.page === page).length;
    const isFurther = ofPage >= maxOfPage || (ofPage > 0 && score < best * SECOND_OF_PAGE);
    if (isFurther && further.length >= count) continue;
    (isFurther ? further : first).push({ page, section, strength: score / best, words });
  }
  return [...first, ...further]
    .slice(0, count)
    .map(({ page, section, strength }) => ({ page, section, strength }));
}

function overlap(one: ReadonlySet<number>, other: ReadonlySet<number>): number {
  if (one.size === 0 || other.size === 0) return 0;
  let common = 0;
  for (const word of one) if (other.has(word)) common++;
  return common / (one.size + other.size - common);
}
