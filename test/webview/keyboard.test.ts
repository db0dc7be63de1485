import assert from 'node:assert/strict';
import { aQuestion, aReply, aSite, aView } from './thread/conversations';
import { useViewTester, type OpenView } from './harness';

describe('the chat view by keyboard', () => {
  const tester = useViewTester();

  const short = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      index % 2 === 0 ? aQuestion({ id: `m${index}` }) : aReply({ id: `m${index}` }),
    );
  const open = (messages = short(4)) => tester.open(aView({ messages }));

  /** The message with the focus, and what in it has it. */
  const focus = (view: OpenView) =>
    view.page.evaluate(() => {
      const found = document.activeElement;
      const message = found?.closest<HTMLElement>('.message')?.dataset['messageId'];
      if (found instanceof HTMLTextAreaElement || found?.localName === 'vscode-text-area') {
        return 'question box';
      }
      const name = found?.getAttribute('aria-label') ?? found?.textContent ?? '';
      if (message === undefined) return name;
      return found?.matches('.message') === true ? message : `${message}: ${name}`;
    });
  const press = async (view: OpenView, ...keys: string[]) => {
    const stops: string[] = [];
    for (const key of keys) {
      await view.page.keyboard.press(key);
      stops.push(await focus(view));
    }
    return stops;
  };
  const isInView = (view: OpenView, id: string) =>
    view.page.locator(`[data-message-id="${id}"]`).evaluate((message) => {
      const view = message.closest('.thread-scroller')?.getBoundingClientRect();
      const { top, bottom } = message.getBoundingClientRect();
      return view !== undefined && bottom > view.top + 1 && top < view.bottom - 1;
    });

  it('goes from message to message by Tab and back, past their controls, and out at both ends', async () => {
    const view = await open();
    await view.page.evaluate(() => document.body.focus());
    assert.deepEqual(await press(view, ...Array<string>(7).fill('Tab')), [
      'Switch Site… acme · docs.acme.example',
      'Filter Docs…',
      'm0',
      'm1',
      'm2',
      'm3',
      'question box',
    ]);
    assert.deepEqual(await press(view, ...Array<string>(4).fill('Shift+Tab')), [
      'm3',
      'm2',
      'm1',
      'm0',
    ]);
  });

  it('comes in at a message that is in view', async () => {
    const view = await open(short(60));
    await view.page.locator('.thread-scroller').evaluate((found) => found.scrollTo(0, 1_500));
    await view.drawn();
    await view.page.evaluate(() => document.body.focus());
    const [, , fromAbove = ''] = await press(view, 'Tab', 'Tab', 'Tab');
    assert.ok(await isInView(view, fromAbove), fromAbove);
    assert.notEqual(fromAbove, 'm0');
    await view.composer.focus();
    const [fromBelow = ''] = await press(view, 'Shift+Tab');
    // The way to the latest message stands between.
    assert.equal(fromBelow, 'Jump to Latest');
    const [last = ''] = await press(view, 'Shift+Tab');
    assert.ok(await isInView(view, last), last);
    assert.ok(Number(last.slice(1)) > Number(fromAbove.slice(1)));
  });

  it('goes by arrows, Page keys, Home and End, and brings each message into view', async () => {
    const view = await open(short(40));
    await view.page.locator('.message').last().focus();
    assert.deepEqual(await press(view, 'ArrowUp', 'PageUp', 'ArrowDown', 'Home', 'ArrowUp'), [
      'm38',
      'm37',
      'm38',
      'm0',
      'm0',
    ]);
    assert.ok(await isInView(view, 'm0'));
    assert.deepEqual(await press(view, 'ArrowDown', 'PageDown', 'End', 'ArrowDown'), [
      'm1',
      'm2',
      'm39',
      'm39',
    ]);
    assert.ok(await isInView(view, 'm39'));
    assert.equal(await view.button('Jump to Latest').isVisible(), false);
  });

  it('reads on within a message that is higher than the view, before it goes to the next', async () => {
    const text = Array.from({ length: 60 }, (_, line) => `Line ${line}`).join('\n\n');
    const messages = [
      aQuestion({ id: 'm0' }),
      aReply({ id: 'm1', parts: [{ type: 'text', text }] }),
      aQuestion({ id: 'm2' }),
    ];
    const view = await open(messages);
    await view.page.locator('.message').first().focus();
    await press(view, 'Home', 'ArrowDown');
    const top = () => view.page.locator('.thread-scroller').evaluate((found) => found.scrollTop);
    const start = await top();
    assert.deepEqual(await press(view, 'ArrowDown', 'PageDown'), ['m1', 'm1']);
    assert.ok((await top()) > start + 300);
    let presses = 0;
    while ((await focus(view)) === 'm1' && presses++ < 20) await press(view, 'PageDown');
    assert.equal(await focus(view), 'm2');
    assert.ok(presses > 1);
    assert.deepEqual(await press(view, 'ArrowUp', 'ArrowUp'), ['m1', 'm1']);
  });

  it('goes into a message by Enter or F2, through its controls by Tab, and out by Escape', async () => {
    const text = '[One](https://one.example/) and [two](https://two.example/).\n\n```\ncode\n```';
    const messages = [
      aQuestion({ id: 'm0' }),
      aReply({ id: 'm1', parts: [{ type: 'text', text }] }),
    ];
    const view = await open(messages);
    await view.page.locator('.message').last().focus();
    assert.deepEqual(await press(view, 'Enter', 'Tab', 'Tab'), ['m1: One', 'm1: two', 'm1: Copy']);
    assert.deepEqual(await press(view, 'Escape', 'F2', 'Shift+Tab', 'Escape'), [
      'm1',
      'm1: One',
      'm1',
      'question box',
    ]);
  });

  it('shows where the focus is', async () => {
    const view = await open();
    await view.page.evaluate(() => document.body.focus());
    await press(view, 'Tab', 'Tab', 'Tab');
    const outline = await view.page
      .locator('.message:focus')
      .evaluate((message) => getComputedStyle(message).outlineStyle);
    assert.equal(outline, 'solid');
  });

  it('keeps the focus in the conversation when the message that has it goes', async () => {
    const view = await open(short(6));
    await view.page.locator('[data-message-id="m3"]').focus();
    const { thread } = view.host.view;
    await view.host.emit('thread-shown', {
      thread: { ...thread, messages: thread.messages.filter(({ id }) => id !== 'm3') },
    });
    await view.until(async () => (await focus(view)) === 'm4', 'the next one');
  });

  it('keeps the focus in the question box while a question is sent and its reply stopped', async () => {
    const view = await open();
    await view.composer.fill('Next');
    assert.deepEqual(await press(view, 'Enter'), ['question box']);
    await view.host.addMessage(aQuestion({ id: 'q', text: 'Next' }));
    await view.host.addMessage(aReply({ id: 'running', status: 'streaming' }));
    await view.button('Stop').click();
    await view.host.setStatus('running', 'stopped');
    await view.drawn();
    assert.equal(await focus(view), 'question box');
  });

  it('leads the focus from a suggestion to the question box, where the next question is written', async () => {
    const view = await tester.open(aView());
    await view.button('Show me pagination in Python').focus();
    assert.deepEqual(await press(view, 'Enter'), ['question box']);
    await view.host.addMessage(aQuestion({ id: 'q' }));
    await view.page.locator('.question').waitFor();
    assert.equal(await focus(view), 'question box');
  });

  it('keeps the focus where an empty thread offers the same again, and leads it to the question box elsewhere', async () => {
    const packages = (count: number) => aSite({ isConfigured: false, label: '', packages: count });
    const view = await tester.open(aView({ site: packages(12), suggestions: [] }));
    await view.button('Choose Docs…').focus();
    await view.host.emit('site-changed', { site: packages(14), suggestions: [] });
    await view.page.getByText('has installed (14)').waitFor();
    assert.equal(await focus(view), 'Choose Docs…');
    await view.host.emit('site-changed', { site: aSite(), suggestions: ['How?', 'Why?'] });
    await view.button('Why?').waitFor();
    assert.equal(await focus(view), 'question box');
    await view.button('Why?').focus();
    await view.host.emit('suggestions-changed', { suggestions: ['Why?', 'When?'] });
    await view.button('When?').waitFor();
    assert.equal(await focus(view), 'Why?');
  });

  it('leads the focus to the question box when a queued question goes from below it', async () => {
    const messages = [aQuestion(), aReply({ status: 'streaming' })];
    const view = await tester.open(aView({ messages, queued: { text: 'And?', isWaiting: true } }));
    await view.button('Edit Next Question').focus();
    await view.host.setStatus('reply-1', 'complete');
    await view.host.emit('context-items', { items: [] });
    await view.button('Edit Next Question').waitFor({ state: 'hidden' });
    assert.equal(await focus(view), 'question box');
  });

  it('leads the focus to the question box when another thread takes the place of its message', async () => {
    const view = await open();
    await view.page.locator('[data-message-id="m3"]').focus();
    const messages = [aQuestion({ id: 'other' }), aReply({ id: 'reply', status: 'streaming' })];
    await view.host.emit('thread-shown', { thread: { id: 'thread-2', title: '', messages } });
    await view.until(async () => (await focus(view)) === 'question box', 'the question box');
  });

  it('leads the focus from Jump to Latest to the latest message', async () => {
    const view = await open(short(60));
    await view.page.locator('.message').last().focus();
    await press(view, 'Home');
    await view.button('Jump to Latest').focus();
    assert.deepEqual(await press(view, 'Enter'), ['m59']);
    assert.ok(await isInView(view, 'm59'));
  });

  describe('the list of shortcuts', () => {
    const dialog = (view: OpenView) =>
      view.page.getByRole('dialog', { name: 'Keyboard Shortcuts' });

    it('opens by ? outside text boxes, by Ctrl+/ anywhere, and by the host', async () => {
      const view = await open();
      await view.composer.focus();
      await view.page.keyboard.type('?');
      assert.equal(await view.composer.inputValue(), '?');
      assert.equal(await dialog(view).count(), 0);
      const ways: (() => Promise<unknown>)[] = [
        () => view.page.keyboard.press('Control+/'),
        async () => {
          await view.page.locator('.message').last().focus();
          await view.page.keyboard.press('?');
        },
        () => view.host.emit('overlay-show', { overlay: 'shortcuts' }),
      ];
      for (const way of ways) {
        await way();
        await dialog(view).waitFor();
        assert.match(await dialog(view).innerText(), /Next or previous message/);
        await view.page.keyboard.press('Escape');
        await dialog(view).waitFor({ state: 'detached' });
      }
    });

    it('stays when text is selected up to beside it, and goes by a click there', async () => {
      const view = await open();
      await view.page.locator('.message').first().focus();
      await view.page.keyboard.press('?');
      await view.page.getByRole('heading', { name: 'Keyboard Shortcuts' }).hover();
      await view.page.mouse.down();
      await view.page.mouse.move(2, 2);
      await view.page.mouse.up();
      await view.drawn();
      assert.ok(await dialog(view).isVisible());
      await view.page.mouse.click(2, 2);
      await dialog(view).waitFor({ state: 'detached' });
    });

    it('keeps the focus within, and gives it back to where it was', async () => {
      const view = await open();
      await view.page.locator('.message').first().focus();
      await view.page.keyboard.press('?');
      await dialog(view).waitFor();
      for (let step = 0; step < 6; step++) {
        await view.page.keyboard.press(step % 2 === 0 ? 'Tab' : 'Shift+Tab');
        // Where a page ends, Tab goes to the browser's own controls, where there are any.
        const isWithin = await view.page.evaluate(
          () =>
            document.activeElement === document.body ||
            document.activeElement?.closest('dialog') !== null,
        );
        assert.ok(isWithin, `step ${step}`);
      }
      await view.button('Close').click();
      await dialog(view).waitFor({ state: 'detached' });
      assert.equal(await focus(view), 'm0');
    });
  });
});
