import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { inWorkspace, until } from '../../asking';

const signature = ['8f14e45fceea167a', '5a36dedd4bea2543'].join('');
const link = `https://store.example.com/bundle.tar.gz?X-Amz-Signature=${signature}`;
const text = `staticExport:\n  enabled: true\n  bundleUrl: "${link}"\n`;

describe('a bundle link in a file that git tracks', () => {
  const tracked = inWorkspace('tracked.yaml');
  const ignored = inWorkspace('ignored.yaml');
  const ignoreFile = inWorkspace('.gitignore');

  before(async () => {
    // VS Code opens no repository outside of the workspace.
    execFileSync('git', ['init', '--quiet', inWorkspace('').fsPath]);
    await writeFile(tracked.fsPath, text);
    await writeFile(ignored.fsPath, text);
    await writeFile(ignoreFile.fsPath, 'ignored.yaml\n');
    const git = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>('vscode.git');
    assert.ok(git, 'there is no git extension');
    const { exports } = git.isActive ? git : { exports: await git.activate() };
    await exports.getAPI(1).openRepository(inWorkspace(''));
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    // The repository stays: the git extension goes on to ask it.
    const all = [tracked, ignored, ignoreFile];
    await Promise.all(all.map(({ fsPath }) => rm(fsPath, { force: true })));
  });

  // Shows faults.md P12.
  it('is marked, but not in a file that git ignores', async () => {
    await vscode.window.showTextDocument(ignored);
    const { document } = await vscode.window.showTextDocument(tracked);
    await until(() => ours(tracked).length === 1);
    assert.deepEqual(ours(ignored), []);
    const [problem] = ours(tracked);
    assert.equal(document.getText(problem?.range), link);
    assert.ok(!problem?.message.includes(signature));
  });

  it('moves to a variable by the quick fix, and is no longer marked', async () => {
    const { document } = await vscode.window.showTextDocument(tracked);
    const [problem] = ours(tracked);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      tracked,
      problem?.range,
      vscode.CodeActionKind.QuickFix.value,
    );
    const move = actions.find(({ title }) => title.startsWith('Move to the Variable'));
    assert.ok(move?.command, 'the link cannot be moved');
    const { command, arguments: args = [] } = move.command;
    await vscode.commands.executeCommand(command, ...(args as unknown[]));
    assert.equal(document.getText(), text.replace(link, '${STATIC_EXPORT_BUNDLE_URL}'));
    await until(() => ours(tracked).length === 0);
  });
});

interface GitApi {
  openRepository(root: vscode.Uri): Promise<unknown>;
}

function ours(uri: vscode.Uri): vscode.Diagnostic[] {
  return vscode.languages
    .getDiagnostics(uri)
    .filter(({ source, code }) => source === 'Docs Assistant' && code === 'bundle-link');
}
