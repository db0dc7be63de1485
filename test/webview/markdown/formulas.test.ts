import assert from 'node:assert/strict';
import { aReplyView } from '../thread/conversations';
import { useViewTester, type OpenView } from '../harness';

describe('formulas in the chat view', () => {
  const tester = useViewTester();

  const open = (text: string) => tester.open(aReplyView(text));
  const drawn = (view: OpenView, count: number) =>
    view.until(
      async () => (await view.page.locator('math').count()) === count,
      `${count} formulas`,
    );
  /** A formula at the end tells that those before it have been tried. */
  const openAll = async (...sources: string[]) => {
    const texts = [...sources, 'e'].map((source) => `$$\n${source}\n$$`);
    const view = await open(texts.join('\n\n'));
    await view.page.locator('[data-math]').last().locator('math').waitFor();
    return view;
  };

  it('are drawn in the line and by themselves, named by their source', async () => {
    const view = await open('Euler: $e^{i\\pi} + 1 = 0$ holds.\n\n$$\n\\frac{a}{b}\n$$\n\nDone.');
    await drawn(view, 2);
    const [inline, display] = await view.page.locator('math').all();
    assert.ok(inline && display);
    assert.equal(await inline.getAttribute('alttext'), 'e^{i\\pi} + 1 = 0');
    assert.equal(await inline.locator('msup').count(), 1);
    assert.equal(await display.getAttribute('display'), 'block');
    assert.equal(await display.locator('mfrac').count(), 1);
    assert.equal(await view.page.locator('annotation, .markdown [style]').count(), 0);
  });

  it('are copied as they were written', async () => {
    const view = await open('Euler: $e^{i\\pi} + 1 = 0$ holds.');
    await drawn(view, 1);
    const copied = await view.page.locator('.markdown').evaluate((text) => {
      document.getSelection()?.selectAllChildren(text);
      return document.getSelection()?.toString();
    });
    // The browser breaks the line at a formula, which Markdown does not mind.
    assert.equal(copied?.trim().replace(/\s+/g, ' '), 'Euler: $e^{i\\pi} + 1 = 0$ holds.');
  });

  it('scroll within themselves where they are wide, by keyboard too', async () => {
    const wide = Array.from({ length: 60 }, (_, index) => `x_{${index}}`).join(' + ');
    const view = await openAll(wide);
    const holder = view.page.getByRole('group', { name: 'Formula' }).first();
    const sizes = await holder.evaluate(({ scrollWidth, clientWidth, tabIndex }) => ({
      isWide: scrollWidth > clientWidth,
      tabIndex,
    }));
    assert.deepEqual(sizes, { isWide: true, tabIndex: 0 });
    const page = await view.page.evaluate(
      () => document.documentElement.scrollWidth <= window.innerWidth,
    );
    assert.ok(page);
  });

  it('stay as they were written where they are none, or too much', async () => {
    const sources = [
      '\\frac{a',
      '\\unknown{x}',
      '\\def\\a{\\a\\a}\\a',
      `x${'+x'.repeat(3_000)}`,
      `${'{'.repeat(1_900)}x${'}'.repeat(1_900)}`,
    ];
    const view = await openAll(...sources);
    const holders = view.page.locator('[data-math]');
    for (const [index, source] of sources.slice(0, 4).entries()) {
      const holder = holders.nth(index);
      assert.equal((await holder.textContent())?.trim(), source);
      assert.equal(await holder.locator('math').count(), 0, source);
    }
  });

  it('lead nowhere, load nothing and hold no HTML, whatever their source is', async () => {
    const view = await openAll(
      '\\href{javascript:alert(1)}{x}',
      '\\url{https://evil.example/}',
      '\\includegraphics{https://evil.example/x.png}',
      '\\htmlClass{a}{x} \\htmlId{b}{x} \\htmlData{c=d}{x} \\htmlStyle{color: red}{x}',
      '\\text{<img src=x onerror=alert(1)>} \\text{<script>alert(1)</script>}',
      '\\rule{1000em}{1000em}',
      '\\color{red; background: url(https://evil.example)}x',
    );
    const found = await view.page.locator('.markdown').evaluate((text) => {
      const allowed = /^(m[a-z]+|semantics)$/;
      return [...text.querySelectorAll('math, math *')].flatMap((node) => [
        ...(allowed.test(node.localName) ? [] : [node.localName]),
        ...[...node.attributes]
          .filter(({ name, value }) => {
            if (name === 'alttext') return false;
            return (
              /^(on|href|src|style|id|class|data-|xlink)/.test(name) || /url|script/.test(value)
            );
          })
          .map(({ name }) => name),
      ]);
    });
    assert.deepEqual(found, []);
    const height = await view.page.locator('.markdown').evaluate((text) => text.scrollHeight);
    assert.ok(height < 5_000, String(height));
  });
});
