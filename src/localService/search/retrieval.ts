import type { CodeLanguage } from '../codeLanguages';
import { type DocsPage, type FoundSection, passesFilter, type Section } from '../pages/page';
import type { DocsIndex, SectionHit } from './docsIndex';
import { alternativesInPageOrder, findCurrentPage, parentFirst, Preferences } from './preferences';
import { buildQuery, type Query, type Question } from './query';
import { termsOf } from './terms';
import type { RequestFilter } from '../server/messageSchema';

/** Number of terms of the greatest rarity that together prove that a section is relevant. */
const PROOF_WORDS = 2;
/**
 * Weight of a term that the docs do not know. Such a term speaks against the question being about
 * these docs.
 */
const FOREIGN_WEIGHT = 1.5;

/** Returns how much of the question's topic the section mentions, from 0 to 1. */
export function relevanceOf(hit: SectionHit, query: Query, index: DocsIndex): number {
  const own = [...query.own];
  if (
    query.isFollowUp &&
    own.length > 0 &&
    !own.some((term) => hit.matched.has(term) || index.has(term))
  ) {
    // "And the weather?" is not a follow-up about the earlier topic.
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

/**
 * Returns how much a matched term counts. The first part of a split compound only ever matches as a
 * beginning.
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
 * Returns the relevance that rare terms alone give. Several rare terms in one section are no
 * accident.
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
  readonly codeLanguage?: CodeLanguage;
}

export interface RetrievedSection extends FoundSection {
  /** Score as a share of the best section's, from 0 to 1. */
  readonly strength: number;
}

/** Minimum relevance of the best section. */
const MIN_RELEVANCE = 0.4;
/** Minimum relevance of each further section, as a share of the best section's. */
const MIN_SHARE_OF_BEST = 0.4;
/** Number of hits that are ranked in detail. */
const CANDIDATES = 200;
/** Share of common terms above which two sections count as duplicates. */
const SAME_TEXT = 0.8;

/**
 * Finds up to `pageSize` sections to answer from, or none if the docs say nothing about the
 * question. Filters exclude sections. The page, version and language that the question implies are
 * preferred.
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

/**
 * Returns whether the question is about the viewed page as a whole, as in "What is this page
 * about?".
 */
function isAboutCurrentPage(query: Query, currentPage: DocsPage | undefined): boolean {
  return currentPage !== undefined && !query.isFollowUp && !query.isAboutContext;
}

/** Returns the first `count` hits that do not repeat an earlier one. */
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
