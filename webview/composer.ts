import { MAX_QUESTION_LENGTH } from '../src/shared/protocol';
import type { ContextItemView } from '../src/shared/uiMessage';
import { fill } from '../src/shared/viewStrings';
import { RequestError } from './endpoint';
import { ContextItemList } from './contextItemList';
import { element, icon, visibleText } from './dom';
import { createButton, createTextArea, type ButtonControl, type TextAreaControl } from './toolkit';
import type { ViewContext } from './viewContext';

export interface ComposerState {
  readonly contextItems: readonly ContextItemView[];
  /** Earlier questions of the thread, the oldest first. */
  readonly questions: readonly string[];
  /** The reply that runs, which `Stop` ends. */
  readonly runningReplyId: string | undefined;
}

interface ComposerListeners {
  onDraftChange(draft: string): void;
  /** A question was handed to the host. */
  onSubmit(): void;
}

/** The last tenth of the room for a question is counted down. */
const COUNTED_SHARE = 0.9;

/** Where questions are written. What was typed leaves only when the host has taken it. */
export class Composer {
  readonly element: HTMLElement;
  readonly #context: ViewContext;
  readonly #listeners: ComposerListeners;
  readonly #chips: ContextItemList;
  readonly #textArea: TextAreaControl;
  readonly #send: ButtonControl;
  readonly #notice = element('p', { class: 'composer-notice' });
  #state: ComposerState = { contextItems: [], questions: [], runningReplyId: undefined };
  #isSubmitting = false;
  /** Place in `questions` of the one that was recalled; undefined while writing a new one. */
  #recalled: number | undefined;

  constructor(context: ViewContext, parent: Element, listeners: ComposerListeners) {
    this.#context = context;
    this.#listeners = listeners;
    const { strings, actions } = context;
    this.#chips = new ContextItemList({
      strings,
      onReveal: (itemId) => actions.revealContextItem(itemId),
      onRemove: (itemId) => actions.removeContextItem(itemId),
    });
    const add = createButton({
      label: strings.addSelection,
      icon: 'add-selection',
      appearance: 'icon',
      class: 'add-context-item',
      onClick: () => actions.addContextItem(),
    });
    add.element.replaceChildren(icon('symbol-snippet'));
    this.#send = createButton({
      label: strings.send,
      icon: 'send',
      appearance: 'icon',
      class: 'send',
      onClick: () => this.#onButton(),
    });
    const box = element('div', { class: 'composer-box' }, this.#chips.element);
    this.#notice.hidden = true;
    this.element = element('footer', { class: 'composer' }, this.#notice, box);
    parent.append(this.element);
    this.#textArea = createTextArea(box, {
      label: strings.composerLabel,
      placeholder: strings.composerPlaceholder,
    });
    this.#textArea.setDescription(strings.composerHint);
    box.append(
      element(
        'div',
        { class: 'composer-tools' },
        add.element,
        element('span', {
          class: 'composer-hint',
          text: strings.composerHint,
          attributes: { 'aria-hidden': 'true' },
        }),
        this.#send.element,
      ),
    );
    this.#textArea.element.addEventListener('input', () => this.#onInput());
    this.#textArea.element.addEventListener('keydown', (event) => this.#onKey(event));
    // The empty space of the box belongs to the text.
    box.addEventListener('pointerdown', (event) => {
      if (event.target !== box) return;
      event.preventDefault();
      this.focus();
    });
    this.#refresh();
  }

  get draft(): string {
    return this.#textArea.value;
  }

  update(state: ComposerState): void {
    this.#state = state;
    this.#chips.update(state.contextItems);
    this.#refresh();
  }

  focus(): void {
    this.#textArea.control.focus();
  }

  /** Puts text in without overwriting what is there. */
  offer(text: string): void {
    const draft = this.draft;
    if (draft.trim() === '') this.#setDraft(text);
    else if (!draft.includes(text)) this.#setDraft(`${draft.trimEnd()}\n\n${text}`);
    this.#refresh();
  }

  /** Asks a question that was not typed here; the draft stays. */
  async submit(text: string): Promise<boolean> {
    if (this.#isSubmitting || this.#state.runningReplyId !== undefined) return false;
    this.#isSubmitting = true;
    this.#say(undefined);
    this.#refresh();
    try {
      const taken = this.#context.actions.submit(text);
      this.#listeners.onSubmit();
      await taken;
      return true;
    } catch (error: unknown) {
      const reason = error instanceof RequestError ? error.info?.message : undefined;
      this.#say(reason ?? this.#context.strings.submitFailed);
      return false;
    } finally {
      this.#isSubmitting = false;
      this.#refresh();
    }
  }

  /** Something that the person should know now, above the box; undefined clears it. */
  #say(text: string | undefined, isUrgent = true): void {
    // What changes with every letter is not read aloud.
    this.#notice.setAttribute('role', isUrgent ? 'alert' : 'note');
    this.#notice.hidden = text === undefined;
    this.#notice.replaceChildren(
      ...(text === undefined ? [] : [element('span', { text: visibleText(text) })]),
    );
  }

  showNotice(text: string): void {
    this.#say(text);
  }

  async #submitDraft(): Promise<void> {
    const text = this.draft;
    const { strings } = this.#context;
    if (text.trim() === '') {
      this.#say(strings.emptyQuestion);
      return;
    }
    if (text.length > MAX_QUESTION_LENGTH || this.#isSubmitting) return;
    if (this.#state.runningReplyId !== undefined) return;
    this.#setDraft('');
    const isTaken = await this.submit(text);
    if (isTaken) return;
    // Back it goes, before what may have been typed since.
    const typedSince = this.draft;
    this.#setDraft(typedSince.trim() === '' ? text : `${text}\n\n${typedSince}`);
    this.#refresh();
  }

  #onButton(): void {
    const { runningReplyId } = this.#state;
    if (runningReplyId === undefined) void this.#submitDraft();
    else this.#context.actions.stop(runningReplyId);
    this.focus();
  }

  #onInput(): void {
    this.#recalled = undefined;
    this.#say(undefined);
    this.#listeners.onDraftChange(this.draft);
    this.#refresh();
  }

  #onKey(event: KeyboardEvent): void {
    // Enter that ends a composition belongs to the input method.
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- Safari says so by 229 only
    if (event.isComposing || event.keyCode === 229) return;
    const hasModifier = event.shiftKey || event.altKey || event.ctrlKey || event.metaKey;
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      void this.#submitDraft();
    } else if (event.key === 'ArrowUp' && !hasModifier && this.#recall(-1)) {
      event.preventDefault();
    } else if (event.key === 'ArrowDown' && !hasModifier && this.#recall(1)) {
      event.preventDefault();
    }
  }

  /** Steps through earlier questions, from an empty box or from one just recalled. */
  #recall(step: -1 | 1): boolean {
    const { questions } = this.#state;
    if (this.#recalled === undefined && (this.draft !== '' || step > 0)) return false;
    const { selectionStart, selectionEnd, value } = this.#textArea.control;
    const isAtEdge = selectionStart === selectionEnd && selectionStart === value.length;
    if (this.#recalled !== undefined && !isAtEdge) return false;
    const next = (this.#recalled ?? questions.length) + step;
    if (next < 0) return true;
    const question = questions[next];
    this.#setDraft(question ?? '');
    this.#recalled = question === undefined ? undefined : next;
    this.#refresh();
    return true;
  }

  #setDraft(text: string): void {
    this.#recalled = undefined;
    this.#textArea.value = text;
    const { control } = this.#textArea;
    control.setSelectionRange(text.length, text.length);
    control.scrollTop = control.scrollHeight;
    this.#listeners.onDraftChange(text);
  }

  #refresh(): void {
    const { strings } = this.#context;
    const { length } = this.draft;
    const isRunning = this.#state.runningReplyId !== undefined;
    const isTooLong = length > MAX_QUESTION_LENGTH;
    this.element.classList.toggle('is-too-long', isTooLong);
    this.element.classList.toggle('is-running', isRunning);
    if (length > MAX_QUESTION_LENGTH * COUNTED_SHARE) {
      const counted = [length, MAX_QUESTION_LENGTH].map((count) => count.toLocaleString());
      this.#say(isTooLong ? fill(strings.tooLong, ...counted) : counted.join(' / '), isTooLong);
    }
    this.#send.setEnabled(
      isRunning || (this.draft.trim() !== '' && !isTooLong && !this.#isSubmitting),
    );
    const wanted = isRunning ? 'stop-circle' : 'send';
    if (this.#send.element.dataset['sign'] === wanted) return;
    this.#send.element.dataset['sign'] = wanted;
    this.#send.setLabel(isRunning ? strings.stop : strings.send, wanted);
  }
}
