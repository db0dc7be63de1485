import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { packageCommands } from '../../../../src/common/contributions';
import { inWorkspace } from '../../asking';
import { clearNotifications, whenNotified } from '../../exporting';

describe('versions of packages in Restricted Mode', () => {
  it('are not compared, and a sentence says what waits for trust', async () => {
    assert.equal(vscode.workspace.isTrusted, false, 'the window trusts the folder');
    const manifest = inWorkspace('package.json').toString();
    await vscode.commands.executeCommand(packageCommands.whatChanges, {
      manifest,
      name: 'parcels',
    });
    await whenNotified('Trust this workspace first.');
    assert.equal(vscode.window.activeTextEditor, undefined);
    await clearNotifications();
  });
});
