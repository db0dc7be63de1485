import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { CodeThemeView } from '../../../src/shared/protocol';
import type { ContextItemView } from '../../../src/shared/uiMessage';
import { aQuestion, aReply, aView } from '../thread/conversations';
import { useViewTester, type OpenView, type ViewSettings } from '../harness';

const theme = (keyword: string, string: string): CodeThemeView => ({
  kind: 'dark',
  foreground: '#dddddd',
  rules: [
    { scope: ['keyword', 'storage'], foreground: keyword },
    { scope: ['string'], foreground: string, fontStyle: 'italic' },
    { scope: ['comment'], foreground: '#00ff00' },
  ],
});
const red = 'rgb(255, 0, 0)';
const blue = 'rgb(0, 0, 255)';
const fence = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``;

/** The color of the innermost element that holds the first such text. */
const colorOf = (within: Locator, text: string) =>
  within.evaluate((root, wanted) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode;
      if (parentElement && textContent?.includes(wanted)) {
        return getComputedStyle(parentElement).color;
      }
    }
    return undefined;
  }, text);

describe('code in the chat view', () => {
  const tester = useViewTester();

  let loaded: string[] = [];
  const open = async (
    text: string,
    more: ViewSettings & { colors?: CodeThemeView | null; items?: ContextItemView[] } = {},
    status: 'streaming' | 'complete' = 'complete',
  ) => {
    loaded = [];
    const { colors = theme('#ff0000', '#0000ff'), items = [], ...settings } = more;
    const view = await tester.open(
      aView({
        messages: [
          aQuestion({ contextItems: items }),
          aReply({ parts: [{ type: 'text', text }], status }),
        ],
      }),
      {
        ...settings,
        prepare: (host) => {
          host.answers['code-theme'] = () => colors;
        },
      },
    );
    view.page.on('request', (request) => loaded.push(request.url()));
    return view;
  };
  const code = (view: OpenView, index = 0) => view.page.locator('.code-text').nth(index);
  const untilColor = (view: OpenView, text: string, color: string, index = 0) =>
    view.until(
      async () => (await colorOf(code(view, index), text)) === color,
      `${text} in ${color}`,
    );

  describe('with the colors of the theme', () => {
    it('shows each language by the rules of the theme, and the rest in the general color', async () => {
      const view = await open(
        [
          fence('ts', "const greeting: string = 'hello'; // said"),
          fence('python', "def greet(name):\n    return 'hello'"),
          fence('bash', 'if true; then echo "hello"; fi # said'),
          fence('klingon', 'const qapla = 1'),
        ].join('\n\n'),
      );
      await untilColor(view, 'const', red);
      await untilColor(view, 'hello', blue);
      await untilColor(view, 'said', 'rgb(0, 255, 0)');
      await untilColor(view, 'return', red, 1);
      await untilColor(view, 'hello', blue, 1);
      await untilColor(view, 'then', red, 2);
      const general = await code(view).evaluate((block) => getComputedStyle(block).color);
      assert.equal(await colorOf(code(view), 'greeting'), general);
      assert.equal(await colorOf(code(view, 3), 'qapla'), general);
      assert.equal(await code(view, 3).locator('[class^="code-"] [class]').count(), 0);
      assert.equal(await code(view).innerText(), "const greeting: string = 'hello'; // said");
    });

    it('takes the next theme without touching the text, asked for when the host says so', async () => {
      const view = await open(fence('ts', "const a = 'x';"));
      await untilColor(view, 'const', red);
      await view.page.evaluate(() => {
        const block = document.querySelector('.code-text');
        new MutationObserver(() => document.body.setAttribute('data-touched', '')).observe(
          block ?? document,
          { subtree: true, childList: true, attributes: true, characterData: true },
        );
      });
      view.host.answers['code-theme'] = () => theme('#0000ff', '#ff0000');
      await view.host.emit('code-theme-changed', {});
      await untilColor(view, 'const', blue);
      await untilColor(view, 'x', red);
      assert.equal(await view.page.locator('[data-touched]').count(), 0);
      assert.equal(view.host.requestsFor('code-theme').length, 2);
    });

    it('uses VS Code’s own colors where the theme cannot be read, in each kind of theme', async () => {
      const view = await open(fence('ts', "const a = 'x';"), { colors: null });
      await untilColor(view, 'x', 'rgb(206, 145, 120)');
      await view.setTheme('light');
      await untilColor(view, 'x', 'rgb(163, 21, 21)');
    });

    it('leaves the colors to the system where that has its own', async () => {
      const view = await open(fence('ts', "const a = 'x';"));
      await untilColor(view, 'const', red);
      await view.page.emulateMedia({ forcedColors: 'active' });
      const general = await code(view).evaluate((block) => getComputedStyle(block).color);
      await untilColor(view, 'const', general);
    });
  });

  describe('off the critical path', () => {
    it('loads a language when it appears, and nothing where there is no code', async () => {
      const view = await open('Just words.', {}, 'streaming');
      await view.drawn();
      assert.ok(!loaded.some((url) => /chunks\/(?:highlighter|json|typescript)\b/.test(url)));
      await view.host.sendOps('\n\n```json\n{ "a": 1 }\n```\n\n');
      await view.until(() => loaded.some((url) => /chunks\/json\b/.test(url)), 'JSON');
      assert.ok(!loaded.some((url) => url.includes('typescript')), loaded.join('\n'));
      await view.host.sendOps('```ts\nconst a = 1;\n```\n\n');
      await view.until(() => loaded.some((url) => /chunks\/typescript\b/.test(url)), 'TypeScript');
    });

    it('colors code near the view, and other code when it comes near', async () => {
      const far = 'A paragraph.\n\n'.repeat(200);
      const view = await open(
        `${fence('ts', 'const a = 1;')}\n\n${far}${fence('ts', 'const b = 1;')}`,
      );
      await view.page.locator('.thread-scroller').evaluate((scroller) => {
        scroller.scrollTop = 0;
      });
      await untilColor(view, 'const', red);
      // The last block is below; it was near when the view opened at the end, or is not colored.
      await code(view, 1).scrollIntoViewIfNeeded();
      await untilColor(view, 'const', red, 1);
    });

    it('colors a line when it is whole, and never touches it again', async () => {
      const view = await open('```ts\nconst first = 1;\nlet', {}, 'streaming');
      await untilColor(view, 'const', red);
      await view.page.evaluate(() => {
        const first = document.querySelector('.code-text [class^="code-"] > span');
        first?.setAttribute('data-first', '');
      });
      for (let line = 0; line < 150; line++) await view.host.sendOps(` v${line} = 'x';\nlet`);
      await view.host.sendOps(' last = `2');
      await view.until(() => keywords(view, 'let', 150), 'colors in all lines but the last');
      assert.equal(await code(view).locator('[data-first]').count(), 1);
      await view.host.sendOps('`;\n```\n');
      await view.host.setStatus('reply-1', 'complete');
      const lines = Array.from({ length: 150 }, (_, line) => `let v${line} = 'x';\n`).join('');
      const whole = `const first = 1;\n${lines}let last = \`2\`;`;
      await view.until(
        async () => (await code(view).evaluate((block) => block.textContent)) === whole,
        'all of the code',
      );
      await view.until(() => keywords(view, 'let', 151), 'colors in the last line');
      assert.equal(await code(view).locator('[data-first]').count(), 1);
    });

    it('goes on drawing while it reads code that was made to be slow', async () => {
      const hostile = [
        ...['(', '{', 'a<', '"'].map((text) => text.repeat(900 / text.length)),
        `const a = '${'x'.repeat(1_000_000)}';`,
      ].join('\n');
      const view = await open('Wait.', {}, 'streaming');
      await view.page.evaluate(() => {
        const count = (): void => {
          const { dataset } = document.documentElement;
          dataset['frames'] = String(Number(dataset['frames'] ?? 0) + 1);
          requestAnimationFrame(count);
        };
        requestAnimationFrame(count);
      });
      await view.host.sendOps(
        `\n\n${fence('tsx', hostile)}\n\n${fence('tsx', 'let end = 1;')}\n\n`,
      );
      await view.host.setStatus('reply-1', 'complete');
      await untilColor(view, 'let', red, 1);
      const frames = await view.page.evaluate(() => document.documentElement.dataset['frames']);
      assert.ok(Number(frames) > 10, frames);
      // A line that is too long to be read in time stays as it is.
      assert.equal(await code(view).locator('span > span', { hasText: 'xxx' }).count(), 0);
    });

    it('keeps what somebody has selected while more of the code gets its colors', async () => {
      const view = await open("```ts\nconst a = 'one';\nconst b = ", {}, 'streaming');
      await untilColor(view, 'const', red);
      await code(view).evaluate((block) => {
        const selection = document.getSelection();
        selection?.selectAllChildren(block);
      });
      const before = await view.page.evaluate(() => document.getSelection()?.toString());
      await view.host.sendOps("'two';\nconst c = 'three';\nlet");
      await view.until(
        async () => (await code(view).innerText()).includes('three'),
        'the next lines',
      );
      await view.drawn();
      const after = await view.page.evaluate(() => document.getSelection()?.toString() ?? '');
      assert.ok(after.startsWith(before ?? 'nothing'), after);
      await view.page.evaluate(() => document.getSelection()?.removeAllRanges());
      await untilColor(view, 'three', blue);
    });
  });

  describe('and what can be done with it', () => {
    const item: ContextItemView = { id: 'c', type: 'code', label: 'start.ts', length: 5 };
    // The menu loads when it is opened first.
    const items = async (view: OpenView) => {
      await view.page.getByRole('menu').waitFor();
      return view.page.getByRole('menuitem').allInnerTexts();
    };

    it('copies, inserts and opens exactly what the service sent, colors or not', async () => {
      const exact = "const a = '\u202e<b>&amp;';\n\n\tlet\u00a0x = `${a}`;";
      const view = await open(fence('ts', exact));
      await untilColor(view, 'const', red);
      await view.button('Copy').first().click();
      await view.button('Insert at Cursor').click();
      await view.button('New File').click();
      assert.deepEqual(await view.requested('code-copy'), [{ text: exact }]);
      assert.deepEqual(await view.requested('code-insert'), [{ text: exact }]);
      assert.deepEqual(await view.requested('code-open'), [{ text: exact, language: 'ts' }]);
    });

    it('offers what suits the code and the question, by keyboard', async () => {
      const view = await open(`${fence('bash', 'ls -l')}\n\n${fence('json', '{}')}`, {
        items: [item],
        width: 200,
      });
      const more = view.button('More Actions');
      await more.first().focus();
      await view.page.keyboard.press('Enter');
      assert.deepEqual(await items(view), ['Replace Selection…', 'Run in Terminal…', 'Save As…']);
      await view.page.keyboard.press('ArrowUp');
      await view.page.keyboard.press('Enter');
      assert.deepEqual(await view.requested('code-save'), [{ text: 'ls -l', language: 'bash' }]);
      assert.equal(await view.page.getByRole('menu').count(), 0);
      await view.page.keyboard.press('Enter');
      await view.page.getByRole('menu').waitFor();
      await view.page.keyboard.press('ArrowDown');
      await view.page.keyboard.press('Enter');
      assert.deepEqual(await view.requested('code-run'), [{ text: 'ls -l', language: 'bash' }]);
      await more.nth(1).click();
      assert.deepEqual(await items(view), ['Replace Selection…', 'Save As…']);
      const box = await view.page.getByRole('menu').boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= 200, JSON.stringify(box));
      await view.page.getByRole('menuitem', { name: 'Replace Selection…' }).click();
      assert.deepEqual(await view.requested('code-replace'), [
        { messageId: 'reply-1', text: '{}' },
      ]);
    });

    it('closes the menu with Escape, back on its button, and when the focus leaves', async () => {
      const view = await open(fence('json', '{}'));
      const more = view.button('More Actions');
      await more.click();
      await view.page.getByRole('menu').waitFor();
      assert.equal(await more.getAttribute('aria-expanded'), 'true');
      assert.deepEqual(await items(view), ['Save As…']);
      await view.page.keyboard.press('Escape');
      assert.equal(await view.page.getByRole('menu').count(), 0);
      assert.ok(await more.evaluate((button) => button === document.activeElement));
      await more.click();
      await view.page.getByRole('menu').waitFor();
      await view.composer.click();
      await view.until(async () => (await view.page.getByRole('menu').count()) === 0, 'no menu');
      assert.equal(await more.getAttribute('aria-expanded'), 'false');
    });
  });
});

/** Whether the keyword stands by itself, in a color, that many times. */
const keywords = (view: OpenView, keyword: string, count: number) =>
  view.page
    .locator('.code-text')
    .first()
    .evaluate(
      (block, wanted) =>
        [...block.querySelectorAll('span > span')].filter(
          ({ textContent }) => textContent.trim() === wanted.keyword,
        ).length === wanted.count,
      { keyword, count },
    );
