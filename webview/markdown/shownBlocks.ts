import type { RenderedBlock } from './rendered';

/** The blocks of a text, and from which one on they have changed. */
export class ShownBlocks {
  readonly #blocks: RenderedBlock[] = [];
  #firstChanged = 0;

  get all(): readonly RenderedBlock[] {
    return this.#blocks;
  }

  /** The first block that may have changed since this was asked last. */
  takeFirstChanged(): number {
    const first = this.#firstChanged;
    this.#firstChanged = this.#blocks.length;
    return first;
  }

  show(index: number, rendered: RenderedBlock): void {
    if (this.#blocks[index] === rendered) return;
    this.#noteChange(index);
    this.#blocks[index] = rendered;
  }

  replaceLast(rendered: RenderedBlock): void {
    this.#noteChange(this.#blocks.length - 1);
    this.#blocks[this.#blocks.length - 1] = rendered;
  }

  /** Leaves out all from an index on. */
  cutTo(count: number): void {
    if (this.#blocks.length <= count) return;
    this.#noteChange(count);
    this.#blocks.length = count;
  }

  clear(): void {
    this.#blocks.length = 0;
    this.#firstChanged = 0;
  }

  #noteChange(index: number): void {
    this.#firstChanged = Math.min(this.#firstChanged, index);
  }
}
