import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands, settings } from '../../../../src/common/contributions';
import {
  answerPrompt,
  ask,
  citedSource,
  extensionApi,
  focusChat,
  quickInput,
  send,
  startAfresh,
  until,
  whenReplyEnds,
} from '../../asking';
import { cannedReply, docsService, lastQuestion } from '../../docsService';
import { whenNotified } from '../../exporting';
import { chat, pressKey, takeScreenshot, workbench } from '../../pageDriver';
import { suiteEnvironment } from '../../suiteEnvironment';

/** Keys of the right form: only the service can tell that they are wrong. */
const wrongKey = 'canary_dsc_wrong0123456789';
const adminKey = 'canary_admin0123456789abcdef';

async function configure(baseUrl: string | undefined, domain: string | undefined): Promise<void> {
  const configuration = vscode.workspace.getConfiguration();
  await configuration.update(settings.baseUrl, baseUrl, vscode.ConfigurationTarget.Global);
  await configuration.update(settings.domain, domain, vscode.ConfigurationTarget.Global);
}

/** Sets the key without awaiting the command, which ends when its prompt does. */
async function setKey(key: string): Promise<void> {
  const done = vscode.commands.executeCommand(commands.setAssistantKey);
  await answerPrompt(key);
  await done;
}

describe('troubles', () => {
  beforeEach(startAfresh);

  describe('with a site of the settings', () => {
    beforeEach(async () => {
      const { site } = suiteEnvironment();
      await configure(site.url, site.domain);
      (await extensionApi()).useSite(undefined);
    });

    afterEach(() => configure(undefined, undefined));

    it('says that the key is wrong, takes another and asks again', async () => {
      await setKey(wrongKey);
      await send('How do I authenticate?');
      await chat.waitFor('.status-line.is-error', { hasText: 'rejected the assistant key' });
      assert.equal((await lastQuestion()).exchange.headers['authorization'], `Bearer ${wrongKey}`);
      await takeScreenshot('wrong-key');

      await chat.click('article.reply .actions vscode-button', { hasText: 'Set Assistant Key' });
      await answerPrompt(suiteEnvironment().site.key);
      await whenNotified('Saved the assistant key');
      await chat.click('article.reply .retry');
      await chat.waitFor(citedSource, { nth: 0 });
      await whenReplyEnds();
      assert.equal(await chat.count('article.question'), 1);
      assert.equal((await lastQuestion()).exchange.status, 200);

      const { posted } = await extensionApi();
      const toTheView = JSON.stringify(posted);
      assert.equal(toTheView.includes(wrongKey), false);
      assert.equal(toTheView.includes(suiteEnvironment().site.key), false);
    });

    it('refuses an admin key, with why, and lets it be corrected', async () => {
      const done = vscode.commands.executeCommand(commands.setAssistantKey);
      await answerPrompt(adminKey);
      await workbench.waitFor('.quick-input-widget .quick-input-message', {
        hasText: 'This is an admin key',
      });
      assert.equal(await workbench.inputValue(quickInput), adminKey);
      await pressKey('Escape');
      await done;
    });

    it('sends no key of one address to another', async () => {
      await setKey(suiteEnvironment().site.key);
      const before = (await docsService.exchanges()).length;
      await configure(
        suiteEnvironment().site.url.replace('127.0.0.1', 'localhost'),
        suiteEnvironment().site.domain,
      );
      await send('How do I authenticate?');
      await chat.waitFor('.status-line.is-error', {
        hasText: 'No assistant key is saved for localhost',
      });
      assert.equal((await docsService.exchanges()).length, before);
    });
  });

  it('says that the service is down, and asks again when it is back', async () => {
    await docsService.goDown();
    await send('How do I create a shipment?');
    await chat.waitFor('.status-line.is-error', { hasText: 'Can’t reach' });
    await takeScreenshot('service-down');
    await docsService.comeBack();
    await chat.click('article.reply .retry');
    await chat.waitFor(citedSource, { nth: 0 });
    await whenReplyEnds();
    assert.equal(await chat.count('article.question'), 1);
    assert.equal(await chat.count('article.reply'), 1);
    assert.equal(await chat.count('.status-line.is-error'), 0);
  });

  it('inserts code of a reply at the cursor of the editor that was used last', async () => {
    const document = await vscode.workspace.openTextDocument({ content: 'before after' });
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(0, 7, 0, 7);
    await docsService.queue(cannedReply('Use this:\n\n```ts\nconst a = 1;\n```\n'));
    await focusChat();
    await ask('Which code?');
    await chat.hover('article.reply pre');
    await chat.click('article.reply button[title="Insert at Cursor"]');
    await until(() => document.getText() !== 'before after');
    assert.equal(document.getText().replace(/\s+$/, ''), 'before const a = 1;after');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});
