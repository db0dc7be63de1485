/** The host's side of the chat with the local docs service, through real HTTP. */
import assert from 'node:assert/strict';
import type { ContextItem } from '../../../src/chat/context/contextItem';
import { partView } from '../../../src/shared/uiMessage';
import { startLocalService, type LocalService } from '../../../src/service/server/server';
import type { WireMessage } from '../../../src/chat/assistant/requestBody';
import { event } from '../../builders/stream';
import type { FaultProxy } from '../../fakes/faultProxy';
import { assistantKey } from './asking';
import { openSession, type Session } from './conversationSession';
import { bodyOf, eachSession, question, rolesIn } from '../service/sampleSession';
import { sampleDocs } from '../service/sampleService';

const item: ContextItem = {
  id: 'item-1',
  type: 'code',
  value: 'client.shipments.create()',
  path: 'src/ship.ts',
  label: 'ship.ts',
};

describe('Conversation with the local docs service', () => {
  let proxy: FaultProxy;
  let session: Session;
  eachSession((opened) => ({ proxy, session } = opened));

  it('continues the thread: the follow-up carries its ID and the earlier messages', async () => {
    const first = await session.ask(question);
    assert.equal(first.status, 'complete');
    const second = await session.ask('and in Python?');
    assert.equal(second.status, 'complete');

    assert.equal(bodyOf(proxy, 0)['threadId'], undefined);
    const finishEvent = /"type":"finish".*?"threadId":"([^"]+)"/.exec(
      proxy.exchanges[0]?.responseText ?? '',
    );
    assert.ok(finishEvent?.[1]);
    assert.equal(bodyOf(proxy, 1)['threadId'], finishEvent[1]);
    assert.deepEqual(rolesIn(proxy, 1), ['user', 'assistant', 'user']);
    const sources = second.parts.filter((part) => part.type === 'source-url');
    assert.ok(
      sources.some(({ url }) => url.includes('python')),
      'A follow-up is answered in the light of the question before',
    );
  });

  it('sends back what the service attached to its reply, and shows none of it', async () => {
    const attached = { type: 'message-metadata', messageMetadata: { acme: 'CANARY-message' } };
    proxy.queue({ rewrite: [{ do: 'insert', after: 'start', text: event(attached) }] });
    await session.ask(question);
    await session.ask('and in Python?');
    const [, reply] = bodyOf(proxy, 1)['messages'] as WireMessage[];
    assert.equal(reply?.metadata?.['acme'], 'CANARY-message');
    const sources = reply.parts.filter((part) => part.type === 'source-url');
    assert.ok(sources.length > 0);
    for (const source of sources) assert.ok(source.providerMetadata?.['localDocs']);
    assert.doesNotMatch(JSON.stringify(session.events), /CANARY|localDocs/);
  });

  it('sends context items with one question only', async () => {
    session.conversation.pending.addContextItems([item]);
    await session.ask(question);
    await session.ask('and in Python?');
    assert.deepEqual(bodyOf(proxy, 0)['context'], [
      { type: 'code', value: item.value, path: 'src/ship.ts' },
    ]);
    assert.equal(bodyOf(proxy, 1)['context'], undefined);
    assert.deepEqual(session.conversation.contextItem('item-1'), item);
  });

  it('finds a source of a reply by its id', async () => {
    const reply = await session.ask(question);
    const source = reply.parts.find((part) => part.type === 'source-url') ?? assert.fail();
    const found = session.conversation.shown.source(reply.id, source.sourceId);
    assert.deepEqual(found && partView(found), source);
    assert.equal(session.conversation.shown.source(reply.id, 'another'), undefined);
  });

  describe('when the service no longer knows the thread (A22)', () => {
    it('says so, asks in a new thread on Retry with a notice, and continues there', async () => {
      await session.ask(question);
      proxy.queue({ respond: { status: 404, body: '{"error":"No such thread."}' } });
      const refused = await session.ask('and in Python?');
      assert.equal(refused.error?.code, 'unknown-thread');
      assert.equal(proxy.exchanges.length, 2);

      const reply = await session.retry();
      assert.equal(reply.status, 'complete');
      assert.match(reply.notice ?? '', /started a new one/);
      assert.equal(bodyOf(proxy, 2)['threadId'], undefined);
      assert.deepEqual(rolesIn(proxy, 2), ['user', 'assistant', 'user']);

      await session.ask('and in Go?');
      assert.notEqual(bodyOf(proxy, 3)['threadId'], undefined);
      assert.notEqual(bodyOf(proxy, 3)['threadId'], bodyOf(proxy, 1)['threadId']);
    });

    it('sends the context items of earlier questions to the new thread', async () => {
      session.conversation.pending.addContextItems([item]);
      await session.ask(question);
      proxy.queue({ respond: { status: 404, body: '{"error":"No such thread."}' } });
      await session.ask('and in Python?');
      assert.equal((await session.retry()).status, 'complete');
      const context = [{ type: 'code', value: item.value, path: 'src/ship.ts' }];
      assert.deepEqual(
        [0, 1, 2].map((index) => bodyOf(proxy, index)['context']),
        [context, undefined, context],
      );
    });

    it('does the same with a restarted local docs service', async () => {
      const startOn = async (port: number): Promise<LocalService> => {
        const started = await startLocalService({
          docs: sampleDocs,
          domain: 'sample',
          key: assistantKey,
          paceMs: 0,
          port,
        });
        await started.whenIndexed();
        return started;
      };
      const first = await startOn(0);
      const own = await openSession({ url: first.url });
      assert.equal((await own.ask(question)).status, 'complete');
      await first.stop();
      const second = await startOn(Number(new URL(first.url).port));
      assert.equal((await own.ask('and in Python?')).error?.code, 'unknown-thread');
      assert.equal((await own.retry()).status, 'complete');
      await second.stop();
    });
  });

  // Shows faults.md E12.
  it('keeps the settings that a question started with', async () => {
    proxy.queue({ cues: [{ at: 'headers', do: 'hold', gate: 'headers' }] });
    session.conversation.submit(question);
    session.settings = { ...session.settings, fp: 'somebody-else', baseUrl: undefined };
    await proxy.whenHeld('headers');
    proxy.openGate('headers');
    assert.equal((await session.whenEnded()).status, 'complete');
    assert.equal(bodyOf(proxy, 0)['fp'], 'anonymous');
  });

  it('starts a service thread for a new thread, and continues an old one', async () => {
    await session.ask(question);
    const { id } = session.conversation.thread;
    session.conversation.startThread();
    await session.ask('Where are webhooks described?');
    await session.conversation.openThread(id);
    await session.ask('and in Python?');
    assert.equal(bodyOf(proxy, 1)['threadId'], undefined);
    assert.deepEqual(rolesIn(proxy, 1), ['user']);
    assert.notEqual(bodyOf(proxy, 2)['threadId'], undefined);
    assert.deepEqual(rolesIn(proxy, 2), ['user', 'assistant', 'user']);
  });

  it('does not run two replies at once', async () => {
    proxy.queue({ cues: [{ at: 'headers', do: 'hold', gate: 'headers' }] });
    session.conversation.submit(question);
    assert.throws(() => session.conversation.submit('Another?'), { code: 'reply-running' });
    await proxy.whenHeld('headers');
    proxy.openGate('headers');
    await session.whenEnded();
    assert.equal(proxy.exchanges.length, 1);
  });

  it('asks a question with lone surrogates and NUL in its context', async () => {
    session.conversation.pending.addContextItems([{ ...item, value: 'a\uD800b\0c\uDC00' }]);
    const reply = await session.ask('What does \uD83D this \0 do?');
    assert.equal(reply.error, undefined);
    assert.equal(proxy.exchanges[0]?.status, 200);
    assert.doesNotMatch(proxy.exchanges[0].bodyText, /\\u0000|\\ud8|\\udc/i);
  });
});
