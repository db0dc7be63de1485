import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import {
  ask,
  extensionApi,
  focusChat,
  inWorkspace,
  openAndSelect,
  questionBox,
  showTerminal,
  startAfresh,
  until,
} from '../../asking';
import { lastQuestion } from '../../docsService';
import { chat, takeScreenshot } from '../../pageDriver';

const option = '.mention-menu [role="option"]';

describe('attaching to a question', () => {
  beforeEach(startAfresh);

  /** Types a `#…` and takes the first that it offers with that text. */
  const mention = async (typed: string, offered: string): Promise<void> => {
    await focusChat();
    const before = await chat.count('.composer .chip');
    await chat.fill(questionBox, typed);
    await chat.waitFor(option, { hasText: offered });
    await chat.press(questionBox, 'Enter');
    await chat.waitFor(`.composer .chip >> nth=${before}`);
    assert.equal(await chat.inputValue(questionBox), '');
  };

  it('attaches the selection by #selection and leaves the focus where it is', async () => {
    await openAndSelect('src/createShipment.ts', 'const warehouse');
    await mention('#sel', 'createShipment.ts');
    await ask('What is this?');
    assert.deepEqual((await lastQuestion()).body.context, [
      { type: 'code', value: 'const warehouse', path: 'src/createShipment.ts' },
    ]);
  });

  it('attaches a file of the workspace by a part of its path', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await focusChat();
    await chat.fill(questionBox, '#file:hooks');
    await chat.waitFor(option, { hasText: 'webhooks.py' });
    await takeScreenshot('mentioned-files');
    await mention('#file:src/webh', 'webhooks.py');
    await ask('How do I verify the signature?');
    assert.deepEqual((await lastQuestion()).body.context, [
      {
        type: 'code',
        value: await readFile(inWorkspace('src/webhooks.py').fsPath, 'utf8'),
        path: 'src/webhooks.py',
      },
    ]);
    assert.equal(vscode.window.activeTextEditor, undefined, 'no editor is opened for it');
  });

  it('attaches the problems of the active file as text', async () => {
    const { document } = await openAndSelect('src/webhooks.py', 'import');
    const diagnostics = vscode.languages.createDiagnosticCollection('suite');
    try {
      const range = new vscode.Range(2, 4, 2, 8);
      const problem = new vscode.Diagnostic(range, 'Wrong <b>secret</b>');
      problem.source = 'suite';
      problem.code = 'E1';
      diagnostics.set(document.uri, [problem]);
      await mention('#prob', '1 in webhooks.py');
      await ask('How do I mend this?');
      assert.deepEqual((await lastQuestion()).body.context, [
        {
          type: 'textSelection',
          value: 'src/webhooks.py:3:5: error: Wrong <b>secret</b> (suite E1)',
        },
      ]);
    } finally {
      diagnostics.dispose();
    }
  });

  it('attaches what is selected in the terminal', async () => {
    const shown = await showTerminal('parcel 42 was refused');
    try {
      await mention('#term', 'suite');
      await ask('Why?');
      assert.deepEqual((await lastQuestion()).body.context, [
        { type: 'textSelection', value: 'parcel 42 was refused' },
      ]);
    } finally {
      shown.dispose();
    }
  });

  it('attaches what two terminals of one name say', async () => {
    const first = await showTerminal('parcel 1 was refused');
    const second = await showTerminal('parcel 2 was refused');
    try {
      await mention('#term', 'suite');
      first.terminal.show();
      await until(() => vscode.window.activeTerminal === first.terminal);
      await mention('#term', 'suite');
      const { snapshot } = await extensionApi();
      await until(() => snapshot().contextItems.length === 2);
    } finally {
      first.dispose();
      second.dispose();
    }
  });

  it('says why there is nothing to attach, and attaches nothing', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await focusChat();
    await chat.fill(questionBox, '#sel');
    await chat.waitFor(`${option}[aria-disabled="true"]`, { hasText: 'Nothing is selected' });
    await chat.press(questionBox, 'Enter');
    assert.equal(await chat.count('.composer .chip'), 0);
    assert.equal(await chat.count('article.question'), 0);
  });

  it('sends dropped files as file parts, by what their content says', async () => {
    await chat.evaluate(`(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['parcel,weight\\n1,2\\n'], 'parcels.csv'));
      const settings = { dataTransfer, bubbles: true, cancelable: true };
      document.body.dispatchEvent(new DragEvent('drop', settings));
    })()`);
    await chat.waitFor('.composer .attachments .chip', { hasText: 'parcels.csv' });
    const { snapshot } = await extensionApi();
    assert.equal(snapshot().files?.length, 1);
    await ask('What is in this file?');
    const { body } = await lastQuestion();
    const content = Buffer.from('parcel,weight\n1,2\n').toString('base64');
    assert.deepEqual(
      body.messages[0]?.parts.find(({ type }) => type === 'file'),
      {
        type: 'file',
        mediaType: 'text/csv',
        url: `data:text/csv;base64,${content}`,
        filename: 'parcels.csv',
      },
    );
    assert.equal(await chat.count('.composer .attachments .chip'), 0);
  });

  it('starts with questions about what the active file imports', async () => {
    const document = await vscode.workspace.openTextDocument({
      language: 'python',
      content: 'import os\nfrom parcelwren import Client\n',
    });
    await vscode.window.showTextDocument(document);
    await focusChat();
    await chat.waitFor('.suggestion', { hasText: 'How do I use Client from parcelwren?' });
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await chat.waitFor('.suggestion', { hasText: 'from parcelwren' }, 'detached');
  });
});
