import assert from 'node:assert/strict';
import { plainTranslate as t } from '../../../../src/common/errors';
import {
  apiName,
  countdownText,
  exportLine,
  linkExpiryText,
  nextChangeMs,
  pagesText,
  progressLine,
  statusBarText,
} from '../../../../src/export/commands/texts';
import { LOCAL_API } from '../../../../src/export/job/record';
import { durationText } from '../../../../src/shared/units';
import { anExport } from '../../../builders/exports';
import { aView } from '../../../fakes/fakeExports';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const start = anExport().startedAt;
const url = 'https://store.example.com/b?sig=CANARY';

describe('durationText', () => {
  for (const [ms, text] of [
    [-5, '0 s'],
    [59_999, '59 s'],
    [MINUTE, '1 min'],
    [59 * MINUTE + 59 * SECOND, '59 min'],
    [HOUR, '1 h'],
    [HOUR + 5 * MINUTE, '1 h 5 min'],
    [24 * HOUR, '1 d'],
    [51 * HOUR, '2 d 3 h'],
  ] as const) {
    it(`says ${ms} ms as “${text}”`, () => assert.equal(durationText(ms, t), text));
  }
});

describe('countdownText', () => {
  for (const [ms, text] of [
    [42 * MINUTE, '42 min'],
    [5 * MINUTE, '5 min'],
    [5 * MINUTE - 1, '5:00'],
    [61 * SECOND, '1:01'],
    [1, '0:01'],
    [0, '0:00'],
  ] as const) {
    it(`says ${ms} ms as “${text}”`, () => assert.equal(countdownText(ms, t), text));
  }
});

describe('exportLine', () => {
  it('shows a running job with the service’s own word and the known numbers', () => {
    const view = aView({ status: 'packing', pages: 118 }, { percent: 42.9 });
    assert.equal(exportLine(view, start + 2 * MINUTE, t), 'packing · 42 % · 118 pages · 2 min');
  });

  it('shows no number that the service did not report', () => {
    assert.equal(exportLine(aView(), start + 3 * SECOND, t), 'started · 3 s');
  });

  it('says that it waits out an error, and until when', () => {
    const error = { code: 'offline', message: 'Cannot reach it.', actions: [] };
    const view = aView(
      { status: 'running' },
      { watch: { name: 'waiting', error, until: start + 12_400 } },
    );
    assert.equal(exportLine(view, start, t), 'waiting, next try in 13 s · 0 s');
  });

  it('does not count the time of a job that nobody watches', () => {
    const view = aView({ status: 'running', pages: 5 }, { watch: { name: 'idle' } });
    assert.equal(exportLine(view, start + HOUR, t), 'running, not watched · 5 pages');
  });

  it('says how long nothing has changed', () => {
    const view = aView({ status: 'running' }, { watch: { name: 'stalled', since: start } });
    assert.equal(
      exportLine(view, start + 31 * MINUTE, t),
      'running, no change for 31 min · 31 min',
    );
  });

  it('shows what a completed job has and how long its link lasts', () => {
    const view = aView(
      { outcome: 'completed', status: 'completed', pages: 1, endedAt: start + 3 * MINUTE },
      { watch: { name: 'idle' }, link: { url, expiresAt: start + HOUR } },
    );
    assert.equal(
      exportLine(view, start + 18 * MINUTE, t),
      'completed · link: 42 min left · 1 page · 3 min',
    );
  });

  it('says that a job can no longer be watched', () => {
    const view = aView({ outcome: 'unwatchable', status: 'running' }, { watch: { name: 'idle' } });
    assert.equal(exportLine(view, start, t), 'can’t be tracked');
  });
});

describe('pagesText', () => {
  it('shows the total only while it is plausible', () => {
    assert.equal(pagesText(aView({ pages: 5 }, { totalPages: 300 }), t), '5 of 300 pages');
    assert.equal(pagesText(aView({ pages: 5 }, { totalPages: 3 }), t), '5 pages');
  });
});

describe('linkExpiryText', () => {
  const view = (expiresAt?: number) =>
    aView({ outcome: 'completed', linkExpiresAt: expiresAt }, { watch: { name: 'idle' } });

  it('shows a link of an earlier window by its expiry', () => {
    assert.equal(linkExpiryText(view(start + 5000), start, t), 'link: 0:05 left');
    assert.equal(linkExpiryText(view(start), start, t), 'link expired');
    assert.equal(linkExpiryText(view(), start, t), undefined);
  });

  it('uses the current link, even if it has no expiry', () => {
    assert.equal(
      linkExpiryText({ ...view(start), link: { url } }, start, t),
      'link without expiry',
    );
  });
});

describe('progressLine', () => {
  it('shows pages and percent of a job of any size', () => {
    const view = aView(
      { status: 'rendering', pages: 120_000 },
      { totalPages: 200_000, percent: 60 },
    );
    assert.equal(progressLine(view, start, t), 'rendering · 120,000 of 200,000 pages · 60 %');
  });

  it('shows the error that it waits out', () => {
    const error = { code: 'offline', message: 'Cannot reach api.example.com.', actions: [] };
    const view = aView({}, { watch: { name: 'waiting', error, until: start + 12_000 } });
    assert.equal(
      progressLine(view, start, t),
      'waiting: Cannot reach api.example.com. · next try in 12 s',
    );
  });
});

describe('statusBarText', () => {
  it('shows nothing while nothing is watched', () => {
    assert.equal(statusBarText([aView({}, { watch: { name: 'idle' } })], t), undefined);
  });

  it('shows percent and pages of the one job that is watched', () => {
    const idle = aView({ id: 'e2' }, { watch: { name: 'idle' } });
    assert.deepEqual(statusBarText([idle, aView({ pages: 118 }, { percent: 42 })], t), {
      text: '$(sync~spin) Export 42 % · 118 pages',
      spoken: 'Static export of docs.example.com · 42 % · 118 pages',
    });
    assert.equal(statusBarText([aView()], t)?.text, '$(sync~spin) Export');
  });

  it('counts several watched jobs', () => {
    const text = statusBarText([aView(), aView({ id: 'e2' })], t);
    assert.equal(text?.text, '$(sync~spin) 2 exports');
  });
});

describe('apiName', () => {
  it('is the host, without path or port of the local service', () => {
    assert.equal(apiName({ apiUrl: 'https://api.example.com:8443/p' }, t), 'api.example.com:8443');
    assert.equal(apiName({ apiUrl: LOCAL_API }, t), 'the local docs service');
  });
});

describe('nextChangeMs', () => {
  const completed = (linkExpiresAt: number) =>
    aView({ outcome: 'completed', linkExpiresAt }, { watch: { name: 'idle' } });

  it('is a second if a link expires within the hour, and a minute otherwise', () => {
    assert.equal(nextChangeMs(completed(start + HOUR), start), SECOND);
    assert.equal(nextChangeMs(completed(start + HOUR + 1), start), MINUTE);
  });

  it('is a second in the first minute of a job, and a minute later', () => {
    assert.equal(nextChangeMs(aView(), start + MINUTE - 1), SECOND);
    assert.equal(nextChangeMs(aView(), start + MINUTE), MINUTE);
  });

  it('is never for a text that time alone does not change', () => {
    assert.equal(nextChangeMs(completed(start), start), undefined);
    assert.equal(nextChangeMs(aView({}, { watch: { name: 'idle' } }), start), undefined);
  });
});
