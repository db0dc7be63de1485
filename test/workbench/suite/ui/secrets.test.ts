import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { commands } from '../../../../src/common/contributions';
import { extensionApi, questionBox, startAfresh, until, whenReplyEnds } from '../../asking';
import { lastQuestion, type QuestionBody } from '../../docsService';
import { chat, takeScreenshot } from '../../pageDriver';

const password = ['Zq7', 'canary!', '4mWx9'].join('');
const code = `export const database = { user: 'shop', password: '${password}' };`;
const requestScheme = 'docs-assistant-request';

describe('secrets', () => {
  beforeEach(startAfresh);

  async function attachCode(): Promise<void> {
    const document = await vscode.workspace.openTextDocument({
      language: 'typescript',
      content: code,
    });
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(0, 0, 0, code.length);
    await vscode.commands.executeCommand(commands.addSelection);
    await chat.waitFor('.composer .chip-secret', { hasText: 'Possible secret' });
  }

  it('are redacted in what the service gets, and the document shows the body beforehand', async () => {
    await attachCode();
    const question = 'How do I connect to the database?';
    await chat.fill(questionBox, question);
    await chat.press(questionBox, 'Enter');
    await chat.waitFor('dialog.secrets');
    await takeScreenshot('secrets');
    await chat.click('dialog.secrets .secrets-cancel');
    await chat.waitFor('dialog.secrets', {}, 'detached');
    assert.equal(await chat.inputValue(questionBox), question);
    assert.equal(await chat.count('article.question'), 0);

    await chat.press(questionBox, 'Enter');
    await chat.click('dialog.secrets .secrets-redact');
    await chat.waitFor('article.question', { hasText: question });
    await whenReplyEnds();
    const { exchange, body } = await lastQuestion();
    assert.deepEqual(body.context, [
      {
        type: 'code',
        value: code.replace(password, '[redacted: password]'),
      },
    ]);
    assert.ok(!JSON.stringify(exchange).includes(password));
    const { posted, logged } = await extensionApi();
    assert.ok(!JSON.stringify([posted, logged]).includes(password));

    await chat.fill(questionBox, 'And now?');
    await vscode.commands.executeCommand(commands.showRequest);
    await until(() => vscode.window.activeTextEditor?.document.uri.scheme === requestScheme);
    const shown = vscode.window.activeTextEditor?.document.getText() ?? '';
    assert.match(shown, /^\/\/ POST http:\/\/127\.0\.0\.1:\d+\/v2\/assistant\/\S+\/message$/m);
    assert.match(shown, /^\/\/ Authorization: Bearer ••••$/m);
    const { exchange: before } = await lastQuestion();
    assert.deepEqual(before, exchange, 'looking sends nothing');
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await chat.press(questionBox, 'Enter');
    await chat.waitFor('article.question', { hasText: 'And now?' });
    await whenReplyEnds(1);
    const written = JSON.parse(shown.replace(/^\/\/.*$/gm, '')) as QuestionBody;
    assert.deepEqual(comparable(written), comparable((await lastQuestion()).body));
  });

  it('are marked in a file that git tracks, and move to a variable', async function () {
    this.timeout(60_000);
    const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'docs-assistant-git-')));
    try {
      execFileSync('git', ['init', '--quiet', folder]);
      const signature = ['8f14e45fceea167a', '5a36dedd4bea2543'].join('');
      const link = `https://store.example.com/bundle.tar.gz?X-Amz-Signature=${signature}`;
      const text = `staticExport:\n  enabled: true\n  bundleUrl: "${link}"\n`;
      await writeFile(path.join(folder, 'values.yaml'), text);
      await writeFile(path.join(folder, 'ignored.yaml'), text);
      await writeFile(path.join(folder, '.gitignore'), 'ignored.yaml\n');
      const git = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>('vscode.git');
      assert.ok(git, 'there is no git extension');
      await (await git.activate()).getAPI(1).openRepository(vscode.Uri.file(folder));

      const ignored = vscode.Uri.file(path.join(folder, 'ignored.yaml'));
      await vscode.window.showTextDocument(ignored);
      const uri = vscode.Uri.file(path.join(folder, 'values.yaml'));
      const { document } = await vscode.window.showTextDocument(uri);
      await until(() => ours(uri).length === 1);
      assert.deepEqual(ours(ignored), []);
      const [problem] = ours(uri);
      assert.equal(document.getText(problem?.range), link);
      assert.ok(!problem?.message.includes(signature));

      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        uri,
        problem?.range,
        vscode.CodeActionKind.QuickFix.value,
      );
      const move = actions.find(({ title }) => title.startsWith('Move to the Variable'));
      assert.ok(move?.command, 'the link cannot be moved');
      const { command, arguments: args = [] } = move.command;
      await vscode.commands.executeCommand(command, ...(args as unknown[]));
      assert.equal(document.getText(), text.replace(link, '${STATIC_EXPORT_BUNDLE_URL}'));
      await until(() => ours(uri).length === 0);
    } finally {
      await vscode.commands.executeCommand('workbench.action.files.revert');
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await rm(folder, { recursive: true, force: true });
    }
  });
});

interface GitApi {
  openRepository(root: vscode.Uri): Promise<unknown>;
}

function ours(uri: vscode.Uri): vscode.Diagnostic[] {
  return vscode.languages
    .getDiagnostics(uri)
    .filter(({ source, code: kind }) => source === 'Docs Assistant' && kind === 'bundle-link');
}

/** Returns a body without the time of its last question, which is only known when it is sent. */
function comparable(body: QuestionBody): unknown {
  const messages = body.messages.map((message, index) =>
    index === body.messages.length - 1 ? { ...message, createdAt: '' } : message,
  );
  return { ...body, messages, threadKey: '' };
}
