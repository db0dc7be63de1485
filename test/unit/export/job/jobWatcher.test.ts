import assert from 'node:assert/strict';
import { DocsAssistantError } from '../../../../src/common/errors';
import { ExportError, type ExportErrorCode } from '../../../../src/export/exportErrors';
import type { JobAnswer } from '../../../../src/export/job/answers';
import { watchJob, type WatchReport } from '../../../../src/export/job/jobWatcher';
import { FakeClock, settled } from '../../../fakes/fakeClock';

const running = (fields: Partial<JobAnswer> = {}): JobAnswer => ({
  status: 'running',
  outcome: 'running',
  ...fields,
});
const completed: JobAnswer = { status: 'completed', outcome: 'completed' };

interface Watch {
  readonly clock: FakeClock;
  /** When each question was asked, in ms from the start. */
  readonly askedAt: number[];
  readonly reports: WatchReport[];
  readonly stop: AbortController;
  /** Settles when the watch is over. */
  readonly over: Promise<unknown>;
  /** Answers from now on. */
  answer: () => JobAnswer | Promise<JobAnswer>;
}

/** Watches a job. A random number of 0.5 makes every pause exactly as long as planned. */
function watching(answer: Watch['answer'], random = () => 0.5): Watch {
  const clock = new FakeClock();
  const start = clock.now();
  const stop = new AbortController();
  const reports: WatchReport[] = [];
  const askedAt: number[] = [];
  const watch = { clock, askedAt, reports, stop, answer };
  const ask = async (): Promise<JobAnswer> => {
    askedAt.push(clock.now() - start);
    return watch.answer();
  };
  const over = (async () => {
    for await (const report of watchJob({ ask, clock, random, signal: stop.signal })) {
      reports.push(report);
    }
    return 'ended';
  })().catch((error: unknown) => error);
  return Object.assign(watch, { over });
}

const throwing = (error: Error) => (): never => {
  throw error;
};
const rateLimited = (retryAt: number): ExportError =>
  new ExportError('export-rate-limited', { retryAt });
const pauses = (times: readonly number[]): number[] =>
  times.slice(1).map((time, index) => Math.round(time - (times[index] ?? 0)));

describe('watchJob', () => {
  it('polls immediately, then quickly, then every 10 s', async () => {
    const { clock, askedAt } = watching(() => running());
    await clock.advance(45_000);
    assert.equal(askedAt[0], 0);
    assert.deepEqual(pauses(askedAt), [1000, 1500, 2250, 3375, 5063, 7594, 10_000, 10_000]);
  });

  for (const [random, first] of [
    [0, 800],
    [0.999, 1200],
  ] as const) {
    it(`varies the pauses by a fifth: ${first} ms for a random number of ${random}`, async () => {
      const { clock, askedAt } = watching(
        () => running(),
        () => random,
      );
      await clock.advance(2000);
      assert.equal(pauses(askedAt)[0], first);
    });
  }

  it('stops with the response that ends the job', async () => {
    const watch = watching(() => completed);
    assert.equal(await watch.over, 'ended');
    assert.deepEqual(watch.reports, [
      { name: 'answered', answer: completed, quietSince: undefined },
    ]);
    assert.equal(watch.clock.pendingCount, 0);
  });

  it('continues after an unknown status', async () => {
    const watch = watching(() => running({ status: 'cancelled' }));
    await watch.clock.advance(60_000);
    assert.ok(watch.askedAt.length > 5);
    watch.stop.abort();
  });

  for (const error of [
    new DocsAssistantError('offline', { host: 'api.example.com' }),
    new DocsAssistantError('timed-out'),
    new DocsAssistantError('connection-lost'),
    new DocsAssistantError('service-down', { status: 503 }),
    new DocsAssistantError('unexpected-html'),
    new DocsAssistantError('proxy-refused'),
    new DocsAssistantError('service-error', { status: 418 }),
    new ExportError('bad-answer', { field: 'status' }),
    new ExportError('local-service-stopped'),
    new Error('nobody planned for this'),
  ]) {
    // Shows faults.md C5.
    it(`waits ${error.message} out, longer each time up to a minute, and recovers`, async () => {
      const watch = watching(throwing(error));
      const { clock, askedAt, reports } = watch;
      await clock.advance(200_000);
      assert.deepEqual(pauses(askedAt), [2000, 4000, 8000, 16_000, 32_000, 50_000, 50_000]);
      assert.ok(reports.every((report) => report.name === 'waiting'));
      watch.answer = () => completed;
      await clock.advance(60_000);
      assert.equal(await watch.over, 'ended');
      assert.equal(reports.at(-1)?.name, 'answered');
    });
  }

  it('never waits longer than a minute by itself', async () => {
    const { clock, askedAt } = watching(throwing(new DocsAssistantError('offline')), () => 0.999);
    await clock.advance(600_000);
    assert.ok(Math.max(...pauses(askedAt)) <= 60_000);
  });

  it('reports when it polls again', async () => {
    const { clock, reports } = watching(throwing(new DocsAssistantError('offline')));
    await settled();
    const [report] = reports;
    assert.equal(report?.name === 'waiting' && report.until, clock.now() + 2000);
  });

  it('waits the full time that the service asks for, and at most a second longer', async () => {
    const retryAt = new FakeClock().now() + 7000;
    const { clock, askedAt } = watching(throwing(rateLimited(retryAt)));
    await clock.advance(7499);
    assert.deepEqual(askedAt, [0]);
    await clock.advance(1);
    assert.deepEqual(askedAt, [0, 7500]);
  });

  it('accepts a wait of an hour from the service, and reports until when', async () => {
    const retryAt = new FakeClock().now() + 3_600_000;
    const { clock, askedAt, reports } = watching(throwing(rateLimited(retryAt)));
    await clock.advance(3_600_000);
    assert.deepEqual(askedAt, [0]);
    assert.equal(reports[0]?.name === 'waiting' && reports[0].until, retryAt + 500);
    await clock.advance(500);
    assert.equal(askedAt.length, 2);
  });

  it('keeps its own back-off if the time that the service named has passed', async () => {
    const watch = watching(throwing(rateLimited(0)));
    await watch.clock.advance(1999);
    assert.deepEqual(watch.askedAt, [0]);
  });

  it('resets its back-off after a response', async () => {
    const offline = new DocsAssistantError('offline');
    const watch = watching(throwing(offline));
    await watch.clock.advance(60_000);
    watch.answer = () => running();
    await watch.clock.advance(60_000);
    watch.answer = throwing(offline);
    const from = watch.askedAt.length;
    await watch.clock.advance(20_000);
    assert.deepEqual(pauses(watch.askedAt.slice(from)).slice(0, 2), [2000, 4000]);
  });

  const ending: readonly ExportErrorCode[] = [
    'no-admin-key',
    'admin-key-rejected',
    'export-forbidden',
    'export-redirected',
    'unknown-job',
    'workspace-not-trusted',
  ];
  for (const error of [
    ...ending.map((code) => new ExportError(code)),
    new DocsAssistantError('secret-store-failed'),
  ]) {
    it(`stops at ${error.code}, which only a user can fix`, async () => {
      const watch = watching(throwing(error));
      assert.equal(await watch.over, 'ended');
      assert.deepEqual(watch.reports, [{ name: 'refused', error }]);
      assert.equal(watch.clock.pendingCount, 0);
    });
  }

  // Shows faults.md C3.
  it('reports a job as stalled after 30 minutes without a change, and polls every 30 s', async () => {
    const watch = watching(() => running({ pages: 3 }));
    const { clock, reports, askedAt } = watch;
    const start = clock.now();
    await clock.advance(29 * 60_000);
    assert.ok(reports.every((report) => report.name === 'answered' && !report.quietSince));
    await clock.advance(2 * 60_000);
    const last = reports.at(-1);
    assert.equal(last?.name === 'answered' && last.quietSince, start);
    assert.equal(pauses(askedAt).at(-1), 30_000);
  });

  it('treats a stalled job that moves again as running', async () => {
    const watch = watching(() => running({ pages: 3 }));
    await watch.clock.advance(31 * 60_000);
    watch.answer = () => running({ pages: 4 });
    await watch.clock.advance(30_000);
    const last = watch.reports.at(-1);
    assert.equal(last?.name === 'answered' && last.quietSince, undefined);
    assert.equal(last?.name, 'answered');
  });

  it('does not count time without responses towards a stall', async () => {
    const watch = watching(() => running({ pages: 3 }));
    await watch.clock.advance(10_000);
    watch.answer = throwing(new DocsAssistantError('offline'));
    await watch.clock.advance(40 * 60_000);
    watch.answer = () => running({ pages: 3 });
    await watch.clock.advance(60_000);
    assert.ok(watch.reports.every((report) => report.name !== 'answered' || !report.quietSince));
  });

  it('polls immediately when the machine wakes up, and does not count sleep as a stall', async () => {
    const watch = watching(throwing(new DocsAssistantError('offline')));
    const { clock, askedAt, reports } = watch;
    await clock.advance(100_000);
    watch.answer = () => running();
    const asked = askedAt.length;
    clock.sleep(8 * 3_600_000);
    await clock.advance(2000);
    assert.ok(askedAt.length > asked);
    const last = reports.at(-1);
    assert.ok(last?.name === 'answered' && last.quietSince === undefined);
  });

  it('keeps its schedule when the clock is set back', async () => {
    const watch = watching(() => running());
    const { clock, askedAt } = watch;
    await clock.advance(60_000);
    const asked = askedAt.length;
    clock.sleep(-24 * 3_600_000);
    await clock.advance(12_000);
    assert.ok(askedAt.length > asked);
  });

  it('stops during a pause, with the reason of its signal', async () => {
    const watch = watching(() => running());
    await settled();
    const reason = new Error('enough');
    watch.stop.abort(reason);
    assert.equal(await watch.over, reason);
    assert.equal(watch.clock.pendingCount, 0);
  });

  it('does not report a response that arrives after the stop', async () => {
    let answerNow: (answer: JobAnswer) => void = () => undefined;
    const watch = watching(
      () =>
        new Promise<JobAnswer>((resolve) => {
          answerNow = resolve;
        }),
    );
    await settled();
    const reason = new Error('enough');
    watch.stop.abort(reason);
    answerNow(completed);
    assert.equal(await watch.over, reason);
    assert.deepEqual(watch.reports, []);
  });
});
