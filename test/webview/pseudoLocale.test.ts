import assert from 'node:assert/strict';
import { plainWords, pseudo, pseudoStrings } from '../builders/pseudoLocale';
import type { FakeHost, HostView } from './fakeHost';
import { useViewTester, type OpenView } from './harness';
import { cutOff, scrollingSideways, untold } from './layoutChecks';
import { viewStateCases } from './states';

/** Words that are the same in every language, or that the browser writes: names, units, dates, times. */
const commonWords =
  /^(?:KB|MB|GB|PDF|Docs|Assistant|TypeScript|AM|PM|at)$|day$|^(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)/;

describe('the view in a language with longer words', () => {
  const tester = useViewTester();

  for (const [name, { view, act, prepare }] of Object.entries(viewStateCases)) {
    // Shows faults.md Q5.
    it(`draws “${name}” with every text translated and nothing cut off, narrow and wide`, async () => {
      const shown = translated(view());
      const opened = await tester.open(shown, {
        width: 200,
        height: 640,
        theme: 'light',
        reducedMotion: true,
        prepare: (host) => {
          host.strings = pseudoStrings;
          prepare?.(host);
        },
      });
      await act?.(opened);
      assert.deepEqual(await untranslated(opened), [], name);
      for (const width of [200, 600]) {
        await opened.page.setViewportSize({ width, height: 640 });
        await opened.drawn();
        const problems = [
          ...(await cutOff(opened)),
          ...(await scrollingSideways(opened)),
          ...(await untold(opened)),
        ];
        assert.deepEqual(problems, [], `${name} at ${width} px`);
      }
    });
  }
});

/** Returns the view with the sentences that the host translates before it sends them. */
function translated(view: HostView): HostView {
  const messages = view.thread.messages.map((message) => {
    if (message.role !== 'assistant') return message;
    const { error, notice, versionNote } = message;
    return {
      ...message,
      error: error ? { ...error, message: pseudo(error.message) } : undefined,
      notice: notice === undefined ? undefined : pseudo(notice),
      versionNote: versionNote === undefined ? undefined : pseudo(versionNote),
    };
  });
  return { ...view, thread: { ...view.thread, messages } };
}

/** Words on screen, in tooltips or for screen readers that are neither translated nor in the docs. */
async function untranslated({ page, host }: OpenView): Promise<string[]> {
  const texts = await page.evaluate(() => {
    // The toolkit names its progress ring in English, which is hidden from screen readers.
    const told = [...document.querySelectorAll('*')].filter((found) => found.ariaHidden !== 'true');
    const said = told.flatMap((found) =>
      ['aria-label', 'aria-description', 'aria-valuetext', 'title', 'placeholder', 'alt'].map(
        (name) => found.getAttribute(name) ?? '',
      ),
    );
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!node.parentElement?.closest('script, style')) said.push(node.textContent ?? '');
    }
    return [...said, document.title];
  });
  const content = new Set(contentWords(host));
  return texts.filter((text) =>
    plainWords(text).some((word) => !content.has(word) && !commonWords.test(word)),
  );
}

/** Returns the words of the thread, of its docs and files, and of what the host was asked to find. */
function contentWords(host: FakeHost): string[] {
  const { answers, view, history } = host;
  const answered = [
    answers['mention-list']?.({ kind: 'file', query: '' } as never),
    answers['mention-list']?.({ query: '' }),
    answers['source-describe']?.({} as never),
    // The host names what holds a secret, and translates the names itself.
    answers['question-submit']?.({} as never),
  ];
  const text = JSON.stringify([view, history, answered, host.requests]).replaceAll(/\\[nt]/g, ' ');
  return text.match(/\p{L}{2,}/gu) ?? [];
}
