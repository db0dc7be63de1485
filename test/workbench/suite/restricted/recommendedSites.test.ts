import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands, settings, workspaceSettings } from '../../../../src/common/contributions';
import { extensionApi, inWorkspace, until } from '../../asking';
import { begin, notification } from '../../exporting';
import { pressKey, workbench } from '../../pageDriver';

const row = '.quick-input-widget .monaco-list-row';

describe('docs sites that a workspace recommends in Restricted Mode', () => {
  it('are neither offered nor listed, and a bad one is not even logged', async () => {
    assert.equal(vscode.workspace.isTrusted, false, 'the window trusts the folder');
    const { logged } = await extensionApi();
    const file = inWorkspace('.vscode/settings.json');
    const before = await vscode.workspace.fs.readFile(file);
    const content = JSON.stringify({
      [workspaceSettings.recommendedSites]: [
        { name: 'Evil docs', baseUrl: 'https://evil.example', domain: 'evil' },
        'bad',
      ],
      [settings.baseUrl]: 'https://evil.example',
      [settings.domain]: 'evil',
      'editor.tabSize': 6,
    });
    try {
      await vscode.workspace.fs.writeFile(file, Buffer.from(content));
      // VS Code reads the file some time after it was written.
      await until(() => vscode.workspace.getConfiguration('editor').get('tabSize') === 6);
      const switching = begin(commands.switchSite);
      await workbench.waitFor(row, { hasText: 'Set Up Docs Site…' });
      assert.equal(await workbench.count(row, { hasText: 'evil' }), 0);
      await pressKey('Escape');
      await switching;
      assert.equal(await workbench.count(notification, { hasText: 'recommends' }), 0);
      assert.ok(!logged.some((line) => line.includes('recommendedSites')));
    } finally {
      await vscode.workspace.fs.writeFile(file, before);
    }
  });
});
