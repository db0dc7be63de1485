/** The find bar over the conversation. It works like VS Code's own in editors. */
import { fill } from '../../src/shared/fill';
import type { ViewStrings } from '../../src/shared/viewStrings';
import { numberText } from '../../src/shared/units';
import { element, isComposing } from '../dom';
import type { FindQuery } from './findSearch';
import { IconButton } from '../iconButton';

interface FindBarSettings {
  readonly strings: ViewStrings;
  onQuery(): void;
  onStep(by: 1 | -1): void;
  onClose(): void;
}

/** The number of matches, and which one is shown. */
interface FindCount {
  /** Index of the shown match from 0, or undefined if none is shown. */
  readonly index: number | undefined;
  readonly count: number;
}

const MAX_QUERY_LENGTH = 1_000;
const MAX_SEED_LENGTH = 200;

export class FindBar {
  readonly element: HTMLElement;
  readonly #settings: FindBarSettings;
  readonly #field: HTMLInputElement;
  readonly #case: IconButton;
  readonly #count = element('span', { class: 'find-count', attributes: { 'aria-hidden': 'true' } });
  /** Text that screen readers read out. Streaming text does not repeat it. */
  readonly #status = element('p', { class: 'visually-hidden', attributes: { role: 'status' } });
  readonly #steps: readonly IconButton[];

  constructor(settings: FindBarSettings) {
    this.#settings = settings;
    const { strings } = settings;
    this.#field = element('input', {
      class: 'find-field',
      attributes: {
        type: 'text',
        dir: 'auto',
        'aria-label': strings.find,
        placeholder: strings.find,
        maxlength: String(MAX_QUERY_LENGTH),
        spellcheck: 'false',
        autocomplete: 'off',
      },
    });
    this.#case = new IconButton({
      label: strings.findCase,
      icon: 'case-sensitive',
      class: 'find-case',
      onClick: () => this.#toggleCase(),
    });
    this.#case.element.setAttribute('aria-pressed', 'false');
    this.#steps = [
      new IconButton({
        label: strings.findPrevious,
        icon: 'arrow-up',
        onClick: () => settings.onStep(-1),
      }),
      new IconButton({
        label: strings.findNext,
        icon: 'arrow-down',
        onClick: () => settings.onStep(1),
      }),
    ];
    const close = new IconButton({
      label: strings.closeShortcuts,
      icon: 'close',
      onClick: () => settings.onClose(),
    });
    this.element = element(
      'div',
      { class: 'find-bar', attributes: { role: 'search', 'aria-label': strings.find } },
      element('div', { class: 'find-box' }, this.#field, this.#case.element),
      element(
        'div',
        { class: 'find-tools' },
        this.#count,
        ...this.#steps.map((step) => step.element),
        close.element,
      ),
      this.#status,
    );
    this.#field.addEventListener('input', () => settings.onQuery());
    this.element.addEventListener('keydown', (event) => this.#onKey(event));
    this.show({ index: undefined, count: 0 });
  }

  get query(): FindQuery {
    const isCaseSensitive = this.#case.element.getAttribute('aria-pressed') === 'true';
    return { text: this.#field.value, isCaseSensitive };
  }

  /** @param selected selected text to search for. */
  focus(selected: string): void {
    const isUsable = selected !== '' && selected.length <= MAX_SEED_LENGTH;
    if (isUsable && !/[\n\r]/.test(selected)) this.#field.value = selected;
    this.#field.focus();
    this.#field.select();
  }

  show({ index, count }: FindCount): void {
    const { strings } = this.#settings;
    const isAsked = this.#field.value !== '';
    const place = index === undefined ? '?' : numberText(index + 1);
    const found = fill(strings.findCount, place, numberText(count));
    this.showText(isAsked ? (count === 0 ? strings.findNone : found) : '');
    this.element.classList.toggle('is-nothing-found', isAsked && count === 0);
    for (const step of this.#steps) step.setEnabled(count > 0);
  }

  showText(text: string): void {
    if (this.#count.textContent !== text) this.#count.textContent = text;
  }

  /** Announces the count and the text around the match to screen readers. */
  say(excerpt: string): void {
    const count = this.#count.textContent;
    const said = excerpt === '' ? count : `${count}: ${excerpt}`;
    if (this.#status.textContent !== said) this.#status.textContent = said;
  }

  #toggleCase(): void {
    const { element: button } = this.#case;
    button.setAttribute('aria-pressed', String(!this.query.isCaseSensitive));
    this.#settings.onQuery();
  }

  #onKey(event: KeyboardEvent): void {
    if (isComposing(event) || !this.#act(event)) return;
    event.preventDefault();
    // Neither the panel nor VS Code should handle the key too.
    event.stopPropagation();
  }

  /** @returns whether the key does something here. */
  #act({ key, code, target, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
    if (altKey && code === 'KeyC' && !shiftKey) {
      this.#toggleCase();
      return true;
    }
    if (altKey || ctrlKey || metaKey) return false;
    if (key === 'Enter' && target === this.#field) {
      this.#settings.onStep(shiftKey ? -1 : 1);
      return true;
    }
    if (key !== 'Escape') return false;
    this.#settings.onClose();
    return true;
  }
}
