import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import {
  commands,
  exportSettings,
  settings,
  workspaceSettings,
} from '../../../../src/common/contributions';
import { updateUserSetting } from '../../../../src/vscode/settings';
import {
  answerPrompt,
  ask,
  extensionApi,
  inWorkspace,
  quickInput,
  send,
  startAfresh,
  until,
  whenInComposer,
} from '../../asking';
import { docsService, holdMidReply, lastQuestion } from '../../docsService';
import {
  begin,
  clearNotifications,
  configure,
  notification,
  takeAction,
  whenNotified,
} from '../../exporting';
import { chat, pressKey, takeScreenshot, workbench } from '../../pageDriver';
import { hostDataFolder, suiteEnvironment } from '../../suiteEnvironment';

const siteButton = '.site-button.switch-site';
const siteRow = '.quick-input-widget .monaco-list-row';
const hint = '.quick-input-widget .quick-input-message';

/**
 * Returns the suite's docs service as two docs sites: a host name is another origin, with its own
 * key.
 */
function twoSites() {
  const { site } = suiteEnvironment();
  const { port } = new URL(site.url);
  return {
    first: { baseUrl: site.url, domain: site.domain, host: `127.0.0.1:${port}` },
    second: {
      baseUrl: `http://localhost:${port}`,
      domain: site.domain,
      host: `localhost:${port}`,
    },
    key: site.key,
  };
}

async function recommend(value: unknown): Promise<void> {
  await vscode.workspace
    .getConfiguration()
    .update(workspaceSettings.recommendedSites, value, vscode.ConfigurationTarget.Workspace);
}

/** Enters the assistant key that is asked for. */
async function enterKey(): Promise<void> {
  await workbench.waitFor(hint, { hasText: 'assistant key' });
  await answerPrompt(twoSites().key);
}

/** Switches the site by the button in the panel's header. */
async function switchTo(row: string): Promise<void> {
  await chat.press(siteButton, 'Enter');
  const other = row === 'Parcels docs' ? 'Second docs' : 'Parcels docs';
  await workbench.waitFor(siteRow, { hasText: row });
  // The rows move while the list opens, so a click can hit the row beside.
  await workbench.fill(quickInput, row);
  await workbench.waitFor(siteRow, { hasText: other }, 'detached');
  await workbench.press(quickInput, 'Enter');
}

/** Chooses from the list that is open, without the mouse. */
async function pick(row: string): Promise<void> {
  await workbench.waitFor(siteRow, { hasText: row });
  await workbench.fill(quickInput, row);
  await workbench.press(quickInput, 'Enter');
}

async function whenAsking(label: string): Promise<void> {
  await chat.waitFor('.site-label', { hasText: label });
  // The panel takes the focus after a switch, which would close a list that opens before that.
  await whenInComposer();
}

/** Waits until the panel shows the thread of that question. Of a long one, only the end is built. */
async function whenShown(title: string): Promise<void> {
  const { snapshot } = await extensionApi();
  await until(() => snapshot().thread.title === title);
}

/** Waits until the last reply of the shown thread is whole. Replies before it may not be built. */
async function whenLastReplyEnds(): Promise<void> {
  const { snapshot } = await extensionApi();
  await until(() => {
    const last = snapshot().thread.messages.at(-1);
    return last?.role === 'assistant' && last.status === 'complete';
  });
  await chat.waitFor('article.reply[aria-busy="true"]', {}, 'detached');
}

async function askedHost(): Promise<unknown> {
  return (await lastQuestion()).exchange.headers['host'];
}

async function askedVersion(): Promise<unknown> {
  return (await lastQuestion()).body.filter?.version;
}

describe('docs sites', () => {
  const { first, second } = twoSites();

  before(async () => {
    await startAfresh();
    (await extensionApi()).useSite(undefined);
    await (await extensionApi()).forgetSites();
    await chat.waitFor('.empty-state', { hasText: 'Set up your docs site' });
    await clearNotifications();
  });

  after(async () => {
    await docsService.clearFaults();
    await recommend(undefined);
    await (await extensionApi()).forgetSites();
    for (const setting of [settings.baseUrl, settings.domain, workspaceSettings.recommendedSites]) {
      await configure(setting, undefined);
    }
    await clearNotifications();
  });

  it('of the user settings are not offered as if the workspace recommended them', async () => {
    await configure(workspaceSettings.recommendedSites, [{ ...first, name: 'Mine' }]);
    await recommend([{ baseUrl: 'http://not-encrypted.example', domain: 'bad' }]);
    const { logged } = await extensionApi();
    while (!logged.some((line) => line.includes('recommendedSites[0] is ignored'))) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.equal(await workbench.count(notification, { hasText: 'recommends' }), 0);
    await configure(workspaceSettings.recommendedSites, undefined);
  });

  it('that the workspace recommends are offered once, and kept when they are accepted', async () => {
    const { baseUrl, domain, host } = first;
    await recommend([{ name: 'Parcels docs', baseUrl, domain }]);
    await whenNotified(`recommends the docs site Parcels docs`);
    const [text = ''] = await workbench.texts(notification, { hasText: 'recommends' });
    assert.match(text, new RegExp(`assistant key go to ${host.replaceAll('.', '\\.')}`));
    assert.equal(await workbench.count('.monaco-dialog-box'), 0, 'a modal dialog was shown');
    await takeScreenshot('recommended-site');
    await takeAction('recommends', 'Accept');
    await enterKey();
    await whenAsking(`Parcels docs · ${host}`);
    assert.match(await ask('How do I create a shipment?'), /shipment/i);
    assert.equal(await askedHost(), host);

    await clearNotifications();
    await recommend([]);
    await recommend([{ name: 'Another name', baseUrl, domain }]);
    await recommend([
      { name: 'Another name', baseUrl, domain },
      { name: 'Second docs', baseUrl: second.baseUrl, domain },
    ]);
    await whenNotified('Second docs');
    const [only = ''] = await workbench.texts(notification, { hasText: 'recommends' });
    assert.doesNotMatch(only, /Another name/);
    await takeAction('Second docs', 'Not Now');
  });

  it('are switched in the header, and threads stay with theirs', async () => {
    await switchTo('Second docs');
    await enterKey();
    await whenAsking(`Second docs · ${second.host}`);
    await chat.waitFor('.empty-state');
    await ask('Which rate limits are there?');
    assert.equal(await askedHost(), second.host);

    await chat.click(siteButton);
    await workbench.waitFor('.quick-input-widget .monaco-list-row', {
      hasText: 'Second docs',
      nth: 0,
    });
    await takeScreenshot('switch-site');
    await pressKey('Escape');
    await switchTo('Parcels docs');
    await whenAsking('Parcels docs');
    await whenShown('How do I create a shipment?');

    await holdMidReply('switched-site');
    await send('How do I track it?');
    await docsService.whenHeld('switched-site');
    await switchTo('Second docs');
    await whenAsking('Second docs');
    await docsService.openGate('switched-site');
    await whenLastReplyEnds();
    assert.equal(await askedHost(), first.host);
    await ask('And here?');
    assert.equal(await askedHost(), second.host);
    await whenShown('And here?');
  });

  it('are switched by the keyboard alone', async () => {
    await chat.press(siteButton, 'Enter');
    await workbench.waitFor('.quick-input-widget .monaco-list-row', { nth: 0 });
    await workbench.fill('.quick-input-widget input', 'Parcels');
    await pressKey('Enter');
    await whenAsking('Parcels docs');
    const switching = begin(commands.switchSite);
    await pick('Manage Docs Sites…');
    await workbench.waitFor('.quick-input-title', { hasText: 'Manage Docs Sites' });
    await pick('Second docs');
    await pick('Rename…');
    await workbench.waitFor(hint, { hasText: 'name for this docs site' });
    await answerPrompt('Renamed docs');
    await workbench.waitFor('.quick-input-widget .monaco-list-row', { hasText: 'Renamed docs' });
    await pressKey('Escape');
    await switching;
  });

  it('start with the version of the docs that is installed for the file in the editor', async () => {
    const { baseUrl, domain } = first;
    const installed = inWorkspace('node_modules/parcelwren').fsPath;
    const filter = '.site-button.filter-docs';
    try {
      await mkdir(installed, { recursive: true });
      await writeFile(
        path.join(installed, 'package.json'),
        JSON.stringify({ name: 'parcelwren', version: '2.3.1' }),
      );
      await vscode.window.showTextDocument(inWorkspace('src/createShipment.ts'));
      await recommend([{ baseUrl, domain, packages: ['parcelwren'], versions: ['v1', 'v2'] }]);
      await chat.waitFor('.site-filter', { hasText: 'v2' });
      await vscode.commands.executeCommand(commands.newThread);
      await ask('How do I schedule a pickup?');
      assert.equal(await askedVersion(), 'v2');
      assert.equal(await chat.count('article.reply .version-note:not([hidden])'), 0);

      await chat.press(filter, 'Enter');
      await pick('Version');
      await pick('v1');
      await chat.waitFor('.site-filter', { hasText: 'v1' });
      await whenInComposer();
      await ask('How do I cancel a pickup?', 1);
      assert.equal(await askedVersion(), 'v1');
      await chat.waitFor('.version-note', { hasText: 'v1. Installed here is parcelwren@2.3.1.' });
    } finally {
      await rm(inWorkspace('node_modules').fsPath, { recursive: true, force: true });
      await recommend(undefined);
    }
  });

  // Shows faults.md O12.
  it('never come from a workspace’s settings, and reach remote windows', async () => {
    const folder = hostDataFolder();
    const machineFile = path.join(folder, 'data', 'Machine', 'settings.json');
    const before = await readFile(machineFile, 'utf8');
    const evil = 'https://evil.example';
    const file = inWorkspace('.vscode/settings.json').fsPath;
    const own = await readFile(file, 'utf8').catch(() => undefined);
    const get = (setting: string): unknown => vscode.workspace.getConfiguration().get(setting);
    const baseUrl = get(settings.baseUrl);
    try {
      await writeFile(
        file,
        JSON.stringify({
          [settings.baseUrl]: evil,
          [settings.fp]: 'evil',
          [exportSettings.apiUrl]: evil,
          [settings.retrievalPageSize]: 7,
        }),
      );
      while (get(settings.retrievalPageSize) !== 7) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      assert.equal(get(settings.baseUrl), baseUrl);
      assert.equal(get(settings.fp), 'anonymous');
      assert.equal(get(exportSettings.apiUrl), '');
      await assert.rejects(
        async () =>
          vscode.workspace
            .getConfiguration()
            .update(settings.baseUrl, evil, vscode.ConfigurationTarget.Workspace),
        'a workspace can set the base URL',
      );

      // Settings of the machine are not read, and new settings are not written there.
      const ofMachine: unknown = JSON.parse(before);
      await writeFile(
        machineFile,
        JSON.stringify({
          ...(typeof ofMachine === 'object' ? ofMachine : {}),
          [settings.fp]: 'of-the-machine',
          [settings.timeoutSeconds]: 61,
        }),
      );
      while (get(settings.timeoutSeconds) !== 61) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      assert.equal(get(settings.fp), 'anonymous');
      await updateUserSetting(settings.fp, 'user-1');
      assert.equal(get(settings.fp), 'user-1');
      assert.doesNotMatch(await readFile(machineFile, 'utf8'), /user-1/);
    } finally {
      await updateUserSetting(settings.fp, undefined);
      await writeFile(machineFile, before);
      if (own === undefined) await rm(file, { force: true });
      else await writeFile(file, own);
    }
  });
});
