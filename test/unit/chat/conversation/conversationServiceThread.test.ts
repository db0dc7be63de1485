import assert from 'node:assert/strict';
import { requestBody } from '../../../../src/chat/assistant/requestBody';
import type { ReplyChange } from '../../../../src/shared/reply';
import { DocsAssistantError } from '../../../../src/common/errors';
import { aContextItem, aFile, aKey, aQuestion, aReply, aThread } from '../../../builders/asking';
import { settled } from '../../../fakes/fakeClock';
import { complete, openWindow, text, type ScriptedUpdate } from './conversationWindow';

describe('Conversation', () => {
  describe('the service’s metadata', () => {
    const attached = { acme: { id: 'CANARY-metadata' } };
    const withMetadata: ScriptedUpdate = {
      parts: [
        { type: 'reasoning', text: 'Hm.', providerMetadata: attached },
        { type: 'source-url', sourceId: 's', url: '/a', providerMetadata: attached },
        text('So.'),
      ],
      metadata: attached,
    };

    it('goes back to it with its reply, and no view ever hears of it', async () => {
      const { client, ask, events, conversation, threads } = await openWindow();
      const id = await ask();
      await client.say(withMetadata, complete);
      await ask('And?');
      const [, reply] = client.last().messages;
      assert.deepEqual(reply?.role === 'assistant' && [reply.parts, reply.metadata], [
        withMetadata.parts,
        attached,
      ]);
      conversation.startThread();
      await conversation.flush();
      assert.match(JSON.stringify([...threads.records]), /CANARY/);
      assert.doesNotMatch(JSON.stringify([events, conversation.thread]), /CANARY/);
      assert.ok(events.some((event) => event.name === 'reply-ops' && event.messageId === id));
    });

    it('is kept where it comes alone, behind everything that is shown', async () => {
      const { client, ask } = await openWindow();
      await ask();
      await client.say({ parts: [text('So.')] });
      await client.say({ metadata: attached }, complete);
      await ask('And?');
      const [, reply] = client.last().messages;
      assert.deepEqual(reply?.role === 'assistant' && reply.metadata, attached);
    });

    // Earlier versions continued a thread at the site that was asked at the moment.
    it('goes only to its own site, though a thread has replies of two', async () => {
      const { client, ask, conversation, threads, useSite } = await openWindow();
      const sites = ['https://api.example.com acme', 'https://api.example.com other'];
      for (const id of sites) {
        const [own] = withMetadata.parts ?? [];
        const messages = [
          aQuestion(),
          aReply({ parts: own ? [own] : [], metadata: attached, siteId: sites[0] }),
          aQuestion({ id: 'q2' }),
          aReply({ id: 'r2', siteId: sites[1] }),
        ];
        await threads.write(aThread({ id, site: { id, label: id }, messages }));
        useSite(id);
        await conversation.openThread(id);
        await ask('And?');
        assert.equal(client.last().messages.length, 5);
        assert.equal(/CANARY/.test(JSON.stringify(client.last().messages)), id === sites[0]);
        await client.say({ parts: [text('3')] }, complete);
      }
    });
  });

  describe('files that no longer go along', () => {
    const fileOf = (id: string, length: number) =>
      aFile({ id, filename: id, url: `data:,${'x'.repeat(length)}` });

    it('are named beside the first reply that goes without them', async () => {
      const { conversation, client, ask, reply } = await openWindow();
      conversation.pending.addFile(fileOf('old.log', 5_000_000));
      await ask();
      await client.say({ parts: [text('1')] }, complete);
      conversation.pending.addFile(fileOf('new.log', 5_000_000));
      await ask('And?');
      await client.say({ parts: [text('2')] }, complete);
      assert.match(reply().notice ?? '', /too large .*: old\.log\. Attach/);
      await ask('And then?');
      await client.say({ parts: [text('3')] }, complete);
      assert.equal(reply().notice, undefined);
      await ask('And once more?');
      await client.say({ parts: [text('4')] }, complete);
      assert.equal(reply().notice, undefined, 'they are named again');
      conversation.pending.addFile(fileOf('last.log', 5_000_000));
      await ask('And at last?');
      await client.say({ parts: [text('5')] }, complete);
      assert.match(reply().notice ?? '', /too large .*: old\.log, new\.log\. Attach/);
    });

    for (const code of ['too-large', 'bad-request'] as const) {
      it(`are those of a question that the service refused as ${code}, so that the next one can succeed`, async () => {
        const { conversation, client, ask, reply } = await openWindow();
        conversation.pending.addFile(fileOf('picture.png', 100));
        conversation.pending.addContextItems([aContextItem({ label: 'pay.ts' })]);
        await ask('What is this?');
        await client.say(new DocsAssistantError(code));
        await ask('And without them?');
        const { context, messages } = requestBody(client.last());
        assert.equal(context, undefined);
        assert.doesNotMatch(JSON.stringify(messages), /picture\.png/);
        await client.say({ parts: [text('1')] }, complete);
        assert.match(reply().notice ?? '', /refused .*: pay\.ts, picture\.png\. Attach/);
      });
    }

    it('are named where the question fails, too', async () => {
      const { conversation, client, ask, reply } = await openWindow();
      conversation.pending.addFile(fileOf('old.log', 5_000_000));
      await ask();
      await client.say({ parts: [text('1')] }, complete);
      conversation.pending.addFile(fileOf('new.log', 5_000_000));
      await ask('And?');
      await client.say(new DocsAssistantError('offline'));
      assert.match(reply().notice ?? '', /: old\.log\. Attach/);
    });

    it('are named once if their content is no longer stored', async () => {
      const { conversation, threads, client, ask, reply } = await openWindow();
      const files = [aFile({ id: 'lost.log', filename: 'lost.log', url: '' })];
      await threads.write(aThread({ id: 'kept', messages: [aQuestion({ files }), aReply()] }));
      await conversation.openThread('kept');
      await ask('And?');
      await client.say({ parts: [text('1')] }, complete);
      assert.match(reply().notice ?? '', /no longer stored, .*: lost\.log\. Attach/);
      await ask('And then?');
      await client.say({ parts: [text('2')] }, complete);
      assert.equal(reply().notice, undefined, 'they are named again');
    });

    it('are named where a service’s own file is too large to be sent back', async () => {
      const { client, ask, reply } = await openWindow();
      await ask();
      const chart = { type: 'file', mediaType: 'image/png', filename: 'chart.png' } as const;
      await client.say({ parts: [{ ...chart, url: `data:,${'x'.repeat(100_000)}` }] }, complete);
      await ask('And?');
      await client.say({ parts: [text('2')] }, complete);
      assert.match(reply().notice ?? '', /: chart\.png\. Attach/);
    });
  });

  describe('the service’s thread', () => {
    const named = (threadId: string, threadKey?: string): ReplyChange => ({
      serviceThread: { threadId, threadKey },
    });

    it('goes along with the next question', async () => {
      const { client, ask } = await openWindow();
      await ask();
      await client.say(named('service-1'), { parts: [text('1')] }, complete);
      await ask('And?');
      assert.equal(client.last().threadId, 'service-1');
      assert.equal(client.last().threadKey, undefined);
      assert.equal(client.last().messages.length, 3);
    });

    it('gets the context items of questions that it has not answered', async () => {
      const { client, ask, conversation } = await openWindow();
      conversation.pending.addContextItems([aContextItem({ id: 'c1', value: 'answered' })]);
      await ask();
      await client.say(named('service-1'), { parts: [text('1')] }, complete);
      conversation.pending.addContextItems([aContextItem({ id: 'c2', value: 'never arrived' })]);
      await ask('And this?');
      await client.say(new DocsAssistantError('offline'));
      await ask('And now?');
      assert.equal(client.last().threadId, 'service-1');
      const values = client.last().contextItems.map(({ value }) => value);
      assert.deepEqual(values, ['never arrived']);
    });

    it('is sent with its key, which is only in secret storage', async () => {
      const { client, ask, threads, threadKeys, events, log } = await openWindow();
      await ask();
      await client.say(named('service-1', 'CANARY-thread-key'), complete);
      await ask('And?');
      assert.equal(client.last().threadKey, 'CANARY-thread-key');
      await client.say(named('service-1'), complete);
      await ask('And then?');
      assert.equal(client.last().threadKey, 'CANARY-thread-key');
      assert.deepEqual([...threadKeys.keys.values()], ['CANARY-thread-key']);
      const everything = JSON.stringify([[...threads.records], events, log.lines]);
      assert.doesNotMatch(everything, /CANARY/);
      assert.ok(!everything.includes(aKey));
    });

    it('stays behind when its key is lost, and a notice says so', async () => {
      const { client, ask, threadKeys, reply } = await openWindow();
      await ask();
      await client.say(named('service-1', 'thread-key-1'), complete);
      threadKeys.keys.clear();
      await ask('And?');
      assert.equal(client.last().threadId, undefined);
      await client.say({ parts: [text('2')] }, complete);
      assert.match(reply().notice ?? '', /started a new one/);
    });

    it('stays behind when its key can’t be read, and no reply fails because the key can’t be kept', async () => {
      const { client, ask, threadKeys, reply, log } = await openWindow();
      threadKeys.failure = new DocsAssistantError('secret-store-failed');
      await ask();
      await client.say(named('service-1', 'thread-key-1'), complete);
      assert.equal(reply().status, 'complete');
      await ask('And?');
      assert.equal(client.last().threadId, undefined);
      await client.say({ parts: [text('2')] }, complete);
      assert.match(reply().notice ?? '', /started a new one/);
      assert.match(log.text('warn'), /could not be kept[^]*could not be read/);
    });

    it('stays behind when the first question is asked again, and goes along with later ones', async () => {
      const { client, ask, conversation } = await openWindow();
      const first = await ask('First?');
      await client.say(named('service-1'), { parts: [text('1')] }, complete);
      const second = await ask('Second?');
      await client.say({ parts: [text('2')] }, complete);
      conversation.retry(second);
      await settled();
      assert.equal(client.last().threadId, 'service-1');
      await client.say({ parts: [text('2b')] }, complete);
      conversation.retry(first);
      await settled();
      assert.equal(client.last().threadId, undefined);
      await client.say(named('service-2'), { parts: [text('1b')] }, complete);
      await ask('Third?');
      assert.equal(client.last().threadId, 'service-2');
    });

    it('does not go to another site', async () => {
      const { client, ask, useSettings, keys } = await openWindow();
      await ask();
      await client.say(named('service-1'), complete);
      useSettings({ assistantDomain: 'other' });
      await ask('And?');
      assert.equal(client.last().threadId, undefined);
      await client.say(complete);
      await keys.save('assistant', 'https://other.example.com', aKey);
      useSettings({ baseUrl: 'https://other.example.com' });
      await ask('And then?');
      assert.equal(client.last().threadId, undefined);
    });

    const item = aContextItem();
    const labelsSent = ({ contextItems }: { contextItems: readonly { label: string }[] }) =>
      contextItems.map(({ label }) => label);

    it('knows the context items of earlier questions, so they are not sent again', async () => {
      const { conversation, client, ask } = await openWindow();
      conversation.pending.addContextItems([item]);
      await ask();
      await client.say(named('service-1'), { parts: [text('1')] }, complete);
      await ask('And?');
      assert.deepEqual(client.last().contextItems, []);
    });

    it('that is lost loses no context: the retry takes the items of earlier questions along', async () => {
      const { conversation, client, ask, reply } = await openWindow();
      conversation.pending.addContextItems([item]);
      await ask();
      await client.say(named('service-1'), { parts: [text('1')] }, complete);
      conversation.pending.addContextItems([aContextItem({ id: 'c2', value: 'b', label: 'b.ts' })]);
      const id = await ask('And?');
      await client.say(new DocsAssistantError('unknown-thread'));
      conversation.retry(id);
      await settled();
      assert.deepEqual(labelsSent(client.last()), ['b.ts', 'a.ts']);
      await client.say(named('service-2'), { parts: [text('2')] }, complete);
      assert.doesNotMatch(reply().notice ?? '', /no room/);
      await ask('And then?');
      assert.deepEqual(client.last().contextItems, []);
    });

    it('whose key is lost, or that is another site’s, loses no context either', async () => {
      const { conversation, client, ask, threadKeys, useSettings } = await openWindow();
      conversation.pending.addContextItems([item]);
      await ask();
      await client.say(named('service-1', 'thread-key-1'), { parts: [text('1')] }, complete);
      threadKeys.keys.clear();
      await ask('And?');
      assert.deepEqual(client.last().contextItems, [item]);
      await client.say(named('service-2'), { parts: [text('2')] }, complete);
      useSettings({ assistantDomain: 'other' });
      await ask('And here?');
      assert.deepEqual(client.last().contextItems, [item]);
    });

    it('that a service never names leaves it without memory, so that each question brings all', async () => {
      const { conversation, client, ask } = await openWindow();
      conversation.pending.addContextItems([item]);
      await ask();
      await client.say({ parts: [text('1')] }, complete);
      await ask('And?');
      assert.deepEqual(client.last().contextItems, [item]);
    });

    it('has no room for all that was selected: the reply names what did not go along', async () => {
      const { conversation, client, ask, reply } = await openWindow();
      const large = aContextItem({ id: 'c2', value: 'x'.repeat(200_000), label: 'large.ts' });
      conversation.pending.addContextItems([item, large]);
      await ask();
      await client.say({ parts: [text('1')] }, complete);
      assert.equal(reply().notice, undefined);
      await ask('And?');
      assert.deepEqual(labelsSent(client.last()), ['a.ts']);
      await client.say({ parts: [text('2')] }, complete);
      assert.match(reply().notice ?? '', /too large .*: large\.ts\./);
    });

    it('is forgotten at a 404; only the user’s retry asks again, without it and with a notice', async () => {
      const { client, ask, conversation, reply, threadKeys, clock } = await openWindow();
      await ask();
      await client.say(named('service-1', 'thread-key-1'), { parts: [text('1')] }, complete);
      const id = await ask('And?');
      await client.say(new DocsAssistantError('unknown-thread'));
      assert.equal(reply().error?.code, 'unknown-thread');
      assert.equal(threadKeys.keys.size, 0);
      await clock.advance(60_000);
      assert.equal(client.asked.length, 2);
      conversation.retry(id);
      await settled();
      assert.equal(client.last().threadId, undefined);
      assert.equal(client.last().messages.length, 3);
      await client.say(named('service-2'), { parts: [text('2')] }, complete);
      assert.match(reply().notice ?? '', /started a new one/);
      await ask('And then?');
      assert.equal(client.last().threadId, 'service-2');
      assert.equal(reply().notice, undefined);
    });
  });
});
