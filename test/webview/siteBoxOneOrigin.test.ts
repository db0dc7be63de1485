import assert from 'node:assert/strict';
import path from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { systemClock } from '../../src/common/clock';
import { enhanceSite } from '../../src/enhance/enhanceSite';
import { type LocalService, startLocalService } from '../../src/service/server/server';
import { hostedSite, survey, type HostedSite } from '../builders/hostedSite';
import { type FaultProxy, startFaultProxy } from '../fakes/faultProxy';
import { RecordingLog } from '../fakes/recordingLog';
import { startSiteHost } from '../fakes/siteHost';
import type { RunningHost } from '../fakes/webServers';
import { borrowBrowser, openContext } from './harness';

const key = 'local_dsc_0123456789abcdef';
const question = 'How long is an idempotency key remembered?';

/** An enhanced site on `docs-assistant host`, which passes questions on to the docs service beside it. */
describe('the box of a site whose host has the docs service at the same origin', () => {
  let hosted: HostedSite;
  let host: RunningHost;
  let service: LocalService;
  let proxy: FaultProxy;
  let browser: Browser;
  let giveBack = (): Promise<void> => Promise.resolve();
  let context: BrowserContext;
  let page: Page;
  const foreign: string[] = [];
  const complaints: string[] = [];
  const warnings: unknown[] = [];

  before(async () => {
    hosted = await hostedSite();
    service = await startLocalService({
      docs: path.resolve('src/service/sample/docs'),
      domain: 'sample',
      key,
      paceMs: 0,
    });
    await service.whenIndexed();
    proxy = await startFaultProxy({ target: service.url });
    await enhanceSite({
      root: hosted.folder,
      scripts: path.resolve('dist/site'),
      service: { baseUrl: '/_docs-assistant/service', domain: 'sample', key },
      signal: new AbortController().signal,
      onProgress: () => undefined,
      clock: systemClock,
      log: new RecordingLog(),
    });
    host = await startSiteHost(
      { folder: hosted.folder, site: await survey(hosted.folder), redirects: [] },
      { service: proxy.url, tell: (event) => warnings.push(event) },
    );
    ({ browser, giveBack } = await borrowBrowser());
  });
  beforeEach(async () => {
    for (const noted of [foreign, complaints, warnings]) noted.length = 0;
    context = await openContext(browser, { viewport: { width: 1280, height: 860 } });
    page = await context.newPage();
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('console', (message) => {
      if (/Content.Security.Policy/i.test(message.text())) complaints.push(message.text());
    });
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== host.origin) foreign.push(request.url());
    });
    await page.goto(`${host.origin}/v2/en/quickstart`);
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Search and ask the docs' }).fill(question);
  });
  afterEach(async () => {
    await context.close();
    proxy.clearFaults();
    assert.deepEqual({ foreign, complaints }, { foreign: [], complaints: [] });
  });
  after(async () => {
    await giveBack();
    await host.stop();
    await proxy.stop();
    await service.stop();
    await hosted.remove();
  });

  const questions = () => proxy.exchanges.filter(({ method }) => method === 'POST');
  const reply = () => page.getByRole('region', { name: 'Answer' }).getByRole('article');
  const box = () => page.locator('docs-assistant-box');

  it('asks its own origin alone, under a policy that allows no other, and shows a cited reply', async () => {
    const before = questions().length;
    await page.keyboard.press('Control+Enter');
    await box().getByText('The answer is complete.').waitFor();
    assert.match(await reply().innerText(), /24 hours/);
    const source = reply().locator('.reply > ol a').first();
    assert.match((await source.getAttribute('href')) ?? '', /\/v2\/en\/idempotency/);
    const [asked, ...others] = questions().slice(before);
    assert.deepEqual(others, []);
    assert.equal(asked?.path, '/v2/assistant/sample/message');
    assert.equal(asked.headers['authorization'], `Bearer ${key}`);
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
    const held = questions().at(-1);
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
