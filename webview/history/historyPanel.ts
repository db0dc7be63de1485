import type { HistoryEntry } from '../../src/shared/protocol';
import { fill } from '../../src/shared/fill';
import type { ViewStrings } from '../../src/shared/viewStrings';
import { numberText } from '../../src/shared/units';
import { element, icon, isComposing, visibleLine } from '../dom';
import { IconButton } from '../iconButton';
import { createButton, createProgressRing } from '../toolkit';
import type { HistoryEntries as ListedHistory, ViewContext } from '../viewActions';
import { HistoryCalendar } from './historyDays';
import { HistoryList } from './historyList';

interface HistoryPanelListeners {
  /** Shows the thread again, because the reader closes the history. */
  onClose(): void;
  /** Hides the history, because an opened thread is shown. */
  onOpened(): void;
}

/** Pause in typing after which the search starts. */
const TYPING_PAUSE_MS = 150;
/** Time after which the panel says that the list is loading. */
const LOADING_DELAY_MS = 400;

/**
 * The panel with all threads of the site: it searches, opens, renames, exports, deletes and
 * restores them.
 */
export class HistoryPanel {
  readonly element: HTMLElement;
  readonly #context: ViewContext;
  readonly #listeners: HistoryPanelListeners;
  readonly #search: HTMLInputElement;
  readonly #list: HistoryList;
  readonly #scroller: HTMLElement;
  readonly #message = element('div', { class: 'history-message' });
  readonly #cut: HTMLElement;
  readonly #status = element('p', { class: 'visually-hidden', attributes: { role: 'status' } });
  readonly #undo: UndoBar;
  #isShown = false;
  #listed: ListedHistory | undefined;
  /** Number of the newest request. Answers to older requests are not shown. */
  #turn = 0;
  #pause: ReturnType<typeof setTimeout> | undefined;
  #loading: ReturnType<typeof setTimeout> | undefined;
  /** Whether the host has not answered the newest request yet. */
  #isAsking = false;
  #isFocusAwaited = false;
  readonly #deleting = new Set<string>();

  constructor(context: ViewContext, listeners: HistoryPanelListeners) {
    this.#context = context;
    this.#listeners = listeners;
    const { strings, actions } = context;
    this.#search = element('input', {
      class: 'history-search',
      attributes: {
        type: 'search',
        'aria-label': strings.historySearch,
        placeholder: strings.historySearch,
        maxlength: '200',
        spellcheck: 'false',
        autocomplete: 'off',
      },
    });
    this.#list = new HistoryList(strings, {
      onOpen: (entry) => void this.#open(entry),
      onRename: (entry, title) => void this.#rename(entry, title),
      onDelete: (entry) => void this.#deleteOnce(entry),
      onExport: ({ id }) => actions.exportThread(id),
      onLeave: () => this.#search.focus(),
    });
    this.#cut = element('p', { class: 'history-cut', text: strings.historyCut });
    this.#undo = new UndoBar(strings, () => this.#focusSomething());
    this.#scroller = element(
      'div',
      { class: 'history-scroller' },
      this.#message,
      this.#list.element,
      this.#cut,
    );
    const close = new IconButton({
      label: strings.closeHistory,
      icon: 'close',
      class: 'history-close',
      onClick: () => this.#listeners.onClose(),
    });
    this.element = element(
      'section',
      { class: 'history', attributes: { 'aria-label': strings.history } },
      element(
        'div',
        { class: 'history-head' },
        element('div', { class: 'history-search-box' }, icon('search'), this.#search),
        close.element,
      ),
      this.#scroller,
      this.#undo.element,
      this.#status,
    );
    this.element.hidden = true;
    this.#cut.hidden = true;
    this.#message.hidden = true;
    this.#search.addEventListener('input', () => this.#onInput());
    this.#search.addEventListener('keydown', (event) => this.#onSearchKey(event));
    this.element.addEventListener('keydown', (event) => this.#onKey(event));
    // Another window may have added, renamed or deleted threads meanwhile.
    window.addEventListener('focus', () => {
      if (this.#isShown) void this.refresh();
    });
  }

  get isShown(): boolean {
    return this.#isShown;
  }

  show(): void {
    this.element.hidden = false;
    this.#isShown = true;
    this.focus();
    void this.refresh();
  }

  /** Focuses the search box. */
  focus(): void {
    this.#search.focus();
    this.#search.select();
  }

  hide(): void {
    this.#isShown = false;
    this.#isFocusAwaited = false;
    this.element.hidden = true;
    clearTimeout(this.#pause);
    clearTimeout(this.#loading);
    this.#undo.hide();
    this.#status.textContent = '';
    this.#turn++;
    if (this.#search.value !== '') {
      this.#search.value = '';
      // Old results must not be shown when the history opens again.
      this.#draw({ entries: [], isCut: false });
      this.#message.hidden = true;
      this.#listed = undefined;
    }
  }

  /** Asks the host for the threads that match the search box, and shows them. */
  async refresh(): Promise<void> {
    clearTimeout(this.#pause);
    this.#pause = undefined;
    clearTimeout(this.#loading);
    const turn = ++this.#turn;
    const query = this.#search.value.trim();
    this.#isAsking = true;
    this.#list.element.setAttribute('aria-busy', 'true');
    this.#loading = setTimeout(() => this.#showLoading(), LOADING_DELAY_MS);
    const listed = await this.#context.actions.listHistory(query);
    if (turn !== this.#turn) return;
    this.#isAsking = false;
    clearTimeout(this.#loading);
    this.#list.element.removeAttribute('aria-busy');
    if (listed) this.#draw(listed, query);
    else this.#showFailure();
    if (this.#isFocusAwaited) {
      this.#isFocusAwaited = false;
      this.#list.focus();
    }
  }

  #draw(listed: ListedHistory, query = ''): void {
    const { strings } = this.#context;
    this.#listed = listed;
    const calendar = new HistoryCalendar({
      now: this.#context.hostNow(),
      language: document.documentElement.lang,
      strings,
    });
    this.#list.update(calendar.days(listed.entries), calendar);
    this.#list.element.hidden = listed.entries.length === 0;
    this.#cut.hidden = !listed.isCut;
    const nothing = query === '' ? strings.historyEmpty : strings.historyNothingFound;
    this.#say(listed.entries.length === 0 ? [element('p', { text: nothing })] : []);
    if (query === '') this.#status.textContent = '';
    else {
      const found = fill(strings.historyCount, numberText(listed.entries.length));
      this.#status.textContent = listed.entries.length === 0 ? nothing : found;
    }
  }

  #showLoading(): void {
    // An existing list says more than a message that the next one is loading.
    if (this.#listed) return;
    this.#say([
      element(
        'p',
        { class: 'status-line' },
        createProgressRing(),
        element('span', { text: this.#context.strings.historyLoading }),
      ),
    ]);
  }

  #showFailure(): void {
    const { strings } = this.#context;
    const retry = createButton({
      label: strings.retry,
      icon: 'refresh',
      appearance: 'secondary',
      onClick: () => {
        this.#search.focus();
        void this.refresh();
      },
    });
    this.#say([
      element('p', { text: strings.historyFailed, attributes: { role: 'alert' } }),
      retry.element,
    ]);
  }

  #say(content: readonly Node[]): void {
    this.#message.hidden = content.length === 0;
    this.#message.replaceChildren(...content);
  }

  async #open(entry: HistoryEntry): Promise<void> {
    const isOpen = entry.isShown || (await this.#context.actions.openThread(entry.id));
    if (!this.#isShown) return;
    if (isOpen) this.#listeners.onOpened();
    else await this.refresh();
  }

  async #rename(entry: HistoryEntry, title: string): Promise<void> {
    await this.#context.actions.renameThread(entry.id, title);
    if (this.#isShown) await this.refresh();
  }

  async #deleteOnce(entry: HistoryEntry): Promise<void> {
    if (this.#deleting.has(entry.id)) return;
    this.#deleting.add(entry.id);
    try {
      await this.#delete(entry);
    } finally {
      this.#deleting.delete(entry.id);
    }
  }

  async #delete(entry: HistoryEntry): Promise<void> {
    const isDeleted = await this.#context.actions.deleteThread(entry.id);
    if (!this.#isShown) return;
    if (isDeleted) {
      const { strings } = this.#context;
      const title = visibleLine(entry.title) || strings.untitledThread;
      // The title is isolated, so that its direction does not change the sentence.
      const sentence = fill(strings.threadDeleted, `\u2068${title}\u2069`);
      this.#undo.show(sentence, () => void this.#restore(entry.id));
    }
    await this.refresh();
    if (this.#list.length === 0 && isDeleted) this.#undo.focus();
  }

  async #restore(threadId: string): Promise<void> {
    await this.#context.actions.restoreThread(threadId);
    if (!this.#isShown) return;
    await this.refresh();
    if (!this.#list.focus(threadId)) this.#search.focus();
  }

  #focusSomething(): void {
    if (!this.#list.focus()) this.#search.focus();
  }

  #onInput(): void {
    this.#isFocusAwaited = false;
    clearTimeout(this.#pause);
    this.#scroller.scrollTop = 0;
    this.#pause = setTimeout(() => {
      this.#list.resetActive();
      void this.refresh();
    }, TYPING_PAUSE_MS);
  }

  #onSearchKey(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    if (event.key === 'ArrowDown' || event.key === 'Enter') {
      event.preventDefault();
      const isTyping = this.#pause !== undefined;
      if (isTyping || this.#isAsking) {
        // The list is that of an earlier search. The first result gets the focus when it arrives.
        this.#isFocusAwaited = true;
        if (isTyping) void this.refresh();
      } else if (this.#list.length > 0) this.#list.focus();
    } else if (event.key === 'Escape' && this.#search.value !== '') {
      event.preventDefault();
      event.stopPropagation();
      this.#isFocusAwaited = false;
      this.#search.value = '';
      void this.refresh();
    }
  }

  #onKey(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      this.#listeners.onClose();
    } else if (
      event.key.toLowerCase() === 'z' &&
      (event.ctrlKey || event.metaKey) &&
      !event.shiftKey &&
      !(event.target instanceof HTMLInputElement) &&
      this.#undo.undo()
    ) {
      event.preventDefault();
    }
  }
}

/** Says what was just done and offers to undo it. It stays until it is used or dismissed. */
class UndoBar {
  readonly element: HTMLElement;
  readonly #text = element('span', { class: 'undo-text' });
  readonly #buttons = element('span', { class: 'undo-buttons' });
  readonly #undoButton: HTMLElement;
  #undo: (() => void) | undefined;

  /** @param onDismiss called when the buttons, which may have had the focus, are gone. */
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
    // A live region must exist before its text does, or screen readers don't announce it.
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

  /** @returns whether there was something to undo. */
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
