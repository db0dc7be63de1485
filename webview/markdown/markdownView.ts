import { element, setAttribute } from '../dom';
import { writeInFrame, whenIdle } from '../frames';
import { BlockStream } from './blockStream';
import { CitationIndex } from './citations';
import {
  decorate,
  type DecorationStrings,
  markDirection,
  patchChildren,
  type RichNodes,
} from './decorate';
import { FootnoteList, type FootnoteStrings } from './footnoteList';
import type { RenderedBlock, RenderedGroup } from './rendered';
import { sanitizedFragment } from './sanitize';

/** A block of code, as the surroundings of the text show it. */
export interface CodeView {
  readonly element: HTMLElement;
  /** @param isFinished whether no more code will come. */
  update(language: string, code: string, isFinished: boolean): void;
}

/** Everything that a Markdown view needs from its surroundings. */
interface MarkdownContext {
  readonly strings: DecorationStrings & FootnoteStrings;
  /** Makes an empty block of code. */
  readonly createCode: () => CodeView;
  /** Changes what was rendered before it is shown, such as the addresses of links. */
  readonly adapt?: (fragment: DocumentFragment) => void;
  /**
   * Draws a finished formula. It is called once for each, when the page is idle and in the order of
   * the text. The formula may have left the document by then.
   * @param formula a `span` or `div` whose text is TeX source and whose `data-math` is `inline` or
   *   `display`. Its children may be replaced.
   */
  readonly drawMath?: (formula: HTMLElement) => void;
}

interface LiveBlock {
  rendered: RenderedBlock | undefined;
  readonly element: HTMLElement;
  /** Number of settled items of a group that are shown. They are not compared again. */
  shownItems: number;
  /** Number of shown items that are finished. */
  finishedItems: number;
}

/** Time in milliseconds without new text after which all of it is shown. */
const PAUSE_MS = 300;

let viewCount = 0;

/** Returns what the ids of one view's footnotes begin with, as a panel shows many views. */
function nextIdPrefix(): string {
  viewCount += 1;
  return `footnote-${viewCount}-`;
}

/** Shows growing Markdown as DOM. It touches only the blocks that changed. */
export class MarkdownView {
  readonly element = element('div', { class: 'markdown' });
  readonly #context: MarkdownContext;
  readonly #stream = new BlockStream();
  readonly #live: LiveBlock[] = [];
  readonly #sections: BlockSections;
  readonly #rich: RichNodes;
  readonly #footnotes: FootnoteList;
  readonly #idPrefix = nextIdPrefix();
  /** Source of each formula that was passed to be drawn. */
  readonly #formulas = new WeakMap<Node, string>();
  readonly #codeOf = new WeakMap<Node, CodeView>();
  readonly #finishedCode = new WeakSet<CodeView>();
  readonly #code = new WeakMap<CodeView, readonly [language: string, code: string]>();
  #finishedBlocks = 0;
  #pause: ReturnType<typeof setTimeout> | undefined;
  #citations = new CitationIndex([]);

  constructor(context: MarkdownContext) {
    this.#context = context;
    this.#rich = {
      patch: (live, fresh) => this.#patchRich(live, fresh),
      enrich: (fresh) => this.#enrich(fresh),
    };
    this.#footnotes = new FootnoteList(this.element, context.strings, this.#idPrefix, (html) =>
      this.#fragment(html),
    );
    this.#sections = new BlockSections(this.element, this.#footnotes.element);
  }

  /**
   * Shows a text that grows. The cost depends on what was added. The end of a long block is shown in
   * steps, and completely when the text pauses.
   * @param added text that was appended since the last call, or undefined if the text is another
   *   one. Everything is then drawn anew.
   * @param isFinished whether no more text will come.
   */
  update(text: string, added: string | undefined, isFinished: boolean): void {
    const stream = this.#stream;
    if (added === '' && isFinished === stream.isFinished) return;
    const isAnew = added === undefined || stream.isFinished;
    if (isAnew) stream.reset();
    const news = isAnew ? text : added;
    if (isFinished) stream.finish(news);
    else stream.append(news);
    this.#draw();
    if (isFinished) whenIdle(() => this.#finish(this.#footnotes.element));
    clearTimeout(this.#pause);
    if (!this.#stream.isBehind) return;
    const catchUp = (): void => {
      this.#stream.catchUp();
      this.#draw();
    };
    this.#pause = setTimeout(() => writeInFrame(catchUp), PAUSE_MS);
  }

  #draw(): void {
    const stream = this.#stream;
    const { blocks, settledCount } = stream;
    for (let index = stream.takeFirstChanged(); index < blocks.length; index++) {
      const rendered = blocks[index];
      if (rendered) this.#show(rendered, index);
    }
    if (this.#live.length > blocks.length) {
      this.#live.length = blocks.length;
      this.#sections.truncate(blocks.length);
    }
    this.#footnotes.update(stream.takeChangedFootnotes(), this.#rich);
    for (; this.#finishedBlocks < settledCount; this.#finishedBlocks++) {
      this.#finishBlock(this.#live[this.#finishedBlocks]);
    }
    this.#finishedBlocks = Math.min(this.#finishedBlocks, settledCount);
    this.#finishItems(this.#live.at(-1));
  }

  /** Turns links to these sources into citations. */
  setCitations(citations: CitationIndex): void {
    this.#citations = citations;
    this.#live.forEach(({ rendered }, index) => {
      if (rendered && hasLink(rendered)) this.#show(rendered, index, true);
    });
    this.#footnotes.renew(this.#rich);
  }

  #show(rendered: RenderedBlock, index: number, isForced = false): void {
    const known = this.#live[index];
    const live = known ?? this.#newBlock();
    if (live.rendered === rendered && !isForced) return;
    const isFinished = index < this.#finishedBlocks;
    // Each item of a group has its own direction. The browser would search all items for the
    // direction of the group whenever one is added.
    setAttribute(live.element, 'dir', rendered.kind === 'group' ? undefined : 'auto');
    switch (rendered.kind) {
      case 'html':
        patchChildren(live.element, this.#fragment(rendered.html), this.#rich);
        break;
      case 'code':
        this.#showCode(live, rendered.language, rendered.code);
        break;
      case 'note':
        live.element.replaceChildren();
        break;
      case 'group':
        this.#showGroup(live, rendered, isForced);
    }
    live.rendered = rendered;
    if (rendered.kind !== 'group') live.shownItems = live.finishedItems = 0;
    // Only now, because the browser computes styles for each change within the document.
    if (!known) this.#sections.append(live.element);
    // A late definition or a new source has changed a finished block.
    if (isFinished) this.#finishBlock(live);
  }

  #showCode(live: LiveBlock, language: string, code: string): void {
    const first = live.element.firstChild;
    let block = first ? this.#codeOf.get(first) : undefined;
    if (!block) {
      block = this.#newCode();
      live.element.replaceChildren(block.element);
    }
    this.#updateCode(block, language, code);
  }

  /** Shows new and changed items after the settled ones. */
  #showGroup(live: LiveBlock, group: RenderedGroup, isForced: boolean): void {
    const { open, close, settled, live: growing } = group;
    const before = live.rendered?.kind === 'group' ? live.rendered : undefined;
    const isGrown = !isForced && before?.open === open && before.settled === settled;
    const from = isGrown ? live.shownItems : 0;
    const items = [...settled.slice(from), ...growing];
    const fragment = this.#fragment(open + items.join('') + close);
    const [fresh, shown] = [bodyOf(fragment), bodyOf(live.element)];
    removeBlanks(fresh);
    const heads = (fresh?.childNodes.length ?? 0) - items.length;
    if (from > 0 && fresh && shown && heads >= 0) {
      patchChildren(shown, fresh, this.#rich, heads + from, heads);
      // The items before may have no letter.
      const container = shown.closest('.table-scroller, ul, ol, blockquote');
      if (container) markDirection(container);
    } else {
      patchChildren(live.element, fragment, this.#rich);
      live.finishedItems = 0;
    }
    live.shownItems = settled.length;
  }

  #newBlock(): LiveBlock {
    const name = this.#live.length === 0 ? 'block is-first' : 'block';
    const live: LiveBlock = {
      rendered: undefined,
      element: element('div', { class: name }),
      shownItems: 0,
      finishedItems: 0,
    };
    this.#live.push(live);
    return live;
  }

  #fragment(html: string): DocumentFragment {
    const fragment = sanitizedFragment(html.trimEnd());
    const { strings, adapt } = this.#context;
    decorate(fragment, { strings, citations: this.#citations, idPrefix: this.#idPrefix });
    adapt?.(fragment);
    return fragment;
  }

  #finishBlock(live: LiveBlock | undefined): void {
    if (live) whenIdle(() => this.#finish(live.element));
  }

  /** Finishes the settled items of a group that still grows. */
  #finishItems(live: LiveBlock | undefined): void {
    if (live?.rendered?.kind !== 'group') return;
    const { settled, live: growing } = live.rendered;
    if (growing.length === 0) return;
    const body = bodyOf(live.element);
    const heads = (body?.childNodes.length ?? 0) - settled.length - growing.length;
    for (; live.finishedItems < settled.length; live.finishedItems++) {
      const item = body?.childNodes[heads + live.finishedItems];
      if (item instanceof HTMLElement) whenIdle(() => this.#finish(item));
    }
  }

  #finish(root: HTMLElement): void {
    const roots = [root, ...root.querySelectorAll<HTMLElement>('.code-block, [data-math]')];
    for (const found of roots) {
      const block = this.#codeOf.get(found);
      if (block && !this.#finishedCode.has(block)) {
        this.#finishedCode.add(block);
        block.update(...(this.#code.get(block) ?? ['', '']), true);
      } else if (found.dataset['math'] !== undefined && !this.#formulas.has(found)) {
        this.#formulas.set(found, found.textContent);
        this.#context.drawMath?.(found);
      }
    }
  }

  #patchRich(live: Node, fresh: Node): boolean {
    const block = this.#codeOf.get(live);
    if (block && fresh instanceof HTMLPreElement) {
      this.#updateCode(block, fresh.dataset['language'] ?? '', fresh.textContent);
      return true;
    }
    if (!this.#formulas.has(live)) return false;
    const isSame =
      fresh instanceof HTMLElement &&
      fresh.dataset['math'] !== undefined &&
      fresh.textContent === this.#formulas.get(live);
    if (!isSame) this.#formulas.delete(live);
    return isSame;
  }

  #enrich(fresh: Node): Node {
    if (fresh instanceof HTMLPreElement) return this.#richCode(fresh);
    if (fresh instanceof Element) {
      for (const code of fresh.querySelectorAll('pre')) code.replaceWith(this.#richCode(code));
    }
    return fresh;
  }

  #richCode(plain: HTMLPreElement): HTMLElement {
    const block = this.#newCode();
    this.#updateCode(block, plain.dataset['language'] ?? '', plain.textContent);
    return block.element;
  }

  #newCode(): CodeView {
    const block = this.#context.createCode();
    this.#codeOf.set(block.element, block);
    return block;
  }

  #updateCode(block: CodeView, language: string, code: string): void {
    this.#code.set(block, [language, code]);
    block.update(language, code, this.#finishedCode.has(block));
  }
}

function hasLink(rendered: RenderedBlock): boolean {
  switch (rendered.kind) {
    case 'html':
      return rendered.html.includes('<a ');
    case 'group':
      return [rendered.open, ...rendered.settled, ...rendered.live].some((html) =>
        html.includes('<a '),
      );
    case 'code':
    case 'note':
      return false;
  }
}

/** Returns the element that holds the items of a group. */
function bodyOf(root: ParentNode): Element | null {
  const first = root.firstElementChild;
  return first?.classList.contains('table-scroller') === true
    ? first.querySelector(':scope > table > tbody')
    : first;
}

/** Removes the line breaks between items, so that each child is an item. */
function removeBlanks(parent: Element | null): void {
  for (const child of [...(parent?.childNodes ?? [])]) {
    if (child instanceof Text && child.data.trim() === '') child.remove();
  }
}

/**
 * Number of blocks that are laid out, painted and skipped together. Single blocks would have the
 * browser watch hundreds of elements in every frame. One large section would be laid out again for
 * each word.
 */
const BLOCKS_A_SECTION = 24;

/**
 * Groups the blocks of a text into sections. The browser skips full sections that are out of sight.
 */
class BlockSections {
  readonly #parent: Element;
  readonly #end: Node;
  readonly #sections: HTMLElement[] = [];
  #count = 0;

  /** @param end node after the last section. */
  constructor(parent: Element, end: Node) {
    this.#parent = parent;
    this.#end = end;
  }

  append(block: HTMLElement): void {
    const index = Math.floor(this.#count++ / BLOCKS_A_SECTION);
    (this.#sections[index] ?? this.#addSection()).append(block);
  }

  /** Removes the blocks from that index on. */
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
    // A section without visible blocks has no height. The browser would have to lay it out to find
    // out, and then the next one in its place.
    if (full?.querySelector('.block:not(:empty)')) full.classList.add('is-full');
    this.#sections.push(section);
    this.#parent.insertBefore(section, this.#end);
    return section;
  }
}
