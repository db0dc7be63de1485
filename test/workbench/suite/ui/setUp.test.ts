import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands, settings } from '../../../../src/common/contributions';
import {
  answerPrompt,
  ask,
  citedSource,
  extensionApi,
  quickInput,
  startAfresh,
  until,
  whenInComposer,
} from '../../asking';
import { docsService, lastQuestion } from '../../docsService';
import { whenNotified } from '../../exporting';
import { chat, takeScreenshot, workbench } from '../../pageDriver';
import { suiteEnvironment } from '../../suiteEnvironment';

/** Returns whether the command palette offers a command of this extension. */
async function isOffered(title: string): Promise<boolean> {
  await vscode.commands.executeCommand('workbench.action.quickOpen', `>Docs Assistant: ${title}`);
  const row = '.quick-input-list .monaco-list-row';
  await workbench.waitFor(row, { nth: 0 });
  const count = await workbench.count(row, { hasText: `Docs Assistant: ${title}` });
  await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
  return count > 0;
}

const hint = '.quick-input-widget .quick-input-message';

/** Returns the exchanges of questions and checks. The list of a company's service is looked for, too. */
async function checks(): ReturnType<typeof docsService.exchanges> {
  return (await docsService.exchanges()).filter(({ path }) => path.endsWith('/message'));
}

describe('setting up', () => {
  beforeEach(async () => {
    await startAfresh();
    (await extensionApi()).useSite(undefined);
    await chat.waitFor('.empty-state', { hasText: 'Set up your docs site' });
  });

  afterEach(async () => {
    const configuration = vscode.workspace.getConfiguration();
    for (const setting of [settings.baseUrl, settings.domain]) {
      await configuration.update(setting, undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('checks a site with one request, says what is wrong and keeps what was typed', async () => {
    const { site } = suiteEnvironment();
    const before = (await checks()).length;
    await takeScreenshot('not-set-up');
    const done = vscode.commands.executeCommand(commands.setUpSite);

    await answerPrompt('two/parts');
    await workbench.waitFor(hint, { hasText: 'is not a docs site' });
    await answerPrompt(`https://${site.domain}.docs.example/guides/`);
    await workbench.click('.quick-input-list .monaco-list-row', { hasText: site.domain });

    await workbench.waitFor(hint, { hasText: 'base URL' });
    await answerPrompt('127.0.0.1:8080');
    await workbench.waitFor(hint, { hasText: 'must start with https://' });
    await answerPrompt(site.url);

    await workbench.waitFor(hint, { hasText: 'Assistant key' });
    await answerPrompt('local_admin0123456789abcdef');
    await workbench.waitFor(hint, { hasText: 'This is an admin key' });
    await answerPrompt('local_dsc_wrong0123456789');
    await workbench.waitFor(hint, { hasText: 'rejected the assistant key' });
    assert.equal(
      await workbench.inputValue(quickInput),
      'local_dsc_wrong0123456789',
      'what was typed is there to be corrected',
    );
    assert.equal((await checks()).length, before + 1);
    await answerPrompt(site.key);
    await done;

    const exchanges = await checks();
    assert.equal(exchanges.length, before + 2);
    assert.deepEqual(exchanges.at(-1)?.status, 400, 'the check costs no reply');
    const configuration = vscode.workspace.getConfiguration();
    assert.equal(configuration.get(settings.baseUrl), site.url);
    assert.equal(configuration.get(settings.domain), site.domain);

    await chat.waitFor('.empty-state .suggestion', { nth: 0 });
    await whenInComposer();
    await ask('How do I authenticate?');
    assert.equal((await lastQuestion()).exchange.status, 200);
  });

  it('serves the sample docs from this machine, and stops', async () => {
    const starting = vscode.commands.executeCommand(commands.startLocalService);
    await workbench.waitFor(quickInput);
    await workbench.click('.quick-input-list .monaco-list-row', { hasText: 'Sample Docs' });
    await starting;
    await whenNotified('pages of Sample Docs');
    const before = (await docsService.exchanges()).length;
    await chat.waitFor('.empty-state .suggestion', { nth: 0 });
    assert.match(await ask('How do I create a shipment?'), /shipment/i);
    assert.ok((await chat.count(citedSource)) > 0, 'no source is shown');
    assert.equal((await docsService.exchanges()).length, before, 'another service was asked');

    const { snapshot } = await extensionApi();
    assert.equal(snapshot().site.isLocal, true);
    assert.equal(await isOffered('Stop Local Docs Service'), true);
    assert.equal(await isOffered('Start Local Docs Service'), false, 'the service runs');
    assert.equal(await isOffered('Stop Preview'), false, 'no preview runs');
    await vscode.commands.executeCommand(commands.stopLocalService);
    await until(() => !snapshot().site.isConfigured);
    assert.equal(await isOffered('Stop Local Docs Service'), false, 'no service runs');
  });
});
