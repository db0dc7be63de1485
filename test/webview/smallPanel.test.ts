import assert from 'node:assert/strict';
import { offersMentions, someFiles } from './composer/composerStates';
import { aContextItem, aQuestion, aReply, aReplyView, aView } from './thread/conversations';
import { viewStrings } from '../../src/shared/viewStrings';
import { useViewTester, type OpenView } from './harness';

/** A panel of 420 × 720 pixels at 200 % zoom. */
const zoomed = { width: 210, height: 360, reducedMotion: true };

const boxOf = async (view: OpenView, selector: string) => {
  const box = await view.page.locator(selector).first().boundingBox();
  return box ?? assert.fail(`${selector} has no box`);
};

describe('the room of a small panel', () => {
  const tester = useViewTester();

  /** All that can go along with a question, and a long draft. */
  const openCrowded = async (): Promise<OpenView> => {
    const numbers = [1, 2, 3, 4];
    const view = await tester.open(
      aView({
        messages: [aQuestion(), aReply()],
        files: someFiles,
        page: '/guides/uploads',
        contextItems: numbers.map((number) => aContextItem({ id: `item-${number}` })),
      }),
      { ...zoomed, prepare: offersMentions },
    );
    await view.composer.fill('A line of the draft.\n'.repeat(30));
    await view.drawn();
    return view;
  };

  it('begins an empty thread with its title, and offers no way to a latest message', async () => {
    const view = await tester.open(aView(), zoomed);
    const scroller = view.page.locator('.thread-scroller');
    const top = () => scroller.evaluate(({ scrollTop }) => Math.round(scrollTop));
    const jump = view.button('Jump to Latest');
    await view.drawn();
    assert.equal(await top(), 0);

    await scroller.evaluate((found) => found.scrollTo(0, found.scrollHeight));
    await view.drawn();
    const end = await top();
    assert.ok(end > 60, 'the thread is longer than the panel');
    await scroller.evaluate((found) => found.scrollBy(0, -40));
    await view.drawn();
    assert.equal(await jump.isVisible(), false);

    await view.composer.fill('One\nTwo\nThree');
    await view.drawn();
    assert.equal(await top(), end - 40, 'a draft that grows moves nothing');
  });

  it('begins the first reply at its question, though the empty thread was scrolled', async () => {
    const view = await tester.open(aView(), zoomed);
    const scroller = view.page.locator('.thread-scroller');
    await view.turnWheel(scroller, 80);
    await view.turnWheel(scroller, -40);
    await view.host.addMessage(aQuestion());
    await view.host.addMessage(
      aReply({ parts: [{ type: 'text', text: 'A line.\n\n'.repeat(40) }] }),
    );
    await view.replyShows(/A line/);
    await view.until(
      () =>
        scroller.evaluate(
          ({ scrollTop, scrollHeight, clientHeight }) =>
            scrollHeight > clientHeight && scrollTop <= 1,
        ),
      'the question',
    );
  });

  it('keeps the composer’s buttons and some of the thread in sight, however much is attached', async () => {
    const view = await openCrowded();
    assert.equal((await boxOf(view, '.site-header')).y, 0);
    const composer = await boxOf(view, '.composer');
    const send = await boxOf(view, '.send');
    assert.ok(composer.y + composer.height <= 360.5, 'the composer ends within the panel');
    assert.ok(send.y + send.height < composer.y + composer.height);
    assert.ok((await boxOf(view, '.thread-scroller')).height >= 40);
    for (const part of ['.attachments', '.context-items:not(.attachments)', 'vscode-text-area']) {
      const { height } = await boxOf(view, `.composer ${part}`);
      assert.ok(height >= 28, `${part} has ${height} px`);
    }
  });

  it('keeps all buttons of the composer within its box, however narrow the panel is', async () => {
    for (const width of [105, 85]) {
      const view = await tester.open(aView(), { width });
      const box = await boxOf(view, '.composer-box');
      for (const button of await view.page.locator('.composer-tools vscode-button').all()) {
        const { x, y, ...size } = (await button.boundingBox()) ?? assert.fail('no box');
        const isWithin = x >= box.x && x + size.width <= box.x + box.width;
        assert.ok(isWithin, `at ${width} px, a button ends at ${x + size.width}`);
        assert.ok(y + size.height <= box.y + box.height);
      }
    }
  });

  it('shows all buttons of code in nested lists, however narrow the panel is', async () => {
    const code = ['- - - ```ts', '      const a = 1;', '      ```'].join('\n');
    const view = await tester.open(aReplyView(code), { width: 170, height: 600 });
    const block = await boxOf(view, '.code-block');
    for (const button of await view.page.locator('.code-actions button').all()) {
      const { x, width } = (await button.boundingBox()) ?? assert.fail('no box');
      assert.ok(x >= block.x && x + width <= block.x + block.width, 'a button is cut off');
    }
  });

  it('shows all of the find bar and of the list of shortcuts in a language of long words', async () => {
    const view = await tester.open(aReplyView('Text.'), {
      width: 170,
      prepare: (host) => {
        host.strings = {
          ...viewStrings,
          findNone: 'Keine Ergebnisse',
          shortcuts: 'Tastenkombinationen',
        };
      },
    });
    const assertWithin = async (parts: string, around: string): Promise<void> => {
      const box = await boxOf(view, around);
      for (const part of await view.page.locator(parts).all()) {
        const { x, width } = (await part.boundingBox()) ?? assert.fail('no box');
        const isWithin = x >= box.x && x + width <= box.x + box.width;
        assert.ok(isWithin, `${parts} at ${x} to ${x + width}`);
      }
    };
    await view.page.keyboard.press('Control+f');
    await view.page.getByRole('textbox', { name: 'Find in Thread' }).fill('zzz');
    await view.page.getByText('Keine Ergebnisse').first().waitFor();
    await assertWithin('.find-tools > *', '.find-bar');

    await view.page.keyboard.press('Control+/');
    await view.page.getByRole('dialog').waitFor();
    await assertWithin('.shortcuts-title, .shortcuts-row > *', '.shortcuts');
  });

  it('shows the line of a long draft that is written in little room', async () => {
    const view = await openCrowded();
    await view.page.keyboard.press('Control+End');
    const { hiddenBelow, overlap } = await view.composer.evaluate((control) => ({
      hiddenBelow: control.scrollHeight - control.scrollTop - control.clientHeight,
      overlap:
        control.getBoundingClientRect().bottom -
        (document.querySelector('.composer-tools')?.getBoundingClientRect().top ?? 0),
    }));
    const lessThanALine = 10;
    assert.ok(hiddenBelow < lessThanALine, `${hiddenBelow} px are below the last line`);
    assert.ok(overlap < 1, `${overlap} px are behind the buttons`);
  });

  it('shows the end of a long draft after a reload', async () => {
    const state = { schemaVersion: 1, draft: 'A line.\n'.repeat(60) };
    const view = await tester.open(aView(), { state });
    const { top, height } = await view.composer.evaluate((control) => ({
      top: control.scrollTop + control.clientHeight,
      height: control.scrollHeight,
    }));
    assert.ok(height - top < 10, `${height - top} px are below`);
  });

  it('opens the menu of mentions within the panel, above a composer that is full', async () => {
    const view = await openCrowded();
    await view.page.keyboard.type('#');
    await view.page.getByRole('option').first().waitFor();
    const menu = await boxOf(view, '.mention-menu');
    assert.ok(menu.y >= 0, `the menu begins at ${menu.y} px`);
    const last = view.page.getByRole('option').last();
    await view.page.keyboard.press('ArrowUp');
    await view.drawn();
    const option = (await last.boundingBox()) ?? assert.fail('no last option');
    assert.ok(option.y >= menu.y && option.y + option.height <= menu.y + menu.height);
  });

  it('shows the hint beside the composer’s buttons whole or not at all', async () => {
    for (const [width, isSeen] of [
      [210, false],
      [600, true],
    ] as const) {
      const view = await tester.open(aView(), { width });
      const seen = await view.page.locator('.composer-hint').evaluate((hint) => {
        const text = document.createRange();
        text.selectNodeContents(hint);
        const { top, left } = text.getBoundingClientRect();
        const around = hint.getBoundingClientRect();
        return { isSeen: top < around.bottom - 1, isWhole: left >= around.left };
      });
      assert.equal(seen.isSeen, isSeen, `at ${width} px`);
      if (isSeen) assert.ok(seen.isWhole);
    }
  });

  it('breaks no code in the cells of a table, which scrolls instead', async () => {
    const name = 'maxRequestSizeInMegabytes';
    const words = 'Words that take all the room they can get. '.repeat(4);
    const view = await tester.open(
      aReplyView(`| Option | What it does |\n|---|---|\n| \`${name}\` | ${words} |\n`),
      { width: 300 },
    );
    const lines = await view.page
      .locator('td code')
      .evaluate((code) => code.getClientRects().length);
    assert.equal(lines, 1);
  });

  it('gives a formula on a line of its own the room of the formula', async () => {
    const view = await tester.open(aReplyView('$$\\frac{a}{b}$$\n\nText.'), { width: 300 });
    await view.page.locator('[data-math] > math').waitFor();
    const formula = await boxOf(view, '[data-math] > math');
    const holder = await boxOf(view, '[data-math]');
    assert.ok(holder.height - formula.height < 12, `${holder.height} for ${formula.height}`);
  });

  for (const [direction, header] of [
    ['left to right', '| Plan | חבילה |'],
    ['right to left', '| חבילה | Plan |'],
  ] as const) {
    it(`parts the columns of a table by one line, ${direction}`, async () => {
      const view = await tester.open(aReplyView(`${header}\n|---|---|\n| 1 | 2 |\n`));
      const sides = await view.page.locator('th').evaluateAll((cells) =>
        cells
          .sort((one, other) => one.getBoundingClientRect().x - other.getBoundingClientRect().x)
          .map((cell) => {
            const { borderLeftWidth, borderRightWidth } = getComputedStyle(cell);
            return [borderLeftWidth, borderRightWidth];
          }),
      );
      assert.deepEqual(sides, [
        ['0px', '0px'],
        ['1px', '0px'],
      ]);
    });
  }
});
