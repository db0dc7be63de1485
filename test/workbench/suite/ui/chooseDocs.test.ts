import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { commands, exportCommands, settings } from '../../../../src/common/contributions';
import {
  answerPrompt,
  ask,
  extensionApi,
  inWorkspace,
  quickInput,
  startAfresh,
  until,
} from '../../asking';
import { cannedReply, docsService } from '../../docsService';
import { serveDocsSite, type DocsSite } from '../../docsSite';
import {
  begin,
  choose,
  clearNotifications,
  configure,
  nameFile,
  quickPickRow,
  takeAction,
  temporaryFolder,
  whenNotified,
} from '../../exporting';
import { chat, pressKey, takeScreenshot, workbench } from '../../pageDriver';
import { suiteEnvironment } from '../../suiteEnvironment';

const hint = '.quick-input-widget .quick-input-message';
const citation = 'article.reply .citation';

/** Exports the suite's site through the API and saves the bundle. Returns its path. */
async function exportedBundle(folder: string): Promise<string> {
  const { site } = suiteEnvironment();
  const headers = { authorization: `Bearer ${site.adminKey}`, 'content-type': 'application/json' };
  const api = async (method: string, ending: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(`${site.url}/v1/static-export/jobs${ending}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    assert.ok(response.ok, `${method} ${ending}: ${response.status}`);
    return (await response.json()) as Answer;
  };
  const { jobId } = await api('POST', '', { domain: site.domain });
  while ((await api('GET', `/${jobId}`)).status !== 'completed') {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const { bundleUrl } = await api('POST', `/${jobId}/bundle`);
  const bytes = Buffer.from(await (await fetch(bundleUrl)).arrayBuffer());
  const archive = path.join(folder, 'parcels-docs.tar.gz');
  await writeFile(archive, bytes);
  return archive;
}

interface Answer {
  readonly jobId: string;
  readonly status: string;
  readonly bundleUrl: string;
}

/** Asks the question and returns the URLs of the reply's sources. */
async function askForSources(question: string, expected: RegExp): Promise<string[]> {
  assert.match(await ask(question), expected);
  await chat.waitFor(citation, { nth: 0 });
  const { snapshot } = await extensionApi();
  const reply = snapshot().thread.messages.at(-1);
  assert.ok(reply?.role === 'assistant');
  return reply.parts.flatMap((part) => (part.type === 'source-url' ? part.url : []));
}

/** Answers each modal dialog and returns what they ask. */
async function answerModals(answer: boolean): Promise<readonly string[]> {
  const asked: string[] = [];
  (await extensionApi()).answerModals((question) => {
    asked.push(question);
    return answer;
  });
  return asked;
}

/** Chooses a docs site by its URL, and answers whether to fetch it. */
async function chooseSite(url: string, answer = true): Promise<void> {
  const asked = await answerModals(answer);
  const choosing = begin(commands.chooseDocs);
  await choose('A Public Docs Site…');
  // The list has an input of its own, which stays until the input box takes its place.
  await workbench.waitFor(hint, { hasText: 'URL of a public docs site' });
  await answerPrompt(url);
  await choosing;
  assert.deepEqual(asked, [`Fetch the docs of ${new URL(url).origin}?`]);
}

/** Removes kept docs in the list. Returns what was asked before that. */
async function removeKept(label: string): Promise<readonly string[]> {
  const asked = await answerModals(true);
  const removing = begin(commands.chooseDocs);
  await workbench.hover(quickPickRow, { hasText: label });
  await workbench.click(`${quickPickRow}:has-text("${label}") .codicon-trash`);
  await workbench.waitFor(quickPickRow, { hasText: label, nth: 0 }, 'detached');
  await workbench.waitFor(quickPickRow, { hasText: 'A Public Docs Site…' });
  await pressKey('Escape');
  await removing;
  return asked;
}

/** Asks the suite's docs service as a hosted site of the settings, or no such site. */
async function useHostedSite(site?: {
  readonly url: string;
  readonly domain: string;
}): Promise<void> {
  await configure(settings.baseUrl, site?.url);
  await configure(settings.domain, site?.domain);
}

function tabLabels(): string[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
}

const llmsFull = `# Kestrel

> A message queue.

# Retries

Kestrel retries a failed message nine times before it gives up. Set \`max_retries\` to change that.

# Dead letters

A message that was given up goes to the dead letter queue named \`kestrel.dead\`.
`;

const html = (title: string, body: string): { type: string; body: string } => ({
  type: 'text/html; charset=utf-8',
  body: `<!doctype html><html lang="en"><head><title>${title} | Osprey</title></head><body>
<nav><a href="/">Home</a> <a href="/guide/limits">Limits</a></nav>
<main><h1>${title}</h1>${body}</main><footer>Imprint</footer></body></html>`,
});

describe('choosing docs', () => {
  let temporary: Awaited<ReturnType<typeof temporaryFolder>>;
  let site: DocsSite | undefined;

  before(async () => {
    temporary = await temporaryFolder();
  });
  beforeEach(async () => {
    await startAfresh();
    await clearNotifications();
    (await extensionApi()).useSite(undefined);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  afterEach(async () => {
    await vscode.commands.executeCommand(commands.stopLocalService);
    await clearNotifications();
    await useHostedSite();
    await site?.stop();
    site = undefined;
  });
  after(() => temporary.remove());

  it('answers from a bundle that was exported a minute before, and opens sources in its preview', async () => {
    const archive = await exportedBundle(temporary.folder);
    const before = (await docsService.exchanges()).length;
    const choosing = begin(commands.chooseDocs);
    await workbench.waitFor(quickPickRow, { hasText: 'A Bundle (Exported Site)…' });
    await takeScreenshot('choose-docs');
    await choose('A Bundle (Exported Site)…');
    await choose('An Archive…');
    await nameFile(archive);
    await choosing;
    await whenNotified('pages of parcels-docs');
    const urls = await askForSources('How do I create a shipment?', /shipment/i);
    assert.ok(urls.length > 0);
    assert.equal((await docsService.exchanges()).length, before, 'another service was asked');

    const { logged } = await extensionApi();
    const first = logged.length;
    await chat.click(citation, { nth: 0 });
    const opened = /Opened a cited page in the preview: (\S+)/;
    await until(() => logged.slice(first).some((line) => opened.test(line)));
    await until(() => tabLabels().includes('Simple Browser'));
    const lines = logged.slice(first).join('\n');
    const [, address = ''] = opened.exec(lines) ?? [];
    const [, preview = ''] = /A preview of \S+ runs at (\S+)\/$/m.exec(lines) ?? [];
    const page = await fetch(preview + address);
    assert.equal(page.status, 200, preview + address);
    // The first citation of the text can be of any source.
    const text = await page.text();
    const ids = urls.map((url) => decodeURIComponent(new URL(url).hash.slice(1)));
    assert.ok(
      ids.some((id) => id !== '' && text.includes(`id="${id}"`)),
      ids.join(),
    );
    await takeScreenshot('choose-docs-preview');
    await vscode.commands.executeCommand(exportCommands.stopPreview);
  });

  it('asks a bundle that was opened, and serves it from the folder that it was unpacked into', async () => {
    const archive = await exportedBundle(temporary.folder);
    const opening = begin(exportCommands.openBundle);
    await workbench.waitFor(quickInput);
    // Exports of other tests are offered before a file.
    if ((await workbench.count(quickPickRow, { hasText: 'Another archive' })) > 0) {
      await choose('Another archive');
    }
    await nameFile(archive, 'Unpack the Bundle into a New Folder');
    await choose('Next to the archive');
    await opening;
    await takeAction('Unpacked ', 'Ask This Bundle');
    await whenNotified('pages of parcels-docs');
    const urls = await askForSources('How do I create a shipment?', /shipment/i);
    assert.ok(urls.length > 0);
    const folder = path.join(temporary.folder, 'parcels-docs');
    assert.ok((await readdir(folder)).includes('index.html'));
    await vscode.commands.executeCommand(exportCommands.removeExport, { kind: 'site', folder });
  });

  it('answers from a public site with llms-full.txt, after one question, and keeps it', async () => {
    site = await serveDocsSite(() => ({
      '/llms-full.txt': { type: 'text/plain; charset=utf-8', body: llmsFull },
    }));
    await chooseSite(site.url, false);
    assert.equal(site.requested.length, 0, 'nothing is requested before it is confirmed');

    await chooseSite(site.url);
    await whenNotified(`pages of ${new URL(site.url).host}`);
    const urls = await askForSources('How often is a failed message retried?', /nine times/);
    assert.ok(urls.every((url) => url.startsWith('http://127.0.0.1:')));
    for (const url of urls) assert.equal((await fetch(url)).status, 200, url);
    assert.ok(site.requested.includes('/robots.txt'));
    assert.ok(site.requested.includes('/llms-full.txt'));

    // It is kept: chosen again without a request, and removed with its pages.
    await vscode.commands.executeCommand(commands.stopLocalService);
    await clearNotifications();
    const { host } = new URL(site.url);
    await site.stop();
    const again = begin(commands.chooseDocs);
    await workbench.waitFor(quickPickRow, { hasText: host });
    assert.match(
      await workbench.text(quickPickRow, { hasText: host }),
      /pages? · [\d.]+ K?B · fetched/,
    );
    await takeScreenshot('choose-docs-kept');
    await choose(host);
    await again;
    await whenNotified(`of ${host}`);
    assert.match(await ask('What is the dead letter queue called?', 1), /kestrel\.dead/);

    await clearNotifications();
    assert.deepEqual(await removeKept(host), [`Remove ${host}?`]);
    const { snapshot } = await extensionApi();
    assert.equal(snapshot().site.isConfigured, false, 'docs that were removed are still served');
  });

  it('answers from a public site that has a sitemap only, with sources on the site', async () => {
    site = await serveDocsSite((url) => ({
      '/robots.txt': { type: 'text/plain', body: `User-agent: *\nDisallow: /private/\n` },
      '/sitemap.xml': {
        type: 'application/xml',
        body: `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${['/guide/limits', '/guide/install', '/private/plans']
  .map((page) => `<url><loc>${url}${page}</loc></url>`)
  .join('\n')}
<url><loc>https://elsewhere.example/page</loc></url></urlset>`,
      },
      '/guide/limits': html(
        'Limits',
        '<h2 id="uploads">Uploads</h2><p>An upload can be at most 45 megabytes large.</p>',
      ),
      '/guide/install': html('Install', '<p>Install Osprey with one command.</p>'),
      '/private/plans': html('Plans', '<p>An upload can be at most 99 megabytes large.</p>'),
    }));
    await chooseSite(site.url);
    await whenNotified(`2 pages of ${new URL(site.url).host}`);
    const urls = await askForSources('How large can an upload be?', /45 megabytes/);
    const [first = ''] = urls;
    assert.ok(first.startsWith(`${site.url}/guide/limits`), first);
    assert.equal((await fetch(first)).status, 200);
    assert.ok(!site.requested.includes('/private/plans'), 'robots.txt is not honored');

    // Fetched again on request, while the service runs.
    site.publish({
      '/guide/limits': html(
        'Limits',
        '<h2 id="uploads">Uploads</h2><p>An upload can be at most 60 megabytes large.</p>',
      ),
    });
    await clearNotifications();
    const { host } = new URL(site.url);
    const refreshing = begin(commands.chooseDocs);
    await choose('Manage Kept Docs…');
    await workbench.waitFor('.quick-input-title', { hasText: 'Manage Kept Docs' });
    await choose(host);
    await choose('Fetch Again');
    await refreshing;
    await whenNotified(`2 pages of ${host}`);
    assert.match(await ask('How many megabytes can an upload be?', 1), /60 megabytes/);
  });

  it('is offered by set-up and by the empty chat, for readers without an account', async () => {
    const settingUp = begin(commands.setUpSite);
    await workbench.click('.quick-input-titlebar .codicon-library');
    await workbench.waitFor(quickPickRow, { hasText: 'A Public Docs Site…' });
    await pressKey('Escape');
    await settingUp;
    await chat.click('.empty-state vscode-button', { hasText: 'Choose Docs…' });
    await workbench.waitFor(quickPickRow, { hasText: 'A Public Docs Site…' });
    await pressKey('Escape');
  });

  it('compares replies of a hosted site with its kept docs, and marks a wrong default', async () => {
    const { site: hosted } = suiteEnvironment();
    const label = `${hosted.domain}.docs.example`;
    const folder = path.join(temporary.folder, 'kept-bundle');
    const limits = html('Limits', '<p>A request can take 30 seconds by default.</p>');
    await mkdir(path.join(folder, 'guide'), { recursive: true });
    await writeFile(path.join(folder, 'index.html'), html('Osprey', '<p>Welcome.</p>').body);
    await writeFile(path.join(folder, 'guide', 'limits.html'), limits.body);
    await vscode.commands.executeCommand(commands.chooseDocs, { kind: 'bundle', folder, label });
    await whenNotified(`2 pages of ${label}`);
    await vscode.commands.executeCommand(commands.stopLocalService);
    await clearNotifications();
    await useHostedSite(hosted);
    const setting = begin(commands.setAssistantKey);
    await answerPrompt(hosted.key);
    await setting;

    const url = `https://${label}/guide/limits`;
    const source = { type: 'source-url', sourceId: 's', url, title: 'Limits' };
    await docsService.queue(
      cannedReply('A request can take 30 seconds by default.', [source]),
      cannedReply('A request can take 90 seconds by default.', [source]),
    );
    await ask('How long can a request take?');
    await chat.waitFor('article.reply', { hasText: '1 of 1 statement found in the docs' });
    assert.equal(await chat.count('.unproven'), 0);
    await ask('Are you sure?', 1);
    await chat.waitFor('.unproven', { hasText: '90 seconds' });
    await chat.waitFor('article.reply', { hasText: `on this machine: ${label}, updated`, nth: 1 });
    await chat.click('.proof summary');
    await chat.waitFor('.unproven-list .link-button', { hasText: 'Limits' });
    await takeScreenshot('hosted-proof');

    await removeKept(label);
  });

  it('says that the folder of kept docs is gone, and offers other docs', async () => {
    const folder = inWorkspace('gone-docs');
    await vscode.workspace.fs.writeFile(
      vscode.Uri.joinPath(folder, 'index.md'),
      Buffer.from('# Gone\n\nSoon gone.\n'),
    );
    const docs = { kind: 'folder', folder: folder.fsPath, label: 'gone-docs' };
    await vscode.commands.executeCommand(commands.chooseDocs, docs);
    await whenNotified('1 page of gone-docs');
    await vscode.commands.executeCommand(commands.stopLocalService);
    await clearNotifications();
    await vscode.workspace.fs.delete(folder, { recursive: true });
    await vscode.commands.executeCommand(commands.chooseDocs, docs);
    await takeAction('The folder of gone-docs no longer exists.', 'Choose Docs…');
    await workbench.waitFor(quickPickRow, { hasText: 'gone-docs' });
    await pressKey('Escape');
  });
});
