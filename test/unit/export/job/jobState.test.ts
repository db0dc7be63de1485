import assert from 'node:assert/strict';
import type { JobAnswer } from '../../../../src/export/job/answers';
import {
  newJob,
  nextPhase,
  phaseOf,
  withPhase,
  type JobEvent,
  type JobPhase,
} from '../../../../src/export/job/jobState';
import { anExport } from '../../../builders/exports';

const answered = (answer: Partial<JobAnswer>): JobEvent => ({
  name: 'answered',
  answer: { status: 'running', outcome: 'running', ...answer },
  at: 7,
});
const refused: JobEvent = {
  name: 'refused',
  errorCode: 'admin-key-rejected',
  errorMessage: 'The key has expired.',
  at: 7,
};
const again: JobEvent = { name: 'watched-again' };
const bundleRefused: JobEvent = { name: 'bundle-refused' };

const unknown = { scale: 'unknown' } as const;
const percent = { scale: 'percent', peakPercent: 40 } as const;

const running: JobPhase = {
  name: 'running',
  status: 'running',
  percent: 40,
  pages: 4,
  totalPages: 10,
  progress: percent,
};
const completed: JobPhase = {
  name: 'completed',
  status: 'completed',
  pages: 10,
  progress: percent,
  endedAt: 1,
};
const failed: JobPhase = {
  name: 'failed',
  status: 'failed',
  progress: unknown,
  endedAt: 1,
  errorCode: 'job-failed',
};
const unwatchable: JobPhase = {
  name: 'unwatchable',
  status: 'running',
  pages: 4,
  progress: percent,
  endedAt: 1,
  errorCode: 'unknown-job',
};

const completedAnswer = answered({ status: 'completed', outcome: 'completed' });
const failedAnswer = answered({ status: 'failed', outcome: 'failed', serviceMessage: 'No pages.' });

const rows: readonly [string, JobPhase, JobEvent, JobPhase][] = [
  [
    'shows a status that it does not know by its own name',
    newJob(),
    answered({ status: 'waiting for a slot' }),
    { name: 'running', status: 'waiting for a slot', progress: unknown },
  ],
  [
    'takes what the newest answer says',
    running,
    answered({ status: 'packing', pages: 10, progress: { kind: 'share', share: 0.5 } }),
    {
      name: 'running',
      status: 'packing',
      pages: 10,
      percent: 50,
      progress: { scale: 'percent', peakPercent: 50 },
    },
  ],
  [
    'keeps the pages that were told last',
    running,
    answered({}),
    { name: 'running', status: 'running', pages: 4, progress: percent },
  ],
  [
    'completes with the pages that were told last',
    running,
    completedAnswer,
    { name: 'completed', status: 'completed', pages: 4, progress: percent, endedAt: 7 },
  ],
  [
    'completes with the pages of the last answer',
    running,
    answered({ status: 'completed', outcome: 'completed', pages: 10 }),
    { name: 'completed', status: 'completed', pages: 10, progress: percent, endedAt: 7 },
  ],
  [
    'fails with the sentence of the service',
    newJob(),
    failedAnswer,
    {
      name: 'failed',
      status: 'failed',
      progress: unknown,
      endedAt: 7,
      errorCode: 'job-failed',
      errorMessage: 'No pages.',
    },
  ],
  [
    'fails without a sentence',
    newJob(),
    answered({ status: 'failed', outcome: 'failed' }),
    {
      name: 'failed',
      status: 'failed',
      progress: unknown,
      endedAt: 7,
      errorCode: 'job-failed',
    },
  ],
  [
    'can be watched no longer once it is refused',
    running,
    refused,
    {
      name: 'unwatchable',
      status: 'running',
      pages: 4,
      progress: percent,
      endedAt: 7,
      errorCode: 'admin-key-rejected',
      errorMessage: 'The key has expired.',
    },
  ],
  [
    'runs again once it is watched again',
    unwatchable,
    again,
    { name: 'running', status: 'running', pages: 4, progress: percent },
  ],
  [
    'runs again if the bundle was asked for too early',
    completed,
    bundleRefused,
    { name: 'running', status: 'completed', pages: 10, progress: percent },
  ],
  [
    'runs again if the service says so of one that could not be watched',
    unwatchable,
    bundleRefused,
    { name: 'running', status: 'running', pages: 4, progress: percent },
  ],
  ['stays completed whatever a late answer says', completed, answered({}), completed],
  ['stays completed whatever fails later', completed, failedAnswer, completed],
  ['stays completed when it is refused', completed, refused, completed],
  ['stays completed when it is watched again', completed, again, completed],
  ['stays failed', failed, completedAnswer, failed],
  ['stays failed when it is watched again', failed, again, failed],
  ['stays failed when its bundle is refused', failed, bundleRefused, failed],
  ['stays unwatchable whatever a late answer says', unwatchable, completedAnswer, unwatchable],
  ['goes on running when it is watched again', running, again, running],
  ['goes on running when its bundle is refused', running, bundleRefused, running],
];

describe('nextPhase', () => {
  for (const [sentence, phase, event, expected] of rows) {
    it(sentence, () => {
      assert.deepEqual(nextPhase(phase, event), expected);
    });
  }
});

describe('withPhase', () => {
  for (const phase of [
    completed,
    failed,
    unwatchable,
    { ...newJob(), status: 'queued', pages: 1 },
  ]) {
    it(`keeps all of a ${phase.name} phase that is stored`, () => {
      const record = anExport({ pages: 99, status: 'old', errorCode: 'old', errorMessage: 'old' });
      assert.deepEqual(phaseOf(withPhase(record, phase)), phase);
    });
  }

  it('stores how far the bar got, not where it is', () => {
    const { pages, status, peakPercent, progressScale, ...rest } = withPhase(anExport(), running);
    assert.deepEqual(rest, anExport());
    assert.deepEqual([pages, status, peakPercent, progressScale], [4, 'running', 40, 'percent']);
  });

  it('keeps how far the bar got in another window', () => {
    assert.equal(withPhase(anExport({ peakPercent: 60 }), running).peakPercent, 60);
    assert.equal(withPhase(anExport({ peakPercent: 20 }), running).peakPercent, 40);
  });

  it('does not change the results of the bundle', () => {
    const files = { siteFolder: '/site', bundleAddresses: ['https://s.example.com/b'] };
    const record = withPhase(anExport(files), completed);
    assert.equal(record.siteFolder, files.siteFolder);
    assert.deepEqual(record.bundleAddresses, files.bundleAddresses);
  });
});
