import assert from 'node:assert/strict';
import type { JobAnswer } from '../../../../src/export/job/answers';
import { type JobEvent, nextRecord, shownPercent } from '../../../../src/export/job/jobState';
import type { ExportRecord } from '../../../../src/export/job/record';
import { anExport } from '../../../builders/exports';

const anAnswer = (answer: Partial<JobAnswer>): JobAnswer => ({
  status: 'running',
  outcome: 'running',
  ...answer,
});
const answered = (answer: Partial<JobAnswer>): JobEvent => ({
  name: 'answered',
  answer: anAnswer(answer),
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

const started = anExport();
const running = anExport({ status: 'running', pages: 4, peakPercent: 40 });
const completed = anExport({
  outcome: 'completed',
  status: 'completed',
  pages: 10,
  peakPercent: 40,
  endedAt: 1,
});
const failed = anExport({
  outcome: 'failed',
  status: 'failed',
  endedAt: 1,
  errorCode: 'job-failed',
});
const unwatchable = anExport({
  outcome: 'unwatchable',
  status: 'running',
  pages: 4,
  peakPercent: 40,
  endedAt: 1,
  errorCode: 'unknown-job',
});

const completedAnswer = answered({ status: 'completed', outcome: 'completed' });
const failedAnswer = answered({ status: 'failed', outcome: 'failed', serviceMessage: 'No pages.' });

const rows: readonly [string, ExportRecord, JobEvent, ExportRecord][] = [
  [
    'shows a status that it does not know by its own name',
    started,
    answered({ status: 'waiting for a slot' }),
    anExport({ outcome: 'running', status: 'waiting for a slot' }),
  ],
  [
    'takes what the newest answer says',
    running,
    answered({ status: 'packing', pages: 10, progress: { kind: 'share', share: 0.5 } }),
    anExport({
      outcome: 'running',
      status: 'packing',
      pages: 10,
      peakPercent: 50,
    }),
  ],
  [
    'keeps the pages that were told last',
    running,
    answered({}),
    anExport({ outcome: 'running', status: 'running', pages: 4, peakPercent: 40 }),
  ],
  [
    'completes with the pages that were told last',
    running,
    completedAnswer,
    anExport({ outcome: 'completed', status: 'completed', pages: 4, peakPercent: 40, endedAt: 7 }),
  ],
  [
    'completes with the pages of the last answer',
    running,
    answered({ status: 'completed', outcome: 'completed', pages: 10 }),
    anExport({ outcome: 'completed', status: 'completed', pages: 10, peakPercent: 40, endedAt: 7 }),
  ],
  [
    'fails with the sentence of the service',
    started,
    failedAnswer,
    anExport({
      outcome: 'failed',
      status: 'failed',
      endedAt: 7,
      errorCode: 'job-failed',
      errorMessage: 'No pages.',
    }),
  ],
  [
    'fails without a sentence',
    started,
    answered({ status: 'failed', outcome: 'failed' }),
    anExport({
      outcome: 'failed',
      status: 'failed',
      endedAt: 7,
      errorCode: 'job-failed',
    }),
  ],
  [
    'can be watched no longer once it is refused',
    running,
    refused,
    anExport({
      outcome: 'unwatchable',
      status: 'running',
      pages: 4,
      peakPercent: 40,
      endedAt: 7,
      errorCode: 'admin-key-rejected',
      errorMessage: 'The key has expired.',
    }),
  ],
  [
    'runs again once it is watched again',
    unwatchable,
    again,
    anExport({ status: 'running', pages: 4, peakPercent: 40, watchRound: 1 }),
  ],
  [
    'runs again if the bundle was asked for too early',
    completed,
    bundleRefused,
    anExport({ outcome: 'running', status: 'completed', pages: 10, peakPercent: 40 }),
  ],
  [
    'runs again if the service says so of one that could not be watched',
    unwatchable,
    bundleRefused,
    anExport({ outcome: 'running', status: 'running', pages: 4, peakPercent: 40 }),
  ],
  [
    'runs if the service answers a window while another one could not watch it',
    unwatchable,
    answered({ pages: 5 }),
    anExport({ status: 'running', pages: 5, peakPercent: 40 }),
  ],
  [
    'completes if the service says so while another window could not watch it',
    unwatchable,
    completedAnswer,
    anExport({
      outcome: 'completed',
      status: 'completed',
      pages: 4,
      peakPercent: 40,
      endedAt: 7,
    }),
  ],
  ['stays completed whatever a late answer says', completed, answered({}), completed],
  ['stays completed whatever fails later', completed, failedAnswer, completed],
  ['stays completed when it is refused', completed, refused, completed],
  ['stays completed when it is watched again', completed, again, completed],
  ['stays failed', failed, completedAnswer, failed],
  ['stays failed when it is watched again', failed, again, failed],
  ['stays failed when its bundle is refused', failed, bundleRefused, failed],
  ['goes on running when it is watched again', running, again, running],
  ['goes on running when its bundle is refused', running, bundleRefused, running],
];

describe('nextRecord', () => {
  for (const [sentence, record, event, expected] of rows) {
    it(sentence, () => {
      assert.deepEqual(nextRecord(record, event), expected);
    });
  }

  it('stores how far the bar got, not where it is', () => {
    const answer = anAnswer({ progress: { kind: 'share', share: 0.3 } });
    const record = nextRecord(running, { name: 'answered', answer, at: 7 });
    assert.deepEqual(record, running);
    assert.equal(shownPercent(record, answer), 40);
    assert.equal(shownPercent(record, anAnswer({})), undefined);
  });

  it('keeps how far the bar got in another window', () => {
    const at40 = answered({ progress: { kind: 'share', share: 0.4 } });
    assert.equal(nextRecord(anExport({ peakPercent: 60 }), at40).peakPercent, 60);
    assert.equal(nextRecord(anExport({ peakPercent: 20 }), at40).peakPercent, 40);
  });

  it('does not change the results of the bundle', () => {
    const files = { siteFolder: '/site', bundleAddresses: ['https://s.example.com/b'] };
    const record = nextRecord(anExport(files), completedAnswer);
    assert.equal(record.siteFolder, files.siteFolder);
    assert.deepEqual(record.bundleAddresses, files.bundleAddresses);
  });
});
