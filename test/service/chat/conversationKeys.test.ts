/** Keys in the host's side of the chat with the local docs service, through real HTTP. */
import assert from 'node:assert/strict';
import { DocsAssistantError } from '../../../src/common/errors';
import { startFaultProxy, type FaultProxy } from '../../fakes/faultProxy';
import { assertNoSecret, assistantKey, settingsFor } from './asking';
import { openSession, type Session } from './conversationSession';
import { replyOf, start, streamFault } from './replyStream';
import { bodyOf, eachSession, question } from '../service/sampleSession';
import type { SampleService } from '../service/sampleService';

describe('Conversation with the local docs service, keys', () => {
  let service: SampleService;
  let proxy: FaultProxy;
  let session: Session;
  eachSession((opened) => ({ service, proxy, session } = opened));

  describe('with a service that gives a key of the thread', () => {
    const threadKey = 'CANARY-thread-key-51c8';
    const headers = { 'X-Thread-Id': 'keyed-thread', 'X-Thread-Key': threadKey };

    it('sends the key beside the ID, and stores it only with the secrets', async () => {
      proxy.queue(streamFault(replyOf('a'), { headers }), streamFault(replyOf('b')));
      await session.ask('one?');
      await session.ask('two?');
      assert.equal(bodyOf(proxy, 0)['threadKey'], undefined);
      assert.equal(bodyOf(proxy, 1)['threadId'], 'keyed-thread');
      assert.equal(bodyOf(proxy, 1)['threadKey'], threadKey);
      assertNoSecret(
        [threadKey],
        [session.events, session.log.text(), ...session.stores.threads.records.values()],
      );
    });

    it('sends no id without its key, and says that a new thread began', async () => {
      proxy.queue(streamFault(replyOf('a'), { headers }), streamFault(replyOf('b')));
      await session.ask('one?');
      session.stores.threadKeys.keys.clear();
      const reply = await session.ask('two?');
      assert.equal(bodyOf(proxy, 1)['threadId'], undefined);
      assert.match(reply.notice ?? '', /started a new one/);
    });
  });

  describe('keys', () => {
    it('offers to set a wrong key, keeps it until then, and gets the reply by Retry', async () => {
      await session.stores.keys.save('assistant', proxy.url, 'local_dsc_not0the0key');
      const refused = await session.ask(question);
      assert.equal(refused.error?.code, 'key-rejected');
      assert.ok(refused.error.actions.includes('set-assistant-key'));
      assert.equal(await session.stores.keys.read('assistant', proxy.url), 'local_dsc_not0the0key');
      await session.stores.keys.save('assistant', proxy.url, assistantKey);
      assert.equal((await session.retry()).status, 'complete');
    });

    it('sends nothing without a key', async () => {
      const keyless = await openSession({ url: proxy.url, key: undefined });
      assert.equal((await keyless.ask(question)).error?.code, 'not-signed-in');
      assert.equal(proxy.exchanges.length, 0);
    });

    it('never uses the admin key as the assistant key (F7)', async () => {
      const keyless = await openSession({ url: proxy.url, key: undefined });
      await keyless.stores.keys.save('admin', proxy.url, 'local_CANARY0admin0key0123');
      assert.equal((await keyless.ask(question)).error?.code, 'not-signed-in');
      assert.equal(proxy.exchanges.length, 0);
    });

    it('sends neither key nor thread to another origin (F5)', async () => {
      await session.ask(question);
      const other = await service.startProxy();
      try {
        session.settings = settingsFor(other.url);
        assert.equal((await session.ask('and here?')).error?.code, 'not-signed-in');
        assert.equal(other.exchanges.length, 0);

        await session.stores.keys.save('assistant', other.url, assistantKey);
        assert.equal((await session.retry()).status, 'complete');
        const body = bodyOf(other, 0);
        assert.equal(body['threadId'], undefined);
      } finally {
        await other.stop();
      }
    });

    it('reports failing secret storage, and sends nothing', async () => {
      session.stores.keys.failure = new DocsAssistantError('secret-store-failed');
      assert.equal((await session.ask(question)).error?.code, 'secret-store-failed');
      assert.equal(proxy.exchanges.length, 0);
    });
  });
});

describe('Secrets in a whole conversation (F1)', () => {
  const threadKey = 'CANARY-thread-key-77ab';
  const echo = `${assistantKey} / ${threadKey}`;

  it('are in no event, log line, stored thread or view, whatever the service echoes', async () => {
    const proxy = await startFaultProxy();
    const session = await openSession({ url: proxy.url });
    const headers = { 'X-Thread-Id': 'thread-1', 'X-Thread-Key': threadKey };
    proxy.queue(
      streamFault(replyOf('Hello. ', `You are ${assistantKey}. `, 'Bye.'), { headers }),
      streamFault(replyOf(...Array.from(`Cut: ${echo}.`))),
      { respond: { status: 401, body: JSON.stringify({ error: `Bad key ${echo}` }) } },
      { respond: { status: 500, headers: { 'content-type': 'text/plain' }, body: echo } },
      streamFault(`${start}data: {"type":"error","errorText":"${echo}"}\n\n`),
      { respond: { status: 307, headers: { location: `/x?key=${assistantKey}` } } },
      { cues: [{ at: 'headers', do: 'reset' }] },
    );
    const statuses: string[] = [];
    for (let turn = 0; turn < 7; turn++) statuses.push((await session.ask(`Turn ${turn}?`)).status);
    assert.deepEqual(statuses, ['complete', 'complete', ...Array<string>(5).fill('failed')]);
    // Else this test would look in the wrong place.
    assert.equal(proxy.exchanges[1]?.bodyText.includes(threadKey), true);

    const everything = [
      session.events,
      session.log.lines,
      session.conversation.thread,
      [...session.stores.threads.records.values()],
    ];
    assert.ok(JSON.stringify(everything).includes('Turn 6?'));
    assertNoSecret([assistantKey, threadKey, 'CANARY'], everything);
    const paths = proxy.exchanges.map(({ path }) => path);
    assertNoSecret(['CANARY'], paths);
    session.conversation.dispose();
    await proxy.stop();
  });
});
