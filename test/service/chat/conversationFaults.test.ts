/** The host's side of the chat with the local docs service, through the faults of real HTTP. */
import assert from 'node:assert/strict';
import { startLocalService } from '../../../src/service/server/server';
import { FakeClock } from '../../fakes/fakeClock';
import type { FaultProxy } from '../../fakes/faultProxy';
import { assistantKey } from './asking';
import { openSession, Stores, type Session } from './conversationSession';
import { delta, finish, replyOf, start, streamFault, textStart } from './replyStream';
import { bodyOf, eachSession, question } from '../service/sampleSession';
import { sampleDocs } from '../service/sampleService';

describe('Conversation with the local docs service, faults', () => {
  let proxy: FaultProxy;
  let session: Session;
  eachSession((opened) => ({ proxy, session } = opened));

  it('stops in the middle of an answer: the text stays, the connection closes, nothing is an error', async () => {
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
        { at: { text: '"type":"text-start"' }, do: 'hold', gate: 'read' },
        { at: { text: '"type":"text-start"' }, do: 'reset' },
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
    assert.deepEqual(bodyOf(proxy, 1)['messages'], bodyOf(proxy, 0)['messages']);
    assert.equal(session.messages.length, 2);
  });

  it('reports an incomplete reply if the stream ends without an end marker, and retries', async () => {
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
    assert.match(reply.notice ?? '', /couldn’t be read/);
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

  it('shows once, beside the text, what the service reports in the middle of a stream', async () => {
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

  it('answers a refused question from kept docs', async () => {
    const keptDocs = { id: 'set-1', label: 'Sample Docs', fetchedAt: 5 };
    const local = await openSession({ url: proxy.url, keptDocs });
    proxy.queue({ respond: { status: 429, headers: { 'retry-after': '7' } } });
    const failed = await local.ask(question);
    assert.deepEqual(failed.error?.keptDocs, keptDocs);
    const { question: asked } = local.conversation.shown.exchange(failed.id) ?? assert.fail();
    const kept = await startLocalService({
      docs: sampleDocs,
      domain: 'kept',
      key: assistantKey,
      paceMs: 0,
    });
    try {
      await kept.whenIndexed();
      await local.stores.keys.save('assistant', kept.url, assistantKey);
      local.settings = { ...local.settings, baseUrl: kept.url, assistantDomain: 'kept' };
      local.conversation.askAnew(asked);
      const reply = await local.whenEnded();
      assert.equal(reply.status, 'complete');
      assert.match(local.replyText, /shipment/i);
      assert.equal(proxy.exchanges.length, 1, 'the limited site was asked again');
    } finally {
      local.conversation.dispose();
      await kept.stop();
    }
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
    assert.notEqual(bodyOf(proxy, 1)['threadId'], undefined);
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

  // Shows faults.md E1.
  it('restores what was read after a reload in the middle of an answer, and retries', async () => {
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
});
