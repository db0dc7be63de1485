/** Shows one reply in the box, from the same changes and with the same Markdown as the chat. */
import { fill } from '../../src/shared/fill';
import { isElsewhere } from '../../src/shared/links';
import { type ReplyChange, ReplyFold } from '../../src/shared/reply';
import type { SourcePart, TextPart } from '../../src/shared/uiMessage';
import { element, visibleLine } from '../dom';
import { writeInFrame } from '../frames';
import { CitationIndex } from '../markdown/citations';
import { type CodeView, MarkdownView } from '../markdown/markdownView';
import { boxTexts } from './boxTexts';
import type { SitePages } from './siteIndex';

/** A text of the reply, and what was added to it since it was drawn. */
interface ShownText {
  readonly markdown: MarkdownView;
  readonly element: HTMLElement;
  /** Text to append to what is drawn, or undefined if the text is another one. */
  added: string | undefined;
}

export class BoxReply {
  readonly element = element('div', { class: 'reply' });
  readonly #fold = new ReplyFold();
  readonly #pages: SitePages;
  readonly #texts = new Map<number, ShownText>();
  readonly #main = element('div');
  readonly #more = element('div');
  readonly #heading = element('h2', { text: boxTexts().sources });
  readonly #sources = element('ol');
  readonly #draw = (): void => this.#drawNow();
  #citations = new CitationIndex([]);
  #isFinished = false;

  constructor(pages: SitePages) {
    this.#pages = pages;
    this.#heading.hidden = this.#sources.hidden = true;
    this.element.append(this.#main, this.#heading, this.#sources, this.#more);
  }

  get fold(): ReplyFold {
    return this.#fold;
  }

  /** Adds a change, which is drawn in the next frame. */
  take(change: ReplyChange): void {
    for (const [index, value] of change.ops ?? []) {
      const text = this.#texts.get(index);
      if (!text) continue;
      if (typeof value !== 'string') text.added = value.type === undefined ? text.added : undefined;
      else if (text.added !== undefined) text.added += value;
    }
    const { sources } = this.#fold.take(change);
    if (sources) this.#cite(sources);
    writeInFrame(this.#draw);
  }

  /** Draws the end at once, as the reader is told of it next. No more changes come. */
  finish(): void {
    this.#isFinished = true;
    this.#drawNow();
  }

  #drawNow(): void {
    this.#fold.parts.forEach((part, index) => {
      if (part.type === 'text') this.#showText(part, index);
      else this.#texts.get(index)?.element.remove();
    });
  }

  #showText(part: TextPart, index: number): void {
    let text = this.#texts.get(index);
    if (!text) {
      text = this.#newText(part.role === 'more');
      this.#texts.set(index, text);
    }
    text.markdown.update(part.text, text.added, this.#isFinished);
    text.added = '';
  }

  #newText(isMore: boolean): ShownText {
    const texts = boxTexts();
    const markdown = new MarkdownView({
      strings: texts,
      createCode: () => new BoxCode(),
      adapt: (fragment) => this.#adapt(fragment),
    });
    markdown.setCitations(this.#citations);
    const shown = isMore
      ? element('details', {}, element('summary', { text: texts.more }), markdown.element)
      : markdown.element;
    (isMore ? this.#more : this.#main).append(shown);
    return { markdown, element: shown, added: undefined };
  }

  #cite(sources: readonly SourcePart[]): void {
    const own = sources.flatMap(({ sourceId, url }): [string, string][] => {
      const address = this.#pages.addressOf(url);
      return address === undefined ? [] : [[sourceId, address]];
    });
    // A page of the site has no host that could stand for its title.
    const named = sources.map((source) => ({
      ...source,
      title: visibleLine(source.title ?? '') || visibleLine(source.url),
    }));
    this.#citations = new CitationIndex(named, new Map(own));
    for (const { markdown } of this.#texts.values()) markdown.setCitations(this.#citations);
    const items = this.#citations.sources.map(({ source, href }) => {
      const item = element('li');
      const name = element('bdi', { text: source.title ?? '' });
      if (href === '') item.append(name);
      else {
        const link = element('a', { attributes: { href } }, name);
        this.#lead(link);
        item.append(link);
      }
      return item;
    });
    this.#sources.replaceChildren(...items);
    this.#heading.hidden = this.#sources.hidden = items.length === 0;
  }

  #adapt(fragment: DocumentFragment): void {
    for (const link of fragment.querySelectorAll('a')) {
      if (isElsewhere(link.getAttribute('href') ?? '')) this.#lead(link);
    }
  }

  /** Makes a link lead to the page of this site, or outside into a new tab. */
  #lead(link: HTMLAnchorElement): void {
    const url = this.#pages.urlOf(link.href);
    if (url === undefined) {
      link.target = '_blank';
      link.rel = 'noopener noreferrer';
      return;
    }
    link.href = url;
    delete link.dataset['host'];
    // The tooltip has the address at the service, which stands below the name of a source.
    if (link.dataset['sourceId'] === undefined) link.removeAttribute('title');
    else link.title = visibleLine(link.title.split('\n')[0] ?? '');
  }
}

/** Time in milliseconds for which a button shows that it has copied. */
const COPIED_MS = 2_000;

/** A block of code with a button that copies it. */
class BoxCode implements CodeView {
  // Not a region: several have the same name.
  readonly #text = element('pre', { attributes: { tabindex: '0', role: 'group', dir: 'ltr' } });
  readonly element: HTMLElement;

  constructor() {
    const texts = boxTexts();
    const copy = element('button', {
      class: 'copy',
      text: texts.copy,
      attributes: { type: 'button' },
    });
    // Browsers give pages of plain HTTP no clipboard.
    copy.hidden = !window.isSecureContext;
    copy.addEventListener('click', () => {
      navigator.clipboard.writeText(this.#text.textContent).then(
        () => {
          copy.textContent = texts.copied;
          setTimeout(() => (copy.textContent = texts.copy), COPIED_MS);
        },
        () => undefined,
      );
    });
    this.element = element('div', { class: 'code code-block' }, copy, this.#text);
  }

  update(written: string, code: string): void {
    const texts = boxTexts();
    const language = visibleLine(written);
    const label = language === '' ? texts.code : fill(texts.codeIn, language);
    this.#text.setAttribute('aria-label', label);
    const { firstChild } = this.#text;
    const shown = this.#text.textContent;
    if (firstChild instanceof Text && code.startsWith(shown))
      firstChild.appendData(code.slice(shown.length));
    else this.#text.textContent = code;
  }
}
