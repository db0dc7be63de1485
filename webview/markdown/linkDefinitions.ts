import { possibleLabels, References, type Block, type ParsedDocument } from './parser';

/** The link definitions of a growing text, and the settled blocks that wait for one. */
export class LinkDefinitions<SettledBlock> {
  /** Those that are settled: of one label the first. */
  readonly references = new References();
  /** Those that are not. */
  readonly #provisional = new Map<string, NonNullable<ReturnType<References['get']>>>();
  /** What is settled, by a label in it that has no definition so far. */
  readonly #waiting = new Map<string, Set<SettledBlock>>();

  /** Settles what is defined before a line. @returns the labels that are new. */
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
   * A definition at the end of the text may become another one, or none, after what refers to it
   * has been settled. @returns the labels of such, and forgets what is not settled.
   */
  takeChanged(references: References): string[] {
    const changed = [...this.#provisional].filter(([label, { href, title }]) => {
      const now = references.get(label);
      return now?.href !== href || now.title !== title;
    });
    this.#provisional.clear();
    return changed.map(([label]) => label);
  }

  /** Notes the labels in a block that has been settled. */
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
