import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { commands } from '../../../../src/common/contributions';
import { extensionApi, inWorkspace } from '../../asking';
import { begin } from '../../exporting';
import { pressKey, workbench } from '../../pageDriver';

const row = '.quick-input-widget .monaco-list-row';

describe('installed packages in Restricted Mode', () => {
  // Shows faults.md I12.
  it('wait for trust: the list says so, and nothing of the workspace is read', async () => {
    assert.equal(vscode.workspace.isTrusted, false, 'the window trusts the folder');
    const { logged } = await extensionApi();
    const file = inWorkspace('package.json').fsPath;
    // A file that would be reported if it were read.
    await writeFile(file, '{ broken');
    try {
      const choosing = begin(commands.chooseDocs);
      await workbench.waitFor(row, { hasText: 'trust this workspace to ask about its packages' });
      await pressKey('Escape');
      await choosing;
      assert.ok(!logged.some((line) => line.includes('package.json')), logged.join('\n'));
    } finally {
      await rm(file, { force: true });
    }
  });
});
