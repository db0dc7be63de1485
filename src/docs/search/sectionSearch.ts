/** Ranks the sections of one set of docs by two BM25 scores: that of the section and that of its page. */
import type { DocsPage } from '../pages/page';
import {
  type Concept,
  type DocsStatistics,
  rarityOf,
  type SectionHit,
  type TextStatistics,
} from './docsIndex';
import type { FieldIndex, WeightedWord } from './fieldIndex';
import { PAGE_FIELDS, SECTION_FIELDS, sectionWords } from './pageWords';

/** Weights of a section's fields: its heading, the headings above it, the page's title and path, text, code. */
export const sectionWeights = [3, 1, 2, 1, 1, 0.5];
/** Weights of a page's fields: its title, path, headings, text and code. */
export const pageWeights = [4, 1, 3, 1, 0.5];
/** Weight of the page's score in the score of a section. */
const PAGE_SHARE = 1;

export interface StoredSection {
  readonly page: DocsPage;
  /** Place of the section in its page. Sections of a kept page are read when they are needed. */
  readonly position: number;
  readonly pageNumber: number;
}

/** The sections and pages of one set of docs, by their numbers in two indexes. */
interface NumberedTexts {
  readonly sections: FieldIndex;
  readonly pages: FieldIndex;
  /** Number that is greater than those of all sections. */
  readonly sectionEnd: number;
  /** Number that is greater than those of all pages. */
  readonly pageEnd: number;
  /** Returns the number of a word, or undefined if the docs don't have it. */
  readonly numberOf: (word: string) => number | undefined;
  /** Returns a section, or undefined if it was removed. */
  readonly sectionAt: (number: number) => StoredSection | undefined;
}

interface ScoredSection {
  readonly stored: StoredSection;
  readonly number: number;
  readonly score: number;
}

/**
 * Returns the sections that match any of the concepts, best first.
 * @param statistics of all docs that are searched, to which the texts belong.
 */
export function searchSections(
  texts: NumberedTexts,
  concepts: readonly Concept[],
  accepts: (page: DocsPage) => boolean,
  limit: number,
  statistics: DocsStatistics,
): SectionHit[] {
  const sectionScores = new Float64Array(texts.sectionEnd);
  const pageScores = new Float64Array(texts.pageEnd);
  const sectionScratch = new Float64Array(texts.sectionEnd);
  const pageScratch = new Float64Array(texts.pageEnd);
  for (const { weight, variants } of concepts) {
    const inSections: WeightedWord[] = [];
    const inPages: WeightedWord[] = [];
    for (const [word, likeness] of variants) {
      const number = texts.numberOf(word);
      if (number === undefined) continue;
      const { sections, pages } = statistics;
      const own = likeness * weight;
      inSections.push({ number, weight: own * rarityOf(sections, sections.count(word)) });
      inPages.push({ number, weight: own * PAGE_SHARE * rarityOf(pages, pages.count(word)) });
    }
    texts.sections.addScores(
      inSections,
      scaleOf(statistics.sections),
      sectionScores,
      sectionScratch,
    );
    texts.pages.addScores(inPages, scaleOf(statistics.pages), pageScores, pageScratch);
  }
  return bestSections(texts, sectionScores, pageScores, accepts, limit).flatMap(
    ({ stored: { page, position }, number, score }) => {
      const section = page.sections[position];
      if (!section) return [];
      const matched = matchedTerms(texts, number, concepts);
      return [{ page, section, score, matched, words: () => sectionWords(page, section) }];
    },
  );
}

function matchedTerms(
  { sections, numberOf }: Pick<NumberedTexts, 'sections' | 'numberOf'>,
  section: number,
  concepts: readonly Concept[],
): Map<string, number> {
  const matched = new Map<string, number>();
  for (const { term, variants } of concepts) {
    for (const [word, likeness] of variants) {
      const number = numberOf(word) ?? -1;
      if (likeness > (matched.get(term) ?? 0) && sections.has(section, number)) {
        matched.set(term, likeness);
      }
    }
  }
  return matched;
}

function bestSections(
  texts: NumberedTexts,
  sectionScores: Float64Array,
  pageScores: Float64Array,
  accepts: (page: DocsPage) => boolean,
  limit: number,
): ScoredSection[] {
  const found: ScoredSection[] = [];
  const accepted = new Map<number, boolean>();
  for (let number = 0; number < texts.sectionEnd; number++) {
    const own = sectionScores[number] ?? 0;
    if (own === 0) continue;
    const stored = texts.sectionAt(number);
    if (!stored) continue;
    const { pageNumber } = stored;
    let isAccepted = accepted.get(pageNumber);
    if (isAccepted === undefined) {
      isAccepted = accepts(stored.page);
      accepted.set(pageNumber, isAccepted);
    }
    if (isAccepted) found.push({ stored, number, score: own + (pageScores[pageNumber] ?? 0) });
  }
  return found.sort((one, other) => other.score - one.score).slice(0, limit);
}

/** Returns the statistics of an index, as they are at any time. */
export function statisticsOf(
  index: FieldIndex,
  numberOf: (word: string) => number | undefined,
): TextStatistics {
  return {
    get textCount() {
      return index.textCount;
    },
    get lengthSum() {
      return index.lengthSum;
    },
    count: (word) => index.count(numberOf(word) ?? -1),
  };
}

/** Returns the factor that makes a text's length a multiple of the mean length. */
function scaleOf({ textCount, lengthSum }: TextStatistics): number {
  return textCount / Math.max(1, lengthSum);
}

/** Weighted numbers of words of a page and of its sections. */
export interface TextLengths {
  readonly page: number;
  readonly sections: readonly number[];
}

/** @param counts number of words by field, as in `PageWords`. */
export function lengthsOf(counts: readonly number[]): TextLengths {
  const [title = 0, path = 0] = counts;
  // Stop words don't make a text longer, or those of code would move what other words find.
  const all = [title, path, 0, 0, 0];
  const sections: number[] = [];
  for (let first = PAGE_FIELDS; first < counts.length; first += SECTION_FIELDS) {
    const [ancestors = 0, heading = 0, text = 0, code = 0] = counts.slice(
      first,
      first + SECTION_FIELDS,
    );
    sections.push(weighted(sectionWeights, [heading, ancestors, title, path, text, code]));
    [heading, text, code].forEach((more, field) => (all[field + 2] = (all[field + 2] ?? 0) + more));
  }
  return { page: weighted(pageWeights, all), sections };
}

function weighted(weights: readonly number[], counts: readonly number[]): number {
  return counts.reduce((sum, count, field) => sum + count * (weights[field] ?? 0), 0);
}
