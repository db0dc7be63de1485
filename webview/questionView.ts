import type { QuestionView } from '../src/shared/uiMessage';
import { ContextItemList } from './contextItemList';
import { element } from './dom';
import type { ViewContext } from './viewContext';

/** A question as it was asked: its text exactly, and the context that went with it. */
export class QuestionElement {
  readonly element: HTMLElement;
  readonly #text = element('p', { class: 'question-text', attributes: { dir: 'auto' } });
  readonly #contextItems: ContextItemList;

  constructor({ strings, actions }: ViewContext, id: string) {
    this.#contextItems = new ContextItemList({
      strings,
      onReveal: (itemId) => actions.revealContextItem(itemId),
    });
    this.element = element(
      'article',
      { class: 'message question', attributes: { 'data-message-id': id } },
      element('h2', { class: 'visually-hidden', text: strings.you }),
      this.#contextItems.element,
      this.#text,
    );
  }

  update(question: QuestionView): void {
    if (this.#text.textContent !== question.text) this.#text.textContent = question.text;
    this.#contextItems.update(question.contextItems);
  }
}
