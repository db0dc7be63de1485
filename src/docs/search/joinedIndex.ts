import type { DocsPage } from '../pages/page';
import {
  type Concept,
  type DocsIndex,
  type DocsStatistics,
  type IndexedSet,
  rarityOf,
  type SectionHit,
  type TextStatistics,
} from './docsIndex';
import type { SetIndex } from './setIndex';

/**
 * Exponent by which the scores of a set fall with its number of sections: the more there are, the better the best of them
 * matches by chance. From 0.1 to 0.2, one of 116 questions that it was chosen on gained its answer and none lost it. From
 * 0.3 on some did.
 */
const CHANCE = 0.12;
/** Number of sections below which sets count as equally large. */
const FEW_SECTIONS = 20;

/**
 * Several sets of docs that are asked together, for one question: what it counts isn't counted again later. Sections of
 * all sets are scored by how rare a word is in all of them, so that their scores can be compared.
 */
export class JoinedIndex implements DocsIndex {
  readonly sets: readonly SetIndex[];
  readonly #byId: ReadonlyMap<string | undefined, SetIndex>;
  readonly #statistics: DocsStatistics;

  /** @param sets with ids that differ. */
  constructor(sets: readonly SetIndex[]) {
    this.sets = sets;
    this.#byId = new Map(sets.map((index) => [index.set?.id, index]));
    this.#statistics = {
      sections: joined(sets.map(({ statistics }) => statistics.sections)),
      pages: joined(sets.map(({ statistics }) => statistics.pages)),
    };
  }

  get pageCount(): number {
    return this.sets.reduce((sum, { pageCount }) => sum + pageCount, 0);
  }

  get sectionCount(): number {
    return this.sets.reduce((sum, { sectionCount }) => sum + sectionCount, 0);
  }

  get versions(): readonly string[] {
    return [...new Set(this.sets.flatMap(({ versions }) => versions))];
  }

  *pages(): Iterable<DocsPage> {
    for (const index of this.sets) yield* index.pages();
  }

  setOf(page: DocsPage): IndexedSet {
    const index = this.#byId.get(page.set?.id);
    if (!index) throw new Error(`No set has the page ${page.path}`);
    return index;
  }

  rarity(term: string): number {
    const { sections } = this.#statistics;
    return rarityOf(sections, sections.count(term));
  }

  has(term: string): boolean {
    return this.#statistics.pages.count(term) > 0;
  }

  hasBeginning(beginning: string): boolean {
    return this.sets.some((index) => index.hasBeginning(beginning));
  }

  beginningWith(beginning: string): string[] {
    return [...new Set(this.sets.flatMap((index) => index.beginningWith(beginning)))];
  }

  misspeltFrom(word: string): string[] {
    return [...new Set(this.sets.flatMap((index) => index.misspeltFrom(word)))];
  }

  search(
    concepts: readonly Concept[],
    accepts: (page: DocsPage) => boolean,
    limit: number,
  ): SectionHit[] {
    return this.sets
      .flatMap((index) => {
        const share = Math.max(FEW_SECTIONS, index.sectionCount) ** -CHANCE;
        return index
          .search(concepts, accepts, limit, this.#statistics)
          .map((hit) => ({ ...hit, score: hit.score * share }));
      })
      .sort((one, other) => other.score - one.score)
      .slice(0, limit);
  }
}

/** Returns the statistics of several sets together. Counts each word once. */
function joined(all: readonly TextStatistics[]): TextStatistics {
  const counts = new Map<string, number>();
  return {
    textCount: all.reduce((sum, { textCount }) => sum + textCount, 0),
    lengthSum: all.reduce((sum, { lengthSum }) => sum + lengthSum, 0),
    count: (word) => {
      let count = counts.get(word);
      if (count === undefined) {
        count = all.reduce((sum, statistics) => sum + statistics.count(word), 0);
        counts.set(word, count);
      }
      return count;
    },
  };
}
