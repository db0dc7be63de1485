import { fill, type ViewStrings } from '../../src/shared/viewStrings';
import { element, setAttribute, visibleText } from '../dom';
import { BlockStream, type RenderedBlock } from './blockStream';
import { CodeBlock, type CodeActions } from './codeBlock';
import { CitationIndex } from './citations';
import { allowedLink, hostToShow, linkTitle } from './links';
import { patchChildren, type RichNodes } from './patchDom';
import { sanitisedFragment } from './sanitise';

/**
 * What makes finished nodes richer once they can no longer change: called once per node, in idle
 * time and in the order of the text. A node may have left the document by then.
 */
export interface Enrichers {
  /** @param element that of `block`, whose code is whole now. */
  onCode?(element: HTMLElement, block: CodeBlock): void;
  /**
   * @param element a `span` (inline) or `div` (display) whose text content is the TeX source and
   * whose `data-math` is `inline` or `display`. Its children may be replaced.
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
  rendered: RenderedBlock;
  readonly element: HTMLElement;
}

/** Growing Markdown as DOM: only blocks that changed are touched. */
export class MarkdownView {
  readonly element = element('div', { class: 'markdown' });
  readonly #context: MarkdownContext;
  readonly #stream = new BlockStream();
  readonly #live: LiveBlock[] = [];
  readonly #rich: RichNodes;
  #citations = new CitationIndex([]);

  constructor(context: MarkdownContext) {
    this.#context = context;
    this.#rich = {
      patch: (live, fresh) => {
        const block = CodeBlock.of(live);
        if (!block || !(fresh instanceof HTMLPreElement)) return false;
        block.update(fresh.dataset['language'] ?? '', fresh.textContent);
        return true;
      },
      enrich: (fresh) => this.#enrich(fresh),
    };
  }

  /** Shows the text as it is now; the cost is that of what changed. */
  update(text: string, isFinished: boolean): void {
    this.#stream.update(text, isFinished);
    const { blocks } = this.#stream;
    blocks.forEach((rendered, index) => this.#show(rendered, index));
    for (const { element: extra } of this.#live.splice(blocks.length)) extra.remove();
  }

  /** Links to these become citations. */
  setCitations(citations: CitationIndex): void {
    this.#citations = citations;
    this.#live.forEach(({ rendered }, index) => {
      if (rendered.kind === 'html' && rendered.html.includes('<a ')) {
        this.#show(rendered, index, true);
      }
    });
  }

  #show(rendered: RenderedBlock, index: number, isForced = false): void {
    const live = this.#live[index] ?? this.#addBlock(rendered);
    if (live.rendered === rendered && live.element.hasChildNodes() && !isForced) return;
    live.rendered = rendered;
    if (rendered.kind === 'html') {
      const fragment = sanitisedFragment(rendered.html.trimEnd());
      this.#decorate(fragment);
      patchChildren(live.element, fragment, this.#rich);
      return;
    }
    const first = live.element.firstChild;
    let block = first ? CodeBlock.of(first) : undefined;
    if (!block) {
      block = new CodeBlock(this.#context.strings, this.#context.codeActions);
      live.element.replaceChildren(block.element);
    }
    block.update(rendered.language, rendered.code);
  }

  #addBlock(rendered: RenderedBlock): LiveBlock {
    const live: LiveBlock = {
      rendered,
      element: element('div', { class: 'block', attributes: { dir: 'auto' } }),
    };
    this.#live.push(live);
    this.element.append(live.element);
    return live;
  }

  /** What is done before a fresh block is compared with the one in the document. */
  #decorate(fragment: DocumentFragment): void {
    for (const link of fragment.querySelectorAll('a')) this.#decorateLink(link);
    for (const table of fragment.querySelectorAll('table')) {
      const scroller = element('div', {
        class: 'table-scroller',
        attributes: { role: 'region', tabindex: '0', 'aria-label': this.#context.strings.table },
      });
      table.replaceWith(scroller);
      scroller.append(table);
    }
  }

  #decorateLink(link: HTMLAnchorElement): void {
    const { strings } = this.#context;
    const href = link.getAttribute('href') ?? '';
    const cited = this.#citations.find(href);
    const url = allowedLink(cited?.source.url ?? href);
    if (!url) {
      const text = element('span', { class: 'dead-link' }, ...link.childNodes);
      if (href !== '') text.title = visibleText(href);
      link.replaceWith(text);
      return;
    }
    const isImage = link.classList.contains('image-link');
    link.href = url.href;
    link.title = linkTitle(url);
    link.className = isImage ? 'image-link' : '';
    if (link.className === '') link.removeAttribute('class');
    if (cited && !isImage) {
      const { number, source } = cited;
      const isNumberOnly = /^\s*\[?\d+\]?\s*$/.test(link.textContent);
      link.className = isNumberOnly ? 'citation' : 'cited-link';
      link.dataset['sourceId'] = source.sourceId;
      link.dataset['number'] = String(number);
      const name = visibleText(source.title ?? '') || url.host;
      link.title = `${name}\n${linkTitle(url)}`;
      if (isNumberOnly) {
        link.textContent = String(number);
        setAttribute(link, 'aria-label', fill(strings.citation, number, name));
      }
      return;
    }
    const host = hostToShow(url, link.textContent);
    if (host !== undefined) link.dataset['host'] = host;
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
    block.update(plain.dataset['language'] ?? '', plain.textContent);
    return block.element;
  }
}
