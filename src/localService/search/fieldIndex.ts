/** One field of the indexed texts. */
export interface FieldOptions {
  /** Weight of a word in this field. */
  readonly weight: number;
  /** Degree to which the field's length counts against its words, from 0 to 1 (BM25's `b`). */
  readonly lengthShare: number;
}

/** Number of occurrences of a word after which further ones hardly count (BM25's `k1`). */
const SATURATION = 1.2;

/** Number of bits in a posting for the occurrences of a word in one field, and the maximum that fits. */
const COUNT_BITS = 4;
const MAX_COUNT = 2 ** COUNT_BITS - 1;

/** A word's postings are cleaned when one in this many is of a removed text. */
const REMOVED_SHARE = 4;

/** List of the texts that have a word. */
interface Postings {
  /**
   * Alternates the number of a text and its counts in all fields, packed into one integer. Plain arrays of
   * small integers need a fifth of the memory of maps.
   */
  readonly entries: number[];
  /** Number of texts in `entries` that were removed from the index. */
  removed: number;
}

/**
 * Inverted index of texts with several fields, ranked by BM25F. Texts have increasing numbers, so
 * that each list of postings is sorted.
 */
export class FieldIndex {
  readonly #fields: readonly FieldOptions[];
  readonly #postings = new Map<number, Postings>();
  /** Number of words by field and text. */
  readonly #lengths: number[][];
  readonly #lengthSums: number[];
  readonly #isRemoved: boolean[] = [];
  #textCount = 0;

  /** @param fields at most seven fields. */
  constructor(fields: readonly FieldOptions[]) {
    this.#fields = fields;
    this.#lengths = fields.map(() => []);
    this.#lengthSums = fields.map(() => 0);
  }

  /** Adds a text. Its number must be greater than the numbers of all texts before it. */
  add(text: number, words: readonly (readonly number[])[]): void {
    const counts = new Map<number, number>();
    words.forEach((inField, field) => {
      const shift = field * COUNT_BITS;
      for (const word of inField) {
        const packed = counts.get(word) ?? 0;
        if (((packed >> shift) & MAX_COUNT) < MAX_COUNT) counts.set(word, packed + (1 << shift));
      }
      const lengths = this.#lengths[field];
      if (lengths) lengths[text] = inField.length;
      this.#lengthSums[field] = (this.#lengthSums[field] ?? 0) + inField.length;
    });
    for (const [word, packed] of counts) {
      const postings = this.#postings.get(word);
      if (postings) postings.entries.push(text, packed);
      else this.#postings.set(word, { entries: [text, packed], removed: 0 });
    }
    this.#isRemoved[text] = false;
    this.#textCount++;
  }

  /**
   * Removes a text. Deletes a word's postings of removed texts only when they are a quarter of all of the
   * word's postings, so that the cost doesn't grow with the number of texts that have its words.
   * @param words all words of the text, in any order.
   */
  remove(text: number, words: Iterable<number>): void {
    this.#isRemoved[text] = true;
    for (const word of new Set(words)) {
      const postings = this.#postings.get(word);
      if (!postings || positionOf(postings.entries, text) < 0) continue;
      postings.removed++;
      if (postings.removed * 2 * REMOVED_SHARE >= postings.entries.length)
        this.#clean(word, postings);
    }
    this.#lengths.forEach((lengths, field) => {
      this.#lengthSums[field] = (this.#lengthSums[field] ?? 0) - (lengths[text] ?? 0);
      lengths[text] = 0;
    });
    this.#textCount--;
  }

  #clean(word: number, { entries }: Postings): void {
    const kept: number[] = [];
    for (let position = 0; position < entries.length; position += 2) {
      const text = entries[position] ?? 0;
      if (this.#isRemoved[text] !== true) kept.push(text, entries[position + 1] ?? 0);
    }
    if (kept.length === 0) this.#postings.delete(word);
    else this.#postings.set(word, { entries: kept, removed: 0 });
  }

  /** Returns whether a text that was not removed has a word. */
  has(text: number, word: number): boolean {
    const postings = this.#postings.get(word);
    return postings !== undefined && positionOf(postings.entries, text) >= 0;
  }

  /** Returns the number of texts with a word. */
  count(word: number): number {
    const postings = this.#postings.get(word);
    return postings === undefined ? 0 : postings.entries.length / 2 - postings.removed;
  }

  /** Returns how specific a word is. Rarer words have higher values. */
  rarity(word: number): number {
    const count = this.count(word);
    return Math.log(1 + (this.#textCount - count + 0.5) / (count + 0.5));
  }

  /**
   * Adds the scores of the best variant of a word to each text's sum. Texts that were removed can
   * have sums, too.
   * @param variants weights by word.
   * @param sums scores by text, changed in place.
   * @param scratch zeros by text, which are zeros again afterwards.
   * @param share factor for the scores.
   */
  addScores(
    variants: ReadonlyMap<number, number>,
    sums: Float64Array,
    scratch: Float64Array,
    share: number,
  ): void {
    const touched: number[] = [];
    const scales = this.#fields.map((_, field) =>
      this.#textCount === 0 ? 0 : this.#textCount / Math.max(1, this.#lengthSums[field] ?? 0),
    );
    for (const [word, weight] of variants) {
      const postings = this.#postings.get(word)?.entries;
      if (!postings) continue;
      const worth = weight * share * this.rarity(word) * (SATURATION + 1);
      for (let position = 0; position < postings.length; position += 2) {
        const text = postings[position] ?? 0;
        const frequency = this.#frequency(text, postings[position + 1] ?? 0, scales);
        const score = (worth * frequency) / (SATURATION + frequency);
        const before = scratch[text] ?? 0;
        if (score <= before) continue;
        if (before === 0) touched.push(text);
        scratch[text] = score;
      }
    }
    for (const text of touched) {
      sums[text] = (sums[text] ?? 0) + (scratch[text] ?? 0);
      scratch[text] = 0;
    }
  }

  /** Returns how often a word occurs in a text, weighted by the weights and lengths of the fields. */
  #frequency(text: number, packed: number, scales: readonly number[]): number {
    let frequency = 0;
    let rest = packed;
    for (let field = 0; rest !== 0; field++, rest >>>= COUNT_BITS) {
      const count = rest & MAX_COUNT;
      const options = this.#fields[field];
      if (count === 0 || !options) continue;
      const length = (this.#lengths[field]?.[text] ?? 0) * (scales[field] ?? 0);
      frequency +=
        (options.weight * count) / (1 - options.lengthShare + options.lengthShare * length);
    }
    return frequency;
  }
}

/** Returns the position of a text's posting, or -1. */
function positionOf(postings: readonly number[], text: number): number {
  let low = 0;
  let high = postings.length / 2 - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = postings[middle * 2] ?? 0;
    if (found === text) return middle * 2;
    if (found < text) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
