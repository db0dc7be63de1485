import { element } from '../dom';

/**
 * Blocks that are laid out, painted and skipped together. Each one by itself would have the browser
 * watch hundreds of them at every frame; all in one would lay out all for each word.
 */
const BLOCKS_A_SECTION = 24;

/** The blocks of a text, in sections: the browser skips full ones while they are out of sight. */
export class BlockSections {
  readonly #parent: Element;
  readonly #end: Node;
  readonly #sections: HTMLElement[] = [];
  #count = 0;

  /** @param end stands behind the last section. */
  constructor(parent: Element, end: Node) {
    this.#parent = parent;
    this.#end = end;
  }

  append(block: HTMLElement): void {
    const index = Math.floor(this.#count++ / BLOCKS_A_SECTION);
    (this.#sections[index] ?? this.#addSection()).append(block);
  }

  /** Takes away the blocks from that one on. */
  truncate(count: number): void {
    const sections = Math.ceil(count / BLOCKS_A_SECTION);
    for (const section of this.#sections.splice(sections)) section.remove();
    const last = this.#sections.at(-1);
    last?.classList.remove('is-full');
    while (last && last.childElementCount > count - (sections - 1) * BLOCKS_A_SECTION) {
      last.lastElementChild?.remove();
    }
    this.#count = count;
  }

  #addSection(): HTMLElement {
    const section = element('div', { class: 'section' });
    const full = this.#sections.at(-1);
    // One that shows nothing, as of definitions alone, has no height to be told by: the browser
    // would lay it out to find that, and then the next one that takes its place.
    if (full?.querySelector('.block:not(:empty)')) full.classList.add('is-full');
    this.#sections.push(section);
    this.#parent.insertBefore(section, this.#end);
    return section;
  }
}
