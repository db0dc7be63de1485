import assert from 'node:assert/strict';
import { plainTranslate } from '../../../../src/common/errors';
import { ExportError } from '../../../../src/export/exportErrors';
import {
  readBundle,
  readJobAnswer,
  readStarted,
  readTime,
} from '../../../../src/export/job/answers';

const api = 'https://api.example.com';
const key = 'acme_CANARY4f9a1c7e2b00';
const endpoint = { url: api, adminKey: key };

const badField = (field: string) => (error: unknown) =>
  error instanceof ExportError && error.code === 'bad-answer' && error.details.field === field;

describe('readStarted', () => {
  for (const [answer, jobId] of [
    [{ jobId: 'job-1' }, 'job-1'],
    [{ jobId: ' a/../b?c ' }, ' a/../b?c '],
    [{ jobId: 17, status: 'queued', extra: {} }, '17'],
    [{ jobId: 'x'.repeat(200) }, 'x'.repeat(200)],
  ] as const) {
    it(`keeps the id of ${JSON.stringify(answer).slice(0, 60)} as it is`, () => {
      assert.equal(readStarted(answer, endpoint), jobId);
    });
  }

  for (const answer of [
    {},
    null,
    [],
    'job-1',
    { jobId: '' },
    { jobId: null },
    { jobId: {} },
    { jobId: 1.5 },
    { jobId: '.' },
    { jobId: '..' },
    { jobId: 'a\nb' },
    { jobId: 'a\0' },
    { jobId: '\ud800' },
    { jobId: 'x'.repeat(201) },
    { jobId: `job-${key}` },
  ]) {
    it(`refuses ${JSON.stringify(answer).slice(0, 60)}`, () => {
      assert.throws(() => readStarted(answer, endpoint), badField('jobId'));
    });
  }
});

describe('readJobAnswer', () => {
  for (const answer of [
    {},
    null,
    [],
    7,
    { status: 7 },
    { status: '' },
    { status: ' \n' },
    { status: '\u202e' },
    { status: null },
  ]) {
    it(`refuses ${JSON.stringify(answer)}`, () => {
      assert.throws(() => readJobAnswer(answer, api, []), badField('status'));
    });
  }

  for (const [status, outcome] of [
    ['completed', 'completed'],
    ['Completed', 'completed'],
    [' FAILED ', 'failed'],
    ['queued', 'running'],
    ['cancelled', 'running'],
    ['completed_with_warnings', 'running'],
    ['constructor', 'running'],
  ] as const) {
    // Shows faults.md C4.
    it(`reads “${status}” as a job that is ${outcome}`, () => {
      const answer = readJobAnswer({ status }, api, []);
      assert.equal(answer.outcome, outcome);
      assert.equal(answer.status, status.trim());
    });
  }

  it('sanitizes and shortens the status', () => {
    const { status } = readJobAnswer({ status: `\u202ewait\n${'x'.repeat(5000)}` }, api, []);
    assert.match(status, /^wait x/);
    assert.equal(status.length, 100);
  });

  for (const [error, sentence] of [
    ['No pages.', 'No pages.'],
    [{ message: 'No pages.' }, 'No pages.'],
    [`Bad key ${key}`, 'Bad key [redacted]'],
    ['', undefined],
    [7, undefined],
    [undefined, undefined],
  ] as const) {
    it(`reads ${JSON.stringify([sentence])} from a failed job's ${typeof error}`, () => {
      const answer = readJobAnswer({ status: 'failed', error }, api, [key]);
      assert.equal(answer.serviceMessage, sentence);
    });
  }

  it('does not treat the error of a running job as its end', () => {
    const answer = readJobAnswer({ status: 'running', error: 'One page is odd.' }, api, []);
    assert.deepEqual(answer, { status: 'running', outcome: 'running' });
  });
});

describe('readTime', () => {
  const time = Date.parse('2025-06-01T12:00:00.000Z');
  for (const value of [
    '2025-06-01T12:00:00Z',
    '2025-06-01T12:00:00.000Z',
    '2025-06-01T14:00:00+02:00',
    '2025-06-01T14:00:00+0200',
    '2025-06-01T12:00:00',
    '2025-06-01 12:00:00',
    '2025-06-01 12:00:00Z',
    ' 2025-06-01T12:00Z ',
    'Sun, 01 Jun 2025 12:00:00 GMT',
    time,
    time / 1000,
    String(time),
    String(time / 1000),
  ]) {
    it(`reads ${JSON.stringify(value)}`, () => {
      assert.equal(readTime(value), time);
    });
  }

  for (const value of [
    'soon',
    'link 5',
    '5',
    3600,
    '',
    '2025-13-45T99:99:99Z',
    '0001-01-01T00:00:00Z',
    '2025-06-01',
    NaN,
    -time,
    1e300,
    null,
    undefined,
    {},
    true,
  ]) {
    it(`does not accept ${JSON.stringify([value])} as a date`, () => {
      assert.equal(readTime(value), undefined);
    });
  }
});

describe('readBundle', () => {
  const bundleUrl = 'https://store.example.com/b/bundle.tar.gz?sig=1';
  const read = (answer: unknown, url = api): [ReturnType<typeof readBundle>, string[]] => {
    const notes: string[] = [];
    return [readBundle(answer, { url, adminKey: key }, (note) => void notes.push(note)), notes];
  };

  it('returns the link with its expiry and size', () => {
    const answer = { bundleUrl, expiresAt: '2025-06-01T12:00:00Z', sizeBytes: 5, jobId: 'x' };
    assert.deepEqual(read(answer), [
      { url: bundleUrl, expiresAt: Date.parse('2025-06-01T12:00:00Z'), sizeBytes: 5 },
      [],
    ]);
  });

  it('leaves out an expiry that is not a date, and notes it', () => {
    const [link, notes] = read({ bundleUrl, expiresAt: 'tomorrow' });
    assert.deepEqual(link, { url: bundleUrl });
    assert.match(notes.join(), /expiresAt/);
  });

  for (const sizeBytes of [0, -1, 1.5, '5 MB', {}, NaN, 1e300]) {
    it(`leaves out a size of ${JSON.stringify(sizeBytes)}, and notes it`, () => {
      const [link, notes] = read({ bundleUrl, expiresAt: 1_748_779_200, sizeBytes });
      assert.equal(link.sizeBytes, undefined);
      assert.match(notes.join(), /sizeBytes/);
    });
  }

  for (const answer of [{}, null, { bundleUrl: '' }, { bundleUrl: 7 }, { bundleUrl: null }]) {
    it(`refuses ${JSON.stringify(answer)}`, () => {
      assert.throws(() => read(answer), badField('bundleUrl'));
    });
  }

  for (const [url, reason] of [
    ['http://store.example.com/b', /http:\/\//],
    ['file:///etc/passwd', /https:\/\//],
    ['not a url', /isn’t a URL/],
    ['https://user:pass@store.example.com/b', /password/],
  ] as const) {
    it(`refuses the link ${url} with its reason`, () => {
      assert.throws(
        () => read({ bundleUrl: url }),
        (error: unknown) =>
          error instanceof ExportError &&
          error.code === 'link-refused' &&
          reason.test(error.details.reason?.(plainTranslate) ?? ''),
      );
    });
  }
});
