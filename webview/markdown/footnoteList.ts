import { fill } from '../../src/shared/fill';
import type { ViewStrings } from '../../src/shared/viewStrings';
import { element, setHidden } from '../dom';
import { markDirection, patchChildren, type RichNodes } from './decorate';
import type { FootnoteChange } from './definitions';

/** Texts of the list. */
export type FootnoteStrings = Pick<ViewStrings, 'footnotes' | 'footnoteBack'>;

interface ShownNote {
  readonly element: HTMLLIElement;
  html: string;
}

/** The list of footnotes below a text, with links to the references and back. */
export class FootnoteList {
  readonly element: HTMLElement;
  readonly #list = element('ol');
  readonly #strings: FootnoteStrings;
  readonly #idPrefix: string;
  readonly #fragmentOf: (html: string) => DocumentFragment;
  readonly #shown = new Map<number, ShownNote>();
  /** Numbers of the shown footnotes, in order. */
  readonly #numbers: number[] = [];

  /** @param root element that holds the text. The list becomes its last child. */
  constructor(
    root: HTMLElement,
    strings: FootnoteStrings,
    idPrefix: string,
    fragmentOf: (html: string) => DocumentFragment,
  ) {
    this.#strings = strings;
    this.#idPrefix = idPrefix;
    this.#fragmentOf = fragmentOf;
    const attributes = { 'aria-label': strings.footnotes };
    this.element = element('section', { class: 'footnotes', attributes }, this.#list);
    this.element.hidden = true;
    root.append(this.element);
    for (const type of ['click', 'auxclick'] as const) {
      root.addEventListener(type, (event) => this.#onClick(event, root));
    }
  }

  update(changes: readonly FootnoteChange[], rich: RichNodes): void {
    for (const { number, html } of changes) {
      if (html === undefined) {
        this.#remove(number);
        continue;
      }
      const note = this.#shown.get(number) ?? this.#add(number);
      if (note.html === html) continue;
      note.html = html;
      this.#fill(note, number, rich);
    }
    markDirection(this.#list);
    setHidden(this.element, this.#shown.size === 0);
  }

  /** Renders all footnotes again, because the meaning of their links has changed. */
  renew(rich: RichNodes): void {
    for (const [number, note] of this.#shown) this.#fill(note, number, rich);
  }

  #add(number: number): ShownNote {
    const attributes = { id: `${this.#idPrefix}${number}`, tabindex: '-1' };
    const item = element('li', { attributes });
    item.value = number;
    const note: ShownNote = { element: item, html: '' };
    const place = this.#placeOf(number);
    const next = this.#numbers[place] ?? 0;
    this.#list.insertBefore(item, this.#shown.get(next)?.element ?? null);
    this.#numbers.splice(place, 0, number);
    this.#shown.set(number, note);
    return note;
  }

  #remove(number: number): void {
    const note = this.#shown.get(number);
    if (!note) return;
    note.element.remove();
    this.#shown.delete(number);
    this.#numbers.splice(this.#placeOf(number), 1);
  }

  /** Returns the index of a number in the list, or the index at which to insert it. */
  #placeOf(number: number): number {
    let [first, end] = [0, this.#numbers.length];
    while (first < end) {
      const middle = (first + end) >> 1;
      if ((this.#numbers[middle] ?? 0) < number) first = middle + 1;
      else end = middle;
    }
    return first;
  }

  #fill({ element: item, html }: ShownNote, number: number, rich: RichNodes): void {
    const fragment = this.#fragmentOf(html);
    const back = element('a', {
      class: 'footnote-back',
      text: '↩\ufe0e',
      attributes: {
        href: `#${this.#idPrefix}${number}`,
        role: 'doc-backlink',
        'aria-label': fill(this.#strings.footnoteBack, number),
      },
    });
    const last = fragment.lastElementChild;
    // The gap before it is no text: the search would find a blank more than the note has.
    if (last instanceof HTMLParagraphElement) last.append(back);
    else fragment.append(back);
    patchChildren(item, fragment, rich);
  }

  #onClick(event: MouseEvent, root: HTMLElement): void {
    const link = event.target instanceof Element ? event.target.closest('a[role^="doc-"]') : null;
    if (!link || event.button > 1) return;
    event.preventDefault();
    // Neither the panel nor VS Code should open the link.
    event.stopPropagation();
    if (event.button > 0) return;
    const number = link.getAttribute('href')?.slice(1 + this.#idPrefix.length) ?? '';
    const target = link.classList.contains('footnote-back')
      ? root.querySelector<HTMLElement>(`.footnote-ref[data-footnote="${Number(number)}"] > a`)
      : this.#shown.get(Number(number))?.element;
    target?.scrollIntoView({ block: 'nearest' });
    target?.focus({ preventScroll: true });
  }
}
