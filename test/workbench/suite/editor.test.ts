import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commands, settings } from '../../../src/common/contributions';
import { extensionApi, inWorkspace, until } from '../asking';
import { suiteEnvironment } from '../suiteEnvironment';

describe('the lightbulb', () => {
  const uri = (): vscode.Uri => inWorkspace('src/createShipment.ts');

  async function titlesAt(range: vscode.Range): Promise<string[]> {
    await vscode.workspace.openTextDocument(uri());
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uri(),
      range,
    );
    return actions
      .filter(({ command }) => command?.command === commands.ask)
      .map(({ title }) => title);
  }

  it('offers to ask about a selection', async () => {
    const selection = new vscode.Range(0, 0, 1, 0);
    let titles = await titlesAt(selection);
    // VS Code gives up, with nothing, when another extension's provider comes in the midst of it.
    while (titles.length === 0) titles = await titlesAt(selection);
    assert.deepEqual(titles, ['Ask Docs Assistant about Selection']);
  });

  it('offers nothing at a mere cursor', async () => {
    assert.deepEqual(await titlesAt(new vscode.Range(0, 3, 0, 3)), []);
  });
});

describe('settings of a folder', () => {
  const file = (): vscode.Uri => inWorkspace('.vscode/settings.json');

  after(async () => {
    await vscode.workspace.fs.delete(file());
    (await extensionApi()).useSite(suiteEnvironment().site);
  });

  it('cannot send questions to another address', async () => {
    const { snapshot, useSite } = await extensionApi();
    const ofTheFolder = {
      [settings.baseUrl]: 'https://evil.example',
      [settings.domain]: 'evil',
    };
    await vscode.workspace.fs.writeFile(file(), Buffer.from(JSON.stringify(ofTheFolder)));
    await until(() => vscode.workspace.getConfiguration().get(settings.domain) === 'evil');
    useSite(undefined);
    assert.deepEqual(snapshot().site, {
      isConfigured: false,
      label: '',
      isLocal: false,
      hasPackages: undefined,
      packages: undefined,
      filter: {},
      answersWith: undefined,
      unavailable: undefined,
    });
  });
});
