/** The states of the view that are drawn in every theme and checked for everyone's access. */
import { describeError, DocsAssistantError } from '../../src/common/errors';
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
import type { HostView } from './fakeHost';
import type { OpenView, ViewSettings } from './harness';

/** A state that the view can be in. */
export interface ViewStateCase {
  readonly view: () => HostView;
  /** What a person does to bring it about, once it is open. */
  readonly act?: (view: OpenView) => Promise<void>;
  /** Before the page is loaded. */
  readonly prepare?: ViewSettings['prepare'];
}

const asked = (messages: HostView['thread']['messages']): HostView =>
  aView({ messages: [aQuestion({ contextItems: [aContextItem()] }), ...messages] });

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
