import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { survey } from '../builders/hostedSite';
import { startCloudFront } from '../fakes/cloudFront';
import type { FaultProxy } from '../fakes/faultProxy';
import type { CannedResponse, Fault } from '../fakes/faults';
import type { RunningHost } from '../fakes/webServers';
import {
  type AskingSite,
  boxFindings,
  boxOverflow,
  noteForeign,
  question,
  shoot,
  startAskingSite,
} from './enhancedSite';
import { borrowBrowser, openContext } from './harness';

/** Headers by which the docs platform lets pages of other hosts ask it. */
const open = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'authorization, content-type',
} as const;

/** An enhanced site with a docs service on another port, under the policy of its own hosting configuration. */
describe('the box of a site with a docs service', () => {
  let site: AskingSite;
  let proxy: FaultProxy;
  let host: RunningHost;
  let browser: Browser;
  let giveBack = (): Promise<void> => Promise.resolve();
  const contexts: BrowserContext[] = [];
  let errors: string[] = [];

  before(async () => {
    site = await startAskingSite(({ url }) => url);
    proxy = site.proxy;
    host = await startCloudFront(site.hosted.root, await survey(site.hosted.folder));
    ({ browser, giveBack } = await borrowBrowser());
  });
  beforeEach(() => {
    errors = [];
    proxy.queue({
      when: { method: 'OPTIONS' },
      times: 1000,
      respond: { status: 204, headers: open },
    });
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    proxy.clearFaults();
    assert.deepEqual(errors, []);
  });
  after(async () => {
    await giveBack();
    await host.stop();
    await site.stop();
  });

  /** Queues a fault of questions that a page of another host may ask. */
  const onQuestion = (fault: Omit<Fault, 'when'> = {}): void =>
    proxy.queue({ ...fault, when: { method: 'POST' }, headers: { ...open, ...fault.headers } });
  const refuse = (respond: CannedResponse): void =>
    onQuestion({ respond: { ...respond, headers: { ...open, ...respond.headers } } });

  /** Queues a reply of this Markdown. */
  const reply = (text: string, ...sources: object[]): void => {
    const chunks = [
      ...sources,
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: text },
      { type: 'text-end', id: '1' },
      { type: 'finish' },
    ];
    refuse({
      headers: { 'content-type': 'text/event-stream' },
      body: chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(''),
    });
  };

  async function openPage({
    colorScheme = 'light',
    width = 1280,
    hasSystemColors = false,
  } = {}): Promise<Page> {
    const context = await openContext(browser, {
      viewport: { width, height: 860 },
      colorScheme: colorScheme === 'dark' ? 'dark' : 'light',
      forcedColors: hasSystemColors ? 'active' : 'none',
    });
    contexts.push(context);
    const page = await context.newPage();
    noteForeign(page, [host.origin, proxy.url], errors);
    await page.goto(`${host.origin}/v2/en/quickstart`);
    return page;
  }

  async function ask(page: Page, question: string): Promise<void> {
    await page.keyboard.press('/');
    await field(page).fill(question);
    await page.keyboard.press('Control+Enter');
  }
  const field = (page: Page) => page.getByRole('combobox', { name: 'Search and ask the docs' });
  const answer = (page: Page) => page.getByRole('region', { name: 'Answer' });
  const turns = (page: Page) => answer(page).getByRole('article');

  it('sends nothing before the reader asks, and then the question alone', async () => {
    const before = proxy.exchanges.length;
    const page = await openPage();
    await page.keyboard.press('/');
    await field(page).fill(question);
    await page.locator('docs-assistant-box .option').nth(1).waitFor();
    assert.equal(proxy.exchanges.length, before);
    onQuestion();
    await page.keyboard.press('Control+Enter');
    await answer(page).getByRole('heading', { name: 'Sources' }).waitFor();
    const asked = site.questions().at(-1);
    assert.equal(asked?.path, '/v2/assistant/sample/message');
    assert.equal(asked.headers['authorization'], `Bearer ${site.key}`);
    assert.equal(asked.headers['cookie'], undefined);
    assert.equal(asked.headers['referer'], undefined);
    const { messages, currentPath, threadId, fp } = asked.body as Record<string, unknown>;
    assert.deepEqual([currentPath, threadId, fp], ['/v2/en/quickstart', undefined, 'anonymous']);
    assert.equal(Array.isArray(messages) ? messages.length : 0, 1);
    assert.deepEqual(
      await page.evaluate(() => [document.cookie, localStorage.length, sessionStorage.length]),
      ['', 0, 0],
    );
  });

  it('shows a reply while it streams, and its sources as pages of the site', async () => {
    const page = await openPage();
    onQuestion({ cues: [{ at: { text: 'text-delta' }, do: 'hold', gate: 'first words' }] });
    await ask(page, question);
    await proxy.whenHeld('first words');
    await answer(page).getByRole('heading', { name: question }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Stop' }).isVisible(), true);
    proxy.openGate('first words');
    await page.locator('docs-assistant-box').getByText('The answer is complete.').waitFor();
    assert.match(await turns(page).innerText(), /24 hours/);
    const source = answer(page).locator('.reply > ol a').first();
    assert.match((await source.getAttribute('href')) ?? '', /\/v2\/en\/idempotency\.html/);
    for (const link of await answer(page).locator('.markdown a').all())
      assert.doesNotMatch((await link.getAttribute('href')) ?? '', /127\.0\.0\.1:\d+\/docs\//);
    assert.equal(await page.getByRole('button', { name: 'Stop' }).isVisible(), false);
    await source.click();
    await page.waitForURL(/\/v2\/en\/idempotency/);
  });

  it('says that the answer is complete when its last words are shown, however late a frame is', async () => {
    const page = await openPage();
    await page.evaluate(() => {
      globalThis.requestAnimationFrame = () => 0;
    });
    onQuestion();
    await ask(page, question);
    await page.locator('docs-assistant-box').getByText('The answer is complete.').waitFor();
    assert.match(await turns(page).innerText(), /24 hours/);
  });

  it('follows up in the same thread, and begins another one for a new question', async () => {
    const page = await openPage();
    onQuestion({ times: 3 });
    await ask(page, question);
    const done = page.locator('docs-assistant-box').getByText('The answer is complete.');
    await done.waitFor();
    const followUp = page.getByRole('textbox', { name: 'Ask a follow-up question' });
    await followUp.fill('And in version 1?');
    await followUp.press('Enter');
    await turns(page).nth(1).getByRole('heading', { name: 'Sources' }).waitFor();
    await done.waitFor();
    const bodies = (): Record<string, unknown>[] =>
      site
        .questions()
        .slice(-2)
        .map(({ body }) => body as Record<string, unknown>);
    const [first, second = {}] = bodies();
    assert.equal(first?.['threadId'], undefined);
    assert.match(String(second['threadId']), /./);
    const rolesOf = (asked: Record<string, unknown> = {}): string[] =>
      (asked['messages'] as { role: string }[]).map(({ role }) => role);
    assert.deepEqual(rolesOf(second), ['user', 'assistant', 'user']);
    assert.equal(await followUp.inputValue(), '');
    await field(page).fill('What is a webhook?');
    await page.keyboard.press('Control+Enter');
    await answer(page).getByRole('heading', { name: 'What is a webhook?' }).waitFor();
    await done.waitFor();
    assert.equal(bodies().at(-1)?.['threadId'], undefined);
    assert.deepEqual(rolesOf(bodies().at(-1)), ['user']);
    assert.equal(await turns(page).count(), 1);
  });

  it('stops a reply and keeps what it had', async () => {
    const page = await openPage();
    onQuestion({ cues: [{ at: { text: 'text-delta' }, do: 'hold', gate: 'to stop' }] });
    await ask(page, question);
    await proxy.whenHeld('to stop');
    const exchange = site.questions().at(-1);
    await page.getByRole('button', { name: 'Stop' }).click();
    await answer(page).getByText('You stopped this answer.').waitFor();
    await proxy.until(() => exchange?.state === 'client-gone');
    assert.equal(await answer(page).getByText('This answer is from the pages alone').count(), 0);
  });

  it('stops a reply when the box closes, and says so when it opens again', async () => {
    const page = await openPage();
    onQuestion({ cues: [{ at: { text: 'text-delta' }, do: 'hold', gate: 'to close' }] });
    await ask(page, question);
    await proxy.whenHeld('to close');
    const exchange = site.questions().at(-1);
    await page.keyboard.press('Escape');
    await proxy.until(() => exchange?.state === 'client-gone');
    await page.getByRole('button', { name: 'Search and ask' }).click();
    await answer(page).getByText('You stopped this answer.').waitFor();
  });

  it('goes on with the newer of two questions, at its top, until the reader goes back', async () => {
    const page = await openPage();
    const hold = (gate: string): void =>
      onQuestion({ cues: [{ at: { text: 'text-delta' }, do: 'hold', gate }] });
    hold('older');
    await ask(page, question);
    await proxy.whenHeld('older');
    hold('newer');
    const followUp = page.getByRole('textbox', { name: 'Ask a follow-up question' });
    await followUp.fill('How are rate limits counted?');
    await followUp.press('Enter');
    await proxy.whenHeld('newer');
    assert.equal(await page.getByRole('button', { name: 'Stop' }).isVisible(), true);
    await page.getByRole('status').getByText('Looking for an answer…').waitFor();
    const top = (await turns(page).last().boundingBox())?.y ?? Infinity;
    const body = (await page.locator('docs-assistant-box .body').boundingBox())?.y ?? 0;
    assert.ok(top - body < 100, `${top - body} px`);
    await page.getByRole('button', { name: 'Back to the results' }).click();
    assert.equal(await followUp.count(), 0);
  });

  for (const width of [1280, 380]) {
    it(`begins a short answer to a follow-up question at the top, ${width} px wide`, async () => {
      const page = await openPage({ width });
      reply('One paragraph.\n\n'.repeat(30));
      await ask(page, question);
      const done = page.locator('docs-assistant-box').getByText('The answer is complete.');
      await done.waitFor();
      const followUp = page.getByRole('textbox', { name: 'Ask a follow-up question' });
      reply('In short: yes.');
      await followUp.fill('Really?');
      await followUp.press('Enter');
      await answer(page).getByText('In short').waitFor();
      await done.waitFor();
      const body = page.locator('docs-assistant-box .body');
      const top = (await turns(page).last().boundingBox())?.y ?? Infinity;
      const below = top - ((await body.boundingBox())?.y ?? 0);
      assert.ok(Math.abs(below) < 2, `${below} px below the top`);
      const room = await body.evaluate((b) => b.scrollHeight - b.scrollTop - b.clientHeight);
      assert.ok(room < 20, `${room} px below the answer`);
    });
  }

  it('leads the focus from Stop and Ask to the next question, and tells that an answer was stopped', async () => {
    const page = await openPage();
    const followUp = page.getByRole('textbox', { name: 'Ask a follow-up question' });
    const press = async (name: string): Promise<void> => {
      await page.getByRole('button', { name, exact: true }).press('Enter');
      await page.waitForFunction(() => {
        const focused = document.querySelector('docs-assistant-box')?.shadowRoot?.activeElement;
        return focused?.matches('.follow-up .field') === true;
      });
    };
    const hold = (gate: string): void =>
      onQuestion({ cues: [{ at: { text: 'text-delta' }, do: 'hold', gate }] });
    hold('first');
    await ask(page, question);
    await proxy.whenHeld('first');
    await press('Stop');
    await page.getByRole('status').getByText('You stopped this answer.').waitFor();
    hold('second');
    await followUp.fill('How are rate limits counted?');
    await press('Ask');
    await proxy.whenHeld('second');
    await page.getByRole('button', { name: 'Stop' }).focus();
    proxy.openGate('second');
    await page.getByRole('status').getByText('The answer is complete.').waitFor();
    await followUp.and(page.locator(':focus')).waitFor();
  });

  for (const [name, fault, sentence] of [
    ['401', () => refuse({ status: 401, body: '{"error":"expired"}' }), /refused the question/],
    ['429', () => refuse({ status: 429, headers: { 'retry-after': '60' } }), /too many questions/],
    ['503', () => refuse({ status: 503 }), /can’t be reached/],
    ['no CORS', () => proxy.queue({ when: { method: 'POST' } }), /can’t be reached/],
    [
      'a connection that breaks before a word',
      () => onQuestion({ cues: [{ at: 0, do: 'reset' }] }),
      /can’t be reached/,
    ],
    [
      'a redirect',
      () => refuse({ status: 302, headers: { location: `${proxy.url}/elsewhere` } }),
      /can’t be reached/,
    ],
    [
      'an error in the stream',
      () =>
        refuse({
          headers: { 'content-type': 'text/event-stream' },
          body: 'data: {"type":"error","errorText":"No model"}\n\n',
        }),
      /has no answer/,
    ],
  ] as const) {
    it(`answers from the files and says so after ${name}`, async () => {
      const page = await openPage();
      fault();
      await ask(page, question);
      await answer(page).getByText(sentence).waitFor();
      await answer(page).getByRole('heading', { name: 'Sources' }).waitFor();
      assert.match(await turns(page).innerText(), /24 hours/);
      assert.ok(!proxy.exchanges.some((exchange) => exchange.path === '/elsewhere'));
    });
  }

  it('answers from the files while the service is down, and asks it again with the next question', async () => {
    const page = await openPage();
    await proxy.goDown();
    await ask(page, question);
    await answer(page)
      .getByText(/can’t be reached/)
      .waitFor();
    await answer(page).getByRole('heading', { name: 'Sources' }).waitFor();
    await proxy.comeBack();
    onQuestion();
    const followUp = page.getByRole('textbox', { name: 'Ask a follow-up question' });
    await followUp.fill('What is a webhook?');
    await followUp.press('Enter');
    await turns(page).nth(1).getByRole('heading', { name: 'Sources' }).waitFor();
    assert.equal(await turns(page).nth(1).getByText('pages alone').count(), 0);
  });

  it('makes no markup, no script and no foreign link of a reply', async () => {
    const page = await openPage();
    page.on('dialog', (dialog) => errors.push(dialog.message()));
    const text =
      '<img src=x onerror=alert(1)> [x](javascript:alert(2)) <script>alert(3)</script> [home](https://other.test/a)';
    reply(text);
    await ask(page, question);
    const link = answer(page).getByRole('link', { name: 'home' });
    await link.waitFor();
    assert.equal(await answer(page).locator('img, script, a[href^="javascript"]').count(), 0);
    assert.equal(await link.getAttribute('target'), '_blank');
    assert.equal(await link.getAttribute('rel'), 'noopener noreferrer');
  });

  it('breaks no word in the cells of a wide table, which scrolls instead', async () => {
    const page = await openPage({ width: 380 });
    const row = (cell: string): string => `|${` ${cell} |`.repeat(12)}`;
    reply([row('Configuration'), row('---'), row('`maximumSize` in bytes')].join('\n'));
    await ask(page, question);
    const head = answer(page).getByRole('columnheader').first();
    await head.waitFor();
    const lines = await head.evaluate((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return range.getClientRects().length;
    });
    assert.equal(lines, 1);
    assert.equal(await boxOverflow(page), 0);
  });

  it('sets a callout of a reply apart from the text around it', async () => {
    const page = await openPage();
    reply('Before.\n\n> [!WARNING]\n> Keep the secret.\n\nAfter.');
    await ask(page, question);
    const callout = answer(page).getByRole('note', { name: 'Warning' });
    await callout.waitFor();
    const look = await callout.evaluate((note) => [
      getComputedStyle(note).borderInlineStartStyle,
      getComputedStyle(note.firstElementChild ?? note).fontWeight,
    ]);
    assert.deepEqual(look, ['solid', '600']);
  });

  it('shows the box of a task in place of its bullet', async () => {
    const page = await openPage();
    reply('- [x] Done');
    await ask(page, question);
    const task = answer(page).getByRole('listitem').filter({ hasText: 'Done' });
    await task.waitFor();
    assert.equal(await task.evaluate((item) => getComputedStyle(item).listStyleType), 'none');
  });

  it('names no other host for a link that leads to a page of the site', async () => {
    const page = await openPage();
    const url = '/docs/v2/en/errors';
    reply(
      `[Webhooks](${proxy.url}/docs/v2/en/webhooks), [another](https://other.test/a), [1](${url})`,
      { type: 'source-url', sourceId: 'untitled', url },
    );
    await ask(page, question);
    const link = answer(page).getByRole('link', { name: 'Webhooks' });
    await link.waitFor();
    assert.match((await link.getAttribute('href')) ?? '', /^http:[^]*\/v2\/en\/webhooks\.html$/);
    assert.equal(await link.getAttribute('title'), null);
    const other = answer(page).getByRole('link', { name: 'another' });
    assert.equal(await other.getAttribute('title'), 'other.test\nhttps://other.test/a');
    const citation = answer(page).getByRole('link', { name: 'Source 1: /docs/v2/en/errors' });
    assert.equal(await citation.getAttribute('title'), '/docs/v2/en/errors');
  });

  it('says so if a reply breaks off', async () => {
    const page = await openPage();
    onQuestion({ cues: [{ at: { text: '"type":"text-end"' }, do: 'end' }] });
    await ask(page, question);
    await answer(page).getByText('The answer was cut off').waitFor();
    assert.match(await turns(page).innerText(), /24 hours/);
  });

  it('opens the question in VS Code, with the page', async () => {
    const page = await openPage();
    onQuestion();
    await ask(page, question);
    const link = answer(page).getByRole('link', { name: 'Open in VS Code' });
    await link.waitFor();
    assert.equal(
      await link.getAttribute('href'),
      `vscode://docs-assistant.docs-assistant/ask?q=${encodeURIComponent(encodeURIComponent(question))}&path=/v2/en/quickstart`,
    );
    await answer(page).getByRole('heading', { name: 'Sources' }).waitFor();
  });

  for (const [name, look] of [
    ['light and wide', {}],
    ['dark and wide', { colorScheme: 'dark' }],
    ['light and narrow', { width: 380 }],
    ['dark and narrow', { colorScheme: 'dark', width: 380 }],
    ['in the colors of a high contrast theme', { hasSystemColors: true, colorScheme: 'dark' }],
  ] as const) {
    it(`is for everyone, ${name}`, async () => {
      const page = await openPage(look);
      await page.keyboard.press('/');
      await field(page).fill('webhook signature');
      await page.locator('docs-assistant-box .option').nth(1).waitFor();
      await shoot(page, `site box with a service, ${name}, results`);
      onQuestion();
      await ask(page, 'How do I verify a webhook signature in Python?');
      await page.locator('docs-assistant-box').getByText('The answer is complete.').waitFor();
      await shoot(page, `site box with a service, ${name}, reply`);
      assert.deepEqual(await boxFindings(page), []);
      refuse({ status: 503 });
      const followUp = page.getByRole('textbox', { name: 'Ask a follow-up question' });
      await followUp.fill('And in Node.js?');
      await followUp.press('Enter');
      await turns(page).nth(1).locator('.markdown p').first().waitFor();
      await shoot(page, `site box with a service, ${name}, away`);
      assert.deepEqual(await boxFindings(page), []);
      assert.equal(await boxOverflow(page), 0);
    });
  }
});
