import assert from 'node:assert/strict';
import { AssistantClient } from '../../../../src/chat/assistant/assistantClient';
import { DocsAssistantError } from '../../../../src/common/errors';
import { asking, codeOf, collected, json, outcomeOf, sentenceOf } from '../../../builders/ask';
import { aKey, anAskRequest, someSettings } from '../../../builders/asking';
import { aReplyStream, event, events } from '../../../builders/stream';
import { FakeClock, settled } from '../../../fakes/fakeClock';
import { FakeFetch, fetchFailure, OpenStream } from '../../../fakes/fakeFetch';
import { RecordingLog } from '../../../fakes/recordingLog';

const textDelta = (delta: string) => ({ type: 'text-delta', id: '0', delta });
const finish = { type: 'finish' };

describe('AssistantClient', () => {
  describe('the request', () => {
    it('posts JSON to the documented path with the key in one header alone', async () => {
      const { requests } = await outcomeOf([aReplyStream('So.')]);
      const request = requests[0] ?? assert.fail();
      assert.equal(request.url, 'https://api.example.com/prefix/v2/assistant/acme/message');
      assert.equal(request.init.method, 'POST');
      assert.equal(request.headers.get('authorization'), `Bearer ${aKey}`);
      assert.equal(request.headers.get('content-type'), 'application/json');
      assert.equal(request.init.redirect, 'manual');
      assert.ok(!request.url.includes(aKey));
      assert.ok(!JSON.stringify(request.body).includes(aKey));
    });

    for (const key of ['a b', 'abc\r\nX-Evil: 1', 'schlüssel_dsc_1', '', 'key\0']) {
      it(`never sends ${JSON.stringify(key)} as a key`, async () => {
        const outcome = await outcomeOf(() => assert.fail('it was sent'), { key });
        assert.equal(codeOf(outcome.error), 'key-rejected');
      });
    }

    for (const assistantDomain of ['..', 'a/b', 'a?b', 'a#b', '%2e%2e', 'a b', '.']) {
      it(`refuses ${JSON.stringify(assistantDomain)} as a domain without a request`, async () => {
        const settings = someSettings({ assistantDomain });
        const { error, requests } = await outcomeOf(() => assert.fail('it was sent'), { settings });
        assert.equal(codeOf(error), 'unknown-site');
        assert.equal(requests.length, 0);
      });
    }

    for (const baseUrl of [
      undefined,
      'api.example.com',
      'http://api.example.com',
      'https://u:p@h',
    ]) {
      it(`refuses ${String(baseUrl)} as a base address without a request`, async () => {
        const settings = someSettings({ baseUrl });
        const { error } = await outcomeOf(() => assert.fail('it was sent'), { settings });
        assert.equal(codeOf(error), 'not-configured');
      });
    }

    it('logs method, address, status and sizes, and neither key nor content', async () => {
      const { log } = await outcomeOf([events(textDelta('CANARY reply'), finish)]);
      assert.match(
        log.text('debug'),
        /POST https:\/\/api\.example\.com\/prefix\/v2\/assistant\/acme\/message 200 in 0 ms, \d+ bytes sent, \d+ received/,
      );
      assert.doesNotMatch(log.text(), /CANARY|How\?/);
      assert.ok(!log.text().includes(aKey));
    });

    it('is over, with the connection closed, when its reader leaves', async () => {
      const stream = new OpenStream();
      const server = new FakeFetch(() => stream.response);
      const ports = { fetch: server.fetch, clock: new FakeClock(), log: new RecordingLog() };
      const client = new AssistantClient(ports);
      stream.write(events(textDelta('a')));
      for await (const update of client.ask(anAskRequest(), new AbortController().signal)) {
        assert.ok(update.ops);
        break;
      }
      await settled();
      assert.notEqual(stream.canceledWith, undefined);
      assert.equal(ports.clock.pendingCount, 0);
    });
  });

  describe('the thread', () => {
    const header = { 'x-thread-id': 'of-header' };
    const ofFinish = { type: 'finish', threadId: 'of-finish' };
    const ofMetadata = { type: 'start', messageMetadata: { threadId: 'of-metadata' } };
    for (const [name, headers, chunks, expected] of [
      ['header only', header, [finish], 'of-header'],
      ['finish only', {}, [ofFinish], 'of-finish'],
      ['metadata only', {}, [ofMetadata, finish], 'of-metadata'],
      ['metadata of finish', {}, [{ ...finish, messageMetadata: { threadId: 'm' } }], 'm'],
      ['header against finish', header, [ofMetadata, ofFinish], 'of-header'],
      ['finish against metadata', {}, [ofMetadata, ofFinish], 'of-finish'],
      ['nothing', {}, [finish], undefined],
      ['an empty id', { 'x-thread-id': '' }, [{ ...finish, threadId: '' }], undefined],
      ['a number', {}, [{ ...finish, threadId: 7 }], undefined],
    ] as const) {
      it(`is ${String(expected)} by ${name}`, async () => {
        const body = events(textDelta('a'), ...chunks);
        const { thread, error, log } = await outcomeOf([body], {}, headers);
        assert.equal(thread?.threadId, expected);
        assert.equal(error, undefined);
        assert.equal(/another thread/.test(log.text('warn')), name === 'header against finish');
      });
    }

    it('comes with its key before any text', async () => {
      const headers = { 'x-thread-id': 't', 'x-thread-key': 'thread-key-1' };
      const { updates, log } = await outcomeOf([aReplyStream('So.', 't')], {}, headers);
      assert.deepEqual(updates[0], {
        serviceThread: { threadId: 't', threadKey: 'thread-key-1' },
      });
      assert.equal(updates.filter(({ serviceThread }) => serviceThread).length, 1);
      assert.ok(!log.text().includes('thread-key-1'));
    });

    it('has the key of the header also if only the stream names it', async () => {
      const headers = { 'x-thread-key': 'thread-key-1' };
      const stream = aReplyStream('So, thread-key-1.', 't');
      const { thread, text } = await outcomeOf([stream], {}, headers);
      assert.deepEqual(thread, { threadId: 't', threadKey: 'thread-key-1' });
      assert.equal(text, 'So, [redacted].');
    });

    it('never shows its key, not even where an error comes as a whole body', async () => {
      const headers = { 'x-thread-id': 't', 'x-thread-key': 'thread-key-1' };
      for (const body of [
        '{"error":"no thread-key-1 here"}',
        '<html><title>no thread-key-1 here',
      ]) {
        const outcome = await outcomeOf([body], {}, headers);
        assert.match(sentenceOf(outcome), /no \[redacted\] here/);
      }
    });

    it('is sent with its key, and is unknown at a 404', async () => {
      const request = { threadId: 't', threadKey: 'thread-key-1' };
      const outcome = await outcomeOf(json(404, { error: 'no thread-key-1 here' }), request);
      assert.equal(codeOf(outcome.error), 'unknown-thread');
      assert.ok(!sentenceOf(outcome).includes('thread-key-1'));
      const body = outcome.requests[0]?.body as Record<string, unknown>;
      assert.equal(body['threadId'], 't');
      assert.equal(body['threadKey'], 'thread-key-1');
    });
  });

  describe('an error in the stream', () => {
    it('keeps the text, also what still comes, and is thrown once at the end', async () => {
      const body = events(
        textDelta('a'),
        { type: 'error', errorText: 'model <b>overloaded</b>' },
        textDelta('b'),
        { type: 'error', errorText: 'again' },
        { type: 'finish', threadId: 't' },
      );
      const outcome = await outcomeOf([body]);
      assert.equal(outcome.text, 'ab');
      assert.equal(codeOf(outcome.error), 'service-error');
      assert.match(sentenceOf(outcome), /model <b>overloaded<\/b>/);
      assert.doesNotMatch(sentenceOf(outcome), /again/);
      assert.equal(outcome.thread?.threadId, 't');
    });

    it('ends the reply even if the service leaves the connection open', async () => {
      const stream = new OpenStream();
      const { clock, outcome } = asking(() => stream.response);
      stream.write(events(textDelta('a'), { type: 'error', errorText: 'no' }));
      await clock.advance(2000);
      assert.equal(codeOf((await outcome).error), 'service-error');
    });

    it('is one redacted line without control and bidi characters, and not endless', async () => {
      const errorText = `key ${aKey}\n\u202E\u0007Bearer abcdefgh ${'x'.repeat(10_000)}`;
      const outcome = await outcomeOf([events({ type: 'error', errorText })]);
      const sentence = sentenceOf(outcome);
      assert.ok(!sentence.includes(aKey));
      assert.match(sentence, /key \[redacted\] Bearer \[redacted\] x/);
      // eslint-disable-next-line no-control-regex -- it is what the sentence must not hold
      assert.doesNotMatch(sentence, /[\u0000-\u001f\u202e]/);
      assert.ok(sentence.length < 600);
    });

    it('is found in an event without a type too', async () => {
      const outcome = await outcomeOf([events(textDelta('a'), { error: 'out of credits' })]);
      assert.equal(codeOf(outcome.error), 'service-error');
      assert.match(sentenceOf(outcome), /out of credits/);
    });
  });

  it('takes an abort for the service’s stop, not for an error', async () => {
    for (const chunk of [{ type: 'abort' }, { type: 'abort', reason: 'policy' }]) {
      const { end, error, text } = await outcomeOf([events(textDelta('a'), chunk, textDelta('b'))]);
      assert.equal(end?.status, 'stopped-by-service');
      assert.equal(error, undefined);
      assert.equal(text, 'a');
    }
  });

  it('keeps the key that a service echoes out of the reply, however it is cut', async () => {
    const deltas = Array.from(`Your key is ${aKey}, q, qed`, textDelta);
    const source = {
      type: 'source-url',
      sourceId: 's',
      url: `https://d.e/?k=${aKey}`,
      title: aKey,
    };
    const chunks = [...deltas, source, finish];
    const whole = await outcomeOf([events(...chunks)]);
    const cut = await outcomeOf(chunks.map(event));
    for (const { parts, text } of [whole, cut]) {
      assert.equal(text, 'Your key is [redacted], q, qed');
      assert.ok(!JSON.stringify(parts).includes(aKey));
    }
    assert.ok(!JSON.stringify(cut.states).includes(aKey));
  });

  describe('a connection', () => {
    it('that breaks in the text keeps it and is never tried again', async () => {
      const stream = new OpenStream();
      const { clock, outcome, server } = asking(() => stream.response);
      stream.write(events(textDelta('a')));
      await settled();
      stream.fail(fetchFailure('ECONNRESET'));
      await clock.advance(600_000);
      const { error, text } = await outcome;
      assert.equal(codeOf(error), 'connection-lost');
      assert.equal(text, 'a');
      assert.equal(server.requests.length, 1);
    });

    it('that breaks behind the end of the reply does no harm', async () => {
      for (const marker of [finish, '[DONE]']) {
        const stream = new OpenStream();
        const { outcome } = asking(() => stream.response);
        stream.write(events(textDelta('a'), marker));
        await settled();
        stream.fail(fetchFailure('ECONNRESET'));
        assert.equal((await outcome).end?.status, 'complete');
      }
    });

    it('that stays open behind finish does not keep the reply running', async () => {
      const stream = new OpenStream();
      const { clock, outcome } = asking(() => stream.response);
      stream.write(events(textDelta('a'), finish));
      await clock.advance(1999);
      stream.write(events({ type: 'message-metadata', messageMetadata: { threadId: 't' } }));
      await clock.advance(2000);
      const { end, thread } = await outcome;
      assert.equal(end?.status, 'complete');
      assert.equal(thread?.threadId, 't');
    });

    it('that is silent for too long, in the text or before it, times out', async () => {
      for (const text of ['', 'a']) {
        const stream = new OpenStream();
        const { clock, outcome } = asking(() => stream.response);
        if (text) stream.write(events(textDelta(text)));
        await clock.advance(60_000);
        const result = await outcome;
        assert.equal(codeOf(result.error), 'timed-out');
        assert.match(sentenceOf(result), /api\.example\.com sent no data for 60 s/);
        assert.equal(result.text, text);
        assert.notEqual(stream.canceledWith, undefined);
      }
    });

    it('that sends a byte or a comment now and then does not time out', async () => {
      const stream = new OpenStream();
      const { clock, outcome } = asking(() => stream.response);
      for (const piece of [
        ':',
        ' ping\n\n',
        'd',
        ...events(textDelta('a'), finish).slice(1).split(/(?=.)/su),
      ]) {
        await clock.advance(59_000);
        stream.write(piece);
      }
      stream.end();
      assert.equal((await outcome).text, 'a');
    });

    it('whose headers never come times out by the limit for headers', async () => {
      const { clock, outcome, server } = asking(() => new Promise(() => undefined));
      await clock.advance(29_999);
      assert.equal(server.request(0).signal.aborted, false);
      await clock.advance(1);
      const result = await outcome;
      assert.equal(codeOf(result.error), 'timed-out');
      assert.match(sentenceOf(result), /30 s/);
      assert.equal(server.request(0).signal.aborted, true);
    });

    for (const [failure, code, causeCode] of [
      [fetchFailure('ECONNREFUSED'), 'offline', 'ECONNREFUSED'],
      [fetchFailure('ENOTFOUND'), 'offline', 'ENOTFOUND'],
      [fetchFailure('ENETUNREACH'), 'offline', 'ENETUNREACH'],
      [fetchFailure('UND_ERR_CONNECT_TIMEOUT'), 'offline', 'UND_ERR_CONNECT_TIMEOUT'],
      [
        fetchFailure('DEPTH_ZERO_SELF_SIGNED_CERT'),
        'insecure-connection',
        'DEPTH_ZERO_SELF_SIGNED_CERT',
      ],
      [fetchFailure('CERT_HAS_EXPIRED'), 'insecure-connection', 'CERT_HAS_EXPIRED'],
      [
        fetchFailure('ERR_TLS_CERT_ALTNAME_INVALID'),
        'insecure-connection',
        'ERR_TLS_CERT_ALTNAME_INVALID',
      ],
      [
        fetchFailure('UNABLE_TO_VERIFY_LEAF_SIGNATURE'),
        'insecure-connection',
        'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      ],
      [
        new Error('net::ERR_CERT_AUTHORITY_INVALID'),
        'insecure-connection',
        'ERR_CERT_AUTHORITY_INVALID',
      ],
      [new Error('net::ERR_NAME_NOT_RESOLVED'), 'offline', 'ERR_NAME_NOT_RESOLVED'],
      [
        new TypeError('fetch failed', {
          cause: new AggregateError([Object.assign(new Error('::1'), { code: 'ECONNREFUSED' })]),
        }),
        'offline',
        'ECONNREFUSED',
      ],
      [
        new TypeError('fetch failed', {
          cause: Object.assign(new Error('Proxy response (407) !== 200 when HTTP Tunneling'), {
            code: 'UND_ERR_ABORTED',
          }),
        }),
        'proxy-refused',
        'UND_ERR_ABORTED',
      ],
      [new TypeError('fetch failed'), 'offline', undefined],
      [new RangeError('a bug'), 'unexpected', undefined],
    ] as const) {
      it(`that fails with ${causeCode ?? failure.message} is ${code}`, async () => {
        const outcome = await outcomeOf(() => Promise.reject(failure));
        assert.ok(outcome.error instanceof DocsAssistantError);
        assert.equal(outcome.error.code, code);
        assert.equal(outcome.error.details.causeCode, causeCode);
        assert.equal(outcome.error.details.host, 'api.example.com');
      });
    }
  });

  describe('a stop', () => {
    const reason = new Error('stopped');

    it('before the headers ends the request with the signal’s reason', async () => {
      const { controller, outcome, server, clock } = asking(() => new Promise(() => undefined));
      await settled();
      controller.abort(reason);
      const { error, updates } = await outcome;
      assert.equal(error, reason);
      assert.equal(updates.length, 0);
      assert.ok(server.request(0).signal.aborted);
      assert.equal(clock.pendingCount, 0);
    });

    it('in the text closes the body at once, even if the fetch ignores its signal', async () => {
      const stream = new OpenStream();
      const { controller, outcome } = asking(() => stream.response);
      stream.write(events(textDelta('a')));
      await settled();
      controller.abort(reason);
      const { error, text } = await outcome;
      assert.equal(error, reason);
      assert.equal(text, 'a');
      assert.notEqual(stream.canceledWith, undefined);
    });

    it('in an error’s body ends that too', async () => {
      const stream = new OpenStream();
      const { controller, outcome } = asking(
        () => new Response(stream.response.body, { status: 500 }),
      );
      await settled();
      controller.abort(reason);
      assert.equal((await outcome).error, reason);
    });

    it('beforehand sends nothing', async () => {
      const server = new FakeFetch();
      const ports = { fetch: server.fetch, clock: new FakeClock(), log: new RecordingLog() };
      const updates = new AssistantClient(ports).ask(anAskRequest(), AbortSignal.abort(reason));
      assert.equal((await collected(updates)).error, reason);
      assert.equal(server.requests.length, 0);
    });
  });
});
