import assert from 'node:assert/strict';
import { DocsAssistantError } from '../../../../src/common/errors';
import { MAX_QUESTION_LENGTH } from '../../../../src/shared/limits';
import { aContextItem, aFile } from '../../../builders/asking';
import { settled } from '../../../fakes/fakeClock';
import { complete, followed, openWindow, text } from './conversationWindow';

/** Opens a window whose thread has two questions, each with its reply. */
async function openConversation() {
  const window = await openWindow();
  const { ask, client, clock, conversation } = window;
  const replies: string[] = [];
  for (const [question, answer] of [
    ['First?', '1'],
    ['Second?', '2'],
  ] as const) {
    replies.push(await ask(question));
    await clock.advance(1000);
    await client.say({ parts: [text(answer)] }, complete);
  }
  const [firstReply = '', secondReply = ''] = replies;
  return {
    ...window,
    firstReply,
    secondReply,
    /** Returns the shown messages in words: a question as it is, a reply by its text and status. */
    shown: () =>
      conversation.thread.messages.map((message) =>
        message.role === 'user'
          ? message.text
          : `${message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')} ${message.status}`,
      ),
    branches: () => conversation.thread.messages.map(({ branch }) => branch),
    questionId: (place: number) => conversation.thread.messages[place]?.id ?? assert.fail(),
    stored: async () => {
      await conversation.flush();
      return (await window.threads.read(conversation.thread.id)) ?? assert.fail();
    },
  };
}

describe('Conversation, regenerate', () => {
  it('asks the question of any finished reply again and keeps the rest as another branch', async () => {
    const { conversation, client, firstReply, shown, branches, events } = await openConversation();
    conversation.retry(firstReply);
    await settled();
    assert.deepEqual(shown(), ['First?', ' waiting']);
    assert.deepEqual(branches(), [undefined, { index: 1, count: 2 }]);
    assert.equal(client.last().messages.length, 1);
    await client.say({ parts: [text('1b')] }, complete);
    assert.deepEqual(shown(), ['First?', '1b complete']);
    assert.deepEqual(followed(events), conversation.thread);
  });

  it('sends the messages of the shown branch alone, and goes on in the service’s thread', async () => {
    const { conversation, client, firstReply, ask } = await openConversation();
    conversation.retry(firstReply);
    await settled();
    await client.say(
      { serviceThread: { threadId: 'service-1' } },
      { parts: [text('1b')] },
      complete,
    );
    await ask('Third?');
    assert.deepEqual(
      client
        .last()
        .messages.map((message) => (message.role === 'user' ? message.text : message.parts)),
      ['First?', [text('1b')], 'Third?'],
    );
    assert.equal(client.last().threadId, 'service-1');
  });

  it('is refused while a reply runs, and does nothing for what is not shown', async () => {
    const { conversation, firstReply, ask, client } = await openConversation();
    conversation.retry('gone');
    conversation.retry(conversation.thread.messages[0]?.id ?? assert.fail());
    await ask('Third?');
    assert.equal(client.asked.length, 3);
    assert.throws(() => conversation.retry(firstReply), { code: 'reply-running' });
    assert.throws(() => conversation.showBranch(firstReply, 0), { code: 'reply-running' });
    assert.throws(() => conversation.editQuestion(firstReply, 'x'), { code: 'reply-running' });
  });

  it('keeps a failed reply with text as a branch, and none of one without', async () => {
    const { conversation, client, ask, branches, reply } = await openConversation();
    await ask('Third?');
    await client.say(new DocsAssistantError('service-down'));
    conversation.retry(reply().id);
    await settled();
    assert.equal(branches().at(-1), undefined);
    await client.say({ parts: [text('3')] }, new DocsAssistantError('connection-lost'));
    conversation.retry(reply().id);
    await settled();
    assert.deepEqual(branches().at(-1), { index: 1, count: 2 });
    assert.equal(reply().status, 'waiting');
  });
});

describe('Conversation, editQuestion', () => {
  it('asks a changed question in its place, with its own items and files', async () => {
    const { conversation, client, ask, shown, branches, events, questionId } =
      await openConversation();
    conversation.pending.addContextItems([aContextItem()]);
    conversation.pending.addFile(aFile());
    await ask('Third?');
    await client.say({ parts: [text('3')] }, complete);
    conversation.pending.addContextItems([aContextItem({ id: 'c2', value: 'for later' })]);
    const { messageId } = conversation.editQuestion(questionId(4), 'Third, changed?');
    await settled();
    assert.deepEqual(shown(), [
      ...['First?', '1 complete', 'Second?', '2 complete'],
      ...['Third, changed?', ' waiting'],
    ]);
    assert.equal(conversation.thread.messages.at(-1)?.id, messageId);
    assert.deepEqual(branches().slice(-2), [{ index: 1, count: 2 }, undefined]);
    assert.deepEqual(client.last().contextItems, [aContextItem()]);
    const asked = client.last().messages.at(-1);
    assert.deepEqual(asked?.role === 'user' && asked.files, [aFile()]);
    assert.deepEqual(
      conversation.pending.draft.contextItems.map(({ id }) => id),
      ['c2'],
    );
    await client.say({ parts: [text('3b')] }, complete);
    assert.deepEqual(followed(events), conversation.thread);
  });

  it('gives the thread the title of its first question, unless a person gave it one', async () => {
    const { conversation, client, questionId } = await openConversation();
    conversation.editQuestion(questionId(0), 'First, changed?');
    assert.equal(conversation.thread.title, 'First, changed?');
    await settled();
    await client.say(complete);
    await conversation.renameThread(conversation.thread.id, 'Mine');
    conversation.editQuestion(questionId(0), 'Changed once more?');
    assert.equal(conversation.thread.title, 'Mine');
  });

  it('keeps the title when a later question with the same words changes', async () => {
    const { conversation, client, ask } = await openWindow();
    for (const _ of [1, 2]) {
      await ask('Same?');
      await client.say({ parts: [text('So.')] }, complete);
    }
    conversation.editQuestion(conversation.thread.messages[2]?.id ?? '', 'Changed?');
    assert.equal(conversation.thread.title, 'Same?');
  });

  it('refuses what cannot be asked, and a question that is not shown', async () => {
    const { conversation, questionId, firstReply, shown } = await openConversation();
    const before = shown();
    const tooLong = 'x'.repeat(MAX_QUESTION_LENGTH + 1);
    assert.throws(() => conversation.editQuestion(questionId(0), ' '), { code: 'empty-question' });
    assert.throws(() => conversation.editQuestion(questionId(0), tooLong), {
      code: 'question-too-long',
    });
    for (const id of ['gone', firstReply]) {
      assert.throws(() => conversation.editQuestion(id, 'x'), { code: 'thread-gone' });
    }
    assert.deepEqual(shown(), before);
  });
});

describe('Conversation, showBranch', () => {
  it('shows another version with what came after it, and tells the view', async () => {
    const { conversation, client, firstReply, shown, branches, events, reply } =
      await openConversation();
    conversation.retry(firstReply);
    await settled();
    await client.say({ parts: [text('1b')] }, complete);
    conversation.showBranch(reply().id, 0);
    assert.deepEqual(shown(), ['First?', '1 complete', 'Second?', '2 complete']);
    assert.deepEqual(branches(), [undefined, { index: 0, count: 2 }, undefined, undefined]);
    assert.deepEqual(followed(events), conversation.thread);
  });

  it('does nothing for a version that is not there', async () => {
    const { conversation, firstReply, events } = await openConversation();
    const before = events.length;
    conversation.showBranch(firstReply, 0);
    conversation.showBranch(firstReply, 1);
    conversation.showBranch('gone', 0);
    assert.equal(events.length, before);
  });

  it('is what comes back after a reload, with the other branches, and makes nothing newer', async () => {
    const { conversation, client, clock, firstReply, shown, stored, threads, reply } =
      await openConversation();
    conversation.retry(firstReply);
    await settled();
    await client.say({ parts: [text('1b')] }, complete);
    const { updatedAt } = await stored();
    await clock.advance(1000);
    conversation.showBranch(reply().id, 0);
    assert.equal((await stored()).updatedAt, updatedAt);
    const second = await openWindow({ stored: threads });
    await second.conversation.restore();
    assert.deepEqual(second.conversation.thread, conversation.thread);
    second.conversation.showBranch(firstReply, 1);
    assert.notDeepEqual(second.conversation.thread, conversation.thread);
    assert.equal(second.conversation.thread.messages.length, 2);
    assert.equal(shown().length, 4);
  });
});
