import assert from 'node:assert/strict';
import { anExport } from '../../../builders/exports';
import { ExportMachine, never, target } from '../../../builders/exportWindow';

let machine: ExportMachine;
beforeEach(() => {
  machine = new ExportMachine();
});
afterEach(() => machine.close());

describe('StaticExports after a reload', () => {
  it('continues watching only running jobs', async () => {
    await machine.records.save(anExport());
    await machine.records.save(anExport({ id: 'e2', jobId: 'job-2', outcome: 'completed' }));
    await machine.records.save(
      anExport({ id: 'e3', jobId: 'job-3', outcome: 'unwatchable', errorCode: 'unknown-job' }),
    );
    machine.api.jobs.set('job-1', { status: 'completed' });
    const window = await machine.open();
    assert.equal(window.exports.list.length, 3);
    await machine.clock.advance(1000);
    assert.deepEqual(
      machine.api.requests.map(({ url }) => new URL(url).pathname.split('/').at(-1)),
      ['job-1'],
    );
    assert.equal(window.ends.length, 1);
  });

  it('keeps one poller when it is restored again', async () => {
    await machine.records.save(anExport());
    machine.api.jobs.set('job-1', { status: 'running' });
    const { exports } = await machine.open();
    await Promise.all([exports.restore(), exports.restore()]);
    await machine.clock.advance(60_000);
    assert.equal(machine.clock.pendingCount, 1);
  });
});

describe('StaticExports that are restored again', () => {
  it('do not resume stopped jobs', async () => {
    const window = await machine.open();
    await window.exports.start(target, never);
    window.exports.stopWatching('e1');
    await window.exports.restore();
    assert.deepEqual(window.view.watch, { name: 'idle' });
  });
});

describe('StaticExports whose store returns an older record', () => {
  /** Returns a window whose job has completed, with the record of its start in the store again. */
  async function revertedStore() {
    const window = await machine.open();
    await window.exports.start(target, never);
    const [started] = await machine.records.list();
    assert.ok(started);
    machine.api.jobs.set('job-1', { status: 'completed' });
    await machine.clock.advance(5000);
    assert.equal(window.view.record.outcome, 'completed');
    await machine.records.save(started);
    return window;
  }

  it('keep the end that they know when they are restored', async () => {
    const window = await revertedStore();
    await window.exports.restore();
    assert.equal(window.view.record.outcome, 'completed');
    assert.equal(window.ends.length, 1);
  });

  it('store the end that they know with the next change', async () => {
    const window = await revertedStore();
    await window.exports.noteFiles('e1', { siteFolder: '/site' });
    const [stored] = await machine.records.list();
    assert.deepEqual([stored?.siteFolder, stored?.outcome], ['/site', 'completed']);
    await window.exports.restore();
    assert.equal(window.view.record.outcome, 'completed');
  });
});

describe('StaticExports in two windows', () => {
  it('announce each end in only one window', async () => {
    const one = await machine.open();
    await one.exports.start(target, never);
    const two = await machine.open();
    await machine.clock.advance(1000);
    machine.api.jobs.set('job-1', { status: 'completed' });
    await machine.clock.advance(60_000);
    assert.equal(one.ends.length + two.ends.length, 1);
    assert.deepEqual(
      [one.view.record.outcome, two.view.record.outcome],
      ['completed', 'completed'],
    );
  });

  it('save later what could not be saved at first', async () => {
    const window = await machine.open();
    await window.exports.start(target, never);
    machine.records.failure = new Error('disk full');
    await window.exports.noteFiles('e1', { siteFolder: '/site' });
    machine.records.failure = undefined;
    machine.api.jobs.set('job-1', { status: 'completed' });
    await machine.clock.advance(5000);
    const [stored] = await machine.records.list();
    assert.deepEqual([stored?.siteFolder, stored?.outcome], ['/site', 'completed']);
    window.log.lines.length = 0;
  });

  it('save what could not be saved at first on top of what the other window noted', async () => {
    const one = await machine.open();
    await one.exports.start(target, never);
    const two = await machine.open();
    machine.records.failure = new Error('disk full');
    await one.exports.noteFiles('e1', { siteFolder: '/site' });
    machine.records.failure = undefined;
    const archive = { path: '/b.tar.gz', sizeBytes: 5, sha256: 'ab'.repeat(32) };
    await two.exports.noteFiles('e1', { archive });
    await one.exports.noteResult('/site', 'questions', { passed: 4, failed: 1 });
    const [stored] = await machine.records.list();
    assert.deepEqual([stored?.siteFolder, stored?.archive], ['/site', archive]);
    one.log.lines.length = 0;
  });

  it('keep an export on the list that could not be stored', async () => {
    const window = await machine.open();
    machine.records.failure = new Error('disk full');
    await window.exports.start(target, never);
    await window.exports.restore();
    assert.equal(window.view.record.id, 'e1');
    window.log.lines.length = 0;
  });

  it('leave the end to the other window when one closes while it stores the end', async () => {
    const one = await machine.open();
    await one.exports.start(target, never);
    const two = await machine.open();
    two.exports.stopWatching('e1');
    machine.api.jobs.set('job-1', { status: 'completed' });
    const save = machine.records.save.bind(machine.records);
    machine.records.save = (record) => {
      one.exports.dispose();
      machine.records.save = save;
      return save(record);
    };
    await machine.clock.advance(5000);
    assert.deepEqual(one.ends, []);
    await two.exports.watch('e1');
    await machine.clock.advance(5000);
    assert.equal(two.ends.length, 1);
  });

  it('announce an end even if claims fail', async () => {
    const window = await machine.open();
    await window.exports.start(target, never);
    machine.claims.failure = new Error('no disk');
    machine.api.jobs.set('job-1', { status: 'completed' });
    await machine.clock.advance(5000);
    assert.equal(window.ends.length, 1);
    assert.match(window.log.text('error'), /claimed/);
    window.log.lines.length = 0;
  });

  it('keep what the other window noted about the bundle', async () => {
    const one = await machine.open();
    await one.exports.start(target, never);
    const two = await machine.open();
    await two.exports.noteFiles('e1', { siteFolder: '/site' });
    machine.api.jobs.set('job-1', { status: 'running', pageCount: 9 });
    await machine.clock.advance(20_000);
    const [stored] = await machine.records.list();
    assert.deepEqual([stored?.siteFolder, stored?.pages], ['/site', 9]);
    assert.equal(one.view.record.siteFolder, '/site');
  });

  it('do not restore an export that the other window removed', async () => {
    const one = await machine.open();
    await one.exports.start(target, never);
    const two = await machine.open();
    await two.exports.forget('e1');
    machine.api.jobs.set('job-1', { status: 'completed' });
    await machine.clock.advance(20_000);
    assert.deepEqual(await machine.records.list(), []);
    assert.deepEqual(one.exports.list, []);
    assert.deepEqual(one.ends, []);
  });

  it('see what the other window noted once they are restored again, also after the end', async () => {
    const one = await machine.open();
    await one.exports.start(target, never);
    const two = await machine.open();
    const archive = { path: '/b.tar.gz', sizeBytes: 5, sha256: 'ab'.repeat(32) };
    await two.exports.noteFiles('e1', { archive });
    await one.exports.restore();
    assert.deepEqual(one.view.record.archive, archive);
    machine.api.jobs.set('job-1', { status: 'completed' });
    await machine.clock.advance(20_000);
    const newer = { ...archive, sha256: 'cd'.repeat(32) };
    await two.exports.noteFiles('e1', { archive: newer });
    await one.exports.restore();
    assert.deepEqual([one.view.record.archive, one.view.record.outcome], [newer, 'completed']);
  });

  it('show no bar after an end that the other window noted', async () => {
    const one = await machine.open();
    await one.exports.start(target, never);
    machine.api.jobs.set('job-1', { status: 'running', progress: 40 });
    await machine.clock.advance(5000);
    assert.equal(one.view.percent, 40);
    await machine.records.save({ ...one.view.record, outcome: 'completed', endedAt: 5 });
    await one.exports.restore();
    assert.deepEqual([one.view.record.outcome, one.view.percent], ['completed', undefined]);
  });

  it('see each other’s exports once they are restored again', async () => {
    const one = await machine.open();
    const two = await machine.open();
    await one.exports.start(target, never);
    await two.exports.restore();
    assert.equal(two.view.record.id, 'e1');
    await one.exports.forget('e1');
    await two.exports.restore();
    assert.deepEqual(two.exports.list, []);
  });

  it('do not undo an end that the other window noted', async () => {
    const one = await machine.open();
    await one.exports.start(target, never);
    await machine.clock.advance(1000);
    await machine.records.save({ ...one.view.record, outcome: 'completed', endedAt: 5 });
    machine.api.queue('status', () => Response.json({ error: 'No.' }, { status: 401 }));
    await machine.clock.advance(20_000);
    assert.equal((await machine.records.list())[0]?.outcome, 'completed');
    assert.equal(one.view.record.outcome, 'completed');
    assert.deepEqual(one.ends, []);
  });
});
