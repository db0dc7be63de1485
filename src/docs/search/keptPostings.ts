import { COUNT_BITS, MAX_COUNT } from './fieldIndex';
import type { Vocabulary } from './vocabulary';

/** Postings of pages that an earlier process has read. Words and sections have numbers of their own here. */
export interface KeptPostings {
  /** Words by their numbers. */
  readonly words: readonly string[];
  readonly sectionCount: number;
  /** Returns the sections that have a word, each with its counts as `FieldIndex` packs them, alternating. */
  entriesOf(word: number): readonly number[];
}

/** Postings whose words and sections have got the numbers of an index. Those of a word are read when it is searched. */
export class AttachedPostings {
  readonly #kept: KeptPostings;
  /** Numbers of the index's words with those of the kept words behind them, sorted. */
  readonly #numbers: Float64Array;
  /** Number in the index of each kept section, or -1 for one that it doesn't have. */
  readonly #sections: Int32Array;

  constructor(kept: KeptPostings, vocabulary: Vocabulary) {
    this.#kept = kept;
    this.#numbers = Float64Array.from(
      kept.words,
      (word, number) => vocabulary.add(word) * MAX_WORDS + number,
    ).sort();
    this.#sections = new Int32Array(kept.sectionCount).fill(-1);
  }

  /** Gives kept sections that follow each other numbers of the index that follow each other. */
  attach(first: number, count: number, number: number): void {
    for (let position = 0; position < count; position++)
      this.#sections[first + position] = number + position;
  }

  /** Leaves sections out from now on. */
  detach(first: number, count: number): void {
    this.#sections.fill(-1, first, first + count);
  }

  /** Adds the postings of one of the index's words to a list of sections and their counts. */
  collect(word: number, into: number[]): void {
    const kept = this.#numberOf(word);
    if (kept === undefined) return;
    const entries = this.#kept.entriesOf(kept);
    for (let position = 0; position < entries.length; position += 2) {
      const section = this.#sections[entries[position] ?? 0] ?? -1;
      if (section >= 0) into.push(section, entries[position + 1] ?? 0);
    }
  }

  #numberOf(word: number): number | undefined {
    let low = 0;
    let high = this.#numbers.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const both = this.#numbers[middle] ?? 0;
      const found = Math.floor(both / MAX_WORDS);
      if (found === word) return both % MAX_WORDS;
      if (found < word) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }
}

/** Number that is greater than those of all words of one file. Two such numbers fit a float. */
const MAX_WORDS = 2 ** 24;

/** Postings of a word by section and by page. */
export interface KeptEntries {
  readonly sections: readonly number[];
  readonly pages: readonly number[];
}

/** Places of the counts in the packed counts of a section, in the order of a page's fields. */
const sectionPlaces = [2, 3, 0, 4, 5].map((field) => field * COUNT_BITS);
/** Number of the page's fields that all of its sections share: its title and its path. */
const SHARED_FIELDS = 2;

/**
 * Joins the postings of several files in the order of their sections, and adds up those of each page.
 * @param pageOf returns the number of a section's page. Sections of a page follow each other.
 */
export function keptEntries(
  lists: readonly (readonly number[])[],
  pageOf: (section: number) => number,
): KeptEntries {
  const pairs = lists.flatMap((list) =>
    Array.from({ length: list.length / 2 }, (_, pair) => [
      list[2 * pair] ?? 0,
      list[2 * pair + 1] ?? 0,
    ]),
  );
  pairs.sort(([one = 0], [other = 0]) => one - other);
  const pages: number[] = [];
  let page = -1;
  let counts: number[] = [];
  const close = (): void => {
    const packed = counts.reduce((sum, count, field) => sum | (count << (field * COUNT_BITS)), 0);
    if (packed !== 0) pages.push(page, packed);
  };
  for (const [section = 0, packed = 0] of pairs) {
    const own = pageOf(section);
    if (own !== page) {
      close();
      page = own;
      counts = [0, 0, 0, 0, 0];
    }
    sectionPlaces.forEach((shift, field) => {
      const count = (packed >> shift) & MAX_COUNT;
      const before = counts[field] ?? 0;
      counts[field] =
        field < SHARED_FIELDS ? Math.max(before, count) : Math.min(MAX_COUNT, before + count);
    });
  }
  close();
  return { sections: pairs.flat(), pages };
}
