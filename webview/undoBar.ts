import type { ViewStrings } from '../src/shared/viewStrings';
import { element } from './dom';
import { IconButton } from './iconButton';
import { createButton } from './toolkit';

/** Says what was just done and takes it back. It stays until it is used or dismissed. */
export class UndoBar {
  readonly element: HTMLElement;
  readonly #text = element('span', { class: 'undo-text' });
  readonly #buttons = element('span', { class: 'undo-buttons' });
  readonly #undoButton: HTMLElement;
  #undo: (() => void) | undefined;

  /** @param onDismiss hears that its buttons are gone, where the focus may have been. */
  constructor(strings: ViewStrings, onDismiss: () => void) {
    this.#undoButton = createButton({
      label: strings.undo,
      appearance: 'secondary',
      class: 'undo',
      onClick: () => this.undo(),
    }).element;
    const dismiss = new IconButton({
      label: strings.dismiss,
      icon: 'close',
      onClick: () => {
        this.hide();
        onDismiss();
      },
    });
    this.#buttons.append(this.#undoButton, dismiss.element);
    // The status is there before its text is, or nothing would be read out.
    this.element = element(
      'div',
      { class: 'undo-bar' },
      element('span', { class: 'undo-status', attributes: { role: 'status' } }, this.#text),
      this.#buttons,
    );
    this.hide();
  }

  show(text: string, onUndo: () => void): void {
    this.#undo = onUndo;
    this.#text.textContent = text;
    this.#buttons.hidden = false;
    this.element.classList.add('is-shown');
  }

  hide(): void {
    this.#undo = undefined;
    this.#text.textContent = '';
    this.#buttons.hidden = true;
    this.element.classList.remove('is-shown');
  }

  /** @returns whether there was something to take back. */
  undo(): boolean {
    const undo = this.#undo;
    if (!undo) return false;
    this.hide();
    undo();
    return true;
  }

  focus(): void {
    this.#undoButton.focus();
  }
}
