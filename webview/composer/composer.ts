import { MAX_FILE_BYTES, MAX_FILES, MAX_QUESTION_LENGTH } from '../../src/shared/limits';
import type { QueuedQuestion } from '../../src/shared/protocol';
import { numberText, sizeText } from '../../src/shared/units';
import type { AttachmentView, ContextItemView } from '../../src/shared/uiMessage';
import { fill } from '../../src/shared/fill';
import { element, icon, isComposing, visibleLine } from '../dom';
import { RequestError } from '../endpoint';
import { Announcer } from '../reply/replySpeaker';
import { createButton, createTextArea, type ButtonControl, type TextAreaControl } from '../toolkit';
import type { ViewContext } from '../viewActions';
import { ContextItemList, AttachmentList } from './chips';
import { FileDrop, pastedFiles } from './fileDrop';
import type { FileIntake } from './fileIntake';
import type { MentionMenu } from './mentionMenu';
import { QueuedQuestionView } from './queuedQuestion';
import { endOfMention } from './mentionQuery';

interface ComposerState {
  readonly contextItems: readonly ContextItemView[];
  readonly files: readonly AttachmentView[];
  /** Path of the docs page that the question is about, if a link named one. */
  readonly page: string | undefined;
  /** Name of the installed package that the question is narrowed to. */
  readonly package: string | undefined;
  /** Question that was asked while a reply ran. */
  readonly queued: QueuedQuestion | undefined;
  /** Earlier questions of the thread, oldest first. */
  readonly questions: readonly string[];
  /** ID of the running reply, which *Stop* ends. */
  readonly runningReplyId: string | undefined;
}

interface ComposerListeners {
  onDraftChange(): void;
  /** Handles a question on its way to the host. */
  onSubmit(): void;
}

/** Share of the maximum length from which the remaining characters are shown. */
const COUNTED_SHARE = 0.9;

/**
 * The box in which questions are written. It is cleared only after the host has accepted the
 * question.
 */
export class Composer {
  readonly element: HTMLElement;
  readonly #context: ViewContext;
  readonly #listeners: ComposerListeners;
  readonly #chips: ContextItemList;
  readonly #attachments: AttachmentList;
  readonly #queued: QueuedQuestionView;
  /** The completion menu. It loads when the person begins to type. */
  #menu: MentionMenu | undefined;
  #isMenuLoading = false;
  #intake: FileIntake | undefined;
  readonly #textArea: TextAreaControl;
  readonly #send: ButtonControl;
  readonly #notice = new ComposerNotice();
  readonly #announcer = new Announcer();
  #state: ComposerState = {
    contextItems: [],
    files: [],
    page: undefined,
    package: undefined,
    queued: undefined,
    questions: [],
    runningReplyId: undefined,
  };
  #isSubmitting = false;
  /** Whether the host has accepted a question that the view has not drawn yet. */
  #isUndrawn = false;
  /** Sign of the button when the space bar was pressed on it. It can change before the release. */
  #pressedSign: string | undefined;
  /** Question from the box that the host has not accepted yet. */
  #sending = '';
  /** Index in `questions` of the recalled question, or undefined while writing a new one. */
  #recalled: number | undefined;

  constructor(context: ViewContext, parent: Element, listeners: ComposerListeners) {
    this.#context = context;
    this.#listeners = listeners;
    const { strings, actions } = context;
    this.#chips = new ContextItemList({
      strings,
      onReveal: (itemId) => actions.revealContextItem(itemId),
      onRemove: (itemId) => actions.removeContextItem(itemId),
      onEmptied: () => this.focus(),
    });
    this.#attachments = new AttachmentList({
      strings,
      onRemove: (attachmentId) => actions.removeAttachment(attachmentId),
      onRemovePage: () => actions.removePage(),
      onRemovePackage: () => actions.removePackage(),
      onEmptied: () => this.focus(),
    });
    this.#queued = new QueuedQuestionView(strings, {
      onEdit: (text) => {
        actions.removeQueued();
        this.offer(text);
        this.focus();
      },
      onRemove: () => {
        actions.removeQueued();
        this.focus();
      },
      onFocusLost: () => this.focus(),
    });
    this.#send = createButton({
      label: strings.send,
      icon: 'send',
      appearance: 'icon',
      class: 'send',
      onClick: ({ detail }) => {
        // The first click of a double click turns Send into Stop, and Stop into Send.
        if (detail <= 1) this.#onButton();
      },
    });
    this.#send.element.addEventListener('keydown', ({ key, repeat }) => {
      if (key === ' ' && !repeat) this.#pressedSign = this.#send.element.dataset['sign'];
    });
    // A key that is released elsewhere presses nothing.
    this.#send.element.addEventListener('blur', () => (this.#pressedSign = undefined));
    const box = element(
      'div',
      { class: 'composer-box' },
      this.#attachments.element,
      this.#chips.element,
    );
    const drop = new FileDrop({
      label: strings.dropFiles,
      onFiles: (files) => void this.#takeFiles(files),
      onUnreadable: () => this.#notice.show(strings.dropUnreadable),
    });
    this.element = element(
      'footer',
      { class: 'composer' },
      this.#notice.element,
      this.#queued.element,
      box,
    );
    parent.append(this.element, drop.element);
    this.#textArea = createTextArea(box, {
      label: strings.composerLabel,
      placeholder: strings.composerPlaceholder,
    });
    this.#textArea.setDescription(`${strings.composerHint}. ${strings.mentionHint}`);
    this.#textArea.control.setAttribute('aria-autocomplete', 'list');
    this.element.append(this.#announcer.element);
    box.append(
      element(
        'div',
        { class: 'composer-tools' },
        ...this.#attachButtons(),
        element('span', {
          class: 'composer-hint',
          text: strings.composerHint,
          attributes: { 'aria-hidden': 'true' },
        }),
        createButton({
          label: strings.showRequest,
          icon: 'eye',
          appearance: 'icon',
          class: 'show-request',
          onClick: () => context.actions.showRequest(this.draft),
        }).element,
        this.#send.element,
      ),
    );
    this.#textArea.element.addEventListener('focusin', () => void this.#loadMenu());
    this.#textArea.element.addEventListener('input', () => this.#onInput());
    this.#textArea.element.addEventListener('keydown', (event) => this.#onKey(event));
    this.#textArea.element.addEventListener('paste', (event) => this.#onPaste(event));
    // The cursor may have left the word that is being completed.
    for (const name of ['keyup', 'click', 'focusin'] as const) {
      this.#textArea.element.addEventListener(name, () => this.#menu?.refresh());
    }
    this.#textArea.element.addEventListener('focusout', () => this.#menu?.close());
    // A click into the empty space of the box focuses the text.
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

  /** Text that a reload must not lose: the draft, and a question that waits for a decision. */
  get unsent(): string {
    return [this.#sending, this.draft].filter((text) => text.trim() !== '').join('\n\n');
  }

  update(state: ComposerState): void {
    const added = namesAdded(this.#state, state);
    // Items that were there from the start, or that come while the focus is elsewhere, are not
    // announced.
    if (added.length > 0 && this.element.contains(document.activeElement)) {
      this.#announcer.say(fill(this.#context.strings.attached, added.join(', ')));
    }
    this.#state = state;
    this.#isUndrawn = false;
    this.#chips.update(state.contextItems);
    this.#attachments.update(state);
    if (this.#queued.update(state.queued)) this.#announcer.say(this.#queued.announcement);
    this.#refresh();
  }

  focus(): void {
    this.#textArea.control.focus();
  }

  /** Inserts text without overwriting what is there. A text that was offered before is not inserted again. */
  offer(text: string): void {
    const draft = this.draft.trimEnd();
    if (draft === '') this.#setDraft(text);
    else if (!`\n\n${draft}\n\n`.includes(`\n\n${text.trimEnd()}\n\n`))
      this.#setDraft(`${draft}\n\n${text}`);
    this.#refreshText();
  }

  /** Asks a question that was not typed here. The draft stays. */
  async submit(text: string): Promise<boolean> {
    if (this.#isSubmitting || this.#isFull) return false;
    this.#isSubmitting = true;
    this.#notice.clear();
    this.#refresh();
    try {
      const taken = this.#context.actions.submit(text);
      this.#listeners.onSubmit();
      await taken;
      this.#isUndrawn = true;
      return true;
    } catch (error: unknown) {
      const reason = error instanceof RequestError ? error.info?.message : undefined;
      this.#notice.show(reason ?? this.#context.strings.submitFailed);
      return false;
    } finally {
      this.#isSubmitting = false;
      this.#refresh();
    }
  }

  showNotice(text: string): void {
    this.#notice.show(text);
  }

  async #submitDraft(): Promise<void> {
    const text = this.draft;
    const { strings } = this.#context;
    if (text.trim() === '') {
      // A second Enter finds the box empty because the first one has sent the question.
      const isRunning = this.#state.runningReplyId !== undefined;
      if (!this.#isSubmitting && !this.#isUndrawn && !isRunning)
        this.#notice.show(strings.emptyQuestion);
      return;
    }
    if (text.length > MAX_QUESTION_LENGTH || this.#isSubmitting) return;
    if (this.#isFull) {
      this.#notice.show(strings.queuedFull);
      return;
    }
    this.#sending = text;
    this.#setDraft('');
    const isTaken = await this.submit(text);
    this.#sending = '';
    if (isTaken) {
      this.#listeners.onDraftChange();
      return;
    }
    // The text goes back into the box, before anything that was typed meanwhile.
    const typedSince = this.draft;
    this.#setDraft(typedSince.trim() === '' ? text : `${text}\n\n${typedSince}`);
    this.#refresh();
  }

  /** Whether a reply runs and a question is queued behind it already. */
  get #isFull(): boolean {
    const { runningReplyId, queued } = this.#state;
    return runningReplyId !== undefined && queued !== undefined;
  }

  #onButton(): void {
    const { runningReplyId } = this.#state;
    const pressed = this.#pressedSign;
    this.#pressedSign = undefined;
    // A press on Stop sends nothing when the reply ends before the release.
    if (pressed === undefined || pressed === this.#send.element.dataset['sign']) {
      if (runningReplyId === undefined) void this.#submitDraft();
      else this.#context.actions.stop(runningReplyId);
    }
    this.focus();
  }

  #onInput(): void {
    this.#recalled = undefined;
    this.#notice.clear();
    this.#listeners.onDraftChange();
    this.#refreshText();
    this.#menu?.refresh();
  }

  #onKey(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    if (this.#menu?.onKey(event)) return;
    const hasModifier = event.shiftKey || event.altKey || event.ctrlKey || event.metaKey;
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      // A held key may have been pressed on a button that then moved the focus here.
      if (!event.repeat) void this.#submitDraft();
    } else if (event.key === 'ArrowUp' && !hasModifier && this.#recall(-1)) {
      event.preventDefault();
    } else if (event.key === 'ArrowDown' && !hasModifier && this.#recall(1)) {
      event.preventDefault();
    }
  }

  /** Steps through earlier questions, from an empty box or a recalled question. */
  #recall(step: -1 | 1): boolean {
    const { questions } = this.#state;
    if (this.#recalled === undefined && (this.draft !== '' || step > 0)) return false;
    const { selectionStart, selectionEnd, value } = this.#textArea.control;
    const isAtEdge = selectionStart === selectionEnd && selectionStart === value.length;
    if (this.#recalled !== undefined && !isAtEdge) return false;
    const next = (this.#recalled ?? questions.length) + step;
    if (next < 0) return true;
    const question = questions[next];
    this.#textArea.replace(0, value.length, question ?? '');
    this.#recalled = question === undefined ? undefined : next;
    this.#notice.clear();
    this.#refreshText();
    return true;
  }

  #setDraft(text: string): void {
    this.#recalled = undefined;
    this.#textArea.value = text;
    const { control } = this.#textArea;
    control.setSelectionRange(text.length, text.length);
    control.scrollTop = control.scrollHeight;
    this.#listeners.onDraftChange();
    this.#menu?.refresh();
  }

  async #loadMenu(): Promise<void> {
    if (this.#isMenuLoading) return;
    this.#isMenuLoading = true;
    try {
      const { MentionMenu } = await import('./mentionMenu');
      this.#menu = this.#createMenu(MentionMenu);
      this.#announcer.element.before(this.#menu.element);
      this.#menu.refresh();
    } catch (error: unknown) {
      this.#isMenuLoading = false;
      this.#context.reportFailure(error);
    }
  }

  #createMenu(Menu: typeof MentionMenu): MentionMenu {
    return new Menu(this.#context, {
      control: this.#textArea.control,
      announce: (text) => this.#announcer.say(text),
      onChoose: ({ id }, query) => {
        this.#textArea.replace(query.start, endOfMention(this.draft, query), '');
        void this.#context.actions.addMention(id);
      },
      onChooseGroup: (group, { start, end }) => {
        this.#textArea.replace(start, end, `#${group}:`);
      },
    });
  }

  #attachButtons(): HTMLElement[] {
    const { strings, actions } = this.#context;
    const add = createButton({
      label: strings.addSelection,
      icon: 'add-selection',
      appearance: 'icon',
      class: 'add-context-item',
      onClick: () => actions.addContextItem(),
    });
    add.element.replaceChildren(icon('symbol-snippet'));
    const attach = createButton({
      label: strings.attachFile,
      icon: 'attach',
      appearance: 'icon',
      class: 'attach-files',
      onClick: () => actions.pickAttachments(),
    });
    const limits = fill(strings.attachLimits, MAX_FILES, sizeText(MAX_FILE_BYTES));
    attach.element.title = `${strings.attachFile}\n${limits}\n${strings.dropShift}`;
    return [add.element, attach.element];
  }

  #onPaste(event: ClipboardEvent): void {
    if (!event.clipboardData) return;
    const files = pastedFiles(event.clipboardData);
    if (files.length > 0) {
      event.preventDefault();
      void this.#takeFiles(files);
      return;
    }
    const { selectionStart, selectionEnd } = this.#textArea.control;
    const text = event.clipboardData.getData('text/plain');
    const left = this.draft.length - (selectionEnd - selectionStart);
    if (left + text.length <= MAX_QUESTION_LENGTH) return;
    event.preventDefault();
    const { strings } = this.#context;
    this.#notice.show(fill(strings.pasteTooLong, numberText(text.length)), 'urgent', {
      label: strings.attachAsFile,
      onClick: () => {
        void this.#takeFiles([new File([text], 'pasted-text.txt', { type: 'text/plain' })]);
        this.focus();
      },
    });
  }

  /** Attaches files. They become chips when the host has them. */
  async #takeFiles(files: readonly File[]): Promise<void> {
    const { strings, actions } = this.#context;
    this.#notice.clear();
    this.#announcer.say(strings.readingFiles);
    try {
      const { FileIntake } = await import('./fileIntake');
      this.#intake ??= new FileIntake({ strings, actions, present: () => this.#state.files });
      const refusals = await this.#intake.take(files);
      if (refusals.length > 0) this.#notice.show(refusals);
    } catch (error: unknown) {
      this.#context.reportFailure(error);
      this.#notice.show(strings.actionFailed);
    }
  }

  /** Updates everything that depends on the text. */
  #refreshText(): void {
    this.#refresh();
    const { length } = this.draft;
    if (length <= MAX_QUESTION_LENGTH * COUNTED_SHARE) return;
    const counted = [length, MAX_QUESTION_LENGTH].map(numberText);
    if (length <= MAX_QUESTION_LENGTH) this.#notice.show(counted.join(' / '), 'quiet');
    else this.#notice.show(fill(this.#context.strings.tooLong, ...counted));
  }

  /** Updates the buttons. It runs in each frame while a reply streams. */
  #refresh(): void {
    const { strings } = this.#context;
    const isRunning = this.#state.runningReplyId !== undefined;
    const isTooLong = this.draft.length > MAX_QUESTION_LENGTH;
    this.element.classList.toggle('is-too-long', isTooLong);
    this.element.classList.toggle('is-running', isRunning);
    this.#send.setEnabled(
      isRunning || (this.draft.trim() !== '' && !isTooLong && !this.#isSubmitting),
    );
    const wanted = isRunning ? 'stop-circle' : 'send';
    if (this.#send.element.dataset['sign'] === wanted) return;
    this.#send.element.dataset['sign'] = wanted;
    this.#send.setLabel(isRunning ? strings.stop : strings.send, wanted);
  }
}

function namesAdded(before: ComposerState, after: ComposerState): string[] {
  const known = new Set([...before.contextItems, ...before.files].map(({ id }) => id));
  const isNew = ({ id }: { readonly id: string }): boolean => !known.has(id);
  return [
    ...after.contextItems.filter(isNew).map(({ label }) => visibleLine(label)),
    ...after.files.filter(isNew).map(({ filename }) => visibleLine(filename)),
    ...(after.package === undefined || after.package === before.package
      ? []
      : [visibleLine(after.package)]),
  ];
}

interface NoticeAction {
  readonly label: string;
  readonly onClick: () => void;
}

/** A notice above the box. */
class ComposerNotice {
  readonly element = element('div', { class: 'composer-notice' });

  constructor() {
    this.element.hidden = true;
  }

  /**
   * @param text one or several sentences, each on a line of its own.
   * @param urgency `quiet` for texts that change with every letter. They are not read out.
   */
  show(
    text: string | readonly string[],
    urgency: 'urgent' | 'quiet' = 'urgent',
    action?: NoticeAction,
  ): void {
    this.element.setAttribute('role', urgency === 'urgent' ? 'alert' : 'note');
    this.element.hidden = false;
    this.element.replaceChildren(
      element(
        'div',
        { class: 'composer-notice-text' },
        ...[text].flat().map((line) => element('div', { text: visibleLine(line) })),
      ),
      ...(action ? [this.#button(action)] : []),
    );
  }

  clear(): void {
    this.element.hidden = true;
    this.element.replaceChildren();
  }

  #button({ label, onClick }: NoticeAction): HTMLElement {
    return createButton({
      label,
      appearance: 'secondary',
      onClick: () => {
        this.clear();
        onClick();
      },
    }).element;
  }
}
