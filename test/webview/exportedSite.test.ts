import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { renderSite } from '../../src/service/export/site/siteRenderer';
import { RecordingLog } from '../fakes/recordingLog';
import { borrowBrowser, openContext } from './harness';

const wide = { width: 1360, height: 860 };
const narrow = { width: 400, height: 800 };

/** The site of the sample docs, opened from disk, as nothing but a browser is needed. */
describe('an exported site in a browser', () => {
  const log = new RecordingLog();
  const htmlFiles: string[] = [];
  let root = '';
  let browser: Browser;
  let giveBack = (): Promise<void> => Promise.resolve();
  const contexts: BrowserContext[] = [];
  /** Whatever a page complains of or asks the network for. */
  let complaints: string[] = [];

  before(async () => {
    root = await realpath(await mkdtemp(path.join(tmpdir(), 'exported-site-')));
    await renderSite({
      root: await realpath('src/service/sample/docs'),
      siteHost: 'sample.localhost',
      signal: new AbortController().signal,
      log,
      write: async (file) => {
        const target = path.join(root, file.path);
        await mkdir(path.dirname(target), { recursive: true });
        await writeFile(target, file.content, { flag: 'wx' });
        if (file.path.endsWith('.html')) htmlFiles.push(file.path);
      },
      onProgress: () => undefined,
    });
    ({ browser, giveBack } = await borrowBrowser());
  });
  beforeEach(() => {
    complaints = [];
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    assert.deepEqual(complaints, []);
  });
  after(async () => {
    await giveBack();
    await rm(root, { recursive: true, force: true });
  });

  const urlOf = (file: string): string => pathToFileURL(path.join(root, file)).href;

  async function open(file: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await openContext(browser, { viewport: wide, ...options });
    contexts.push(context);
    const page = await context.newPage();
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => complaints.push(message.text()));
    page.on('requestfailed', (request) => {
      const why = request.failure()?.errorText ?? '';
      // The next page came before this one's icon.
      if (why !== 'net::ERR_ABORTED') complaints.push(`${request.url()}: ${why}`);
    });
    page.on('request', (request) => {
      if (!/^(?:file|data):/.test(request.url())) complaints.push(request.url());
    });
    await page.goto(urlOf(file));
    return page;
  }

  const background = (page: Page): Promise<string> =>
    page.evaluate(() => getComputedStyle(document.body).backgroundColor);

  it('is made of the sample docs without a word in the log', () => {
    assert.deepEqual(log.messages(), []);
    assert.ok(htmlFiles.includes('v2/en/webhooks.html'));
  });

  it('shows every page without complaint, and none wider than a phone', async () => {
    const page = await open('index.html', { viewport: narrow });
    for (const file of htmlFiles) {
      await page.goto(urlOf(file));
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert.equal(overflow, 0, file);
      const shown = await page.evaluate(() =>
        Promise.all(
          [...document.images].map(async (image) => {
            image.loading = 'eager';
            await image.decode();
            return image.naturalWidth > 0;
          }),
        ),
      );
      assert.ok(!shown.includes(false), file);
      if (file === 'v2/en/webhooks.html') assert.equal(shown.length, 1);
    }
  });

  it('follows the theme of the system, until the reader chooses', async () => {
    const page = await open('index.html', { colorScheme: 'dark' });
    const dark = await background(page);
    await page.getByRole('button', { name: 'Switch between light and dark' }).click();
    const light = await background(page);
    assert.notEqual(light, dark);
    await page.getByRole('link', { name: 'Quickstart' }).first().click();
    await page.waitForURL(urlOf('v2/en/quickstart.html'));
    assert.equal(await background(page), light);
    // Chromium may move to another process here, which gets the stored choice a moment later.
    do await page.goto(urlOf('404.html'));
    while ((await background(page)) !== light);
  });

  it('finds pages and sections as one types', async () => {
    const page = await open('v2/en/quickstart.html');
    await page.keyboard.press('/');
    await page.keyboard.type('rotate the sec');
    await page.getByRole('option', { name: 'Rotate the secret' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${urlOf('v2/en/webhooks.html')}#rotate-the-secret`);
    assert.equal(await page.locator(':target').evaluate((heading) => heading.tagName), 'H2');
  });

  it('says so where nothing is found, and closes the search by Escape', async () => {
    const page = await open('index.html');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('zzzz');
    await page.getByText('No results').waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await page.getByRole('listbox').isVisible(), false);
  });

  it('copies code as the page has it', async () => {
    const page = await open('v2/en/webhooks.html');
    const figure = page.locator('.code').first();
    await page.evaluate(() => {
      document.addEventListener('copy', () => {
        document.title = String(getSelection());
      });
      // Pages from disk may not write to the clipboard otherwise.
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
    });
    await figure.getByRole('button', { name: 'Copy' }).click();
    await figure.getByRole('button', { name: 'Copied' }).waitFor();
    assert.match(await page.title(), /^curl -X POST/);
  });

  it('has its navigation behind a button on a narrow screen', async () => {
    const page = await open('index.html', { viewport: narrow });
    const navigation = page.getByRole('navigation', { name: 'Pages' });
    assert.equal(await navigation.isVisible(), false);
    await page.getByRole('button', { name: 'Menu' }).click();
    await navigation.waitFor();
    await page.keyboard.press('Escape');
    await navigation.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Menu' }).click();
    await navigation.getByRole('link', { name: 'Webhooks' }).click();
    await page.waitForURL(urlOf('v2/en/webhooks.html'));
  });

  it('leads by the keyboard first to the content', async () => {
    const page = await open('v2/en/webhooks.html');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'MAIN');
  });

  it('can be read and walked through without scripts', async () => {
    const page = await open('index.html', { javaScriptEnabled: false, viewport: narrow });
    const navigation = page.getByRole('navigation', { name: 'Pages' });
    assert.equal(await navigation.isVisible(), true);
    assert.equal(await page.getByRole('combobox').isVisible(), false);
    await navigation.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('heading', { name: 'Verify the signature' }).waitFor();
  });
});
