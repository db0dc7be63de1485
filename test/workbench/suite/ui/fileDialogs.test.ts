import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { uriExists } from '../../../../src/vscode/uriExists';
import {
  ask,
  focusChat,
  inWorkspace,
  questionBox,
  quickInput,
  startAfresh,
  until,
} from '../../asking';
import { cannedReply, docsService, lastQuestion } from '../../docsService';
import { nameFile } from '../../exporting';
import { chat, pressKey, takeScreenshot, workbench } from '../../pageDriver';

const code = 'parcel = client.parcels.create(\n    weight=420,\n)\n';
const saved = 'saved parcel.py';
const unfit = 'parcel.bin';

/** Waits until VS Code's dialog proposes a path. */
async function whenProposed(path: string): Promise<void> {
  await workbench.waitFor(quickInput);
  while ((await workbench.inputValue(quickInput)) !== path) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

describe('files that a person names', () => {
  beforeEach(async () => {
    await startAfresh();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await focusChat();
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const name of [saved, unfit]) {
      await vscode.workspace.fs.delete(inWorkspace(name)).then(undefined, () => undefined);
    }
  });

  it('take the code of a reply, after a proposal by its language, and are opened then', async () => {
    await docsService.queue(cannedReply(`Like this:\n\n\`\`\`python\n${code}\`\`\`\n`));
    await ask('How do I create a parcel?');
    await chat.click('.reply .code-more');
    await chat.click('.code-menu button', { hasText: 'Save As…' });
    await whenProposed(inWorkspace('snippet.py').path);
    await takeScreenshot('save-code-as');
    await pressKey('Escape');
    await workbench.waitFor(quickInput, {}, 'hidden');

    await chat.click('.reply .code-more');
    await chat.click('.code-menu button', { hasText: 'Save As…' });
    await whenProposed(inWorkspace('snippet.py').path);
    await nameFile(inWorkspace(saved).path);
    const { path } = inWorkspace(saved);
    await until(() => vscode.window.activeTextEditor?.document.uri.path === path);
    assert.equal(vscode.window.activeTextEditor?.document.getText().trimEnd(), code.trimEnd());
    assert.equal(await uriExists(inWorkspace('snippet.py')), false, 'saved where nobody said so');
  });

  it('are attached to a question, and go along as file parts', async () => {
    const file = inWorkspace('data/parcels.json');
    await chat.fill(questionBox, 'What is in this file?');
    await chat.click('.attach-files');
    await nameFile(file.path);
    await chat.waitFor('.composer .attachments .chip', { hasText: 'parcels.json' });
    assert.equal(await chat.inputValue(questionBox), 'What is in this file?');
    await docsService.queue(cannedReply('Parcels.'));
    await ask('What is in this file?');
    const { body } = await lastQuestion();
    const content = Buffer.from(await vscode.workspace.fs.readFile(file)).toString('base64');
    assert.deepEqual(
      body.messages[0]?.parts.filter(({ type }) => type === 'file'),
      [
        {
          type: 'file',
          mediaType: 'application/json',
          url: `data:application/json;base64,${content}`,
          filename: 'parcels.json',
        },
      ],
    );
    assert.equal(await chat.count('.composer .attachments .chip'), 0);
  });

  it('are refused with the reason where they cannot be attached', async () => {
    await vscode.workspace.fs.writeFile(inWorkspace(unfit), new Uint8Array([0, 1, 2, 255, 0]));
    await chat.click('.attach-files');
    await nameFile(inWorkspace(unfit).path);
    await chat.waitFor('.composer-notice', { hasText: 'parcel.bin can’t be attached' });
    assert.equal(await chat.count('.composer .attachments .chip'), 0);
  });
});
