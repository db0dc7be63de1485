import type { QueuedQuestion } from '../../src/shared/protocol';
import type { ViewStrings } from '../../src/shared/viewStrings';
import { element, visibleLine } from '../dom';
import { createButton } from '../toolkit';

/** The question that was asked while a reply ran, above the box, with buttons to edit and remove it. */
export class QueuedQuestionView {
  readonly element: HTMLElement;
  readonly #strings: ViewStrings;
  readonly #text = element('bdi', { class: 'queued-text' });
  readonly #state = element('span', { class: 'queued-state' });
  readonly #onFocusLost: () => void;
  #shown: QueuedQuestion | undefined;

  constructor(
    strings: ViewStrings,
    {
      onEdit,
      onRemove,
      onFocusLost,
    }: {
      readonly onEdit: (text: string) => void;
      readonly onRemove: () => void;
      /** Takes the focus when the question goes while one of its buttons has it. */
      readonly onFocusLost: () => void;
    },
  ) {
    this.#strings = strings;
    this.#onFocusLost = onFocusLost;
    const edit = createButton({
      label: strings.editQueued,
      icon: 'edit',
      appearance: 'icon',
      class: 'queued-edit',
      onClick: () => {
        if (this.#shown) onEdit(this.#shown.text);
      },
    });
    const remove = createButton({
      label: strings.removeQueued,
      icon: 'close',
      appearance: 'icon',
      class: 'queued-remove',
      onClick: onRemove,
    });
    this.element = element(
      'div',
      { class: 'queued', attributes: { role: 'group', 'aria-label': strings.queued } },
      element('div', { class: 'queued-question' }, this.#text, this.#state),
      edit.element,
      remove.element,
    );
    this.element.hidden = true;
  }

  /** Sentence for a screen reader about the question and what becomes of it. */
  get announcement(): string {
    return `${this.#strings.queued}: ${this.#text.textContent}. ${this.#state.textContent}`;
  }

  /** @returns whether a question is shown that was not, or another state of it. */
  update(queued: QueuedQuestion | undefined): boolean {
    const { text, isWaiting } = queued ?? {};
    if (text === this.#shown?.text && isWaiting === this.#shown?.isWaiting) return false;
    this.#shown = queued;
    if (!queued && this.element.contains(document.activeElement)) this.#onFocusLost();
    this.element.hidden = queued === undefined;
    const { queuedWaiting, notSent } = this.#strings;
    this.#text.textContent = visibleLine(text ?? '');
    this.#state.textContent = isWaiting === true ? queuedWaiting : notSent;
    return queued !== undefined;
  }
}
