import assert from 'node:assert/strict';
import type { ErrorAction } from '../../../src/shared/errorInfo';
import type { ReplyStatus } from '../../../src/shared/uiMessage';
import { anError, aQuestion, aReply, aReplyView, aView } from '../thread/conversations';
import { useViewTester } from '../harness';

describe('the end of a reply in the chat view', () => {
  const tester = useViewTester();

  const open = (...reply: Parameters<typeof aReplyView>) => tester.open(aReplyView(...reply));

  const sentences: [ReplyStatus, string][] = [
    ['stopped', 'You stopped this reply.'],
    ['stopped-by-service', 'The docs service stopped this reply.'],
    ['incomplete', 'This reply is incomplete: its end is missing.'],
    ['interrupted', 'This reply was interrupted when the window closed.'],
  ];
  for (const [status, sentence] of sentences) {
    it(`keeps the text of a reply that is ${status}, says so, and offers to ask again`, async () => {
      const view = await open('Half of it', { status });
      await view.replyShows(/Half of it/);
      await view.page.getByText(sentence).waitFor();
      await view.button('Retry').click();
      assert.deepEqual(await view.requested('reply-retry'), [{ messageId: 'reply-1' }]);
    });
  }

  it('shows the versions of a reply without text, and no button to copy it', async () => {
    const view = await open([], { status: 'stopped', branch: { index: 1, count: 2 } });
    await view.button('Retry').waitFor();
    assert.equal(await view.page.locator('.reply .branch-count').innerText(), '2 / 2');
    assert.equal(await view.page.locator('.copy-reply').isVisible(), false);
    await view.host.setStatus('reply-1', 'streaming');
    await view.host.sendOps([0, { type: 'text', text: 'Half' }]);
    await view.host.setStatus('reply-1', 'stopped');
    await view.page.locator('.copy-reply').waitFor();
  });

  it('says above the reply that it is for another version, also when that is known at the end', async () => {
    const note = 'This reply cites docs for v14. Installed here is <i>next</i>@15.5.2.';
    const view = await open('Half of it', { status: 'streaming' });
    assert.equal(await view.page.locator('.version-note').isVisible(), false);
    await view.host.setStatus('reply-1', 'complete', { versionNote: note });
    await view.page.getByText(note).waitFor();
    const [top, text] = await Promise.all(
      ['.version-note', '.parts'].map((part) => view.page.locator(part).boundingBox()),
    );
    assert.ok(top && text && top.y + top.height < text.y, 'the note is not above the text');
  });

  it('offers to add the question of a whole reply to the docs questions, and of no other', async () => {
    const view = await tester.open(
      aView({
        messages: [
          aQuestion({ id: 'q-1' }),
          aReply({ id: 'r-1', status: 'complete' }),
          aQuestion({ id: 'q-2' }),
          aReply({ id: 'r-2', status: 'stopped' }),
        ],
      }),
    );
    const add = view.page.getByRole('button', { name: 'Add as Docs Question' });
    assert.equal(await add.count(), 1);
    await view.page.locator('.reply').first().hover();
    await add.click();
    assert.deepEqual(await view.requested('docs-question-add'), [{ messageId: 'r-1' }]);
  });

  const actions: [Exclude<ErrorAction, 'retry'>, string][] = [
    ['set-up-site', 'Set Up Docs Site…'],
    ['check-setup', 'Check Setup'],
    ['set-assistant-key', 'Set Assistant Key…'],
    ['choose-docs', 'Choose Docs…'],
    ['start-local-service', 'Start Local Docs Service'],
    ['open-settings', 'Open Settings'],
    ['open-log', 'Open Log'],
    ['new-thread', 'New Thread'],
  ];
  for (const [action, label] of actions) {
    it(`offers “${label}” beside an error’s sentence`, async () => {
      const error = anError({ message: '<i>What</i> happened.', actions: [action, 'retry'] });
      const view = await open('Half', { status: 'failed', error });
      await view.page.getByText('<i>What</i> happened.').waitFor();
      await view.page.locator('.reply').getByRole('button', { name: label }).click();
      assert.deepEqual(await view.requested('action-run'), [{ action }]);
      await view.until(() => view.button('Retry').isEnabled(), 'on');
    });
  }

  it('counts down to when a retry may work, by the host’s clock, and does not ask by itself', async () => {
    const view = await open('Half of it', { status: 'streaming' });
    await view.stopClock();
    const now = await view.page.evaluate(() => Date.now());
    const hostAhead = 3_600_000;
    view.host.answers['view-ready'] = () => ({ ...view.host.snapshot(), now: now + hostAhead });
    // The view asks for everything, and so for the time, after a gap.
    view.host.skipSeq();
    const error = anError({
      code: 'rate-limited',
      message: 'Too many.',
      actions: ['retry'],
      retryAt: now + hostAhead + 2_500,
    });
    await view.host.setStatus('reply-1', 'failed', { error });
    await view.requested('view-ready', 2);
    const counting = view.button(/^Retry in [123] s$/);
    await view.until(async () => {
      await view.page.clock.runFor(20);
      return (await counting.isVisible()) && (await counting.isDisabled());
    }, 'the countdown');
    await view.page.clock.runFor(4_000);
    assert.ok(await view.button('Retry').isEnabled());
    assert.deepEqual(view.host.requestsFor('reply-retry'), []);
  });

  it('offers docs on this machine with their age while the site doesn’t answer', async () => {
    const day = 86_400_000;
    const keptDocs = { id: 'set', label: 'acme\u202e docs', fetchedAt: Date.now() - 3 * day - 9 };
    const error = anError({ actions: ['retry'], retryAt: Date.now() + 200_000, keptDocs });
    const view = await open([], { status: 'failed', error });
    await view.page
      .getByText('You keep these docs on this machine: acme docs, updated 3 days ago.')
      .waitFor();
    await view.button('Answer from the Kept Docs').click();
    assert.deepEqual(await view.requested('kept-docs-ask'), [{ messageId: 'reply-1' }]);
    assert.deepEqual(view.host.requestsFor('reply-retry'), []);
  });

  it('names docs of unknown age, and offers them below the last reply only', async () => {
    const error = anError({ keptDocs: { id: 'set', label: 'acme docs' } });
    const view = await open([], { status: 'failed', error });
    const sentence = view.page.getByText('You keep these docs on this machine: acme docs.');
    await sentence.waitFor();
    await view.host.addMessage(aQuestion({ id: 'q2' }));
    await view.host.addMessage(aReply({ id: 'r2' }));
    await sentence.waitFor({ state: 'detached' });
    assert.equal(await view.button('Answer from the Kept Docs').count(), 0);
  });

  it('counts long waits in minutes', async () => {
    const error = anError({ actions: ['retry'], retryAt: Date.now() + 200_000 });
    const view = await open([], { status: 'failed', error });
    await view.button(/^Retry in [23]:\d\d min$/).waitFor();
  });

  it('offers Retry for the last reply only, and not while one runs', async () => {
    const view = await open('Half of it', { status: 'incomplete' });
    const retry = view.button('Retry');
    await retry.waitFor();
    await view.host.addMessage(aQuestion({ id: 'q2' }));
    await view.host.addMessage(aReply({ id: 'r2', parts: [], status: 'waiting' }));
    await retry.waitFor({ state: 'detached' });
    await view.page.getByText('This reply is incomplete').waitFor();
    await view.host.setStatus('r2', 'stopped');
    await retry.waitFor();
    assert.equal(
      await view.page.locator('.reply').last().getByRole('button', { name: 'Retry' }).count(),
      1,
    );
  });

  it('shows a notice beside the reply', async () => {
    const view = await open('x', { notice: 'A new thread has begun.' });
    await view.page.getByText('A new thread has begun.').waitFor();
  });
});
