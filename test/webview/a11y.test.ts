import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import { takeScreenshot, useViewTester, wantsScreenshots, type OpenView } from './harness';
import { viewStateCases } from './states';
import { themeNames } from './webviewPage';

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}

/**
 * Rules that are off, each with its reason.
 * - `label-content-name-mismatch` compares the whole text of a control with its name, letter by
 *   letter: a chip shows `start.ts 12–38` and is called `Show src/start.ts, lines 12–38`, and a row
 *   of the history is a tree item that holds buttons of its own. What is read first is in the name.
 */
const rulesOff = ['label-content-name-mismatch'];

/**
 * Returns the findings of axe, each with the elements it is about. Headings inside a reply are
 * those of the documentation, which may begin at any level, so whether their order skips one
 * doesn't count.
 */
async function findings({ page }: OpenView, only?: 'color-contrast'): Promise<string[]> {
  return page.evaluate(
    async ({ off, only }) => {
      const { violations } = await window.axe.run(document, {
        resultTypes: ['violations'],
        elementRef: true,
        ...(only === undefined
          ? {
              runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
              rules: Object.fromEntries(off.map((id) => [id, { enabled: false }])),
            }
          : { runOnly: { type: 'rule', values: [only] } }),
      });
      return violations.flatMap(({ id, nodes }) =>
        nodes.flatMap(({ element: found, html, any, all, none }) => {
          if (id === 'heading-order' && found?.closest('.markdown')) return [];
          const why = [...any, ...all, ...none].map(({ message }) => message).join(' ');
          return [`${id}: ${html.slice(0, 200)} ${why}`];
        }),
      );
    },
    { off: rulesOff, only },
  );
}

describe('everyone’s access to every state', () => {
  const tester = useViewTester();
  let source: string;
  before(async () => {
    source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  });

  for (const [name, { view, act, prepare }] of Object.entries(viewStateCases)) {
    it(`axe finds nothing in “${name}”, and enough contrast in four themes`, async () => {
      const opened = await tester.open(view(), {
        height: 900,
        reducedMotion: true,
        prepare,
      });
      await opened.page.evaluate(source);
      await act?.(opened);
      for (const theme of themeNames) {
        await opened.setTheme(theme);
        await opened.drawn();
        // Only colors differ between themes.
        const only = theme === 'dark' ? undefined : 'color-contrast';
        assert.deepEqual(await findings(opened, only), [], theme);
      }
    });
  }

  it('shows focus and borders where the system chooses every color', async () => {
    const opened = await tester.open(viewStateCases['complete']?.view() ?? assert.fail());
    const { page } = opened;
    await page.emulateMedia({ forcedColors: 'active' });
    const style = (selector: string, name: 'outlineStyle' | 'borderTopStyle') =>
      page
        .locator(selector)
        .first()
        .evaluate((found, wanted) => getComputedStyle(found)[wanted], name);
    await page.evaluate(() => document.body.focus());
    for (const focused of ['.switch-site:focus', '.filter-docs:focus', '.message:focus']) {
      await page.keyboard.press('Tab');
      assert.equal(await style(focused, 'outlineStyle'), 'solid', focused);
    }
    for (const framed of ['.question', '.composer-box', '.code-block']) {
      assert.equal(await style(framed, 'borderTopStyle'), 'solid', framed);
    }
    if (wantsScreenshots) await takeScreenshot(page, 'forced-colors');
  });

  it('turns the text of a right-to-left language around, and nothing beside it', async () => {
    const opened = await tester.open(viewStateCases['right-to-left']?.view() ?? assert.fail());
    const direction = (selector: string) =>
      opened.page
        .locator(selector)
        .first()
        .evaluate((found) => getComputedStyle(found).direction);
    assert.equal(await direction('.question-text'), 'rtl');
    assert.equal(await direction('.reply .markdown p'), 'rtl');
    assert.equal(await direction('.reply .code-text'), 'ltr');
    assert.equal(await direction('.site-header'), 'ltr');
  });

  it('fits 420 px at 200 % zoom, with nothing to scroll sideways', async () => {
    for (const name of ['complete', 'composing', 'many-sources', 'shortcuts']) {
      const state = viewStateCases[name] ?? assert.fail(name);
      // Zoom makes CSS pixels larger: half as many fit into the same panel.
      const opened = await tester.open(state.view(), { width: 210, height: 360 });
      await state.act?.(opened);
      const scrolling = await opened.page.evaluate(() =>
        [
          document.documentElement,
          document.body,
          ...document.querySelectorAll('.thread-scroller, dialog, .shortcuts-list'),
        ]
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
          .map(({ className }) => className),
      );
      assert.deepEqual(scrolling, [], name);
      assert.ok(((await opened.page.locator('.thread-scroller').boundingBox())?.height ?? 0) > 60);
    }
  });

  it('axe finds a planted mistake, so that an empty result means something', async () => {
    const opened = await tester.open(viewStateCases['complete']?.view() ?? assert.fail());
    await opened.page.evaluate(source);
    await opened.page.evaluate(() => {
      const button = document.createElement('button');
      document.querySelector('main')?.append(button);
      const text = document.createElement('p');
      text.textContent = 'Hardly to be read';
      text.style.color = 'var(--vscode-badge-background)';
      document.querySelector('main')?.append(text);
    });
    const found = await findings(opened);
    assert.match(found.join('\n'), /^button-name: /m);
    assert.match(found.join('\n'), /^color-contrast: /m);
  });
});
