import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { SourceDescription } from '../../../src/shared/protocol';
import { aQuestion, aReply, aSource, aView } from '../thread/conversations';
import { useViewTester, type OpenView, type ViewSettings } from '../harness';

const limits = aSource(1, { url: 'https://docs.acme.example/limits#uploads', title: 'Limits' });
const errors = aSource(2, { url: 'https://docs.acme.example/errors', title: 'Errors' });
const text = `A request may carry 20 MB [1](${limits.url}). Larger ones are [refused](${errors.url}).`;
const described: SourceDescription = {
  title: 'Upload limits',
  path: '/limits#uploads',
  quote: [
    { text: 'A request may carry at most 20 MB.\nSend larger files in parts.', isCode: false },
  ],
  file: 'docs/guides/limits.mdx',
};

describe('the card of a source', () => {
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
  const openPaths = async () => {
    const view = await openPathSources(tester);
    await view.page.locator('#source-card').waitFor({ state: 'attached' });
    await view.page.locator('.reply a.source').nth(1).waitFor();
    return { view, card: view.page.getByRole('dialog') };
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
    assert.deepEqual(await linesOf(card), [
      'Upload limits',
      '/limits#uploads',
      'A request may carry at most 20 MB.',
      'Send larger files in parts.',
      'Open limits.mdx',
      'Open in Browser',
      'Open Beside the Code',
    ]);
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
    // The view asks once what the host knows about a source.
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
    const quote = [
      {
        text: 'A long quote that fills several lines of a narrow card. '.repeat(10),
        isCode: false,
      },
      { text: `upload('${'part'.repeat(20)}');`, isCode: true },
    ];
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

  it('shows the code of a section with its lines and indents, apart from the text', async () => {
    const code = 'try {\n  upload();\n}';
    const quote = [
      { text: 'Send it in parts:', isCode: false },
      { text: code, isCode: true },
    ];
    const { card, citation } = await open({}, { ...described, quote });
    await citation.hover();
    await card.getByText('Send it in parts:').waitFor();
    const shown = card.locator('pre');
    assert.equal(await shown.innerText(), code);
    const { lines, isMonospace } = await shown.evaluate((block) => {
      const { fontFamily, lineHeight } = getComputedStyle(block);
      return {
        lines: Math.round(block.getBoundingClientRect().height / Number.parseFloat(lineHeight)),
        isMonospace: fontFamily.includes('monospace'),
      };
    });
    assert.deepEqual({ lines, isMonospace }, { lines: 3, isMonospace: true });
  });

  it('shows what a host sends as text, whatever it holds', async () => {
    const { view, card, citation } = await open(
      {},
      {
        title: '<img src=x onerror=alert(1)>\u202egnp',
        path: '/<b>x</b>',
        quote: [{ text: '<script>alert(1)</script>', isCode: false }],
        file: 'docs/<i>.md',
      },
    );
    await citation.hover();
    await card.getByText('<script>alert(1)</script>').waitFor();
    assert.equal(await card.locator('img, script, b, i').count(), 0);
    assert.match(await card.innerText(), /^<img src=x onerror=alert\(1\)>gnp\n/);
    view.assertQuiet();
  });

  it('opens for a page that has no web address, and offers its file alone', async () => {
    const { view, card } = await openPaths();
    await view.page.locator('.reply a.citation').first().hover();
    await card.getByText('Send larger files in parts.').waitFor();
    assert.deepEqual(await linesOf(card), [
      'Upload limits',
      '/limits#uploads',
      'A request may carry at most 20 MB.',
      'Send larger files in parts.',
      'Open limits.mdx',
    ]);
    await card.getByRole('button', { name: 'Open limits.mdx' }).click();
    assert.deepEqual(await view.requested('source-open'), [
      { messageId: 'reply-1', sourceId: 'source-1', target: 'file' },
    ]);
  });

  it('offers the browser for a path whose web address the other sources tell', async () => {
    const { view, card } = await openPaths();
    await view.page.locator('.reply a.source').nth(1).hover();
    await card.getByText('What errors mean').waitFor();
    assert.deepEqual(await linesOf(card), [
      'What errors mean',
      '/errors#codes',
      'Open in Browser',
      'Open Beside the Code',
    ]);
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

async function linesOf(card: Locator): Promise<string[]> {
  return (await card.innerText()).split('\n').filter((line) => line.trim() !== '');
}

/** Opens a reply that cites three paths: a file, a page of the web, and one that nobody knows. */
function openPathSources(
  tester: ReturnType<typeof useViewTester>,
  status: 'complete' | 'streaming' = 'complete',
): Promise<OpenView> {
  const cited =
    'See [1](limits#uploads), [2](/errors#codes), [3](/nowhere) and [the limits](/limits), ' +
    'but not [that](#), ![a picture](/limits) or [this](//evil.example/limits).';
  const sources = [
    aSource(1, { url: 'limits#uploads', title: 'Limits' }),
    aSource(2, { url: '/errors#codes', title: 'Errors' }),
    aSource(3, { url: '/nowhere', title: 'Nowhere' }),
  ];
  const reply = aReply({ parts: [...sources, { type: 'text', text: cited }], status });
  return tester.open(aView({ messages: [aQuestion(), reply] }), {
    prepare: (host) => {
      host.answers['source-describe'] = ({ sourceId }) => {
        if (sourceId === 'source-1') return described;
        const title = 'What errors mean';
        return sourceId === 'source-2'
          ? { title, path: '/errors#codes', url: 'https://docs.acme.example/errors#codes' }
          : { title: 'Nowhere', path: '/nowhere' };
      };
    },
  });
}

describe('sources whose address is a path alone', () => {
  const tester = useViewTester();

  it('become links where the host knows their page, and stay text where it does not', async () => {
    const view = await openPathSources(tester);
    const links = view.page.locator('.reply a.source');
    await links.nth(1).waitFor();
    assert.deepEqual(await links.locator('.source-title').allInnerTexts(), ['Limits', 'Errors']);
    assert.equal(await links.nth(1).getAttribute('href'), 'https://docs.acme.example/errors#codes');
    assert.equal(await links.nth(0).getAttribute('title'), 'Limits\nlimits#uploads');
    assert.match(await view.page.locator('.reply span.source').innerText(), /Nowhere/);
    await links.nth(0).click();
    assert.deepEqual(await view.requested('source-open'), [
      { messageId: 'reply-1', sourceId: 'source-1' },
    ]);
    view.assertQuiet();
  });

  it('are opened by the citations that name them, and by nothing else', async () => {
    const view = await openPathSources(tester);
    const links = view.page.locator('.reply .markdown a');
    await links.nth(2).waitFor();
    assert.deepEqual(await links.allInnerTexts(), ['1', '2', 'the limits']);
    assert.equal(await links.nth(0).getAttribute('aria-label'), 'Source 1: Limits');
    for (const nth of [0, 1, 2]) await links.nth(nth).click();
    assert.deepEqual(
      (await view.requested('source-open', 3)).map(({ sourceId }) => sourceId),
      ['source-1', 'source-2', 'source-1'],
    );
    assert.deepEqual(view.host.requestsFor('link-open'), []);
    const dead = await view.page.locator('.reply .dead-link').allInnerTexts();
    assert.deepEqual(dead, ['3', 'that', 'a picture', 'this']);
  });

  it('are asked about once more when another source may tell where they are', async () => {
    const view = await openPathSources(tester, 'streaming');
    await view.page.locator('.reply a.source').nth(1).waitFor();
    const before = view.host.answers['source-describe'];
    view.host.answers['source-describe'] = (params) =>
      params.sourceId === 'source-3'
        ? { title: '', path: '/nowhere', url: 'https://docs.acme.example/nowhere' }
        : (before?.(params) ?? null);
    const asked = view.host.requestsFor('source-describe').length;
    await view.host.sendOps([4, aSource(4)]);
    const titles = view.page.locator('.reply a.source .source-title');
    await titles.nth(3).waitFor();
    assert.deepEqual(await titles.allInnerTexts(), ['Limits', 'Errors', 'Nowhere', 'Page 4']);
    assert.deepEqual(view.host.requestsFor('source-describe').slice(asked), [
      { messageId: 'reply-1', sourceId: 'source-3' },
    ]);
  });
});
