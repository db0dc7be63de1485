import { MAX_QUESTION_LENGTH } from '../src/shared/protocol';
import { fill } from '../src/shared/viewStrings';
import { element, visibleText } from './dom';
import { RequestError } from './endpoint';
import { createButton, type ButtonControl } from './toolkit';
import type { ViewContext } from './viewContext';

interface QuestionEditorSettings {
  readonly messageId: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** The host has taken the changed question. */
  readonly onSent: (text: string) => void;
  readonly onCancel: () => void;
}

/** An earlier question in a box of its own, to be changed and asked again. */
export class QuestionEditor {
  readonly element: HTMLElement;
  readonly #context: ViewContext;
  readonly #settings: QuestionEditorSettings;
  readonly #box: HTMLTextAreaElement;
  readonly #send: ButtonControl;
  readonly #notice = element('p', { class: 'editor-notice', attributes: { role: 'alert' } });
  #isReplyRunning = false;
  #isSending = false;

  constructor(context: ViewContext, settings: QuestionEditorSettings) {
    this.#context = context;
    this.#settings = settings;
    const { strings } = context;
    this.#box = element('textarea', {
      class: 'editor-box',
      attributes: {
        'aria-label': strings.editedQuestion,
        'aria-description': strings.editHint,
        dir: 'auto',
        rows: '1',
      },
    });
    this.#box.value = settings.text;
    this.#send = createButton({
      label: strings.resend,
      appearance: 'primary',
      class: 'resend',
      onClick: () => void this.#submit(),
    });
    const cancel = createButton({
      label: strings.cancel,
      appearance: 'secondary',
      class: 'cancel-edit',
      onClick: settings.onCancel,
    });
    this.element = element(
      'div',
      { class: 'question-editor' },
      this.#box,
      this.#notice,
      element('div', { class: 'actions' }, this.#send.element, cancel.element),
    );
    this.#box.addEventListener('input', () => {
      settings.onChange(this.#box.value);
      this.#refresh();
    });
    this.element.addEventListener('keydown', (event) => this.#onKey(event));
    this.#refresh();
  }

  focus(): void {
    this.#box.focus();
    this.#box.setSelectionRange(this.#box.value.length, this.#box.value.length);
  }

  setReplyRunning(isRunning: boolean): void {
    this.#isReplyRunning = isRunning;
    this.#refresh();
  }

  async #submit(): Promise<void> {
    const text = this.#box.value;
    if (!this.#canSend()) return;
    this.#isSending = true;
    this.#refresh();
    try {
      await this.#context.actions.editQuestion(this.#settings.messageId, text);
      this.#settings.onSent(text);
    } catch (error: unknown) {
      const reason = error instanceof RequestError ? error.info?.message : undefined;
      this.#isSending = false;
      this.#refresh();
      this.#notice.textContent = visibleText(reason ?? this.#context.strings.actionFailed);
      this.focus();
    }
  }

  #canSend(): boolean {
    const { value } = this.#box;
    const isUsable = value.trim() !== '' && value.length <= MAX_QUESTION_LENGTH;
    return isUsable && !this.#isSending && !this.#isReplyRunning;
  }

  #onKey(event: KeyboardEvent): void {
    // Letters, arrows and Escape belong to the box; the message around it hears none of them.
    event.stopPropagation();
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- Safari says so by 229 only
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      this.#settings.onCancel();
    } else if (
      event.key === 'Enter' &&
      !event.shiftKey &&
      !event.altKey &&
      event.target === this.#box
    ) {
      event.preventDefault();
      void this.#submit();
    }
  }

  #refresh(): void {
    this.#send.setEnabled(this.#canSend());
    const { strings } = this.#context;
    const { length } = this.#box.value;
    const wanted =
      this.#box.value.trim() === ''
        ? strings.emptyQuestion
        : length > MAX_QUESTION_LENGTH
          ? fill(strings.tooLong, length.toLocaleString(), MAX_QUESTION_LENGTH.toLocaleString())
          : '';
    if (this.#notice.textContent !== wanted) this.#notice.textContent = wanted;
  }
}
