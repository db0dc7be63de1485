import { codeSpan } from '../src/shared/codeSpan';
import { readableSize } from '../src/shared/readableSize';
import type { AttachmentView, QuestionView } from '../src/shared/uiMessage';
import { awaitVersion, BranchSwitcher, focusMessage } from './branchSwitcher';
import { ContextItemList } from './contextItemList';
import { element, icon, isolatedText, visibleText } from './dom';
import { IconButton } from './iconButton';
import { createCopyButton, createMessageToolbar } from './messageToolbar';
import { QuestionEditor } from './questionEditor';
import type { ViewContext } from './viewContext';

/** A question as it was asked: its text exactly, and what went with it. */
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
      copy: () => actions.copy(this.#question ? questionMarkdown(this.#question) : ''),
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
  }

  update(question: QuestionView): void {
    const filesBefore = this.#question?.files;
    this.#question = question;
    if (this.#text.textContent !== question.text) this.#text.textContent = question.text;
    this.#contextItems.update(question.contextItems);
    this.#branches.update(question.branch, this.element);
    if (question.files !== filesBefore) this.#updateFiles(question.files ?? []);
    const kept = this.#editor ? undefined : this.#context.edits.textOf(question.id);
    if (kept !== undefined) this.#startEditing(question, kept);
  }

  /** A question cannot be changed while a reply runs. */
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

  /** @param text to begin with: the question, or what was made of it before. */
  #startEditing({ id, branch }: QuestionView, text: string): QuestionEditor {
    const before = document.activeElement;
    const editor = new QuestionEditor(this.#context, {
      messageId: id,
      text,
      onChange: (changed) => this.#context.edits.keep(id, changed),
      onSent: (sent) => {
        // Until the host's thread is drawn, the old text would flash up.
        this.#text.textContent = sent;
        // The changed question is the last of its versions. One that is there already has the focus.
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

  #updateFiles(files: readonly AttachmentView[]): void {
    this.#files.hidden = files.length === 0;
    this.#files.replaceChildren(...files.map(fileRow));
  }
}

/** Alt+Left and Alt+Right go through the versions of the message that has the focus. */
export function stepByKey(event: KeyboardEvent, branches: BranchSwitcher): void {
  if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
  if (event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement) {
    return;
  }
  const isFromMessage = event.target === event.currentTarget;
  if (branches.step(event.key === 'ArrowLeft' ? -1 : 1, isFromMessage)) event.preventDefault();
}

function fileRow({ filename, mediaType, sizeBytes }: AttachmentView): HTMLElement {
  const row = element(
    'li',
    { class: 'question-file' },
    icon(mediaType.startsWith('image/') ? 'file-media' : 'file'),
    isolatedText(filename),
    element('span', { class: 'file-size', text: readableSize(sizeBytes) }),
  );
  row.title = `${visibleText(filename)}\n${visibleText(mediaType)}`;
  return row;
}

/** The question as Markdown: its text as it was typed, then what went with it by name. */
function questionMarkdown({ text, contextItems, files }: QuestionView): string {
  const items = contextItems.map(({ path, label, startLine, endLine }) => {
    const name = visibleText(path ?? label);
    const lines = startLine === undefined ? '' : `:${startLine}-${endLine ?? startLine}`;
    return `- ${codeSpan(`${name}${lines}`)}`;
  });
  const attached = (files ?? []).map(({ filename }) => `- ${codeSpan(visibleText(filename))}`);
  const list = [...items, ...attached];
  return list.length === 0 ? text : `${text}\n\n${list.join('\n')}\n`;
}
