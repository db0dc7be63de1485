import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands, settings } from '../../../../src/common/contributions';
import { assertNoTrace } from '../../../builders/canary';
import { answerPrompt, ask, extensionApi, newThread, startAfresh, until } from '../../asking';
import { docsService, lastQuestion } from '../../docsService';
import { begin, choose, clearNotifications, whenNotified } from '../../exporting';
import { workbench } from '../../pageDriver';
import { suiteEnvironment } from '../../suiteEnvironment';

const wrongKey = 'local_dsc_canary0123456789abcdef';
const hint = '.quick-input-widget .quick-input-message';
const adminKey = 'local_canary0123456789abcdefghij';

describe('a set-up link, and Check Setup', () => {
  /** Questions of the modal dialogs, which are answered with `isConfirmed`. */
  const asked: string[] = [];
  let isConfirmed = true;

  const follow = async (key: string): Promise<void> => {
    const { site } = suiteEnvironment();
    const { openLink } = await extensionApi();
    await openLink({
      path: '/setup',
      query: `base=${site.url}&site=${site.domain}&key=${key}`,
    });
  };

  /** Runs *Check Setup* and gives the report that it shows. */
  const report = async (whether: string | undefined): Promise<string> => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const done = begin(commands.checkSetup);
    if (whether !== undefined) await choose(whether);
    await done;
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.uri.scheme, 'docs-assistant-setup');
    return document.getText();
  };

  const buttons = async (): Promise<readonly (string | undefined)[]> => {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const lenses: readonly vscode.CodeLens[] = await vscode.commands.executeCommand(
      'vscode.executeCodeLensProvider',
      uri,
    );
    return lenses.map(({ command }) => command?.title);
  };

  beforeEach(async () => {
    await startAfresh();
    await clearNotifications();
    const { useSite, answerModals } = await extensionApi();
    useSite(undefined);
    asked.length = 0;
    isConfirmed = true;
    answerModals((question) => {
      asked.push(question);
      return isConfirmed;
    });
  });

  after(async () => {
    const configuration = vscode.workspace.getConfiguration();
    for (const setting of [settings.baseUrl, settings.domain]) {
      await configuration.update(setting, undefined, vscode.ConfigurationTarget.Global);
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('sets up nothing unless the reader confirms, and then asks with the key of the link', async () => {
    const { site } = suiteEnvironment();
    const { snapshot, logged } = await extensionApi();
    const before = (await docsService.exchanges()).length;
    isConfirmed = false;
    await follow(site.key);
    assert.deepEqual(asked, [
      `Set up the docs site “${site.domain}” at ${new URL(site.url).host}?`,
    ]);
    assert.equal(snapshot().site.isConfigured, false);

    isConfirmed = true;
    await follow(wrongKey);
    await until(() => snapshot().site.isConfigured);
    await ask('How do I authenticate?');
    assert.equal((await lastQuestion()).exchange.headers['authorization'], `Bearer ${wrongKey}`);
    await follow(site.key);
    await newThread();
    await ask('How do I create a shipment?');
    const { exchange } = await lastQuestion();
    assert.equal(exchange.headers['authorization'], `Bearer ${site.key}`);
    assert.equal(exchange.status, 200);
    assert.equal((await docsService.exchanges()).length, before + 2, 'a link sent a request');
    for (const secret of [wrongKey, site.key]) assertNoTrace(secret, logged);
  });

  it('refuses an admin key without a dialog', async () => {
    const { logged } = await extensionApi();
    await follow(adminKey);
    await whenNotified('contains an admin key');
    assert.deepEqual(asked, []);
    assertNoTrace(adminKey, logged);
  });

  it('checks a setup that works, with a question if the reader agrees', async () => {
    const { site } = suiteEnvironment();
    await follow(site.key);
    await clearNotifications();
    const before = (await docsService.exchanges()).length;
    const skipping = await report('Skip the Question');
    assert.match(skipping, /^# Setup check: 0 failed/);
    assert.match(skipping, /✓ Passed: \*\*Connection\*\*/);
    assert.match(skipping, /✓ Passed: \*\*Assistant key\*\*/);
    assert.match(skipping, /✓ Passed: \*\*Site and key\*\*/);
    assert.match(skipping, /○ Skipped: \*\*Assistant\*\*/);
    const statuses = (await docsService.exchanges()).slice(before).map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [400, 401], 'a credit was spent');

    assert.match(await report('Ask One Question'), /✓ Passed: \*\*Assistant\*\*/);
    assert.deepEqual(await buttons(), ['Check Again', 'Copy Report']);
    assertNoTrace(site.key, skipping);
  });

  it('names what fails, with a button that mends it, and nothing secret', async () => {
    await follow(wrongKey);
    await clearNotifications();
    const rejected = await report('Skip the Question');
    assert.match(rejected, /✗ Failed: \*\*Site and key\*\*.*rejected the assistant key/);
    assert.ok((await buttons()).includes('Set Assistant Key…'));
    await workbench.waitFor('.codelens-decoration a', { hasText: 'Set Assistant Key…', nth: 0 });

    await docsService.goDown();
    const down = await report('Skip the Question');
    assert.match(down, /✗ Failed: \*\*Connection\*\*.*Can’t reach/);
    assert.match(down, /✓ Passed: \*\*Docs site\*\*/, 'other lines go on');
    for (const text of [rejected, down]) assertNoTrace(wrongKey, text);
  });

  it('saves a site whose service answers the check with an error, if the reader wants that', async () => {
    const { site } = suiteEnvironment();
    const fault = {
      when: { method: 'POST' },
      respond: {
        status: 500,
        headers: { 'content-type': 'application/json' },
        body: '{"error":"messages.map is not a function"}',
      },
    };
    await docsService.queue(fault, fault);
    isConfirmed = false;
    const done = begin(commands.setUpSite);
    await answerPrompt(site.domain);
    await workbench.waitFor(hint, { hasText: 'base URL' });
    await answerPrompt(site.url);
    await workbench.waitFor(hint, { hasText: 'assistant key' });
    await answerPrompt(site.key);
    await workbench.waitFor(hint, { hasText: 'HTTP 500' });
    assert.match(asked[0] ?? '', /HTTP 500.*“messages\.map is not a function”/);
    isConfirmed = true;
    await answerPrompt(site.url);
    await workbench.waitFor(hint, { hasText: 'assistant key' });
    await answerPrompt(site.key);
    await done;
    assert.equal(asked.length, 2);
    await ask('How do I authenticate?');
    assert.equal((await lastQuestion()).exchange.status, 200);
  });
});
