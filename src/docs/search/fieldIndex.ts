/** Number of occurrences of a word after which further ones hardly count (BM25's `k1`). */
const SATURATION = 1.2;
/** Degree to which the length of a text counts against its words, from 0 to 1 (BM25's `b`). */
const LENGTH_SHARE = 0.75;

/** Number of bits in a posting for the occurrences of a word in one field, and the maximum that fits. */
export const COUNT_BITS = 4;
export const MAX_COUNT = 2 ** COUNT_BITS - 1;

/** A word's postings are cleaned when one in this many is of a removed text. */
const REMOVED_SHARE = 4;

const noEntries: readonly number[] = [];

/** A word to search for. Its weight includes how rare the word is. */
export interface WeightedWord {
  readonly number: number;
  readonly weight: number;
}

/** Weighted numbers of words of texts, by text, which several indexes share and none changes. */
interface KeptLengths {
  readonly lengths: number[];
  readonly sum: number;
  /** Number of texts. There are fewer than lengths if numbers are left out. */
  readonly count: number;
}

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
 * Inverted index of texts with several fields, ranked by BM25 as if each word of a field stood there as often
 * as the field's weight says. Texts have increasing numbers, so that each list of postings is sorted.
 */
export class FieldIndex {
  readonly #weights: readonly number[];
  /** Postings by word. */
  readonly #postings: (Postings | undefined)[] = [];
  /** Packed counts of one text by word, zeros between two texts. */
  #packed = new Int32Array(1024);
  /** Weighted number of words by text. */
  readonly #lengths: number[];
  /** Weighted number of words of all texts. */
  lengthSum = 0;
  readonly #isRemoved: boolean[] = [];
  textCount = 0;
  readonly #keptOf: (word: number) => readonly number[];
  #hasKept = false;
  /** Postings of all texts for the words that were looked up since the last change, if there are kept texts. */
  readonly #joined = new Map<number, readonly number[]>();

  /**
   * @param weights weight of a word by its field, for at most seven fields.
   * @param keptOf returns the postings of the texts that {@link addKept} has added, in the order of the texts.
   * @param kept texts of an index that only has such ones and never changes.
   */
  constructor(
    weights: readonly number[],
    keptOf: (word: number) => readonly number[] = () => noEntries,
    kept?: KeptLengths,
  ) {
    this.#weights = weights;
    this.#keptOf = keptOf;
    this.#lengths = kept?.lengths ?? [];
    if (!kept) return;
    this.#hasKept = true;
    this.lengthSum = kept.sum;
    this.textCount = kept.count;
  }

  /** Adds a text whose postings are kept elsewhere. @param length weighted number of its words. */
  addKept(text: number, length: number): void {
    this.#hasKept = true;
    this.#count(text, length);
  }

  /** Removes a text that {@link addKept} has added. */
  removeKept(text: number): void {
    this.#uncount(text);
  }

  /** Yields each word that was added with its postings: numbers of texts and their packed counts, alternating. */
  *postings(): Iterable<readonly [word: number, entries: readonly number[]]> {
    for (const [word, postings] of this.#postings.entries())
      if (postings) yield [word, postings.entries];
  }

  #count(text: number, length: number): void {
    this.#joined.clear();
    this.#lengths[text] = length;
    this.lengthSum += length;
    this.#isRemoved[text] = false;
    this.textCount++;
  }

  #uncount(text: number): void {
    this.#joined.clear();
    this.#isRemoved[text] = true;
    this.lengthSum -= this.#lengths[text] ?? 0;
    this.#lengths[text] = 0;
    this.textCount--;
  }

  /** Returns the postings of a word. Without kept texts, they can have texts that were removed. */
  #entriesOf(word: number): readonly number[] {
    const own = this.#postings[word];
    if (!this.#hasKept) return own?.entries ?? noEntries;
    let joined = this.#joined.get(word);
    if (!joined) {
      const living = own && own.removed > 0 ? this.#living(own.entries) : own?.entries;
      joined = inOrder(this.#keptOf(word), living ?? noEntries);
      this.#joined.set(word, joined);
    }
    return joined;
  }

  /**
   * Adds a text. Its number must be greater than the numbers of all texts before it.
   * @param fields words by field, each in one or several arrays.
   * @param length weighted number of its words.
   */
  add(text: number, fields: readonly (readonly Int32Array[])[], length: number): void {
    const touched: number[] = [];
    fields.forEach((arrays, field) => {
      const shift = field * COUNT_BITS;
      for (const words of arrays) {
        // An iterator of a typed array takes several times as long.
        for (let position = 0; position < words.length; position++) {
          const word = words[position] ?? 0;
          if (word >= this.#packed.length) this.#grow(word);
          const packed = this.#packed[word] ?? 0;
          if (packed === 0) touched.push(word);
          if (((packed >> shift) & MAX_COUNT) < MAX_COUNT)
            this.#packed[word] = packed + (1 << shift);
        }
      }
    });
    this.#count(text, length);
    for (const word of touched) {
      const packed = this.#packed[word] ?? 0;
      this.#packed[word] = 0;
      const postings = this.#postings[word];
      if (postings) postings.entries.push(text, packed);
      else this.#postings[word] = { entries: [text, packed], removed: 0 };
    }
  }

  #grow(word: number): void {
    const larger = new Int32Array(Math.max(word + 1, 2 * this.#packed.length));
    larger.set(this.#packed);
    this.#packed = larger;
    while (this.#postings.length < larger.length) this.#postings.push(undefined);
  }

  /**
   * Removes a text. Deletes a word's postings of removed texts only when they are a quarter of all of the
   * word's postings, so that the cost doesn't grow with the number of texts that have its words.
   * @param fields all words of the text, in any order. Words that it doesn't have are skipped.
   */
  remove(text: number, fields: readonly Int32Array[]): void {
    this.#uncount(text);
    for (const word of new Set(fields.flatMap((words) => [...words]))) {
      const postings = this.#postings[word];
      if (!postings || positionOf(postings.entries, text) < 0) continue;
      postings.removed++;
      if (postings.removed * 2 * REMOVED_SHARE >= postings.entries.length)
        this.#clean(word, postings);
    }
  }

  #clean(word: number, { entries }: Postings): void {
    const living = this.#living(entries);
    this.#postings[word] = living.length === 0 ? undefined : { entries: living, removed: 0 };
  }

  #living(entries: readonly number[]): number[] {
    const living: number[] = [];
    for (let position = 0; position < entries.length; position += 2) {
      const text = entries[position] ?? 0;
      if (this.#isRemoved[text] !== true) living.push(text, entries[position + 1] ?? 0);
    }
    return living;
  }

  /** Returns whether a text that was not removed has a word. */
  has(text: number, word: number): boolean {
    return positionOf(this.#entriesOf(word), text) >= 0;
  }

  /** Returns the number of texts with a word. */
  count(word: number): number {
    const removed = this.#hasKept ? 0 : (this.#postings[word]?.removed ?? 0);
    return this.#entriesOf(word).length / 2 - removed;
  }

  /**
   * Adds the scores of the best variant of a word to each text's sum. Texts that were removed can
   * have sums, too.
   * @param scale factor that makes a length a multiple of the mean length.
   * @param sums scores by text, changed in place.
   * @param scratch zeros by text, which are zeros again afterwards.
   */
  addScores(
    variants: readonly WeightedWord[],
    scale: number,
    sums: Float64Array,
    scratch: Float64Array,
  ): void {
    const touched: number[] = [];
    for (const { number, weight } of variants) {
      const postings = this.#entriesOf(number);
      const worth = weight * (SATURATION + 1);
      for (let position = 0; position < postings.length; position += 2) {
        const text = postings[position] ?? 0;
        const length = (this.#lengths[text] ?? 0) * scale;
        const frequency =
          this.#weighted(postings[position + 1] ?? 0) / (1 - LENGTH_SHARE + LENGTH_SHARE * length);
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

  /** Returns how often a word occurs in a text, with the weights of the fields. */
  #weighted(packed: number): number {
    let count = 0;
    let rest = packed;
    for (let field = 0; rest !== 0; field++, rest >>>= COUNT_BITS) {
      count += (rest & MAX_COUNT) * (this.#weights[field] ?? 0);
    }
    return count;
  }
}

/** Returns two lists of postings as one, in the order of their texts. */
function inOrder(one: readonly number[], other: readonly number[]): readonly number[] {
  if (one.length === 0) return other;
  if (other.length === 0) return one;
  const joined: number[] = [];
  let [left, right] = [0, 0];
  while (left < one.length || right < other.length) {
    const isLeft = (one[left] ?? Infinity) < (other[right] ?? Infinity);
    if (isLeft) joined.push(one[left] ?? 0, one[left + 1] ?? 0);
    else joined.push(other[right] ?? 0, other[right + 1] ?? 0);
    if (isLeft) left += 2;
    else right += 2;
  }
  return joined;
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
