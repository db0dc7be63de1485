import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Locator,
  Page,
} from 'playwright-core';
import { hostedSite, survey, type HostedSite } from '../builders/hostedSite';
import { startCloudFront } from '../fakes/cloudFront';
import type { RunningHost } from '../fakes/webServers';
import { boxFindings, boxOverflow, enhance, noteErrors, shoot } from './enhancedSite';
import { borrowBrowser, openContext } from './harness';

const wide = { width: 1280, height: 860 };
const narrow = { width: 380, height: 760 };

const rightToLeft = `<!doctype html><html lang="ar" dir="rtl"><head><meta charset="utf-8"><title>الطيور</title></head>
<body style="margin: 0"><main><h1>الطيور</h1><p>البجع يأكل السمك كل يوم في البحيرة الكبيرة.</p></main></body></html>`;

const hostile = `<!doctype html><html lang="en"><head><title>&lt;img src=x onerror=alert(1)&gt; Quetzal</title></head><body><main>
<h1>&lt;img src=x onerror=alert(1)&gt; Quetzal</h1>
<p>A quetzal &lt;script&gt;alert(2)&lt;/script&gt; flies to <a href="javascript:alert(3)">its nest</a> every quetzal morning.</p>
</main></body></html>`;

const dark = `<!doctype html><html lang="en"><head><title>Night</title><style>html{background:#101418}body{color:#d8dee4}a{color:#7cc4ff}</style></head>
<body><main><h1>Night</h1><p>Owls hunt at night. <a href="index.html">Home</a></p></main></body></html>`;

/** A page whose readers switch its theme, and which follows that of the system. */
const themed = `<!doctype html><html lang="en"><head><title>Dusk</title><style>html{background:#fff;transition:background .1s}
@media (prefers-color-scheme: dark){html{background:#202124}}html[data-theme="dark"]{background:#101418}</style></head>
<body><main><h1>Dusk</h1><p>Bats wake at dusk.</p></main></body></html>`;

/** Pages about wombats: one with many sections about them, and nine that only mention them. */
const wombats = Object.fromEntries(
  Array.from({ length: 10 }, (_, at) => {
    const sections =
      at === 0
        ? Array.from(
            { length: 12 },
            (__, n) => `<h2>Wombat ${n}</h2><p>A wombat digs hole${n} and eats root${n}.</p>`,
          )
        : [`<p>${Array.from({ length: 60 }, (__, n) => `tree${at}${n}`).join(' ')} wombat.</p>`];
    const title = at === 0 ? 'Wombats' : `Forest ${at}`;
    const page = `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>${sections.join('')}</main></body></html>`;
    return [`wombats/${at}.html`, page];
  }),
);

/** An enhanced site with the policy of its own hosting configuration, sent by a host, in a browser without other network. */
describe('search and answers in an enhanced site', () => {
  let hosted: HostedSite;
  let host: RunningHost;
  let browser: Browser;
  let giveBack = (): Promise<void> => Promise.resolve();
  const contexts: BrowserContext[] = [];
  let complaints: string[] = [];
  let requests: string[] = [];

  before(async () => {
    hosted = await hostedSite({
      'rtl/birds.html': rightToLeft,
      'hostile.html': hostile,
      'night.html': dark,
      'dusk.html': themed,
      ...wombats,
      'framing.html':
        '<!doctype html><html lang="en"><head><title>Framing</title></head><body><main><h1>Framing</h1><p>A page in a page.</p><iframe title="Night" src="night.html"></iframe></main></body></html>',
    });
    await enhance(hosted.folder);
    host = await startCloudFront(hosted.root, await survey(hosted.folder));
    ({ browser, giveBack } = await borrowBrowser());
  });
  beforeEach(() => {
    complaints = [];
    requests = [];
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    assert.deepEqual(complaints, []);
  });
  after(async () => {
    await giveBack();
    await host.stop();
    await hosted.remove();
  });

  async function open(address: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await openContext(browser, { viewport: wide, ...options });
    contexts.push(context);
    const page = await context.newPage();
    noteErrors(page, complaints);
    page.on('request', (request) => {
      requests.push(request.url());
      const isOwn = request.url().startsWith(host.origin) || /^(?:data|file):/.test(request.url());
      if (!isOwn) complaints.push(request.url());
    });
    await page.goto(address.startsWith('file:') ? address : host.origin + address);
    return page;
  }

  const field = (page: Page) =>
    page.getByRole('combobox', { name: /^(?:Search and ask the docs|Die Dokumentation)/ });
  const options = (page: Page) =>
    page.locator('docs-assistant-box').getByRole('listbox').getByRole('option');

  it('finds a section by its words, and opens it by keyboard', async () => {
    const page = await open('/v2/en/quickstart');
    await page.keyboard.press('/');
    await field(page).fill('replay attack signature tolerance');
    const first = options(page).nth(1);
    await first.waitFor();
    assert.match(await first.innerText(), /^Webhooks/);
    assert.ok((await first.locator('mark').count()) > 0);
    assert.match(
      await page.locator('docs-assistant-box').getByRole('status').innerText(),
      /results?$/,
    );
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    assert.equal(await first.getAttribute('aria-selected'), 'true');
    assert.equal(
      await field(page).getAttribute('aria-activedescendant'),
      await first.getAttribute('id'),
    );
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/v2\/en\/webhooks#./);
  });

  it('finds a page while its word is being typed, and closes by Escape', async () => {
    const page = await open('/v2/en/quickstart');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('idempot');
    await options(page)
      .filter({ hasText: /Idempoten/ })
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    // The browser takes the focus out of the closed box with its next frame. Until then, keys are typed into its field.
    await page.waitForFunction(() => document.activeElement === document.body);
    await page.keyboard.press('/');
    assert.equal(await field(page).inputValue(), 'idempot');
  });

  it('opens what is found for the whole text by Enter, before it is listed', async () => {
    const page = await open('/v2/en/quickstart');
    await page.keyboard.press('/');
    await field(page).fill('webhooks');
    await options(page).nth(1).waitFor();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\/parts\//, async (route) => {
      await held;
      await route.continue();
    });
    await field(page).fill('idempotency key');
    await field(page).press('Enter');
    release();
    await page.waitForURL(/\/v2\/en\/(?!quickstart)/);
    assert.match(page.url(), /idempotency/);
  });

  it('takes a new text in place of the earlier one when it opens again', async () => {
    const page = await open('/v2/en/quickstart');
    await page.keyboard.press('/');
    await field(page).fill('webhooks');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.activeElement === document.body);
    await page.keyboard.press('/');
    await page.keyboard.type('errors');
    assert.equal(await field(page).inputValue(), 'errors');
  });

  it('opens after its script could not be loaded, and no longer says so', async () => {
    const page = await open('/v2/en/quickstart');
    await page.route(/\/search-/, (route) => route.abort());
    const button = page.getByRole('button', { name: 'Search and ask' });
    await button.click();
    const alert = page.locator('docs-assistant-box').getByRole('alert');
    await alert.getByText('The search couldn’t be loaded.').waitFor();
    await page.unroute(/\/search-/);
    await button.click();
    await field(page).waitFor();
    assert.equal(await alert.count(), 0);
    complaints = complaints.filter((text) => !text.includes('ERR_FAILED'));
  });

  it('stays open when selected text ends beside it, and closes by a click there', async () => {
    const page = await open('/v2/en/quickstart');
    await page.keyboard.press('/');
    await field(page).fill('webhooks');
    const box = await field(page).boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + 60, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(5, box.y + box.height / 2, { steps: 3 });
    await page.mouse.up();
    assert.equal(await page.getByRole('dialog').isVisible(), true);
    await page.mouse.click(5, box.y);
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  it('keeps the answer that a double click asks for', async () => {
    const page = await open('/v2/en/quickstart');
    await page.keyboard.press('/');
    await field(page).fill('How long is an idempotency key remembered?');
    const ask = options(page).first();
    await options(page).nth(1).waitFor();
    await ask.click();
    const back = page.locator('docs-assistant-box button.back');
    // The script that answers is there for the next question, which then takes no time.
    await back.click();
    await ask.click();
    await back.waitFor();
    await back.dispatchEvent('click', { detail: 2 });
    assert.equal(await back.isVisible(), true);
  });

  it('stays open when a result or a source is opened in another tab', async () => {
    const page = await open('/v2/en/quickstart');
    const openBeside = async (link: Locator): Promise<void> => {
      const [opened] = await Promise.all([
        page.context().waitForEvent('page'),
        link.click({ modifiers: ['ControlOrMeta'] }),
      ]);
      await opened.close();
    };
    await page.keyboard.press('/');
    await field(page).fill('idempotency');
    await openBeside(options(page).nth(1));
    assert.equal(await page.getByRole('dialog').isVisible(), true);
    await field(page).press('Control+Enter');
    await openBeside(page.locator('docs-assistant-box .reply > ol a').first());
    assert.equal(await page.getByRole('dialog').isVisible(), true);
    await page.locator('docs-assistant-box .reply > ol a').first().click();
    await page.waitForURL(/\/v2\/en\/idempotency/);
  });

  it('has room for an answer in a window that is only 240 px high, as at 400 % zoom', async () => {
    const page = await open('/v2/en/quickstart', { viewport: { width: 640, height: 240 } });
    await page.keyboard.press('/');
    await field(page).fill('How long is an idempotency key remembered?');
    await field(page).press('Control+Enter');
    const source = page.locator('docs-assistant-box .reply > ol a').first();
    await source.hover();
    const shown = await page.locator('docs-assistant-box .body').evaluate((body) => {
      const { top, bottom } = body.getBoundingClientRect();
      const box = body.closest('dialog')?.getBoundingClientRect();
      return Math.min(bottom, box?.bottom ?? 0) - Math.max(top, box?.top ?? 0);
    });
    assert.ok(shown >= 120, `${shown} px`);
    assert.equal(await boxOverflow(page), 0);
  });

  it('opens no result that an answer hides', async () => {
    const page = await open('/v2/en/quickstart');
    await page.keyboard.press('/');
    await field(page).fill('idempotency');
    await options(page).nth(1).waitFor();
    await field(page).press('Control+Enter');
    const sources = page
      .getByRole('region', { name: 'Answer' })
      .getByRole('heading', { name: 'Sources' });
    await sources.waitFor();
    await field(page).press('Enter');
    await sources.waitFor();
    assert.match(page.url(), /quickstart$/);
    await field(page).press('ArrowDown');
    const marked = page.locator('docs-assistant-box .option[aria-selected="true"]');
    assert.equal(await marked.isVisible(), true);
  });

  it('shows results in place of an answer when another text is typed', async () => {
    const page = await open('/v2/en/quickstart');
    await page.keyboard.press('/');
    await field(page).fill('How long is an idempotency key remembered?');
    await field(page).press('Control+Enter');
    const sources = page.getByRole('heading', { name: 'Sources' });
    await sources.waitFor();
    await field(page).fill('webhooks');
    await options(page).filter({ hasText: 'Webhooks' }).first().waitFor();
    assert.equal(await sources.count(), 0);
  });

  it('lists each of ten pages, whatever number of sections one of them has', async () => {
    const page = await open('/v2/en/quickstart');
    await page.keyboard.press('/');
    await field(page).fill('wombat');
    await options(page).filter({ hasText: 'Wombat 1' }).first().waitFor();
    const listed = await page
      .locator('docs-assistant-box .option[href]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')?.replace(/#.*/, '')));
    assert.equal(new Set(listed).size, 10);
    assert.equal(listed.length, 14);
  });

  it('answers a question from the files, with its source', async () => {
    const page = await open('/v2/en/quickstart');
    await page.getByRole('button', { name: 'Search and ask' }).click();
    await field(page).fill('How long is an idempotency key remembered?');
    await options(page).first().waitFor();
    await page.keyboard.press('Enter');
    const answer = page.getByRole('region', { name: 'Answer' });
    await answer.getByRole('heading', { name: 'Sources' }).waitFor();
    assert.match(await answer.innerText(), /24 hours/);
    // The focus came to the answer before its text did.
    await page.getByRole('status').getByText('The answer is complete.').waitFor();
    const source = answer.locator('.reply > ol a').first();
    assert.match((await source.getAttribute('href')) ?? '', /\/v2\/en\/idempotency\.html/);
    assert.equal(await answer.locator('a[href*="site.invalid"]').count(), 0);
    await source.click();
    await page.waitForURL(/\/v2\/en\/idempotency/);
  });

  it('follows the theme of the page, which its readers and the system switch', async () => {
    const page = await open('/dusk');
    const shows = (color: string): Promise<unknown> =>
      page.waitForFunction(
        (expected) =>
          document
            .querySelector<HTMLElement>('docs-assistant-box')
            ?.style.getPropertyValue('--docs-assistant-background') === expected,
        color,
      );
    await shows('rgb(255 255 255)');
    await page.emulateMedia({ colorScheme: 'dark' });
    await shows('rgb(32 33 36)');
    await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'));
    await shows('rgb(16 20 24)');
    await page.evaluate(() => document.documentElement.removeAttribute('data-theme'));
    await shows('rgb(32 33 36)');
  });

  it('tells the keys of the search while results are listed, and not below an answer', async () => {
    const page = await open('/v2/en/quickstart');
    await page.keyboard.press('/');
    await field(page).fill('webhooks');
    await options(page).nth(1).waitFor();
    const hint = page.locator('docs-assistant-box .hint');
    assert.match(await hint.innerText(), /Enter to open, Ctrl\+Enter to ask/);
    await page.keyboard.press('Control+Enter');
    const back = page.getByRole('button', { name: 'Back to the results' });
    await back.waitFor();
    assert.equal(await hint.isVisible(), false);
    await back.click();
    assert.equal(await hint.isVisible(), true);
  });

  it('says so if the docs have nothing', async () => {
    const page = await open('/v2/en/quickstart');
    await page.keyboard.press('/');
    await field(page).fill('zeppelin xylophone');
    await page.locator('docs-assistant-box').getByText('No results').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByText('I found nothing about that in these docs.').waitFor();
  });

  it('stays with the language and version of the page, until the reader chooses others', async () => {
    const page = await open('/v2/de/webhooks');
    await page.keyboard.press('/');
    await field(page).fill('Webhooks');
    await options(page).nth(1).waitFor();
    const href = (await options(page).nth(1).getAttribute('href')) ?? '';
    assert.match(href, /\/v2\/de\//);
    await page.getByRole('dialog').getByLabel('Version').selectOption('v1');
    await options(page).nth(1).locator('.version', { hasText: 'v1' }).waitFor();
    for (const option of (await options(page).all()).slice(1))
      assert.match((await option.getAttribute('href')) ?? '', /\/v1\//);
  });

  it('makes no markup, no link and no code of what a page says', async () => {
    const page = await open('/hostile');
    page.on('dialog', (dialog) => complaints.push(dialog.message()));
    await page.keyboard.press('/');
    await field(page).fill('quetzal morning');
    await options(page).nth(1).waitFor();
    assert.match(await options(page).nth(1).innerText(), /<img src=x onerror=alert\(1\)> Quetzal/);
    await page.keyboard.press('Control+Enter');
    const answer = page.getByRole('region', { name: 'Answer' });
    await answer.getByRole('heading', { name: 'Sources' }).waitFor();
    assert.match(await answer.innerText(), /<script>alert\(2\)<\/script>/);
    assert.equal(await answer.locator('img, script, a[href^="javascript"]').count(), 0);
  });

  it('loads one small script with a page, and the rest when the box opens', async () => {
    const page = await open('/v2/en/quickstart');
    await page.getByRole('button', { name: 'Search and ask' }).waitFor();
    const own = (): string[] =>
      requests.flatMap((url) => /\/_docs-assistant\/(.*)$/.exec(url)?.[1] ?? []);
    assert.equal(own().length, 1);
    assert.match(own()[0] ?? '', /^assistant-/);
    const { size } = new Blob([
      await readFile(path.join(hosted.folder, '_docs-assistant', own()[0] ?? '')),
    ]);
    assert.ok(size < 40 * 1024, String(size));
    await page.keyboard.press('/');
    await field(page).fill('webhooks');
    await options(page).nth(1).waitFor();
    assert.ok(own().some((name) => name.startsWith('search-')));
    assert.ok(!own().some((name) => name.startsWith('answer-')));
    assert.deepEqual(
      await page.evaluate(() => [document.cookie, localStorage.length, sessionStorage.length]),
      ['', 0, 0],
    );
  });

  it('leaves keys to fields of the page, and has no box in a frame', async () => {
    const page = await open('/framing');
    await page.getByRole('button', { name: 'Search and ask' }).waitFor();
    assert.equal(await page.frameLocator('iframe').locator('docs-assistant-box').count(), 0);
    await page.evaluate(() => document.body.prepend(document.createElement('input')));
    await page.locator('input').first().focus();
    await page.keyboard.press('/');
    assert.equal(await page.locator('input').first().inputValue(), '/');
    assert.equal(await page.getByRole('dialog').count(), 0);
  });

  it('works from disk', async () => {
    const page = await open(pathToFileURL(path.join(hosted.folder, 'v2/en/quickstart.html')).href);
    await page.keyboard.press('/');
    await field(page).fill('How long is an idempotency key remembered?');
    await options(page).first().waitFor();
    await page.keyboard.press('Enter');
    const source = page.locator('docs-assistant-box .reply > ol a').first();
    await source.waitFor();
    assert.match((await source.getAttribute('href')) ?? '', /^file:.*\/v2\/en\/idempotency\.html#/);
  });

  for (const [name, address, colorScheme, viewport] of [
    ['light and wide', '/v2/en/quickstart', 'light', wide],
    ['dark and wide', '/v2/en/quickstart', 'dark', wide],
    ['light and narrow', '/v2/en/quickstart', 'light', narrow],
    ['dark by its own style', '/night', 'light', narrow],
    ['from right to left', '/rtl/birds', 'light', wide],
  ] as const) {
    it(`is for everyone, ${name}`, async () => {
      const page = await open(address, { colorScheme, viewport });
      await page.keyboard.press('/');
      const text =
        address === '/rtl/birds' ? 'البجع السمك' : 'How do I verify a webhook signature in Python?';
      await field(page).fill(text);
      await options(page).nth(1).waitFor();
      await shoot(page, `site box, ${name}, results`);
      assert.deepEqual(await boxFindings(page), []);
      await page.keyboard.press('Control+Enter');
      await page
        .getByRole('region', { name: 'Answer' })
        .getByRole('heading', { name: 'Sources' })
        .waitFor();
      await shoot(page, `site box, ${name}, answer`);
      assert.deepEqual(await boxFindings(page), []);
      assert.equal(await boxOverflow(page), 0);
    });
  }
});
