/** The states of the view that are drawn in every theme and checked for everyone's access. */
import { describeError } from '../../src/common/describeError';
import { DocsAssistantError } from '../../src/common/errors';
import { fill } from '../../src/shared/fill';
import { composerStateCases } from './composer/composerStates';
import {
  aContextItem,
  aHistory,
  anError,
  anOffer,
  aQuestion,
  aReply,
  aSite,
  aSource,
  aView,
  provenParts,
  richParts,
} from './thread/conversations';
import type { FakeHost, HostView } from './fakeHost';
import { findStateCases } from './find/findStates';
import type { OpenView, ViewSettings } from './harness';
import { showHistory } from './history/historyView';

/** A state that the view can be in. */
export interface ViewStateCase {
  readonly view: () => HostView;
  /** Brings the state about once the view is open, as a person would. */
  readonly act?: (view: OpenView) => Promise<void>;
  /** Before the page is loaded. */
  readonly prepare?: ViewSettings['prepare'];
}

const asked = (messages: HostView['thread']['messages']): HostView =>
  aView({ messages: [aQuestion({ contextItems: [aContextItem()] }), ...messages] });

const withHistory = (host: FakeHost): void => {
  host.history = aHistory();
};

const openHistory = async (view: OpenView): Promise<void> => {
  await showHistory(view);
  await view.page.getByRole('treeitem').first().waitFor();
};

/** Every state that the view can be in, by name: pictures are taken and axe is run on each. */
export const viewStateCases: Readonly<Record<string, ViewStateCase>> = {
  empty: { view: () => aView() },
  'not-configured': {
    view: () => aView({ site: aSite({ isConfigured: false, label: '' }), suggestions: [] }),
  },
  'air-gapped': {
    view: () =>
      aView({
        site: aSite({
          isConfigured: false,
          unavailable: describeError(new DocsAssistantError('assistant-air-gapped')),
        }),
        suggestions: [],
      }),
  },
  waiting: { view: () => asked([aReply({ parts: [], status: 'waiting' })]) },
  'model-offer': {
    view: () => asked([aReply({ parts: [], status: 'waiting', offer: anOffer })]),
    act: async (view) => view.button('Quotes only').waitFor(),
  },
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
  'tasks-alerts-footnotes': {
    view: () =>
      asked([
        aReply({
          parts: [
            {
              type: 'text',
              text:
                'Noted[^1], with $E = mc^2$.\n\n- [x] done\n- [ ] to do\n\n' +
                ['NOTE', 'TIP', 'IMPORTANT', 'WARNING', 'CAUTION']
                  .map((kind) => `> [!${kind}]\n> With \`code\`.\n`)
                  .join('\n') +
                '\n| Option | Default |\n|:--|--:|\n| `size` | 20 |\n\n[^1]: A [page](https://a.example).\n',
            },
          ],
        }),
      ]),
  },
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
              'docs.acme.example rejected the assistant key. The key is wrong, expired, or revoked. Set a new key, then try again.',
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
            message: 'Too many requests. Wait a moment, then try again.',
            actions: ['retry'],
            retryAt: Date.now() + 42_000,
            keptDocs: {
              id: 'set-1',
              label: 'docs.acme.example',
              fetchedAt: Date.now() - 3 * 86_400_000 - 1000,
            },
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
        messages: [
          aQuestion(),
          aReply({
            notice: 'The docs service started a new thread.',
            versionNote: 'This reply cites docs for v14. Installed here is next@15.5.2.',
          }),
        ],
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
  'source-card': {
    view: () => asked([aReply({ parts: richParts })]),
    prepare: (host) => {
      host.answers['source-describe'] = () => ({
        title: 'Upload limits and quotas',
        path: '/uploads/limits',
        quote: [
          {
            text: 'A single request may carry at most 20 MB.\nSend larger files in parts:',
            isCode: false,
          },
          { text: 'for (const part of parts) {\n  await upload(part);\n}', isCode: true },
        ],
        file: 'docs/uploads/limits.mdx',
      });
    },
    act: async ({ page, strings }) => {
      await page.locator('#source-card').waitFor({ state: 'attached' });
      await page.locator('.citation').first().press('Alt+ArrowDown');
      await page.getByRole('button', { name: fill(strings.openOwnFile, 'limits.mdx') }).waitFor();
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
  proven: {
    view: () =>
      aView({
        site: aSite({
          label: 'acme-docs · 127.0.0.1:4100',
          isLocal: true,
          answersWith: { kind: 'vscode', label: 'GPT-5 mini (Copilot)' },
        }),
        thread: {
          id: 'thread-1',
          title: 'How large may an upload be?',
          messages: [aQuestion(), aReply({ parts: provenParts })],
        },
      }),
    act: async ({ page }) => {
      await page.locator('.proof summary').click();
      await page.locator('.unproven-list li').first().waitFor();
    },
  },
  'no-source': {
    view: () =>
      asked([
        aReply({ parts: [{ type: 'text', text: 'I found nothing about that in these docs.' }] }),
      ]),
    act: async (view) => view.button(view.strings.draftDocsIssue).waitFor(),
  },
  'more-text': {
    view: () =>
      asked([
        aReply({
          parts: [
            { type: 'text', text: 'A key expires after 90 days.' },
            { type: 'text', role: 'more', text: '**Keys › Rotate**\n\nRotate a key before that.' },
          ],
        }),
      ]),
    act: async ({ page, strings }) => {
      const more = page.getByText('Rotate a key before that.');
      if (await more.isVisible()) throw new Error('The text is shown before anyone asks for more.');
      await page.getByText(strings.showMore).click();
      await more.waitFor();
    },
  },
  'proof-tip': {
    view: () => asked([aReply({ parts: provenParts })]),
    act: async (view) => {
      const sign = view.page.locator('.unproven-sign').first();
      // Playwright scrolls to what it clicks. The page is told of that a frame later, and closes the tip.
      await sign.scrollIntoViewIfNeeded();
      await view.drawn();
      await sign.click();
      await view.page.locator('.proof-tip').waitFor();
    },
  },
  'question-hovered': {
    view: () =>
      asked([
        aReply(),
        aQuestion({
          id: 'question-2',
          branch: { index: 1, count: 3 },
          files: [
            { id: 'file-1', filename: 'trace.log', mediaType: 'text/plain', sizeBytes: 48_213 },
            { id: 'file-2', filename: 'diagram.png', mediaType: 'image/png', sizeBytes: 903_000 },
          ],
        }),
        aReply({ id: 'reply-2', branch: { index: 0, count: 2 } }),
      ]),
    act: async ({ page }) => page.locator('.question').last().hover(),
  },
  'question-edited': {
    view: () => asked([aReply()]),
    act: async (view) => {
      await view.page.locator('.question').hover();
      await view.button(view.strings.editQuestion).click();
      await view.page.getByRole('textbox', { name: view.strings.editedQuestion }).press('End');
      await view.page.keyboard.type(' I use the Python SDK.');
    },
  },
  history: { view: () => asked([aReply()]), prepare: withHistory, act: openHistory },
  'history-hovered': {
    view: () => asked([aReply()]),
    prepare: withHistory,
    act: async (view) => {
      await openHistory(view);
      await view.page.getByRole('treeitem').nth(1).hover();
      await view.page.keyboard.press('ArrowDown');
    },
  },
  'history-searched': {
    view: () => asked([aReply()]),
    prepare: withHistory,
    act: async (view) => {
      await openHistory(view);
      await view.page.keyboard.type('limit');
      // A slow machine searches for the first letters before it types the next.
      await view.page
        .locator('mark', { hasText: /^limit$/i })
        .first()
        .waitFor();
    },
  },
  'history-nothing-found': {
    view: () => asked([aReply()]),
    prepare: withHistory,
    act: async (view) => {
      await openHistory(view);
      await view.page.keyboard.type('zzz');
      await view.page.locator('.history-message').waitFor();
    },
  },
  'history-empty': {
    view: () => aView(),
    act: async (view) => {
      await showHistory(view);
      await view.page.locator('.history-message').waitFor();
    },
  },
  'history-renamed': {
    view: () => asked([aReply()]),
    prepare: withHistory,
    act: async (view) => {
      await openHistory(view);
      await view.page.keyboard.press('ArrowDown');
      await view.page.keyboard.press('F2');
    },
  },
  'history-deleted': {
    view: () => asked([aReply()]),
    prepare: withHistory,
    act: async (view) => {
      await openHistory(view);
      await view.page.keyboard.press('ArrowDown');
      await view.page.keyboard.press('ArrowDown');
      await view.page.keyboard.press('Delete');
      await view.button(view.strings.undo).waitFor();
    },
  },
  ...composerStateCases,
  ...findStateCases,
  'right-to-left': {
    view: () =>
      aView({
        messages: [
          aQuestion({ text: 'למה ההעלאה שלי נכשלת עם 413, ואיך שולחים קובץ גדול יותר?' }),
          aReply({
            parts: [
              aSource(1, { title: 'حدود الرفع والحصص' }),
              {
                type: 'text',
                text: 'אפשר לשלוח עד **20 MB** בבקשה אחת [1](https://docs.acme.example/page-1).\n\n- חלק ראשון\n- חלק שני עם `uploads.create()`\n\n> הערה קצרה.\n\n```ts\nconst size = 20;\n```\n\n| תוכנית | גודל |\n|---|---|\n| חינם | 1 GB |',
              },
            ],
          }),
        ],
      }),
  },
  shortcuts: {
    view: () => asked([aReply()]),
    act: async ({ page, strings }) => {
      await page.keyboard.press('Control+/');
      await page.getByRole('dialog', { name: strings.shortcuts }).waitFor();
    },
  },
  'focused-message': {
    view: () => asked([aReply()]),
    act: async ({ page }) => {
      await page.locator('.message').first().focus();
      await page.keyboard.press('ArrowDown');
    },
  },
};
