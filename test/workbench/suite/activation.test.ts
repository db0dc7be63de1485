import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '../../../src/common/contributions';

const EXTENSION_ID = 'docs-assistant.docs-assistant';

describe('the packaged extension', () => {
  it('activates', async () => {
    const extension = vscode.extensions.getExtension(EXTENSION_ID);
    assert.ok(extension, `${EXTENSION_ID} is not loaded`);
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it('registers every command that its manifest declares', async () => {
    await vscode.extensions.getExtension(EXTENSION_ID)?.activate();
    const registered = new Set(await vscode.commands.getCommands(true));
    const missing = Object.values(commands).filter((id) => !registered.has(id));
    assert.deepEqual(missing, []);
  });
});
