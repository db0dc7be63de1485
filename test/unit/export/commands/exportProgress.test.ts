import assert from 'node:assert/strict';
import { ExportProgress } from '../../../../src/export/commands/jobNotifications';
import { anExport } from '../../../builders/exports';
import { FakeClock, settled } from '../../../fakes/fakeClock';
import { aView, FakeExports } from '../../../fakes/fakeExports';
import { ScriptedUi } from '../../../fakes/scriptedUi';

const start = anExport().startedAt;
const idle = { watch: { name: 'idle' } } as const;

function aProgress(...views: ReturnType<typeof aView>[]) {
  const clock = new FakeClock(start);
  const exports = new FakeExports(...views);
  const ui = new ScriptedUi();
  const state = { isClosing: false };
  const failures: unknown[] = [];
  const progress = new ExportProgress({
    exports,
    ui,
    clock,
    isClosing: () => state.isClosing,
    inBackground: (task) => void task.catch((error: unknown) => failures.push(error)),
  });
  return { clock, exports, ui, state, progress, failures };
}

const increments = (ui: ScriptedUi) =>
  ui.progresses[0]?.reports.map(({ increment }) => increment).filter((each) => each !== undefined);
const messages = (ui: ScriptedUi) => ui.progresses[0]?.reports.map(({ message }) => message);

describe('ExportProgress', () => {
  it('follows a job until it completes, and shows no message of its own', async () => {
    const { exports, ui, clock, progress } = aProgress(aView({ status: 'queued' }));
    const following = progress.follow('e1');
    await settled();
    exports.put(aView({ status: 'running', pages: 118 }, { percent: 42 }));
    exports.put(aView({ outcome: 'completed', status: 'completed', pages: 300 }, idle));
    await following;
    exports.put(aView({ pages: 301 }));
    assert.deepEqual(messages(ui), ['queued', 'running · 118 pages · 42 %']);
    assert.deepEqual(ui.texts(), ['Exporting docs.example.com']);
    assert.equal(clock.pendingCount, 0);
  });

  // Shows faults.md C3.
  it('never moves the bar back, and leaves it indeterminate without a percentage', async () => {
    const { exports, ui, progress } = aProgress(aView());
    const following = progress.follow('e1');
    await settled();
    assert.deepEqual(increments(ui), []);
    for (const percent of [10, 5, 40]) exports.put(aView({ pages: percent }, { percent }));
    exports.put(aView({ pages: 50 }));
    exports.put(aView({ pages: 60 }, { percent: 60 }));
    assert.deepEqual(increments(ui), [10, 30, 20]);
    exports.put(aView({ outcome: 'failed' }, idle));
    await following;
  });

  it('counts down to the next try while it waits out an error', async () => {
    const error = { code: 'offline', message: 'Cannot reach it.', actions: [] };
    const until = start + 3000;
    const { clock, exports, ui, progress } = aProgress(
      aView({}, { watch: { name: 'waiting', error, until } }),
    );
    const following = progress.follow('e1');
    await clock.advance(2000);
    assert.deepEqual(messages(ui), [
      'waiting: Cannot reach it. · next try in 3 s',
      'waiting: Cannot reach it. · next try in 2 s',
      'waiting: Cannot reach it. · next try in 1 s',
    ]);
    await exports.forget('e1');
    await following;
  });

  it('stops watching, but not the job, when it is canceled, and offers to go on', async () => {
    const { exports, ui, progress } = aProgress(aView());
    ui.answer('Watch Again');
    const following = progress.follow('e1');
    await settled();
    ui.progresses[0]?.cancel();
    await settled();
    assert.deepEqual(exports.calls, ['stopWatching e1', 'watch e1']);
    assert.match(
      ui.texts('inform')[0] ?? '',
      /no longer tracks .*keeps running at api\.example\.com/,
    );
    assert.equal(ui.progresses[1]?.isOpen, true);
    exports.put(aView({ outcome: 'completed' }, idle));
    await following;
  });

  it('says the same when watching is stopped elsewhere', async () => {
    const { exports, ui, progress } = aProgress(aView());
    const following = progress.follow('e1');
    await settled();
    exports.stopWatching('e1');
    await following;
    assert.equal(ui.texts('inform').length, 1);
  });

  it('ends silently when the window closes', async () => {
    const { clock, ui, state, progress } = aProgress(aView());
    const following = progress.follow('e1');
    await settled();
    state.isClosing = true;
    await clock.advance(1000);
    await following;
    assert.deepEqual([ui.texts('inform'), clock.pendingCount], [[], 0]);
  });

  it('shows one notification for a job that is followed twice', async () => {
    const { exports, ui, progress } = aProgress(aView());
    ui.delay = settled;
    const following = [progress.follow('e1'), progress.follow('e1'), progress.follow('gone')];
    await settled();
    assert.equal(ui.progresses.length, 1);
    exports.put(aView({ outcome: 'completed' }, idle));
    await Promise.all(following);
  });

  it('starts a job in the notification that then follows it', async () => {
    const { exports, ui, progress } = aProgress();
    const view = await progress.startAndFollow('docs.example.com', () => {
      exports.put(aView());
      return Promise.resolve(aView());
    });
    assert.equal(view.record.id, 'e1');
    await settled();
    assert.deepEqual(messages(ui), ['starting…', 'started']);
    assert.equal(ui.progresses[0]?.isOpen, true);
    exports.put(aView({ outcome: 'completed' }, idle));
    await settled();
    assert.equal(ui.progresses[0].isOpen, false);
  });

  it('shows no other notification for a job that it has started', async () => {
    const { exports, ui, progress } = aProgress();
    await progress.startAndFollow('docs.example.com', () => {
      exports.put(aView());
      return Promise.resolve(aView());
    });
    const following = progress.follow('e1');
    await settled();
    assert.equal(ui.progresses.length, 1);
    exports.put(aView({ outcome: 'completed' }, idle));
    await following;
  });

  it('reports what goes wrong when a started job is watched again', async () => {
    const { exports, ui, progress, failures } = aProgress();
    await progress.startAndFollow('docs.example.com', () => {
      exports.put(aView());
      return Promise.resolve(aView());
    });
    const failure = new Error('no');
    exports.watch = () => Promise.reject(failure);
    ui.answer('Watch Again').progresses[0]?.cancel();
    await settled();
    assert.deepEqual(failures, [failure]);
  });

  it('passes on why a job did not start, and a cancellation while it starts', async () => {
    const { exports, ui, progress } = aProgress();
    const starting = progress.startAndFollow(
      'docs.example.com',
      (signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('unclear')), { once: true });
        }),
    );
    ui.progresses[0]?.cancel();
    await assert.rejects(starting, /unclear/);
    assert.deepEqual(exports.calls, []);
    assert.equal(ui.progresses[0]?.isOpen, false);
  });
});
