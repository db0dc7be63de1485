import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { takeScreenshot, useViewTester, wantsScreenshots } from './harness';
import { cutOff, scrollingSideways, untold } from './layoutChecks';
import { viewStateCases } from './states';
import { themeNames, type ThemeName } from './webviewPage';

/** A plain theme and one of high contrast, which has borders where the other has none. */
const geometryThemes: readonly ThemeName[] = ['light', 'hcDark'];

describe('every state of the view', () => {
  const tester = useViewTester();

  for (const [name, { view, act, prepare }] of Object.entries(viewStateCases)) {
    it(`draws “${name}” narrow and wide with nothing cut off sideways, plain and in high contrast`, async () => {
      const opened = await tester.open(view(), {
        width: 200,
        height: 640,
        reducedMotion: true,
        prepare,
      });
      await act?.(opened);
      for (const width of [200, 600]) {
        await opened.page.setViewportSize({ width, height: 640 });
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

  it('uses no color and no font but VS Code’s', async () => {
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
