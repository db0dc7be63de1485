/** States of the composer: what goes along, completion, dragging, notices. */
import { MAX_QUESTION_LENGTH } from '../../../src/shared/limits';
import type { MentionView } from '../../../src/shared/protocol';
import type { AttachmentView } from '../../../src/shared/uiMessage';
import { aContextItem, aView } from '../thread/conversations';
import type { FakeHost, HostView } from '../fakeHost';
import type { OpenView } from '../harness';
import type { ViewStateCase } from '../states';

/** Mentions that `#` offers where an editor is open and no terminal. */
export const someMentions: readonly MentionView[] = [
  {
    id: 'selection',
    kind: 'selection',
    label: '#selection',
    detail: 'start.ts, lines 3–9',
    isGroup: false,
  },
  { id: 'file', kind: 'file', label: '#file', detail: 'Choose a file', isGroup: true },
  { id: 'problems', kind: 'problems', label: '#problems', detail: '2 in start.ts', isGroup: false },
  {
    id: 'terminal',
    kind: 'terminal',
    label: '#terminal',
    detail: 'No terminal is open',
    isGroup: false,
    isUnavailable: true,
  },
];

export const someFiles: readonly AttachmentView[] = [
  { id: 'file-1', filename: 'the error.png', mediaType: 'image/png', sizeBytes: 234_000 },
  { id: 'file-2', filename: 'server.log', mediaType: 'text/plain', sizeBytes: 4_900_000 },
  { id: 'file-3', filename: 'terms.pdf', mediaType: 'application/pdf', sizeBytes: 1_100_000 },
];

/** Lets the host offer a few files of its workspace. */
export function offersMentions(host: FakeHost): void {
  const paths = ['src/uploads/uploadClient.ts', 'docs/guides/uploads/large.md', 'README.md'];
  host.answers['mention-list'] = ({ kind, query }) => ({
    mentions:
      kind !== 'file'
        ? someMentions
        : paths
            .filter((path) => path.includes(query))
            .map((path) => {
              const label = path.slice(path.lastIndexOf('/') + 1);
              const detail = path.slice(0, -label.length - 1);
              return { id: path, kind, label, detail, isGroup: false };
            }),
  });
}

const attached = (): HostView =>
  aView({ files: someFiles, page: '/guides/uploads', contextItems: [aContextItem()] });

const type = async (view: OpenView, text: string): Promise<void> => {
  await view.composer.focus();
  await view.page.keyboard.type(text);
};

export const composerStateCases: Readonly<Record<string, ViewStateCase>> = {
  attached: { view: attached, act: ({ composer }) => composer.focus() },
  mentions: {
    view: attached,
    prepare: offersMentions,
    act: async (view) => {
      await type(view, 'Why does this fail? #');
      await view.page.getByRole('listbox').waitFor();
      await view.page.keyboard.press('ArrowUp');
    },
  },
  secrets: {
    view: () =>
      aView({
        contextItems: [
          aContextItem({ secrets: { state: 'found', kinds: ['GitHub token'] } }),
          aContextItem({ id: 'c2', secrets: { state: 'redacted', kinds: [] } }),
          aContextItem({ id: 'c3', secrets: { state: 'allowed', kinds: ['password'] } }),
        ],
      }),
    prepare: (host) => {
      host.answers['question-submit'] = () => ({
        held: [
          { id: 'c1', name: 'src/start.ts', kinds: ['GitHub token'] },
          { id: 'question', name: 'Your question', kinds: ['password'] },
        ],
      });
    },
    act: async (view) => {
      await type(view, 'Why does this fail?');
      await view.page.keyboard.press('Enter');
      await view.page.getByRole('alertdialog').waitFor();
    },
  },
  'mentioned-files': {
    view: () => aView(),
    prepare: offersMentions,
    act: async (view) => {
      await type(view, 'Explain #file:');
      await view.page.getByRole('option').first().waitFor();
    },
  },
  'mentions-not-found': {
    view: () => aView(),
    prepare: offersMentions,
    act: async (view) => {
      await type(view, 'Explain #file:zzz');
      await view.page.locator('.mention-status', { hasText: view.strings.mentionNone }).waitFor();
    },
  },
  dragging: {
    view: () => aView(),
    act: ({ page }) =>
      page.evaluate(() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(['a'], 'a.txt'));
        const settings = { dataTransfer, bubbles: true, cancelable: true };
        document.body.dispatchEvent(new DragEvent('dragenter', settings));
      }),
  },
  'pasted-too-long': {
    view: () => aView(),
    act: async (view) => {
      await view.composer.evaluate((control, length) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', 'x'.repeat(length));
        const settings = { clipboardData, bubbles: true, composed: true, cancelable: true };
        control.dispatchEvent(new ClipboardEvent('paste', settings));
      }, MAX_QUESTION_LENGTH + 1);
      await view.button(view.strings.attachAsFile).waitFor();
    },
  },
};
