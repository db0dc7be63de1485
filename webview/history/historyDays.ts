/** Groups the history by days, and formats the times of its entries. */
import type { HistoryEntry } from '../../src/shared/protocol';
import type { ViewStrings } from '../../src/shared/viewStrings';
import { knownLocale } from '../../src/shared/units';

/** Entries under one heading. */
export interface HistoryDay {
  readonly name: string;
  readonly entries: readonly HistoryEntry[];
}

interface CalendarSettings {
  /** Current time in milliseconds since the epoch. */
  readonly now: number;
  /** Language as a BCP 47 tag. An invalid tag stands for the browser's own language. */
  readonly language: string;
  readonly strings: Pick<ViewStrings, 'today' | 'yesterday' | 'earlier'>;
}

const MS_PER_DAY = 86_400_000;
const DAYS_OF_WEEK = 7;

/** The calendar at one moment, in the reader's time zone and language. */
export class HistoryCalendar {
  readonly #now: Date;
  readonly #strings: CalendarSettings['strings'];
  readonly #weekday: Intl.DateTimeFormat;
  readonly #month: Intl.DateTimeFormat;
  readonly #time: Intl.DateTimeFormat;
  readonly #date: Intl.DateTimeFormat;
  readonly #whole: Intl.DateTimeFormat;

  constructor({ now, language, strings }: CalendarSettings) {
    this.#now = new Date(now);
    this.#strings = strings;
    const locale = knownLocale(language);
    this.#weekday = new Intl.DateTimeFormat(locale, { weekday: 'long' });
    this.#month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' });
    this.#time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
    this.#date = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
    this.#whole = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short' });
  }

  /**
   * Groups entries by *Today*, *Yesterday*, the other days of the last week, and months. The order
   * of the entries stays.
   */
  days(entries: readonly HistoryEntry[]): HistoryDay[] {
    const days = new Map<string, HistoryEntry[]>();
    for (const entry of entries) {
      const name = this.#dayOf(new Date(entry.updatedAt));
      const known = days.get(name);
      if (known) known.push(entry);
      else days.set(name, [entry]);
    }
    return [...days].map(([name, ofDay]) => ({ name, entries: ofDay }));
  }

  /**
   * Returns the time within the last week, and the date before that. Returns an empty text for an
   * invalid time.
   */
  shortTime(updatedAt: string): string {
    const date = new Date(updatedAt);
    if (Number.isNaN(date.getTime())) return '';
    return (this.#daysAgo(date) < DAYS_OF_WEEK ? this.#time : this.#date).format(date);
  }

  fullTime(updatedAt: string): string {
    const date = new Date(updatedAt);
    return Number.isNaN(date.getTime()) ? '' : this.#whole.format(date);
  }

  #dayOf(date: Date): string {
    if (Number.isNaN(date.getTime())) return this.#strings.earlier;
    const daysAgo = this.#daysAgo(date);
    // A clock that runs ahead must not show an entry as tomorrow's.
    if (daysAgo <= 0) return this.#strings.today;
    if (daysAgo === 1) return this.#strings.yesterday;
    return (daysAgo < DAYS_OF_WEEK ? this.#weekday : this.#month).format(date);
  }

  /**
   * Returns the number of calendar days since a date. Spans of 24 hours would be wrong: some days
   * have 23 or 25 hours.
   */
  #daysAgo(date: Date): number {
    return Math.round((dayNumber(this.#now) - dayNumber(date)) / MS_PER_DAY);
  }
}

function dayNumber(date: Date): number {
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
}
