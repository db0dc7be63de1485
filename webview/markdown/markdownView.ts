import type { ViewStrings } from '../../src/shared/viewStrings';
import { element } from '../dom';
import { writeInFrame } from '../frames';
import { BlockSections } from './blockSections';
import { BlockStream } from './blockStream';
import { CodeBlock, type CodeActions } from './codeBlock';
import { CitationIndex } from './citations';
import { decorate } from './decorate';
import { FootnoteList } from './footnoteList';
import { whenIdle } from './idle';
import { patchChildren, type RichNodes } from './patchDom';
import type { RenderedBlock, RenderedGroup } from './rendered';
import { sanitisedFragment } from './sanitise';

/**
 * What makes finished nodes richer once they can no longer change: called once per node, in idle
 * time and in the order of the text. A node may have left the document by then.
 */
export interface Enrichers {
  /** @param element that of `block`, whose code is whole now. */
  onCode?(element: HTMLElement, block: CodeBlock): void;
  /**
   * @param element a `span` or `div` whose text content is the TeX source and whose `data-math` is
   * `inline` or `display`. Its children may be replaced.
   */
  onMath?(element: HTMLElement): void;
}

/** What a Markdown view needs from around it. */
export interface MarkdownContext {
  readonly strings: ViewStrings;
  readonly codeActions: CodeActions;
  readonly enrichers?: Enrichers;
}

interface LiveBlock {
  rendered: RenderedBlock | undefined;
  readonly element: HTMLElement;
  /** How many of a group's settled items are shown; these are not looked at again. */
  shownItems: number;
  /** How many of them are finished. */
  finishedItems: number;
}

/** After so long without more text, all of it is shown. */
const PAUSE_MS = 300;

let viewCount = 0;

/** Growing Markdown as DOM: only blocks that changed are touched. */
export class MarkdownView {
  readonly element = element('div', { class: 'markdown' });
  readonly #context: MarkdownContext;
  readonly #stream = new BlockStream();
  readonly #live: LiveBlock[] = [];
  readonly #sections: BlockSections;
  readonly #rich: RichNodes;
  readonly #footnotes: FootnoteList;
  readonly #idPrefix = `footnote-${++viewCount}-`;
  /** Source of each formula that was handed over to be made richer. */
  readonly #formulas = new WeakMap<Node, string>();
  readonly #finishedCode = new WeakSet<CodeBlock>();
  readonly #code = new WeakMap<CodeBlock, readonly [language: string, code: string]>();
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
   * Shows the text as it is now; the cost is that of what changed. The end of a long block comes
   * in steps, all of it when no more follows for a moment.
   */
  update(text: string, isFinished: boolean): void {
    this.#stream.update(text, isFinished);
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

  /** Links to these become citations. */
  setCitations(citations: CitationIndex): void {
    this.#citations = citations;
    this.#live.forEach(({ rendered }, index) => {
      if (rendered && hasLink(rendered)) this.#show(rendered, index, true);
    });
    this.#footnotes.renew(this.#rich);
  }

  #show(rendered: RenderedBlock, index: number, isForced = false): void {
    const live = this.#live[index] ?? this.#addBlock();
    if (live.rendered === rendered && !isForced) return;
    const isFinished = index < this.#finishedBlocks;
    // Each item of a group has a direction of its own. The browser would pass over all of them in
    // search for that of the group, whenever one comes.
    if (rendered.kind === 'group') live.element.removeAttribute('dir');
    else live.element.setAttribute('dir', 'auto');
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
    // A definition that came late, or a source, has changed what was finished.
    if (isFinished) this.#finishBlock(live);
  }

  #showCode(live: LiveBlock, language: string, code: string): void {
    const first = live.element.firstChild;
    let block = first ? CodeBlock.of(first) : undefined;
    if (!block) {
      block = new CodeBlock(this.#context.strings, this.#context.codeActions);
      live.element.replaceChildren(block.element);
    }
    this.#updateCode(block, language, code);
  }

  /** Shows the items that have come or changed, behind those that are settled and shown. */
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
    } else {
      patchChildren(live.element, fragment, this.#rich);
      live.finishedItems = 0;
    }
    live.shownItems = settled.length;
  }

  #addBlock(): LiveBlock {
    const name = this.#live.length === 0 ? 'block is-first' : 'block';
    const live: LiveBlock = {
      rendered: undefined,
      element: element('div', { class: name }),
      shownItems: 0,
      finishedItems: 0,
    };
    this.#live.push(live);
    this.#sections.append(live.element);
    return live;
  }

  #fragment(html: string): DocumentFragment {
    const fragment = sanitisedFragment(html.trimEnd());
    const { strings } = this.#context;
    decorate(fragment, { strings, citations: this.#citations, idPrefix: this.#idPrefix });
    return fragment;
  }

  #finishBlock(live: LiveBlock | undefined): void {
    if (live) whenIdle(() => this.#finish(live.element));
  }

  /** Finishes what is settled of a group that still grows. */
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
    const { enrichers } = this.#context;
    const roots = [root, ...root.querySelectorAll<HTMLElement>('.code-block, [data-math]')];
    for (const found of roots) {
      const block = CodeBlock.of(found);
      if (block && !this.#finishedCode.has(block)) {
        this.#finishedCode.add(block);
        block.update(...(this.#code.get(block) ?? ['', '']), true);
        enrichers?.onCode?.(found, block);
      } else if (found.dataset['math'] !== undefined && !this.#formulas.has(found)) {
        this.#formulas.set(found, found.textContent);
        enrichers?.onMath?.(found);
      }
    }
  }

  #patchRich(live: Node, fresh: Node): boolean {
    const block = CodeBlock.of(live);
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
    const block = new CodeBlock(this.#context.strings, this.#context.codeActions);
    this.#updateCode(block, plain.dataset['language'] ?? '', plain.textContent);
    return block.element;
  }

  #updateCode(block: CodeBlock, language: string, code: string): void {
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

/** The element that holds the items of a group. */
function bodyOf(root: ParentNode): Element | null {
  const first = root.firstElementChild;
  return first?.classList.contains('table-scroller') === true
    ? first.querySelector(':scope > table > tbody')
    : first;
}

/** Line breaks between the tags of items, so that a child is an item. */
function removeBlanks(parent: Element | null): void {
  for (const child of [...(parent?.childNodes ?? [])]) {
    if (child instanceof Text && child.data.trim() === '') child.remove();
  }
}
