import type { DocsSet } from '../../common/localDocsApi';
import type { PageLookup } from '../pages/links';
import type { DocsPage, FoundSection } from '../pages/page';

/** A word of a question with the words of the docs that can stand for it. */
export interface Concept {
  /** The word as the index writes it. */
  readonly term: string;
  /** Weight of the word in the question. */
  readonly weight: number;
  /** Words of the docs that can stand for the word, each with its likeness from 0 to 1. The word has 1. */
  readonly variants: ReadonlyMap<string, number>;
}

export interface SectionHit extends FoundSection {
  /** Score of the hit. Only comparable within one search. */
  readonly score: number;
  /** Quality of the match for each matched term of the query, from 0 to 1, in the section or its headings. */
  readonly matched: ReadonlyMap<string, number>;
  /** Returns the words of the section: its heading, its text, its code. */
  readonly words: () => Iterable<string>;
}

/**
 * The docs that a question asks: the pages of one set of docs, or of several together. How rare a word is depends on
 * these docs only, and not on other sets of the engine.
 */
export interface DocsIndex {
  readonly pageCount: number;
  readonly sectionCount: number;
  /** Versions that the docs have pages of, in no order. */
  readonly versions: readonly string[];
  /** Returns all pages, one set after the other. */
  pages(): Iterable<DocsPage>;
  /**
   * Returns the pages with all of some terms, for an index whose texts come one after the other. It ends before the last
   * page if texts are asked for first.
   */
  pagesWith?(terms: readonly string[]): Iterable<DocsPage>;
  /** The sets of the docs. Their paths and routes are unique within each of them only. */
  readonly sets: readonly IndexedSet[];
  /** Returns the set of a page: the pages that its links can lead to, with their versions and languages. */
  setOf(page: DocsPage): IndexedSet;
  /**
   * Returns how specific a term is. Rare terms have a high value, and terms that occur nowhere the
   * highest.
   */
  rarity(term: string): number;
  /** Returns whether any page has exactly this term. */
  has(term: string): boolean;
  /** Returns whether any section has a word with this beginning. */
  hasBeginning(beginning: string): boolean;
  /** Returns the words of the docs with this beginning, which must have three letters or more. */
  beginningWith(beginning: string): string[];
  /** Returns the words of the docs that differ from a word by one spelling mistake. */
  misspeltFrom(word: string): string[];
  /** Returns the sections that match any of the concepts, best first. */
  search(
    concepts: readonly Concept[],
    accepts: (page: DocsPage) => boolean,
    limit: number,
  ): SectionHit[];
}

/** The facts of one set of docs, beside its words. Links between pages stay within their set. */
export interface IndexedSet extends PageLookup<DocsPage> {
  /** The set's name. Undefined for the docs of an engine that has no other set. */
  readonly set: DocsSet | undefined;
  /** Versions that the set has pages of, in no order. */
  readonly versions: readonly string[];
  /** The newest version, or undefined if the current pages have none because only older ones name theirs. */
  readonly currentVersion: string | undefined;
  /**
   * The language of the set: the one that its configuration names, or else the one of most pages outside
   * of translations' folders.
   */
  readonly mainLanguage: string | undefined;
  hasLanguage(language: string): boolean;
  /** Returns the language of a page: the one that it names, or the one that it is written in. */
  languageOf(page: DocsPage): string | undefined;
}

/** Counts of the texts that the searched docs have, by which the rarity of a word is told. */
export interface TextStatistics {
  readonly textCount: number;
  /** Weighted number of words of all texts. */
  readonly lengthSum: number;
  /** Returns the number of texts with a word. */
  count(word: string): number;
}

/** The statistics of sections and of whole pages. */
export interface DocsStatistics {
  readonly sections: TextStatistics;
  readonly pages: TextStatistics;
}

/** Returns how specific a word is that so many of all texts have. Rarer words have higher values. */
export function rarityOf({ textCount }: Pick<TextStatistics, 'textCount'>, count: number): number {
  return Math.log(1 + (textCount - count + 0.5) / (count + 0.5));
}
