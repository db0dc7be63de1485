import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import { ViewTester, type OpenView } from './harness';
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
 * What axe finds, each with the elements it is about. Headings inside a reply are those of the
 * documentation, which may begin at any level: whether their order skips one is not ours to say.
 */
async function findings({ page }: OpenView): Promise<string[]> {
  return page.evaluate(async (off) => {
    const { violations } = await window.axe.run(document, {
      resultTypes: ['violations'],
      elementRef: true,
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      rules: Object.fromEntries(off.map((id) => [id, { enabled: false }])),
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.flatMap(({ element: found, html, any, all, none }) => {
        if (id === 'heading-order' && found?.closest('.markdown')) return [];
        const why = [...any, ...all, ...none].map(({ message }) => message).join(' ');
        return [`${id}: ${html.slice(0, 200)} ${why}`];
      }),
    );
  }, rulesOff);
}

describe('everyone’s access to every state', function () {
  this.timeout(180_000);
  let tester: ViewTester;
  let source: string;
  before(async () => {
    tester = await ViewTester.start();
    source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  });
  afterEach(() => tester.closeViews());
  after(() => tester.stop());

  for (const [name, { view, act, prepare }] of Object.entries(viewStateCases)) {
    it(`axe finds nothing in “${name}”, in four themes`, async () => {
      const opened = await tester.open(view(), {
        height: 900,
        reducedMotion: true,
        ...(prepare ? { prepare } : {}),
      });
      await opened.page.evaluate(source);
      await act?.(opened);
      for (const theme of themeNames) {
        await opened.setTheme(theme);
        await opened.drawn();
        assert.deepEqual(await findings(opened), [], theme);
      }
    });
  }

  it('axe does find what is wrong, so that its silence means something', async () => {
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
