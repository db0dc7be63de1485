import { MAX_QUESTION_LENGTH } from '../../src/shared/limits';
import { numberText, sizeText } from '../../src/shared/units';
import type { AttachmentView, QuestionView } from '../../src/shared/uiMessage';
import { fill } from '../../src/shared/fill';
import { ContextItemList } from '../composer/chips';
import { element, icon, isComposing, isolatedText, visibleLine } from '../dom';
import { RequestError } from '../endpoint';
import { IconButton, createCopyButton, createMessageToolbar } from '../iconButton';
import { createButton, type ButtonControl } from '../toolkit';
import { copyMarkdown, type ViewContext } from '../viewActions';
import { awaitVersion, BranchSwitcher, focusMessage } from './branchSwitcher';

/** Shows a question exactly as it was asked, with its attachments. */
export class QuestionElement {
  readonly element: HTMLElement;
  readonly #context: ViewContext;
  readonly #text = element('p', { class: 'question-text', attributes: { dir: 'auto' } });
  readonly #contextItems: ContextItemList;
  readonly #files: HTMLElement;
  readonly #branches: BranchSwitcher;
  readonly #edit: IconButton;
  readonly #toolbar: HTMLElement;
  #question: QuestionView | undefined;
  #editor: QuestionEditor | undefined;
  #isReplyRunning = false;

  constructor(context: ViewContext, id: string) {
    this.#context = context;
    const { strings, actions } = context;
    this.#contextItems = new ContextItemList({
      strings,
      onReveal: (itemId) => actions.revealContextItem(itemId),
    });
    this.#files = element('ul', {
      class: 'question-files',
      attributes: { 'aria-label': strings.attachments },
    });
    this.#files.hidden = true;
    this.#branches = new BranchSwitcher({
      strings,
      role: 'user',
      onShow: (index) => actions.showBranch(id, index),
    });
    const copy = createCopyButton({
      strings,
      label: strings.copyMessage,
      class: 'copy-question',
      copy: () =>
        copyMarkdown(context, ({ questionMarkdown }) =>
          this.#question ? questionMarkdown(this.#question) : '',
        ),
    });
    this.#edit = new IconButton({
      label: strings.editQuestion,
      icon: 'edit',
      class: 'edit-question',
      onClick: () => this.#onEdit(),
    });
    this.#toolbar = createMessageToolbar(this.#edit, copy);
    this.element = element(
      'article',
      { class: 'message question', attributes: { 'data-message-id': id } },
      element('h2', { class: 'visually-hidden', text: strings.you }),
      this.#contextItems.element,
      this.#text,
      this.#files,
      this.#branches.element,
      this.#toolbar,
    );
    this.element.addEventListener('keydown', (event) => stepByKey(event, this.#branches));
    this.element.addEventListener('mousedown', (event) => {
      // The first click of a double click on the button opened the box, which keeps the focus.
      if (this.#editor && event.detail > 1 && event.target === this.element) event.preventDefault();
    });
  }

  update(question: QuestionView): void {
    const before = this.#question;
    this.#question = question;
    if (this.#text.textContent !== question.text) this.#text.textContent = question.text;
    this.#contextItems.update(question.contextItems);
    this.#branches.update(question.branch, this.element);
    if (question.files !== before?.files || question.package !== before?.package)
      this.#updateFiles(question);
    const kept = this.#editor ? undefined : this.#context.edits.textOf(question.id);
    if (kept !== undefined) this.#startEditing(question, kept);
  }

  /** Disables changes of the question while a reply runs. */
  setReplyRunning(isRunning: boolean): void {
    this.#isReplyRunning = isRunning;
    this.#edit.setEnabled(!isRunning);
    this.#branches.setReplyRunning(isRunning);
    this.#editor?.setReplyRunning(isRunning);
  }

  #onEdit(): void {
    if (this.#editor || !this.#question) return;
    const { id, text } = this.#question;
    this.#context.edits.keep(id, text);
    this.#startEditing(this.#question, text).focus();
  }

  /** @param text initial text: the question, or what the person made of it before. */
  #startEditing({ id, branch }: QuestionView, text: string): QuestionEditor {
    const before = document.activeElement;
    const editor = new QuestionEditor(this.#context, {
      messageId: id,
      text,
      onChange: (changed) => this.#context.edits.keep(id, changed),
      onSent: (sent) => {
        // Otherwise the old text would flash up until the host's thread is drawn.
        this.#text.textContent = sent;
        // The changed question is the last version. If it is already there, it has the focus.
        if (this.element.isConnected)
          awaitVersion({ role: 'user', index: branch?.count ?? 1, place: 'message' });
        this.#stopEditing();
      },
      onCancel: () => {
        this.#stopEditing();
        if (before instanceof HTMLElement && this.element.contains(before)) before.focus();
        else focusMessage(this.element);
      },
    });
    editor.setReplyRunning(this.#isReplyRunning);
    this.#editor = editor;
    this.#text.replaceWith(editor.element);
    this.element.classList.add('is-editing');
    this.#toolbar.hidden = true;
    return editor;
  }

  #stopEditing(): void {
    if (this.#question) this.#context.edits.end(this.#question.id);
    this.#editor?.element.replaceWith(this.#text);
    this.#editor = undefined;
    this.element.classList.remove('is-editing');
    this.#toolbar.hidden = false;
  }

  #updateFiles({ files = [], package: narrowed }: QuestionView): void {
    const packages = narrowed === undefined ? [] : [narrowed];
    this.#files.hidden = files.length + packages.length === 0;
    this.#files.replaceChildren(...packages.map(packageRow), ...files.map(fileRow));
  }
}

/** Switches versions of the focused message on Alt+Left and Alt+Right. */
export function stepByKey(event: KeyboardEvent, branches: BranchSwitcher): void {
  if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
  // Another version would take the box away in which a question is edited.
  if (event.target instanceof Element && event.target.closest('.question-editor')) return;
  const isFromMessage = event.target === event.currentTarget;
  if (branches.step(event.key === 'ArrowLeft' ? -1 : 1, isFromMessage)) event.preventDefault();
}

function packageRow(name: string): HTMLElement {
  return element('li', { class: 'question-file' }, icon('package'), isolatedText(name));
}

function fileRow({ filename, mediaType, sizeBytes }: AttachmentView): HTMLElement {
  const row = element(
    'li',
    { class: 'question-file' },
    icon(mediaType.startsWith('image/') ? 'file-media' : 'file'),
    isolatedText(filename),
    element('span', { class: 'file-size', text: sizeText(sizeBytes) }),
  );
  row.title = `${visibleLine(filename)}\n${visibleLine(mediaType)}`;
  return row;
}

interface QuestionEditorSettings {
  readonly messageId: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** Called when the host has accepted the changed question. */
  readonly onSent: (text: string) => void;
  readonly onCancel: () => void;
}

/** A box in which an earlier question is changed and asked again. */
class QuestionEditor {
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
    if (!this.#canSend()) {
      const isSendable = this.#notice.textContent === '';
      if (isSendable && this.#isReplyRunning)
        this.#notice.textContent = this.#context.strings.editWaits;
      return;
    }
    this.#isSending = true;
    this.#refresh();
    try {
      await this.#context.actions.editQuestion(this.#settings.messageId, text);
      this.#settings.onSent(text);
    } catch (error: unknown) {
      const reason = error instanceof RequestError ? error.info?.message : undefined;
      this.#isSending = false;
      this.#refresh();
      this.#notice.textContent = visibleLine(reason ?? this.#context.strings.notSent);
      this.focus();
    }
  }

  #canSend(): boolean {
    const { value } = this.#box;
    const isUsable = value.trim() !== '' && value.length <= MAX_QUESTION_LENGTH;
    return isUsable && !this.#isSending && !this.#isReplyRunning;
  }

  #onKey(event: KeyboardEvent): void {
    if (isComposing(event)) return;
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
      // A held key may have been pressed on the button that opened the box.
      if (!event.repeat) void this.#submit();
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
          ? fill(strings.tooLong, numberText(length), numberText(MAX_QUESTION_LENGTH))
          : '';
    if (this.#notice.textContent !== wanted) this.#notice.textContent = wanted;
  }
}
