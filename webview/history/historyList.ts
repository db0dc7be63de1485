import type { ViewStrings } from '../src/shared/viewStrings';
import { element, setChildren } from './dom';
import type { HistoryCalendar, HistoryDay } from './historyDays';
import { HistoryRow, type HistoryRowListeners } from './historyRow';

interface HistoryListListeners extends HistoryRowListeners {
  /** Up from the first row, or a letter that belongs into the search box. */
  onLeave(): void;
}

interface ShownDay {
  readonly element: HTMLElement;
  readonly heading: HTMLElement;
}

/**
 * The threads of the history under their days. To the keyboard it is one thing: Up, Down, Home,
 * End and the page keys go from thread to thread, Left and Right to what can be done with one.
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

  /** Rows keep their elements, so that what a person is at stays where it is. */
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
    // What was focused may have moved or gone; its place or its neighbour's has the focus then.
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

  /** Makes the first thread the one that the keyboard finds. */
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
      // Its text names the group; a heading may not stand within a tree.
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
    if (!row || row.isRenaming || event.isComposing) return;
    // The Delete key, and that of a Mac's file lists.
    if (event.key === 'Delete' || (event.key === 'Backspace' && event.metaKey)) {
      event.preventDefault();
      // A key that is held would delete one thread after the other.
      if (!event.repeat) this.#listeners.onDelete(row.entry);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.#act(event.key, row, event.target)) event.preventDefault();
    // The letter itself then goes to where the focus is.
    else if (event.key.length === 1 && event.key !== ' ') this.#listeners.onLeave();
  }

  /** @returns whether the key has done something. */
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
        // A button of the row does what it is for.
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

/** Between a row and its buttons, in the direction of the key as the reader sees it. */
function moveWithin(row: HistoryRow, isRight: boolean): boolean {
  const isForwards = isRight === (getComputedStyle(row.element).direction === 'ltr');
  const stops = [row.element, ...row.tools];
  const at = stops.findIndex((stop) => stop === document.activeElement);
  stops[Math.max(0, Math.min(at + (isForwards ? 1 : -1), stops.length - 1))]?.focus();
  return true;
}
