import assert from 'node:assert/strict';
import { aHistory, aHistoryEntry, anError } from '../thread/conversations';
import { Refusal } from '../fakeHost';
import { useViewTester } from '../harness';
import { openHistory, row, rows, search, titles } from './historyView';

describe('changing what the history holds', () => {
  const tester = useViewTester();

  it('renames in place: Enter saves, Escape and an empty name keep the old one', async () => {
    const view = await openHistory(tester);
    const box = view.page.getByRole('textbox', { name: 'Title of the thread' });
    await view.page.keyboard.press('ArrowDown');
    await view.page.keyboard.press('F2');
    assert.equal(await box.inputValue(), aHistory()[0]?.title);
    await view.page.keyboard.type('Uploads');
    await view.page.keyboard.press('Enter');
    assert.deepEqual(await view.requested('thread-rename'), [
      { threadId: 'thread-1', title: 'Uploads' },
    ]);
    await view.until(async () => (await view.focusedName()).startsWith('Uploads'), 'the new name');
    for (const [text, key] of [
      ['Nonsense', 'Escape'],
      ['   ', 'Enter'],
    ] as const) {
      await view.page.keyboard.press('F2');
      await box.fill(text);
      await box.press(key);
      await box.waitFor({ state: 'detached' });
      assert.match(await view.focusedName(), /^Uploads/);
    }
    assert.equal(view.host.requestsFor('thread-rename').length, 1);
    assert.equal((await titles(view))[0], 'Uploads');
  });

  it('leaves Enter to the input method while it composes a title', async () => {
    const view = await openHistory(tester);
    const box = view.page.getByRole('textbox', { name: 'Title of the thread' });
    await view.page.keyboard.press('ArrowDown');
    await view.page.keyboard.press('F2');
    await box.fill('かん');
    for (const init of [{ isComposing: true }, { keyCode: 229 }])
      await box.dispatchEvent('keydown', { key: 'Enter', bubbles: true, ...init });
    assert.equal(await box.inputValue(), 'かん');
  });

  it('leaves other keys in the box of a title to the panel and to VS Code', async () => {
    const view = await openHistory(tester);
    await view.page.keyboard.press('ArrowDown');
    await view.page.keyboard.press('F2');
    await view.page.evaluate(() => {
      window.addEventListener('keydown', ({ key }) => (document.title += ` ${key}`));
    });
    await view.page.keyboard.type('Uploads');
    await view.page.keyboard.press('F1');
    assert.match(await view.page.title(), /F1$/, 'VS Code listens on the window');
    await view.page.keyboard.press('Control+f');
    await view.until(
      () => search(view).evaluate((box) => box === document.activeElement),
      'the focus in the search box',
    );
    assert.deepEqual(await view.requested('thread-rename'), [
      { threadId: 'thread-1', title: 'Uploads' },
    ]);
  });

  it('saves a name by its button and a click elsewhere', async () => {
    const view = await openHistory(tester);
    await row(view, /rotate a key/).hover();
    await row(view, /rotate a key/)
      .getByRole('button', { name: 'Rename' })
      .click();
    await view.page.getByRole('textbox', { name: 'Title of the thread' }).fill('Key rotation');
    await search(view).click();
    assert.deepEqual(await view.requested('thread-rename'), [
      { threadId: 'auth', title: 'Key rotation' },
    ]);
    await row(view, /^Key rotation/).waitFor();
  });

  it('deletes with a way back, by key and by button, and leaves the focus at the neighbour', async () => {
    const view = await openHistory(tester);
    await view.page.keyboard.press('ArrowDown');
    await view.page.keyboard.press('ArrowDown');
    await view.page.keyboard.press('Delete');
    assert.deepEqual(await view.requested('thread-delete'), [{ threadId: 'auth' }]);
    await view.page.getByRole('status').getByText('Deleted “').waitFor();
    await view.until(async () => (await rows(view).count()) === 5, 'one thread less');
    assert.doesNotMatch(await view.focusedName(), /rotate/);
    assert.notEqual(await view.focusedName(), '');
    await view.button('Undo').click();
    assert.deepEqual(await view.requested('thread-restore'), [{ threadId: 'auth' }]);
    await view.until(async () => (await view.focusedName()).includes('rotate a key'), 'it is back');
    await row(view, /Python/).hover();
    await row(view, /Python/)
      .getByRole('button', { name: 'Delete' })
      .click();
    await view.requested('thread-delete', 2);
    await view.button('Undo').waitFor();
    await view.page.keyboard.press('Control+z');
    assert.deepEqual((await view.requested('thread-restore', 2))[1], { threadId: 'paging' });
    assert.equal(await view.button('Undo').isVisible(), false);
  });

  it('leaves Ctrl+Z in the search box to what is typed there', async () => {
    const view = await openHistory(tester);
    await view.page.keyboard.press('ArrowDown');
    await view.page.keyboard.press('Delete');
    await view.button('Undo').waitFor();
    await search(view).pressSequentially('py');
    await search(view).press('Control+z');
    await view.until(async () => (await search(view).inputValue()) !== 'py', 'the text before');
    assert.deepEqual(view.host.requestsFor('thread-restore'), []);
    assert.equal(await view.button('Undo').isVisible(), true);
  });

  it('takes the way back away when it is dismissed, and leaves the focus in the list', async () => {
    const view = await openHistory(tester);
    await view.page.keyboard.press('ArrowDown');
    await view.page.keyboard.press('Delete');
    await view.button('Undo').waitFor();
    await view.button('Dismiss').focus();
    await view.page.keyboard.press('Enter');
    await view.button('Undo').waitFor({ state: 'hidden' });
    assert.match(await view.focusedName(), /rotate a key/);
    await view.page.keyboard.press('Control+z');
    await view.drawn();
    assert.deepEqual(view.host.requestsFor('thread-restore'), []);
  });

  it('deletes one thread for one press of the key, however long it is held', async () => {
    const view = await openHistory(tester);
    await view.page.keyboard.press('ArrowDown');
    await view.page.keyboard.down('Delete');
    await view.until(async () => (await rows(view).count()) === 5, 'one thread less');
    for (let times = 0; times < 3; times++) await view.page.keyboard.down('Delete');
    await view.drawn();
    assert.deepEqual(await view.requested('thread-delete'), [{ threadId: 'thread-1' }]);
  });

  it('asks once to delete a thread, however often the key is pressed', async () => {
    const view = await openHistory(tester);
    let answer = (): void => undefined;
    view.host.answers['thread-delete'] = () =>
      new Promise((resolve) => {
        answer = () => resolve(null);
      });
    await view.page.keyboard.press('ArrowDown');
    for (let times = 0; times < 3; times++) await view.page.keyboard.press('Delete');
    await view.requested('thread-delete');
    answer();
    await view.button('Undo').waitFor();
    assert.deepEqual(view.host.requestsFor('thread-delete'), [{ threadId: 'thread-1' }]);
  });

  it('leaves a title that is being written alone while the list changes around it', async () => {
    const view = await openHistory(tester);
    for (const key of ['ArrowDown', 'ArrowDown', 'F2']) await view.page.keyboard.press(key);
    await view.page.keyboard.type('Half a ti');
    view.host.history = view.host.history.slice(1);
    await view.page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await view.until(async () => (await rows(view).count()) === 5, 'one thread less');
    await view.page.keyboard.type('tle');
    assert.deepEqual(view.host.requestsFor('thread-rename'), []);
    await view.page.keyboard.press('Enter');
    assert.deepEqual(await view.requested('thread-rename'), [
      { threadId: 'auth', title: 'Half a title' },
    ]);
  });

  it('offers the way back where the last thread went', async () => {
    const view = await openHistory(tester, [aHistoryEntry(0)]);
    await view.page.keyboard.press('ArrowDown');
    await view.page.keyboard.press('Delete');
    await view.page.getByText('This site has no earlier threads.').waitFor();
    await view.until(async () => (await view.focusedName()) === 'Undo', 'Undo');
    await view.page.keyboard.press('Enter');
    await rows(view).first().waitFor();
  });

  it('says that a thread is gone, and lists those that are there', async () => {
    const view = await openHistory(tester);
    const gone = anError({
      code: 'thread-gone',
      message: 'This thread no longer exists.',
      actions: [],
    });
    for (const name of ['thread-open', 'thread-delete', 'thread-rename'] as const) {
      view.host.answers[name] = () => {
        throw new Refusal(gone);
      };
    }
    view.host.history = view.host.history.filter(({ id }) => id !== 'auth');
    await row(view, /rotate a key/).click();
    await view.page.getByRole('alert').getByText('no longer exists').waitFor();
    await row(view, /rotate a key/).waitFor({ state: 'detached' });
    assert.ok(await search(view).isVisible());
    view.host.history = view.host.history.filter(({ id }) => id !== 'paging');
    await row(view, /Python/).focus();
    await view.page.keyboard.press('Delete');
    await row(view, /Python/).waitFor({ state: 'detached' });
    assert.equal(await view.button('Undo').isVisible(), false);
  });

  it('stays where the shown thread is deleted, with an empty one below it', async () => {
    const view = await openHistory(tester);
    view.host.answers['thread-delete'] = async ({ threadId }) => {
      view.host.history = view.host.history.filter(({ id }) => id !== threadId);
      await view.host.emit('thread-shown', { thread: { id: 'new', title: '', messages: [] } });
      return null;
    };
    await view.page.keyboard.press('ArrowDown');
    await view.page.keyboard.press('Delete');
    await row(view, /413/).waitFor({ state: 'detached' });
    await view.button('Undo').waitFor();
    assert.ok(await search(view).isVisible());
    await view.page.keyboard.press('Escape');
    await view.page.getByText('Ask your docs').waitFor();
  });
});
