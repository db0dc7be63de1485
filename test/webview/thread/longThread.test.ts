import assert from 'node:assert/strict';
import type { MessageView } from '../../../src/shared/uiMessage';
import { aQuestion, aReply, aSource, aView } from './conversations';
import { useViewTester, type OpenView } from '../harness';

const COUNT = 2_000;
/** Messages that may exist at once: those in and around the view, and the few that are kept. */
const MOST_BUILT = 60;

/** Replies of very different heights, so that what is estimated is often wrong. */
const replyText = (number: number): string => {
  const pieces = [`Reply ${number}.`];
  for (let index = 0; index < (number * 7) % 11; index++) {
    pieces.push(`Paragraph ${index} of reply ${number}: ${'some words of prose '.repeat(12)}`);
  }
  if (number % 5 === 0)
    pieces.push(`\`\`\`ts\n${'const upload = start();\n'.repeat(number % 40)}\`\`\``);
  if (number % 9 === 0) pieces.push('| A | B |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |');
  return pieces.join('\n\n');
};

const manyMessages = (count = COUNT): MessageView[] =>
  Array.from({ length: count }, (_, index) =>
    index % 2 === 0
      ? aQuestion({ id: `m${index}`, text: `Question ${index}?` })
      : aReply({
          id: `m${index}`,
          parts: [
            ...(index % 3 === 0 ? [aSource(1), aSource(2)] : []),
            { type: 'text', text: replyText(index) },
          ],
        }),
  );

describe('a conversation of 2,000 messages', () => {
  const tester = useViewTester();

  const open = (messages = manyMessages(), state?: unknown) =>
    tester.open(aView({ messages }), { state });
  const scroller = (view: OpenView) => view.page.locator('.thread-scroller');
  const builtCount = (view: OpenView) => view.page.locator('.message').count();
  const scrollTo = (view: OpenView, share: number) =>
    scroller(view).evaluate((found, part) => {
      found.scrollTop = found.scrollHeight * part;
    }, share);

  /** Messages of which something is in view, with the place of each in it. */
  const inView = (view: OpenView) =>
    scroller(view).evaluate((found) => {
      const view = found.getBoundingClientRect();
      return [...found.querySelectorAll<HTMLElement>('.message')].flatMap((message) => {
        const { top, bottom } = message.getBoundingClientRect();
        const id = message.dataset['messageId'] ?? '';
        return bottom > view.top && top < view.bottom ? [{ id, top: top - view.top }] : [];
      });
    });

  /** Pixels of the view in which there is neither a message nor a gap between two. */
  const blankPixels = (view: OpenView) =>
    scroller(view).evaluate((found) => {
      const view = found.getBoundingClientRect();
      return [...found.querySelectorAll('.unbuilt-messages')].reduce((sum, spacer) => {
        const { top, bottom } = spacer.getBoundingClientRect();
        return sum + Math.max(0, Math.min(bottom, view.bottom) - Math.max(top, view.top));
      }, 0);
    });

  /** Waits until a frame no longer changes where the messages in view are. */
  const settled = async (view: OpenView) => {
    let before = '';
    await view.until(async () => {
      await view.drawn();
      const now = JSON.stringify([await inView(view), await builtCount(view)]);
      const isSame = now === before;
      before = now;
      return isSame;
    }, 'a view at rest');
  };

  /** Goes through the conversation in steps, from its beginning to its end. */
  const scrollThrough = async (view: OpenView) => {
    for (let step = 0; step <= 25; step++) {
      await scrollTo(view, step / 25);
      await view.drawn();
    }
    await settled(view);
  };

  it('opens at its end, with a few dozen messages built', async () => {
    const view = await open();
    await settled(view);
    assert.ok((await builtCount(view)) <= MOST_BUILT);
    assert.equal((await inView(view)).at(-1)?.id, `m${COUNT - 1}`);
    assert.equal(await blankPixels(view), 0);
  });

  it('shows the right messages at the top and in the middle, wherever it is scrolled to', async () => {
    const view = await open();
    await scrollTo(view, 0);
    await view.drawn();
    assert.equal((await inView(view))[0]?.id, 'm0');
    for (const share of [0.5, 0.25, 0.9, 0.1]) {
      await scrollTo(view, share);
      await view.drawn();
      assert.equal(await blankPixels(view), 0);
      const shown = await inView(view);
      const numbers = shown.map(({ id }) => Number(id.slice(1)));
      assert.deepEqual(
        numbers,
        numbers.map((_, index) => (numbers[0] ?? 0) + index),
        'one after another',
      );
      assert.ok(Math.abs((numbers[0] ?? 0) / COUNT - share) < 0.1, `${numbers[0]} at ${share}`);
      assert.ok((await builtCount(view)) <= MOST_BUILT);
    }
  });

  it('keeps the document small on a way through the whole', async () => {
    const view = await open();
    for (let step = 0; step <= 25; step++) {
      await scrollTo(view, step / 25);
      await view.drawn();
      assert.ok((await builtCount(view)) <= MOST_BUILT);
    }
    await settled(view);
    assert.ok((await view.page.locator('.messages > *').count()) <= MOST_BUILT * 2);
  });

  it('removes replies with task lists from the document, too', async () => {
    const messages = manyMessages(400).map((message) =>
      message.role === 'user'
        ? message
        : { ...message, parts: [{ type: 'text' as const, text: '- [x] Upload\n- [ ] Complete' }] },
    );
    const view = await open(messages);
    await scrollThrough(view);
    assert.ok((await builtCount(view)) <= MOST_BUILT);
  });

  it('leaves open what a reader has unfolded, however far it is scrolled away', async () => {
    const messages = manyMessages();
    messages[1] = aReply({
      id: 'm1',
      parts: [
        { type: 'reasoning', text: 'The body limit matters.' },
        { type: 'text', text: 'Send it in parts.' },
      ],
    });
    const view = await open(messages);
    await scrollTo(view, 0);
    await view.drawn();
    await view.page.locator('.reasoning summary').click();
    // The focus would keep the message by itself.
    await view.page.locator('.composer textarea').focus();
    await scrollThrough(view);
    await scrollTo(view, 0);
    await settled(view);
    assert.ok(await view.page.getByText('The body limit matters.').isVisible());
  });

  /** Scrolls up through what was never laid out, step by step, and looks at each. */
  const scrollUpSteadily = async (view: OpenView) => {
    await scrollTo(view, 0.5);
    await settled(view);
    for (let step = 0; step < 16; step++) {
      const before = await inView(view);
      await view.turnWheel(scroller(view), -240);
      const after = await inView(view);
      const moves = after.flatMap(({ id, top }) => {
        const old = before.find((message) => message.id === id);
        return old ? [top - old.top] : [];
      });
      for (const move of moves) {
        assert.ok(Math.abs(move - 240) <= 2, `step ${step}: moved by ${moves.join(', ')}`);
      }
    }
  };

  it('keeps the read text in place while heights above change', async () => {
    await scrollUpSteadily(await open());
  });

  it('does so too where the browser has no scroll anchoring', async () => {
    const view = await open();
    await view.page.addInitScript(() => {
      const { supports } = CSS;
      CSS.supports = (...asked: string[]) =>
        asked[0] !== 'overflow-anchor' && supports(...(asked as [string, string]));
    });
    await view.reload();
    const anchoring = await scroller(view).evaluate(
      (found) => getComputedStyle(found).overflowAnchor,
    );
    assert.equal(anchoring, 'none');
    await scrollUpSteadily(view);
  });

  it('does not move the text in the middle while a reply streams at the end', async () => {
    const messages = manyMessages();
    messages.push(
      aReply({ id: 'running', status: 'streaming', parts: [{ type: 'text', text: '' }] }),
    );
    const view = await open(messages);
    await scrollTo(view, 0.5);
    await settled(view);
    const before = await inView(view);
    for (let step = 0; step < 20; step++) {
      await view.host.sendOps(`Paragraph ${step}: ${'streamed words '.repeat(20)}\n\n`);
    }
    await view.drawn();
    assert.deepEqual(await inView(view), before);
    await view.button('Jump to Latest').click();
    await view.page.locator('.reply').getByText('Paragraph 19').waitFor();
    assert.equal((await inView(view)).at(-1)?.id, 'running');
  });

  it('does not move the read text when an old message goes or the panel’s width changes', async () => {
    const view = await open();
    await scrollTo(view, 0.5);
    await settled(view);
    const before = await inView(view);
    const read = before[1] ?? assert.fail('two messages in view');
    const place = async () => (await inView(view)).find(({ id }) => id === read.id)?.top;
    const { thread } = view.host.view;
    await view.host.emit('thread-shown', {
      thread: { ...thread, messages: thread.messages.slice(10) },
    });
    await settled(view);
    assert.ok(Math.abs(((await place()) ?? NaN) - read.top) <= 1);
    const [first] = await inView(view);
    await view.page.setViewportSize({ width: 320, height: 720 });
    await settled(view);
    const now = await inView(view);
    assert.ok(
      now.some(({ id }) => id === first?.id || id === read.id),
      JSON.stringify(now),
    );
    assert.equal(await blankPixels(view), 0);
  });

  it('keeps the read text where it is when the panel’s width changes after a jump', async () => {
    const view = await open();
    await scrollTo(view, 0.5);
    await settled(view);
    const [before] = await inView(view);
    for (const width of [360, 300]) {
      await view.page.setViewportSize({ width, height: 720 });
      await settled(view);
      const [now] = await inView(view);
      assert.equal(now?.id, before?.id);
      assert.ok(Math.abs((now?.top ?? NaN) - (before?.top ?? NaN)) <= 2, JSON.stringify(now));
    }
  });

  it('comes back to the same message after a reload', async () => {
    const view = await open();
    await scrollTo(view, 0.37);
    await settled(view);
    const before = await inView(view);
    await view.stateHolds(`"${before[0]?.id}"`);
    await view.reload();
    await settled(view);
    const after = await inView(view);
    assert.equal(after[0]?.id, before[0]?.id);
    assert.ok(Math.abs((after[0]?.top ?? 0) - (before[0]?.top ?? 0)) <= 1);
  });

  it('comes back to where the reader scrolled just before the view went', async () => {
    const view = await open();
    // The browser tells the page of a scroll in its next frame. The view goes before that.
    await scroller(view).evaluate((found) => {
      found.scrollTop = found.scrollHeight * 0.37;
      window.dispatchEvent(new Event('pagehide'));
    });
    const { state } = view;
    await settled(view);
    const before = await inView(view);
    const again = await open(manyMessages(), state);
    await settled(again);
    const after = await inView(again);
    assert.equal(after[0]?.id, before[0]?.id);
    assert.ok(Math.abs((after[0]?.top ?? 0) - (before[0]?.top ?? 0)) <= 1);
  });

  it('goes to the first and the last message by Home and End, and on from there by Tab', async () => {
    const view = await open();
    const focused = () =>
      view.page.evaluate(
        () => document.activeElement?.closest<HTMLElement>('.message')?.dataset['messageId'],
      );
    await view.page.locator('.message').last().focus();
    await view.page.keyboard.press('Home');
    assert.equal(await focused(), 'm0');
    await view.page.keyboard.press('Tab');
    assert.equal(await focused(), 'm1');
    await scrollTo(view, 0.7);
    await settled(view);
    assert.equal(await focused(), 'm1', 'what has the focus stays, far as it is');
    await view.page.keyboard.press('Tab');
    assert.equal(await focused(), 'm2');
    assert.ok((await inView(view)).some(({ id }) => id === 'm2'));
    await view.page.keyboard.press('End');
    assert.equal(await focused(), `m${COUNT - 1}`);
    const message = view.page.locator(`[data-message-id="m${COUNT - 1}"]`);
    assert.equal(await message.getAttribute('aria-posinset'), String(COUNT));
    assert.equal(await message.getAttribute('aria-setsize'), String(COUNT));
  });
});
