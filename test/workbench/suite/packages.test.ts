import assert from 'node:assert/strict';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { PACKAGE_COMPARISON_SCHEME, packageCommands } from '../../../src/common/contributions';
import { inWorkspace } from '../asking';

const { executeCommand } = vscode.commands;

const manifest = (version: string): string =>
  JSON.stringify({ name: 'parcels', version, types: 'index.d.ts' });

const files: Readonly<Record<string, string>> = {
  'package.json': '{\n  "name": "app",\n  "dependencies": {\n    "parcels": "^1.0.0"\n  }\n}\n',
  'app.ts': "import { send } from 'parcels';\n\nsend();\n",
  'node_modules/parcels/package.json': manifest('1.0.0'),
  'node_modules/parcels/index.d.ts': 'export declare function send(): void;\n',
  'next/node_modules/parcels/package.json': manifest('2.0.0'),
  'next/node_modules/parcels/index.d.ts': 'export declare function post(): void;\n',
};

describe('What Changes for Me…', () => {
  const at = (file: string): vscode.Uri => inWorkspace(`upgrade/${file}`);

  before(async () => {
    for (const [file, text] of Object.entries(files))
      await vscode.workspace.fs.writeFile(at(file), Buffer.from(text));
  });

  after(async () => {
    await executeCommand('workbench.action.closeActiveEditor');
    await vscode.workspace.fs.delete(inWorkspace('upgrade'), { recursive: true });
  });

  it('is a link at a dependency, and lists what the code names with links to the places', async () => {
    await vscode.workspace.openTextDocument(at('package.json'));
    const hoverAt = async (line: number): Promise<string> => {
      const hovers = await executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        at('package.json'),
        new vscode.Position(line, 6),
      );
      return hovers
        .flatMap(({ contents }) => contents)
        .map((content) => (content instanceof vscode.MarkdownString ? content.value : ''))
        .join('\n');
    };
    const args = /command:docsAssistant\.whatChanges\?([^)]+)\)/.exec(await hoverAt(3))?.[1];
    assert.ok(args !== undefined, 'the dependency has a link');
    assert.doesNotMatch(await hoverAt(1), /whatChanges/);

    const [asked] = v.parse(v.array(v.unknown()), JSON.parse(decodeURIComponent(args)));
    const comparing = { isDone: false };
    const done = executeCommand(packageCommands.whatChanges, asked).then(() => {
      comparing.isDone = true;
    });
    // The list is empty until the versions of the window's folders are found. The first is then chosen.
    while (!comparing.isDone) await executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    await done;
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.uri.scheme, PACKAGE_COMPARISON_SCHEME);
    assert.match(document.getText(), /^# parcels 1\.0\.0 → 2\.0\.0\n/);
    assert.match(
      document.getText(),
      /- `send` of `parcels`: removed\n {2}- `app\.ts:1:10` \(import\)\n {2}- `app\.ts:3:1`\n/,
    );
    const links = await executeCommand<vscode.DocumentLink[]>(
      'vscode.executeLinkProvider',
      document.uri,
    );
    assert.deepEqual(
      links.map(({ range, target }) => [document.getText(range), target?.toString()]),
      [
        ['app.ts:1:10', at('app.ts').with({ fragment: 'L1,10' }).toString()],
        ['app.ts:3:1', at('app.ts').with({ fragment: 'L3,1' }).toString()],
      ],
    );
  });
});
