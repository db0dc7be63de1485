import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { takeScreenshot, useViewTester, wantsScreenshots, type OpenView } from './harness';
import { viewStateCases } from './states';
import { themeNames, type ThemeName } from './webviewPage';

/** A plain theme and one of high contrast, which has borders where the other has none. */
const geometryThemes: readonly ThemeName[] = ['light', 'hcDark'];

describe('every state of the view', function () {
  this.timeout(180_000);
  const tester = useViewTester();

  for (const [name, { view, act, prepare }] of Object.entries(viewStateCases)) {
    it(`draws “${name}” narrow and wide with nothing cut off sideways, plain and in high contrast`, async () => {
      for (const width of [200, 600]) {
        const opened = await tester.open(view(), {
          width,
          height: 640,
          reducedMotion: true,
          ...(prepare ? { prepare } : {}),
        });
        await act?.(opened);
        for (const theme of wantsScreenshots ? themeNames : geometryThemes) {
          await opened.setTheme(theme);
          await opened.drawn();
          if (wantsScreenshots) await takeScreenshot(opened.page, `${name}-${theme}-${width}`);
          assert.deepEqual(await cutOff(opened), [], `${name} at ${width} px in ${theme}`);
        }
        assert.deepEqual(await scrollingSideways(opened), [], `${name} at ${width} px`);
        assert.deepEqual(await untold(opened), [], `${name} at ${width} px`);
      }
    });
  }

  it('uses no colour and no font but VS Code’s', async () => {
    const themes = JSON.parse(await readFile('test/webview/themes.json', 'utf8')) as Record<
      string,
      { variables: Record<string, string> }
    >;
    const known = new Set(Object.values(themes).flatMap(({ variables }) => Object.keys(variables)));
    const names = (await readdir('webview/styles')).filter((name) => name !== 'main.css');
    for (const name of names) {
      const css = await readFile(path.join('webview', 'styles', name), 'utf8');
      const rules = css.replace(/\/\*.*?\*\//gs, '');
      assert.doesNotMatch(rules, /#[\da-f]{3,8}\b|\brgba?\(|\bhsla?\(/i, name);
      const unknown = [...rules.matchAll(/--vscode-[\w-]+/g)].filter(([used]) => !known.has(used));
      assert.deepEqual(
        unknown.map(([used]) => used),
        [],
        name,
      );
    }
  });
});

/** What scrolls sideways and is neither code, a table nor a formula. */
async function scrollingSideways({ page }: OpenView): Promise<string[]> {
  return page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('body, body *')]
      .filter((found) => {
        if (found.matches('.code-text, .table-scroller, [data-math]')) return false;
        const { overflowX } = getComputedStyle(found);
        const isScroller = found === document.documentElement || /auto|scroll/.test(overflowX);
        return isScroller && found.scrollWidth > found.clientWidth + 1;
      })
      .map((found) => `${found.tagName}.${found.className}`),
  );
}

/** Texts that end in an ellipsis and are told whole by no tooltip, and icons that have none. */
async function untold({ page }: OpenView): Promise<string[]> {
  return page.evaluate(() => {
    const isShown = (found: Element): boolean => found.checkVisibility();
    const cut = [...document.querySelectorAll('body *')].filter(
      (found) =>
        getComputedStyle(found).textOverflow === 'ellipsis' &&
        !(found instanceof HTMLInputElement) &&
        found.scrollWidth > found.clientWidth,
    );
    const icons = [...document.querySelectorAll('button, vscode-button')].filter(
      // A sign in the text has a tip of its own.
      (found) => found.textContent.trim() === '' && !found.matches('.unproven-sign'),
    );
    return [...cut, ...icons]
      .filter((found) => isShown(found) && !found.closest('[title]'))
      .map((found) => `${found.className}: ${found.textContent}`);
  });
}

/** Elements that reach beyond the view's sides and are not within something that scrolls. */
async function cutOff({ page }: OpenView): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    return [...document.querySelectorAll('body *')]
      .filter((found) => {
        if (!found.checkVisibility()) return false;
        if (found.closest('.code-text, .table-scroller, .visually-hidden')) return false;
        // What ends in an ellipsis is cut on purpose; the whole is in its tooltip.
        for (let around = found.parentElement; around; around = around.parentElement) {
          if (getComputedStyle(around).textOverflow === 'ellipsis') return false;
        }
        const { left, right, width: own } = found.getBoundingClientRect();
        return own > 0 && (left < -1 || right > width + 1);
      })
      .map((found) => `${found.tagName}.${found.className}`);
  });
}
