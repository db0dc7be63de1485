import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { survey } from '../builders/hostedSite';
import type { FaultProxy } from '../fakes/faultProxy';
import { startSiteHost } from '../fakes/siteHost';
import type { RunningHost } from '../fakes/webServers';
import { type AskingSite, noteForeign, question, startAskingSite } from './enhancedSite';
import { borrowBrowser, openContext } from './harness';

/** An enhanced site on `docs-assistant host`, which passes questions on to the docs service beside it. */
describe('the box of a site whose host has the docs service at the same origin', () => {
  let site: AskingSite;
  let proxy: FaultProxy;
  let host: RunningHost;
  let browser: Browser;
  let giveBack = (): Promise<void> => Promise.resolve();
  let context: BrowserContext;
  let page: Page;
  let complaints: string[] = [];

  before(async () => {
    site = await startAskingSite(() => '/_docs-assistant/service');
    proxy = site.proxy;
    const { folder } = site.hosted;
    host = await startSiteHost(
      { folder, site: await survey(folder), redirects: [] },
      { service: proxy.url },
    );
    ({ browser, giveBack } = await borrowBrowser());
  });
  beforeEach(async () => {
    complaints = [];
    context = await openContext(browser, { viewport: { width: 1280, height: 860 } });
    page = await context.newPage();
    noteForeign(page, [host.origin], complaints);
    await page.goto(`${host.origin}/v2/en/quickstart`);
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Search and ask the docs' }).fill(question);
  });
  afterEach(async () => {
    await context.close();
    proxy.clearFaults();
    assert.deepEqual(complaints, []);
  });
  after(async () => {
    await giveBack();
    await host.stop();
    await site.stop();
  });

  const reply = () => page.getByRole('region', { name: 'Answer' }).getByRole('article');
  const box = () => page.locator('docs-assistant-box');

  it('asks its own origin alone, under a policy that allows no other, and shows a cited reply', async () => {
    const before = site.questions().length;
    await page.keyboard.press('Control+Enter');
    await box().getByText('The answer is complete.').waitFor();
    assert.match(await reply().innerText(), /24 hours/);
    const source = reply().locator('.reply > ol a').first();
    assert.match((await source.getAttribute('href')) ?? '', /\/v2\/en\/idempotency/);
    const [asked, ...others] = site.questions().slice(before);
    assert.deepEqual(others, []);
    assert.equal(asked?.path, '/v2/assistant/sample/message');
    assert.equal(asked.headers['authorization'], `Bearer ${site.key}`);
    assert.equal(asked.headers['cookie'], undefined);
    assert.match(host.policy, /^default-src 'self';/);
    assert.doesNotMatch(host.policy, /connect-src/);
  });

  it('shows words while the reply streams through the host, and a stop reaches the service', async () => {
    proxy.queue({
      when: { method: 'POST' },
      cues: [{ at: { text: 'text-delta' }, do: 'hold', gate: 'first words' }],
    });
    await page.keyboard.press('Control+Enter');
    await proxy.whenHeld('first words');
    const held = site.questions().at(-1);
    await reply().locator('.reply').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await reply().getByText('You stopped this answer.').waitFor();
    await proxy.until(() => held?.state === 'client-gone');
  });

  it('answers from the files if the service beside the host is away, and says so', async () => {
    proxy.queue({ when: { method: 'POST' }, respond: { status: 502, body: 'away' } });
    await page.keyboard.press('Control+Enter');
    await box().getByText('The answer is complete.').waitFor();
    assert.match(await reply().innerText(), /24 hours/);
    await reply()
      .getByText(/can’t be reached/)
      .waitFor();
  });
});
