/** Footnotes of one text: numbered in the order in which they are first referred to. */

/** A footnote as it stands in the list at the end. */
export interface Footnote {
  readonly number: number;
  readonly html: string;
}

/**
 * Numbers that stay as they are once the text around them is settled. While a text grows, what
 * refers to a footnote gets its number before the footnote is there, as these stand at the end.
 */
export class FootnoteNumbers {
  readonly #settled = new Map<string, number>();
  #tail = new Map<string, number>();

  /** The number of what is referred to now; the next free one where it has none. */
  take(label: string): number {
    const known = this.peek(label);
    if (known !== undefined) return known;
    const number = this.#settled.size + this.#tail.size + 1;
    this.#tail.set(label, number);
    return number;
  }

  peek(label: string): number | undefined {
    return this.#settled.get(label) ?? this.#tail.get(label);
  }

  /** Forgets the numbers of text that is not settled. */
  restartTail(): void {
    this.#tail = new Map();
  }

  /** Keeps the number of a label in text that can no longer change. */
  settle(label: string): void {
    const number = this.#tail.get(label);
    if (number === undefined) return;
    this.#tail.delete(label);
    this.#settled.set(label, number);
  }

  clear(): void {
    this.#settled.clear();
    this.#tail.clear();
  }

  /** Labels in the order of their numbers. */
  get labels(): string[] {
    return [...this.#settled.keys(), ...this.#tail.keys()];
  }
}
