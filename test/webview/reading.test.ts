import assert from 'node:assert/strict';
import type { ErrorAction } from '../../src/shared/errorInfo';
import type { MessagePart, ReplyStatus } from '../../src/shared/uiMessage';
import { anError, aQuestion, aReply, aSource, aView, richParts } from './conversations';
import { useViewTester, type OpenView } from './harness';

const textReply = (text: string, more: Parameters<typeof aReply>[0] = {}) =>
  aReply({ parts: [{ type: 'text', text }], ...more });

describe('reading in the chat view', function () {
  this.timeout(60_000);
  const tester = useViewTester();

  const open = (parts: MessagePart[], more: Parameters<typeof aReply>[0] = {}) =>
    tester.open(aView({ messages: [aQuestion(), aReply({ parts, ...more })] }));
  const replyText = (view: OpenView) => view.page.locator('.reply').last().innerText();
  const until = async (view: OpenView, pattern: RegExp) =>
    view.until(async () => pattern.test(await replyText(view)), String(pattern));

  describe('code', () => {
    const text = `\`\`\`\`md title="x"
# Title

\`\`\`ts
const a = '<b>&amp;</b>';\t// tab
\`\`\`

\`\`\`\``;
    const code = "# Title\n\n```ts\nconst a = '<b>&amp;</b>';\t// tab\n```\n";

    it('is copied, inserted and opened exactly as written, nested fences included', async () => {
      const view = await open([{ type: 'text', text }]);
      assert.match(await view.page.locator('.code-header').innerText(), /Markdown/);
      await view.button('Copy').click();
      await view.button('Copied').waitFor();
      await view.button('Insert at Cursor').click();
      await view.button('New File').click();
      await view.until(() => view.host.requestsFor('code-open').length > 0, 'code-open');
      assert.deepEqual(view.host.requestsFor('code-copy'), [{ text: code }]);
      assert.deepEqual(view.host.requestsFor('code-insert'), [{ text: code }]);
      assert.deepEqual(view.host.requestsFor('code-open'), [{ text: code, language: 'md' }]);
    });

    it('keeps every character, blank first lines and long pieces included', async () => {
      const lines = [
        '',
        '',
        ...Array.from({ length: 450 }, (_, n) => `${' '.repeat(n % 9)}row ${n}`),
      ];
      const long = lines.join('\n');
      const view = await open([
        { type: 'text', text: `- in a list\n\n  \`\`\`\n  ${lines.join('\n  ')}\n  \`\`\`` },
      ]);
      assert.equal(
        await view.page.locator('.code-text code').evaluate((shown) => shown.textContent),
        long,
      );
      await view.button('Copy').click();
      await view.until(() => view.host.requestsFor('code-copy').length > 0, 'code-copy');
      assert.deepEqual(view.host.requestsFor('code-copy'), [{ text: long }]);
    });

    it('has buttons that the keyboard reaches in order', async () => {
      const view = await open([{ type: 'text', text: '```js\nx\n```' }]);
      await view.button('Copy').focus();
      const names: (string | null | undefined)[] = [];
      for (let step = 0; step < 3; step++) {
        names.push(
          await view.page.evaluate(() => document.activeElement?.getAttribute('aria-label')),
        );
        await view.page.keyboard.press('Tab');
      }
      assert.deepEqual(names, ['Copy', 'Insert at Cursor', 'New File']);
      await view.page.keyboard.press('Shift+Tab');
      await view.page.keyboard.press('Enter');
      await view.until(() => view.host.requestsFor('code-open').length === 1, 'code-open');
    });
  });

  describe('links, sources and files', () => {
    it('opens links and images through the host only, by click, key and middle click', async () => {
      const view = await open([
        {
          type: 'text',
          text: '[status](https://status.acme.example/a?b=c#d) ![flow](https://cdn.acme.example/f.png) <help@acme.example>',
        },
      ]);
      const link = view.page.getByRole('link', { name: 'status' });
      assert.equal(
        await link.getAttribute('title'),
        'status.acme.example\nhttps://status.acme.example/a?b=c#d',
      );
      await link.click();
      await link.click({ button: 'middle' });
      await link.press('Enter');
      await view.page.getByRole('link', { name: 'flow' }).click();
      await view.page.getByRole('link', { name: 'help@acme.example' }).click();
      await view.until(() => view.host.requestsFor('link-open').length === 5, 'five links');
      assert.deepEqual(
        view.host.requestsFor('link-open').map(({ href }) => href),
        [
          ...Array<string>(3).fill('https://status.acme.example/a?b=c#d'),
          'https://cdn.acme.example/f.png',
          'mailto:help@acme.example',
        ],
      );
      assert.equal(await view.page.locator('img').count(), 0);
    });

    it('lists each source once with number, title and host, and opens it by its id', async () => {
      const view = await open([
        aSource(1, { title: 'Limits' }),
        aSource(2, { url: aSource(1).url, title: 'Limits again' }),
        aSource(3, { url: 'https://other.example/x' }),
        aSource(4, { url: 'javascript:alert(1)', title: 'Odd' }),
        {
          type: 'text',
          text: 'See [7](https://other.example/x), [the limits](/page-1) and [gone](/gone).',
        },
      ]);
      const rows = await view.page.locator('.source').allInnerTexts();
      assert.deepEqual(
        rows.map((row) => row.split('\n').join(' ')),
        ['1 Limits docs.acme.example', '2 Page 3 other.example', '3 Odd'],
      );
      await view.page.locator('.source').nth(1).click();
      await view.page.getByRole('link', { name: 'Source 2: Page 3' }).click();
      await view.page.getByRole('link', { name: 'the limits' }).click();
      await view.until(() => view.host.requestsFor('source-open').length === 3, 'three sources');
      assert.deepEqual(
        view.host.requestsFor('source-open'),
        ['source-3', 'source-3', 'source-1'].map((sourceId) => ({
          messageId: 'reply-1',
          sourceId,
        })),
      );
      assert.equal(await view.page.locator('.dead-link').innerText(), 'gone');
      assert.equal(await view.page.getByRole('link', { name: /Odd|gone/ }).count(), 0);
    });

    it('names the host of all sources once where it is the same', async () => {
      const view = await open([aSource(1), aSource(2), { type: 'text', text: 'x' }]);
      const shown = await view.page.locator('.sources').innerText();
      assert.deepEqual(shown.split(/\s*\n\s*/), [
        'SOURCES',
        'docs.acme.example',
        '1',
        'Page 1',
        '2',
        'Page 2',
      ]);
    });

    it('turns links into citations when their source comes after them', async () => {
      const view = await open([{ type: 'text', text: 'See [1](/page-5).\n\nEnd.\n\nEnd.\n\n' }], {
        status: 'streaming',
      });
      assert.equal(await view.page.locator('.citation').count(), 0);
      await view.host.sendOps([1, aSource(5)]);
      await view.page.locator('.citation').waitFor();
    });

    it('lists files and opens them by their place', async () => {
      const view = await open(richParts);
      await view.button('Open file upload-policy.json').click();
      await view.until(() => view.host.requestsFor('file-open').length === 1, 'file-open');
      assert.deepEqual(view.host.requestsFor('file-open'), [
        { messageId: 'reply-1', partIndex: richParts.length - 1 },
      ]);
    });

    it('isolates foreign titles and drops what could disguise them', async () => {
      const view = await open([
        aSource(1, { title: '\u202Egnp.exe\u202C \u2066x\u2069\nnext\u0000 <b>bold</b>' }),
        { type: 'file', mediaType: 'text/plain', url: 'data:,', filename: 'a\u202Etxt.exe' },
        { type: 'text', text: 'x' },
      ]);
      const title = await view.page
        .locator('.source-title bdi')
        .evaluate((found) => found.textContent);
      assert.equal(title, 'gnp.exe x next <b>bold</b>');
      assert.equal(await view.page.locator('.file bdi').innerText(), 'atxt.exe');
    });

    it('copies a reply as Markdown, with its sources', async () => {
      const view = await open([
        { type: 'reasoning', text: 'hm' },
        aSource(1, { title: 'A [b]' }),
        { type: 'text', text: 'One **two**.\n' },
        { type: 'text', text: 'Three.' },
      ]);
      await view.button('Copy Reply as Markdown').click();
      await view.until(() => view.host.requestsFor('code-copy').length === 1, 'code-copy');
      assert.deepEqual(view.host.requestsFor('code-copy'), [
        {
          text: 'One **two**.\n\nThree.\n\n---\n\n1. [A \\[b\\]](<https://docs.acme.example/page-1>)\n',
        },
      ]);
    });
  });

  describe('reasoning, steps and searches', () => {
    it('folds reasoning, says while it goes on, and shows it on demand', async () => {
      const view = await open([{ type: 'reasoning', text: 'Look at **limits**' }], {
        status: 'streaming',
      });
      await view.page.getByText('Thinking…').click();
      await view.page.locator('.reasoning strong', { hasText: 'limits' }).waitFor();
      await view.host.sendOps(' first.');
      await until(view, /limits first\./);
      await view.host.sendOps([1, { type: 'text', text: 'So.' }]);
      await view.page.getByText('Reasoning', { exact: true }).waitFor();
    });

    it('marks steps where there are several, and not where there is one', async () => {
      const one = await open([{ type: 'step-start' }, { type: 'text', text: 'a' }]);
      assert.equal(await one.page.getByText('Step 1').isVisible(), false);
      const two = await open([
        { type: 'step-start' },
        { type: 'text', text: 'a' },
        { type: 'step-start' },
      ]);
      assert.deepEqual(await two.page.locator('.step').allInnerTexts(), ['Step 1', 'Step 2']);
    });

    it('tells a search that runs, that found pages, and that failed', async () => {
      const search = {
        type: 'search',
        toolCallId: 'c',
        toolName: 'search',
        query: 'limits',
      } as const;
      const view = await open([{ ...search, state: 'running' }], { status: 'streaming' });
      await view.page.getByText('Searching the docs for “limits”…').waitFor();
      await view.host.sendOps([0, { ...search, state: 'done', resultCount: 4 }]);
      await view.page.getByText('Searched the docs for “limits” (4 found)').waitFor();
      await view.host.sendOps([0, { ...search, state: 'failed' }]);
      await view.page.getByText('The search failed.').waitFor();
    });
  });

  describe('how a reply ended', () => {
    const sentences: [ReplyStatus, string][] = [
      ['stopped', 'You stopped this reply.'],
      ['stopped-by-service', 'The docs service stopped this reply.'],
      ['incomplete', 'This reply is incomplete: the stream ended early.'],
      ['interrupted', 'This reply was interrupted when the window closed.'],
    ];
    for (const [status, sentence] of sentences) {
      it(`keeps the text of a reply that is ${status}, says so, and offers to ask again`, async () => {
        const view = await open([{ type: 'text', text: 'Half of it' }], { status });
        assert.match(await replyText(view), /Half of it/);
        await view.page.getByText(sentence).waitFor();
        await view.button('Retry').click();
        await view.until(() => view.host.requestsFor('reply-retry').length === 1, 'reply-retry');
        assert.deepEqual(view.host.requestsFor('reply-retry'), [{ messageId: 'reply-1' }]);
      });
    }

    const actions: [Exclude<ErrorAction, 'retry'>, string][] = [
      ['set-up-site', 'Set Up Docs Site…'],
      ['set-assistant-key', 'Set Assistant Key…'],
      ['start-local-service', 'Start Local Docs Service'],
      ['open-settings', 'Open Settings'],
      ['open-log', 'Open Log'],
      ['new-thread', 'New Thread'],
    ];
    for (const [action, label] of actions) {
      it(`offers “${label}” beside an error’s sentence`, async () => {
        const error = anError({ message: '<i>What</i> happened.', actions: [action, 'retry'] });
        const view = await open([{ type: 'text', text: 'Half' }], { status: 'failed', error });
        await view.page.getByText('<i>What</i> happened.').waitFor();
        await view.page.locator('.reply').getByRole('button', { name: label }).click();
        await view.until(() => view.host.requestsFor('action-run').length === 1, 'action-run');
        assert.deepEqual(view.host.requestsFor('action-run'), [{ action }]);
        await view.until(() => view.button('Retry').isEnabled(), 'on');
      });
    }

    it('counts down to when a retry may work, by the host’s clock, and does not ask by itself', async () => {
      const hostAhead = 3_600_000;
      const retryAt = Date.now() + hostAhead + 2_500;
      const error = anError({
        code: 'rate-limited',
        message: 'Too many.',
        actions: ['retry'],
        retryAt,
      });
      const view = await tester.open(
        aView({ messages: [aQuestion(), aReply({ parts: [], status: 'failed', error })] }),
        {
          prepare: (host) => {
            host.answers['view-ready'] = () => ({
              ...host.snapshot(),
              now: Date.now() + hostAhead,
            });
          },
        },
      );
      const counting = view.button(/^Retry in [123] s$/);
      await counting.waitFor();
      await view.until(() => counting.isDisabled(), 'off');
      await view.button('Retry').waitFor();
      await view.until(() => view.button('Retry').isEnabled(), 'on');
      assert.deepEqual(view.host.requestsFor('reply-retry'), []);
    });

    it('counts long waits in minutes', async () => {
      const error = anError({ actions: ['retry'], retryAt: Date.now() + 200_000 });
      const view = await open([], { status: 'failed', error });
      await view.button(/^Retry in 3:[12]\d min$/).waitFor();
    });

    it('offers Retry for the last reply only, and not while one runs', async () => {
      const failed = aReply({ id: 'failed', status: 'incomplete' });
      const view = await tester.open(
        aView({
          messages: [aQuestion(), failed, aQuestion({ id: 'q2' }), textReply('x', { id: 'r2' })],
        }),
      );
      assert.equal(await view.button('Retry').count(), 0);
      await view.page.getByText('This reply is incomplete').waitFor();
    });

    it('shows a notice beside the reply', async () => {
      const view = await open([{ type: 'text', text: 'x' }], { notice: 'A new thread has begun.' });
      await view.page.getByText('A new thread has begun.').waitFor();
    });
  });

  describe('for screen readers', () => {
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

    it('reads of a reply that it finds running only what comes from now on', async () => {
      const view = await open([{ type: 'text', text: 'Long ago. Just n' }], {
        status: 'streaming',
      });
      await view.host.sendOps('ow. And la');
      await isSpoken(view, 1);
      assert.deepEqual(await spoken(view), ['Just now.']);
    });

    it('announces nothing for a thread that was there before', async () => {
      const view = await open([{ type: 'text', text: 'x' }]);
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
      const view = await open([{ type: 'text', text: '[a](https://a.example/)' }]);
      await view.page.evaluate(() => document.body.focus());
      const stops: string[] = [];
      for (let step = 0; step < 7; step++) {
        await view.page.keyboard.press('Tab');
        stops.push(
          await view.page.evaluate(() => {
            const found = document.activeElement;
            return found?.getAttribute('aria-label') ?? found?.textContent ?? '';
          }),
        );
      }
      assert.deepEqual(stops, [
        'Earlier Threads',
        'New Thread',
        'Keyboard Shortcuts',
        'You',
        'Docs Assistant',
        'Question',
        'Add Selection',
      ]);
    });
  });

  it('takes on another theme without a reload', async () => {
    const view = await open([{ type: 'text', text: 'x' }], { status: 'incomplete' });
    const colour = () =>
      view.page.locator('.retry').evaluate((button) => getComputedStyle(button).backgroundColor);
    const dark = await colour();
    await view.setTheme('light');
    await view.until(async () => (await colour()) !== dark, 'another colour');
  });

  it('moves nothing for those who want no motion', async () => {
    const view = await tester.open(
      aView({
        messages: [
          aQuestion(),
          aReply({ parts: [{ type: 'reasoning', text: 'x' }], status: 'streaming' }),
        ],
      }),
      { reducedMotion: true },
    );
    const animation = await view.page
      .locator('.reasoning summary span')
      .last()
      .evaluate((label) => getComputedStyle(label).animationName);
    assert.equal(animation, 'none');
  });
});
