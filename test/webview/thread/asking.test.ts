import assert from 'node:assert/strict';
import { describeError } from '../../../src/common/describeError';
import { DocsAssistantError } from '../../../src/common/errors';
import { MAX_QUESTION_LENGTH } from '../../../src/shared/limits';
import { aContextItem, anError, aQuestion, aReply, aSite, aView } from './conversations';
import { Refusal } from '../fakeHost';
import { useViewTester } from '../harness';

describe('asking in the chat view', () => {
  const tester = useViewTester();
  /** Opens a view whose last reply still runs. */
  const openRunning = (): ReturnType<typeof tester.open> =>
    tester.open(aView({ messages: [aQuestion(), aReply({ id: 'running', status: 'streaming' })] }));

  it('sends the text with Enter, exactly as typed, and clears the box', async () => {
    const view = await tester.open(aView());
    await view.composer.click();
    await view.page.keyboard.type('Why 413?');
    await view.page.keyboard.press('Shift+Enter');
    await view.page.keyboard.type('  <b>& "quotes"</b>');
    await view.page.keyboard.press('Enter');
    assert.deepEqual(await view.requested('question-submit'), [
      { text: 'Why 413?\n  <b>& "quotes"</b>' },
    ]);
    await view.until(async () => (await view.composer.inputValue()) === '', 'an empty box');
  });

  it('sends by its button too, which is off while there is nothing to send', async () => {
    const view = await tester.open(aView());
    await view.until(() => view.button('Send').isDisabled(), 'off');
    await view.composer.fill('   \n ');
    await view.until(() => view.button('Send').isDisabled(), 'off');
    await view.composer.fill('Why?');
    await view.button('Send').click();
    assert.deepEqual(await view.requested('question-submit'), [{ text: 'Why?' }]);
  });

  it('sends by a double click too, and neither stops the reply nor sends what is typed by one', async () => {
    const view = await tester.open(aView());
    view.host.answers['question-submit'] = async ({ text }) => {
      await view.host.addMessage(aQuestion({ text }));
      await view.host.addMessage(aReply({ parts: [], status: 'waiting' }));
      return { messageId: 'reply-1' };
    };
    view.host.answers['reply-stop'] = async ({ messageId }) => {
      await view.host.setStatus(messageId, 'stopped');
      return null;
    };
    const doubleClick = async (first: string, then: string) => {
      await view.button(first).click();
      await view.button(then).waitFor();
      await view.drawn();
      await view.page.mouse.down({ clickCount: 2 });
      await view.page.mouse.up({ clickCount: 2 });
    };
    await view.composer.fill('Why?');
    await doubleClick('Send', 'Stop');
    await view.composer.fill('And then?');
    await view.drawn();
    assert.deepEqual(view.host.requestsFor('reply-stop'), []);
    await doubleClick('Stop', 'Send');
    await view.drawn();
    assert.equal(await view.composer.inputValue(), 'And then?');
    assert.deepEqual(view.host.requestsFor('question-submit'), [{ text: 'Why?' }]);
  });

  it('takes a click into the empty space around its text', async () => {
    const view = await tester.open(aView());
    await view.page.locator('.composer-box').click({ position: { x: 3, y: 3 } });
    await view.page.keyboard.type('Why?');
    assert.equal(await view.composer.inputValue(), 'Why?');
  });

  it('does not send an empty question, and says why', async () => {
    const view = await tester.open(aView());
    await view.composer.press('Enter');
    await view.page.getByRole('alert').getByText('Type a question first.').waitFor();
    await view.composer.press('a');
    await view.page.getByRole('alert').waitFor({ state: 'hidden' });
    assert.deepEqual(view.host.requestsFor('question-submit'), []);
  });

  it('asks for no question after an Enter that was pressed twice', async () => {
    const view = await tester.open(aView());
    view.host.answers['question-submit'] = async ({ text }) => {
      await view.host.addMessage(aQuestion({ text }));
      await view.host.addMessage(aReply({ parts: [], status: 'waiting' }));
      return { messageId: 'reply-1' };
    };
    await view.composer.fill('Why?');
    await view.composer.press('Enter');
    await view.composer.press('Enter');
    await view.button('Stop').waitFor();
    await view.composer.press('Enter');
    await view.drawn();
    assert.equal(await view.page.getByText('Type a question first.').count(), 0);
    assert.deepEqual(view.host.requestsFor('question-submit'), [{ text: 'Why?' }]);
  });

  it('asks for no question after a second Enter before the reply is drawn', async () => {
    const view = await tester.open(aView());
    await view.stopClock();
    view.host.answers['question-submit'] = async ({ text }) => {
      await view.host.addMessage(aQuestion({ text }));
      await view.host.addMessage(aReply({ parts: [], status: 'waiting' }));
      return { messageId: 'reply-1' };
    };
    await view.composer.fill('Why?');
    await view.composer.press('Enter');
    await view.requested('question-submit');
    for (let frame = 0; frame < 5; frame++) await view.drawn();
    assert.equal(await view.button('Stop').count(), 0, 'nothing is drawn');
    await view.composer.press('Enter');
    assert.equal(await view.page.getByText('Type a question first.').count(), 0);

    await view.page.clock.runFor(1_000);
    await view.host.setStatus('reply-1', 'complete');
    await view.page.clock.runFor(1_000);
    await view.composer.press('Enter');
    assert.equal(await view.page.getByText('Type a question first.').count(), 1);
  });

  it('leaves Enter to the input method while it composes', async () => {
    const view = await tester.open(aView());
    await view.composer.fill('かん');
    for (const init of [{ isComposing: true }, { keyCode: 229 }]) {
      await view.composer.dispatchEvent('keydown', {
        key: 'Enter',
        bubbles: true,
        composed: true,
        ...init,
      });
    }
    assert.equal(await view.composer.inputValue(), 'かん');
    await view.composer.press('Enter');
    assert.deepEqual(await view.requested('question-submit'), [{ text: 'かん' }]);
  });

  it('says how much too long a question is, and keeps it', async () => {
    const view = await tester.open(aView());
    await view.composer.fill('x'.repeat(MAX_QUESTION_LENGTH + 5));
    const alert = view.page.getByRole('alert');
    assert.match(await alert.innerText(), /100,005 characters\. Questions can have up to 100,000/);
    await view.until(() => view.button('Send').isDisabled(), 'off');
    await view.composer.press('Enter');
    assert.equal((await view.composer.inputValue()).length, MAX_QUESTION_LENGTH + 5);
    await view.composer.fill('x'.repeat(MAX_QUESTION_LENGTH - 5));
    await view.until(() => view.button('Send').isEnabled(), 'on');
    assert.deepEqual(view.host.requestsFor('question-submit'), []);
  });

  it('says once that a question is too long, however much changes beside it', async () => {
    const view = await tester.open(
      aView({ messages: [aQuestion(), aReply({ status: 'streaming' })] }),
    );
    await view.composer.fill('x'.repeat(MAX_QUESTION_LENGTH + 5));
    await view.page
      .getByRole('alert')
      .getByText('Questions can have up to')
      .evaluate((said) => {
        said.setAttribute('data-said', '');
      });
    await view.host.sendOps(' And on.');
    await view.replyShows(/And on\./);
    assert.equal(await view.page.locator('[data-said]').count(), 1);
  });

  it('puts the text back, before what was typed since, when the host does not take it', async () => {
    let refuse: (() => void) | undefined;
    const view = await tester.open(aView(), {
      prepare: (host) => {
        host.answers['question-submit'] = () =>
          new Promise((_, reject) => {
            refuse = () => reject(new Refusal(anError({ message: 'A reply is still running.' })));
          });
      },
    });
    await view.composer.fill('First question');
    await view.composer.press('Enter');
    await view.requested('question-submit');
    await view.composer.fill('second');
    refuse?.();
    await view.page.getByRole('alert').getByText('A reply is still running.').waitFor();
    assert.equal(await view.composer.inputValue(), 'First question\n\nsecond');
  });

  it('does not send twice while the host has not answered', async () => {
    const view = await tester.open(aView(), {
      prepare: (host) => {
        host.answers['question-submit'] = () => new Promise(() => undefined);
      },
    });
    await view.composer.fill('One');
    await view.composer.press('Enter');
    await view.requested('question-submit');
    await view.composer.fill('Two');
    await view.composer.press('Enter');
    await view.drawn();
    assert.equal(view.host.requestsFor('question-submit').length, 1);
    assert.equal(await view.composer.inputValue(), 'Two');
  });

  it('queues one question while a reply runs, and says so above the box', async () => {
    const view = await openRunning();
    view.host.answers['question-submit'] = async ({ text }) => {
      await view.host.emit('context-items', { items: [], queued: { text, isWaiting: true } });
      return { isQueued: true };
    };
    view.host.answers['queued-remove'] = async () => {
      await view.host.emit('context-items', { items: [] });
      return null;
    };
    const queued = view.page.getByRole('group', { name: 'Next question' });
    await view.composer.fill('And <b>then</b>?');
    await view.composer.press('Enter');
    assert.deepEqual(await view.requested('question-submit'), [{ text: 'And <b>then</b>?' }]);
    await queued.getByText('And <b>then</b>?').waitFor();
    await queued.getByText('It’s sent when the reply is complete.').waitFor();
    assert.equal(await view.composer.inputValue(), '');
    assert.ok(await view.button('Stop').isEnabled());

    await view.composer.fill('Third');
    await view.composer.press('Enter');
    await view.page.getByRole('alert').getByText('Only one question can be queued.').waitFor();
    assert.equal(view.host.requestsFor('question-submit').length, 1);
    assert.equal(await view.composer.inputValue(), 'Third');

    await view.button('Edit Next Question').click();
    assert.deepEqual(await view.requested('queued-remove'), [{}]);
    await queued.waitFor({ state: 'hidden' });
    assert.equal(await view.composer.inputValue(), 'Third\n\nAnd <b>then</b>?');
    await view.composer.press('Enter');
    await queued.waitFor();
    await view.button('Remove Next Question').click();
    await queued.waitFor({ state: 'hidden' });
    assert.equal(view.host.requestsFor('queued-remove').length, 2);
    assert.equal(await view.composer.inputValue(), '');
  });

  it('keeps a queued question that is edited while the box has its words in another one', async () => {
    const view = await tester.open(
      aView({
        messages: [aQuestion(), aReply({ status: 'streaming' })],
        queued: { text: 'And then?', isWaiting: true },
      }),
    );
    await view.composer.fill('What happens first? And then?');
    await view.button('Edit Next Question').click();
    await view.requested('queued-remove');
    assert.equal(await view.composer.inputValue(), 'What happens first? And then?\n\nAnd then?');
  });

  it('shows a queued question that was kept, and lets the next question go', async () => {
    const messages = [aQuestion(), aReply({ id: 'r1', status: 'stopped' })];
    const view = await tester.open(
      aView({ messages, queued: { text: 'Later?', isWaiting: false } }),
    );
    const queued = view.page.getByRole('group', { name: 'Next question' });
    await queued.getByText('It wasn’t sent.').waitFor();
    await view.composer.fill('Now?');
    await view.composer.press('Enter');
    assert.deepEqual(await view.requested('question-submit'), [{ text: 'Now?' }]);
  });

  it('stops a running reply, and keeps what was typed meanwhile', async () => {
    const view = await openRunning();
    await view.composer.fill('Next');
    await view.button('Stop').click();
    assert.deepEqual(await view.requested('reply-stop'), [{ messageId: 'running' }]);
    await view.host.setStatus('running', 'stopped');
    await view.page.locator('.reply').getByText('You stopped this reply.').waitFor();
    await view.button('Send').click();
    assert.deepEqual(await view.requested('question-submit'), [{ text: 'Next' }]);
  });

  it('sends no draft by the space bar on Stop when the reply ends before the release', async () => {
    const view = await openRunning();
    await view.composer.fill('Half a thou');
    await view.button('Stop').focus();
    await view.page.keyboard.down('Space');
    await view.host.setStatus('running', 'complete');
    await view.button('Send').waitFor();
    await view.page.keyboard.down('Space');
    await view.page.keyboard.up('Space');
    await view.drawn();
    assert.equal(await view.composer.inputValue(), 'Half a thou');
    assert.deepEqual(view.host.requestsFor('question-submit'), []);

    await view.button('Send').press('Space');
    assert.deepEqual(await view.requested('question-submit'), [{ text: 'Half a thou' }]);
  });

  it('sends a draft by a click after a press of the space bar on Stop that left the button', async () => {
    const view = await openRunning();
    await view.composer.fill('Next');
    await view.button('Stop').focus();
    await view.page.keyboard.down('Space');
    await view.composer.focus();
    await view.page.keyboard.up('Space');
    await view.host.setStatus('running', 'complete');
    await view.button('Send').click();
    assert.deepEqual(await view.requested('question-submit'), [{ text: 'Next' }]);
  });

  it('sends no draft by an Enter that is held on Stop', async () => {
    const view = await openRunning();
    await view.composer.fill('Half a thou');
    await view.button('Stop').focus();
    await view.page.keyboard.down('Enter');
    await view.requested('reply-stop');
    await view.page.keyboard.down('Enter');
    await view.page.keyboard.up('Enter');
    await view.drawn();
    assert.equal(await view.composer.inputValue(), 'Half a thou');
    assert.deepEqual(view.host.requestsFor('question-submit'), []);
  });

  it('recalls earlier questions with Up in an empty box, and comes back with Down', async () => {
    const questions = ['first', 'second\nwith two lines', 'third'];
    const view = await tester.open(
      aView({
        messages: questions.flatMap((text, index) => [
          aQuestion({ id: `q${index}`, text }),
          aReply({ id: `r${index}` }),
        ]),
      }),
    );
    const value = () => view.composer.inputValue();
    await view.composer.press('ArrowUp');
    assert.equal(await value(), 'third');
    await view.composer.press('ArrowUp');
    assert.equal(await value(), 'second\nwith two lines');
    await view.composer.press('ArrowUp');
    await view.composer.press('ArrowUp');
    assert.equal(await value(), 'first');
    for (let step = 0; step < 3; step++) await view.composer.press('ArrowDown');
    assert.equal(await value(), '');
    await view.composer.fill('typed');
    await view.composer.press('ArrowUp');
    assert.equal(await value(), 'typed');
    await view.composer.press('ArrowDown');
    assert.equal(await value(), 'typed');
  });

  it('goes through the lines of a recalled question, and to an earlier one from its end only', async () => {
    const text = 'Two\nlines';
    const view = await tester.open(
      aView({
        messages: [
          aQuestion({ id: 'q-1', text: 'First' }),
          aReply({ id: 'r-1' }),
          aQuestion({ id: 'q-2', text }),
          aReply({ id: 'r-2' }),
        ],
      }),
    );
    await view.composer.press('ArrowUp');
    assert.equal(await view.composer.inputValue(), text);
    await view.composer.press('Home');
    await view.composer.press('ArrowUp');
    assert.equal(await view.composer.inputValue(), text);
    await view.composer.press('Control+End');
    await view.composer.press('ArrowUp');
    assert.equal(await view.composer.inputValue(), 'First');
  });

  it('undoes a recalled question as a whole, and then what was typed before it', async () => {
    const view = await tester.open(
      aView({ messages: [aQuestion({ text: 'First\nquestion' }), aReply()] }),
    );
    await view.composer.click();
    await view.page.keyboard.type('ab');
    await view.page.keyboard.press('Control+a');
    await view.page.keyboard.press('Delete');
    await view.page.keyboard.press('ArrowUp');
    assert.equal(await view.composer.inputValue(), 'First\nquestion');
    for (const before of ['', 'ab']) {
      await view.page.keyboard.press('Control+z');
      assert.equal(await view.composer.inputValue(), before);
    }
  });

  it('takes offered text without overwriting what was typed', async () => {
    const view = await tester.open(aView());
    await view.host.emit('composer-focus', { text: 'Explain this' });
    await view.until(async () => (await view.composer.inputValue()) === 'Explain this', 'the text');
    assert.equal(await view.composer.evaluate((box) => box.matches(':focus')), true);
    await view.composer.fill('My words');
    await view.host.emit('composer-focus', { text: 'Explain this' });
    await view.until(
      async () => (await view.composer.inputValue()) === 'My words\n\nExplain this',
      'both texts',
    );
    await view.host.emit('composer-focus', { text: 'Explain this' });
    await view.host.emit('composer-focus', {});
    await view.drawn();
    assert.equal(await view.composer.inputValue(), 'My words\n\nExplain this');
  });

  it('takes every text that is offered before the panel is there', async () => {
    const view = await tester.open(aView(), {
      prepare: (host) => {
        host.answers['view-ready'] = () => {
          const snapshot = host.snapshot();
          void host.emit('composer-focus', { text: 'From the first link' });
          void host.emit('composer-focus', { text: 'From the second link' });
          return snapshot;
        };
      },
    });
    await view.until(
      async () =>
        (await view.composer.inputValue()) === 'From the first link\n\nFrom the second link',
      'both texts',
    );
  });

  it('grows with its text up to a part of the view, then scrolls', async () => {
    const view = await tester.open(aView());
    const height = async () => (await view.composer.boundingBox())?.height ?? 0;
    const one = await height();
    await view.composer.fill('a\nb\nc');
    const three = await height();
    assert.ok(three > one + 20, `${one} px, then ${three} px`);
    await view.composer.fill('line\n'.repeat(200));
    assert.ok((await height()) <= 320);
    assert.equal(await view.button('Send').isVisible(), true);
    await view.composer.fill('');
    assert.equal(await height(), one);
  });

  it('keeps the draft over a reload', async () => {
    const view = await tester.open(aView());
    await view.composer.fill('Half a quest');
    await view.stateHolds('Half a quest');
    await view.reload();
    assert.equal(await view.composer.inputValue(), 'Half a quest');
    await view.until(() => view.button('Send').isEnabled(), 'on');
  });

  it('starts with a forged state as with none', async () => {
    const state = {
      schemaVersion: 1,
      draft: ['x'],
      scroll: { threadId: 1, top: -5 },
      messages: [1],
    };
    const view = await tester.open(aView(), { state });
    assert.equal(await view.composer.inputValue(), '');
  });

  it('shows context items as chips that lead to their code and can be removed', async () => {
    const items = [
      aContextItem(),
      aContextItem({
        id: 'item-2',
        label: 'guide.md',
        path: 'docs/guide.md',
        startLine: 7,
        endLine: 7,
      }),
    ];
    const view = await tester.open(aView({ contextItems: items }));
    await view.button('Show web/src/uploads/uploadClient.ts, lines 12–38').click();
    assert.deepEqual(await view.requested('context-item-reveal'), [{ itemId: 'item-1' }]);
    const remove = view.button('Remove docs/guide.md, line 7');
    await remove.focus();
    await view.page.keyboard.press('Enter');
    assert.deepEqual(await view.requested('context-item-remove'), [{ itemId: 'item-2' }]);
    await view.host.emit('context-items', { items: items.slice(0, 1) });
    await remove.waitFor({ state: 'detached' });
    assert.match(await view.focusedName(), /^Remove web/);
    await view.button('Add Selection').click();
    await view.requested('context-item-add');
  });

  it('asks a suggested question on click, and leaves the draft alone', async () => {
    const view = await tester.open(aView());
    await view.composer.fill('draft');
    await view.button('Show me pagination in Python').click();
    assert.deepEqual(await view.requested('question-submit'), [
      { text: 'Show me pagination in Python' },
    ]);
    assert.equal(await view.composer.inputValue(), 'draft');
  });

  it('offers set-up and the local service where nothing is configured', async () => {
    const view = await tester.open(
      aView({ site: aSite({ isConfigured: false, label: '' }), suggestions: [] }),
    );
    await view.button('Set Up Docs Site…').click();
    await view.button('Start Local Docs Service').click();
    assert.deepEqual(await view.requested('action-run', 2), [
      { action: 'set-up-site' },
      { action: 'start-local-service' },
    ]);
    await view.host.emit('site-changed', {
      site: aSite({ label: 'Local docs service', isLocal: true }),
      suggestions: ['What can I ask?'],
    });
    await view.button('What can I ask?').waitFor();
    assert.match(await view.page.locator('header').innerText(), /Local docs service/);
  });

  it('offers the installed packages first where nothing is configured', async () => {
    const site = aSite({ isConfigured: false, label: '', packages: 43 });
    const view = await tester.open(aView({ site, suggestions: [] }));
    assert.match(
      await view.page.locator('.empty-text').innerText(),
      /installed \(43\).*no account/,
    );
    const buttons = await view.page.locator('.empty-state .actions vscode-button').allInnerTexts();
    assert.deepEqual(buttons, ['Ask Installed Packages', 'Set Up Docs Site…', 'Choose Docs…']);
    await view.button('Ask Installed Packages').click();
    assert.deepEqual(await view.requested('action-run'), [{ action: 'ask-installed' }]);
  });

  it('shows with an asked question the package that it was narrowed to', async () => {
    const view = await tester.open(aView({ messages: [aQuestion({ package: 'next' }), aReply()] }));
    const attached = view.page.locator('.question').getByRole('list', { name: 'Files' });
    assert.deepEqual(await attached.getByRole('listitem').allInnerTexts(), ['next']);
  });

  it('says in the header to which package the next question is narrowed', async () => {
    const site = aSite({ label: 'Installed Packages · shop', isLocal: true, hasPackages: true });
    const view = await tester.open(aView({ site, package: 'next' }));
    const label = view.page.locator('.site-label');
    assert.equal(await label.innerText(), 'Installed Packages · shop › next');
    await view.host.emit('context-items', { items: [] });
    await view.until(
      async () => (await label.innerText()) === 'Installed Packages · shop',
      'all packages',
    );
  });

  it('says why an air-gapped site has no assistant, and offers the local service first', async () => {
    const unavailable = describeError(new DocsAssistantError('assistant-air-gapped'));
    const view = await tester.open(
      aView({ site: aSite({ isConfigured: false, unavailable }), suggestions: [] }),
    );
    assert.match(await view.page.locator('.empty-text').innerText(), /air-gapped site/);
    await view.button('Start Local Docs Service').click();
    await view.button('Show Feature Availability').click();
    assert.deepEqual(await view.requested('action-run', 2), [
      { action: 'start-local-service' },
      { action: 'show-features' },
    ]);
    assert.equal(await view.page.locator('.site-label').innerText(), 'acme · docs.acme.example');
    assert.equal(await view.button('Set Up Docs Site…').count(), 0);
  });

  it('shows the site and the thread’s title above the thread, and no other commands', async () => {
    const view = await tester.open(aView({ messages: [aQuestion(), aReply()] }));
    const header = view.page.getByRole('banner');
    assert.equal(await header.locator('.site-label').innerText(), 'acme · docs.acme.example');
    assert.equal(await header.getByRole('button').count(), 2, 'more than site and filter');
    await view.host.emit('thread-shown', {
      thread: { id: 'thread-2', title: 'Uploads', messages: [] },
    });
    await view.page.getByText('Ask your docs').waitFor();
    assert.equal(await header.locator('.thread-title').innerText(), 'Uploads');
  });

  it('leads from the site to its switch, and from the writer of a local service to what changes it', async () => {
    const answersWith = { kind: 'endpoint', label: 'llama3 · localhost:11434' } as const;
    for (const width of [200, 400]) {
      const view = await tester.open(
        aView({ site: aSite({ label: 'acme-docs', isLocal: true, answersWith }) }),
        { width },
      );
      const header = view.page.getByRole('banner');
      await header.getByRole('button', { name: 'Switch Site… acme-docs' }).click();
      await header.getByRole('button', { name: 'Answer With… llama3 · localhost:11434' }).click();
      assert.deepEqual(await view.requested('action-run', 2), [
        { action: 'switch-site' },
        { action: 'answer-with' },
      ]);
      await view.host.emit('site-changed', { site: aSite(), suggestions: [] });
      await header.getByText('acme · docs.acme.example').waitFor();
      assert.equal(await header.getByRole('button').count(), 2, 'more than site and filter');
      await view.host.emit('site-changed', {
        site: aSite({ label: '<b>docs</b>', isLocal: true }),
        suggestions: [],
      });
      await header.getByRole('button', { name: 'Switch Site… <b>docs</b>' }).waitFor();
      assert.equal(await header.getByRole('button').count(), 2);
    }
  });

  it('shows what the site is filtered by, and leads to what changes it', async () => {
    for (const width of [200, 400]) {
      const view = await tester.open(aView(), { width });
      const header = view.page.getByRole('banner');
      await header.getByRole('button', { name: 'Filter Docs…', exact: true }).click();
      await view.host.emit('site-changed', {
        site: aSite({ filter: { version: 'v2', language: 'de', groups: ['ad\u202emins'] } }),
        suggestions: [],
      });
      await header.getByRole('button', { name: 'Filter Docs… v2, de, admins' }).click();
      assert.deepEqual(await view.requested('action-run', 2), [
        { action: 'filter-docs' },
        { action: 'filter-docs' },
      ]);
      await view.host.emit('site-changed', {
        site: aSite({ isConfigured: false, label: '' }),
        suggestions: [],
      });
      await header.getByText('No docs site yet').waitFor();
      assert.equal(await header.getByRole('button').count(), 1, 'a filter without a site');
    }
  });

  it('says what the host said when it refuses an action', async () => {
    const view = await tester.open(
      aView({
        messages: [aQuestion(), aReply({ parts: [{ type: 'text', text: '```\nx\n```' }] })],
      }),
      {
        prepare: (host) => {
          host.answers['code-insert'] = () => {
            throw new Refusal(anError({ message: 'No editor is open.' }));
          };
        },
      },
    );
    await view.button('Insert at Cursor').click();
    await view.page.getByRole('alert').getByText('No editor is open.').waitFor();
  });
});
