/** Footnotes of one text: numbered in the order in which they are first referred to. */
import type { Block } from './parser';

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

/** Where the first definition of each footnote is among the blocks, by its label. */
export class FootnotePlaces {
  readonly #settled = new Map<string, number>();
  #tail = new Map<string, number>();

  get(label: string): number | undefined {
    return this.#settled.get(label) ?? this.#tail.get(label);
  }

  has(label: string): boolean {
    return this.#settled.has(label) || this.#tail.has(label);
  }

  /** Takes the blocks that are not settled. @param start the index of the first. */
  restartTail(blocks: readonly Block[], start: number): void {
    this.#tail = new Map();
    blocks.forEach(({ tokens: [token] }, index) => {
      if (token?.type !== 'footnote_open') return;
      const label = String(token.meta?.['label']);
      if (!this.#tail.has(label)) this.#tail.set(label, start + index);
    });
  }

  /** Keeps the place of what is defined by the block at an index. */
  settle(index: number): void {
    const label = [...this.#tail].find(([, at]) => at === index)?.[0];
    if (label !== undefined && !this.#settled.has(label)) this.#settled.set(label, index);
  }
}
