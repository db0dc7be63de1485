import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { questionCommands } from '../../../../src/common/contributions';
import { inWorkspace, startAfresh } from '../../asking';
import { begin, choose, clearNotifications, nameFile, temporaryFolder } from '../../exporting';
import { takeScreenshot, workbench } from '../../pageDriver';

/** Rows of the Test Explorer. Their labels tell the result. */
const row = '.test-explorer .monaco-list-row';

const limits = '# Limits\n\nAn upload can be at most 45 megabytes large.\n';
const keys = '# Keys\n\nA key opens the API. Keep it secret.\n';
const questions = `# Questions that these docs must answer.
questions:
  - question: How large can an upload be?
    pages: limits
    contains: 45 megabytes
  - question: How do I rotate a key?
    pages: keys
    contains: parcels rotate
  - question: How large can a download be?
    contains: 99 megabytes
`;

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>
${body}</main></body></html>`;

const setAutoSave = (value: string | undefined): Thenable<void> =>
  vscode.workspace
    .getConfiguration('files')
    .update('autoSave', value, vscode.ConfigurationTarget.Global);

describe('docs questions in the Test Explorer', () => {
  let temporary: Awaited<ReturnType<typeof temporaryFolder>>;
  const docs = inWorkspace('handbook');
  const file = vscode.Uri.joinPath(docs, 'docs-questions.yaml');
  const inDocs = (name: string): string => vscode.Uri.joinPath(docs, name).fsPath;

  before(async () => {
    await startAfresh();
    await clearNotifications();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    temporary = await temporaryFolder();
    await mkdir(docs.fsPath, { recursive: true });
    await writeFile(inDocs('keys.md'), keys);
    await whenWatched('limits.md', limits);
  });
  after(async () => {
    await setAutoSave(undefined);
    await vscode.commands.executeCommand('testing.clearTestResults');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('workbench.action.closePanel');
    await rm(docs.fsPath, { recursive: true, force: true });
    await startAfresh();
    await temporary.remove();
  });

  /**
   * Writes a file of the new folder until VS Code tells of it. Its watcher learns of a folder first, and never
   * tells of what was written into it before that.
   */
  async function whenWatched(name: string, content: string): Promise<void> {
    const watcher = vscode.workspace.createFileSystemWatcher(`**/handbook/${name}`);
    const state = { isTold: false };
    const tell = (): void => void (state.isTold = true);
    watcher.onDidCreate(tell);
    watcher.onDidChange(tell);
    while (!state.isTold) {
      await writeFile(inDocs(name), content);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    watcher.dispose();
  }

  /** Waits for the row of a question in a state. Its label has the state, and the question or its description. */
  const whenRow = (question: string, state: string): Promise<void> =>
    workbench.waitFor(`${row}[aria-label*="${state}"]`, { hasText: question });

  // Shows faults.md V2.
  it('lists the questions of a new file, and shows which pass and fail on its folder', async () => {
    await writeFile(file.fsPath, questions);
    // The view can be shown once the first questions are there.
    while ((await workbench.count(row, { hasText: 'docs-questions.yaml' })) === 0) {
      await vscode.commands.executeCommand('workbench.view.testing.focus');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await workbench.click(`${row} .monaco-tl-twistie`, { nth: 0 });
    await workbench.waitFor(row, { hasText: 'How do I rotate a key?' });
    await vscode.commands.executeCommand('testing.runAll');
    await whenRow('How large can an upload be?', 'Passed');
    await whenRow('How do I rotate a key?', 'Failed');
    await whenRow('How large can a download be?', 'Failed');
  });

  it('shows the answer that was lost since a bundle', async () => {
    const bundle = path.join(temporary.folder, 'handbook-v1');
    await mkdir(bundle);
    await writeFile(
      path.join(bundle, 'keys.html'),
      page(
        'Keys',
        '<h2>Rotate a key</h2><p>Rotate a key with the command <code>parcels rotate</code>.</p>',
      ),
    );
    await writeFile(
      path.join(bundle, 'limits.html'),
      page('Limits', '<p>An upload can be at most 45 megabytes large.</p>'),
    );
    const comparing = begin(questionCommands.compareQuestions);
    await choose('A folder with an unpacked bundle…');
    await nameFile(bundle);
    await comparing;
    await workbench.waitFor(row, { hasText: 'lost since handbook-v1' });
    await takeScreenshot('questions-lost');
    await whenRow('How do I rotate a key?', 'Failed');
  });

  // Shows faults.md V2.
  it('follows what is typed into the file before it is saved, and the file when it is deleted', async () => {
    const added = 'Who keeps a key secret?';
    // A browser saves by itself otherwise.
    await setAutoSave('off');
    const document = await vscode.workspace.openTextDocument(file);
    await vscode.window.showTextDocument(document);
    const written = document.getText();
    const end = document.lineAt(document.lineCount - 1).range.end;
    const adding = new vscode.WorkspaceEdit();
    adding.insert(file, end, `  - question: ${added}\n    pages: keys\n`);
    await vscode.workspace.applyEdit(adding);
    await workbench.waitFor(row, { hasText: added });
    assert.ok(document.isDirty, 'the question is shown before it is saved');
    const removing = new vscode.WorkspaceEdit();
    removing.delete(file, new vscode.Range(end, document.lineAt(document.lineCount - 1).range.end));
    await vscode.workspace.applyEdit(removing);
    await workbench.waitFor(row, { hasText: added }, 'detached');
    assert.equal(document.getText(), written);
    await document.save();
    await workbench.waitFor(row, { hasText: 'How large can a download be?' });
    await rm(file.fsPath);
    await workbench.waitFor(row, { hasText: 'docs-questions.yaml' }, 'detached');
  });
});
