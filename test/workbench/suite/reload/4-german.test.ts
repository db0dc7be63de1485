import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { commands, exportCommands, exportViews } from '../../../../src/common/contributions';
import { extensionApi, newThread } from '../../asking';
import { begin, notification } from '../../exporting';
import { chat, pressKey, takeScreenshot, workbench, type Surface } from '../../pageDriver';

const extension = vscode.extensions.getExtension('docs-assistant.docs-assistant');
assert.ok(extension);

async function textsOf(file: string): Promise<Record<string, string>> {
  const text = await readFile(path.join(extension?.extensionPath ?? '', file), 'utf8');
  // Written by `npm run l10n` and checked by it.
  return JSON.parse(text) as Record<string, string>;
}

/** English texts that are another text in German. */
let english: ReadonlySet<string>;
let title: (key: string) => string;

async function readTexts(): Promise<void> {
  const [bundle, manifest, translated] = await Promise.all(
    ['l10n/bundle.l10n.de.json', 'package.nls.json', 'package.nls.de.json'].map(textsOf),
  );
  title = (key) => translated?.[key] ?? assert.fail(key);
  const pairs = [
    ...Object.entries(bundle ?? {}),
    ...Object.entries(manifest ?? {}).map(([key, text]) => [text, translated?.[key]] as const),
  ];
  english = new Set(pairs.flatMap(([source, text]) => (source === text ? [] : [source])));
}

/** Texts, tooltips and labels of what a selector finds that are in English. */
async function left(surface: Surface, selector: string): Promise<string[]> {
  const said = await surface.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})]
    .flatMap((found) => [found, ...found.querySelectorAll('*')])
    .filter((found) => found.checkVisibility())
    .flatMap((found) => [
      ...[...found.childNodes].map((node) => (node.nodeType === 3 ? node.data : '')),
      ...['aria-label', 'title', 'placeholder'].map((name) => found.getAttribute(name) ?? ''),
    ])`);
  const texts = Array.isArray(said) ? said.map((text) => String(text).trim()) : [];
  assert.ok(
    texts.some((text) => text !== ''),
    `${selector} shows nothing`,
  );
  return texts.filter((text) => english.has(text));
}

const quickInput = '.quick-input-widget';

describe('the window in German', () => {
  before(async () => {
    await readTexts();
    await extensionApi();
    assert.equal(vscode.env.language, 'de');
    await vscode.commands.executeCommand('notifications.clearAll');
  });
  afterEach(async () => {
    await pressKey('Escape');
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  it('lists the commands in German, and finds them by that', async () => {
    // The list builds only the rows in view, and there are more commands than these.
    const wanted = `>Docs Assistant: ${title('command.ask.title')}`;
    await vscode.commands.executeCommand('workbench.action.quickOpen', wanted);
    // Below its own title, VS Code shows the English one of each command.
    const row = `${quickInput} .quick-input-list-row:first-child .label-name`;
    await workbench.waitFor(row, { hasText: title('command.ask.title'), nth: 0 });
    await takeScreenshot('german-commands');
    assert.deepEqual(await left(workbench, row), []);
  });

  it('shows the panel in German', async () => {
    await newThread();
    await takeScreenshot('german-panel');
    assert.deepEqual(await left(chat, 'body'), []);
    assert.equal(await chat.attribute('html', 'lang'), 'de');
    await vscode.commands.executeCommand(commands.showShortcuts);
    await chat.waitFor('dialog.shortcuts');
    assert.deepEqual(await left(chat, 'dialog.shortcuts'), []);
    await chat.press('dialog.shortcuts', 'Escape');
  });

  it('asks for docs in German', async () => {
    const done = begin(commands.chooseDocs);
    await workbench.waitFor(`${quickInput} .monaco-list-row`, { hasText: 'Docs-Website', nth: 0 });
    await takeScreenshot('german-docs');
    assert.deepEqual(await left(workbench, quickInput), []);
    await pressKey('Escape');
    await done;
  });

  it('shows the Exports view and its menu in German', async () => {
    await vscode.commands.executeCommand(`${exportViews.exports}.focus`);
    const pane = '.pane:has(.pane-header[aria-label*="Exporte"])';
    await workbench.waitFor(pane);
    assert.deepEqual(await left(workbench, pane), []);
  });

  it('notifies in German', async () => {
    const done = begin(exportCommands.stopPreview);
    await workbench.waitFor(notification, { hasText: 'läuft keine Vorschau', nth: 0 });
    assert.deepEqual(await left(workbench, '.notification-list-item-message'), []);
    await vscode.commands.executeCommand('notifications.clearAll');
    await done;
  });
});
