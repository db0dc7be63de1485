import assert from 'node:assert/strict';
import { aQuestion, aReply, aReplyView, aView } from '../thread/conversations';
import { useViewTester, type OpenView } from '../harness';

describe('a streaming chat view', () => {
  const tester = useViewTester();

  const open = (...reply: Parameters<typeof aReplyView>) => tester.open(aReplyView(...reply));

  describe('while a reply streams', () => {
    it('shows the question, that it waits, the text as it comes, and the end', async () => {
      const view = await tester.open(aView());
      await view.host.addMessage(aQuestion());
      await view.host.addMessage(aReply({ parts: [], status: 'waiting' }));
      await view.page.getByText('Waiting for the docs service…').waitFor();
      await view.host.setStatus('reply-1', 'streaming');
      await view.host.sendOps([0, { type: 'text', text: 'Uploads are ' }]);
      await view.replyShows(/Uploads are/);
      await view.page.getByText('Replying…').waitFor();
      await view.host.sendOps('**limited**', '.');
      await view.replyShows(/Uploads are limited\./);
      assert.equal(await view.page.locator('.reply strong').innerText(), 'limited');
      await view.host.setStatus('reply-1', 'complete');
      await view.page.getByText('Replying…').waitFor({ state: 'detached' });
    });

    it('draws at most once a frame, however many changes come', async () => {
      const view = await open('', { status: 'streaming' });
      const counts = await view.page.evaluate(
        (from) =>
          new Promise<{ drawn: number; frames: number }>((resolve) => {
            // Where the browser gives no frame for a while, the view draws without one.
            const startTimer = window.setTimeout.bind(window);
            window.setTimeout = ((handler: TimerHandler, delay?: number) =>
              delay === 250 ? 0 : startTimer(handler, delay)) as typeof setTimeout;
            let drawn = 0;
            let frames = 0;
            const observer = new MutationObserver(() => drawn++);
            const parts = document.querySelector('.parts');
            if (parts)
              observer.observe(parts, { subtree: true, childList: true, characterData: true });
            const nextFrame = (): void => {
              frames++;
              // A loaded machine gives many frames before the last of the changes is handled.
              const words = parts?.textContent.split(' ').length ?? 0;
              if (words < 300 && frames < 10_000) requestAnimationFrame(nextFrame);
              else resolve({ drawn, frames });
            };
            requestAnimationFrame(nextFrame);
            for (let seq = 1; seq <= 300; seq++) window.postMessage([from + seq, 'word '], origin);
          }),
        view.host.seq,
      );
      assert.ok(counts.drawn >= 1 && counts.drawn <= counts.frames, JSON.stringify(counts));
      assert.equal((await view.page.locator('.markdown').innerText()).split(' ').length, 300);
    });

    it('shows a turning sign only while no text comes', async () => {
      const view = await open('a', { status: 'streaming' });
      const turning = view.page.locator('.is-quiet .codicon-loading');
      await turning.waitFor();
      await view.stopClock();
      await view.host.sendOps(' b');
      // A timer of the old clock may be left.
      await view.until(async () => {
        await view.page.clock.runFor(500);
        return (await view.page.locator('.markdown').innerText()) === 'a b';
      }, 'the first word');
      for (const word of ['c', 'd', 'e', 'f']) {
        await view.host.sendOps(` ${word}`);
        await view.page.clock.runFor(300);
        await view.replyShows(new RegExp(` ${word}$`, 'm'));
        assert.equal(await turning.count(), 0, `after ${word}`);
      }
      await view.page.clock.runFor(1_000);
      assert.equal(await turning.count(), 1);
    });

    it('draws at once while the page is hidden, where there are no frames', async () => {
      const view = await open('a', { status: 'streaming' });
      await view.page.evaluate(() => {
        Object.defineProperty(document, 'hidden', { value: true });
        window.requestAnimationFrame = () => 0;
      });
      await view.host.sendOps(' and b');
      await view.replyShows(/a and b/);
    });

    it('asks for everything again after a gap, and neither loses nor doubles text', async () => {
      const view = await open('one', { status: 'streaming' });
      await view.host.sendOps(' two');
      const post = view.host.post;
      view.host.post = () => Promise.resolve();
      await view.host.sendOps(' three');
      view.host.post = post;
      await view.host.sendOps(' four');
      await view.replyShows(/one two three four/);
      await view.host.sendOps(' five');
      await view.replyShows(/^one two three four five$/m);
      assert.equal(view.host.requestsFor('view-ready').length, 2);
    });

    it('comes back with the running reply after a reload', async () => {
      const view = await open('before', { status: 'streaming' });
      await view.host.sendOps(' during');
      await view.reload();
      await view.replyShows(/before during/);
      await view.host.sendOps(' after');
      await view.replyShows(/before during after/);
      assert.equal(await view.button('Stop').isVisible(), true);
    });

    it('waits for a host that answers late, and takes what came before', async () => {
      const view = await tester.open(aView(), {
        prepare: (host) => {
          host.answers['view-ready'] = async () => {
            const early = host.snapshot();
            await host.addMessage(aQuestion());
            await host.addMessage(aReply({ parts: [{ type: 'text', text: 'late and whole' }] }));
            return early;
          };
        },
      });
      await view.replyShows(/late and whole/);
      assert.equal(await view.page.locator('.message').count(), 2);
    });

    it('shows a part in the place of one of another kind, before what follows it', async () => {
      const search = { type: 'search', toolCallId: 'c', toolName: 'search' } as const;
      const view = await open(
        [
          { ...search, state: 'running' },
          { type: 'text', text: 'After' },
        ],
        { status: 'streaming' },
      );
      await view.replyShows(/After/);
      await view.host.sendOps([0, { type: 'text', text: 'Before' }]);
      await view.replyShows(/Before/);
      assert.match(await view.page.locator('.parts').innerText(), /^Before\s+After$/);
    });

    it('keeps a selection in text that has been read', async () => {
      const view = await open('First paragraph.\n\nSecond', { status: 'streaming' });
      await view.page.evaluate(() => {
        const words = document.querySelectorAll('.markdown p');
        getSelection()?.setBaseAndExtent(words[0] as Node, 0, words[1]?.firstChild as Node, 6);
      });
      const before = await view.page.evaluate(() => String(getSelection()));
      await view.host.sendOps(' paragraph\n\n- and a list');
      await view.replyShows(/and a list/);
      assert.equal(await view.page.evaluate(() => String(getSelection())), before);
    });

    it('keeps the scroll position of wide code', async () => {
      const view = await open(`\`\`\`\n${'wide '.repeat(200)}\n`, { status: 'streaming' });
      await view.page.locator('.code-text').evaluate((code) => code.scrollTo(500, 0));
      await view.host.sendOps('more\n', '```\n\nafter');
      await view.replyShows(/after/);
      assert.equal(await view.page.locator('.code-text').evaluate((code) => code.scrollLeft), 500);
    });
  });

  describe('scrolling', () => {
    const long = Array.from({ length: 80 }, (_, line) => `Line ${line}\n\n`).join('');
    const top = (view: OpenView) =>
      view.page.locator('.thread-scroller').evaluate((scroller) => scroller.scrollTop);
    const fromEnd = (view: OpenView) =>
      view.page
        .locator('.thread-scroller')
        .evaluate(
          ({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight,
        );

    const atEnd = (view: OpenView) =>
      view.until(async () => (await fromEnd(view)) <= 1, 'the end in view');
    const scrollUp = async (view: OpenView, pixels: number) => {
      await view.turnWheel(view.page.locator('.thread-scroller'), -pixels);
      await view.button('Jump to Latest').waitFor();
    };

    it('follows the end while the reader is there', async () => {
      const view = await open(long, { status: 'streaming' });
      await atEnd(view);
      await view.host.sendOps(long);
      await view.until(async () => (await top(view)) > 2_000, 'a longer page');
      await atEnd(view);
      assert.equal(await view.button('Jump to Latest').isVisible(), false);
    });

    it('stays where the reader is otherwise, and jumps to the latest when asked', async () => {
      const view = await open(long, { status: 'streaming' });
      await scrollUp(view, 600);
      const before = await top(view);
      await view.host.sendOps(long);
      await view.drawn();
      assert.equal(await top(view), before);
      await view.button('Jump to Latest').click();
      await atEnd(view);
      await view.host.sendOps(long);
      await view.drawn();
      await atEnd(view);
      assert.equal(await view.button('Jump to Latest').isVisible(), false);
    });

    /** Text that never ends, a piece for each frame. */
    const streamOn = async (view: OpenView, isOver: () => boolean) => {
      while (!isOver()) {
        await view.host.sendOps(`More text ${'and more '.repeat(12)}\n\n`);
        await view.drawn();
      }
    };
    const upwards: [string, (view: OpenView) => Promise<void>][] = [
      ['one small turn of the wheel', (view) => view.page.mouse.wheel(0, -6)],
      [
        'an arrow key',
        async (view) => {
          await view.page.locator('.message').last().focus();
          await view.page.keyboard.press('ArrowUp');
        },
      ],
      [
        'a finger',
        async (view) => {
          const session = await view.page.context().newCDPSession(view.page);
          const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...y: number[]) =>
            session.send('Input.dispatchTouchEvent', {
              type,
              touchPoints: y.map((at) => ({ x: 200, y: at })),
            });
          await touch('touchStart', 300);
          for (const y of [320, 340]) await touch('touchMove', y);
          await touch('touchEnd');
          await session.detach();
        },
      ],
      [
        'the scrollbar',
        (view) =>
          view.page.locator('.thread-scroller').evaluate((found) => {
            found.scrollTop -= 8;
          }),
      ],
    ];
    for (const [name, moveUp] of upwards) {
      it(`stops following at once by ${name}, while text streams, and resumes at the end`, async () => {
        // With rests as in VS Code: a frame must not move the view before the reader's scrolling counts.
        const view = await tester.open(aReplyView(long, { status: 'streaming' }), {
          hasRests: true,
        });
        await view.page.locator('.thread-scroller').hover();
        // The view can be there before it has scrolled to the end, and nothing moves up from the top.
        await view.until(async () => (await top(view)) > 0, 'the end of the reply');
        let isOver = false;
        const streaming = streamOn(view, () => isOver);
        await moveUp(view);
        await view.button('Jump to Latest').waitFor();
        let before = -1;
        await view.until(async () => {
          const last = before;
          before = await top(view);
          return before === last;
        }, 'the end of the scroll');
        await view.drawn();
        await view.drawn();
        assert.ok(Math.abs((await top(view)) - before) <= 1, 'what is read stays');
        // Where frames take long, the text can move the end on before the view hears of a scroll.
        await view.until(async () => {
          await view.page.mouse.wheel(0, 100_000);
          return !(await view.button('Jump to Latest').isVisible());
        }, 'the end to be followed');
        isOver = true;
        await streaming;
        await atEnd(view);
      });
    }

    it('stops following once a finger moves down, before the browser has scrolled', async () => {
      const view = await open(long, { status: 'streaming' });
      await atEnd(view);
      const before = await top(view);
      await view.page.locator('.thread-scroller').evaluate((target) => {
        for (const [type, clientY] of [
          ['touchstart', 300],
          ['touchmove', 310],
        ] as const) {
          const touches = [new Touch({ identifier: 1, target, clientY })];
          target.dispatchEvent(new TouchEvent(type, { touches }));
        }
      });
      await view.host.sendOps('One more paragraph.\n\nAnd another one.\n\n');
      await view.replyShows(/And another one/);
      assert.equal(await top(view), before, 'the text moves nothing under the finger');
    });

    it('follows again after a scroll to where the end was before the last text came', async () => {
      const view = await open(long, { status: 'streaming' });
      await scrollUp(view, 600);
      await view.until(async () => {
        const scroller = await view.page.locator('.thread-scroller').elementHandle();
        assert.ok(scroller);
        const end = await scroller.evaluate((found) => found.scrollHeight - found.clientHeight);
        await view.host.sendOps('One more paragraph.\n\nAnd another one.\n\n');
        await view.drawn();
        await scroller.evaluate((found, earlierEnd) => {
          found.dispatchEvent(new WheelEvent('wheel', { deltaY: 100 }));
          found.scrollTop = earlierEnd;
        }, end);
        await view.drawn();
        return !(await view.button('Jump to Latest').isVisible());
      }, 'the end to be followed');
      await view.host.sendOps('The last paragraph.\n\n');
      await view.drawn();
      await atEnd(view);
    });

    it('comes back to where the reader was after a reload', async () => {
      const view = await open(long);
      await scrollUp(view, 700);
      const before = await top(view);
      await view.stateHolds('"isFollowing":false');
      await view.reload();
      await view.until(async () => Math.abs((await top(view)) - before) <= 2, 'the same place');
    });

    /** Pixels from the view's upper edge to the last question. */
    const questionTop = (view: OpenView) =>
      view.page
        .locator('.question')
        .last()
        .evaluate((found) => {
          const top = found.closest('.thread-scroller')?.getBoundingClientRect().top ?? NaN;
          return Math.round(found.getBoundingClientRect().top - top);
        });
    const margin = 12;

    /** A thread in which a second question was asked from far above, and whose reply begins. */
    const ask = async (settings: Parameters<typeof tester.open>[1] = {}) => {
      const view = await tester.open(aReplyView(long), settings);
      await scrollUp(view, 700);
      await view.composer.fill('Next');
      await view.composer.press('Enter');
      await view.host.addMessage(aQuestion({ id: 'q2', text: 'Next' }));
      await view.until(async () => (await questionTop(view)) === margin, 'the question at the top');
      await view.host.addMessage(
        aReply({ id: 'r2', status: 'streaming', parts: [{ type: 'text', text: '' }] }),
      );
      return view;
    };

    for (const settings of [{}, { reducedMotion: true }, { width: 200, height: 400 }]) {
      const name = JSON.stringify(settings);
      it(`keeps a new question at the top while its reply grows below it ${name}`, async () => {
        const view = await ask(settings);
        // Some lines more than fit.
        for (let line = 0; line < 36; line++) {
          await view.host.sendOps(`Line ${line} of the next reply\n\n`);
          await view.drawn();
          assert.equal(await questionTop(view), margin, `after line ${line}`);
        }
        await view.button('Jump to Latest').waitFor();
        await view.host.setStatus('r2', 'complete');
        await view.drawn();
        assert.equal(await questionTop(view), margin);
      });
    }

    it('offers no way to the latest message while all of a short reply is in view', async () => {
      const view = await ask();
      await view.host.sendOps('Short.');
      await view.host.setStatus('r2', 'complete');
      await view.replyShows(/Short/);
      assert.equal(await view.button('Jump to Latest').isVisible(), false);
      await view.page.mouse.wheel(0, 5_000);
      await view.drawn();
      assert.equal(await questionTop(view), margin, 'there is nothing below the room');
      await view.page.setViewportSize({ width: 300, height: 600 });
      await view.until(async () => (await questionTop(view)) === margin, 'the same question');
    });

    it('follows the end once the reader scrolls there, below a question at the top', async () => {
      const view = await ask();
      await view.host.sendOps(long);
      await view.button('Jump to Latest').waitFor();
      await view.page.mouse.wheel(0, 100_000);
      await view.button('Jump to Latest').waitFor({ state: 'hidden' });
      await view.host.sendOps(long);
      await atEnd(view);
    });

    it('has the question at the top again after a reload, with the room below it', async () => {
      const view = await ask();
      await view.host.sendOps('Short.');
      await view.host.setStatus('r2', 'complete');
      await view.replyShows(/Short/);
      await view.stateHolds('"askedId":"q2"');
      await view.reload();
      await view.until(async () => (await questionTop(view)) === margin, 'the question at the top');
    });

    it('leaves no room below an earlier question when the last one goes', async () => {
      const view = await open('Short.');
      await view.host.addMessage(aQuestion({ id: 'q2', text: 'Next' }));
      await view.until(async () => (await questionTop(view)) === margin, 'the question at the top');
      await view.host.addMessage(aReply({ id: 'r2', branch: { index: 0, count: 2 } }));
      await view.host.addMessage(aQuestion({ id: 'q3', text: 'Last' }));
      await view.page.getByText('Last').waitFor();
      await view.until(async () => (await questionTop(view)) === margin, 'the question at the top');
      const other = aReply({ id: 'r3', branch: { index: 1, count: 2 } });
      const messages = [...view.host.view.thread.messages.slice(0, 3), other];
      await view.host.emit('thread-shown', { thread: { ...view.host.view.thread, messages } });
      await view.page.getByText('2 / 2').waitFor();
      const room = await view.page
        .locator('.thread-scroller')
        .evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
      assert.equal(room, 0);
    });

    it('moves the question of a reply to the top when the reply is asked for again', async () => {
      const view = await open(long);
      await view.button('Regenerate').click();
      const messages = [
        aQuestion(),
        aReply({ id: 'r2', parts: [], status: 'waiting', branch: { index: 1, count: 2 } }),
      ];
      await view.host.emit('thread-shown', { thread: { ...view.host.view.thread, messages } });
      await view.until(async () => (await questionTop(view)) === margin, 'the question at the top');
    });
  });
});
