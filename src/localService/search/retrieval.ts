import { alternativesInPageOrder, parentFirst } from './alternatives';
import type { CodeLanguage } from './codeLanguages';
import { findCurrentPage } from './currentPage';
import type { DocsIndex, FoundSection, SectionHit } from './docsIndex';
import type { RequestFilter } from './messageSchema';
import type { DocsPage, Section } from './page';
import { passesFilter } from './pageVariants';
import { Preferences } from './preferences';
import { buildQuery, type Query, type Question } from './query';
import { relevanceOf } from './relevance';
import { termsOf } from './terms';

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
