import { MAX_TITLE_LENGTH } from '../../src/shared/limits';
import type { HistoryEntry, TextRange } from '../../src/shared/protocol';
import type { ViewStrings } from '../../src/shared/viewStrings';
import {
  element,
  setChildren,
  icon,
  isComposing,
  setAttribute,
  visiblePiece,
  visibleLine,
} from '../dom';
import { IconButton } from '../iconButton';
import type { HistoryCalendar, HistoryDay } from './historyDays';

interface HistoryListListeners extends HistoryRowListeners {
  /** Moves the focus to the search box: on Arrow Up in the first row, or when a letter is typed. */
  onLeave(): void;
}

interface ShownDay {
  readonly element: HTMLElement;
  readonly heading: HTMLElement;
}

/**
 * The list of threads, grouped by days. It is one tab stop: Up, Down, Home, End and the Page keys
 * go from thread to thread, and Left and Right to the actions of a thread.
 */
export class HistoryList {
  readonly element: HTMLElement;
  readonly #strings: ViewStrings;
  readonly #listeners: HistoryListListeners;
  readonly #rows = new Map<string, HistoryRow>();
  readonly #days = new Map<string, ShownDay>();
  #order: readonly HistoryRow[] = [];
  #active: HistoryRow | undefined;

  constructor(strings: ViewStrings, listeners: HistoryListListeners) {
    this.#strings = strings;
    this.#listeners = listeners;
    this.element = element('div', {
      class: 'history-list',
      attributes: {
        role: 'tree',
        'aria-label': strings.history,
        'aria-keyshortcuts': 'Enter F2 Delete',
      },
    });
    this.element.addEventListener('keydown', (event) => this.#onKey(event));
    this.element.addEventListener('focusin', (event) => {
      const row = this.#rowOf(event.target);
      if (row) this.#setActive(row);
    });
  }

  get length(): number {
    return this.#order.length;
  }

  /**
   * Shows these entries. Existing rows keep their elements, so that the focus stays where it is.
   */
  update(days: readonly HistoryDay[], calendar: HistoryCalendar): void {
    const focused = this.#rowOf(document.activeElement);
    const focusedPlace = focused ? this.#order.indexOf(focused) : -1;
    const activePlace = this.#active ? this.#order.indexOf(this.#active) : 0;
    const order: HistoryRow[] = [];
    const shownDays = days.map((day, index) => {
      const shown = this.#dayElement(day.name, index);
      const rows = day.entries.map((entry) => {
        const row = this.#rows.get(entry.id) ?? this.#addRow(entry);
        row.update(entry, calendar.shortTime(entry.updatedAt), calendar.fullTime(entry.updatedAt));
        order.push(row);
        return row.element;
      });
      setChildren(shown.element, [shown.heading, ...rows]);
      return shown.element;
    });
    setChildren(this.element, shownDays);
    const kept = new Set(order.map(({ entry }) => entry.id));
    for (const id of this.#rows.keys()) if (!kept.has(id)) this.#rows.delete(id);
    const names = new Set(days.map(({ name }) => name));
    for (const name of this.#days.keys()) if (!names.has(name)) this.#days.delete(name);
    this.#order = order;
    const isActiveThere = this.#active !== undefined && order.includes(this.#active);
    if (!isActiveThere) this.#setActive(order[Math.min(activePlace, order.length - 1)]);
    // The focused row may have moved or gone. The focus goes to the row at its place, or to a
    // neighbor.
    if (focused && !this.element.contains(document.activeElement)) {
      const next = order.includes(focused)
        ? focused
        : order[Math.min(focusedPlace, order.length - 1)];
      next?.element.focus();
    }
  }

  /** @returns false if there is nothing to focus. */
  focus(threadId?: string): boolean {
    const row = (threadId === undefined ? undefined : this.#rows.get(threadId)) ?? this.#active;
    row?.element.focus();
    return row !== undefined;
  }

  /** Makes the first thread the tab stop of the list. */
  resetActive(): void {
    this.#setActive(this.#order[0]);
  }

  #addRow(entry: HistoryRow['entry']): HistoryRow {
    const row = new HistoryRow(entry, this.#strings, this.#listeners);
    this.#rows.set(entry.id, row);
    return row;
  }

  #dayElement(name: string, index: number): ShownDay {
    let shown = this.#days.get(name);
    if (!shown) {
      // The text names the group. A heading element is not allowed within a tree.
      const heading = element('div', {
        class: 'history-day-name',
        text: name,
        attributes: { role: 'presentation' },
      });
      shown = {
        element: element('div', { class: 'history-day', attributes: { role: 'group' } }),
        heading,
      };
      this.#days.set(name, shown);
    }
    shown.heading.id = `history-day-${index}`;
    shown.element.setAttribute('aria-labelledby', shown.heading.id);
    return shown;
  }

  #setActive(row: HistoryRow | undefined): void {
    if (row === this.#active) return;
    if (this.#active) this.#active.element.tabIndex = -1;
    this.#active = row;
    if (row) row.element.tabIndex = 0;
  }

  #rowOf(target: EventTarget | null): HistoryRow | undefined {
    const found = target instanceof Element ? target.closest<HTMLElement>('.history-row') : null;
    return found && this.element.contains(found)
      ? this.#rows.get(found.dataset['threadId'] ?? '')
      : undefined;
  }

  #onKey(event: KeyboardEvent): void {
    const row = this.#rowOf(event.target);
    if (!row || row.isRenaming || isComposing(event)) return;
    // Backspace deletes in the file lists of a Mac.
    if (event.key === 'Delete' || (event.key === 'Backspace' && event.metaKey)) {
      event.preventDefault();
      // A held key would delete one thread after the other.
      if (!event.repeat) this.#listeners.onDelete(row.entry);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.#act(event.key, row, event.target)) event.preventDefault();
    // The letter itself goes to the element that has the focus then.
    else if (event.key.length === 1 && event.key !== ' ') this.#listeners.onLeave();
  }

  /** @returns whether the key did something. */
  #act(key: string, row: HistoryRow, target: EventTarget | null): boolean {
    const place = this.#order.indexOf(row);
    switch (key) {
      case 'ArrowDown':
        return this.#go(place + 1);
      case 'ArrowUp':
        if (place === 0) this.#listeners.onLeave();
        return place === 0 || this.#go(place - 1);
      case 'Home':
        return this.#go(0);
      case 'End':
        return this.#go(this.#order.length - 1);
      case 'PageDown':
        return this.#go(place + this.#rowsOfPage());
      case 'PageUp':
        return this.#go(place - this.#rowsOfPage());
      case 'ArrowLeft':
      case 'ArrowRight':
        return moveWithin(row, key === 'ArrowRight');
      case 'Enter':
      case ' ':
        // A key on a button of the row belongs to the button.
        if (target !== row.element) return false;
        this.#listeners.onOpen(row.entry);
        return true;
      case 'F2':
        row.startRenaming();
        return true;
      default:
        return false;
    }
  }

  #go(place: number): boolean {
    const row = this.#order[Math.max(0, Math.min(place, this.#order.length - 1))];
    row?.element.focus();
    return true;
  }

  #rowsOfPage(): number {
    const height = this.#active?.element.offsetHeight ?? 1;
    const room = this.element.parentElement?.clientHeight ?? 0;
    return Math.max(1, Math.floor(room / Math.max(1, height)) - 1);
  }
}

/**
 * Moves the focus between a row and its buttons, in the direction of the key as the reader sees it.
 */
function moveWithin(row: HistoryRow, isRight: boolean): boolean {
  const isForwards = isRight === (getComputedStyle(row.element).direction === 'ltr');
  const stops = [row.element, ...row.tools];
  const at = stops.findIndex((stop) => stop === document.activeElement);
  stops[Math.max(0, Math.min(at + (isForwards ? 1 : -1), stops.length - 1))]?.focus();
  return true;
}

/** Actions of a person on one thread of the history. */
interface HistoryRowListeners {
  onOpen(entry: HistoryEntry): void;
  onRename(entry: HistoryEntry, title: string): void;
  onDelete(entry: HistoryEntry): void;
  onExport(entry: HistoryEntry): void;
}

/** One thread of the history. Its buttons are created when the pointer or the focus comes near. */
class HistoryRow {
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

  /** Returns the row and its buttons in order, for the arrow keys. */
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
    const described = [...parts, visibleLine(entry.excerpt?.text ?? '')];
    this.element.setAttribute('aria-label', described.filter((part) => part !== '').join(', '));
  }

  /** Replaces the title by a text box. Enter and leaving the box save, and Escape cancels. */
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
    input.value = visibleLine(this.#entry.title);
    input.addEventListener('keydown', (event) => this.#onRenameKey(event));
    input.addEventListener('blur', () => this.#stopRenaming(true));
    this.element.classList.add('is-renaming');
    this.#title.replaceWith(input);
    input.focus();
    input.select();
  }

  #onRenameKey(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    // The list and the panel would handle the key again, for the row.
    event.stopPropagation();
    this.#stopRenaming(event.key === 'Enter');
    this.element.focus();
  }

  #stopRenaming(isSaved: boolean): void {
    const input = this.#input;
    if (!input) return;
    this.#input = undefined;
    const title = visibleLine(input.value);
    this.element.classList.remove('is-renaming');
    input.replaceWith(this.#title);
    // Nobody could find an empty title, so the old one stays.
    if (isSaved && title !== '' && title !== visibleLine(this.#entry.title)) {
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
      // The whole list is one tab stop. The arrow keys lead to the buttons.
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
    return visibleLine(this.#entry.title) || this.#strings.untitledThread;
  }
}

/** Returns foreign text as nodes, with its matches in `<mark>`. Invalid ranges mark nothing. */
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
