import type { ContextItemView } from '../src/shared/uiMessage';
import { fill, type ViewStrings } from '../src/shared/viewStrings';
import { element, icon, visibleText } from './dom';
import { createButton } from './toolkit';

interface ContextItemListSettings {
  readonly strings: ViewStrings;
  readonly onReveal: (itemId: string) => void;
  /** Without it, the chips only lead to their code. */
  readonly onRemove?: (itemId: string) => void;
}

/** Context items as chips, each with its path and lines. */
export class ContextItemList {
  readonly element: HTMLElement;
  readonly #settings: ContextItemListSettings;
  #items: readonly ContextItemView[] = [];

  constructor(settings: ContextItemListSettings) {
    this.#settings = settings;
    this.element = element('ul', {
      class: 'context-items',
      attributes: { 'aria-label': settings.strings.contextItems },
    });
    this.element.hidden = true;
  }

  update(items: readonly ContextItemView[]): void {
    if (items === this.#items) return;
    const focused = this.#focusedIndex();
    this.#items = items;
    this.element.hidden = items.length === 0;
    this.element.replaceChildren(...items.map((item) => this.#chip(item)));
    if (focused === undefined) return;
    // Removing a chip by keyboard leads to its neighbour, not to the start of the page.
    const neighbour = this.element.children[Math.min(focused, items.length - 1)];
    neighbour?.querySelector<HTMLElement>('.chip-remove')?.focus();
  }

  #focusedIndex(): number | undefined {
    const chip = document.activeElement?.closest('.chip');
    const index = chip ? [...this.element.children].indexOf(chip) : -1;
    return index < 0 ? undefined : index;
  }

  #chip(item: ContextItemView): HTMLElement {
    const { strings, onReveal, onRemove } = this.#settings;
    const name = visibleText(item.path ?? item.label);
    const lines = linesOf(item, strings);
    const described = lines === undefined ? name : `${name}, ${lines}`;
    const reveal = createButton({
      label: fill(strings.revealContextItem, described),
      appearance: 'icon',
      class: 'chip-reveal',
      onClick: () => onReveal(item.id),
    });
    reveal.element.title = `${described}\n${fill(strings.characters, item.length.toLocaleString())}`;
    reveal.element.replaceChildren(
      icon(item.type === 'code' ? 'code' : 'list-selection'),
      element('bdi', { class: 'chip-label', text: visibleText(item.label) }),
      element('span', { class: 'chip-lines', text: shortLines(item) }),
    );
    const chip = element('li', { class: 'chip' }, reveal.element);
    if (onRemove) {
      const remove = createButton({
        label: fill(strings.removeContextItem, described),
        icon: 'close',
        appearance: 'icon',
        class: 'chip-remove',
        onClick: () => onRemove(item.id),
      });
      chip.append(remove.element);
    }
    return chip;
  }
}

function linesOf(item: ContextItemView, strings: ViewStrings): string | undefined {
  const { startLine, endLine } = item;
  if (startLine === undefined) return undefined;
  if (endLine === undefined || endLine === startLine) return fill(strings.line, startLine);
  return fill(strings.lines, startLine, endLine);
}

function shortLines({ startLine, endLine }: ContextItemView): string {
  if (startLine === undefined) return '';
  return endLine === undefined || endLine === startLine
    ? String(startLine)
    : `${startLine}–${endLine}`;
}
