import assert from 'node:assert/strict';
import { ask, extensionApi, replyText, send, startAfresh, whenReplyEnds } from '../../asking';
import { cannedReply, docsService, holdMidReply } from '../../docsService';
import { historyRow, openHistory, openThread } from '../../history';
import { openOtherWindow, startThreadIn } from '../../otherWindow';
import { chat, closeWindow, otherChat, takeScreenshot, type Surface } from '../../pageDriver';

const interrupted = 'article.reply .status-line:has-text("interrupted")';

async function lastReply(view: Surface): Promise<string> {
  return ((await view.texts(replyText)).at(-1) ?? '').trim();
}

/** Returns the questions that the first window shows. It builds only those near the view. */
async function shownQuestions(): Promise<string[]> {
  const { messages } = (await extensionApi()).snapshot().thread;
  return messages.flatMap((message) => (message.role === 'user' ? [message.text] : []));
}

describe('two windows of one folder', () => {
  before(async () => {
    await startAfresh();
    await openOtherWindow();
  });
  beforeEach(async () => {
    await startAfresh();
    await startThreadIn(otherChat);
  });
  after(closeWindow);

  it('keep what each of them asked, and find in the history what the other one asked', async () => {
    await docsService.queue(cannedReply('One parcel.'), cannedReply('Another parcel.'));
    // At the same time, so that both write into the store at once.
    await Promise.all([
      ask('What is asked in the first window?'),
      ask('What is asked in the second window?', 0, otherChat),
    ]);
    const [here, there] = await Promise.all([lastReply(chat), lastReply(otherChat)]);
    assert.deepEqual([here, there].sort(), ['Another parcel.', 'One parcel.']);
    await openHistory();
    await chat.waitFor(historyRow, { hasText: 'asked in the first window?' });
    await chat.waitFor(historyRow, { hasText: 'asked in the second window?' });
    await takeScreenshot('thread-of-another-window');

    await openThread('What is asked in the second window?');
    assert.equal(await lastReply(chat), there);
    await openThread('What is asked in the first window?', otherChat);
    assert.equal(await lastReply(otherChat), here);
  });

  it('keep what both ask in the same thread, as versions of one question', async () => {
    await docsService.queue(cannedReply('A'), cannedReply('B'), cannedReply('C'));
    const first = 'Which rate limits do the windows share?';
    await ask(first);
    await openThread(first, otherChat);
    await ask('What holds for the second window?', 1, otherChat);
    // The last to write is the one that looks: it knows of the other one's question by the store alone.
    await ask('What holds for the first window?', 1);

    await startThreadIn(chat);
    await openThread(first);
    await chat.waitFor('article.question .branch-count', { hasText: '2 / 2' });
    assert.deepEqual(await shownQuestions(), [first, 'What holds for the first window?']);
    assert.equal(await lastReply(chat), 'C');
    await chat.click('article.question .branch-switcher:visible .codicon-chevron-left');
    await chat.waitFor('article.question .branch-count', { hasText: '1 / 2' });
    assert.deepEqual(await shownQuestions(), [first, 'What holds for the second window?']);
    assert.equal(await lastReply(chat), 'B');
  });

  it('keep the whole reply that one read where the other one goes on from its beginning', async () => {
    const first = 'How do I cancel a shipment?';
    await holdMidReply('other-window');
    await send(first, otherChat);
    await docsService.whenHeld('other-window');
    await otherChat.waitFor(replyText);

    await openThread(first);
    await chat.waitFor(interrupted);
    await docsService.openGate('other-window');
    await whenReplyEnds(0, otherChat);
    const whole = await lastReply(otherChat);
    // From what it shows still, which is the beginning of the reply.
    assert.equal(await chat.count(interrupted), 1);
    await docsService.queue(cannedReply('By its number.'));
    await ask('And how do I follow it?', 1);

    await startThreadIn(chat);
    await openThread(first);
    assert.deepEqual(await shownQuestions(), [first, 'And how do I follow it?']);
    assert.deepEqual(
      (await chat.texts(replyText)).map((text) => text.trim()),
      [whole, 'By its number.'],
    );
    assert.equal(await chat.count(interrupted), 0);
  });

  // The last one: the second window is gone after it.
  it('leave to one what the other one had read of a reply when it was closed', async () => {
    await holdMidReply('closed-window');
    await send('How do I track a late parcel?', otherChat);
    await docsService.whenHeld('closed-window');
    await otherChat.waitFor(replyText);
    const read = await lastReply(otherChat);
    assert.notEqual(read, '');
    await closeWindow();
    await openThread('How do I track a late parcel?');
    await chat.waitFor(interrupted);
    assert.equal(await lastReply(chat), read);
  });
});
