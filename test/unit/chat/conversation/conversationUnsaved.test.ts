import assert from 'node:assert/strict';
import { MemoryThreadStore } from '../../../fakes/memoryThreadStore';
import { complete, openWindow, text } from './conversationWindow';

/** Opens a window whose thread has a question that is stored, and one that could not be. */
async function aWindowWithUnsaved() {
  const window = await openWindow();
  const { client, ask, threads, conversation } = window;
  await ask('First?');
  await client.say({ parts: [text('1')] }, complete);
  await conversation.flush();
  threads.failure = new Error('disk full');
  await ask('Second?');
  await client.say({ parts: [text('2')] }, complete);
  await conversation.flush();
  return { ...window, id: conversation.thread.id };
}

/** Returns the questions of a thread that a window finds when it opens later. */
async function storedQuestions(threads: MemoryThreadStore, id: string): Promise<unknown> {
  const thread = await new MemoryThreadStore(threads).read(id);
  return thread?.messages.flatMap((message) => (message.role === 'user' ? [message.text] : []));
}

describe('Conversation', () => {
  describe('threads that cannot be saved', () => {
    it('are told of once, until one can be saved again', async () => {
      const { conversation, client, ask, threads, failedSaves, clock, id } =
        await aWindowWithUnsaved();
      assert.equal(failedSaves(), 1);
      await ask('Third?');
      await client.say({ parts: [text('3')] });
      await clock.advance(5000);
      assert.equal(failedSaves(), 1);
      threads.failure = undefined;
      await client.say(complete);
      await conversation.flush();
      assert.deepEqual(await storedQuestions(threads, id), ['First?', 'Second?', 'Third?']);
      assert.equal(failedSaves(), 1);
      threads.failure = new Error('disk full again');
      await ask('Fourth?');
      assert.equal(failedSaves(), 2);
    });

    it('are opened and exported as they are in memory', async () => {
      const { conversation, client, ask, threads, id } = await aWindowWithUnsaved();
      const { messages } = conversation.thread;
      conversation.startThread();
      await ask('Elsewhere?');
      await client.say(complete);
      assert.equal((await conversation.storedThread(id))?.messages.length, 4);
      await conversation.openThread(id);
      assert.deepEqual(conversation.thread.messages, messages);
      threads.failure = undefined;
      await ask('Third?');
      await conversation.flush();
      assert.deepEqual(await storedQuestions(threads, id), ['First?', 'Second?', 'Third?']);
    });

    it('come back when their deletion is undone', async () => {
      const { conversation, client, ask, threads } = await openWindow();
      threads.failure = new Error('disk full');
      await ask();
      await client.say({ parts: [text('So')] }, complete);
      const before = conversation.thread;
      await conversation.deleteThread(before.id);
      await conversation.restoreThread(before.id);
      assert.deepEqual(conversation.thread, before);
    });
  });
});
