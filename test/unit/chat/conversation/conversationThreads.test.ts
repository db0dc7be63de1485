import assert from 'node:assert/strict';
import { aContextItem, aQuestion, aReply, aThread } from '../../../builders/asking';
import { settled } from '../../../fakes/fakeClock';
import { MemoryThreadStore } from '../../../fakes/memoryThreadStore';
import { complete, followed, openWindow, text } from './conversationWindow';

describe('Conversation', () => {
  describe('threads', () => {
    it('are stored at the start, at most once a second while they grow, and at the end', async () => {
      const { client, ask, threads, clock, conversation } = await openWindow();
      await ask();
      const countAtStart = threads.writeCount;
      assert.equal(countAtStart, 1);
      let said = '';
      for (let word = 0; word < 100; word++) {
        said += 'word ';
        await client.say({ parts: [text(said)] });
        await clock.advance(30);
      }
      const count = threads.writeCount - countAtStart;
      assert.ok(count >= 2 && count <= 4, `${count} writes in 3 s`);
      await client.say(complete);
      await conversation.flush();
      const stored = await threads.read(conversation.thread.id);
      assert.deepEqual(stored?.messages[1]?.role === 'assistant' && stored.messages[1].parts, [
        text(said),
      ]);
    });

    it('come back after a reload, with a reply that ran marked as interrupted', async () => {
      const first = await openWindow();
      await first.ask();
      await first.client.say({ parts: [text('So')] });
      await first.clock.advance(1000);
      const second = await openWindow({ stored: first.threads });
      await second.conversation.restore();
      assert.equal(second.reply().status, 'interrupted');
      assert.deepEqual(second.reply().parts, [text('So')]);
      assert.equal(second.conversation.isReplyRunning, false);
      assert.deepEqual(followed(second.events), second.conversation.thread);
      second.conversation.retry(second.reply().id);
      assert.equal(second.reply().status, 'waiting');
    });

    it('keep what was read when the window closes', async () => {
      const { client, ask, threads, conversation } = await openWindow();
      await ask();
      await client.say({ parts: [text('a')] }, { parts: [text('ab')] });
      const { id } = conversation.thread;
      conversation.dispose();
      await settled();
      assert.ok(client.asked[0]?.signal.aborted);
      const stored = await threads.read(id);
      const reply = stored?.messages[1];
      assert.deepEqual(reply?.role === 'assistant' && reply.parts, [text('ab')]);
    });

    it('do not come back over a question that was asked in the meantime', async () => {
      const stored = new MemoryThreadStore();
      await stored.write(aThread());
      await stored.setCurrentId('t1');
      const { conversation } = await openWindow({ stored });
      const restored = conversation.restore();
      conversation.submit('Now?');
      await restored;
      assert.equal(conversation.thread.title, 'Now?');
    });

    it('begin anew empty, stay listed, and can be opened again', async () => {
      const { client, ask, conversation } = await openWindow();
      conversation.pending.addContextItems([aContextItem()]);
      await ask('First?');
      await client.say({ parts: [text('1')] }, complete);
      const { id } = conversation.thread;
      conversation.startThread();
      assert.equal(conversation.thread.messages.length, 0);
      assert.notEqual(conversation.thread.id, id);
      assert.deepEqual(
        (await conversation.library.find('')).map(({ title }) => title),
        ['First?'],
      );
      await conversation.openThread(id);
      assert.equal(conversation.thread.messages.length, 2);
      assert.equal(conversation.contextItem('c1')?.value, aContextItem().value);
    });

    it('stop a running reply when another one is shown', async () => {
      const { client, ask, conversation, threads } = await openWindow();
      await ask();
      await client.say({ parts: [text('So')] });
      const { id } = conversation.thread;
      conversation.startThread();
      await conversation.flush();
      assert.ok(client.asked[0]?.signal.aborted);
      const reply = (await threads.read(id))?.messages[1];
      assert.equal(reply?.role === 'assistant' && reply.status, 'stopped');
    });

    it('go on in memory when the store fails, with a line in the log', async () => {
      const { client, ask, threads, reply, log, conversation } = await openWindow();
      threads.failure = new Error('disk full');
      await ask();
      await client.say({ parts: [text('So')] }, complete);
      await conversation.flush();
      assert.equal(reply().status, 'complete');
      assert.match(log.text('error'), /could not be stored/);
    });

    it('are written at the first word, so that a crash loses no more than a second', async () => {
      const { client, ask, threads, clock, conversation } = await openWindow();
      await ask();
      await client.say({ parts: [text('So')] });
      const partsOf = async () => {
        const stored = (await threads.read(conversation.thread.id))?.messages[1];
        return stored?.role === 'assistant' && stored.parts;
      };
      assert.deepEqual(await partsOf(), [text('So')]);
      await clock.advance(20);
      await client.say({ parts: [text('So it is')] });
      await clock.advance(1000);
      assert.deepEqual(await partsOf(), [text('So it is')]);
    });

    it('belong to the site of their first question', async () => {
      const { client, ask, conversation, useSite } = await openWindow();
      await ask('First?');
      await client.say({ parts: [text('1')] }, complete);
      useSite('local');
      await ask('Second?');
      await client.say({ parts: [text('2')] }, complete);
      conversation.startThread();
      await ask('Third?');
      await client.say({ parts: [text('3')] }, complete);
      const titles = async () => (await conversation.library.find('')).map(({ title }) => title);
      assert.deepEqual((await titles()).sort(), ['Second?', 'Third?']);
      useSite('https://api.example.com acme');
      assert.deepEqual(await titles(), ['First?']);
    });

    it('are found by their words, and a search ends the one before it', async () => {
      const { client, ask, conversation, threads } = await openWindow();
      await ask('How to ship?');
      await client.say(complete);
      assert.equal((await conversation.library.find('ship how')).length, 1);
      assert.equal((await conversation.library.find('sail')).length, 0);
      let go = (): void => undefined;
      const wait = new Promise<void>((resolve) => (go = resolve));
      const search = threads.search.bind(threads);
      threads.search = async (...args) => {
        await wait;
        return search(...args);
      };
      const first = conversation.library.find('ship');
      await settled();
      const second = conversation.library.find('ship');
      go();
      assert.deepEqual(await first, []);
      assert.equal((await second).length, 1);
    });

    it('get another title, also while a reply runs', async () => {
      const { client, ask, conversation, threads, events, clock } = await openWindow();
      await ask('How?');
      await client.say({ parts: [text('So')] });
      const { id } = conversation.thread;
      await conversation.renameThread(id, `  My\n${'long '.repeat(30)}`);
      const title = `My ${'long '.repeat(30)}`.slice(0, 80).trim();
      assert.equal(conversation.thread.title, title);
      await clock.advance(20);
      await client.say({ parts: [text('So it is')] }, complete);
      await conversation.flush();
      assert.equal((await threads.read(id))?.title, title);
      assert.deepEqual(followed(events), conversation.thread);
      await conversation.renameThread(id, ' \n ');
      assert.equal(conversation.thread.title, title);
    });

    it('get another title while another one is shown', async () => {
      const { client, ask, conversation, threads, events } = await openWindow();
      await ask('How?');
      await client.say(complete);
      const { id } = conversation.thread;
      conversation.startThread();
      const told = events.length;
      await conversation.renameThread(id, 'Mine');
      assert.equal((await threads.read(id))?.title, 'Mine');
      assert.equal(events.length, told);
      await assert.rejects(conversation.renameThread('gone', 'Mine'), { code: 'thread-gone' });
    });

    it('go when they are deleted: the reply stops, an empty thread is shown, items stay', async () => {
      const { client, ask, conversation, threads, clock } = await openWindow();
      await ask('How?');
      await client.say({ parts: [text('So')] });
      const { id } = conversation.thread;
      conversation.pending.addContextItems([aContextItem()]);
      await conversation.deleteThread(id);
      assert.ok(client.asked[0]?.signal.aborted);
      assert.equal(conversation.thread.messages.length, 0);
      assert.equal(conversation.pending.draft.contextItems.length, 1);
      await client.say({ parts: [text('So it is')] }, complete);
      await clock.advance(5000);
      await conversation.flush();
      assert.equal(await threads.read(id), undefined);
      await assert.rejects(conversation.openThread(id), { code: 'thread-gone' });
    });

    it('come back when a deletion is undone, to where they were', async () => {
      const { client, ask, conversation, events } = await openWindow();
      await ask('How?');
      await client.say({ parts: [text('So')] }, complete);
      const before = conversation.thread;
      await conversation.deleteThread(before.id);
      await conversation.restoreThread(before.id);
      assert.deepEqual(conversation.thread, before);
      assert.deepEqual(followed(events), before);
      await assert.rejects(conversation.restoreThread('gone'), { code: 'thread-gone' });
    });

    it('come back into the list alone when something else is shown by then', async () => {
      const { client, ask, conversation } = await openWindow();
      await ask('How?');
      await client.say({ parts: [text('So')] }, complete);
      const { id } = conversation.thread;
      await conversation.deleteThread(id);
      await ask('Something else?');
      await conversation.restoreThread(id);
      assert.equal(conversation.thread.title, 'Something else?');
      assert.equal((await conversation.library.find('')).length, 2);
    });

    it('come back into the list alone when another empty thread is shown, or another one was deleted', async () => {
      const { client, ask, conversation } = await openWindow();
      const ids: string[] = [];
      for (const question of ['First?', 'Second?']) {
        conversation.startThread();
        await ask(question);
        await client.say({ parts: [text('So')] }, complete);
        ids.push(conversation.thread.id);
      }
      const [first = '', second = ''] = ids;
      await conversation.deleteThread(first);
      await conversation.deleteThread(second);
      await conversation.restoreThread(first);
      assert.equal(conversation.thread.messages.length, 0, 'it was not shown when it was deleted');
      conversation.startThread();
      await conversation.restoreThread(second);
      assert.equal(conversation.thread.messages.length, 0, 'its place is taken');
      assert.equal((await conversation.library.find('')).length, 2);
    });

    it('can have a title before their first question', async () => {
      const { ask, conversation } = await openWindow();
      await conversation.renameThread(conversation.thread.id, ' Shipping ');
      await ask('How?');
      assert.equal(conversation.thread.title, 'Shipping');
    });

    it('stay if they are opened or asked again while another one is read', async () => {
      const stored = new MemoryThreadStore();
      await stored.write(aThread({ id: 't1', title: 'other' }));
      const { ask, client, conversation } = await openWindow({ stored });
      await ask('Here?');
      await client.say({ parts: [text('So')] }, complete);
      const slow = conversation.openThread('t1');
      await conversation.openThread(conversation.thread.id);
      await slow;
      assert.equal(conversation.thread.title, 'Here?');
      const late = conversation.openThread('t1');
      conversation.submit('And here?');
      await late;
      assert.equal(conversation.thread.title, 'Here?', 'the reply was stopped');
    });

    it('are shown as they were opened last, however long each takes to be read', async () => {
      const stored = new MemoryThreadStore();
      for (const id of ['t1', 't2']) await stored.write(aThread({ id, title: id }));
      const { conversation } = await openWindow({ stored });
      const read = stored.read.bind(stored);
      const waiting = new Map<string, () => void>();
      stored.read = async (id) => {
        await new Promise<void>((resolve) => waiting.set(id, resolve));
        return read(id);
      };
      const opened = [conversation.openThread('t1'), conversation.openThread('t2')];
      await settled();
      waiting.get('t2')?.();
      await settled();
      assert.equal(conversation.thread.title, 't2');
      waiting.get('t1')?.();
      await Promise.all(opened);
      assert.equal(conversation.thread.title, 't2');
    });

    it('show a reply that runs in another window as interrupted, and leave it as it is', async () => {
      const first = await openWindow({ name: 'first' });
      await first.ask('How?');
      await first.client.say({ parts: [text('So')] });
      await first.conversation.flush();
      const second = await openWindow({
        stored: new MemoryThreadStore(first.threads),
        name: 'second',
      });
      await second.conversation.openThread(first.conversation.thread.id);
      assert.equal(second.reply().status, 'interrupted');
      await second.ask('And?');
      assert.deepEqual(
        second.client
          .last()
          .messages.map((message) => message.role === 'assistant' && message.parts),
        [false, [text('So')], false],
      );
      await second.client.say({ parts: [text('Also.')] }, complete);
      await second.conversation.flush();
      const stored = (await first.threads.read(first.conversation.thread.id))?.messages ?? [];
      assert.deepEqual(
        stored.map((message) => message.role === 'assistant' && message.status),
        [false, 'streaming', false, 'complete'],
      );
      assert.equal(second.conversation.thread.messages.length, 4);
    });

    it('are exported as they are shown: what runs nowhere any more was interrupted', async () => {
      const gone = await openWindow();
      await gone.ask();
      await gone.client.say({ parts: [text('So')] });
      await gone.conversation.flush();
      const { conversation, client } = await openWindow({ stored: gone.threads, name: 'b' });
      const statusesOf = async (id: string): Promise<string[]> => {
        const { messages = [], others = [] } = (await conversation.storedThread(id)) ?? {};
        return [...messages, ...others].flatMap((message) =>
          message.role === 'assistant' ? [message.status] : [],
        );
      };
      assert.deepEqual(await statusesOf(gone.conversation.thread.id), ['interrupted']);
      await conversation.restore();
      conversation.editQuestion(conversation.thread.messages[0]?.id ?? '', 'How else?');
      await settled();
      await client.say({ parts: [text('Or')] });
      assert.deepEqual(await statusesOf(conversation.thread.id), ['streaming', 'interrupted']);
    });

    it('that two windows write at once lose nothing of either', async () => {
      const first = await openWindow({ name: 'first' });
      await first.ask('How?');
      await first.client.say({ parts: [text('So')] }, complete);
      await first.conversation.flush();
      const { id } = first.conversation.thread;
      const second = await openWindow({
        stored: new MemoryThreadStore(first.threads),
        name: 'second',
      });
      await second.conversation.openThread(id);
      await first.ask('And here?');
      await second.clock.advance(1000);
      await second.ask('And there?');
      await first.client.say({ parts: [text('Here.')] });
      await second.client.say({ parts: [text('There.')] }, complete);
      await second.conversation.flush();
      await first.client.say(complete);
      await first.conversation.flush();
      const third = await openWindow({ stored: new MemoryThreadStore(first.threads) });
      await third.conversation.openThread(id);
      const shown = (): string =>
        third.conversation.thread.messages
          .map((message) => (message.role === 'user' ? message.text : message.status))
          .join(' ');
      assert.equal(shown(), 'How? complete And here? complete');
      const question = third.conversation.thread.messages[2];
      assert.deepEqual(question?.branch, { index: 0, count: 2 });
      third.conversation.showBranch(question.id, 1);
      assert.equal(shown(), 'How? complete And there? complete');
    });

    it('of two thousand messages are not gone through for each word of a reply', async () => {
      const { conversation, client, ask, threads, clock } = await openWindow();
      let lookCount = 0;
      const earlier = Array.from({ length: 2000 }, (_, index) => {
        const id = `m${index}`;
        const message = index % 2 === 0 ? aQuestion({ id }) : aReply({ id });
        return Object.defineProperty({ ...message }, 'id', {
          enumerable: true,
          get: () => {
            lookCount++;
            return id;
          },
        });
      });
      threads.read = () => Promise.resolve(aThread({ id: 'long', messages: earlier }));
      // Saving looks at every message, but at most once a second.
      threads.write = () => Promise.resolve();
      await conversation.openThread('long');
      await ask();
      await client.say({ parts: [text('a')] });
      assert.ok(lookCount > 2000);
      lookCount = 0;
      for (let length = 2; length < 30; length++) {
        await clock.advance(20);
        await client.say({ parts: [text('a'.repeat(length))] });
      }
      assert.equal(lookCount, 0);
    });
  });

  it('shows a thread anew that was continued elsewhere, while no reply runs in it', async () => {
    const { conversation, ask, client } = await openWindow();
    await ask('One?');
    await client.say({ parts: [text('1.')] }, complete);
    const { id } = conversation.thread;
    const stored = await conversation.storedThread(id);
    const last = stored?.messages.at(-1);
    assert.ok(stored && last);
    const question = aQuestion({ id: 'elsewhere', parentId: last.id, text: 'Two?' });
    conversation.keepThread({ ...stored, messages: [...stored.messages, question] });
    await conversation.openThread(id);
    assert.equal(conversation.thread.messages.length, 2, 'it is shown already');
    await conversation.showAnew(id);
    assert.equal(conversation.thread.messages.length, 3);

    await ask('Three?');
    await conversation.showAnew(id);
    assert.equal(conversation.isReplyRunning, true);
  });
});
