import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { exportCommands } from '../../../../src/common/contributions';
import { answerPrompt, whenOnDisk } from '../../asking';
import { docsService } from '../../docsService';
import {
  begin,
  exportRequests,
  exportRow,
  jobUnderWay,
  startExporting,
  startedJobId,
} from '../../exporting';
import { workbench } from '../../pageDriver';
import { suiteEnvironment } from '../../suiteEnvironment';

describe('an export under way when the window is reloaded', () => {
  before(startExporting);

  it('is watched and on disk', async () => {
    const { site } = suiteEnvironment();
    const set = begin(exportCommands.setAdminKey);
    await answerPrompt(site.adminKey);
    await set;
    await docsService.queue(jobUnderWay({ status: 'rendering', progress: 42, pageCount: 16 }));
    await begin(exportCommands.exportSite, { exportDomain: site.domain });
    await workbench.waitFor(exportRow, { hasText: 'rendering', nth: 0 });
    assert.equal((await exportRequests('POST', '/v1/static-export/jobs')).length, 1);
    await whenOnDisk(await startedJobId());
    // The tree would load what watches the job by itself.
    await vscode.commands.executeCommand('workbench.view.explorer');
    await workbench.waitFor(exportRow, { hasText: 'rendering' }, 'hidden');
  });
});
