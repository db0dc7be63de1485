import assert from 'node:assert/strict';
import { readJobAnswer } from '../../../../src/export/job/answers';
import { pagesPerSecond, readPageCount } from '../../../../src/export/job/jobProgress';
import { nextRecord, shownPercent } from '../../../../src/export/job/jobState';
import { anExport } from '../../../builders/exports';

interface Shown {
  readonly percent?: number;
  readonly pages?: number;
}

/** Returns what a job shows after each of these answers, in this order. */
function allShown(answers: readonly object[]): readonly Shown[] {
  let record = anExport();
  return answers.map((answer) => {
    const read = readJobAnswer({ status: 'running', ...answer }, 'https://api.example.com', []);
    record = nextRecord(record, { name: 'answered', answer: read, at: 0 });
    return { percent: shownPercent(record, read), pages: record.pages };
  });
}

/** Returns what a job shows after all of these answers, in this order. */
function shown(...answers: readonly object[]): Shown {
  return allShown(answers).at(-1) ?? {};
}

const percentsOf = (answers: readonly object[]): readonly (number | undefined)[] =>
  allShown(answers).map(({ percent }) => percent);

describe('progress of a job', () => {
  for (const [progress, percent] of [
    [0, 0],
    [42, 42],
    [99.9, 99],
    [100, 100],
    [29.999, 29],
    ['42', 42],
    ['42%', 42],
    [' 42.7 % ', 42],
    ['0.42%', 0],
    ['1%', 1],
    ['100%', 100],
    ['0', 0],
    ['12/40', 30],
    ['12 of 40', 30],
    [{ percent: 42 }, 42],
    [{ percentage: '42' }, 42],
    [{ completed: 12, total: 40 }, 30],
    [{ current: 12, total: 40 }, 30],
    [{ pages: 12, totalPages: 40 }, 30],
    [{ fraction: 0.42 }, 42],
    [{ fraction: 0.29 }, 29],
    [{ ratio: 1 }, 100],
  ] as const) {
    it(`shows ${percent} % for ${JSON.stringify(progress)}`, () => {
      assert.equal(shown({ progress }).percent, percent);
    });
  }

  for (const progress of [
    1,
    '1',
    { percent: 1 },
    0.004,
    0.42,
    0.9,
    '0.42',
    { percent: 0.42 },
    -1,
    150,
    '150%',
    '41/40',
    '1/0',
    { completed: 1, total: 0 },
    { completed: 41, total: 40 },
    { completed: -1, total: 40 },
    { fraction: 42 },
    'soon',
    '',
    '1e1',
    true,
    null,
    [],
    [42],
    {},
    { percent: null },
    undefined,
  ]) {
    it(`shows no bar for ${JSON.stringify([progress])}`, () => {
      assert.equal(shown({ progress }).percent, undefined);
    });
  }

  for (const progress of [NaN, Infinity]) {
    it(`shows no bar for ${progress}`, () => {
      assert.equal(shown({ progress }).percent, undefined);
    });
  }

  const none = undefined;
  const sequences: readonly [string, readonly unknown[], readonly (number | undefined)[]][] = [
    ['percentages of a large site', [0.4, 0.9, 1, 1.6], [none, none, none, 1]],
    ['percentages from 0 on', [0, 0.4, 1, 1, 2.5, 60], [0, none, none, none, 2, 60]],
    ['whole percentages', [0, 1, 2, 100], [0, none, 2, 100]],
    ['percentages as text', ['0.4', '0.9', '1.6'], [none, none, 1]],
    ['percentages by name', [0.4, 1.6, 2.1].map((percent) => ({ percent })), [none, 1, 2]],
    ['what may be fractions, as nothing proves it', [0.1, 0.5, 0.99, 1], [none, none, none, none]],
    ['no bar for a number up to 1 after a larger one', [3, 1, 4, 0.5], [3, none, 4, none]],
    ['progress that goes back, as standing still', [60, 40, 61], [60, 60, 61]],
    ['progress that is told as nothing for a while', [60, null, 40, 61], [60, none, 60, 61]],
    ['progress that begins anew', [60, 0, 5], [60, 60, 60]],
    ['shares with a sign as they are', ['0.4%', '50%', 0.6, '51%'], [0, 50, none, 51]],
  ];
  for (const [what, told, percents] of sequences) {
    it(`shows ${what}`, () => {
      assert.deepEqual(percentsOf(told.map((progress) => ({ progress }))), percents);
    });
  }

  it('never runs backwards, whatever the answers are', () => {
    const values = [0, 0.004, 0.4, 1, 1.6, 60, '0.5%', '60%', { fraction: 0.3 }, '9/10', null, -1];
    for (let index = 0; index < values.length ** 4; index++) {
      const told = [0, 1, 2, 3].map((place) => ({
        progress: values[Math.floor(index / values.length ** place) % values.length],
        pageCount: place % 2 === 0 ? undefined : `${(index + place) % 5}/4`,
      }));
      const percents = percentsOf(told).filter((percent) => percent !== undefined);
      const sorted = percents.toSorted((a, b) => a - b);
      assert.deepEqual(percents, sorted, JSON.stringify(told));
    }
  });

  it('uses the share of pages of a known total if the unit of the number is unknown', () => {
    assert.equal(shown({ progress: 0.5, pageCount: '1/200' }).percent, 0);
    assert.equal(shown({ progress: 0.5, pageCount: '100/200' }).percent, 50);
    assert.equal(shown({ progress: 1, pageCount: '2/200' }).percent, 1);
    assert.equal(shown({ progress: 1, pageCount: '200/200' }).percent, 100);
    assert.equal(shown({ progress: 42, pageCount: '2/200' }).percent, 42);
  });

  it('shows the share of pages if there is no progress', () => {
    assert.equal(shown({ pageCount: { done: 12, total: 40 } }).percent, 30);
  });

  it('hides the bar when the service stops reporting progress', () => {
    assert.equal(shown({ progress: 60 }, {}).percent, undefined);
  });
});

describe('pagesPerSecond', () => {
  for (const [what, at, pages, expected] of [
    ['the average of many pages', 10_000, 145, 12.5],
    ['a slow job with one decimal', 60_000, 40, 0.3],
    ['none before a second count', 0, 20, undefined],
    ['none for a job that stands still', 10_000, 20, undefined],
    ['none for a job that starts over', 10_000, 3, undefined],
    ['none that would read as zero', 100_000, 21, undefined],
    ['none if the clock was set back', -10_000, 30, undefined],
  ] as const) {
    it(`is ${what}`, () => {
      const first = { at: 5000, pages: 20 };
      assert.equal(pagesPerSecond(first, { at: 5000 + at, pages }), expected);
    });
  }
});

describe('readPageCount', () => {
  for (const [pageCount, expected] of [
    [0, { pages: 0 }],
    [12, { pages: 12 }],
    ['12', { pages: 12 }],
    ['12/40', { pages: 12, totalPages: 40 }],
    ['12 of 40', { pages: 12, totalPages: 40 }],
    [
      { done: 12, total: 40 },
      { pages: 12, totalPages: 40 },
    ],
    [
      { completed: '12', total: '40' },
      { pages: 12, totalPages: 40 },
    ],
    [{ count: 12 }, { pages: 12 }],
    [{ done: 50, total: 40 }, { pages: 50 }],
    [{ done: 0, total: 0 }, { pages: 0 }],
    [{ total: 40 }, {}],
    [-1, {}],
    [1.5, {}],
    [NaN, {}],
    [1e300, {}],
    ['many', {}],
    [null, {}],
    [undefined, {}],
    [[], {}],
    [true, {}],
  ] as const) {
    it(`reads ${JSON.stringify([pageCount])} as ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(readPageCount(pageCount), expected);
    });
  }
});
