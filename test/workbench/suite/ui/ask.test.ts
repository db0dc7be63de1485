import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { commands, settings, views } from '../../../../src/common/contributions';
import {
  addSelection,
  ask,
  citedSource,
  extensionApi,
  focusChat,
  inWorkspace,
  newThread,
  openAndSelect,
  questionBox,
  quickInput,
  replyText,
  send,
  startAfresh,
  until,
  whenReplyEnds,
} from '../../asking';
import { docsService, holdMidReply, lastQuestion, threadIdOf } from '../../docsService';
import { whenNotified } from '../../exporting';
import { chat, takeScreenshot, workbench } from '../../pageDriver';
import { suiteEnvironment } from '../../suiteEnvironment';

/** Returns the roles of the shown thread as the host has them: the view builds only some messages. */
async function shownRoles(): Promise<string[]> {
  return (await extensionApi()).snapshot().thread.messages.map(({ role }) => role);
}

describe('asking from the editor', () => {
  beforeEach(startAfresh);

  it('sends a code selection with its type, value and path, and shows a cited reply', async () => {
    const editor = await openAndSelect(
      'src/createShipment.ts',
      'export async function createShipment',
      '\n}\n',
    );
    const selected = editor.document.getText(editor.selection);
    await vscode.commands.executeCommand(commands.ask);
    await chat.waitFor('.composer .chip', { hasText: 'createShipment.ts' });

    const question = 'What does the idempotency key do here?';
    const reply = await ask(question);

    const { exchange, body } = await lastQuestion();
    const { key, domain } = suiteEnvironment().site;
    assert.equal(exchange.path, `/v2/assistant/${domain}/message`);
    assert.equal(exchange.headers['authorization'], `Bearer ${key}`);
    assert.deepEqual(body.context, [
      { type: 'code', value: selected, path: 'src/createShipment.ts' },
    ]);
    assert.equal(body.fp, 'anonymous');
    assert.equal(body.retrievalPageSize, 5);
    assert.equal('threadId' in body, false);
    assert.deepEqual(
      body.messages.map(({ role, parts }) => [role, parts]),
      [['user', [{ type: 'text', text: question }]]],
    );

    assert.match(reply, /idempoten/i);
    assert.ok((await chat.count(citedSource)) > 0, 'no source is shown');
    assert.equal(await chat.count('article.question .chip'), 1);
    assert.equal(await chat.count('.composer .chip'), 0, 'the chip goes with its question');
    assert.equal(await chat.inputValue(questionBox), '');
    await takeScreenshot('reply-to-code-selection');
  });

  it('sends a Markdown selection as a text selection', async () => {
    await openAndSelect('README.md', 'How long does a webhook delivery go on being retried');
    await vscode.commands.executeCommand(commands.ask);
    await chat.waitFor('.composer .chip', { hasText: 'README.md' });
    const reply = await ask('What do the docs say?');
    const { body } = await lastQuestion();
    assert.deepEqual(body.context, [
      {
        type: 'textSelection',
        value: 'How long does a webhook delivery go on being retried',
        path: 'README.md',
      },
    ]);
    assert.match(reply, /webhook/i);
  });

  it('sends unsaved text as it is in the editor', async () => {
    const document = await vscode.workspace.openTextDocument({
      language: 'python',
      content: 'client.labels.buy(rate)',
    });
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(0, 0, 0, 17);
    await vscode.commands.executeCommand(commands.ask);
    await chat.waitFor('.composer .chip');
    await ask('Which formats are there?');
    assert.deepEqual((await lastQuestion()).body.context, [
      { type: 'code', value: 'client.labels.buy' },
    ]);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('names the page that is open where the workspace is the docs’ own source', async () => {
    const configuration = vscode.workspace.getConfiguration();
    await configuration.update(settings.docsRoot, '.', vscode.ConfigurationTarget.Workspace);
    await openAndSelect('README.md', 'Order desk');
    await focusChat();
    await ask('What is this page about?');
    assert.equal((await lastQuestion()).body.currentPath, '/README');
    await configuration.update(settings.docsRoot, undefined, vscode.ConfigurationTarget.Workspace);
    await ask('And now?', 1);
    assert.equal('currentPath' in (await lastQuestion()).body, false);
  });

  it('names the notebook and the cell of a selection in a cell', async () => {
    const notebook = await vscode.workspace.openNotebookDocument(inWorkspace('notes.ipynb'));
    const cell = notebook.getCells().find(({ kind }) => kind === vscode.NotebookCellKind.Code);
    assert.ok(cell, 'the sample notebook has no code cell');
    await vscode.window.showNotebookDocument(notebook, {
      selections: [new vscode.NotebookRange(cell.index, cell.index + 1)],
    });
    await addSelection();
    await chat.waitFor('.composer .chip', { hasText: 'notes.ipynb' });
    await ask('What does this cell call?');
    const { body } = await lastQuestion();
    assert.deepEqual(body.context, [
      {
        type: 'code',
        value: cell.document.getText(),
        path: 'notes.ipynb',
        elementId: (cell.metadata as { id?: string }).id ?? cell.document.uri.fragment,
      },
    ]);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('collects selections of several files, each once, and drops the one that is removed', async () => {
    await openAndSelect('src/createShipment.ts', 'const warehouse');
    await addSelection();
    await addSelection();
    await openAndSelect('data/parcels.json', '"id"');
    await addSelection();
    await openAndSelect('README.md', 'Order desk');
    await addSelection();
    await chat.waitFor('.composer .chip', { hasText: 'README.md' });
    assert.equal(await chat.count('.composer .chip'), 3);

    await chat.click('.composer .chip', { hasText: 'createShipment.ts' });
    const { path } = inWorkspace('src/createShipment.ts');
    await until(() => vscode.window.activeTextEditor?.document.uri.path === path);
    await chat.click('.composer .chip-remove', { nth: 1 });
    await chat.waitFor('.composer .chip', { nth: 2 }, 'detached');
    await ask('What is the weight unit?');
    const { body } = await lastQuestion();
    assert.deepEqual(body.context, [
      { type: 'code', value: 'const warehouse', path: 'src/createShipment.ts' },
      { type: 'textSelection', value: 'Order desk', path: 'README.md' },
    ]);
  });

  it('offers the whole file where nothing is selected', async () => {
    const editor = await openAndSelect('src/webhooks.py', 'import');
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    const asking = vscode.commands.executeCommand(commands.ask);
    await workbench.waitFor(quickInput);
    await workbench.click('.quick-input-list .monaco-list-row', { hasText: 'Whole file' });
    await asking;
    await chat.waitFor('.composer .chip', { hasText: 'webhooks.py' });
    await ask('How do I verify the signature?');
    assert.deepEqual((await lastQuestion()).body.context, [
      {
        type: 'code',
        value: await readFile(inWorkspace('src/webhooks.py').fsPath, 'utf8'),
        path: 'src/webhooks.py',
      },
    ]);
  });

  it('refuses a selection over the limit with its size and the limit', async () => {
    const document = await vscode.workspace.openTextDocument({ content: 'x'.repeat(5_000_000) });
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(0, 0, 0, 5_000_000);
    await vscode.commands.executeCommand(commands.addSelection);
    await whenNotified('is 5 MB. Selections can be up to 100');
    assert.equal(await chat.count('.composer .chip'), 0);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('continues the thread that the service named', async () => {
    await ask('How do I create a shipment?');
    const first = await lastQuestion();
    const threadId = threadIdOf(first.exchange);
    assert.equal(typeof threadId, 'string');
    await ask('And in Python?', 1);
    const { body } = await lastQuestion();
    assert.equal(body.threadId, threadId);
    assert.deepEqual(
      body.messages.map(({ role }) => role),
      ['user', 'assistant', 'user'],
    );
  });

  it('begins a thread of its own after New Thread', async () => {
    await ask('How do I create a shipment?');
    await newThread();
    await ask('How do I create a webhook?');
    const { body } = await lastQuestion();
    assert.equal('threadId' in body, false);
    assert.equal(body.messages.length, 1);
  });

  it('stops a reply at once and keeps what was read of it', async () => {
    await holdMidReply('stop');
    await send('How do I create a shipment?');
    await docsService.whenHeld('stop');
    await chat.waitFor(replyText);
    await chat.click('.composer .send');
    await whenReplyEnds();
    await chat.waitFor('article.reply .status-line', { hasText: 'You stopped this reply' });
    assert.notEqual((await chat.text(replyText)).trim(), '');
    const { exchange } = await lastQuestion();
    assert.equal(exchange.state, 'client-gone');
    // The next question is free to go.
    assert.match(await ask('How do I authenticate?', 1), /key/i);
  });

  // Shows faults.md E2.
  it('comes back whole when the panel was hidden in the midst of a reply', async () => {
    await holdMidReply('hide');
    await send('How do I create a shipment?');
    await docsService.whenHeld('hide');
    await chat.waitFor(replyText);
    await vscode.commands.executeCommand('workbench.view.explorer');
    await docsService.openGate('hide');
    await focusChat();
    await whenReplyEnds();
    assert.deepEqual(await shownRoles(), ['user', 'assistant']);
    const shown = await chat.text(replyText);
    const { exchange } = await lastQuestion();
    assert.equal(exchange.state, 'complete');
    await vscode.commands.executeCommand('workbench.view.explorer');
    await focusChat();
    assert.equal(await chat.text(replyText), shown);
  });

  describe('in another container', () => {
    afterEach(async () => {
      await moveChatTo('workbench.view.extension.docsAssistant');
      await chat.waitFor(questionBox);
    });

    it('comes back whole when the panel was moved there in the midst of a reply', async () => {
      await holdMidReply('move');
      await send('How do I create a shipment?');
      await docsService.whenHeld('move');
      await chat.waitFor(replyText);
      await moveChatTo('workbench.view.explorer');
      await chat.waitFor('article.reply[aria-busy="true"]');
      const [question] = (await extensionApi()).snapshot().thread.messages;
      assert.ok(question?.role === 'user' && question.text === 'How do I create a shipment?');
      await docsService.openGate('move');
      await whenReplyEnds();
      const { exchange } = await lastQuestion();
      assert.equal(exchange.state, 'complete');
      assert.deepEqual(await shownRoles(), ['user', 'assistant']);
    });
  });

  it('keeps an empty question from being sent', async () => {
    const before = (await docsService.exchanges()).length;
    await chat.fill(questionBox, '  ');
    await chat.press(questionBox, 'Enter');
    assert.equal(await chat.count('article.question'), 0);
    assert.equal((await docsService.exchanges()).length, before);
  });
});

/**
 * Moves the chat to another container, such as the secondary side bar, where VS Code makes the view
 * anew.
 */
async function moveChatTo(destinationId: string): Promise<void> {
  await vscode.commands.executeCommand('vscode.moveViews', {
    viewIds: [views.chat],
    destinationId,
  });
  await focusChat();
}
