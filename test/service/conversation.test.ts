/** The host's side of the chat with the local docs service, through real HTTP and its faults. */
import assert from 'node:assert/strict';
import type { ContextItem } from '../../src/context/contextItem';
import { startLocalService, type LocalService } from '../../src/localService/server';
import { FakeClock } from '../fakes/fakeClock';
import { startFaultProxy, type FaultProxy } from '../fakes/faultProxy';
import type { Exchange } from '../fakes/faults';
import { assertNoSecret, assistantKey, settingsFor } from './asking';
import { openSession, Stores, type Session } from './conversationSession';
import { delta, finish, replyOf, start, streamFault, textStart } from './replyStream';
import { sampleDocs, startSampleService, type SampleService } from './sampleService';

const question = 'How do I create a shipment?';

const item: ContextItem = {
  id: 'item-1',
  type: 'code',
  value: 'client.shipments.create()',
  path: 'src/ship.ts',
  label: 'ship.ts',
};

describe('Conversation with the local docs service', () => {
  let service: SampleService;
  let proxy: FaultProxy;
  let session: Session;

  before(async () => {
    service = await startSampleService();
  });

  after(() => service.stop());

  beforeEach(async () => {
    proxy = await service.startProxy();
    session = await openSession({ url: proxy.url });
  });

  afterEach(async () => {
    session.conversation.dispose();
    await proxy.stop();
  });

  const bodyOf = (index: number): Record<string, unknown> =>
    (proxy.exchanges[index]?.body as Record<string, unknown> | undefined) ?? assert.fail();

  const rolesIn = (index: number): unknown =>
    (bodyOf(index)['messages'] as { role: string }[]).map(({ role }) => role);

  it('continues the thread: the follow-up carries its id and what was said', async () => {
    const first = await session.ask(question);
    assert.equal(first.status, 'complete');
    const second = await session.ask('and in Python?');
    assert.equal(second.status, 'complete');

    assert.equal(bodyOf(0)['threadId'], undefined);
    const finishEvent = /"type":"finish".*?"threadId":"([^"]+)"/.exec(
      proxy.exchanges[0]?.responseText ?? '',
    );
    assert.ok(finishEvent?.[1]);
    assert.equal(bodyOf(1)['threadId'], finishEvent[1]);
    assert.deepEqual(rolesIn(1), ['user', 'assistant', 'user']);
    const sources = second.parts.filter((part) => part.type === 'source-url');
    assert.ok(
      sources.some(({ url }) => url.includes('python')),
      'A follow-up is answered in the light of the question before',
    );
  });

  it('takes context items along with one question only', async () => {
    session.conversation.addContextItems([item]);
    await session.ask(question);
    await session.ask('and in Python?');
    assert.deepEqual(bodyOf(0)['context'], [
      { type: 'code', value: item.value, path: 'src/ship.ts' },
    ]);
    assert.equal(bodyOf(1)['context'], undefined);
    assert.deepEqual(session.conversation.contextItem('item-1'), item);
  });

  it('finds a source of a reply by its id', async () => {
    const reply = await session.ask(question);
    const source = reply.parts.find((part) => part.type === 'source-url') ?? assert.fail();
    assert.deepEqual(session.conversation.source(reply.id, source.sourceId), source);
    assert.equal(session.conversation.source(reply.id, 'another'), undefined);
  });

  it('stops in mid-answer: the text stays, the connection closes, nothing is an error', async () => {
    proxy.queue({ cues: [{ at: { text: '"type":"text-delta"' }, do: 'hold', gate: 'never' }] });
    const { messageId } = session.conversation.submit(question);
    await proxy.whenHeld('never');
    await session.until(() => session.reply.parts.some(({ type }) => type === 'reasoning'));
    session.conversation.stop(messageId);

    const reply = await session.whenEnded();
    assert.equal(reply.status, 'stopped');
    assert.equal(reply.error, undefined);
    assert.ok(reply.parts.length > 0);
    await proxy.until(() => proxy.exchanges[0]?.state === 'client-gone');
  });

  it('stops before the headers', async () => {
    proxy.queue({ cues: [{ at: 'headers', do: 'hold', gate: 'never' }] });
    const { messageId } = session.conversation.submit(question);
    await proxy.whenHeld('never');
    session.conversation.stop(messageId);
    assert.equal((await session.whenEnded()).status, 'stopped');
    await proxy.until(() => proxy.exchanges[0]?.state === 'client-gone');
  });

  it('keeps the rest of a stopped reply out of the next one', async () => {
    proxy.queue(
      streamFault(replyOf('old one', 'old two'), {
        cues: [{ at: { text: 'old one' }, do: 'hold', gate: 'old' }],
      }),
      streamFault(replyOf('new one', ' new two'), {
        cues: [{ at: { text: 'new one' }, do: 'hold', gate: 'new' }],
      }),
    );
    const { messageId } = session.conversation.submit('old?');
    await proxy.whenHeld('old');
    session.conversation.stop(messageId);
    session.conversation.submit('new?');
    await proxy.whenHeld('new');
    proxy.openGate('old');
    proxy.openGate('new');
    await session.whenEnded();
    assert.equal(session.replyText, 'new one new two');
    assert.equal(session.reply.status, 'complete');
  });

  it('loses the connection, keeps the text, and gets the whole reply by Retry', async () => {
    proxy.queue({
      cues: [
        { at: { text: '"type":"text-start","id":"text"}\n\n' }, do: 'hold', gate: 'read' },
        { at: { text: '"type":"text-start","id":"text"}\n\n' }, do: 'reset' },
      ],
    });
    session.conversation.submit(question);
    await session.until(() => session.reply.parts.some(({ type }) => type === 'source-url'));
    proxy.openGate('read');
    const lost = await session.whenEnded();
    assert.equal(lost.status, 'failed');
    assert.equal(lost.error?.code, 'connection-lost');
    assert.ok(lost.error.actions.includes('retry'));
    assert.ok(lost.parts.length > 0);
    assert.equal(proxy.exchanges.length, 1);

    const reply = await session.retry();
    assert.equal(reply.status, 'complete');
    assert.notEqual(session.replyText, '');
    assert.deepEqual(bodyOf(1)['messages'], bodyOf(0)['messages']);
    assert.equal(session.messages.length, 2);
  });

  it('says incomplete where the stream ends without an end marker, and retries', async () => {
    proxy.queue({
      rewrite: [
        { do: 'drop', event: 'finish' },
        { do: 'drop', event: '[DONE]' },
      ],
    });
    const reply = await session.ask(question);
    assert.equal(reply.status, 'incomplete');
    assert.notEqual(session.replyText, '');
    assert.equal((await session.retry()).status, 'complete');
  });

  it('says beside the reply that a part of it could not be read', async () => {
    proxy.queue({ rewrite: [{ do: 'insert', before: 'text-start', text: 'data: {"type":\n\n' }] });
    const reply = await session.ask(question);
    assert.equal(reply.status, 'complete');
    assert.match(reply.notice ?? '', /could not be read/);
  });

  it('is stopped by the service without an error', async () => {
    proxy.queue({
      rewrite: [{ do: 'insert', after: 'text-start', text: 'data: {"type":"abort"}\n\n' }],
      cues: [{ at: { text: '"abort"}\n\n' }, do: 'end' }],
    });
    const reply = await session.ask(question);
    assert.equal(reply.status, 'stopped-by-service');
    assert.equal(reply.error, undefined);
  });

  it('shows what the service reports in mid-stream, once, beside the text', async () => {
    proxy.queue({
      rewrite: [
        {
          do: 'insert',
          before: 'text-end',
          text: 'data: {"type":"error","errorText":"Credits are used up."}\n\n',
        },
      ],
    });
    const reply = await session.ask(question);
    assert.equal(reply.status, 'failed');
    assert.equal(reply.error?.code, 'service-error');
    assert.match(reply.error.message, /Credits are used up\./);
    assert.notEqual(session.replyText, '');
    assert.equal(
      session.events.filter((event) => event.name === 'reply-status' && event.params.error).length,
      1,
    );
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
      assert.match(reply.notice ?? '', /began a new one/);
      assert.equal(bodyOf(2)['threadId'], undefined);
      assert.deepEqual(rolesIn(2), ['user', 'assistant', 'user']);

      await session.ask('and in Go?');
      assert.notEqual(bodyOf(3)['threadId'], undefined);
      assert.notEqual(bodyOf(3)['threadId'], bodyOf(1)['threadId']);
    });

    it('does so with a local docs service that was started anew', async () => {
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

  describe('with a service that gives a key of the thread', () => {
    const threadKey = 'CANARY-thread-key-51c8';
    const headers = { 'X-Thread-Id': 'keyed-thread', 'X-Thread-Key': threadKey };

    it('sends the key beside the id, and stores it with the secrets alone', async () => {
      proxy.queue(streamFault(replyOf('a'), { headers }), streamFault(replyOf('b')));
      await session.ask('one?');
      await session.ask('two?');
      assert.equal(bodyOf(0)['threadKey'], undefined);
      assert.equal(bodyOf(1)['threadId'], 'keyed-thread');
      assert.equal(bodyOf(1)['threadKey'], threadKey);
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
      assert.equal(bodyOf(1)['threadId'], undefined);
      assert.match(reply.notice ?? '', /began a new one/);
    });
  });

  describe('429', () => {
    it('says from when a retry may succeed, and does not ask before', async () => {
      const clock = new FakeClock();
      const limited = await openSession({ url: proxy.url, clock });
      proxy.queue({ respond: { status: 429, headers: { 'retry-after': '7' } } });
      const refused = await limited.ask(question);
      assert.equal(refused.error?.code, 'rate-limited');
      assert.equal(refused.error.retryAt, clock.now() + 7000);

      await clock.advance(6999);
      assert.throws(() => limited.conversation.retry(refused.id), { code: 'rate-limited' });
      assert.equal(proxy.exchanges.length, 1);

      await clock.advance(1);
      assert.equal((await limited.retry()).status, 'complete');
    });

    it('comes from the local docs service at its limit', async () => {
      const limited = await startLocalService({
        docs: sampleDocs,
        domain: 'sample',
        key: assistantKey,
        paceMs: 0,
        limits: {
          organization: { requests: 1, seconds: 60 },
          address: { requests: 10, seconds: 60 },
        },
      });
      await limited.whenIndexed();
      const own = await openSession({ url: limited.url });
      assert.equal((await own.ask(question)).status, 'complete');
      const refused = await own.ask('and in Python?');
      assert.equal(refused.error?.code, 'rate-limited');
      const waitMs = (refused.error.retryAt ?? NaN) - new FakeClock().now();
      assert.ok(waitMs > 0 && waitMs <= 60_000, `${waitMs} ms`);
      await limited.stop();
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

    it('never takes the admin key for the assistant (F7)', async () => {
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
        const body = (other.exchanges[0] as Exchange).body as Record<string, unknown>;
        assert.equal(body['threadId'], undefined);
      } finally {
        await other.stop();
      }
    });

    it('says that the secret storage does not work, and sends nothing', async () => {
      session.stores.keys.failure = new Error('No keyring');
      assert.equal((await session.ask(question)).error?.code, 'secret-store-failed');
      assert.equal(proxy.exchanges.length, 0);
    });
  });

  it('keeps the settings that a question started with', async () => {
    proxy.queue({ cues: [{ at: 'headers', do: 'hold', gate: 'headers' }] });
    session.conversation.submit(question);
    session.settings = { ...session.settings, fp: 'somebody-else', baseUrl: undefined };
    await proxy.whenHeld('headers');
    proxy.openGate('headers');
    assert.equal((await session.whenEnded()).status, 'complete');
    assert.equal(bodyOf(0)['fp'], 'anonymous');
  });

  it('finds the service down, and gets the reply by Retry once it is back', async () => {
    await session.ask(question);
    await proxy.goDown();
    const refused = await session.ask('and in Python?');
    assert.equal(refused.error?.code, 'offline');
    assert.ok(refused.error.actions.includes('retry'));
    assert.equal((await session.retry()).error?.code, 'offline');
    await proxy.comeBack();
    const reply = await session.retry();
    assert.equal(reply.status, 'complete');
    assert.equal(session.messages.length, 4);
    assert.notEqual(bodyOf(1)['threadId'], undefined);
  });

  it('gives up on a service that is silent, and keeps what it said', async () => {
    const clock = new FakeClock();
    const patient = await openSession({ url: proxy.url, clock });
    proxy.queue(
      streamFault(`${start}${textStart}${delta('kept')}${finish}`, {
        cues: [{ at: { text: 'kept"}\n\n' }, do: 'hold', gate: 'never' }],
      }),
    );
    patient.conversation.submit(question);
    await patient.until(() => patient.replyText === 'kept');
    await clock.advance(60_000);
    const reply = await patient.whenEnded();
    assert.equal(reply.error?.code, 'timed-out');
    assert.equal(patient.replyText, 'kept');
  });

  it('comes back after a reload in mid-answer with what was read, and retries', async () => {
    const stores = new Stores();
    const before = await openSession({ url: proxy.url, stores });
    proxy.queue({
      cues: [{ at: { text: '"type":"text-start","id":"text"}\n\n' }, do: 'hold', gate: 'never' }],
    });
    before.conversation.submit(question);
    await before.until(() => before.reply.parts.some(({ type }) => type === 'source-url'));
    before.conversation.dispose();
    await before.conversation.flush();
    await proxy.until(() => proxy.exchanges[0]?.state === 'client-gone');

    const after = await openSession({ url: proxy.url, stores });
    await after.conversation.restore();
    assert.equal(after.reply.status, 'interrupted');
    assert.ok(after.reply.parts.some(({ type }) => type === 'source-url'));
    assert.equal((await after.retry()).status, 'complete');
  });

  it('begins a new thread at the service with a new thread, and goes on in an old one', async () => {
    await session.ask(question);
    const { id } = session.conversation.thread;
    session.conversation.startThread();
    await session.ask('Where are webhooks described?');
    await session.conversation.openThread(id);
    await session.ask('and in Python?');
    assert.equal(bodyOf(1)['threadId'], undefined);
    assert.deepEqual(rolesIn(1), ['user']);
    assert.notEqual(bodyOf(2)['threadId'], undefined);
    assert.deepEqual(rolesIn(2), ['user', 'assistant', 'user']);
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
    session.conversation.addContextItems([{ ...item, value: 'a\uD800b\0c\uDC00' }]);
    const reply = await session.ask('What does \uD83D this \0 do?');
    assert.equal(reply.error, undefined);
    assert.equal(proxy.exchanges[0]?.status, 200);
    assert.doesNotMatch(proxy.exchanges[0].bodyText, /\\u0000|\\ud8|\\udc/i);
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
