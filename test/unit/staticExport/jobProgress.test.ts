import assert from 'node:assert/strict';
import { readJobAnswer } from '../../../src/staticExport/exportAnswers';
import { newJob, nextPhase, type JobPhase } from '../../../src/staticExport/exportJob';
import { readPageCount } from '../../../src/staticExport/jobProgress';

/** What is shown after a job told these, in this order. */
function shown(...answers: readonly object[]): { percent?: number; pages?: number } {
  const phase = answers.reduce<JobPhase>(
    (current, answer) =>
      nextPhase(current, {
        name: 'answered',
        answer: readJobAnswer({ status: 'running', ...answer }, 'https://api.example.com', []),
        at: 0,
      }),
    newJob,
  );
  assert.equal(phase.name, 'running');
  return phase;
}

describe('progress of a job', () => {
  for (const [progress, percent] of [
    [0, 0],
    [42, 42],
    [99.9, 99],
    [100, 100],
    [0.42, 42],
    [0.29, 29],
    ['42', 42],
    ['42%', 42],
    [' 42.7 % ', 42],
    ['0.42%', 0],
    ['1%', 1],
    ['100%', 100],
    ['0.42', 42],
    ['12/40', 30],
    ['12 of 40', 30],
    [{ percent: 42 }, 42],
    [{ percentage: '42' }, 42],
    [{ completed: 12, total: 40 }, 30],
    [{ current: 12, total: 40 }, 30],
    [{ pages: 12, totalPages: 40 }, 30],
    [{ fraction: 0.42 }, 42],
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

  it('takes 1 for 1 % once the job told percentages', () => {
    assert.equal(shown({ progress: 3 }, { progress: 1 }).percent, 1);
  });

  it('takes 0.5 for half a percent once the job told percentages', () => {
    assert.equal(shown({ progress: 3 }, { progress: 0.5 }).percent, 0);
  });

  it('takes 1 for all of it once the job told fractions', () => {
    assert.equal(shown({ progress: 0.8 }, { progress: 1 }).percent, 100);
  });

  it('gives up on fractions when a number is above 1', () => {
    assert.equal(shown({ progress: 0.8 }, { progress: 1.6 }, { progress: 0.9 }).percent, 0);
  });

  it('lets pages of a known total decide between a fraction and a percentage', () => {
    assert.equal(shown({ progress: 0.5, pageCount: '1/200' }).percent, 0);
    assert.equal(shown({ progress: 0.5, pageCount: '100/200' }).percent, 50);
    assert.equal(shown({ progress: 1, pageCount: '2/200' }).percent, 1);
    assert.equal(shown({ progress: 1, pageCount: '200/200' }).percent, 100);
  });

  it('shows the share of pages where there is no progress', () => {
    assert.equal(shown({ pageCount: { done: 12, total: 40 } }).percent, 30);
  });

  it('follows progress that goes back', () => {
    assert.equal(shown({ progress: 60 }, { progress: 40 }).percent, 40);
  });

  it('shows no bar any more when progress is told no more', () => {
    assert.equal(shown({ progress: 60 }, {}).percent, undefined);
  });
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
