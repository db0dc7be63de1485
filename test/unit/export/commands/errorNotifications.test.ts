import assert from 'node:assert/strict';
import { commands, exportCommands, exportSettings } from '../../../../src/common/contributions';
import { DocsAssistantError } from '../../../../src/common/errors';
import { showExportError } from '../../../../src/export/commands/errorNotifications';
import { ExportError, type ExportErrorCode } from '../../../../src/export/exportErrors';
import { RecordingLog } from '../../../fakes/recordingLog';
import { ScriptedUi } from '../../../fakes/scriptedUi';

const node = { kind: 'export', id: 'e1' } as const;

describe('showExportError', () => {
  for (const [code, button, ran] of [
    ['admin-key-rejected', 'Set Admin Key…', [exportCommands.setAdminKey, node]],
    ['link-expired', 'Renew Link', [exportCommands.renewLink, node]],
    ['not-an-archive', 'Download Bundle…', [exportCommands.downloadBundle, node]],
    ['job-failed', 'Start Again', [exportCommands.startAgain, node]],
    ['unknown-job', 'Start Again', [exportCommands.startAgain, node]],
    ['workspace-not-trusted', 'Manage Workspace Trust', ['workbench.trust.manage']],
    ['export-redirected', 'Open Settings', [commands.openSettings, exportSettings.apiUrl]],
    ['local-service-stopped', 'Start Local Docs Service', [commands.startLocalService]],
    ['export-forbidden', 'Open Log', [commands.openLog]],
  ] as const satisfies readonly (readonly [ExportErrorCode, string, readonly unknown[]])[]) {
    it(`offers “${button}” for ${code}, and runs it`, async () => {
      const ui = new ScriptedUi().answer(button);
      const log = new RecordingLog();
      await showExportError(new ExportError(code, { host: 'api.example.com' }), { ui, log, node });
      assert.deepEqual(ui.ran, [ran]);
      log.assertNoErrors();
    });
  }

  it('offers only actions that help an export for an error that questions share', async () => {
    const ui = new ScriptedUi();
    const log = new RecordingLog();
    await showExportError(new DocsAssistantError('offline', { host: 'h' }), { ui, log });
    await showExportError(new DocsAssistantError('unexpected-html', { host: 'h' }), { ui, log });
    assert.deepEqual(
      ui.shown.map(({ options }) => options),
      [['Open Settings'], ['Open Settings']],
    );
  });

  it('logs an unexpected error, and shows none of its text', async () => {
    const ui = new ScriptedUi();
    const log = new RecordingLog();
    await showExportError(new TypeError('x is undefined'), { ui, log });
    assert.equal(log.errors.length, 1);
    assert.ok(!ui.texts('fail')[0]?.includes('undefined'));
  });

  it('says when to try again', async () => {
    const ui = new ScriptedUi();
    const log = new RecordingLog();
    const retryAt = new Date(2026, 10, 21, 14, 5).getTime();
    await showExportError(new ExportError('export-rate-limited', { host: 'h', retryAt }), {
      ui,
      log,
    });
    assert.match(ui.texts('fail')[0] ?? '', /^Too many requests to h\. Try again at 2:05\sPM\.$/);
  });

  it('shows nothing for a cancellation', async () => {
    const ui = new ScriptedUi();
    const log = new RecordingLog();
    const controller = new AbortController();
    controller.abort();
    assert.equal(await showExportError(controller.signal.reason, { ui, log }), false);
    assert.deepEqual(ui.shown, []);
  });

  it('omits the action that the caller takes care of', async () => {
    const log = new RecordingLog();
    const error = new ExportError('admin-key-rejected');
    const taken = new ScriptedUi().answer('Set Admin Key…');
    assert.equal(await showExportError(error, { ui: taken, log, takes: 'set-admin-key' }), true);
    assert.deepEqual(taken.ran, []);
    const dismissed = new ScriptedUi();
    assert.equal(
      await showExportError(error, { ui: dismissed, log, takes: 'set-admin-key' }),
      false,
    );
  });
});
