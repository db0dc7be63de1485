import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands } from '../../../../src/common/contributions';
import {
  addSelection,
  extensionApi,
  questionBox,
  startAfresh,
  until,
  whenReplyEnds,
} from '../../asking';
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
    await addSelection();
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
});

/** Returns a body without the time of its last question, which is only known when it is sent. */
function comparable(body: QuestionBody): unknown {
  const messages = body.messages.map((message, index) =>
    index === body.messages.length - 1 ? { ...message, createdAt: '' } : message,
  );
  return { ...body, messages, threadKey: '' };
}
