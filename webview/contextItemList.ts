import type { ContextItemView } from '../src/shared/uiMessage';
import { fill, type ViewStrings } from '../src/shared/viewStrings';
import { ChipList, createChip, type Chip } from './chipList';
import { element, icon, visibleText } from './dom';
import { createButton } from './toolkit';

interface ContextItemListSettings {
  readonly strings: ViewStrings;
  readonly onReveal: (itemId: string) => void;
  /** Without it, the chips only lead to their code. */
  readonly onRemove?: (itemId: string) => void;
  /** The last chip went while the focus was on it. */
  readonly onEmptied?: () => void;
}

/** Context items as chips, each with its path and lines. */
export class ContextItemList {
  readonly #settings: ContextItemListSettings;
  readonly #chips: ChipList;
  #items: readonly ContextItemView[] = [];

  constructor(settings: ContextItemListSettings) {
    this.#settings = settings;
    const { strings, onEmptied } = settings;
    this.#chips = new ChipList({
      class: 'context-items',
      label: strings.contextItems,
      ...(onEmptied ? { onEmptied } : {}),
    });
  }

  get element(): HTMLElement {
    return this.#chips.element;
  }

  update(items: readonly ContextItemView[]): void {
    if (items === this.#items) return;
    this.#items = items;
    this.#chips.update(items.map((item) => this.#chip(item)));
  }

  #chip(item: ContextItemView): Chip {
    const { strings, onReveal, onRemove } = this.#settings;
    const label = visibleText(item.label);
    const path = visibleText(item.path ?? label);
    // A symbol's name stands nowhere in its path.
    const name = path.includes(label) ? path : `${label}, ${path}`;
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
      element('bdi', { class: 'chip-label', text: label }),
      element('span', { class: 'chip-lines', text: shortLines(item) }),
    );
    const removal = onRemove && {
      label: fill(strings.removeContextItem, described),
      remove: () => onRemove(item.id),
    };
    return createChip(reveal.element, removal);
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
