import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { settings } from '../../../../src/common/contributions';
import { ask, extensionApi, inWorkspace, startAfresh, until } from '../../asking';
import { cannedReply, docsService } from '../../docsService';
import { chat, takeScreenshot } from '../../pageDriver';

const page = `---
title: Get started
---

# Get started

Begin here.

## Install it

Install it with one command.

## Use it

### In a script

Call it from a script.
`;
const source = {
  type: 'source-url',
  sourceId: 'start',
  url: 'https://docs.acme.example/docs/v2/guides/start.html#in-a-script',
  title: 'Get started › In a script',
};
const citation = '.reply .citation';
const card = '.source-card';

/** Answers the next question with a reply that cites the sources. */
async function askCited(...sources: readonly (typeof source)[]): Promise<void> {
  const cited = sources.map(({ url }, index) => `So [${index + 1}](${url}).`).join('\n');
  await docsService.queue(cannedReply(cited, sources));
  await ask('How do I use it in a script?');
  await chat.waitFor(citation, { nth: 0 });
}

/**
 * Points at a citation from elsewhere, because a pointer that rests where a citation appears
 * doesn't point at it.
 */
async function pointAt(nth: number): Promise<void> {
  await chat.hover('.composer');
  await chat.waitFor(card, {}, 'hidden');
  await chat.hover(citation, { nth });
}

async function setDocsRoot(root: string | undefined): Promise<void> {
  const configuration = vscode.workspace.getConfiguration(undefined, inWorkspace(''));
  await configuration.update(settings.docsRoot, root, vscode.ConfigurationTarget.Workspace);
}

const lineOf = (text: string): number => page.split('\n').indexOf(text);

/** Waits until the file is in front with the cursor in that line. */
async function whenAt(path: string, line: number): Promise<void> {
  const wanted = inWorkspace(path).path;
  await until(() => {
    const editor = vscode.window.activeTextEditor;
    return editor?.document.uri.path === wanted && editor.selection.active.line === line;
  });
}

describe('from a reply to its sources', () => {
  const file = 'docs/guides/start.mdx';

  before(async () => {
    await vscode.workspace.fs.writeFile(inWorkspace(file), Buffer.from(page));
    await vscode.workspace.fs.writeFile(
      inWorkspace('docs/start.md'),
      Buffer.from('# Another page of that name\n'),
    );
  });
  beforeEach(async () => {
    await startAfresh();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  afterEach(() => setDocsRoot(undefined));
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(inWorkspace('docs'), { recursive: true });
  });

  it('opens the page’s own file at the cited heading', async () => {
    await setDocsRoot('docs');
    await askCited(source);
    await chat.click(citation, { nth: 0 });
    await whenAt(file, lineOf('### In a script'));
    await takeScreenshot('source-in-its-own-file');
  });

  it('opens it from the list of sources too, and without a heading at its start', async () => {
    await setDocsRoot('docs');
    await askCited({ ...source, url: 'https://docs.acme.example/guides/start' });
    await chat.click('.reply a.source', { nth: 0 });
    await whenAt(file, 0);
  });

  it('opens the file of a source whose address is a path alone, from text and list', async () => {
    await setDocsRoot('docs');
    const paths = ['guides/start#in-a-script', '/guides/start', '/guides/nowhere'];
    await askCited(...paths.map((url, index) => ({ ...source, sourceId: `path-${index}`, url })));
    await chat.waitFor('.reply a.source', { nth: 1 });
    assert.equal(await chat.count('.reply a.source'), 2);
    assert.equal(await chat.count('.reply span.source'), 1);
    await chat.click(citation, { nth: 0 });
    await whenAt(file, lineOf('### In a script'));
    await chat.click('.reply a.source', { nth: 1 });
    await whenAt(file, 0);
    await pointAt(0);
    await chat.waitFor(card, { hasText: 'Call it from a script.' });
    await chat.click(`${card} .source-card-file`);
    await whenAt(file, lineOf('### In a script'));
  });

  it('links a path without a file to where the reply’s other sources say that the docs are', async () => {
    const paths = ['/guides/gone#why', 'https://docs.acme.example/guides/limits'];
    await askCited(...paths.map((url, index) => ({ ...source, sourceId: `web-${index}`, url })));
    await chat.waitFor('.reply a.source[href="https://docs.acme.example/guides/gone#why"]');
    await pointAt(0);
    await chat.waitFor(`${card}.is-described`);
    assert.equal(await chat.count(`${card} .source-card-browser:visible`), 1);
    assert.equal(await chat.count(`${card} .source-card-file:visible`), 0);
  });

  it('never links a path that leads out of the docs, or to no page of them', async () => {
    await setDocsRoot('docs');
    const odd = [
      '../../../../etc/passwd',
      '/..%2f..%2fsrc/createShipment.ts',
      '/src/createShipment',
      '//docs.acme.example/guides/start',
      '',
    ];
    const sources = [...odd, 'guides/start'].map((url, index) => ({
      ...source,
      sourceId: `odd-${index}`,
      url,
    }));
    await docsService.queue(cannedReply('So.', sources));
    await ask('Where is the password?');
    await chat.waitFor('.reply a.source', { nth: 0 });
    assert.equal(await chat.count('.reply a.source'), 1);
    assert.equal(await chat.count('.reply span.source'), odd.length);
  });

  it('knows the page in a workspace that names no folder of docs, by its heading', async () => {
    await askCited(source);
    await chat.click(citation, { nth: 0 });
    await whenAt(file, lineOf('### In a script'));
  });

  it('shows title, path and section of a citation, and opens the file from there', async () => {
    await setDocsRoot('docs');
    await askCited(source);
    await pointAt(0);
    await chat.waitFor(card, { hasText: 'Call it from a script.' });
    const shown = await chat.text(card);
    assert.match(shown, /Get started › In a script/);
    assert.match(shown, /\/docs\/v2\/guides\/start\.html#in-a-script/);
    await takeScreenshot('source-card');
    await chat.click(`${card} .source-card-file`);
    await whenAt(file, lineOf('### In a script'));
  });

  it('shows what the docs service quoted of its sources', async () => {
    await ask('How do I create a shipment?');
    await pointAt(0);
    await chat.waitFor(`${card} .source-card-quote`);
    assert.ok((await chat.text(`${card} .source-card-quote`)).length > 20);
  });

  it('opens a source beside the code, in VS Code’s Simple Browser', async () => {
    await ask('How do I create a shipment?');
    await pointAt(0);
    await chat.click(`${card} .source-card-simple-browser`);
    await until(() =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .some(
          ({ input }) =>
            input instanceof vscode.TabInputWebview && input.viewType.includes('simpleBrowser'),
        ),
    );
  });

  it('never opens what an address names outside of the docs', async () => {
    await setDocsRoot('docs');
    const { logged } = await extensionApi();
    const before = logged.length;
    const odd = [
      'https://docs.acme.example/%2e%2e/src/createShipment.ts',
      'https://docs.acme.example/..%2f..%2fetc/passwd',
      'https://docs.acme.example/src/createShipment',
    ];
    await askCited(...odd.map((url, index) => ({ ...source, sourceId: `odd-${index}`, url })));
    for (const nth of odd.keys()) {
      await pointAt(nth);
      await chat.waitFor(`${card}.is-described`);
      assert.equal(await chat.count(`${card} .source-card-file:visible`), 0, odd[nth]);
    }
    assert.equal(vscode.window.activeTextEditor, undefined);
    const since = logged.slice(before);
    assert.ok(!since.some((line) => line.includes('failed')), 'a request failed');
  });

  it('names everyone who gets a mail before it opens the mail program', async () => {
    const asked: string[] = [];
    (await extensionApi()).answerModals((question) => {
      asked.push(question);
      return false;
    });
    await docsService.queue(
      cannedReply('Write to [us](mailto:help@acme.example?bcc=other%40evil.example).'),
    );
    await ask('Whom do I ask?');
    await chat.click('article.reply .markdown a', { nth: 0 });
    await until(() => asked.length > 0);
    assert.deepEqual(asked, [
      'Write a mail to 2 receivers: help@acme.example, other@evil.example?',
    ]);
  });
});
