import assert from 'node:assert/strict';
import { ExportError } from '../../../../src/export/exportErrors';
import { adminKey, ExportMachine, never, target } from '../../../builders/exportWindow';
import { settled } from '../../../fakes/fakeClock';
import { fetchFailure } from '../../../fakes/fakeFetch';

const failing =
  (status: number, error = 'No.') =>
  (): Response =>
    Response.json({ error }, { status });

let machine: ExportMachine;
beforeEach(() => {
  machine = new ExportMachine();
});
afterEach(() => machine.close());

describe('StaticExports starting a job', () => {
  it('lists, stores and watches it', async () => {
    const window = await machine.open();
    const started = await window.exports.start(target, never);
    assert.deepEqual(started.watch, { name: 'watching' });
    assert.equal(started.record.jobId, 'job-1');
    await machine.clock.advance(5000);
    assert.equal(window.view.record.id, started.record.id);
    assert.deepEqual(await machine.records.list(), [window.view.record]);
    assert.ok(window.changes.includes('e1'));
    assert.doesNotMatch(window.log.text(), /CANARY/);
  });

  it('returns a job once it is stored, and forgets it once the store has', async () => {
    const { exports } = await machine.open();
    for (const step of ['save', 'forget'] as const) {
      const { records } = machine;
      const done = records[step].bind(records) as () => Promise<void>;
      let go = (): void => undefined;
      const held = new Promise<void>((resolve) => (go = resolve));
      records[step] = async (...args: unknown[]) => held.then(() => done(...(args as [])));
      let isDone = false;
      const work = (step === 'save' ? exports.start(target, never) : exports.forget('e1')).then(
        () => (isDone = true),
      );
      await settled();
      assert.equal(isDone, false, step);
      go();
      await work;
      records[step] = done;
    }
  });

  it('sends one request for two simultaneous starts, and another one afterwards', async () => {
    const { exports } = await machine.open();
    const [one, two] = await Promise.all([
      exports.start(target, never),
      exports.start(target, never),
    ]);
    assert.equal(one.record.id, two.record.id);
    assert.equal(machine.api.count('start'), 1);
    await exports.start(target, never);
    assert.equal(exports.list.length, 2);
  });

  it('starts two domains at the same time with a request each', async () => {
    const { exports } = await machine.open();
    await Promise.all([
      exports.start(target, never),
      exports.start({ ...target, exportDomain: 'other.example.com' }, never),
    ]);
    assert.deepEqual(exports.list.map(({ record }) => record.exportDomain).sort(), [
      'docs.example.com',
      'other.example.com',
    ]);
  });

  it('never sends a start twice that may have been accepted', async () => {
    const { exports } = await machine.open();
    machine.api.queue('start', () => Promise.reject(fetchFailure('ECONNRESET')));
    await assert.rejects(exports.start(target, never), { code: 'start-unclear' });
    await machine.clock.advance(600_000);
    assert.equal(machine.api.count('start'), 1);
    assert.deepEqual(exports.list, []);
  });

  it('stops waiting for the response, but lists the job if it arrives later', async () => {
    const { exports } = await machine.open();
    let answer: (response: Response) => void = () => undefined;
    machine.api.queue('start', () => new Promise((resolve) => (answer = resolve)));
    const stop = new AbortController();
    const started = exports.start(target, stop.signal);
    await settled();
    stop.abort(new Error('cancelled'));
    await assert.rejects(started, { code: 'start-unclear' });
    assert.equal(exports.list.length, 0);
    machine.api.jobs.set('late', { status: 'queued' });
    answer(Response.json({ jobId: 'late' }));
    await settled();
    assert.equal(exports.list[0]?.record.jobId, 'late');
  });

  it('sends nothing for a start that was already canceled', async () => {
    const { exports } = await machine.open();
    const stop = new AbortController();
    const reason = new Error('cancelled');
    const started = exports.start(target, stop.signal);
    stop.abort(reason);
    await assert.rejects(started, (error) => error === reason);
    await settled();
    assert.equal(machine.api.count('start'), 0);
  });

  it('starts nothing without a key', async () => {
    const window = await machine.open();
    window.endpointFailure = new ExportError('no-admin-key');
    await assert.rejects(window.exports.start(target, never), { code: 'no-admin-key' });
    assert.equal(machine.api.requests.length, 0);
  });

  it('watches a job that cannot be stored, and says so in the log', async () => {
    const window = await machine.open();
    machine.records.failure = new Error('disk full');
    await window.exports.start(target, never);
    machine.api.jobs.set('job-1', { status: 'completed' });
    await machine.clock.advance(5000);
    assert.equal(window.ends.length, 1);
    assert.match(window.log.text('error'), /could not be saved/);
    machine.records.failure = undefined;
    await window.exports.noteFiles('e1', { siteFolder: '/site' });
    assert.equal((await machine.records.list())[0]?.outcome, 'completed');
    window.log.lines.length = 0;
  });
});

describe('StaticExports watching a job', () => {
  it('shows status, progress and pages as they come', async () => {
    const window = await machine.open();
    await window.exports.start(target, never);
    machine.api.jobs.set('job-1', { status: 'rendering', progress: 42, pageCount: '12/40' });
    await machine.clock.advance(1000);
    const { record, percent, totalPages } = window.view;
    assert.deepEqual([record.status, percent, record.pages, totalPages], ['rendering', 42, 12, 40]);
  });

  it('fires no event for a response that changes nothing', async () => {
    const window = await machine.open();
    await window.exports.start(target, never);
    await machine.clock.advance(1000);
    const { length } = window.changes;
    await machine.clock.advance(60_000);
    assert.equal(window.changes.length, length);
  });

  it('stores growing page counts occasionally, not after each response', async () => {
    const window = await machine.open();
    await window.exports.start(target, never);
    const { writeCount } = machine.records;
    for (let pages = 1; pages <= 60; pages++) {
      machine.api.jobs.set('job-1', { status: 'running', pageCount: pages });
      await machine.clock.advance(1000);
    }
    const writes = machine.records.writeCount - writeCount;
    assert.ok(writes > 0 && writes <= 8, `${writes} writes`);
    await machine.clock.advance(10_000);
    assert.equal((await machine.records.list())[0]?.pages, window.view.record.pages);
  });

  it('never lets the bar run backwards, also after a reload and when it is watched again', async () => {
    const first = await machine.open();
    await first.exports.start(target, never);
    const shownAfter = async (progress: unknown): Promise<number | undefined> => {
      machine.api.jobs.set('job-1', { status: 'running', progress });
      await machine.clock.advance(20_000);
      return machine.windows.at(-1)?.view.percent;
    };
    assert.equal(await shownAfter(42), 42);
    assert.equal(await shownAfter(30), 42);
    first.exports.dispose();
    await machine.open();
    assert.equal(await shownAfter(30), 42);
    machine.api.queue('status', failing(401));
    await machine.clock.advance(20_000);
    const last = machine.windows.at(-1);
    assert.equal(last?.view.record.outcome, 'unwatchable');
    await last.exports.watch('e1');
    assert.equal(await shownAfter(0.5), undefined);
    assert.equal(await shownAfter(41), 42);
    assert.equal(await shownAfter(43), 43);
  });

  it('stores how far the bar got occasionally, not after each response', async () => {
    const window = await machine.open();
    await window.exports.start(target, never);
    const { writeCount } = machine.records;
    for (let progress = 1; progress <= 60; progress++) {
      machine.api.jobs.set('job-1', { status: 'running', progress });
      await machine.clock.advance(1000);
    }
    const writes = machine.records.writeCount - writeCount;
    assert.ok(writes > 0 && writes <= 8, `${writes} writes`);
  });

  it('shows no bar for numbers up to 1, whatever earlier jobs of that API sent', async () => {
    const window = await machine.open();
    const percents: (number | undefined)[] = [];
    for (const jobId of ['job-1', 'job-2']) {
      const { record } = await window.exports.start(target, never);
      for (const progress of [0.4, 0.9, 1]) {
        machine.api.jobs.set(jobId, { status: 'running', progress });
        await machine.clock.advance(20_000);
        percents.push(window.exports.list.find((view) => view.record.id === record.id)?.percent);
      }
      machine.api.jobs.set(jobId, { status: 'completed', progress: 1 });
      await machine.clock.advance(20_000);
    }
    assert.deepEqual(percents, Array.from({ length: 6 }));
  });

  it('stores the end, announces it once, and stops polling', async () => {
    const window = await machine.open();
    await window.exports.start(target, never);
    machine.api.jobs.set('job-1', { status: 'Completed', pageCount: 40 });
    await machine.clock.advance(1000);
    assert.deepEqual(
      window.ends.map(({ record }) => [record.outcome, record.status, record.pages]),
      [['completed', 'Completed', 40]],
    );
    assert.equal((await machine.records.list())[0]?.outcome, 'completed');
    assert.deepEqual(window.view.watch, { name: 'idle' });
    const count = machine.api.count('status');
    await machine.clock.advance(600_000);
    assert.equal(machine.api.count('status'), count);
    assert.equal(window.ends.length, 1);
    assert.equal(machine.clock.pendingCount, 0);
  });

  it('announces a failure with the sentence of the service, without secrets', async () => {
    const window = await machine.open();
    await window.exports.start(target, never);
    machine.api.jobs.set('job-1', { status: 'failed', error: `Bad key ${adminKey}` });
    await machine.clock.advance(1000);
    const [end] = window.ends;
    assert.equal(end?.record.errorCode, 'job-failed');
    assert.equal(end.record.errorMessage, 'Bad key [redacted]');
  });

  it('waits out an error, says until when, and continues with one poller', async () => {
    const window = await machine.open();
    await window.exports.start(target, never);
    machine.api.queue('status', ...Array.from({ length: 5 }, () => failing(503)));
    await machine.clock.advance(1000);
    const { watch } = window.view;
    assert.ok(watch.name === 'waiting');
    assert.equal(watch.error.code, 'service-down');
    assert.ok(watch.until > machine.clock.now());
    await machine.clock.advance(120_000);
    assert.equal(window.view.watch.name, 'watching');
    assert.equal(machine.clock.pendingCount, 1);
  });

  it('reports a job that did not change for half an hour, and still detects its end', async () => {
    const window = await machine.open();
    await window.exports.start(target, never);
    const start = machine.clock.now();
    await machine.clock.advance(31 * 60_000);
    assert.deepEqual(window.view.watch, { name: 'stalled', since: start });
    machine.api.jobs.set('job-1', { status: 'completed' });
    await machine.clock.advance(30_000);
    assert.equal(window.ends.length, 1);
  });

  for (const [status, code] of [
    [401, 'admin-key-rejected'],
    [403, 'export-forbidden'],
    [404, 'unknown-job'],
    [308, 'export-redirected'],
  ] as const) {
    it(`ends at ${status} as ${code}, and can be watched again`, async () => {
      const window = await machine.open();
      await window.exports.start(target, never);
      machine.api.queue('status', failing(status), failing(status));
      await machine.clock.advance(1000);
      assert.equal(window.view.record.outcome, 'unwatchable');
      assert.equal(window.view.record.errorCode, code);
      assert.equal(window.ends.length, 1);
      await machine.clock.advance(600_000);
      assert.equal(machine.api.count('status'), 2);
    });

    it(`announces the next end of a job that was watched again after ${status}`, async () => {
      const window = await machine.open();
      await window.exports.start(target, never);
      await machine.clock.advance(500);
      machine.api.queue('status', failing(status), failing(status));
      await machine.clock.advance(1000);
      await window.exports.watch('e1');
      await settled();
      assert.equal(window.ends.length, 2);
      await window.exports.watch('e1');
      assert.equal(window.view.record.errorCode, undefined);
      machine.api.jobs.set('job-1', { status: 'completed' });
      await machine.clock.advance(5000);
      assert.deepEqual(
        window.ends.map(({ record }) => record.outcome),
        ['unwatchable', 'unwatchable', 'completed'],
      );
    });
  }

  it('announces an end unchanged, even if the job is watched again immediately', async () => {
    const window = await machine.open();
    await window.exports.start(target, never);
    window.exports.onDidChange((id) => {
      if (window.view.record.outcome === 'unwatchable') void window.exports.watch(id);
    });
    machine.api.queue('status', failing(401), failing(401));
    await machine.clock.advance(5000);
    machine.api.jobs.set('job-1', { status: 'completed' });
    await machine.clock.advance(5000);
    assert.deepEqual(
      window.ends.map(({ record }) => record.outcome),
      ['unwatchable', 'unwatchable', 'completed'],
    );
  });

  it('stops on request, closes its connection, and resumes on request', async () => {
    const window = await machine.open();
    await window.exports.start(target, never);
    await machine.clock.advance(1000);
    window.exports.stopWatching('e1');
    assert.deepEqual(window.view.watch, { name: 'idle' });
    assert.equal(window.view.record.outcome, 'running');
    await settled();
    const count = machine.api.count('status');
    await machine.clock.advance(600_000);
    assert.equal(machine.api.count('status'), count);
    await window.exports.watch('e1');
    await settled();
    assert.equal(machine.api.count('status'), count + 1);
    assert.equal(window.view.watch.name, 'watching');
  });

  it('polls immediately when it is asked to watch during a wait', async () => {
    const window = await machine.open();
    await window.exports.start(target, never);
    machine.api.queue('status', ...Array.from({ length: 6 }, () => failing(500)));
    await machine.clock.advance(65_000);
    assert.equal(window.view.watch.name, 'waiting');
    const count = machine.api.count('status');
    await window.exports.watch('e1');
    await settled();
    assert.equal(machine.api.count('status'), count + 1);
    await machine.clock.advance(100_000);
    assert.equal(machine.clock.pendingCount, 1);
  });

  it('removes an export from the list, and stops polling it', async () => {
    const window = await machine.open();
    await window.exports.start(target, never);
    await machine.clock.advance(1000);
    await window.exports.forget('e1');
    assert.deepEqual(window.exports.list, []);
    assert.deepEqual(await machine.records.list(), []);
    await settled();
    assert.equal(machine.clock.pendingCount, 0);
    await assert.rejects(window.exports.bundleLink('e1', never), { code: 'unknown-job' });
  });

  it('closes everything when it is disposed in the middle of a request', async () => {
    const window = await machine.open();
    await window.exports.start(target, never);
    machine.api.queue('status', () => new Promise(() => undefined));
    await machine.clock.advance(1000);
    window.exports.dispose();
    await settled();
    assert.ok(machine.api.requests.at(-1)?.signal.aborted);
    assert.equal(machine.clock.pendingCount, 0);
    assert.deepEqual(window.ends, []);
  });

  it('stores the last known state when it is disposed', async () => {
    const window = await machine.open();
    await window.exports.start(target, never);
    machine.api.jobs.set('job-1', { status: 'running', pageCount: 7 });
    await machine.clock.advance(1000);
    window.exports.dispose();
    await settled();
    assert.equal((await machine.records.list())[0]?.pages, 7);
  });
});
