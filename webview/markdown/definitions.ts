/**
 * Tracks the footnotes and link definitions of a growing text. Footnotes are numbered in the order
 * of their first reference.
 */
import { type Block, possibleLabels, References, type ParsedDocument } from './parser';

/** A footnote in the list at the end. */
export interface Footnote {
  readonly number: number;
  readonly html: string;
}

/** A footnote that is new or has changed. Without `html`, it was removed. */
export type FootnoteChange = Pick<Footnote, 'number'> & Partial<Footnote>;

/**
 * Numbers of footnotes. They stay once the text around them is settled. In a growing text, a
 * reference gets its number before its footnote arrives, because footnotes come at the end.
 */
export class FootnoteNumbers {
  readonly #settled = new Map<string, number>();
  #tail = new Map<string, number>();
  readonly #labels = new Map<number, string>();
  #changed = new Set<number>();

  /** Returns the number of a footnote. A new footnote gets the next free number. */
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

  /** Forgets the numbers that come from unsettled text. */
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

  /** Marks a numbered footnote as changed. */
  noteChange(label: string): void {
    const number = this.peek(label);
    if (number !== undefined) this.#changed.add(number);
  }

  /** Returns the numbers of footnotes that may have changed since the last call. */
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

/** Index of the block that defines each footnote, by label. The first definition wins. */
export class FootnotePlaces {
  readonly #settled = new Map<string, number>();
  #tail = new Map<string, number>();

  get(label: string): number | undefined {
    return this.#settled.get(label) ?? this.#tail.get(label);
  }

  has(label: string): boolean {
    return this.#settled.has(label) || this.#tail.has(label);
  }

  /** Labels that unsettled text defines. */
  get tailLabels(): Iterable<string> {
    return this.#tail.keys();
  }

  /** Takes the unsettled blocks. @param start index of the first one. */
  restartTail(blocks: readonly Block[], start: number): void {
    this.#tail = new Map();
    blocks.forEach((block, index) => {
      const label = definedLabel(block);
      if (label !== undefined && !this.#tail.has(label)) this.#tail.set(label, start + index);
    });
  }

  /** Keeps the places of the footnotes that a block defines. */
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

/** The link definitions of a growing text, and the settled blocks that wait for one. */
export class LinkDefinitions<SettledBlock> {
  /**
   * Link definitions that can no longer change. The first definition of a label wins, as in
   * CommonMark.
   */
  readonly references = new References();
  /** Link definitions that may still change, by label. */
  readonly #provisional = new Map<string, NonNullable<ReturnType<References['get']>>>();
  /** Settled blocks by labels that they mention and that have no definition yet. */
  readonly #waiting = new Map<string, Set<SettledBlock>>();

  /** Settles the definitions before a line. @returns the labels that are new. */
  settle({ definitions, references }: ParsedDocument, settledLine: number): string[] {
    const labels = definitions
      .filter(({ label, endLine }) => endLine <= settledLine && !this.references.get(label))
      .map(({ label }) => label);
    for (const label of labels) {
      const reference = references.get(label);
      if (reference) this.references.add(label, reference);
    }
    for (const { label } of definitions) {
      const reference = references.get(label);
      if (reference && !this.references.get(label)) this.#provisional.set(label, reference);
    }
    return labels;
  }

  /**
   * Returns the labels of unsettled definitions that have changed, and forgets them. A definition
   * at the end of the text may change after references to it were settled.
   */
  takeChanged(references: References): string[] {
    const changed = [...this.#provisional].filter(([label, { href, title }]) => {
      const now = references.get(label);
      return now?.href !== href || now.title !== title;
    });
    this.#provisional.clear();
    return changed.map(([label]) => label);
  }

  /** Notes the undefined labels that a settled block mentions. */
  await(block: SettledBlock, tokens: Block['tokens']): void {
    for (const label of possibleLabels(tokens)) {
      if (this.references.get(label)) continue;
      const waiting = this.#waiting.get(label) ?? new Set();
      this.#waiting.set(label, waiting.add(block));
    }
  }

  waitingFor(labels: readonly string[]): Set<SettledBlock> {
    return new Set(labels.flatMap((label) => [...(this.#waiting.get(label) ?? [])]));
  }

  stopWaiting(labels: readonly string[]): void {
    for (const label of labels) this.#waiting.delete(label);
  }
}
