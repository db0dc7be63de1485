import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands, views } from '../../../../src/common/contributions';
import {
  ask,
  extensionApi,
  inWorkspace,
  openAndSelect,
  questionBox,
  showTerminal,
  startAfresh,
  until,
  untilInComposer,
} from '../../asking';
import { lastQuestion } from '../../docsService';
import { whenNotified } from '../../exporting';
import { chat, pressKey, takeScreenshot, workbench } from '../../pageDriver';

const menuItem = '.monaco-menu .action-label';
const focusedItem = '.monaco-menu .action-item.focused';

interface SentItem {
  readonly type: string;
  readonly value: string;
  readonly path?: string;
}

/** Returns the context items of the question that was asked last. */
async function sentContext(): Promise<readonly SentItem[]> {
  // The tests look at each field that they rely on.
  return (await lastQuestion()).body.context as SentItem[];
}

/** Returns the items that wait for the next question. */
async function waiting(count: number): Promise<readonly string[]> {
  const { snapshot } = await extensionApi();
  await until(() => snapshot().contextItems.length === count);
  return snapshot().contextItems.map(({ label }) => label);
}

describe('the quick fix of a problem', () => {
  let diagnostics: vscode.DiagnosticCollection;
  const uri = (): vscode.Uri => inWorkspace('src/createShipment.ts');

  before(() => (diagnostics = vscode.languages.createDiagnosticCollection('suite')));
  after(() => diagnostics.dispose());
  beforeEach(startAfresh);

  /** Marks a text of the file, and returns its range. */
  async function mark(marked: string, message: string): Promise<vscode.Range> {
    const { document } = await openAndSelect('src/createShipment.ts', marked);
    const start = document.getText().indexOf(marked);
    const range = new vscode.Range(
      document.positionAt(start),
      document.positionAt(start + marked.length),
    );
    const problem = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Error);
    problem.source = 'suite';
    problem.code = { value: 'S1', target: vscode.Uri.parse('https://suite.example/rules/S1') };
    problem.relatedInformation = [
      new vscode.DiagnosticRelatedInformation(
        new vscode.Location(inWorkspace('types/parcelwren-sdk.d.ts'), new vscode.Range(4, 0, 4, 1)),
        'Declared here',
      ),
    ];
    diagnostics.set(uri(), [problem]);
    return range;
  }

  async function actionsAt(range: vscode.Range, kind?: string): Promise<vscode.CodeAction[]> {
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uri(),
      range,
      kind,
    );
    return actions.filter(({ command }) => command?.command === commands.askProblem);
  }

  it('asks about a problem with a package of the docs, and sends nothing by itself', async () => {
    const range = await mark('new Parcelwren(', 'Expected 2 arguments, but got 1.');
    let action: vscode.CodeAction | undefined;
    // VS Code gives up when another extension's provider comes in the midst of it.
    while (!action) {
      [action] = await actionsAt(range).catch(() => []);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.equal(action.title, 'Ask Docs About This Error');
    assert.equal(action.kind?.value, vscode.CodeActionKind.QuickFix.value);
    assert.ok(action.command);
    const { command, arguments: args = [] } = action.command;
    await untilInComposer(() => vscode.commands.executeCommand(command, ...(args as unknown[])));
    assert.deepEqual(await waiting(2), ['createShipment.ts', 'Problems in createShipment.ts']);
    assert.equal(await chat.inputValue(questionBox), 'How do I fix this error?');
    assert.equal(await chat.count('article.question'), 0);
    await takeScreenshot('asked-about-a-problem');

    await ask('How do I fix this error?');
    const [code, problem] = await sentContext();
    assert.equal(code?.type, 'code');
    assert.equal(code.path, 'src/createShipment.ts');
    assert.equal(code.value.split('\n').length, 13);
    assert.ok(code.value.includes('new Parcelwren('));
    const line = range.start.line + 1;
    const column = range.start.character + 1;
    assert.deepEqual(problem, {
      type: 'textSelection',
      value:
        `src/createShipment.ts:${line}:${column}: error: Expected 2 arguments, but got 1. ` +
        '(suite S1 https://suite.example/rules/S1)\n  types/parcelwren-sdk.d.ts:5: Declared here',
    });
  });

  it('stays away from other problems, until the reader asks for source actions', async () => {
    const range = await mark("city: 'Galway'", 'This city is too small.');
    assert.deepEqual(await actionsAt(range), []);
    const [action] = await actionsAt(range, vscode.CodeActionKind.Source.value);
    assert.equal(action?.title, 'Ask Docs About This Error');
  });

  it('asks about the problem at the cursor from the palette', async () => {
    await mark("city: 'Galway'", 'This city is too small.');
    await vscode.commands.executeCommand(commands.askProblem);
    assert.deepEqual(await waiting(2), ['createShipment.ts', 'Problems in createShipment.ts']);
  });
});

describe('problems of documents that are no files', () => {
  beforeEach(startAfresh);

  it('attaches those of an untitled document and of a notebook cell, whose lines can be gone', async () => {
    const untitled = await vscode.workspace.openTextDocument({
      language: 'python',
      content: 'import parcelwren\n',
    });
    const notebook = await vscode.workspace.openNotebookDocument(inWorkspace('notes.ipynb'));
    const cell = notebook.getCells().find(({ kind }) => kind === vscode.NotebookCellKind.Code);
    assert.ok(cell, 'the sample notebook has no code cell');
    const gone = new vscode.Range(40, 0, 41, 5);
    await vscode.commands.executeCommand(commands.askProblem, untitled.uri, [
      new vscode.Diagnostic(gone, 'unresolved import'),
    ]);
    await vscode.commands.executeCommand(commands.askProblem, cell.document.uri, [
      new vscode.Diagnostic(new vscode.Range(0, 0, 0, 3), 'x'.repeat(50_000)),
    ]);
    await waiting(4);
    await ask('How do I fix these?');
    const context = await sentContext();
    const name = untitled.uri.path;
    assert.deepEqual(context.slice(0, 2), [
      { type: 'code', value: 'import parcelwren\n' },
      { type: 'textSelection', value: `${name}:41:1: error: unresolved import` },
    ]);
    assert.equal(context[2]?.path, 'notes.ipynb');
    assert.match(context[3]?.value ?? '', /^notes\.ipynb:1:1: error: x{2000}…$/);
  });
});

describe('asking from other places', () => {
  beforeEach(startAfresh);

  it('attaches what is selected in the terminal, without its colors', async () => {
    const shown = await showTerminal('parcel 42 was refused');
    try {
      await vscode.commands.executeCommand(commands.askTerminal, shown.terminal);
      assert.deepEqual(await waiting(1), ['Terminal: suite']);
      await ask('Why?');
      assert.deepEqual(await sentContext(), [
        { type: 'textSelection', value: 'parcel 42 was refused' },
      ]);
    } finally {
      shown.dispose();
    }
  });

  // Shows faults.md N4.
  it('says so when nothing is selected in the terminal', async () => {
    const shown = await showTerminal('parcel 42 was refused');
    try {
      await vscode.commands.executeCommand('workbench.action.terminal.clearSelection');
      const selection = (): unknown => Reflect.get(shown.terminal, 'selection');
      await until(() => (selection() ?? '') === '');
      await vscode.env.clipboard.writeText('kept');
      await vscode.commands.executeCommand(commands.askTerminal, shown.terminal);
      await whenNotified('Select text in the terminal first.');
      assert.equal(await vscode.env.clipboard.readText(), 'kept');
      assert.deepEqual(await waiting(0), []);
    } finally {
      shown.dispose();
    }
  });

  it('attaches the file whose menu is opened in the explorer', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('revealInExplorer', inWorkspace('src/webhooks.py'));
    const row = '.explorer-folders-view .monaco-list-row.focused';
    await workbench.waitFor(row, { hasText: 'webhooks.py' });
    await workbench.press('.explorer-folders-view .monaco-list', 'Shift+F10');
    await workbench.waitFor(menuItem, { hasText: 'Ask Docs Assistant' });
    // Newer releases mark no item for a pointer that comes to rest where the menu has just opened.
    while ((await workbench.count(focusedItem, { hasText: 'Ask Docs Assistant' })) === 0) {
      await pressKey('ArrowDown');
    }
    await pressKey('Enter');
    assert.deepEqual(await waiting(1), ['webhooks.py']);
    assert.equal(vscode.window.activeTextEditor, undefined, 'no editor is opened for it');
  });

  // Shows faults.md N5.
  it('attaches several files, and says why others stay out', async () => {
    const huge = inWorkspace('data/huge.log');
    const binary = inWorkspace('data/blob.bin');
    await vscode.workspace.fs.writeFile(huge, Buffer.alloc(200_000, 'x'));
    await vscode.workspace.fs.writeFile(binary, Buffer.from([0, 1, 2, 0, 0, 255, 254, 0]));
    try {
      const readme = inWorkspace('README.md');
      const script = inWorkspace('src/webhooks.py');
      const all = [readme, huge, binary, inWorkspace('src'), script];
      await vscode.commands.executeCommand(commands.askFiles, readme, all);
      assert.deepEqual(await waiting(2), ['README.md', 'webhooks.py']);
      for (const said of [
        'The selection in huge.log is 200 kB. Selections can be up to 100 kB.',
        'blob.bin was not attached because it can’t be read as text.',
        'Folders can’t be attached. Select files.',
      ]) {
        await whenNotified(said);
      }
    } finally {
      await vscode.workspace.fs.delete(huge);
      await vscode.workspace.fs.delete(binary);
    }
  });

  it('attaches a notebook cell with the error in its output', async () => {
    const notebook = await vscode.workspace.openNotebookDocument(inWorkspace('notes.ipynb'));
    const cell = notebook.getCells().find(({ kind }) => kind === vscode.NotebookCellKind.Code);
    assert.ok(cell, 'the sample notebook has no code cell');
    const code = cell.document.getText();
    const error = vscode.NotebookCellOutputItem.error({
      name: 'ApiError',
      message: 'refused',
      stack: '\u001b[31mTraceback\u001b[0m\nApiError: refused',
    });
    const failed = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, code, 'python');
    failed.outputs = [new vscode.NotebookCellOutput([error])];
    const edit = new vscode.WorkspaceEdit();
    const range = new vscode.NotebookRange(cell.index, cell.index + 1);
    edit.set(notebook.uri, [vscode.NotebookEdit.replaceCells(range, [failed])]);
    await vscode.workspace.applyEdit(edit);
    try {
      await vscode.window.showNotebookDocument(notebook, { selections: [range] });
      await vscode.commands.executeCommand(commands.askCell);
      const place = `notes.ipynb [${range.start + 1}]`;
      assert.deepEqual(await waiting(2), [place, `Error in ${place}`]);
      await ask('Why does this fail?');
      const [sentCode, sentError] = await sentContext();
      assert.deepEqual(
        [sentCode?.type, sentCode?.value, sentCode?.path],
        ['code', code, 'notes.ipynb'],
      );
      assert.deepEqual(sentError, {
        type: 'textSelection',
        value: 'Traceback\nApiError: refused',
      });
    } finally {
      await vscode.window.showNotebookDocument(notebook);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
  });
});

/** Tells by its place whether a view of a web page is within the secondary side bar. */
const isChatInSecondarySideBar = `(() => {
  const bar = document.querySelector('.part.auxiliarybar')?.getBoundingClientRect();
  const views = [...document.querySelectorAll('iframe.webview')];
  return bar !== undefined && views.some((view) => {
    const { left, right, width } = view.getBoundingClientRect();
    return width > 0 && left >= bar.left - 1 && right <= bar.right + 1;
  });
})()`;

describe('the place of the chat', () => {
  beforeEach(startAfresh);

  it('can be the secondary side bar', async () => {
    await ask('How do I get started?');
    // The command waits for the reader's choice.
    void vscode.commands.executeCommand(commands.moveChat);
    await workbench.click('.quick-input-list .monaco-list-row', {
      hasText: 'New Secondary Side Bar Entry',
    });
    try {
      while ((await workbench.evaluate(isChatInSecondarySideBar)) !== true) {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      await chat.waitFor('article.question', { hasText: 'How do I get started?' });
      await ask('And then?', 1);
      await takeScreenshot('chat-in-secondary-side-bar');
    } finally {
      await vscode.commands.executeCommand('vscode.moveViews', {
        viewIds: [views.chat],
        destinationId: `workbench.view.extension.${views.container}`,
      });
      await chat.waitFor(questionBox);
      await vscode.commands.executeCommand('workbench.action.closeAuxiliaryBar');
    }
  });
});
