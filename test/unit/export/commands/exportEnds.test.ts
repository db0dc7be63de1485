import assert from 'node:assert/strict';
import { exportCommands } from '../../../../src/common/contributions';
import { ExportEnds } from '../../../../src/export/commands/jobNotifications';
import { anExport } from '../../../builders/exports';
import { settled } from '../../../fakes/fakeClock';
import { aView, FakeExports } from '../../../fakes/fakeExports';
import { MemoryClaims } from '../../../fakes/memoryClaims';
import { RecordingLog } from '../../../fakes/recordingLog';
import { ScriptedUi } from '../../../fakes/scriptedUi';

const start = anExport().startedAt;
const idle = { watch: { name: 'idle' } } as const;
const node = { kind: 'export', id: 'e1' };

function aWindow(claims = new MemoryClaims()) {
  const exports = new FakeExports(aView());
  const ui = new ScriptedUi();
  const log = new RecordingLog();
  const ends = new ExportEnds({ exports, claims, ui, log });
  return { exports, ui, log, claims, ends };
}

describe('ExportEnds', () => {
  for (const [button, command] of [
    ['Get Bundle Link', exportCommands.getBundleLink],
    ['Download Bundle…', exportCommands.downloadBundle],
  ] as const) {
    it(`says that an export completed, and offers “${button}”`, async () => {
      const { exports, ui } = aWindow();
      ui.answer(button);
      exports.end(aView({ outcome: 'completed', pages: 118 }, idle));
      await settled();
      assert.deepEqual(ui.texts('inform'), [
        'The export of docs.example.com has completed (118 pages).',
      ]);
      assert.deepEqual(ui.ran, [[command, node]]);
    });
  }

  it('says that an export failed, in the service’s words', async () => {
    const { exports, ui } = aWindow();
    const errorMessage = 'The site has no pages.';
    exports.end(aView({ outcome: 'failed', errorCode: 'job-failed', errorMessage }, idle));
    await settled();
    assert.deepEqual(ui.texts('fail'), [
      'The export of docs.example.com failed. (The site has no pages.)',
    ]);
  });

  it('says that an export failed if the service gives no reason', async () => {
    const { exports, ui } = aWindow();
    exports.end(aView({ outcome: 'failed' }, idle));
    await settled();
    assert.match(ui.texts('fail')[0] ?? '', /gave no reason/);
  });

  for (const [what, errorCode] of [
    ['with a reason', 'job-failed'],
    ['without a word', undefined],
  ] as const) {
    it(`offers to start a job again that failed ${what}`, async () => {
      const { exports, ui } = aWindow();
      ui.answer('Start Again');
      const failed = errorCode === undefined ? {} : { errorCode };
      exports.end(aView({ outcome: 'failed', ...failed }, idle));
      await settled();
      assert.deepEqual(ui.ran, [[exportCommands.startAgain, node]]);
    });
  }

  it('says what to do when the key is rejected, and does it for that export', async () => {
    const { exports, ui } = aWindow();
    ui.answer('Set Admin Key…');
    exports.end(aView({ outcome: 'unwatchable', errorCode: 'admin-key-rejected' }, idle));
    await settled();
    assert.match(
      ui.texts('fail')[0] ?? '',
      /^VS Code can’t track the export of docs\.example\.com anymore\. api\.example\.com rejected the admin key/,
    );
    assert.deepEqual(ui.ran, [[exportCommands.setAdminKey, node]]);
  });

  it('offers to watch again after errors that can be fixed, and to start a missing job again', async () => {
    const { exports, ui } = aWindow();
    ui.answer('Watch Again');
    exports.end(aView({ outcome: 'unwatchable', errorCode: 'export-forbidden' }, idle));
    await settled();
    assert.deepEqual(ui.ran, [[exportCommands.watchExport, node]]);
    exports.end(aView({ outcome: 'unwatchable', errorCode: 'unknown-job' }, idle));
    await settled();
    assert.deepEqual(ui.shown.at(-1)?.options, ['Start Again']);
  });

  it('asks once, in one window, whether to keep waiting for a job that does not change', async () => {
    const claims = new MemoryClaims();
    const windows = [aWindow(claims), aWindow(claims)];
    for (const { exports, ui } of windows) {
      ui.answer('Stop Watching');
      exports.put(aView({}, { watch: { name: 'stalled', since: start } }));
    }
    await settled();
    const asked = windows.filter(({ ui }) => ui.texts('warn').length > 0);
    assert.equal(asked.length, 1);
    assert.deepEqual(asked[0]?.ui.shown[0]?.options, ['Keep Waiting', 'Stop Watching']);
    assert.deepEqual(asked[0].exports.calls, ['stopWatching e1']);
  });

  it('claims a stalled job once, however often it is reported', async () => {
    const { exports, claims } = aWindow();
    let claimed = 0;
    claims.claim = () => Promise.resolve(++claimed > 1);
    for (const pages of [1, 2, 3]) {
      exports.put(aView({ pages }, { watch: { name: 'stalled', since: start } }));
    }
    await settled();
    assert.equal(claimed, 1);
  });

  it('logs a notification that it could not show', async () => {
    const { exports, ui, log } = aWindow();
    ui.answer('Get Bundle Link');
    ui.onCommand = () => Promise.reject(new Error('gone'));
    exports.end(aView({ outcome: 'completed' }, idle));
    await settled();
    assert.deepEqual(log.errors[0]?.message, 'Announcing the end of an export failed');
  });

  it('shows nothing once it is disposed', async () => {
    const { exports, ui, ends } = aWindow();
    ends.dispose();
    exports.end(aView({ outcome: 'completed' }, idle));
    await settled();
    assert.deepEqual(ui.shown, []);
  });
});
