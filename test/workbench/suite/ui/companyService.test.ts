import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands, settings } from '../../../../src/common/contributions';
import {
  answerPrompt,
  ask,
  citedSource,
  extensionApi,
  startAfresh,
  until,
  whenInComposer,
} from '../../asking';
import { type RunningService, startCompanyService } from '../../companyService';
import { chat, takeScreenshot, workbench } from '../../pageDriver';

const hint = '.quick-input-widget .quick-input-message';
const row = '.quick-input-list .monaco-list-row';

describe('a service of a company', () => {
  let service: RunningService;

  before(async () => {
    service = await startCompanyService();
    await startAfresh();
    (await extensionApi()).useSite(undefined);
    await chat.waitFor('.empty-state', { hasText: 'Set up your docs site' });
  });

  after(async () => {
    const { forgetSites, snapshot } = await extensionApi();
    await forgetSites();
    // The site would be set up for the tests that follow, and they would fail in its place.
    await until(() => !snapshot().site.isConfigured);
    const configuration = vscode.workspace.getConfiguration();
    for (const setting of [settings.baseUrl, settings.domain])
      assert.equal(configuration.inspect(setting)?.globalValue, undefined);
    await startAfresh();
    await service.stop();
  });

  it('lists its sites once a key opens it, and answers with a source', async () => {
    const key = await service.newKey('--name', 'workbench');
    const done = vscode.commands.executeCommand(commands.setUpSite);
    await answerPrompt(service.url);
    await workbench.waitFor(hint, { hasText: 'assistant key' });
    await answerPrompt('docs_dsc_wrong0123456789');
    await workbench.waitFor(hint, { hasText: 'rejected the assistant key' });
    await answerPrompt(key);
    await workbench.waitFor(row, { hasText: 'Parcelwren' });
    await takeScreenshot('company-sites');
    await answerPrompt('Parcelwren');
    await done;

    const configuration = vscode.workspace.getConfiguration();
    assert.equal(configuration.get(settings.baseUrl), service.url);
    assert.equal(configuration.get(settings.domain), 'parcelwren');
    await whenInComposer();
    assert.match(await ask('How do I verify the signature of a webhook?'), /signature/i);
    assert.ok((await chat.count(citedSource)) > 0, 'no source is shown');
  });
});
