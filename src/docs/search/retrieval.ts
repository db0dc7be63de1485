import type { ExampleLanguage } from '../pages/codeLanguages';
import type { AskFilter } from '../../shared/askFilter';
import type { DocsPage, FoundSection } from '../pages/page';
import { passesFilter } from '../pages/pageFilter';
import type { Section } from '../pages/sections';
import type { DocsIndex, SectionHit } from './docsIndex';
import { findCurrentPage, parentFirst, Preferences } from './preferences';
import { buildQuery, type Query, type SearchQuestion } from './query';

/** The sections found for a question, best first. */
export interface Retrieval {
  readonly query: Query;
  readonly sections: readonly RetrievedSection[];
  /** Further sections of the same pages that match better than the rest of the docs, best first. */
  readonly further: readonly RetrievedSection[];
  /** Share of the question's topic that the best section has, from 0 to 1. Rare words count more. */
  readonly relevance: number;
  /** Programming language to show if the same example exists in several. */
  readonly codeLanguage?: ExampleLanguage | undefined;
}

export interface RetrievedSection extends FoundSection {
  /** Score as a share of the best section's, from 0 to 1. */
  readonly strength: number;
}

/** Number of hits that are ranked in detail. */
const CANDIDATES = 200;
/** Number of the best hits whose texts are read, for what defines a name of the question or for a message of an error. */
const READ_HITS = 40;
/** Share of common words above which two sections count as duplicates. */
const SAME_TEXT = 0.8;

/**
 * Finds up to `pageSize` sections, the best of each page first. Finds none if no section has a word of the
 * question that says something about its topic. The filter excludes sections. Prefers the page, version and
 * language that the question implies.
 */
export function retrieve(
  index: DocsIndex,
  question: SearchQuestion,
  filter: AskFilter | null | undefined,
  pageSize: number,
): Retrieval {
  const query = buildQuery(question, index);
  const accepts = (page: DocsPage): boolean => passesFilter(page, filter);
  const currentPage = findCurrentPage(index, question.currentPath);
  if (query.terms.size === 0 || (query.own.size === 0 && isAboutCurrentPage(query, currentPage))) {
    const page = currentPage && accepts(currentPage) ? currentPage : undefined;
    const sections = page?.sections.slice(0, pageSize) ?? [];
    return {
      query,
      sections: page ? sections.map((section) => ({ page, section, strength: 1 })) : [],
      further: [],
      relevance: page ? 1 : 0,
    };
  }
  const preferences = new Preferences(index, question, query, filter, currentPage);
  const found = index
    .search(query.concepts, accepts, CANDIDATES)
    .filter((hit) => isOnTopic(hit, query, index));
  // Types say exactly what a name is. Where they have it, nothing else is looked at for it.
  const readsNames =
    query.isAboutNames && !found.some(({ section }) => query.names.isSurelyOfApi(section));
  const hits = found
    .map((hit, rank) => {
      const messages = rank < READ_HITS;
      const factor = preferences.factor(hit, { names: readsNames && messages, messages });
      return { ...hit, score: hit.score * factor };
    })
    .sort((one, other) => other.score - one.score);
  const { codeLanguage } = preferences;
  const preferred = preferences.keepPreferred(hits, (hit) => relevanceOf(hit, query, index));
  const kept = codeLanguage === undefined ? parentFirst(preferred) : preferred;
  const relevance = kept[0] ? relevanceOf(kept[0], query, index) : 0;
  return { query, ...distinct(kept, pageSize), relevance, codeLanguage };
}

function relevanceOf({ matched }: SectionHit, { terms, own }: Query, index: DocsIndex): number {
  let all = 0;
  let found = 0;
  for (const [term, weight] of terms) {
    if (own.size > 0 && !own.has(term)) continue;
    const worth = weight * index.rarity(term);
    all += worth;
    found += worth * (matched.get(term) ?? 0);
  }
  return all === 0 ? 0 : found / all;
}

/** Returns whether the section has a word of the question's topic, of the attached code or of the thread. */
function isOnTopic({ matched }: SectionHit, query: Query, index: DocsIndex): boolean {
  const { own, isFollowUp, isAboutContext } = query;
  if (isAboutContext || own.size === 0) return matched.size > 0;
  const terms = [...own];
  if (terms.some((term) => matched.has(term))) return true;
  // A follow-up such as "And the weather?" is not about the earlier topic if the docs have none of its words.
  return isFollowUp && terms.some((term) => index.has(term));
}

/**
 * Returns whether the question is about the viewed page as a whole, as in "What is this page
 * about?".
 */
function isAboutCurrentPage(query: Query, currentPage: DocsPage | undefined): boolean {
  return currentPage !== undefined && !query.isFollowUp && !query.isAboutContext;
}

/** Number of sections of pages that already have one, beside those that a reply cites. */
const FURTHER = 8;
/** Number of symbols of a module that a reply cites. Its page has the whole API, often that of the package. */
const MAX_SYMBOLS = 2;

/**
 * Parts the hits that do not repeat an earlier one into the first `count` sections, the best of each page or of two
 * symbols of each module first, and the next best ones.
 */
function distinct(
  hits: readonly SectionHit[],
  count: number,
): Pick<Retrieval, 'sections' | 'further'> {
  const best = hits[0]?.score ?? 1;
  const first: (RetrievedSection & { words: ReadonlySet<string> })[] = [];
  const more: typeof first = [];
  for (const { page, section, score, words: wordsOf } of hits) {
    if (first.length >= count && more.length >= FURTHER) break;
    const cited = first.filter((other) => other.page === page).map((other) => other.section);
    const isFurther =
      cited.length >= (section.place ? MAX_SYMBOLS : 1) ||
      cited.some((other) => symbolOf(other) === symbolOf(section));
    const kept = isFurther ? more : first;
    if (kept.length >= (isFurther ? count + FURTHER : count)) continue;
    const words = new Set(wordsOf());
    if ([...first, ...more].some((other) => overlap(other.words, words) >= SAME_TEXT)) continue;
    kept.push({ page, section, strength: score / best, words });
  }
  const found = [...first, ...more].map(({ page, section, strength }) => ({
    page,
    section,
    strength,
  }));
  return { sections: found.slice(0, count), further: found.slice(count, count + FURTHER) };
}

/** Returns the exported name in the heading of a section of an API: that of a class, without that of its method. */
function symbolOf({ heading }: Section): string {
  return heading.split('.', 1)[0] ?? '';
}

function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 || other.size === 0) return 0;
  let common = 0;
  for (const word of one) if (other.has(word)) common++;
  return common / (one.size + other.size - common);
}
