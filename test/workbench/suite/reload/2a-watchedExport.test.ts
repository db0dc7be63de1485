import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { exportCommands, exportViews } from '../../../../src/common/contributions';
import { extensionApi } from '../../asking';
import { docsService } from '../../docsService';
import {
  begin,
  clearNotifications,
  exportRequests,
  exportRow,
  forgetExports,
  notification,
  whenNotified,
  startedJobId,
  stopExporting,
} from '../../exporting';
import { takeScreenshot, workbench } from '../../pageDriver';

/** Each notification is one in the list, wherever else it shows. */
const listed = '.notifications-center .notification-list-item';

describe('an export after the reload', () => {
  after(async () => {
    await forgetExports();
    await stopExporting();
  });

  it('is watched by itself and shown as far as it is, with nothing started anew', async () => {
    const jobId = await startedJobId();
    // Before the tree is opened: a job under way is reason enough to load what watches it.
    await extensionApi();
    await workbench.waitFor('.statusbar-item', { hasText: 'Export 42 %', nth: 0 });
    await vscode.commands.executeCommand(`${exportViews.exports}.focus`);
    await workbench.waitFor(exportRow, { hasText: 'rendering', nth: 0 });
    const row = await workbench.text(exportRow, { hasText: 'rendering', nth: 0 });
    assert.match(row, /sample.*rendering.*42 %.*16 pages/s);
    await takeScreenshot('export-after-reload');
    assert.equal(await startedJobId(), jobId);
  });

  it('has its end told once', async () => {
    assert.equal(await workbench.count(notification, { hasText: 'has completed' }), 0);
    await docsService.clearFaults();
    await whenNotified('The export of sample has completed');
    await workbench.waitFor(exportRow, { hasText: 'completed', nth: 0 });
    await workbench.waitFor('.statusbar-item', { hasText: 'Export 42 %' }, 'detached');
    await vscode.commands.executeCommand('notifications.showList');
    await workbench.waitFor(listed, { hasText: 'has completed', nth: 0 });
    assert.equal(await workbench.count(listed, { hasText: 'has completed' }), 1);
    await clearNotifications();
  });

  it('is listed with its bundle to be had', async () => {
    const jobId = await startedJobId();
    assert.equal(await workbench.count(exportRow, { hasText: 'completed' }), 1);
    await begin(exportCommands.getBundleLink);
    await workbench.waitFor(exportRow, { hasText: 'link:', nth: 0 });
    const [asked] = await exportRequests('POST', `/v1/static-export/jobs/${jobId}/bundle`);
    const { bundleUrl } = JSON.parse(asked?.responseText ?? '{}') as { bundleUrl: string };
    const response = await fetch(bundleUrl, { method: 'HEAD' });
    assert.equal(response.status, 200);
  });
});
