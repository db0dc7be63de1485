import assert from 'node:assert/strict';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { commands } from '../../../../src/common/contributions';
import {
  ask,
  citedSource,
  inWorkspace,
  newThread,
  questionBox,
  startAfresh,
  until,
} from '../../asking';
import { begin, choose, clearNotifications, quickPickRow, whenNotified } from '../../exporting';
import { chat, takeScreenshot, workbench } from '../../pageDriver';
import { suiteEnvironment } from '../../suiteEnvironment';

/** Questions about packages of this project, each with the file and the line that answer it. */
const asked = [
  ['commander', 'How do I parse options with commander?', 'typings/index.d.ts', /parseOptions/],
  ['hono', 'What does basicAuth of hono do?', undefined, /basicAuth|Basic Auth/i],
  ['valibot', 'What does safeParse of valibot return?', 'dist/index.d.mts', /safeParse/],
  ['markdown-it', 'How do I enable linkify in markdown-it?', undefined, /linkify/i],
  ['yauzl', 'What does openReadStreamPromise of yauzl do?', 'README.md', /openReadStreamPromise/],
  ['send', 'How does the dotfiles option of send treat files?', 'README.md', /dotfiles/],
  ['robots-parser', 'What does isAllowed of robots-parser return?', 'README.md', /isAllowed/],
  ['ipaddr.js', 'How do I match a CIDR range with ipaddr.js?', 'README.md', /subnetMatch/],
  ['github-slugger', 'How do I get a slug with github-slugger?', undefined, /slug/i],
  ['srcset', 'What does parseSrcset of srcset return?', 'readme.md', /parseSrcset/],
] as const;

const folder = (): string => inWorkspace('').fsPath;
const source = `${citedSource} a.source`;

describe('installed packages', () => {
  const versions = new Map<string, string>();

  before(async () => {
    const { nodeModules } = suiteEnvironment();
    for (const [name] of asked) {
      const to = path.join(folder(), 'node_modules', name);
      await cp(path.join(nodeModules, name), to, { recursive: true, dereference: true });
      const manifest: unknown = JSON.parse(await readFile(path.join(to, 'package.json'), 'utf8'));
      assert.ok(typeof manifest === 'object' && manifest !== null && 'version' in manifest);
      versions.set(name, String(manifest.version));
    }
    const dependencies = Object.fromEntries(asked.map(([name]) => [name, '*']));
    const manifest = JSON.stringify({ name: 'shop', dependencies });
    await writeFile(path.join(folder(), 'package.json'), manifest);
    await startAfresh();
  });
  after(async () => {
    await vscode.commands.executeCommand(commands.stopLocalService);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(path.join(folder(), 'node_modules'), { recursive: true, force: true });
    await rm(path.join(folder(), 'package.json'), { force: true });
    await startAfresh();
  });

  it('stand first in Choose Docs…, and answer for ten packages with sources that open at their line', async () => {
    const choosing = begin(commands.chooseDocs);
    await workbench.waitFor(quickPickRow, { hasText: '10 packages' });
    await takeScreenshot('installed-packages-offered');
    await choose('10 packages');
    await whenNotified('You can ask about 10 installed packages now.');
    await choosing;
    await clearNotifications();
    await chat.waitFor('.site-label', { hasText: 'Installed Packages · ' });
    for (const [name, question, file, line] of asked) {
      await newThread();
      await ask(question);
      const title = await chat.text(source, { nth: 0 });
      assert.ok(title.includes(`${name}@${versions.get(name)} › `), `${question}: ${title}`);
      await chat.click(source, { nth: 0 });
      const start = vscode.Uri.joinPath(inWorkspace('node_modules'), name).path;
      await until(
        () => vscode.window.activeTextEditor?.document.uri.path.startsWith(`${start}/`) === true,
      );
      const editor = vscode.window.activeTextEditor;
      assert.ok(editor);
      if (file !== undefined) assert.equal(editor.document.uri.path, `${start}/${file}`);
      const { line: at } = editor.selection.active;
      assert.match(editor.document.lineAt(at).text, line, question);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }
    await takeScreenshot('installed-packages-answered');
  });

  it('narrow a question to the package that #package names', async () => {
    await newThread();
    await chat.fill(questionBox, '#package:robots');
    await chat.waitFor('.mention-menu [role="option"]', { hasText: 'robots-parser' });
    await chat.press(questionBox, 'Enter');
    await chat.waitFor('.composer .chip', { hasText: 'robots-parser' });
    await chat.waitFor('.site-label', { hasText: '› robots-parser' });
    await ask('Which function returns a boolean?');
    const titles = await chat.texts(`${citedSource} .source-title`);
    assert.ok(titles.length > 0);
    for (const title of titles) assert.match(title, /^robots-parser@/);
  });
});
