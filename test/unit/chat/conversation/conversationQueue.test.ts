import assert from 'node:assert/strict';
import type { Conversation } from '../../../../src/chat/conversation/conversation';
import { DocsAssistantError } from '../../../../src/common/errors';
import { MAX_QUESTION_LENGTH } from '../../../../src/shared/limits';
import type { QueuedQuestion } from '../../../../src/shared/protocol';
import { aContextItem } from '../../../builders/asking';
import { settled } from '../../../fakes/fakeClock';
import { MemoryDraftStore } from '../../../fakes/memoryDraftStore';
import { complete, followed, openWindow, text } from './conversationWindow';

const token = `ghp_${'aB3dE5gH7jK9mN1pQ2rS'.repeat(2).slice(0, 36)}`;

const queuedIn = ({ pending }: Conversation): QueuedQuestion | undefined => pending.view.queued;

describe('Conversation', () => {
  // Shows faults.md A29.
  describe('a question that is asked while a reply runs', () => {
    it('is sent with what is attached when the reply is complete', async () => {
      const { conversation, client, ask, events } = await openWindow();
      await ask();
      conversation.pending.addContextItems([aContextItem()]);
      assert.deepEqual(await conversation.ask('And then?'), { isQueued: true });
      assert.deepEqual(conversation.pending.view.queued, { text: 'And then?', isWaiting: true });
      assert.equal(client.asked.length, 1);
      await client.say({ parts: [text('Like this.')] }, complete);
      await settled();
      assert.equal(client.asked.length, 2);
      const { messages } = client.last();
      const question = messages.at(-1);
      assert.equal(question?.role === 'user' && question.text, 'And then?');
      assert.deepEqual(client.last().contextItems, [aContextItem()]);
      assert.deepEqual(conversation.pending.view, { items: [] });
      assert.equal(conversation.thread.messages.length, 4);
      assert.deepEqual(followed(events), conversation.thread);
    });

    it('is the only one that is queued, until it is removed', async () => {
      const { conversation, client, ask } = await openWindow();
      await ask();
      await conversation.ask('Second?');
      await assert.rejects(conversation.ask('Third?'), { code: 'reply-running' });
      assert.equal(queuedIn(conversation)?.text, 'Second?');
      conversation.pending.unqueue();
      assert.equal(queuedIn(conversation), undefined);
      assert.deepEqual(await conversation.ask('Third?'), { isQueued: true });
      conversation.pending.unqueue();
      await client.say(complete);
      await settled();
      assert.equal(client.asked.length, 1);
    });

    it('waits on while the running reply says something beside its text', async () => {
      const { conversation, client, ask, threadKeys, reply } = await openWindow();
      await ask();
      const serviceThread = { threadId: 'service-1', threadKey: 'thread-key-1' };
      await client.say({ serviceThread, parts: [text('1')] }, complete);
      threadKeys.keys.clear();
      await ask('And?');
      await conversation.ask('Later?');
      await client.say({ parts: [text('2')] });
      assert.match(reply().notice ?? '', /started a new one/);
      assert.equal(queuedIn(conversation)?.isWaiting, true);
      await client.say(complete);
      await settled();
      assert.equal(client.asked.length, 3);
    });

    it('waits for a reply, too, that began in the same moment', async () => {
      const { conversation, client, ask } = await openWindow();
      await ask();
      await conversation.ask('Later?');
      let isAsked = false;
      conversation.onDidChange((event) => {
        if (event.name !== 'reply-status' || event.params.status !== 'complete' || isAsked) return;
        isAsked = true;
        queueMicrotask(() => conversation.submit('Another?'));
      });
      await client.say(complete);
      await settled();
      assert.deepEqual(queuedIn(conversation), { text: 'Later?', isWaiting: true });
      await client.say(complete);
      await settled();
      assert.equal(client.asked.length, 3);
      assert.equal(queuedIn(conversation), undefined);
    });

    it('is kept if something is attached in the moment in which it would be sent', async () => {
      const { conversation, client, ask } = await openWindow();
      await ask();
      await conversation.ask('Later?');
      conversation.onDidChange((event) => {
        if (event.name !== 'reply-status' || event.params.status !== 'complete') return;
        queueMicrotask(() => conversation.pending.addContextItems([aContextItem()]));
      });
      await client.say(complete);
      await settled();
      assert.equal(client.asked.length, 1);
      assert.deepEqual(queuedIn(conversation), { text: 'Later?', isWaiting: false });
    });

    it('is neither empty nor too long', async () => {
      const { conversation, ask } = await openWindow();
      await ask();
      await assert.rejects(conversation.ask(' \n'), { code: 'empty-question' });
      const long = 'x'.repeat(MAX_QUESTION_LENGTH + 1);
      await assert.rejects(conversation.ask(long), { code: 'question-too-long' });
      assert.equal(queuedIn(conversation), undefined);
    });

    for (const [name, end] of [
      ['fails', new DocsAssistantError('service-down')],
      ['breaks off', { end: { status: 'incomplete', isDegraded: false } }],
      ['is stopped', undefined],
    ] as const) {
      it(`is kept and not sent if the reply ${name}, also after the next reply`, async () => {
        const { conversation, client, ask } = await openWindow();
        const messageId = await ask();
        await conversation.ask('Later?');
        if (end) await client.say({ parts: [text('Be')] }, end);
        else conversation.stop(messageId);
        await settled();
        const kept = { text: 'Later?', isWaiting: false };
        assert.deepEqual(conversation.pending.view.queued, kept);
        await ask('Another?');
        await client.say(complete);
        await settled();
        assert.equal(client.asked.length, 2);
        assert.deepEqual(conversation.pending.view.queued, kept);
      });
    }

    it('is kept when the reader goes to another thread or another site', async () => {
      const here = await openWindow();
      await here.ask();
      await here.conversation.ask('Later?');
      here.conversation.startThread();
      await settled();
      assert.equal(here.conversation.pending.view.queued?.isWaiting, false);

      const there = await openWindow();
      await there.ask();
      await there.conversation.ask('Later?');
      there.useSite('https://other.example.com other');
      await there.conversation.followSite();
      await there.client.say(complete);
      await settled();
      assert.equal(there.client.asked.length, 1);
      assert.deepEqual(there.conversation.pending.view.queued, {
        text: 'Later?',
        isWaiting: false,
      });
    });

    it('is looked through for secrets before it is queued, and its attachments before it is sent', async () => {
      const { conversation, client, ask } = await openWindow();
      await ask();
      const result = await conversation.ask(`Use ${token}?`);
      assert.ok('held' in result);
      assert.equal(queuedIn(conversation), undefined);
      assert.deepEqual(await conversation.ask(`Use ${token}?`, 'redact'), { isQueued: true });
      assert.ok(!queuedIn(conversation)?.text.includes(token));
      conversation.pending.addContextItems([{ ...aContextItem(), value: `key = "${token}"` }]);
      await client.say(complete);
      await settled();
      assert.equal(client.asked.length, 1);
      assert.equal(queuedIn(conversation)?.isWaiting, false);
    });

    it('is kept when the window closes', async () => {
      const draft = new MemoryDraftStore();
      const { conversation, ask } = await openWindow({ draft });
      await ask();
      await conversation.ask('Later?');
      await conversation.flush();
      const next = await openWindow({ draft });
      await next.conversation.restore();
      assert.deepEqual(next.conversation.pending.view.queued, {
        text: 'Later?',
        isWaiting: false,
      });
    });
  });
});
