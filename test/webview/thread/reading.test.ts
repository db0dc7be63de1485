import assert from 'node:assert/strict';
import { aQuestion, aReplyView, aSource, aView, richParts } from './conversations';
import { useViewTester } from '../harness';

describe('reading in the chat view', () => {
  const tester = useViewTester();

  const open = (...reply: Parameters<typeof aReplyView>) => tester.open(aReplyView(...reply));

  describe('code', () => {
    const text = `\`\`\`\`md title="x"
# Title

\`\`\`ts
const a = '<b>&amp;</b>';\t// tab
\`\`\`

\`\`\`\``;
    const code = "# Title\n\n```ts\nconst a = '<b>&amp;</b>';\t// tab\n```\n";

    it('is copied, inserted and opened exactly as written, nested fences included', async () => {
      const view = await open(text);
      assert.match(await view.page.locator('.code-header').innerText(), /Markdown/);
      await view.waitForName('Copied', () => view.button('Copy').click());
      await view.button('Insert at Cursor').click();
      await view.button('New File').click();
      assert.deepEqual(await view.requested('code-copy'), [{ text: code }]);
      assert.deepEqual(await view.requested('code-insert'), [{ text: code }]);
      assert.deepEqual(await view.requested('code-open'), [{ text: code, language: 'md' }]);
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
      assert.deepEqual(await view.requested('code-copy'), [{ text: long }]);
    });

    it('has buttons that the keyboard reaches in order', async () => {
      const view = await open('```js\nx\n```');
      await view.button('Copy').focus();
      const names: string[] = [];
      for (let step = 0; step < 3; step++) {
        names.push(await view.focusedName());
        await view.page.keyboard.press('Tab');
      }
      assert.deepEqual(names, ['Copy', 'Insert at Cursor', 'New File']);
      await view.page.keyboard.press('Shift+Tab');
      await view.page.keyboard.press('Enter');
      assert.equal((await view.requested('code-open')).length, 1);
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
      assert.deepEqual(
        (await view.requested('link-open', 5)).map(({ href }) => href),
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
      assert.deepEqual(
        await view.requested('source-open', 3),
        ['source-3', 'source-3', 'source-1'].map((sourceId) => ({
          messageId: 'reply-1',
          sourceId,
        })),
      );
      assert.equal(await view.page.locator('.dead-link').innerText(), 'gone');
      assert.equal(await view.page.getByRole('link', { name: /Odd|gone/ }).count(), 0);
    });

    it('folds what follows six sources, unless it is one, and leaves it unfolded when more come', async () => {
      const six = [1, 2, 3, 4, 5, 6].map((number) => aSource(number));
      const view = await open([...six, aSource(7)], { status: 'streaming' });
      const seventh = view.page.locator('.sources').getByText('Page 7');
      await seventh.waitFor();
      await view.host.sendOps([7, aSource(8)]);
      await seventh.waitFor({ state: 'hidden' });
      await view.page.locator('.more-sources summary').click();
      await seventh.waitFor();
      await view.host.sendOps([8, aSource(9)]);
      await view.page.locator('.sources').getByText('Page 9').waitFor();
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
      const view = await open('See [1](/page-5).\n\nEnd.\n\nEnd.\n\n', { status: 'streaming' });
      assert.equal(await view.page.locator('.citation').count(), 0);
      await view.host.sendOps([1, aSource(5)]);
      await view.page.locator('.citation').waitFor();
    });

    it('lists files and opens them by their place', async () => {
      const view = await open(richParts);
      await view.button('Open file upload-policy.json').click();
      assert.deepEqual(await view.requested('file-open'), [
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
      assert.deepEqual(await view.requested('code-copy'), [
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
      await view.replyShows(/limits first\./);
      await view.host.sendOps([1, { type: 'text', text: 'So.' }]);
      await view.page.getByText('Reasoning', { exact: true }).waitFor();
    });

    it('joins the texts of several steps without a rule between them', async () => {
      const view = await open([
        { type: 'step-start' },
        { type: 'text', text: 'a' },
        { type: 'step-start' },
        { type: 'text', text: 'b' },
      ]);
      assert.equal(await view.page.locator('.parts').innerText(), 'a\n\nb');
      assert.equal(await view.page.locator('.parts > *').count(), 2);
    });

    it('tells a search that runs, that found pages, and that failed', async () => {
      const search = {
        type: 'search',
        toolCallId: 'c',
        toolName: 'search',
        query: 'limits',
      } as const;
      const view = await open([{ ...search, state: 'running' }], { status: 'streaming' });
      await view.page.getByText('Searching “limits”…').waitFor();
      await view.host.sendOps([0, { ...search, state: 'done', resultCount: 4 }]);
      await view.page.getByText('Searched “limits” · 4 results').waitFor();
      await view.host.sendOps([0, { ...search, state: 'done', resultCount: 1 }]);
      await view.page.getByText('Searched “limits” · 1 result', { exact: true }).waitFor();
      await view.host.sendOps([0, { ...search, state: 'failed' }]);
      await view.page.getByText('Searching “limits” failed').waitFor();
    });

    it('turns no ring for a search in a reply that was stopped, and cuts a long query', async () => {
      const query = 'a'.repeat(198);
      const search = { type: 'search', toolCallId: 'c', toolName: 'search' } as const;
      const view = await open([{ ...search, query: `${query}😀bc`, state: 'running' }], {
        status: 'streaming',
      });
      const line = view.page.locator('.search-line');
      await line.getByText(`Searching “${query}😀…”…`, { exact: true }).waitFor();
      const ring = line.locator('vscode-progress-ring');
      assert.equal(await ring.count(), 1);
      await view.host.setStatus('reply-1', 'stopped');
      await ring.waitFor({ state: 'detached' });
    });

    it('says no longer that it searches after the reply was stopped', async () => {
      const search = { type: 'search', toolName: 'search', state: 'running' } as const;
      const view = await open(
        [
          { ...search, toolCallId: 'a', query: 'limits' },
          { ...search, toolCallId: 'b' },
        ],
        { status: 'streaming' },
      );
      await view.page.getByText('Searching the docs…').waitFor();
      await view.host.setStatus('reply-1', 'stopped');
      await view.page.getByRole('log').getByText('You stopped this reply.').waitFor();
      const lines = await view.page.locator('.search-line').allInnerTexts();
      assert.deepEqual(lines, ['Searched “limits”', 'Searched the docs']);
    });

    it('opens each search to the pages that it found, and keeps it open while text streams', async () => {
      const search = { type: 'search', toolName: 'search', state: 'done' } as const;
      const view = await open(
        [
          { ...search, toolCallId: 'a', query: 'limits', resultCount: 1, sourceIds: ['source-1'] },
          aSource(1),
          {
            ...search,
            toolCallId: 'b',
            query: 'parts',
            resultCount: 2,
            sourceIds: ['source-2', 'source-1'],
          },
          aSource(2),
          { type: 'text', text: 'So.' },
        ],
        { status: 'streaming' },
      );
      const second = view.page.locator('.searched').nth(1);
      assert.equal(await second.locator('.source').first().isVisible(), false);
      await second.getByText('Searched “parts” · 2 results').click();
      await view.host.sendOps(' More.');
      await view.replyShows(/So\. More\./);
      const titles = await second.locator('.source-title').allInnerTexts();
      assert.deepEqual(titles, ['Page 2', 'Page 1']);
      assert.equal(await view.page.locator('.searched').first().locator('a').isVisible(), false);
      await second.getByRole('link', { name: 'Page 2' }).click();
      assert.deepEqual(await view.requested('source-open'), [
        { messageId: 'reply-1', sourceId: 'source-2' },
      ]);
    });
  });

  it('shows each paragraph of a question in the direction of its text', async () => {
    const view = await tester.open(
      aView({ messages: [aQuestion({ text: 'هل هذا صحيح؟\nconst x = 1;' })] }),
    );
    const room = await view.page.locator('.question-text').evaluate((element) => {
      const { left, right } = element.getBoundingClientRect();
      const range = new Range();
      range.selectNodeContents(element);
      const lines = [...range.getClientRects()];
      const [first, last] = [lines[0]?.y, lines.at(-1)?.y];
      return [
        Math.round(
          right - Math.max(...lines.filter(({ y }) => y === first).map((line) => line.right)),
        ),
        Math.round(
          Math.min(...lines.filter(({ y }) => y === last).map((line) => line.left)) - left,
        ),
      ];
    });
    assert.deepEqual(room, [0, 0]);
  });

  it('takes on another theme without a reload', async () => {
    const view = await open('x', { status: 'incomplete' });
    const color = () =>
      view.page.locator('.retry').evaluate((button) => getComputedStyle(button).backgroundColor);
    const dark = await color();
    await view.setTheme('light');
    await view.until(async () => (await color()) !== dark, 'another color');
  });

  it('moves nothing for those who want no motion', async () => {
    const reply = aReplyView([{ type: 'reasoning', text: 'x' }], { status: 'streaming' });
    const view = await tester.open(reply, { reducedMotion: true });
    const animation = await view.page
      .locator('.reasoning summary span')
      .last()
      .evaluate((label) => getComputedStyle(label).animationName);
    assert.equal(animation, 'none');
  });
});
