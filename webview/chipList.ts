import { element } from './dom';
import { createButton } from './toolkit';

export interface Chip {
  readonly element: HTMLElement;
  /** Absent where a chip only shows. */
  readonly remove?: () => void;
}

/** A chip that shows that; `removal` gives it a button to remove it by. */
export function createChip(
  shown: HTMLElement,
  removal?: { readonly label: string; readonly remove: () => void },
): Chip {
  const chip = element('li', { class: 'chip' }, shown);
  if (!removal) return { element: chip };
  const { label, remove } = removal;
  const button = createButton({
    label,
    icon: 'close',
    appearance: 'icon',
    class: 'chip-remove',
    onClick: remove,
  });
  chip.append(button.element);
  return { element: chip, remove };
}

/**
 * A list of chips that are removed by their button or with Delete. Removing one by keyboard leads
 * to its neighbour, not to the start of the page.
 */
export class ChipList {
  readonly element: HTMLElement;
  readonly #onEmptied: () => void;
  #chips: readonly Chip[] = [];

  /** @param onEmptied is called when the last chip goes while the focus is on it. */
  constructor(settings: { class: string; label: string; onEmptied?: () => void }) {
    this.#onEmptied = settings.onEmptied ?? (() => undefined);
    this.element = element('ul', {
      class: settings.class,
      attributes: { 'aria-label': settings.label },
    });
    this.element.hidden = true;
    this.element.addEventListener('keydown', (event) => this.#onKey(event));
  }

  update(chips: readonly Chip[]): void {
    const focused = this.#focusedIndex();
    this.#chips = chips;
    this.element.hidden = chips.length === 0;
    this.element.replaceChildren(...chips.map((chip) => chip.element));
    if (focused === undefined) return;
    const neighbour = chips[Math.min(focused, chips.length - 1)];
    if (neighbour) neighbour.element.querySelector<HTMLElement>('.chip-remove')?.focus();
    else this.#onEmptied();
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key !== 'Delete' && event.key !== 'Backspace') return;
    const chip = this.#chips[this.#focusedIndex() ?? -1];
    if (!chip?.remove) return;
    event.preventDefault();
    chip.remove();
  }

  #focusedIndex(): number | undefined {
    const { activeElement } = document;
    const index = this.#chips.findIndex((chip) => chip.element.contains(activeElement));
    return index < 0 ? undefined : index;
  }
}
