import assert from 'node:assert/strict';
import { DocsAssistantError } from '../../../../src/common/errors';
import { MAX_QUESTION_LENGTH } from '../../../../src/shared/limits';
import { aContextItem, aKey } from '../../../builders/asking';
import { settled } from '../../../fakes/fakeClock';
import { complete, followed, openWindow, text } from './conversationWindow';

describe('Conversation', () => {
  describe('submit', () => {
    it('asks with the key, the settings, the path and the context items of that moment', async () => {
      const { conversation, client, useSettings } = await openWindow();
      const item = aContextItem();
      conversation.pending.addContextItems([item]);
      conversation.submit('How?');
      useSettings({ retrievalPageSize: 9 });
      await settled();
      const request = client.last();
      assert.equal(request.key, aKey);
      assert.equal(request.settings.retrievalPageSize, 5);
      assert.equal(request.currentPath, 'guides/start');
      assert.deepEqual(request.contextItems, [item]);
      assert.deepEqual(conversation.pending.draft.contextItems, []);
      assert.equal(request.threadId, undefined);
    });

    it('shows the question, its chips and a waiting reply at once', async () => {
      const { conversation, events } = await openWindow();
      conversation.pending.addContextItems([aContextItem()]);
      const { messageId } = conversation.submit('How?');
      const { messages, title } = conversation.thread;
      assert.equal(title, 'How?');
      assert.equal(messages.length, 2);
      assert.equal(messages[1]?.id, messageId);
      assert.equal(messages[1].role === 'assistant' && messages[1].status, 'waiting');
      assert.deepEqual(followed(events), conversation.thread);
    });

    for (const [code, question] of [
      ['empty-question', ''],
      ['empty-question', ' \n\t '],
      ['question-too-long', 'x'.repeat(MAX_QUESTION_LENGTH + 1)],
    ] as const) {
      it(`refuses a question of ${question.length} characters as ${code} and keeps the items`, async () => {
        const { conversation } = await openWindow();
        conversation.pending.addContextItems([aContextItem()]);
        assert.throws(() => conversation.submit(question), { code });
        assert.equal(conversation.pending.draft.contextItems.length, 1);
        assert.equal(conversation.thread.messages.length, 0);
      });
    }

    it('takes a question of the greatest length', async () => {
      const { conversation } = await openWindow();
      conversation.submit('x'.repeat(MAX_QUESTION_LENGTH));
      assert.equal(conversation.thread.messages.length, 2);
    });

    it('refuses a second question while a reply runs', async () => {
      const { conversation, ask } = await openWindow();
      await ask();
      assert.throws(() => conversation.submit('And?'), { code: 'reply-running' });
      assert.equal(conversation.thread.messages.length, 2);
    });

    it('fails with not-configured without a site, and not-signed-in without a key', async () => {
      const { ask, reply, useSettings, client, keys } = await openWindow();
      useSettings({ baseUrl: undefined });
      await ask();
      assert.equal(reply().error?.code, 'not-configured');
      useSettings({});
      await keys.forget('assistant', 'https://api.example.com');
      await ask();
      assert.equal(reply().error?.code, 'not-signed-in');
      assert.match(reply().error?.message ?? '', /api\.example\.com/);
      assert.equal(client.asked.length, 0);
    });

    it('never takes the key of another origin', async () => {
      const { ask, reply, useSettings, client } = await openWindow();
      for (const baseUrl of ['https://api.example.com:8443', 'https://api.example.com.evil.test']) {
        useSettings({ baseUrl });
        await ask();
        assert.equal(reply().error?.code, 'not-signed-in');
      }
      assert.equal(client.asked.length, 0);
    });

    it('says that the secret storage failed when it does', async () => {
      const { ask, reply, keys } = await openWindow();
      keys.failure = new DocsAssistantError('secret-store-failed');
      await ask();
      assert.equal(reply().error?.code, 'secret-store-failed');
    });
  });

  describe('a running reply', () => {
    it('grows in the thread and in the events alike, and ends', async () => {
      const { client, ask, reply, events, conversation } = await openWindow();
      await ask();
      await client.say({ parts: [text('So')] });
      assert.equal(reply().status, 'streaming');
      assert.ok(!events.some((event) => event.name === 'reply-status'), 'its changes say so');
      await client.say({ parts: [text('So it is.'), { type: 'step-start' }] }, complete);
      assert.equal(reply().status, 'complete');
      assert.deepEqual(reply().parts, [text('So it is.'), { type: 'step-start' }]);
      assert.deepEqual(followed(events), conversation.thread);
      assert.equal(conversation.isReplyRunning, false);
    });

    it('shows changes at most once per 16 ms, and the last one at its end', async () => {
      const { client, ask, events, clock, reply } = await openWindow();
      await ask();
      let said = '';
      for (let word = 0; word < 32; word++) {
        said += 'word ';
        await client.say({ parts: [text(said)] });
        await clock.advance(1);
      }
      const opsCount = (): number => events.filter(({ name }) => name === 'reply-ops').length;
      assert.ok(opsCount() >= 2 && opsCount() <= 3, `${opsCount()} changes in 32 ms`);
      await client.say({ parts: [text(`${said}end`)] }, complete);
      assert.deepEqual(reply().parts, [text(`${said}end`)]);
    });

    it('goes on to be shown when the clock is set back', async () => {
      const { client, ask, clock, reply } = await openWindow();
      await ask();
      await client.say({ parts: [text('a')] });
      clock.sleep(-3_600_000);
      await client.say({ parts: [text('ab')] });
      await clock.advance(16);
      assert.deepEqual(reply().parts, [text('ab')]);
    });

    it('posts little more than the text of the reply', async () => {
      const { client, ask, events, clock } = await openWindow();
      await ask();
      let said = '';
      for (let word = 0; word < 200; word++) {
        said += 'several words of text ';
        await client.say({ parts: [text(said)] });
        await clock.advance(16);
      }
      await client.say(complete);
      const posted = events.reduce(
        (sum, event) => sum + (event.name === 'reply-ops' ? JSON.stringify(event.ops).length : 0),
        0,
      );
      assert.ok(posted < 1.3 * said.length, `${posted} for ${said.length}`);
    });

    it('shows in a snapshot what the events have told, and nothing that they will tell again', async () => {
      const { client, ask, events, clock, conversation } = await openWindow();
      await ask();
      await client.say({ parts: [text('a')] });
      await client.say({ parts: [text('ab')] });
      const snapshot = conversation.thread;
      const told = events.length;
      await clock.advance(16);
      const later = events.slice(told);
      const view = followed([{ name: 'thread-shown', params: { thread: snapshot } }, ...later]);
      assert.deepEqual(view, conversation.thread);
      assert.deepEqual(view.messages[1]?.role === 'assistant' && view.messages[1].parts, [
        text('ab'),
      ]);
    });

    for (const status of ['stopped-by-service', 'incomplete'] as const) {
      it(`ends as ${status} with its text and without an error`, async () => {
        const { client, ask, reply } = await openWindow();
        await ask();
        await client.say({ parts: [text('So')], end: { status, isDegraded: false } });
        assert.equal(reply().status, status);
        assert.equal(reply().error, undefined);
        assert.deepEqual(reply().parts, [text('So')]);
      });
    }

    it('keeps its text when it fails, with the error once', async () => {
      const { client, ask, reply, events } = await openWindow();
      await ask();
      await client.say({ parts: [text('So')] }, new DocsAssistantError('connection-lost'));
      assert.equal(reply().status, 'failed');
      assert.equal(reply().error?.code, 'connection-lost');
      assert.deepEqual(reply().parts, [text('So')]);
      const told = events.filter((event) => event.name === 'reply-status' && event.params.error);
      assert.equal(told.length, 1);
    });

    it('says in a notice that a part could not be read', async () => {
      const { client, ask, reply } = await openWindow();
      await ask();
      await client.say({ parts: [text('So')], end: { status: 'complete', isDegraded: true } });
      assert.match(reply().notice ?? '', /couldn’t be read/);
    });

    it('says in a notice that it is too long, and keeps what came', async () => {
      const { client, ask, reply } = await openWindow();
      await ask();
      const end = { status: 'incomplete', isDegraded: false, isTooLong: true } as const;
      await client.say({ parts: [text('So')], end });
      assert.equal(reply().status, 'incomplete');
      assert.deepEqual(reply().parts, [text('So')]);
      assert.match(reply().notice ?? '', /too long to show in full\. Its beginning is kept/);
    });

    it('becomes unexpected, with its cause in the log alone, for an error that is not ours', async () => {
      const { client, ask, reply, log } = await openWindow();
      await ask();
      await client.say(new TypeError('undefined is not a function'));
      assert.equal(reply().error?.code, 'unexpected');
      assert.doesNotMatch(reply().error?.message ?? '', /undefined/);
      assert.match(log.text('error'), /undefined is not a function/);
    });
  });

  describe('stop', () => {
    it('ends the request at once, keeps what was read and shows no error', async () => {
      const { client, ask, reply, conversation } = await openWindow();
      const id = await ask();
      await client.say({ parts: [text('a')] }, { parts: [text('ab')] });
      conversation.stop(id);
      assert.equal(reply().status, 'stopped');
      assert.equal(reply().error, undefined);
      assert.deepEqual(reply().parts, [text('ab')]);
      assert.ok(client.asked[0]?.signal.aborted);
      assert.equal(conversation.isReplyRunning, false);
    });

    it('lets nothing of the stopped reply reach the next one', async () => {
      const { client, ask, reply, conversation, clock } = await openWindow();
      conversation.stop(await ask('First?'));
      await ask('Second?');
      await clock.advance(100);
      await client.sayTo(0, { parts: [text('late')] }, complete);
      assert.equal(reply(2).status, 'stopped');
      assert.deepEqual(reply(2).parts, []);
      await client.say({ parts: [text('second')] }, complete);
      assert.deepEqual(reply(1).parts, [text('second')]);
      assert.deepEqual(reply(2).parts, []);
    });

    it('stops before the client is there', async () => {
      const { conversation, client, reply } = await openWindow();
      const { messageId } = conversation.submit('How?');
      conversation.stop(messageId);
      await settled();
      assert.equal(reply().status, 'stopped');
      assert.ok(client.asked.every(({ signal }) => signal.aborted));
    });

    it('does nothing for a reply that does not run', async () => {
      const { client, ask, conversation, reply } = await openWindow();
      const id = await ask();
      await client.say(complete);
      conversation.stop(id);
      assert.equal(reply().status, 'complete');
    });
  });

  describe('retry', () => {
    it('asks the same question with its items again, in the place of the old reply', async () => {
      const { client, ask, conversation, reply, events } = await openWindow();
      conversation.pending.addContextItems([aContextItem()]);
      const id = await ask('How?');
      await client.say({ parts: [text('So')] }, new DocsAssistantError('connection-lost'));
      conversation.retry(id);
      await settled();
      assert.equal(conversation.thread.messages.length, 2);
      assert.notEqual(reply().id, id);
      assert.equal(reply().status, 'waiting');
      assert.deepEqual(client.last().contextItems, [aContextItem()]);
      assert.equal(client.last().messages.length, 1);
      await client.say({ parts: [text('So it is.')] }, complete);
      assert.deepEqual(reply().parts, [text('So it is.')]);
      assert.deepEqual(followed(events), conversation.thread);
    });

    it('sends of the thread what came before the question that is asked again', async () => {
      const { client, ask, conversation } = await openWindow();
      const first = await ask('First?');
      await client.say({ parts: [text('1')] }, complete);
      await ask('Second?');
      await client.say({ parts: [text('2')] }, complete);
      conversation.retry(first);
      await settled();
      assert.deepEqual(
        client.last().messages.map((message) => message.role === 'user' && message.text),
        ['First?'],
      );
      assert.equal(conversation.thread.messages.length, 2);
    });

    it('waits until the time that the service named', async () => {
      const { client, ask, conversation, clock, reply } = await openWindow();
      const id = await ask();
      const retryAt = clock.now() + 7000;
      await client.say(new DocsAssistantError('rate-limited', { retryAt }));
      assert.equal(reply().error?.retryAt, retryAt);
      await clock.advance(6999);
      assert.throws(() => conversation.retry(id), { code: 'rate-limited' });
      assert.equal(client.asked.length, 1);
      await clock.advance(1);
      conversation.retry(id);
      await settled();
      assert.equal(client.asked.length, 2);
    });

    it('never happens by itself', async () => {
      const { client, ask, clock } = await openWindow();
      await ask();
      await client.say(new DocsAssistantError('rate-limited', { retryAt: clock.now() + 1000 }));
      await clock.advance(3_600_000);
      assert.equal(client.asked.length, 1);
    });
  });

  it('finds sources and files by their place in the reply', async () => {
    const { client, ask, conversation } = await openWindow();
    const id = await ask();
    const source = { type: 'source-url', sourceId: 's', url: 'https://docs.example.com/' } as const;
    const file = { type: 'file', mediaType: 'image/png', url: 'data:,' } as const;
    await client.say({ parts: [text('So'), source, file] }, complete);
    assert.equal(conversation.shown.source(id, 's'), source);
    assert.equal(conversation.shown.source(id, 'other'), undefined);
    assert.equal(conversation.shown.source('other', 's'), undefined);
    assert.equal(conversation.shown.file(id, 2), file);
    assert.equal(conversation.shown.file(id, 1), undefined);
  });

  it('keeps what the service quoted of its sources, and out of the view', async () => {
    const { client, ask, conversation, events, threads } = await openWindow();
    const id = await ask();
    await client.say({ quotes: { s1: 'CANARY one' } });
    assert.equal(conversation.shown.quote(id, 's1'), 'CANARY one');
    await client.say({ parts: [text('So')], quotes: { s1: 'CANARY one', s2: 'two' } }, complete);
    assert.equal(conversation.shown.quote(id, 's2'), 'two');
    for (const name of ['s3', 'toString', '__proto__']) {
      assert.equal(conversation.shown.quote(id, name), undefined);
    }
    assert.doesNotMatch(JSON.stringify([events, conversation.thread]), /CANARY/);
    await conversation.flush();
    assert.match([...threads.records.values()].join(), /CANARY one/);
  });

  it('knows the items of the question that a reply is to', async () => {
    const { client, ask, conversation } = await openWindow();
    conversation.pending.addContextItems([aContextItem()]);
    const first = await ask();
    await client.say(complete);
    const second = await ask('And?');
    assert.deepEqual(conversation.shown.questionOf(first)?.contextItems ?? [], [aContextItem()]);
    assert.deepEqual(conversation.shown.questionOf(second)?.contextItems ?? [], []);
    assert.deepEqual(conversation.shown.questionOf('gone'), undefined);
  });

  it('logs neither question nor reply nor key', async () => {
    const { client, ask, log, conversation } = await openWindow();
    conversation.pending.addContextItems([aContextItem({ value: 'CANARY-code' })]);
    await ask('CANARY-question');
    await client.say({ parts: [text('CANARY-reply')] }, new DocsAssistantError('service-down'));
    assert.match(log.text(), /service-down/);
    assert.doesNotMatch(log.text(), /CANARY/);
    assert.ok(!log.text().includes(aKey));
  });
});
