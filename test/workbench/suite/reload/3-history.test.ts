import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  ask,
  extensionApi,
  focusChat,
  inWorkspace,
  startAfresh,
  whenReplyEnds,
} from '../../asking';
import { lastQuestion } from '../../docsService';
import { nameFile, whenNotified } from '../../exporting';
import { historyRow, historySearch, openHistory } from '../../history';
import { chat, pressKey, takeScreenshot } from '../../pageDriver';

const shipment = { hasText: 'How do I create a shipment, step by step?' };

/** Returns the questions of the shown thread as the host has them: the view builds only some. */
async function shownQuestions(): Promise<string[]> {
  const { messages } = (await extensionApi()).snapshot().thread;
  return messages.flatMap((message) => (message.role === 'user' ? [message.text] : []));
}
const exported = 'exported thread.md';

describe('the history after the reload', () => {
  before(async () => {
    await extensionApi();
    await focusChat();
  });
  after(async () => {
    await vscode.workspace.fs.delete(inWorkspace(exported)).then(undefined, () => undefined);
  });

  it('shows the thread that was shown, by its new name', async () => {
    await chat.waitFor('article.reply', { nth: 0 });
    assert.deepEqual(await shownQuestions(), ['Which rate limits are there?']);
    const { title } = (await extensionApi()).snapshot().thread;
    assert.equal(title, 'Limits, renamed');
  });

  it('finds an earlier thread by a word of it and goes on in the same thread', async () => {
    await startAfresh();
    await openHistory();
    await chat.waitFor(historyRow, { hasText: 'Limits, renamed' });
    await chat.fill(historySearch, 'step shipment');
    await chat.waitFor(historyRow, { hasText: 'Limits, renamed' }, 'detached');
    await chat.waitFor('.history-excerpt mark', { nth: 0 });
    await takeScreenshot('history-searched');
    await chat.click(historyRow, { ...shipment, nth: 0 });
    await chat.waitFor('article.reply', { nth: 0 });
    await whenReplyEnds();
    assert.deepEqual(await shownQuestions(), [shipment.hasText]);
    const before = (await extensionApi()).snapshot().thread;
    assert.equal(before.messages.length, 2);

    await ask('And how do I cancel it?', 1);
    const { body } = await lastQuestion();
    assert.equal(typeof body.threadId, 'string');
    const texts = body.messages.flatMap(({ parts }) => parts.map(({ text }) => text ?? ''));
    assert.ok(texts.some((text) => text.includes('And how do I cancel it?')));
    const after = (await extensionApi()).snapshot().thread;
    assert.equal(after.id, before.id);
    assert.equal(after.messages.length, 4);
  });

  it('lists that thread once, deletes it, and brings it back as it was', async () => {
    await openHistory();
    assert.equal(await chat.count(historyRow, shipment), 1);
    await chat.focus(historyRow, { ...shipment, nth: 0 });
    await pressKey('Delete');
    await chat.waitFor(historyRow, shipment, 'detached');
    await chat.waitFor('.undo-bar', { hasText: 'Deleted' });
    assert.equal((await extensionApi()).snapshot().thread.messages.length, 0);
    await chat.click('.undo');
    await chat.waitFor(historyRow, shipment);
    await chat.click(historyRow, { ...shipment, nth: 0 });
    await chat.waitFor('article.reply', { nth: 0 });
    assert.deepEqual(await shownQuestions(), [shipment.hasText, 'And how do I cancel it?']);
  });

  it('saves a thread as Markdown where one says', async () => {
    await openHistory();
    await chat.hover(historyRow, { ...shipment, nth: 0 });
    await chat.click(`${historyRow}.is-shown .codicon-save-as`);
    await nameFile(inWorkspace(exported).path);
    await whenNotified(`Saved the thread as ${exported}`);
    const bytes = await vscode.workspace.fs.readFile(inWorkspace(exported));
    const markdown = new TextDecoder().decode(bytes);
    assert.match(markdown, /^# How do I create a shipment, step by step\?\n/);
    assert.match(markdown, /^## Question 2\n\nAnd how do I cancel it\?$/m);
    assert.match(markdown, /^\*\*Sources\*\*$/m);
  });
});
