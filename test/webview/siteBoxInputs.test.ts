import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { survey } from '../builders/hostedSite';
import { startCloudFront } from '../fakes/cloudFront';
import type { RunningHost } from '../fakes/webServers';
import { boxFindings, enhance, noteErrors } from './enhancedSite';
import { borrowBrowser, openContext } from './harness';

const html = (title: string, body: string, attributes = 'lang="en"'): string =>
  `<!doctype html><html ${attributes}><head><meta charset="utf-8"><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`;

/** A worker that keeps everything that it has seen, as those of generators do. */
const worker = `
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(clients.claim()));
self.addEventListener('fetch', (event) => event.respondWith((async () => {
  const kept = await caches.open('site');
  const known = await kept.match(event.request);
  if (known) return known;
  const answer = await fetch(event.request);
  if (answer.ok) await kept.put(event.request, answer.clone());
  return answer;
})()));
`;

/** Small sites that are hard for the box, each with the policy of its own hosting configuration. */
describe('the box in sites of other kinds', () => {
  let browser: Browser;
  let giveBack = (): Promise<void> => Promise.resolve();
  let context: BrowserContext | undefined;
  let host: RunningHost | undefined;
  let root = '';
  let complaints: string[] = [];

  before(async () => {
    ({ browser, giveBack } = await borrowBrowser());
  });
  after(() => giveBack());
  beforeEach(() => {
    complaints = [];
  });
  afterEach(async () => {
    await context?.close();
    await host?.stop();
    await rm(root, { recursive: true, force: true });
    [context, host] = [undefined, undefined];
    assert.deepEqual(complaints, []);
  });

  async function write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(root, name)), { recursive: true });
      await writeFile(path.join(root, name), content);
    }
  }

  /** Enhances a site of these files, and opens its home page. */
  async function open(files: Readonly<Record<string, string>>): Promise<Page> {
    root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'box-inputs-')));
    await write(files);
    await enhance(root);
    host = await startCloudFront(root, await survey(root));
    context = await openContext(browser);
    const page = await context.newPage();
    noteErrors(page, complaints);
    await page.goto(`${host.origin}/`);
    return page;
  }

  const boxOf = (page: Page) => page.locator('docs-assistant-box');
  const optionsOf = (page: Page) => boxOf(page).getByRole('listbox').getByRole('option');

  async function type(page: Page, text: string): Promise<void> {
    await boxOf(page).locator('button.open').waitFor();
    await page.keyboard.press('/');
    await boxOf(page).locator('input.field').fill(text);
  }

  it('marks the words of Chinese, and not the whole line that they stand in', async () => {
    const page = await open({
      'index.html': html('鹈鹕', '<p>春天的时候鹈鹕每天在湖里吃鱼然后飞走。</p>', 'lang="zh"'),
      'other.html': html('苍鹭', '<p>苍鹭在冬天用一条腿站立。</p>', 'lang="zh"'),
    });
    await type(page, '湖里吃鱼');
    const marks = optionsOf(page).nth(1).locator('mark');
    await marks.first().waitFor();
    assert.deepEqual(await marks.allInnerTexts(), ['湖里吃鱼']);
  });

  it('leaves Enter to the input method while it composes', async () => {
    const page = await open({
      'index.html': html('鈴', '<p>鈴が鳴る。</p>', 'lang="ja"'),
      'other.html': html('鐘', '<p>鐘が鳴る。</p>', 'lang="ja"'),
    });
    await type(page, '鐘が');
    await optionsOf(page).nth(1).waitFor();
    for (const init of [{ isComposing: true }, { keyCode: 229 }])
      await boxOf(page)
        .locator('input.field')
        .dispatchEvent('keydown', { key: 'Enter', bubbles: true, ...init });
    assert.equal(await page.getByRole('dialog').isVisible(), true);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/other/);
  });

  it('runs from right to left as its page does, whichever element says so', async () => {
    const page = await open({
      'index.html': '<!doctype html><title>طيور</title><body dir="rtl"><p>البجع يأكل السمك.</p>',
    });
    await type(page, 'البجع');
    const direction = await page
      .getByRole('dialog')
      .evaluate((dialog) => getComputedStyle(dialog).direction);
    assert.equal(direction, 'rtl');
  });

  it('shows its English texts from left to right where the page runs from right to left', async () => {
    const page = await open({
      'index.html': html('طيور', '<p>البجع يأكل السمك مع pelican.</p>', 'lang="ar" dir="rtl"'),
    });
    await type(page, 'What does a pelican eat?');
    await optionsOf(page).nth(1).waitFor();
    for (const [selector, text] of [
      ['.status', '1 result'],
      ['.ask', 'Ask: What does a pelican eat?'],
      ['.hint', '↑ ↓ to choose, Enter to open, Ctrl+Enter to ask, Esc to close'],
    ] as const) {
      const shown = boxOf(page).locator(selector);
      assert.equal(await shown.innerText(), text);
      const [first = 0, last = 0] = await shown.evaluate(({ firstChild }) =>
        [0, -1].map((at) => {
          const node = firstChild ?? document.body;
          const range = new Range();
          const start = at < 0 ? (node.textContent?.length ?? 0) + at : at;
          range.setStart(node, start);
          range.setEnd(node, start + 1);
          return range.getBoundingClientRect().x;
        }),
      );
      assert.ok(first < last, text);
    }
  });

  it('offers older versions beside a current one that has no name', async () => {
    const page = await open({
      'index.html': html('Birds', '<p>Pelicans eat fish.</p>'),
      'herons.html': html('Herons', '<p>A heron stands on one leg.</p>'),
      '6.x/index.html': html('Birds', '<p>Pelicans eat fish. Once.</p>'),
      '6.x/herons.html': html('Herons', '<p>A heron stands on two legs.</p>'),
    });
    await type(page, 'heron stands');
    const result = optionsOf(page).nth(1);
    await result.waitFor();
    assert.match((await result.getAttribute('href')) ?? '', /\/herons\.html$/);
    assert.doesNotMatch((await result.getAttribute('href')) ?? '', /6\.x/);
    await boxOf(page).getByLabel('Version').selectOption('6.x');
    await result.locator('.version', { hasText: '6.x' }).waitFor();
    assert.match((await result.getAttribute('href')) ?? '', /\/6\.x\/herons\.html$/);
  });

  it('tells pieces of code apart for those who do not see them', async () => {
    const code = (text: string): string => `<pre><code class="language-js">${text}</code></pre>`;
    const page = await open({
      'index.html': html(
        'Prefix',
        `<h2 id="prefix">Prefix of modules</h2><p>Import the modules of Node with a prefix:</p>${code("import fs from 'node:fs';")}<p>Do not import modules without a prefix:</p>${code("import fs from 'fs';")}`,
      ),
    });
    await type(page, 'How do I import modules with a prefix?');
    await optionsOf(page).first().waitFor();
    await page.keyboard.press('Control+Enter');
    await boxOf(page).locator('.reply pre').nth(1).waitFor();
    assert.deepEqual(await boxFindings(page), []);
  });

  it('offers no copy of code to a page of plain HTTP, which has no clipboard', async () => {
    const page = await open({
      'index.html': html('Birds', '<p>Call a pelican:</p><pre><code>call("pelican");</code></pre>'),
    });
    const copiesAt = async (origin: string): Promise<number> => {
      await page.goto(`${origin}/`);
      await type(page, 'How do I call a pelican?');
      await optionsOf(page).first().waitFor();
      await page.keyboard.press('Control+Enter');
      await boxOf(page).locator('.reply pre').waitFor();
      return boxOf(page).getByRole('button', { name: 'Copy' }).count();
    };
    const { origin } = host ?? assert.fail('no host');
    assert.equal(await copiesAt(origin), 1);
    await page.route('http://docs.example/**', async (route) => {
      const { pathname } = new URL(route.request().url());
      await route.fulfill({ response: await route.fetch({ url: origin + pathname }) });
    });
    assert.equal(await copiesAt('http://docs.example'), 0);
  });

  it('shows for a moment that code was copied', async () => {
    const page = await open({
      'index.html': html('Birds', '<p>Call a pelican:</p><pre><code>call("pelican");</code></pre>'),
    });
    await page.context().grantPermissions(['clipboard-write']);
    await type(page, 'How do I call a pelican?');
    await optionsOf(page).first().waitFor();
    await page.keyboard.press('Control+Enter');
    await boxOf(page).getByRole('button', { name: 'Copy' }).click();
    await boxOf(page).getByRole('button', { name: 'Copied' }).waitFor();
    await boxOf(page).getByRole('button', { name: 'Copy', exact: true }).waitFor();
  });

  it('copies the text of an answer without the names of buttons', async () => {
    const page = await open({
      'index.html': html('Birds', '<p>Call a pelican:</p><pre><code>call("pelican");</code></pre>'),
    });
    await type(page, 'How do I call a pelican?');
    await optionsOf(page).first().waitFor();
    await page.keyboard.press('Control+Enter');
    await boxOf(page).locator('.reply p').first().click();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
    const field = boxOf(page).locator('input.field');
    await field.fill('');
    await field.press('Control+v');
    const copied = await field.inputValue();
    assert.match(copied, /How do I call a pelican\?\s*Call a pelican: 1\s*call\("pelican"\);/);
    assert.doesNotMatch(copied, /Copy|Back|✕|complete|Open|Enter/);
  });

  it('lets the end of a long first line of code be read beside its button', async () => {
    const page = await open({
      'index.html': html(
        'Birds',
        `<p>Call a pelican:</p><pre><code>call("pelican", "${'and another one '.repeat(20)}");</code></pre>`,
      ),
    });
    await type(page, 'How do I call a pelican?');
    await optionsOf(page).first().waitFor();
    await page.keyboard.press('Control+Enter');
    const code = boxOf(page).locator('.reply pre');
    await code.evaluate((pre) => (pre.scrollLeft = pre.scrollWidth));
    const button = await boxOf(page).getByRole('button', { name: 'Copy' }).boundingBox();
    const end = await code.evaluate((pre) => {
      const range = document.createRange();
      range.selectNodeContents(pre);
      return range.getBoundingClientRect().right;
    });
    assert.ok(end <= (button?.x ?? 0), `${end} > ${button?.x}`);
  });

  describe('under a service worker of the site, which keeps all that it has seen', () => {
    const files = {
      'index.html': html('Birds', '<p>Pelicans eat fish.</p>').replace(
        '</head>',
        '<script src="register.js" defer></script></head>',
      ),
      'register.js': "navigator.serviceWorker.register('/worker.js');\n",
      'worker.js': worker,
      '404.html': html('Not found', '<p>This page does not exist.</p>'),
    };

    async function openKept(): Promise<Page> {
      const page = await open(files);
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
      await page.reload();
      return page;
    }

    it('finds pages', async () => {
      const page = await openKept();
      await type(page, 'pelicans');
      await optionsOf(page).nth(1).waitFor();
    });

    it('says so if a page that is kept asks for an index that is gone', async () => {
      const page = await openKept();
      await write({ 'new.html': html('Herons', '<p>A heron stands on one leg.</p>') });
      await enhance(root);
      await page.reload();
      await boxOf(page).locator('button.open').click();
      await boxOf(page).getByText('The search couldn’t be loaded. Reload the page').waitFor();
      complaints = complaints.filter((text) => !/404|MIME type/.test(text));
      await page.evaluate(() => caches.delete('site'));
      await page.reload();
      await type(page, 'heron stands');
      await optionsOf(page).nth(1).waitFor();
    });
  });

  it('searches a site of one page', async () => {
    const page = await open({ 'index.html': '<h1>Birds</h1><p>Pelicans eat fish.' });
    await type(page, 'pelicans');
    const result = optionsOf(page).nth(1);
    await result.waitFor();
    assert.equal(await result.getAttribute('href'), `${host?.origin}/`);
    assert.equal(await boxOf(page).locator('select').count(), 0);
  });
});
