import assert from 'node:assert/strict';
import type { MessageView } from '../../../src/shared/uiMessage';
import { aContextItem, anError, aQuestion, aReply, aSource, aView } from './conversations';
import { Refusal } from '../fakeHost';
import { useViewTester, type OpenView } from '../harness';

describe('versions of a message, and what can be done with one', () => {
  const tester = useViewTester();

  const editBox = (view: OpenView) => view.page.getByRole('textbox', { name: 'Edited question' });

  const firstVersion = (): MessageView[] => [
    aQuestion({ id: 'q-1', text: 'How?', branch: { index: 0, count: 2 } }),
    aReply({ id: 'r-1' }),
  ];
  const secondVersion = (): MessageView[] => [
    aQuestion({ id: 'q-2', text: 'How, in Python?', branch: { index: 1, count: 2 } }),
    aReply({ id: 'r-2', branch: { index: 0, count: 2 } }),
  ];

  /** Shows the other version of the question when it is asked for, as the host does. */
  const openVersions = async (): Promise<OpenView> => {
    const view = await tester.open(aView({ messages: firstVersion() }));
    view.host.answers['branch-show'] = async ({ index }) => {
      const messages = index === 0 ? firstVersion() : secondVersion();
      await view.host.emit('thread-shown', { thread: { ...view.host.view.thread, messages } });
      return null;
    };
    return view;
  };

  it('shows which version this is, and goes to the next and back with the focus kept', async () => {
    const view = await openVersions();
    const group = view.page.getByRole('group', { name: 'Version 1 of 2' });
    assert.equal((await group.innerText()).replace(/\s+/g, ' '), '1 / 2');
    assert.equal(await group.getByRole('button').first().getAttribute('aria-disabled'), 'true');
    await group.getByRole('button', { name: 'Next Version' }).click();
    assert.deepEqual(await view.requested('branch-show'), [{ messageId: 'q-1', index: 1 }]);
    await view.page.getByText('How, in Python?').waitFor();
    const question = view.page.locator('.question');
    assert.equal(await question.getByRole('group').getAttribute('aria-label'), 'Version 2 of 2');
    await view.until(async () => (await view.focusedName()) === 'Next Version', 'the focus');
    // It is the last one: the key does nothing.
    await view.page.keyboard.press('Enter');
    await view.page.keyboard.press('Alt+ArrowLeft');
    assert.deepEqual((await view.requested('branch-show', 2))[1], { messageId: 'q-2', index: 0 });
    await view.until(async () => (await view.focusedName()) === 'Previous Version', 'the focus');
    assert.equal(view.host.requestsFor('branch-show').length, 2);
  });

  it('goes through the versions of a message that has the focus by Alt and the arrow keys', async () => {
    const view = await openVersions();
    await view.page.locator('.question').evaluate((question: HTMLElement) => {
      if (!question.hasAttribute('tabindex')) question.tabIndex = -1;
      question.focus();
    });
    await view.page.keyboard.press('Alt+ArrowRight');
    await view.page.getByText('How, in Python?').waitFor();
    await view.until(
      () =>
        view.page.evaluate(() => document.activeElement?.getAttribute('data-message-id') === 'q-2'),
      'the focus on the other version',
    );
  });

  it('asks again for any finished reply, not for one that Retry is offered for', async () => {
    const view = await tester.open(
      aView({
        messages: [
          aQuestion({ id: 'q-1' }),
          aReply({ id: 'r-1' }),
          aQuestion({ id: 'q-2' }),
          aReply({ id: 'r-2', status: 'incomplete' }),
        ],
      }),
    );
    const regenerate = view.page.getByRole('button', { name: 'Regenerate' });
    assert.equal(await regenerate.count(), 1);
    await view.page.locator('.reply').first().hover();
    await regenerate.click();
    assert.deepEqual(await view.requested('reply-retry'), [{ messageId: 'r-1' }]);
  });

  it('turns off what cannot be done while a reply runs, and on again', async () => {
    const view = await openVersions();
    await view.host.addMessage(aQuestion({ id: 'q-9' }));
    await view.host.addMessage(aReply({ id: 'r-9', parts: [], status: 'waiting' }));
    const edit = view.page.locator('.edit-question').first();
    const tools = [
      edit,
      view.page.locator('.regenerate').first(),
      view.page.getByRole('button', { name: 'Next Version' }).first(),
    ];
    await view.until(async () => (await edit.getAttribute('aria-disabled')) === 'true', 'off');
    for (const tool of tools) {
      assert.equal(await tool.getAttribute('aria-disabled'), 'true');
      await tool.dispatchEvent('click');
    }
    assert.equal(await editBox(view).count(), 0);
    await view.host.setStatus('r-9', 'complete');
    await view.until(async () => (await edit.getAttribute('aria-disabled')) === null, 'on');
    for (const tool of tools) assert.equal(await tool.getAttribute('aria-disabled'), null);
    assert.deepEqual(view.host.requestsFor('reply-retry'), []);
    assert.deepEqual(view.host.requestsFor('branch-show'), []);
  });

  it('edits a question in its place and asks it again with Enter', async () => {
    const view = await tester.open(
      aView({
        messages: [
          aQuestion({ id: 'q-1', text: 'Why?\nSay it', contextItems: [aContextItem()] }),
          aReply({ id: 'r-1' }),
        ],
      }),
    );
    view.host.answers['question-edit'] = async ({ text }) => {
      const messages = [
        aQuestion({ id: 'q-2', text, branch: { index: 1, count: 2 } }),
        aReply({ id: 'r-2', parts: [], status: 'waiting' }),
      ];
      await view.host.emit('thread-shown', { thread: { ...view.host.view.thread, messages } });
      return { messageId: 'r-2' };
    };
    await view.page.locator('.question').hover();
    await view.button('Edit and Resend').click();
    assert.equal(await editBox(view).inputValue(), 'Why?\nSay it');
    assert.ok(await view.page.locator('.question .chip').isVisible());
    await view.page.keyboard.type(' again');
    await view.page.keyboard.press('Shift+Enter');
    await view.page.keyboard.type('please');
    await view.page.keyboard.press('Enter');
    const text = 'Why?\nSay it again\nplease';
    assert.deepEqual(await view.requested('question-edit'), [{ messageId: 'q-1', text }]);
    await editBox(view).waitFor({ state: 'detached' });
    assert.equal(await view.page.locator('.question-text').textContent(), text);
    await view.until(
      () =>
        view.page.evaluate(() => document.activeElement?.getAttribute('data-message-id') === 'q-2'),
      'the focus on the changed question',
    );
  });

  it('leaves the focus alone when what was wanted comes another way, or not at all', async () => {
    const view = await openVersions();
    const seesLater = async (id: string, index: number) => {
      await view.composer.focus();
      await view.host.addMessage(aQuestion({ id, branch: { index, count: 3 } }));
      await view.page.locator(`[data-message-id="${id}"]`).waitFor();
      await view.drawn();
      assert.equal(await view.focusedName(), 'Question', id);
    };
    view.host.answers['branch-show'] = () => {
      throw new Refusal(anError({ message: 'Not now.', actions: [] }));
    };
    await view.page.getByRole('button', { name: 'Next Version' }).click();
    await view.page.getByRole('alert').getByText('Not now.').waitFor();
    await seesLater('refused', 1);

    view.host.answers['question-edit'] = async ({ text }) => {
      const messages = [aQuestion({ id: 'q-3', text, branch: { index: 2, count: 3 } })];
      await view.host.emit('thread-shown', { thread: { ...view.host.view.thread, messages } });
      await view.page.locator('[data-message-id="q-3"]').waitFor();
      return { messageId: 'r-3' };
    };
    await view.page.locator('.edit-question').first().focus();
    await view.page.keyboard.press('Enter');
    await editBox(view).press('Enter');
    await view.page.locator('[data-message-id="q-3"]').waitFor();
    await seesLater('drawn before', 2);
  });

  it('leaves the question as it was with Escape, and the focus where it came from', async () => {
    const view = await tester.open(aView({ messages: [aQuestion({ text: 'Why?' }), aReply()] }));
    await view.page.locator('.edit-question').focus();
    await view.page.keyboard.press('Enter');
    await editBox(view).waitFor();
    await view.page.keyboard.type(' Not sent');
    await view.page.keyboard.press('Escape');
    assert.equal(await view.page.locator('.question-text').textContent(), 'Why?');
    assert.equal(await view.focusedName(), 'Edit and Resend');
    assert.deepEqual(view.host.requestsFor('question-edit'), []);
  });

  it('keeps an edited question over a reload, until it is sent or discarded', async () => {
    const messages = [aQuestion({ id: 'q-1', text: 'Why?' }), aReply()];
    const view = await tester.open(aView({ messages }));
    await view.page.locator('.edit-question').focus();
    await view.page.keyboard.press('Enter');
    await view.page.keyboard.type(' Half a change');
    await view.stateHolds('Why? Half a change');
    await view.reload();
    assert.equal(await editBox(view).inputValue(), 'Why? Half a change');
    // Nobody asked for the cursor to be there.
    assert.equal(await editBox(view).evaluate((box) => box.matches(':focus')), false);
    await editBox(view).press('Escape');
    assert.equal(await view.page.locator('.question-text').textContent(), 'Why?');
    await view.until(() => !JSON.stringify(view.state ?? null).includes('Half a change'), 'gone');
    await view.reload();
    assert.equal(await editBox(view).count(), 0);
  });

  it('does not send an edited question that comes back while a reply runs', async () => {
    const messages = [aQuestion({ id: 'q-1', text: 'Why?' }), aReply({ status: 'streaming' })];
    const view = await tester.open(aView({ messages: [aQuestion({ id: 'q-1' }), aReply()] }));
    await view.page.locator('.edit-question').focus();
    await view.page.keyboard.press('Enter');
    await view.page.keyboard.type(' Half a change');
    await view.stateHolds('Half a change');
    const { thread } = view.host.view;
    view.host.view = { ...view.host.view, thread: { ...thread, messages } };
    await view.reload();
    await editBox(view).press('Enter');
    assert.equal(await view.button('Send Again').isDisabled(), true);
    await view.host.setStatus('reply-1', 'complete');
    await view.button('Send Again').click();
    assert.equal((await view.requested('question-edit')).length, 1);
  });

  it('says why an edited question is not sent while a reply runs', async () => {
    const messages = [aQuestion({ id: 'q-1' }), aReply({ id: 'r-1' })];
    const view = await tester.open(aView({ messages }));
    await view.page.locator('.edit-question').focus();
    await view.page.keyboard.press('Enter');
    await view.host.addMessage(aQuestion({ id: 'q-2' }));
    await view.host.addMessage(aReply({ id: 'r-2', status: 'streaming' }));
    await view.button('Stop').waitFor();
    await editBox(view).press('Enter');
    const why = view.page
      .getByRole('alert')
      .getByText('You can send it when the reply is complete.');
    await why.waitFor();
    await view.host.setStatus('r-2', 'complete');
    await why.waitFor({ state: 'detached' });
    assert.deepEqual(view.host.requestsFor('question-edit'), []);
  });

  it('edits a question after a double click too', async () => {
    const view = await tester.open(aView({ messages: [aQuestion({ text: 'Why?' }), aReply()] }));
    await view.page.locator('.question').hover();
    await view.button('Edit and Resend').dblclick();
    await view.page.keyboard.type(' Not?');
    assert.equal(await editBox(view).inputValue(), 'Why? Not?');
  });

  it('keeps an edited question while another thread is shown', async () => {
    const messages = [aQuestion({ id: 'q-1', text: 'Why?' }), aReply()];
    const view = await tester.open(aView({ messages }));
    const { thread } = view.host.view;
    await view.page.locator('.edit-question').focus();
    await view.page.keyboard.press('Enter');
    await view.page.keyboard.type(' Half a change');
    await view.host.emit('thread-shown', { thread: { id: 'other', title: '', messages: [] } });
    await editBox(view).waitFor({ state: 'detached' });
    await view.host.emit('thread-shown', { thread });
    await editBox(view).waitFor();
    assert.equal(await editBox(view).inputValue(), 'Why? Half a change');
    await editBox(view).press('Enter');
    assert.deepEqual(await view.requested('question-edit'), [
      { messageId: 'q-1', text: 'Why? Half a change' },
    ]);
  });

  it('keeps a changed question that the host refuses, and says why; an empty one is not sent', async () => {
    const view = await tester.open(aView({ messages: [aQuestion({ text: 'Why?' }), aReply()] }));
    view.host.answers['question-edit'] = () => {
      throw new Refusal(
        anError({ code: 'reply-running', message: 'A reply is still running.', actions: [] }),
      );
    };
    await view.page.locator('.question').hover();
    await view.button('Edit and Resend').click();
    await editBox(view).fill('  ');
    await editBox(view).press('Enter');
    await view.page.getByRole('alert').getByText('Type a question first.').waitFor();
    await editBox(view).fill('Why not?');
    await view.button('Send Again').click();
    await view.page.getByRole('alert').getByText('A reply is still running.').waitFor();
    assert.equal(await editBox(view).inputValue(), 'Why not?');
    assert.equal(view.host.requestsFor('question-edit').length, 1);
  });

  it('sends a changed question again after the host has refused it, and shows it at once', async () => {
    const view = await tester.open(aView({ messages: [aQuestion(), aReply()] }));
    view.host.answers['question-edit'] = () => {
      throw new Refusal(anError({ message: 'Not now.', actions: [] }));
    };
    await view.page.locator('.edit-question').focus();
    await view.page.keyboard.press('Enter');
    await editBox(view).fill('Why not?');
    await editBox(view).press('Enter');
    await view.page.getByRole('alert').getByText('Not now.').waitFor();
    delete view.host.answers['question-edit'];
    await editBox(view).press('Enter');
    await editBox(view).waitFor({ state: 'detached' });
    assert.equal(await view.page.locator('.question-text').innerText(), 'Why not?');
  });

  it('leaves Enter to the input method while it composes', async () => {
    const view = await tester.open(aView({ messages: [aQuestion(), aReply()] }));
    await view.page.locator('.edit-question').focus();
    await view.page.keyboard.press('Enter');
    for (const init of [{ isComposing: true }, { keyCode: 229 }]) {
      await editBox(view).dispatchEvent('keydown', { key: 'Enter', bubbles: true, ...init });
    }
    await view.drawn();
    assert.deepEqual(view.host.requestsFor('question-edit'), []);
    await editBox(view).press('Enter');
    await view.requested('question-edit');
  });

  it('leaves other keys in the box of a question to the panel and to VS Code', async () => {
    const view = await tester.open(aView({ messages: [aQuestion(), aReply()] }));
    await view.page.locator('.question').hover();
    await view.button('Edit and Resend').click();
    await view.page.evaluate(() => {
      window.addEventListener('keydown', ({ key }) => (document.title += ` ${key}`));
    });
    await editBox(view).press('F1');
    assert.match(await view.page.title(), /F1$/, 'VS Code listens on the window');
    await editBox(view).press('Control+f');
    await view.page.getByRole('textbox', { name: 'Find in Thread' }).waitFor();
    assert.equal(await editBox(view).count(), 1);
  });

  it('stays at the version that is edited when Alt and an arrow are pressed on its buttons', async () => {
    const view = await openVersions();
    await view.page.locator('.question').hover();
    await view.button('Edit and Resend').click();
    await view.button('Cancel').focus();
    await view.page.keyboard.press('Alt+ArrowRight');
    await view.drawn();
    assert.deepEqual(view.host.requestsFor('branch-show'), []);
    assert.equal(await editBox(view).inputValue(), 'How?');
  });

  it('asks nothing again by an Enter that is held on the button for editing', async () => {
    const view = await tester.open(aView({ messages: [aQuestion(), aReply()] }));
    await view.page.locator('.edit-question').focus();
    await view.page.keyboard.down('Enter');
    await editBox(view).waitFor();
    await view.page.keyboard.down('Enter');
    await view.page.keyboard.up('Enter');
    await view.drawn();
    assert.equal(await editBox(view).count(), 1);
    assert.deepEqual(view.host.requestsFor('question-edit'), []);
  });

  it('copies a question and a reply as Markdown, with what went along and its sources', async () => {
    const view = await tester.open(
      aView({
        messages: [
          aQuestion({
            text: 'Why **413**?',
            contextItems: [aContextItem({ path: 'src/a`b.ts', startLine: 3, endLine: 9 })],
            files: [{ id: 'f', filename: 'log.txt', mediaType: 'text/plain', sizeBytes: 1_500 }],
          }),
          aReply({
            parts: [
              { type: 'text', text: 'It is **too large**.' },
              aSource(1, { title: 'Limits' }),
            ],
          }),
        ],
      }),
    );
    await view.page.locator('.question').hover();
    await view.waitForName('Copied', () => view.button('Copy Message as Markdown').click());
    // At its corner: the card of a source under the pointer would cover the button.
    await view.page.locator('.reply').hover({ position: { x: 1, y: 1 } });
    await view.button('Copy Reply as Markdown').click();
    const copied = await view.requested('code-copy', 2);
    assert.deepEqual(
      copied.map(({ text }) => text),
      [
        'Why **413**?\n\n- ``src/a`b.ts:3-9``\n- `log.txt`\n',
        'It is **too large**.\n\n---\n\n1. [Limits](<https://docs.acme.example/page-1>)\n',
      ],
    );
    assert.match(await view.page.locator('.question-files').innerText(), /log\.txt\s*1\.5 KB/);
  });

  it('copies sensible text from a selection', async () => {
    const view = await tester.open(
      aView({
        messages: [
          aQuestion({ text: 'Why 413?', branch: { index: 0, count: 2 } }),
          aReply({
            parts: [
              {
                type: 'text',
                text: 'It is **too large**:\n\n- one\n- two\n\n```ts\nconst a = 1;\nrun(a);\n```\n\nDone.',
              },
            ],
          }),
        ],
      }),
    );
    const selected = await view.page.evaluate(() => {
      getSelection()?.selectAllChildren(document.querySelector('.messages') ?? document.body);
      return getSelection()?.toString() ?? '';
    });
    const lines = selected.split('\n').filter((line) => line.trim() !== '');
    assert.deepEqual(lines, [
      'You',
      'Why 413?',
      'Docs Assistant',
      'It is too large:',
      'one',
      'two',
      'const a = 1;',
      'run(a);',
      'Done.',
    ]);
  });

  it('shows the buttons of a message on hover and on focus without moving anything', async () => {
    const view = await tester.open(
      aView({ messages: [aQuestion(), aReply(), aQuestion({ id: 'q-2' }), aReply({ id: 'r-2' })] }),
    );
    const first = view.page.locator('.reply').first();
    const opacity = () =>
      first.locator('.message-toolbar').evaluate((bar) => getComputedStyle(bar).opacity);
    const places = () =>
      view.page.evaluate(() =>
        [...document.querySelectorAll('.message')].map((message) => {
          const { top, height } = message.getBoundingClientRect();
          return [top, height];
        }),
      );
    await view.composer.hover();
    const before = await places();
    assert.equal(await opacity(), '0');
    await first.hover();
    assert.equal(await opacity(), '1');
    assert.deepEqual(await places(), before);
    await view.composer.hover();
    await first.locator('.copy-reply').focus();
    assert.equal(await opacity(), '1');
    assert.deepEqual(await places(), before);
  });
});
