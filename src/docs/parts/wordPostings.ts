import type { PageWords } from '../search/pageWords';
import { writePostings } from '../search/postingBytes';
import { SectionPostings } from '../search/setIndex';

/** Sections after which their postings become bytes. */
const OPEN_SECTIONS = 2000;

/** The postings of all pages. Bytes take a tenth of the memory of numbers, and 20,000 pages have millions of postings. */
export class WordPostings {
  #open = new SectionPostings();
  /** Number of the first section that isn't bytes yet. */
  #openFrom: number;
  /** Bytes by word, and the last section that they have. */
  readonly #packed = new Map<number, { readonly bytes: Uint8Array; readonly last: number }>();

  /** @param first number of the first section. */
  constructor(first = 0) {
    this.#openFrom = first;
  }

  add(words: PageWords): void {
    this.#open.add(words);
    if (this.#open.count >= OPEN_SECTIONS) this.#pack();
  }

  /** Returns each word with its postings, as `postingBytes.ts` writes them. */
  all(): (readonly [word: number, bytes: Uint8Array])[] {
    this.#pack();
    return [...this.#packed].map(([word, { bytes }]) => [word, bytes]);
  }

  #pack(): void {
    for (const [word, entries] of this.#open.all()) {
      const own = entries.map((value, place) => (place % 2 === 0 ? value + this.#openFrom : value));
      const before = this.#packed.get(word);
      const more = writePostings(own, before?.last);
      const bytes = new Uint8Array((before?.bytes.length ?? 0) + more.length);
      if (before) bytes.set(before.bytes);
      bytes.set(more, before?.bytes.length ?? 0);
      this.#packed.set(word, { bytes, last: own.at(-2) ?? 0 });
    }
    this.#openFrom += this.#open.count;
    this.#open = new SectionPostings();
  }
}
