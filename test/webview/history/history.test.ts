import assert from 'node:assert/strict';
import type { HistoryEntry } from '../../../src/shared/protocol';
import {
  aHistory,
  aHistoryEntry,
  anError,
  aQuestion,
  aReply,
  aView,
} from '../thread/conversations';
import { Refusal } from '../fakeHost';
import { useViewTester } from '../harness';
import { openHistory, row, rows, search, showHistory, titles } from './historyView';

describe('the history in the chat view', () => {
  const tester = useViewTester();

  it('lists threads under their days, the shown one marked, and covers the thread alone', async () => {
    const view = await openHistory(tester, [
      aHistoryEntry(0, { title: 'Now', isShown: true }),
      aHistoryEntry(0, { id: 'also', title: '' }),
      aHistoryEntry(24 * 400, { id: 'old', title: 'Long ago' }),
    ]);
    const groups = view.page.getByRole('group');
    const today = view.page.getByRole('group', { name: 'Today' });
    assert.equal(await today.getByRole('treeitem').count(), 2);
    assert.match(await groups.nth(1).innerText(), /^\w+ 20\d\d/);
    assert.deepEqual(await titles(view), ['Now', 'Untitled thread', 'Long ago']);
    assert.equal(await row(view, /^Now, .*Current thread/).getAttribute('aria-current'), 'true');
    assert.equal(await view.page.locator('article').first().isVisible(), false);
    await view.composer.fill('still here');
    assert.equal(await view.composer.inputValue(), 'still here');
  });

  it('is loaded when it is wanted, and closes with Escape to where the focus was', async () => {
    const view = await tester.open(aView({ messages: [aQuestion(), aReply()] }));
    assert.equal(await search(view).count(), 0);
    await view.composer.focus();
    await view.page.keyboard.press('Control+Alt+KeyH');
    await search(view).waitFor();
    assert.equal(await view.focusedName(), 'Search earlier threads');
    await view.page.keyboard.press('Escape');
    await view.page.locator('article').first().waitFor();
    await view.page.keyboard.type('next');
    assert.equal(await view.composer.inputValue(), 'next');
    await view.button('Copy Reply as Markdown').focus();
    await showHistory(view);
    await search(view).press('Escape');
    assert.equal(await view.focusedName(), 'Copy Reply as Markdown');
  });

  it('closes with Escape to the question box if nothing had the focus before', async () => {
    const view = await tester.open(aView({ messages: [aQuestion(), aReply()] }));
    await view.host.emit('overlay-show', { overlay: 'history' });
    await search(view).press('Escape');
    await search(view).waitFor({ state: 'hidden' });
    await view.page.keyboard.type('next');
    assert.equal(await view.composer.inputValue(), 'next');
  });

  it('is loaded once, however often it is called for meanwhile', async () => {
    const view = await tester.open(aView());
    let load = (): void => undefined;
    const mayLoad = new Promise<void>((resolve) => {
      load = resolve;
    });
    await view.page.route('**/historyPanel*', async (route) => {
      await mayLoad;
      await route.continue();
    });
    for (let times = 0; times < 3; times++) await showHistory(view);
    load();
    await search(view).first().waitFor();
    await view.drawn();
    assert.equal(await search(view).count(), 1);
    await view.page.keyboard.press('Escape');
    await search(view).waitFor({ state: 'hidden' });
  });

  it('keeps the place that was read while it covers the thread', async () => {
    const text = Array.from({ length: 80 }, (_, line) => `Line ${line}`).join('\n\n');
    const reply = aReply({ parts: [{ type: 'text', text }] });
    const view = await tester.open(aView({ messages: [aQuestion(), reply] }));
    const scroller = view.page.locator('.thread-scroller');
    await view.turnWheel(scroller, -400);
    await view.button('Jump to Latest').waitFor();
    const before = await scroller.evaluate(({ scrollTop }) => scrollTop);
    await showHistory(view);
    await search(view).waitFor();
    await view.page.keyboard.press('Escape');
    await view.drawn();
    assert.equal(await scroller.evaluate(({ scrollTop }) => scrollTop), before);
  });

  it('goes from thread to thread with the arrow, page, Home and End keys, as one tab stop', async () => {
    const history = Array.from({ length: 60 }, (_, index) =>
      aHistoryEntry(index, { title: `Thread ${index}` }),
    );
    const view = await openHistory(tester, history);
    const at = async () => Number(/^Thread (\d+)/.exec(await view.focusedName())?.[1]);
    const press = (key: string) => view.page.keyboard.press(key);
    await press('ArrowDown');
    assert.equal(await at(), 0);
    await press('ArrowDown');
    await press('ArrowDown');
    await press('ArrowUp');
    assert.equal(await at(), 1);
    await press('PageDown');
    const after = await at();
    assert.ok(after > 5 && after < 40, `a page down: ${after}`);
    await press('PageUp');
    assert.equal(await at(), 1);
    await press('End');
    assert.equal(await at(), 59);
    assert.ok(await row(view, /^Thread 59,/).isVisible());
    await press('Tab');
    assert.doesNotMatch(await view.focusedName(), /^Thread/);
    await press('Shift+Tab');
    assert.equal(await at(), 59);
    await press('Home');
    assert.equal(await at(), 0);
    await press('ArrowUp');
    assert.equal(await view.focusedName(), 'Search earlier threads');
  });

  it('reaches what can be done with a thread by Right and Left', async () => {
    const view = await openHistory(tester);
    await view.page.keyboard.press('ArrowDown');
    const names = [];
    for (let stop = 0; stop < 4; stop++) {
      await view.page.keyboard.press('ArrowRight');
      names.push(await view.focusedName());
    }
    assert.deepEqual(names, ['Rename', 'Export as Markdown…', 'Delete', 'Delete']);
    await view.page.keyboard.press('ArrowLeft');
    await view.page.keyboard.press('Enter');
    assert.deepEqual(await view.requested('thread-export'), [{ threadId: 'thread-1' }]);
    assert.deepEqual(view.host.requestsFor('thread-open'), []);
  });

  it('opens a thread by a click or by Enter, and puts the cursor into the composer', async () => {
    const view = await openHistory(tester);
    await row(view, /rotate a key/).click();
    assert.deepEqual(await view.requested('thread-open'), [{ threadId: 'auth' }]);
    await view.page.locator('article').first().waitFor();
    await view.page.keyboard.type('And then?');
    assert.equal(await view.composer.inputValue(), 'And then?');
    await showHistory(view);
    await rows(view).first().waitFor();
    await view.until(
      () => search(view).evaluate((box) => box === document.activeElement),
      'the focus in the search box',
    );
    for (const key of ['ArrowDown', 'End', 'Enter']) await view.page.keyboard.press(key);
    assert.deepEqual((await view.requested('thread-open', 2))[1], { threadId: 'old' });
  });

  it('searches while one types, from the list too, and marks what was found', async () => {
    const view = await openHistory(tester);
    await view.page.keyboard.press('ArrowDown');
    await view.page.keyboard.type('limit');
    await view.until(async () => (await rows(view).count()) === 3, 'three threads');
    assert.equal(await search(view).inputValue(), 'limit');
    const marked = await view.page.locator('mark').allTextContents();
    assert.deepEqual(
      marked.map((word) => word.toLowerCase()),
      ['limit', 'limit', 'limit'],
    );
    await view.page.getByRole('status').getByText('Threads: 3').waitFor({ state: 'attached' });
    const asked = view.host.requestsFor('history-list').length;
    // Letter by letter, faster than any machine types them one by one.
    await search(view).evaluate((box: HTMLInputElement) => {
      for (const letter of ['n', 'no', 'now', 'nowh', 'nowhere']) {
        box.value = letter;
        box.dispatchEvent(new Event('input'));
      }
    });
    await view.page
      .locator('.history-message')
      .getByText('No thread contains all of these')
      .waitFor();
    assert.deepEqual(view.host.requestsFor('history-list').slice(asked), [{ query: 'nowhere' }]);
    await search(view).press('Escape');
    await view.until(async () => (await rows(view).count()) === 6, 'all threads');
    assert.ok(await search(view).isVisible());
  });

  it('shows only the newest answer, whichever comes last', async () => {
    const answers = new Map<string, (entries: HistoryEntry[]) => void>();
    const view = await openHistory(tester);
    view.host.answers['history-list'] = ({ query }) =>
      new Promise((resolve) => {
        answers.set(query, (entries) => resolve({ entries, isCut: true }));
      });
    await search(view).fill('slow');
    await view.until(() => answers.has('slow'), 'the first question');
    await search(view).fill('quick');
    await view.until(() => answers.has('quick'), 'the second question');
    answers.get('quick')?.([aHistoryEntry(0, { title: 'Quick' })]);
    await row(view, /^Quick/).waitFor();
    answers.get('slow')?.([aHistoryEntry(0, { title: 'Slow' })]);
    await view.drawn();
    assert.deepEqual(await titles(view), ['Quick']);
    await view.page.getByText('There are more threads. Search to find them.').waitFor();
  });

  it('goes to the first result on Enter, even before it has arrived', async () => {
    const view = await openHistory(tester);
    await search(view).fill('webhooks');
    await search(view).press('Enter');
    await view.until(async () => (await view.focusedName()).startsWith('Webhooks'), 'the thread');
  });

  it('waits with Enter for a search that is not answered yet', async () => {
    const view = await openHistory(tester);
    const answers: (() => void)[] = [];
    view.host.answers['history-list'] = ({ query }) =>
      new Promise((resolve) => {
        answers.push(() =>
          resolve({ entries: [aHistoryEntry(1, { title: query })], isCut: false }),
        );
      });
    await search(view).fill('limits');
    await view.until(() => answers.length === 1, 'the search');
    await search(view).press('Enter');
    await view.drawn();
    assert.equal(await view.focusedName(), 'Search earlier threads');
    answers[0]?.();
    await view.until(async () => (await view.focusedName()).startsWith('limits'), 'the result');
    assert.equal(answers.length, 1, 'the search is not asked for twice');
  });

  it('stays in the search box where one goes on after an arrow key', async () => {
    const view = await openHistory(tester);
    let answer = (): void => undefined;
    view.host.answers['history-list'] = ({ query }) =>
      new Promise((resolve) => {
        const found = () =>
          resolve({ entries: [aHistoryEntry(1, { title: query })], isCut: false });
        if (query === '') found();
        else answer = found;
      });
    await view.page.keyboard.type('lim');
    await view.page.keyboard.press('ArrowDown');
    await view.page.keyboard.press('Escape');
    await view.until(async () => (await titles(view)).join() === 'Untitled thread', 'all threads');
    answer();
    await view.drawn();
    assert.equal(await view.focusedName(), 'Search earlier threads');
  });

  it('shows what another window has done when this one is looked at again', async () => {
    const view = await openHistory(tester);
    view.host.history = [aHistoryEntry(0, { title: 'From elsewhere' })];
    await view.page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await view.until(async () => (await titles(view)).join() === 'From elsewhere', 'the new list');
  });

  it('says that the threads are loading where that takes long, until they are there', async () => {
    const view = await tester.open(aView());
    let answer = (): void => assert.fail('nothing was asked');
    view.host.answers['history-list'] = () =>
      new Promise((resolve) => {
        answer = () => resolve({ entries: aHistory(), isCut: false });
      });
    await showHistory(view);
    await view.page.getByText('Loading threads…').waitFor();
    answer();
    await rows(view).first().waitFor();
    assert.equal(await view.page.getByText('Loading threads…').count(), 0);
  });

  it('shows nothing of an earlier search or deletion when it opens again', async () => {
    const view = await openHistory(tester);
    await view.page.keyboard.press('ArrowDown');
    await view.page.keyboard.press('Delete');
    await view.button('Undo').waitFor();
    await search(view).fill('python');
    await view.until(async () => (await rows(view).count()) === 1, 'one thread');
    await view.button('Back to the Thread').click();
    view.host.answers['history-list'] = () => new Promise(() => undefined);
    await showHistory(view);
    assert.equal(await search(view).inputValue(), '');
    assert.equal(await rows(view).count(), 0);
    assert.equal(await view.button('Undo').isVisible(), false);
  });

  it('shows the first results of a search, however far the list was scrolled', async () => {
    const entries = Array.from({ length: 60 }, (_, n) => aHistoryEntry(n, { title: `Limit ${n}` }));
    const view = await openHistory(tester, entries);
    await view.turnWheel(view.page.locator('.history-scroller'), 900);
    await search(view).pressSequentially('limit');
    await view.page.locator('.history mark').first().waitFor();
    assert.equal(await view.page.locator('.history-scroller').evaluate((e) => e.scrollTop), 0);
  });

  it('says that the threads could not be listed, and tries again', async () => {
    const view = await tester.open(aView());
    view.host.answers['history-list'] = () => {
      throw new Refusal(anError());
    };
    await showHistory(view);
    await view.page.getByRole('alert').getByText('couldn’t be listed').waitFor();
    delete view.host.answers['history-list'];
    view.host.history = aHistory();
    await view.button('Retry').click();
    await rows(view).first().waitFor();
    assert.equal(await view.page.getByText('couldn’t be listed').count(), 0);
  });

  it('gives way to the thread when something is asked or begun', async () => {
    const view = await openHistory(tester);
    await view.composer.fill('Why?');
    await view.composer.press('Enter');
    await search(view).waitFor({ state: 'hidden' });
    await showHistory(view);
    await view.host.emit('composer-focus', { text: 'From the editor' });
    await search(view).waitFor({ state: 'hidden' });
  });

  it('shows 500 threads at once and lays out those in sight alone', async () => {
    const history = Array.from({ length: 500 }, (_, index) =>
      aHistoryEntry(index * 7, { title: `Thread ${index}: ${'how do I '.repeat(8)}` }),
    );
    const view = await openHistory(tester, history);
    assert.equal(await rows(view).count(), 500);
    const skipped = () =>
      view.page.evaluate(
        () =>
          [...document.querySelectorAll('.history-line')].filter(
            (line) => !line.checkVisibility({ contentVisibilityAuto: true }),
          ).length,
      );
    await view.until(async () => (await skipped()) > 400, 'more than 400 rows not laid out');
    await view.page.keyboard.press('ArrowDown');
    await view.page.keyboard.press('End');
    await view.until(async () => row(view, /^Thread 499:/).isVisible(), 'the last thread');
  });

  it('keeps odd titles and excerpts in their place', async () => {
    const title = '<img src=x onerror=alert(1)>\u202e evil \u0007';
    const view = await openHistory(tester, [
      aHistoryEntry(0, {
        title,
        excerpt: {
          text: '<b>bold</b> \u202ereversed',
          matches: [
            { start: 0, end: 3 },
            { start: 1, end: 2 },
            { start: 90, end: 99 },
          ],
        },
      }),
    ]);
    assert.deepEqual(await titles(view), ['<img src=x onerror=alert(1)> evil']);
    assert.deepEqual(await view.page.locator('mark').allTextContents(), ['<b>']);
    assert.equal(await view.page.locator('.history-excerpt').textContent(), '<b>bold</b> reversed');
    assert.equal(await view.page.locator('.history img, .history b').count(), 0);
  });
});
