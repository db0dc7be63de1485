import assert from 'node:assert/strict';
import type { SourceDescription } from '../../src/shared/protocol';
import { aQuestion, aReply, aSource, aView } from './conversations';
import { useViewTester, type OpenView, type ViewSettings } from './harness';

const limits = aSource(1, { url: 'https://docs.acme.example/limits#uploads', title: 'Limits' });
const errors = aSource(2, { url: 'https://docs.acme.example/errors', title: 'Errors' });
const text = `A request may carry 20 MB [1](${limits.url}). Larger ones are [refused](${errors.url}).`;
const described: SourceDescription = {
  title: 'Upload limits',
  path: '/limits#uploads',
  quote: 'A request may carry at most 20 MB.\nSend larger files in parts.',
  file: 'docs/guides/limits.mdx',
};

describe('the card of a source', function () {
  this.timeout(60_000);
  const tester = useViewTester();

  const open = async (settings: ViewSettings = {}, description = described) => {
    const reply = aReply({ parts: [limits, errors, { type: 'text', text }] });
    const view = await tester.open(aView({ messages: [aQuestion(), reply] }), {
      ...settings,
      prepare: (host) => {
        host.answers['source-describe'] = ({ sourceId }) =>
          sourceId === 'source-1' ? description : null;
      },
    });
    // It comes after the first paint.
    await view.page.locator('#source-card').waitFor({ state: 'attached' });
    return { view, ...parts(view) };
  };
  const parts = ({ page }: OpenView) => ({
    card: page.getByRole('dialog'),
    citation: page.getByRole('link', { name: 'Source 1: Limits' }),
    word: page.getByRole('link', { name: 'refused' }),
    row: page.locator('.source').first(),
  });

  it('shows title, path and quote when the pointer rests on a citation', async () => {
    const { view, card, citation } = await open();
    await citation.hover();
    await card.waitFor();
    await card.getByText('Send larger files in parts.').waitFor();
    assert.deepEqual(
      (await card.innerText()).split('\n').filter((line) => line.trim() !== ''),
      [
        'Upload limits',
        '/limits#uploads',
        'A request may carry at most 20 MB.',
        'Send larger files in parts.',
        'Open limits.mdx',
        'Open in Browser',
        'Open Beside the Code',
      ],
    );
    assert.equal(await card.getAttribute('aria-label'), 'Upload limits');
    assert.equal(await citation.getAttribute('title'), null);
    assert.deepEqual(view.host.requestsFor('source-describe'), [
      { messageId: 'reply-1', sourceId: 'source-1' },
    ]);
  });

  it('leaves the real host to be read where a citation’s text names another', async () => {
    const parts = [limits, { type: 'text', text: `[mybank.com](${limits.url})` } as const];
    const view = await tester.open(aView({ messages: [aQuestion(), aReply({ parts })] }));
    const shown = await view.page
      .locator('.cited-link')
      .evaluate((link) => getComputedStyle(link, '::after').content);
    assert.match(shown, /docs\.acme\.example/);
  });

  it('stays while the pointer goes into it, and goes when the pointer leaves', async () => {
    const { view, card, citation } = await open();
    const title = await citation.getAttribute('title');
    await citation.hover();
    await card.getByText('Upload limits').waitFor();
    await card.getByText('/limits#uploads').hover();
    await view.page.waitForFunction(() => document.querySelector('.source-card:hover') !== null);
    assert.ok(await card.isVisible());
    await view.composer.hover();
    await card.waitFor({ state: 'hidden' });
    assert.equal(await citation.getAttribute('title'), title);
  });

  it('opens the source in the browser, beside the code or as its own file', async () => {
    const { view, card, citation } = await open();
    for (const name of ['Open in Browser', 'Open Beside the Code', 'Open limits.mdx']) {
      await view.composer.hover();
      await citation.hover();
      await card.getByRole('button', { name }).click();
      await card.waitFor({ state: 'hidden' });
    }
    const asked = { messageId: 'reply-1', sourceId: 'source-1' };
    assert.deepEqual(await view.requested('source-open', 3), [
      { ...asked, target: 'browser' },
      { ...asked, target: 'simple-browser' },
      { ...asked, target: 'file' },
    ]);
    // What is known of a source is asked once.
    assert.equal(view.host.requestsFor('source-describe').length, 1);
  });

  it('shows what the view knows where the host knows no more, and no file', async () => {
    const { card, word } = await open();
    await word.hover();
    await card.waitFor();
    assert.match(await card.innerText(), /^Errors\s+\/errors\s+Open in Browser/);
    assert.equal(await card.getByRole('button', { name: /^Open .*\.mdx/ }).count(), 0);
  });

  it('does not open for a citation that comes under a pointer at rest', async () => {
    const { view, card, citation } = await open();
    await view.page.clock.install();
    const at = (screenX: number) => ({ screenX, screenY: 9, pointerType: 'mouse', bubbles: true });
    await view.page.locator('.composer').dispatchEvent('pointermove', at(100));
    // As the browser tells when it is the page that moves.
    await citation.dispatchEvent('pointerover', at(100));
    await view.page.clock.runFor(1_000);
    assert.ok(!(await card.isVisible()));
    await citation.dispatchEvent('pointermove', at(101));
    await view.page.clock.runFor(1_000);
    assert.ok(await card.isVisible());
  });

  it('opens for what was pointed at before it was loaded', async () => {
    const view = await tester.open(aView({ messages: [aQuestion()] }), {
      prepare: (host) => {
        host.answers['source-describe'] = () => described;
      },
    });
    await view.page.locator('#source-card').waitFor({ state: 'attached' });
    await view.page.addInitScript(() => {
      // A page that never has a moment to spare.
      window.requestIdleCallback = () => 0;
    });
    await view.host.addMessage(aReply({ parts: [limits, { type: 'text', text }] }));
    await view.reload();
    assert.equal(await view.page.locator('#source-card').count(), 0);
    const { card, citation } = parts(view);
    await citation.hover();
    await card.getByText('Upload limits').waitFor();
    await view.reload();
    await citation.focus();
    await view.page.keyboard.press('Tab');
    await view.page.keyboard.press('Shift+Tab');
    await card.getByText('Upload limits').waitFor();
  });

  it('opens for a row of the source list as well', async () => {
    const { card, row } = await open();
    await row.hover();
    await card.getByText('Upload limits').waitFor();
  });

  it('comes and goes with the keyboard’s focus, and Escape closes it without moving', async () => {
    const { view, card, citation } = await open();
    await citation.focus();
    await view.page.keyboard.press('Tab');
    await view.page.keyboard.press('Shift+Tab');
    await card.getByText('Upload limits').waitFor();
    assert.equal(await citation.getAttribute('aria-expanded'), 'true');
    await view.page.keyboard.press('Escape');
    await card.waitFor({ state: 'hidden' });
    assert.equal(await view.focusedName(), 'Source 1: Limits');
    assert.equal(await citation.getAttribute('aria-expanded'), null);
  });

  it('is entered with Alt and Arrow Down, walked with arrows, and left with Escape', async () => {
    const { view, card, citation } = await open();
    await citation.press('Alt+ArrowDown');
    await card.getByText('Upload limits').waitFor();
    const names: unknown[] = [await view.focusedName()];
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp']) {
      await view.page.keyboard.press(key);
      names.push(await view.focusedName());
    }
    assert.equal(new Set(names).size, 3, names.join(', '));
    assert.equal(names[3], names[0]);
    await view.page.keyboard.press('Escape');
    await card.waitFor({ state: 'hidden' });
    assert.equal(await view.focusedName(), 'Source 1: Limits');
  });

  it('gives the focus back when one of its buttons is pressed by keyboard', async () => {
    const { view, card, citation } = await open();
    await citation.press('Alt+ArrowDown');
    await card.getByRole('button', { name: 'Open limits.mdx' }).press('Enter');
    assert.equal((await view.requested('source-open')).length, 1);
    assert.equal(await view.focusedName(), 'Source 1: Limits');
  });

  it('closes on Escape when the pointer opened it, and stays closed under the pointer', async () => {
    const { view, card, citation } = await open();
    await view.composer.focus();
    await view.page.clock.install();
    const rest = () => view.page.clock.runFor(1_000);
    await citation.hover();
    await rest();
    assert.ok(await card.isVisible());
    await view.page.keyboard.press('Escape');
    assert.ok(!(await card.isVisible()));
    await citation.hover({ position: { x: 2, y: 2 } });
    await rest();
    assert.ok(!(await card.isVisible()));
    await view.composer.hover();
    await citation.hover();
    await rest();
    assert.ok(await card.isVisible());
  });

  it('lies within a panel of 200 px, above the citation where there is no room below', async () => {
    const quote = 'A long quote that fills several lines of a narrow card. '.repeat(10);
    const { view, card, row } = await open(
      { width: 200, height: 400 },
      { ...described, quote, title: 'An_unbroken_title_that_is_wider_than_the_panel_is' },
    );
    await row.scrollIntoViewIfNeeded();
    await row.hover();
    await card.getByText('A long quote').waitFor();
    await view.drawn();
    const box = await card.boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= 200, JSON.stringify(box));
    assert.ok(box.y >= 0 && box.y + box.height <= 400, JSON.stringify(box));
    const inside = await card.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    assert.equal(inside, 0);
  });

  it('shows what a host sends as text, whatever it holds', async () => {
    const { view, card, citation } = await open(
      {},
      {
        title: '<img src=x onerror=alert(1)>\u202egnp',
        path: '/<b>x</b>',
        quote: '<script>alert(1)</script>',
        file: 'docs/<i>.md',
      },
    );
    await citation.hover();
    await card.getByText('<script>alert(1)</script>').waitFor();
    assert.equal(await card.locator('img, script, b, i').count(), 0);
    assert.match(await card.innerText(), /^<img src=x onerror=alert\(1\)>gnp\n/);
    view.assertQuiet();
  });

  it('goes when its citation is opened, or scrolled out of sight', async () => {
    const { view, card, citation } = await open({ height: 300 });
    await citation.hover();
    await card.waitFor();
    await citation.click();
    await card.waitFor({ state: 'hidden' });
    assert.deepEqual(view.host.requestsFor('source-open'), [
      { messageId: 'reply-1', sourceId: 'source-1' },
    ]);
  });
});
