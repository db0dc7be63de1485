import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { commands, settings } from '../../../../src/common/contributions';
import { updateUserSetting } from '../../../../src/vscode/settings';
import { ask, extensionApi, focusChat, newThread, until } from '../../asking';
import { begin } from '../../exporting';
import { chat, pressKey, workbench } from '../../pageDriver';
import { hostDataFolder, suiteEnvironment } from '../../suiteEnvironment';

describe('after the window is reloaded', () => {
  const { site } = suiteEnvironment();

  before(async () => {
    await focusChat();
    // The suite’s local service stands before the hosted site that the workspace chose.
    (await extensionApi()).useSite(undefined);
  });

  after(async () => {
    const api = await extensionApi();
    await api.forgetSites();
    const file = path.join(hostDataFolder(), 'data', 'Machine', 'settings.json');
    const values = Object.entries(JSON.parse(await readFile(file, 'utf8')) as object);
    const others = values.filter(([name]) => !name.startsWith('docsAssistant.'));
    await writeFile(file, JSON.stringify(Object.fromEntries(others)));
    for (const setting of [settings.baseUrl, settings.domain, settings.fp]) {
      await updateUserSetting(setting, undefined);
    }
    api.useSite(site);
  });

  it('the site that this workspace chose is asked again, with its key', async () => {
    const label = `${site.domain} · ${new URL(site.url).host}`;
    await chat.waitFor('.site-label', { hasText: label });
    await newThread();
    assert.match(await ask('How do I create a shipment?'), /shipment/i);
  });

  it('the values of the remote machine are taken over, and lose to those of the user', async () => {
    const { logged } = await extensionApi();
    const get = (setting: string): unknown => vscode.workspace.getConfiguration().get(setting);
    await until(() => get(settings.fp) === 'remote-user');
    assert.equal(get(settings.baseUrl), 'https://docs.example.invalid');
    assert.ok(logged.some((line) => line.includes(`Took over ${settings.fp}`)));
    const switching = begin(commands.switchSite);
    await workbench.waitFor('.quick-input-widget .monaco-list-row', {
      hasText: 'https://remote.example.invalid',
    });
    await pressKey('Escape');
    await switching;
  });
});
