import assert from 'node:assert/strict';
import type { HistoryEntry } from '../../../../src/shared/protocol';
import { viewStrings } from '../../../../src/shared/viewStrings';
import { HistoryCalendar } from '../../../../webview/history/historyDays';

/** Local time, as the reader's calendar is. */
const at = (...[year, month, day, hour = 12]: [number, number, number, number?]): string =>
  new Date(year, month - 1, day, hour).toISOString();

const calendarOf = (now: string, language = 'en-GB'): HistoryCalendar =>
  new HistoryCalendar({ now: Date.parse(now), language, strings: viewStrings });

const entries = (...times: string[]): HistoryEntry[] =>
  times.map((updatedAt, index) => ({
    id: String(index),
    title: '',
    updatedAt,
    messageCount: 2,
    isShown: false,
  }));

const daysOf = (now: string, times: string[], language?: string): [string, string[]][] =>
  calendarOf(now, language)
    .days(entries(...times))
    .map(({ name, entries: ofDay }) => [name, ofDay.map(({ id }) => id)]);

describe('HistoryCalendar', () => {
  it('puts threads under today, yesterday, the days of a week and then months', () => {
    assert.deepEqual(
      daysOf(at(2025, 6, 12, 9), [
        at(2025, 6, 12, 8),
        at(2025, 6, 12, 0),
        at(2025, 6, 11, 23),
        at(2025, 6, 10),
        at(2025, 6, 6),
        at(2025, 6, 5),
        at(2025, 5, 30),
        at(2024, 6, 30),
      ]),
      [
        ['Today', ['0', '1']],
        ['Yesterday', ['2']],
        ['Tuesday', ['3']],
        ['Friday', ['4']],
        ['June 2025', ['5']],
        ['May 2025', ['6']],
        ['June 2024', ['7']],
      ],
    );
  });

  it('goes by the days of the calendar, not by spans of 24 hours', () => {
    assert.deepEqual(daysOf(at(2025, 6, 12, 1), [at(2025, 6, 11, 2)]), [['Yesterday', ['0']]]);
    // Around the days on which clocks change, wherever they do.
    for (const [month, day] of [
      [3, 30],
      [3, 9],
      [10, 26],
      [11, 2],
    ] as const) {
      const days = daysOf(at(2025, month, day, 23), [at(2025, month, day, 0)]);
      assert.deepEqual(days, [['Today', ['0']]]);
    }
  });

  it('shows a time of a clock that runs ahead as today', () => {
    assert.deepEqual(daysOf(at(2025, 6, 12, 23), [at(2025, 6, 13, 1)]), [['Today', ['0']]]);
  });

  it('names days and months in the reader’s language', () => {
    assert.deepEqual(daysOf(at(2025, 6, 12), [at(2025, 6, 10), at(2025, 3, 1)], 'de'), [
      ['Dienstag', ['0']],
      ['März 2025', ['1']],
    ]);
  });

  it('goes on with a language that is none', () => {
    for (const language of ['', 'no such language!', 'x']) {
      assert.equal(daysOf(at(2025, 6, 12), [at(2025, 6, 12)], language)[0]?.[0], 'Today');
    }
  });

  it('keeps a thread without a readable time, under a heading of its own', () => {
    const calendar = calendarOf(at(2025, 6, 12));
    assert.deepEqual(
      calendar.days(entries('nonsense')).map(({ name }) => name),
      ['Earlier'],
    );
    assert.equal(calendar.shortTime('nonsense'), '');
    assert.equal(calendar.fullTime('nonsense'), '');
  });

  it('says the time within a week and the date before that', () => {
    const calendar = calendarOf(at(2025, 6, 12));
    assert.equal(calendar.shortTime(at(2025, 6, 12, 8)), '08:00');
    assert.equal(calendar.shortTime(at(2025, 6, 6, 8)), '08:00');
    assert.equal(calendar.shortTime(at(2025, 6, 5, 8)), '5 Jun');
    assert.match(calendar.fullTime(at(2025, 6, 5, 8)), /^Thursday,? 5 June 2025\b.*08:00$/);
  });
});
