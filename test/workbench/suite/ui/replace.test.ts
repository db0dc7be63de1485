import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { addSelection, ask, inWorkspace, openAndSelect, startAfresh, until } from '../../asking';
import { cannedReply, docsService } from '../../docsService';
import { choose, clearNotifications, takeAction, whenNotified } from '../../exporting';
import { chat, takeScreenshot } from '../../pageDriver';

const path = 'src/createShipment.ts';
const code = `async function createShipment(order: Order) {
    const parcel = toParcel(order);
    return client.shipments.create({ parcels: [parcel] });
}`;
/** The code with the indentation of the document, which is two spaces. */
const fitted = `async function createShipment(order: Order) {
  const parcel = toParcel(order);
  return client.shipments.create({ parcels: [parcel] });
}`;

/** Asks about a function; the reply is a block of code. */
async function askForCode(block = code, language = 'ts'): Promise<vscode.TextDocument> {
  const { document } = await openAndSelect(path, 'async function createShipment', '\n}');
  await addSelection();
  await chat.waitFor('.composer .chip', { hasText: 'createShipment.ts' });
  await docsService.queue(cannedReply(`Like this:\n\n\`\`\`${language}\n${block}\n\`\`\`\n`));
  await ask('How can this be shorter?');
  return document;
}

async function chooseFromMenu(label: string): Promise<void> {
  await chat.click('.reply .code-more');
  await chat.click('.code-menu button', { hasText: label });
}

const diffTabs = (): vscode.Tab[] =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputTextDiff);

describe('from a reply to the code', () => {
  let original: Uint8Array;

  before(async () => {
    original = await vscode.workspace.fs.readFile(inWorkspace(path));
  });
  beforeEach(async () => {
    await startAfresh();
    await clearNotifications();
  });
  afterEach(async () => {
    // VS Code reverts the active editor, and the next test may get a document before it has its text back.
    const document = await vscode.workspace.openTextDocument(inWorkspace(path));
    await vscode.window.showTextDocument(document);
    // In a browser, VS Code saves a change by itself, and may not hear that the file is written after that. So it is
    // written before VS Code reads it again.
    await vscode.workspace.fs.writeFile(inWorkspace(path), original);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    const originalText = new TextDecoder().decode(original);
    await until(() => !document.isDirty && document.getText() === originalText);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    // VS Code counts a terminal until it has closed, which the next test must not.
    const ownTerminals = (): vscode.Terminal[] =>
      vscode.window.terminals.filter(({ name }) => name === 'Docs Assistant');
    for (const terminal of ownTerminals()) terminal.dispose();
    await until(() => ownTerminals().length === 0);
  });

  it('replaces the selection that was asked about once its diff is accepted, in one step', async () => {
    const document = await askForCode();
    const before = document.getText();
    await chooseFromMenu('Replace Selection');
    await whenNotified('Replace the selection in createShipment.ts as shown?');
    await until(() => diffTabs().length === 1);
    assert.equal(document.getText(), before, 'it was replaced before it was accepted');
    await takeScreenshot('replace-selection');
    await takeAction('Replace the selection in createShipment.ts', 'Replace');
    await until(() => document.getText() !== before);
    assert.ok(document.getText().includes(`export ${fitted}`), document.getText());
    await until(() => diffTabs().length === 0);
    await until(() => vscode.window.activeTextEditor?.document === document);
    assert.equal(document.getText(vscode.window.activeTextEditor?.selection), fitted);
    await vscode.commands.executeCommand('undo');
    await until(() => document.getText() === before);
  });

  it('changes nothing when it is canceled', async () => {
    const document = await askForCode();
    const before = document.getText();
    await chooseFromMenu('Replace Selection');
    await takeAction('Replace the selection in createShipment.ts', 'Cancel');
    await until(() => diffTabs().length === 0);
    assert.equal(document.getText(), before);
    assert.equal(document.isDirty, false);
  });

  it('shows the diff anew if the document has changed', async () => {
    const document = await askForCode();
    await chooseFromMenu('Replace Selection');
    await whenNotified('as shown?');
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), '// moved\n');
    await vscode.workspace.applyEdit(edit);
    const moved = document.getText();
    await takeAction('as shown?', 'Replace');
    await whenNotified('has changed. Replace');
    assert.equal(document.getText(), moved);
    await takeAction('has changed. Replace', 'Replace');
    await until(() => document.getText() !== moved);
    assert.ok(document.getText().startsWith('// moved\n'));
    assert.ok(document.getText().includes(`export ${fitted}`));
  });

  it('says so where the selection is gone', async () => {
    const document = await askForCode();
    const edit = new vscode.WorkspaceEdit();
    edit.delete(document.uri, new vscode.Range(0, 0, document.lineCount, 0));
    await vscode.workspace.applyEdit(edit);
    await chooseFromMenu('Replace Selection');
    await chat.waitFor('.composer-notice', { hasText: 'no longer exists' });
    assert.equal(diffTabs().length, 0);
  });

  it('asks which one, where several selections were asked about', async () => {
    await openAndSelect('src/webhooks.py', 'import');
    await addSelection();
    const document = await askForCode();
    const before = document.getText();
    await chooseFromMenu('Replace Selection');
    await choose('createShipment.ts');
    await takeAction('Replace the selection in createShipment.ts', 'Replace');
    await until(() => document.getText() !== before);
    assert.ok(document.getText().includes(`export ${fitted}`));
  });

  it('runs commands in a terminal of its own after asking, without prompts and output', async () => {
    await askForCode('$ echo parcels\nnothing to see', 'console');
    const before = vscode.window.terminals.length;
    await chooseFromMenu('Run in Terminal');
    await whenNotified('Run this command in the terminal? echo parcels');
    assert.equal(vscode.window.terminals.length, before, 'a terminal was made before the answer');
    await takeAction('Run this command in the terminal?', 'Insert without Running');
    await until(() => vscode.window.terminals.length === before + 1);
    const terminal = vscode.window.terminals.find(({ name }) => name === 'Docs Assistant');
    assert.ok(terminal, 'the terminal has another name');
    const { cwd } = terminal.creationOptions as vscode.TerminalOptions;
    assert.equal(typeof cwd === 'object' ? cwd.path : cwd, inWorkspace('').path.replace(/\/$/, ''));
  });

  it('types nothing behind a command that still waits to be run', async () => {
    await askForCode('$ echo parcels', 'console');
    const before = vscode.window.terminals.length;
    for (const count of [1, 2]) {
      await chooseFromMenu('Run in Terminal');
      await takeAction('Run this command in the terminal?', 'Insert without Running');
      await until(() => vscode.window.terminals.length === before + count);
    }
  });

  it('shows several commands whole before they run, and runs none when it is canceled', async () => {
    await askForCode('# first\nmkdir parcels\ncd parcels', 'bash');
    await chooseFromMenu('Run in Terminal');
    await whenNotified('Run these commands in the terminal?');
    await until(
      () => vscode.window.activeTextEditor?.document.getText() === 'mkdir parcels\ncd parcels',
    );
    const before = vscode.window.terminals.length;
    await takeAction('Run these commands in the terminal?', 'Cancel');
    await until(() =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .every(
          ({ input }) =>
            !(input instanceof vscode.TabInputText) ||
            input.uri.scheme !== 'docs-assistant-commands',
        ),
    );
    assert.equal(vscode.window.terminals.length, before);
  });
});
