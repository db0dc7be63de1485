import { MAX_TITLE_LENGTH, type HistoryEntry, type TextRange } from '../src/shared/protocol';
import type { ViewStrings } from '../src/shared/viewStrings';
import { element, icon, setAttribute, visiblePiece, visibleText } from './dom';
import { IconButton } from './iconButton';

/** What a person does to one thread of the history. */
export interface HistoryRowListeners {
  onOpen(entry: HistoryEntry): void;
  onRename(entry: HistoryEntry, title: string): void;
  onDelete(entry: HistoryEntry): void;
  onExport(entry: HistoryEntry): void;
}

/** One thread of the history. Its buttons are made when somebody comes near. */
export class HistoryRow {
  readonly element: HTMLElement;
  readonly #strings: ViewStrings;
  readonly #listeners: HistoryRowListeners;
  readonly #title = element('bdi', { class: 'history-title' });
  readonly #time = element('time', { class: 'history-time' });
  readonly #excerpt = element('span', { class: 'history-excerpt', attributes: { dir: 'auto' } });
  readonly #tools = element('span', { class: 'history-tools' });
  #entry: HistoryEntry;
  #input: HTMLInputElement | undefined;

  constructor(entry: HistoryEntry, strings: ViewStrings, listeners: HistoryRowListeners) {
    this.#entry = entry;
    this.#strings = strings;
    this.#listeners = listeners;
    const sign = icon('circle-filled');
    sign.classList.add('history-sign');
    this.element = element(
      'div',
      {
        class: 'history-row',
        attributes: { role: 'treeitem', 'aria-level': '1', 'data-thread-id': entry.id },
      },
      element('span', { class: 'history-line' }, sign, this.#title, this.#time),
      this.#excerpt,
      this.#tools,
    );
    this.element.tabIndex = -1;
    this.element.addEventListener('click', (event) => {
      const target = event.target instanceof Element ? event.target : undefined;
      if (!target?.closest('button, input')) listeners.onOpen(this.#entry);
    });
    this.element.addEventListener('pointerenter', () => this.#makeTools());
    this.element.addEventListener('focusin', () => this.#makeTools());
    if (window.matchMedia('(hover: none)').matches) this.#makeTools();
  }

  get entry(): HistoryEntry {
    return this.#entry;
  }

  get isRenaming(): boolean {
    return this.#input !== undefined;
  }

  /** From the first to the last, for the arrow keys. */
  get tools(): readonly HTMLElement[] {
    this.#makeTools();
    return [...this.#tools.querySelectorAll('button')];
  }

  update(entry: HistoryEntry, shortTime: string, fullTime: string): void {
    const isSameExcerpt = JSON.stringify(entry.excerpt) === JSON.stringify(this.#entry.excerpt);
    this.#entry = entry;
    const title = this.#shownTitle();
    if (this.#title.textContent !== title) this.#title.textContent = title;
    this.#title.title = title;
    this.#time.dateTime = entry.updatedAt;
    this.#time.textContent = shortTime;
    this.#time.title = fullTime;
    if (!isSameExcerpt || this.#excerpt.childNodes.length === 0) this.#drawExcerpt();
    this.element.classList.toggle('is-shown', entry.isShown);
    setAttribute(this.element, 'aria-current', entry.isShown ? 'true' : undefined);
    const parts = [title, shortTime, entry.isShown ? this.#strings.shownThread : ''];
    const described = [...parts, visibleText(entry.excerpt?.text ?? '')];
    this.element.setAttribute('aria-label', described.filter((part) => part !== '').join(', '));
  }

  /** Puts a box in the place of the title. Enter and leaving it save, Escape does not. */
  startRenaming(): void {
    if (this.#input) return;
    const input = element('input', {
      class: 'history-rename',
      attributes: {
        type: 'text',
        'aria-label': this.#strings.threadTitle,
        maxlength: String(MAX_TITLE_LENGTH),
        spellcheck: 'false',
      },
    });
    this.#input = input;
    input.value = visibleText(this.#entry.title);
    input.addEventListener('keydown', (event) => this.#onRenameKey(event));
    input.addEventListener('blur', () => this.#stopRenaming(true));
    this.element.classList.add('is-renaming');
    this.#title.replaceWith(input);
    input.focus();
    input.select();
  }

  #onRenameKey(event: KeyboardEvent): void {
    // The keys of the list are letters here.
    event.stopPropagation();
    // Enter that ends a composition belongs to the input method.
    if (event.isComposing) return;
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    this.#stopRenaming(event.key === 'Enter');
    this.element.focus();
  }

  #stopRenaming(isSaved: boolean): void {
    const input = this.#input;
    if (!input) return;
    this.#input = undefined;
    const title = visibleText(input.value);
    this.element.classList.remove('is-renaming');
    input.replaceWith(this.#title);
    // An empty title would be found by nobody: the old one stays.
    if (isSaved && title !== '' && title !== visibleText(this.#entry.title)) {
      this.#title.textContent = title;
      this.#listeners.onRename(this.#entry, title);
    }
  }

  #makeTools(): void {
    if (this.#tools.hasChildNodes()) return;
    const { renameThread, exportThread, deleteThread } = this.#strings;
    const buttons = [
      new IconButton({ label: renameThread, icon: 'edit', onClick: () => this.startRenaming() }),
      new IconButton({
        label: exportThread,
        icon: 'save-as',
        onClick: () => this.#listeners.onExport(this.#entry),
      }),
      new IconButton({
        label: deleteThread,
        icon: 'trash',
        onClick: () => this.#listeners.onDelete(this.#entry),
      }),
    ];
    for (const { element: button } of buttons) {
      // The whole list is one stop of the Tab key; the arrow keys lead here.
      button.tabIndex = -1;
      this.#tools.append(button);
    }
  }

  #drawExcerpt(): void {
    const { excerpt } = this.#entry;
    this.#excerpt.hidden = excerpt === undefined;
    this.#excerpt.replaceChildren(...(excerpt ? markedText(excerpt.text, excerpt.matches) : []));
  }

  #shownTitle(): string {
    return visibleText(this.#entry.title) || this.#strings.untitledThread;
  }
}

/** Foreign text as nodes, with its matches in `<mark>`; ranges that make no sense mark nothing. */
function markedText(text: string, matches: readonly TextRange[]): Node[] {
  const nodes: Node[] = [];
  const append = (piece: string, isMarked: boolean): void => {
    const shown = visiblePiece(piece);
    if (shown === '') return;
    nodes.push(isMarked ? element('mark', { text: shown }) : document.createTextNode(shown));
  };
  let end = 0;
  for (const match of matches) {
    if (match.start < end || match.end <= match.start || match.end > text.length) continue;
    append(text.slice(end, match.start), false);
    append(text.slice(match.start, match.end), true);
    end = match.end;
  }
  append(text.slice(end), false);
  return nodes;
}
