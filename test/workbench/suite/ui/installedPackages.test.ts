import assert from 'node:assert/strict';
import { cp, readFile, rm } from 'node:fs/promises';
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

/** Questions about the installed packages, each with the file and the line that answer it. */
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
  ['srcset', 'What does parseSrcset of srcset return?', 'index.d.ts', /parseSrcset/],
] as const;

const source = `${citedSource} a.source`;
const layouts = {
  npm: 'npm',
  pnpm: 'pnpm',
  pnp: "Yarn's Plug'n'Play, in archives",
} as const;
type Layout = keyof typeof layouts;

/** Files of an install in the workspace, which a test adds and takes away. */
const installedFiles = [
  'node_modules',
  '.yarn',
  '.pnp.cjs',
  '.pnp.loader.mjs',
  'yarn.lock',
  'pnpm-lock.yaml',
  'package-lock.json',
  'package.json',
];

async function install(home: string, layout: Layout): Promise<void> {
  const to = inWorkspace('').fsPath;
  await cp(path.join(home, layout), to, { recursive: true, verbatimSymlinks: true });
  await startAfresh();
}

async function uninstall(): Promise<void> {
  await vscode.commands.executeCommand(commands.stopLocalService);
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  for (const name of installedFiles) {
    await rm(inWorkspace(name).fsPath, { recursive: true, force: true });
  }
  await startAfresh();
}

async function chooseInstalled(): Promise<void> {
  const choosing = begin(commands.chooseDocs);
  await workbench.waitFor(quickPickRow, { hasText: '10 packages' });
  await takeScreenshot('installed-packages-offered');
  await choose('10 packages');
  await whenNotified('You can ask about 10 installed packages now.');
  await choosing;
  await clearNotifications();
  await chat.waitFor('.site-label', { hasText: 'Installed Packages · ' });
}

/** Returns the exact versions of the packages in the workspace's manifest. */
async function versionsAsked(): Promise<Map<string, string>> {
  const manifest = JSON.parse(await readFile(inWorkspace('package.json').fsPath, 'utf8')) as {
    dependencies: Record<string, string>;
  };
  return new Map(Object.entries(manifest.dependencies));
}

for (const [layout, title] of Object.entries(layouts) as [Layout, string][]) {
  describe(`installed packages as laid out by ${title}`, () => {
    before(async function () {
      const { installed } = suiteEnvironment();
      if (installed === undefined) return this.skip();
      await install(installed, layout);
    });
    after(uninstall);

    it('stand first in Choose Docs…, and answer for ten packages with sources that open at their line', async () => {
      await chooseInstalled();
      const versions = await versionsAsked();
      for (const [name, question, file, line] of asked) {
        await newThread();
        await ask(question);
        const cited = await chat.text(source, { nth: 0 });
        assert.ok(cited.includes(`${name}@${versions.get(name)} › `), `${question}: ${cited}`);
        await chat.click(source, { nth: 0 });
        // A file of an archive is a document whose path begins with the package and its version.
        const root =
          layout === 'pnp' ? `/${name}@${versions.get(name)}/` : `/node_modules/${name}/`;
        const shown = (): string => vscode.window.activeTextEditor?.document.uri.path ?? '';
        await until(() => shown().includes(root));
        const editor = vscode.window.activeTextEditor;
        assert.ok(editor);
        if (file !== undefined) assert.ok(shown().endsWith(`${root}${file}`), shown());
        const { line: at } = editor.selection.active;
        assert.match(editor.document.lineAt(at).text, line, question);
        await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      }
      await chat.hover('.composer');
      await chat.hover(source, { nth: 0 });
      await chat.waitFor('.source-card-path', {
        hasText: `srcset@${versions.get('srcset')}/index.d.ts`,
      });
      await takeScreenshot(`installed-packages-answered-${layout}`);
    });

    if (layout !== 'npm') return;

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
}
