import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { MessagePart, ProofPart } from '../../../src/shared/uiMessage';
import type { OpenView, ViewSettings } from '../harness';
import { useViewTester } from '../harness';
import { aQuestion, aReply, aReplyView, aSource, aView } from '../thread/conversations';

const source = aSource(1, { url: 'https://docs.acme.example/limits', title: 'Limits' });
const cited = `[1](${source.url})`;
const text = `A request can have **20 MB** ${cited}. A file can have \`512\` *GB* on [all plans](https://acme.example/) ${cited}. Parts live for a day.

\`\`\`ts
const file = client.createFoo(1);
\`\`\`
`;
const unproven: ProofPart['unproven'] = [
  { quote: 'A file can have 512 GB on all plans [1].', reason: 'number', missing: ['512'] },
  { quote: 'Parts live for a day.', reason: 'uncited', missing: [] },
  { quote: 'createFoo', reason: 'code-name', missing: [] },
];
const aProof = (given: Partial<ProofPart> = {}): ProofPart => ({
  type: 'proof',
  statements: 3,
  found: 1,
  unproven,
  ...given,
});
const partsOf = (...more: MessagePart[]): MessagePart[] => [
  source,
  { type: 'text', text },
  ...more,
];

/** The texts that are marked, one for each statement. */
const marked = async ({ page }: OpenView): Promise<string[]> =>
  page.locator('.reply .markdown').evaluateAll((views) =>
    views.flatMap((view) => {
      const statements: string[] = [];
      let open = '';
      for (const found of view.querySelectorAll('.unproven, .unproven-sign')) {
        if (found.matches('.unproven')) open += `${found.textContent}|`;
        else {
          statements.push(open);
          open = '';
        }
      }
      return open === '' ? statements : [...statements, `${open} without a sign`];
    }),
  );

/**
 * Returns the text and the names of buttons that a screen reader would read of the reply's
 * paragraphs.
 */
const readAloud = (root: Locator): Promise<string> =>
  root.evaluate((paragraph) => {
    const walk = (node: Node): string => {
      if (node instanceof Text) return node.data;
      if (!(node instanceof Element) || node.getAttribute('aria-hidden') === 'true') return '';
      const name = node.getAttribute('aria-label');
      return name === null ? [...node.childNodes].map(walk).join('') : `<${name}>`;
    };
    return walk(paragraph).trim();
  });

describe('the proof of a reply in the chat view', () => {
  const tester = useViewTester();

  const open = async (parts: MessagePart[], settings: ViewSettings = {}): Promise<OpenView> =>
    tester.open(aReplyView(parts), settings);

  const openMarked = async (settings: ViewSettings = {}): Promise<OpenView> => {
    const view = await open(partsOf(aProof()), settings);
    await view.page.locator('.unproven-sign').first().waitFor();
    return view;
  };

  it('marks what the cited page doesn’t say, across emphasis, code and links, and nothing else', async () => {
    const view = await openMarked();
    assert.deepEqual(await marked(view), [
      'A file can have |512| |GB| on |all plans|',
      'Parts live for a day|',
    ]);
    await view.page.getByText('1 of 3 statements found in the docs').waitFor();
  });

  it('says why in the order of the text, once for each statement, after its citations', async () => {
    const view = await openMarked();
    assert.equal(
      await readAloud(view.page.locator('.reply .markdown p').first()),
      'A request can have 20 MB <Source 1: Limits>. A file can have 512 GB on all plans ' +
        '<Source 1: Limits>.<The cited page doesn’t mention 512.> Parts live for a day.' +
        '<No source is cited for this.>',
    );
  });

  it('underlines with dots and adds a sign, so that no one needs to see the color', async () => {
    const view = await openMarked();
    for (const theme of ['dark', 'light', 'hcDark', 'hcLight'] as const) {
      await view.setTheme(theme);
      const style = await view.page
        .locator('.unproven')
        .first()
        .evaluate((found) => getComputedStyle(found).textDecoration);
      assert.match(style, /underline/, theme);
      assert.match(style, /dotted/, theme);
      const box = await view.page.locator('.unproven-sign').first().boundingBox();
      assert.ok(box && box.width > 8 && box.height > 8, `${theme} ${JSON.stringify(box)}`);
    }
  });

  it('says why while the pointer is on the statement, and on the tip', async () => {
    const view = await openMarked();
    await view.stopClock();
    const tip = view.page.getByRole('tooltip', { includeHidden: true });
    await view.page.getByText('Parts live for a day').hover();
    await view.page.clock.runFor(1_000);
    assert.equal(await tip.innerText(), 'No source is cited for this.');
    const box = (await tip.boundingBox()) ?? assert.fail();
    await view.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 5 });
    await view.page.clock.runFor(1_000);
    assert.ok(await tip.isVisible());
    await view.composer.hover();
    assert.ok(await tip.isVisible(), 'the pointer may come back');
    await view.page.clock.runFor(1_000);
    assert.equal(await tip.count(), 0);
  });

  it('says why on keyboard focus, stays within a narrow view, and closes with Escape', async () => {
    const view = await openMarked({ width: 200 });
    const { page } = view;
    await page.locator('.reply').focus();
    await page.keyboard.press('Enter');
    for (let presses = 0; presses < 10; presses++) {
      if ((await view.focusedName()) === 'The cited page doesn’t mention 512.') break;
      await page.keyboard.press('Tab');
    }
    const tip = page.getByRole('tooltip', { includeHidden: true });
    await tip.waitFor();
    assert.equal(await tip.innerText(), 'The cited page doesn’t mention 512.');
    const box = (await tip.boundingBox()) ?? assert.fail();
    assert.ok(box.x >= 0 && box.x + box.width <= 200, JSON.stringify(box));
    await page.keyboard.press('Escape');
    await tip.waitFor({ state: 'detached' });
    assert.equal(await view.focusedName(), 'The cited page doesn’t mention 512.');
    await page.keyboard.press('Escape');
    assert.ok(await page.locator('.reply').evaluate((reply) => reply === document.activeElement));
  });

  it('lists the statements with reasons, and leads from each to its place', async () => {
    const view = await openMarked();
    const { page } = view;
    await page.locator('.proof summary').focus();
    await page.keyboard.press('Enter');
    const rows = page.locator('.unproven-list li');
    await rows.first().waitFor();
    assert.deepEqual(
      (await rows.allInnerTexts()).map((row) => row.split('\n').map((line) => line.trim())),
      [
        [
          'A file can have 512 GB on all plans [1].',
          'The cited page doesn’t mention 512.',
          'Show in Reply',
        ],
        ['Parts live for a day.', 'No source is cited for this.', 'Show in Reply'],
        ['createFoo', 'The docs don’t mention createFoo.'],
      ],
    );
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.equal(await view.focusedName(), 'The cited page doesn’t mention 512.');
  });

  it('names below a code block what the docs don’t mention of it', async () => {
    const view = await openMarked();
    const block = view.page.locator('.code-block');
    await block.getByText('The docs don’t mention createFoo.').waitFor();
    await block.getByRole('button', { name: 'Copy', exact: true }).click();
    assert.deepEqual(await view.requested('code-copy'), [
      { text: 'const file = client.createFoo(1);' },
    ]);
  });

  it('counts the statements that are not listed, once, however often the list is opened', async () => {
    const view = await open(partsOf(aProof({ found: 0 })));
    const summary = view.page.locator('.proof summary');
    const rows = view.page.locator('.unproven-list li');
    await summary.click();
    await rows.last().waitFor();
    await summary.click();
    await rows.last().waitFor({ state: 'hidden' });
    await summary.click();
    await rows.last().waitFor();
    await view.drawn();
    assert.equal(await rows.count(), 4);
    assert.equal(await rows.last().innerText(), '1 more');
  });

  it('marks words once where two statements have them', async () => {
    const whole = { quote: 'Parts live for a day.', reason: 'uncited', missing: [] } as const;
    const view = await open(partsOf(aProof({ unproven: [whole, { ...whole, quote: 'a day.' }] })));
    await view.page.locator('.unproven-sign').first().waitFor();
    assert.deepEqual((await marked(view)).length, 1);
    assert.equal(await view.page.locator('.unproven .unproven').count(), 0);
  });

  it('shows another comparison of the reply in place of the last one', async () => {
    const view = await openMarked();
    await view.page.locator('.code-note').waitFor();
    const parts = partsOf(aProof({ found: 2, unproven: unproven.slice(1, 2) }));
    await view.host.addMessage(aReply({ parts }));
    await view.page.getByText('2 of 3 statements found in the docs').waitFor();
    await view.page.locator('.code-note').waitFor({ state: 'detached' });
    assert.deepEqual(await marked(view), ['Parts live for a day|']);
  });

  it('says only how many were found where all were', async () => {
    const view = await open(partsOf(aProof({ statements: 1, found: 1, unproven: [] })));
    await view.page.getByText('1 of 1 statement found in the docs').waitFor();
    assert.equal(await view.page.locator('.proof, .unproven, .code-note').count(), 0);
    assert.equal(await view.page.locator('.reply-evidence .codicon-pass').count(), 1);
  });

  it('marks a complete reply when it is compared with kept docs, names them and the page', async () => {
    const view = await open(partsOf());
    const { page } = view;
    await view.replyShows(/Parts live for a day/);
    const docs = {
      id: 'set',
      label: 'acme\u202e docs',
      fetchedAt: Date.now() - 3.5 * 86_400_000,
    };
    const [first, ...rest] = unproven;
    const proof = aProof({
      unproven: first ? [{ ...first, sourceId: source.sourceId }, ...rest] : [],
      docs,
    });
    await view.host.addMessage(aReply({ parts: partsOf(proof) }));
    await page.locator('.unproven-sign').first().waitFor();
    assert.equal((await marked(view)).length, 2);
    assert.equal(await page.locator('.reply').count(), 1);
    await page
      .getByText('Compared with docs on this machine: acme docs, updated 3 days ago.')
      .waitFor();
    await page.locator('.proof summary').click();
    const rows = page.locator('.unproven-list li');
    // The browser tells that the details were opened, and so fills them, some time after the click.
    await rows.first().waitFor();
    assert.deepEqual(await rows.first().getByRole('button').allInnerTexts(), [
      'Show in Reply',
      'Limits',
    ]);
    assert.equal(await rows.nth(1).getByRole('button').count(), 1);
    await rows.first().getByRole('button', { name: 'Limits' }).click();
    assert.deepEqual(await view.requested('source-open'), [
      { messageId: 'reply-1', sourceId: source.sourceId },
    ]);
  });

  it('marks nothing while the reply runs, and all when it has ended', async () => {
    const view = await tester.open(
      aView({
        messages: [
          aQuestion(),
          aReply({ parts: [source, { type: 'text', text: '' }], status: 'streaming' }),
        ],
      }),
    );
    const { host, page } = view;
    for (const piece of text.match(/[^]{1,20}/g) ?? []) await host.sendOps(piece);
    await host.sendOps([2, aProof()]);
    await view.replyShows(/Parts live for a day/);
    assert.equal(await page.locator('.unproven, .proof').count(), 0);
    await host.setStatus('reply-1', 'complete');
    await page.locator('.unproven-sign').first().waitFor();
    assert.equal((await marked(view)).length, 2);
  });

  it('shows the marks again after a reload, and in a thread that is opened again', async () => {
    const view = await openMarked();
    await view.reload();
    await view.page.locator('.unproven-sign').first().waitFor();
    assert.equal((await marked(view)).length, 2);
    const { thread } = view.host.view;
    await view.host.emit('thread-shown', { thread: { id: 'other', title: '', messages: [] } });
    await view.page.locator('.unproven').first().waitFor({ state: 'detached' });
    await view.host.emit('thread-shown', { thread });
    await view.page.locator('.unproven-sign').first().waitFor();
    assert.equal((await marked(view)).length, 2);
  });

  it('keeps one mark for each statement when the reply is drawn again', async () => {
    const page = aSource(1, { url: '/limits' });
    let describe = (): void => assert.fail('nobody asked about the source');
    const mayDescribe = new Promise<void>((resolve) => {
      describe = resolve;
    });
    const view = await tester.open(
      aReplyView([
        page,
        { type: 'text', text: 'See [1](/limits). Parts live for a day [1](/limits).' },
        aProof(),
      ]),
      {
        prepare: (host) => {
          host.answers['source-describe'] = async () => {
            await mayDescribe;
            return { title: 'Limits', path: '/limits', url: 'https://docs.acme.example/limits' };
          };
        },
      },
    );
    // The sources become links only after the marks were drawn.
    await view.page.locator('.unproven-sign').first().waitFor();
    describe();
    await view.page.locator('.reply a.citation').first().waitFor();
    await view.drawn();
    assert.deepEqual(await marked(view), ['Parts live for a day|']);
    await view.host.addMessage(aQuestion({ id: 'q2' }));
    await view.host.addMessage(aReply({ id: 'r2', parts: [], status: 'waiting' }));
    await view.page.getByText('Waiting for the docs service…').waitFor();
    assert.deepEqual(await marked(view), ['Parts live for a day|']);
  });

  it('marks no other reply that says the same', async () => {
    const view = await tester.open(
      aView({
        messages: [
          aQuestion(),
          aReply({ parts: partsOf() }),
          aQuestion({ id: 'q2' }),
          aReply({ id: 'r2', parts: partsOf(aProof()) }),
        ],
      }),
    );
    await view.page.locator('[data-message-id="r2"] .unproven-sign').first().waitFor();
    assert.equal(await view.page.locator('[data-message-id="reply-1"] .unproven').count(), 0);
  });

  it('marks replies of a long thread when they come into view', async () => {
    const messages = Array.from({ length: 60 }, (_, index) => [
      aQuestion({ id: `q${index}` }),
      aReply({ id: `r${index}`, parts: partsOf(aProof()) }),
    ]).flat();
    const view = await tester.open(aView({ messages }));
    await view.page.locator('[data-message-id="r59"] .unproven-sign').first().waitFor();
    assert.equal(await view.page.locator('[data-message-id="r0"]').count(), 0);
    await view.page.locator('.thread-scroller').evaluate((scroller) => scroller.scrollTo(0, 0));
    await view.page.locator('[data-message-id="r0"] .unproven-sign').first().waitFor();
  });

  // Shows faults.md G13.
  it('lists what the view drew otherwise without marking it', async () => {
    const view = await open(
      partsOf(
        aProof({
          unproven: [
            { quote: 'Nobody wrote this sentence.', reason: 'words', missing: [] },
            ...unproven,
          ],
        }),
      ),
    );
    await view.page.locator('.unproven-sign').first().waitFor();
    assert.equal((await marked(view)).length, 2);
    await view.page.locator('.proof summary').click();
    const first = view.page.locator('.unproven-list li').first();
    assert.match(await first.innerText(), /Nobody wrote this sentence/);
    assert.equal(await first.getByRole('button').count(), 0);
  });

  const hostile = [
    '<img src=x onerror=alert(1)> <b>bold</b>',
    'a (.*)+$ [z-a] \\d{9999} (?<=x)',
    'הגודל המרבי \u202eBM 02\u202c הוא',
    '{0} ${alert(1)} %s',
  ];
  for (const quote of hostile) {
    it(`shows a quote as plain text: ${JSON.stringify(quote)}`, async () => {
      const shown = `One. ${quote.replace(/[<>[\]\\*_$]/g, '\\$&')}. Two.`;
      const view = await open([
        source,
        { type: 'text', text: shown },
        aProof({
          statements: 2,
          found: 1,
          unproven: [{ quote, reason: 'name', missing: [quote] }],
        }),
      ]);
      await view.page.locator('.unproven-sign').first().waitFor();
      await view.page.locator('.proof summary').click();
      await view.page.locator('.unproven-list li').first().waitFor();
      assert.equal(await view.page.locator('.reply img, .reply b, .reply script').count(), 0);
      assert.equal((await marked(view)).length, 1);
      const listed = await view.page.locator('.unproven-quote').innerText();
      assert.equal(listed.replace(/[“”"]/g, ''), quote.replace(/[\u202e\u202c]/g, ''));
    });
  }

  it('finds words of a marked statement, and copies it as it came', async () => {
    const view = await openMarked();
    const { page } = view;
    await page.keyboard.press('Control+f');
    await page.getByRole('textbox', { name: 'Find in Thread' }).fill('have 512 GB on all plans');
    await page.getByText('1 of 1', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    // At its corner: the tip of a statement under the pointer would cover the button.
    await page.locator('.reply').hover({ position: { x: 1, y: 1 } });
    await view.button('Copy Reply as Markdown').click();
    const [{ text: copied }] = (await view.requested('code-copy')) as [{ text: string }];
    assert.ok(copied.startsWith(text.trim()));
    assert.doesNotMatch(copied, /statements|doesn.t mention/);
  });
});

describe('a reply without a source', () => {
  const tester = useViewTester();

  it('says so quietly and offers a draft of an issue', async () => {
    const view = await tester.open(aReplyView('I found nothing about that.'));
    await view.page.getByText('No source cited').waitFor();
    await view.button('Draft a Docs Issue').click();
    assert.deepEqual(await view.requested('docs-issue-draft'), [{ messageId: 'reply-1' }]);
  });

  it('says so where the service compared nothing, because there was nothing to compare with', async () => {
    const view = await tester.open(
      aReplyView([
        { type: 'text', text: 'I found nothing about that.' },
        aProof({ statements: 0, found: 0, unproven: [] }),
      ]),
    );
    await view.page.getByText('No source cited').waitFor();
    await view.button('Draft a Docs Issue').waitFor();
    assert.equal(await view.page.getByText('statements found').count(), 0);
  });

  it('offers it as well where nothing of the reply was found in its sources', async () => {
    const view = await tester.open(aReplyView(partsOf(aProof({ found: 0 }))));
    await view.page.getByText('0 of 3 statements found in the docs').waitFor();
    await view.button('Draft a Docs Issue').waitFor();
  });

  for (const [what, parts, status] of [
    ['has sources', partsOf(), 'complete'],
    ['still runs', [{ type: 'text', text: 'So' }], 'streaming'],
    ['was stopped', [{ type: 'text', text: 'So' }], 'stopped'],
    ['failed before it began', [], 'failed'],
  ] as const) {
    it(`says nothing of a reply that ${what}`, async () => {
      const replies = [
        aReply({ id: 'first' }),
        aReply({ id: 'judged', parts: [...parts], status }),
      ];
      const view = await tester.open(
        aView({
          messages: replies.flatMap((reply) => [aQuestion({ id: `q-${reply.id}` }), reply]),
        }),
      );
      const said = (id: string) =>
        view.page.locator(`[data-message-id="${id}"] .reply-evidence:not([hidden])`);
      // The evidence loads once for all replies.
      await said('first').getByText('No source cited').waitFor();
      assert.equal(await said('judged').count(), 0);
    });
  }
});
