import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';

import path from 'node:path';
import {
  aContextItem,
  anError,
  aQuestion,
  aReply,
  aSite,
  aSource,
  aView,
  richParts,
} from './conversations';
import { describeError, DocsAssistantError } from '../../src/common/errors';
import type { HostView } from './fakeHost';
import { ViewTester, type OpenView } from './harness';
import { themeNames } from './webviewPage';

interface PictureSettings {
  readonly view: () => HostView;
  /** What a person does before the picture is taken. */
  readonly act?: (view: OpenView) => Promise<void>;
}

const asked = (messages: HostView['thread']['messages']): HostView =>
  aView({ messages: [aQuestion({ contextItems: [aContextItem()] }), ...messages] });

/** Every state that the view can be in, by the name of its picture. */
const pictures: Record<string, PictureSettings> = {
  empty: { view: () => aView() },
  'not-configured': {
    view: () => aView({ site: aSite({ isConfigured: false, label: '' }), suggestions: [] }),
  },
  'air-gapped': {
    view: () =>
      aView({
        site: aSite({
          isConfigured: false,
          label: '',
          unavailable: describeError(new DocsAssistantError('assistant-air-gapped')),
        }),
        suggestions: [],
      }),
  },
  waiting: { view: () => asked([aReply({ parts: [], status: 'waiting' })]) },
  streaming: {
    view: () =>
      asked([
        aReply({
          status: 'streaming',
          parts: [
            { type: 'reasoning', text: 'Looking at **limits**…' },
            {
              type: 'search',
              toolCallId: 'call',
              toolName: 'search',
              state: 'running',
              query: 'upload limit',
            },
            {
              type: 'text',
              text: 'A request may carry **20 MB**. Send larger files in parts:\n\n```ts\nconst upload = await client.uploads.create({\n  name: "video',
            },
          ],
        }),
      ]),
  },
  complete: { view: () => asked([aReply({ parts: richParts })]) },
  reasoning: {
    view: () => asked([aReply({ parts: richParts })]),
    act: async ({ page }) => {
      await page.locator('.reasoning summary').click();
      await page.locator('.thread-scroller').evaluate((scroller) => scroller.scrollTo(0, 0));
    },
  },
  stopped: { view: () => asked([aReply({ status: 'stopped' })]) },
  incomplete: { view: () => asked([aReply({ status: 'incomplete' })]) },
  failed: {
    view: () =>
      asked([
        aReply({
          parts: [],
          status: 'failed',
          error: anError({
            code: 'key-rejected',
            message:
              'docs.acme.example did not accept the assistant key: it is wrong, expired or revoked. Set a new key, then retry.',
            actions: ['set-assistant-key', 'retry'],
          }),
        }),
      ]),
  },
  'rate-limited': {
    view: () =>
      asked([
        aReply({
          status: 'failed',
          error: anError({
            code: 'rate-limited',
            message: 'Too many questions for now: the docs service asks to wait.',
            actions: ['retry'],
            retryAt: Date.now() + 42_000,
          }),
        }),
      ]),
  },
  composing: {
    view: () =>
      aView({
        site: aSite({
          label: 'Local docs service',
          isLocal: true,
          filter: { version: 'v2', language: 'en', groups: ['admin', 'beta'] },
        }),
        messages: [aQuestion(), aReply({ notice: 'The docs service started a new thread.' })],
        contextItems: [
          aContextItem(),
          aContextItem({
            id: 'item-2',
            type: 'textSelection',
            label: 'a-very-long-file-name-that-does-not-fit.md',
            path: 'docs/guides/a-very-long-file-name-that-does-not-fit.md',
            startLine: 7,
            endLine: 7,
          }),
        ],
      }),
    act: async ({ composer }) => {
      await composer.fill('And in Python?\nWith a progress bar, please.');
    },
  },
  'many-sources': {
    view: () =>
      asked([
        aReply({
          parts: [
            ...Array.from({ length: 12 }, (_, index) => aSource(index + 1)),
            { type: 'text', text: 'See [1](https://docs.acme.example/page-1).' },
          ],
        }),
      ]),
  },
};

const folder = path.join('out', 'screenshots');

describe('pictures of every state', function () {
  this.timeout(180_000);
  let tester: ViewTester;
  before(async () => {
    tester = await ViewTester.start();
    await mkdir(folder, { recursive: true });
  });
  afterEach(() => tester.closeViews());
  after(() => tester.stop());

  for (const [name, { view, act }] of Object.entries(pictures)) {
    it(`draws “${name}” in four themes, narrow and wide, with nothing cut off sideways`, async () => {
      for (const width of [200, 600]) {
        const opened = await tester.open(view(), { width, height: 640, reducedMotion: true });
        await act?.(opened);
        for (const theme of themeNames) {
          await opened.setTheme(theme);
          await opened.drawn();
          const file = path.join(folder, `${name}-${theme}-${width}.png`);
          // What Playwright hides for a picture it hides by a style that the policy refuses.
          await opened.page.screenshot({ path: file, caret: 'initial', animations: 'allow' });
          assert.deepEqual(await cutOff(opened), [], `${name} at ${width} px in ${theme}`);
        }
      }
    });
  }

  it('uses no colour and no font but VS Code’s', async () => {
    const themes = JSON.parse(await readFile('test/webview/themes.json', 'utf8')) as Record<
      string,
      { variables: Record<string, string> }
    >;
    const known = new Set(Object.values(themes).flatMap(({ variables }) => Object.keys(variables)));
    for (const name of ['base', 'thread', 'markdown', 'composer']) {
      const css = await readFile(`webview/styles/${name}.css`, 'utf8');
      const rules = css.replace(/\/\*.*?\*\//gs, '');
      assert.doesNotMatch(rules, /#[\da-f]{3,8}\b|\brgba?\(|\bhsla?\(/i, `${name}.css`);
      const unknown = [...rules.matchAll(/--vscode-[\w-]+/g)].filter(([used]) => !known.has(used));
      assert.deepEqual(
        unknown.map(([used]) => used),
        [],
        `${name}.css`,
      );
    }
  });
});

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
