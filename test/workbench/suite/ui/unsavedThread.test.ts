import assert from 'node:assert/strict';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { ask, extensionApi, newThread, startAfresh } from '../../asking';
import { cannedReply, docsService } from '../../docsService';
import { clearNotifications, takeAction, whenNotified } from '../../exporting';
import { clickTitleAction, historySearch, openThread } from '../../history';
import { chat, takeScreenshot, workbench } from '../../pageDriver';
import { hostDataFolder } from '../../suiteEnvironment';

const threads = path.join(
  hostDataFolder(),
  'data/User/globalStorage/docs-assistant.docs-assistant/threads',
);
const putAside = `${threads}.aside`;
const sentence = 'This thread couldn’t be saved';
/** Each notification is one in the list, wherever else it shows. */
const listed = '.notifications-center .notification-list-item';

/** Makes every write fail, even for an administrator: a file takes the place of the folder. */
async function breakStore(): Promise<void> {
  await (await extensionApi()).flush();
  await rename(threads, putAside);
  await writeFile(threads, '');
}

/** Does nothing where it is whole. */
async function mendStore(): Promise<void> {
  const isAside = await readdir(putAside).then(
    () => true,
    () => false,
  );
  if (!isAside) return;
  await rm(threads, { recursive: true });
  await rename(putAside, threads);
}

/** Returns everything that is on disk of all threads. */
async function stored(): Promise<string> {
  const entries = await readdir(threads, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.map(({ parentPath, name }) => readFile(path.join(parentPath, name), 'utf8'));
  return (await Promise.all(texts)).join('\n');
}

describe('conversations that cannot be saved', () => {
  beforeEach(async () => {
    await startAfresh();
    await clearNotifications();
    // So that there is a store to break.
    await docsService.queue(cannedReply('Saved.'));
    await ask('What is there before?');
    await newThread();
  });
  afterEach(async () => {
    await mendStore();
    await vscode.commands.executeCommand('workbench.action.closePanel');
    await clearNotifications();
  });

  it('are told of once, go on, and are saved whole with what is written next', async () => {
    await breakStore();
    await docsService.queue(...['A', 'B', 'C', 'D'].map((text) => cannedReply(text)));
    await ask('What is not saved?');
    await whenNotified(sentence);
    await takeScreenshot('conversation-not-saved');
    await ask('What is not saved either?', 1);
    await newThread();
    await ask('What of another thread?');
    await vscode.commands.executeCommand('notifications.showList');
    await workbench.waitFor(listed, { hasText: sentence, nth: 0 });
    assert.equal(await workbench.count(listed, { hasText: sentence }), 1);
    await takeAction(sentence, 'Open Log');
    await workbench.waitFor('.part.panel .output-view');
    const { logged } = await extensionApi();
    assert.ok(logged.some((line) => line.includes('The thread could not be stored')));
    await clickTitleAction('history', chat);
    await chat.waitFor('[role="alert"]', { hasText: 'couldn’t be listed' });
    await chat.press(historySearch, 'Escape');

    await mendStore();
    assert.equal((await stored()).includes('not saved'), false);
    await ask('And when there is room?', 1);
    await (await extensionApi()).flush();
    const onDisk = await stored();
    for (const question of [
      'What is not saved?',
      'What is not saved either?',
      'What of another thread?',
      'And when there is room?',
    ]) {
      assert.ok(onDisk.includes(question), question);
    }
    await openThread('What is not saved?');
    const { messages } = (await extensionApi()).snapshot().thread;
    assert.equal(messages.length, 4);
  });
});
