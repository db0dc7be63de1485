/** Footnotes of one text: numbered in the order in which they are first referred to. */
import type { Block } from './parser';

/** A footnote as it stands in the list at the end. */
export interface Footnote {
  readonly number: number;
  readonly html: string;
}

/** A footnote that came or changed, or one that is gone, without `html`. */
export type FootnoteChange = Pick<Footnote, 'number'> & Partial<Footnote>;

/**
 * Numbers that stay as they are once the text around them is settled. While a text grows, what
 * refers to a footnote gets its number before the footnote is there, as these stand at the end.
 */
export class FootnoteNumbers {
  readonly #settled = new Map<string, number>();
  #tail = new Map<string, number>();
  readonly #labels = new Map<number, string>();
  #changed = new Set<number>();

  /** The number of what is referred to now; the next free one where it has none. */
  take(label: string): number {
    const known = this.peek(label);
    if (known !== undefined) return known;
    const number = this.#settled.size + this.#tail.size + 1;
    this.#tail.set(label, number);
    this.#labels.set(number, label);
    this.#changed.add(number);
    return number;
  }

  peek(label: string): number | undefined {
    return this.#settled.get(label) ?? this.#tail.get(label);
  }

  labelOf(number: number): string | undefined {
    return this.#labels.get(number);
  }

  /** Forgets the numbers of text that is not settled. */
  restartTail(): void {
    this.#forget(this.#tail);
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
    this.#forget(this.#settled);
    this.#settled.clear();
    this.restartTail();
  }

  /** Labels in the order of their numbers. */
  get labels(): string[] {
    return [...this.#settled.keys(), ...this.#tail.keys()];
  }

  /** Notes that the footnote of a label, if it has a number, may have changed. */
  noteChange(label: string): void {
    const number = this.peek(label);
    if (number !== undefined) this.#changed.add(number);
  }

  /** The numbers of footnotes that may have changed since this was asked last. */
  takeChanged(): ReadonlySet<number> {
    const changed = this.#changed;
    this.#changed = new Set();
    return changed;
  }

  #forget(numbers: ReadonlyMap<string, number>): void {
    for (const number of numbers.values()) {
      this.#labels.delete(number);
      this.#changed.add(number);
    }
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

  /** Labels that are defined in text that is not settled. */
  get tailLabels(): Iterable<string> {
    return this.#tail.keys();
  }

  /** Takes the blocks that are not settled. @param start the index of the first. */
  restartTail(blocks: readonly Block[], start: number): void {
    this.#tail = new Map();
    blocks.forEach((block, index) => {
      const label = definedLabel(block);
      if (label !== undefined && !this.#tail.has(label)) this.#tail.set(label, start + index);
    });
  }

  /** Keeps the place of what a block defines. */
  settle(block: Block): void {
    const label = definedLabel(block);
    const index = label === undefined ? undefined : this.#tail.get(label);
    if (label === undefined || index === undefined || this.#settled.has(label)) return;
    this.#settled.set(label, index);
  }
}

function definedLabel({ tokens: [token] }: Block): string | undefined {
  return token?.type === 'footnote_open' ? String(token.meta?.['label']) : undefined;
}
