import assert from 'node:assert/strict';
import { anError, aQuestion, aReply, aReplyView, aView, richParts } from './thread/conversations';
import { useViewTester, type OpenView } from './harness';

describe('the chat view for screen readers', () => {
  const tester = useViewTester();

  const open = (...reply: Parameters<typeof aReplyView>) => tester.open(aReplyView(...reply));

  const events = (view: OpenView) => view.page.locator('body > div > .announcer');
  const spoken = (view: OpenView) =>
    view.page
      .locator('body > div > .spoken-reply p')
      .evaluateAll((found) => found.map((p) => p.textContent));
  const isSpoken = (view: OpenView, count: number) =>
    view.until(async () => (await spoken(view)).length >= count, `${count} sentences`);

  it('announces that a reply begins, that it ends, and what went wrong with it', async () => {
    const view = await tester.open(aView());
    await view.host.addMessage(aQuestion());
    await view.host.addMessage(aReply({ parts: [], status: 'waiting' }));
    await view.host.setStatus('reply-1', 'streaming');
    await events(view).getByText('Docs Assistant is replying.').waitFor({ state: 'attached' });
    await view.host.setStatus('reply-1', 'complete');
    await events(view).getByText('Reply complete.').waitFor({ state: 'attached' });
    await view.host.setStatus('reply-1', 'failed', { error: anError({ message: 'It broke.' }) });
    await events(view).getByText('It broke.').waitFor({ state: 'attached' });
    assert.equal(await view.page.getByRole('log').getAttribute('aria-live'), 'off');
  });

  it('says at the end how much of the reply is found in the docs, once', async () => {
    const view = await tester.open(aView());
    await view.host.addMessage(aQuestion());
    await view.host.addMessage(aReply({ status: 'streaming' }));
    await view.host.sendOps([1, { type: 'proof', statements: 12, found: 11, unproven: [] }]);
    await view.host.setStatus('reply-1', 'complete');
    await events(view)
      .getByText('Reply complete. 11 of 12 statements found in the docs', { exact: true })
      .waitFor({ state: 'attached' });
    assert.equal(await view.page.locator('.proof, .status-line [aria-live]').count(), 0);
    await view.host.addMessage(aQuestion({ id: 'q2' }));
    await view.host.addMessage(aReply({ id: 'r2', status: 'streaming' }));
    await view.host.setStatus('r2', 'complete');
    await events(view)
      .getByText('Reply complete. No source cited', { exact: true })
      .waitFor({ state: 'attached' });
  });

  it('reads finished sentences as they come, never the letters, and the rest at the end', async () => {
    const view = await tester.open(aView());
    await view.host.addMessage(aQuestion());
    await view.host.addMessage(aReply({ parts: [], status: 'waiting' }));
    await view.host.sendOps([0, { type: 'text', text: 'Send it in **parts**. Each par' }]);
    await isSpoken(view, 1);
    assert.deepEqual(await spoken(view), ['Send it in parts.']);
    await view.host.sendOps('t has 5 MB.\n\n```ts\nconst a = 1;\nconst b = 2;\n```\n\nAnd the');
    await isSpoken(view, 3);
    assert.deepEqual((await spoken(view)).slice(1), [
      'Each part has 5 MB.',
      'Code: TypeScript, 2 lines.',
    ]);
    await view.host.sendOps('n it is done');
    await view.host.setStatus('reply-1', 'complete');
    await events(view).getByText('Reply complete.').waitFor({ state: 'attached' });
    assert.equal((await spoken(view)).at(-1), 'And then it is done');
  });

  it('keeps no more than the last 40 sentences that it read', async () => {
    const view = await open('', { status: 'streaming' });
    const sentences = Array.from({ length: 60 }, (_, number) => `Sentence ${number}.`);
    await view.host.sendOps(sentences.join(' '));
    await view.host.setStatus('reply-1', 'complete');
    await isSpoken(view, 40);
    assert.deepEqual(await spoken(view), sentences.slice(20));
  });

  it('reads of a reply that it finds running only what comes from now on', async () => {
    const view = await open('Long ago. Just n', { status: 'streaming' });
    await view.host.sendOps('ow. And la');
    await isSpoken(view, 1);
    assert.deepEqual(await spoken(view), ['Just now.']);
  });

  it('reads what came, whole and once, before what finds its sentences was loaded', async () => {
    const view = await open('Long ago. Just n', { status: 'streaming' });
    let load = (): void => undefined;
    const mayLoad = new Promise<void>((resolve) => {
      load = resolve;
    });
    await view.page.route('**/speech*', async (route) => {
      await mayLoad;
      await route.continue();
    });
    await view.reload();
    await view.host.sendOps('ow. And la');
    await view.host.sendOps('st');
    await view.host.setStatus('reply-1', 'complete');
    await events(view).getByText('Reply complete.').waitFor({ state: 'attached' });
    assert.deepEqual(await spoken(view), []);
    load();
    await isSpoken(view, 2);
    await view.drawn();
    assert.deepEqual(await spoken(view), ['Just now.', 'And last']);
  });

  it('says in the log that what finds sentences was not loaded, and reads the next reply', async () => {
    const view = await tester.open(aView());
    await view.page.route('**/speech*', (route) => route.abort());
    await view.host.addMessage(aReply({ status: 'streaming' }));
    assert.equal((await view.requested('view-log')).length, 1);
    await view.host.setStatus('reply-1', 'complete');
    await view.page.unroute('**/speech*');
    await view.host.addMessage(aReply({ id: 'reply-2', parts: [], status: 'waiting' }));
    await view.host.sendOps([0, { type: 'text', text: 'It is read. And' }]);
    await isSpoken(view, 1);
    assert.deepEqual(await spoken(view), ['It is read.']);
    assert.equal(view.host.requestsFor('view-log').length, 1);
    assert.deepEqual(view.errors, ['Failed to load resource: net::ERR_FAILED']);
    view.forgetTrouble();
  });

  it('announces nothing for a thread that was there before', async () => {
    const view = await open('x');
    await view.drawn();
    assert.equal(await events(view).innerText(), '');
    assert.deepEqual(await spoken(view), []);
  });

  it('names every control, and marks who speaks by headings', async () => {
    const view = await open(richParts);
    const unnamed = await view.page.evaluate(() =>
      [...document.querySelectorAll('vscode-button, vscode-text-area, a, summary, [role=region]')]
        .filter((found) => found.checkVisibility())
        .filter(
          (found) => ((found.getAttribute('aria-label') ?? '') + found.textContent).trim() === '',
        )
        .map((found) => found.outerHTML),
    );
    assert.deepEqual(unnamed, []);
    const headings = await view.page.getByRole('heading', { level: 2 }).allInnerTexts();
    assert.deepEqual(headings, ['You', 'Docs Assistant']);
    assert.equal(
      await view.page.getByRole('heading', { level: 4 }).innerText(),
      'Send a file in parts',
    );
  });

  it('leads by Tab from the header through the conversation to the question box', async () => {
    const view = await open('[a](https://a.example/)');
    await view.page.evaluate(() => document.body.focus());
    const stops: string[] = [];
    for (let step = 0; step < 6; step++) {
      await view.page.keyboard.press('Tab');
      stops.push(
        await view.page.evaluate(() => {
          const found = document.activeElement;
          return found?.getAttribute('aria-label') ?? found?.textContent ?? '';
        }),
      );
    }
    assert.deepEqual(stops, [
      'Switch Site… acme · docs.acme.example',
      'Filter Docs…',
      ...['You', 'Docs Assistant', 'Question', 'Add Selection'],
    ]);
  });
});
