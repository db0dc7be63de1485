import assert from 'node:assert/strict';
import { sharedClient } from '../../../../src/chat/assistant/sharedClient';
import { DocsAssistantError } from '../../../../src/common/errors';
import { asking, codeOf, collected, json, outcomeOf, sentenceOf } from '../../../builders/ask';
import { aKey, anAskRequest, someSettings } from '../../../builders/asking';
import { aReplyStream, event, events } from '../../../builders/stream';
import { FakeClock } from '../../../fakes/fakeClock';
import { FakeFetch, OpenStream, streamOf } from '../../../fakes/fakeFetch';
import { RecordingLog } from '../../../fakes/recordingLog';

const finish = { type: 'finish' };

describe('AssistantClient', () => {
  describe('a body that is no reply', () => {
    for (const [name, answer, code, words] of [
      ['JSON error', json(200, { error: 'Domain is paused' }), 'service-error', 'Domain is paused'],
      ['nested error', json(200, { error: { message: 'Nested' } }), 'service-error', 'Nested'],
      ['JSON message', json(200, '{\n "message": "Pretty"\n}\n'), 'service-error', 'Pretty'],
      ['other JSON', json(200, { ok: true }), 'bad-stream', ''],
      ['text', json(200, 'hello'), 'bad-stream', ''],
      ['nothing', json(200, ''), 'empty-reply', ''],
      ['blank lines', json(200, '\n\n'), 'empty-reply', ''],
      ['204', () => new Response(null, { status: 204 }), 'empty-reply', ''],
      ['only [DONE]', () => streamOf([event('[DONE]')]), 'empty-reply', ''],
      ['a finish alone', () => streamOf([events({ type: 'start' }, finish)]), 'empty-reply', ''],
      ['damage and a finish', () => streamOf([event('{"type":'), event(finish)]), 'bad-stream', ''],
      [
        'web page',
        json(200, '<!DOCTYPE html><html><title>Sign in &lt;now</title><script>1</script>', {
          'content-type': 'text/html; charset=utf-8',
        }),
        'unexpected-html',
        'Sign in &lt;now',
      ],
      ['web page called JSON', json(200, '\n <html><body>Hi'), 'unexpected-html', ''],
      [
        '502 web page',
        json(502, '<html><title>502 Bad Gateway</title>', { 'content-type': 'text/html' }),
        'unexpected-html',
        '502 Bad Gateway',
      ],
    ] as const) {
      it(`(${name}) is ${code}`, async () => {
        const outcome = await outcomeOf(answer);
        assert.equal(codeOf(outcome.error), code);
        assert.ok(sentenceOf(outcome).includes(words));
        assert.doesNotMatch(sentenceOf(outcome), /<(html|script|body)/);
        assert.equal(outcome.requests.length, 1);
      });
    }

    it('is read as a stream when it is one, whatever its type says', async () => {
      for (const type of ['application/json', 'text/plain', 'text/html']) {
        const { text, end } = await outcomeOf([aReplyStream('So.')], {}, { 'content-type': type });
        assert.equal(text, 'So.');
        assert.equal(end?.status, 'complete');
      }
    });

    it('is not read to its end when its start says enough', async () => {
      const stream = new OpenStream({ 'content-type': 'text/html' });
      const { outcome } = asking(() => stream.response);
      for (let kib = 0; kib < 65; kib++) stream.write(`<html>${'x'.repeat(1024)}`);
      assert.equal(codeOf((await outcome).error), 'unexpected-html');
      assert.notEqual(stream.canceledWith, undefined);
    });
  });

  describe('a status', () => {
    for (const [status, code] of [
      [400, 'bad-request'],
      [401, 'key-rejected'],
      [402, 'forbidden'],
      [403, 'forbidden'],
      [404, 'unknown-site'],
      [407, 'proxy-refused'],
      [408, 'service-down'],
      [413, 'too-large'],
      [422, 'bad-request'],
      [429, 'rate-limited'],
      [500, 'service-down'],
      [502, 'service-down'],
      [503, 'service-down'],
      [504, 'service-down'],
    ] as const) {
      it(`${status} is ${code}, with the service’s sentence where the error has room for it`, async () => {
        const outcome = await outcomeOf(json(status, { error: `messages: ${aKey} is bad` }));
        assert.equal(codeOf(outcome.error), code);
        assert.ok(!sentenceOf(outcome).includes(aKey));
        if (status === 400) assert.match(sentenceOf(outcome), /messages: \[redacted\] is bad/);
        assert.equal(outcome.requests.length, 1);
      });
    }

    for (const [wait, limit] of [
      ['7', /your organization may have reached its limit of 10,000 requests per hour/i],
      ['3600', /your organization may have reached its limit of 10,000 requests per hour/i],
      ['3601', /your IP address may have reached its limit of 10,000 requests per day/i],
      ['86400', /your IP address may have reached its limit of 10,000 requests per day/i],
      ['0', undefined],
      ['soon', undefined],
      [undefined, undefined],
    ] as const) {
      it(`429 keeps the service’s sentence and names the limit that a wait of ${wait} fits`, async () => {
        const headers: Record<string, string> = wait === undefined ? {} : { 'retry-after': wait };
        const outcome = await outcomeOf(json(429, { error: 'Slow down, please.' }, headers));
        const sentence = sentenceOf(outcome);
        assert.match(sentence, /^Too many requests\..*\(Slow down, please\.\)$/);
        if (limit) assert.match(sentence, limit);
        else assert.doesNotMatch(sentence, /10,000/);
      });
    }

    it('with an event stream as its body has the sentence of the event', async () => {
      const error = { type: 'error', errorText: 'All credits are used up.' };
      for (const body of [events(error, '[DONE]'), `event: error\r\n${event(error)}`]) {
        const sentence = sentenceOf(await outcomeOf(json(402, body)));
        assert.match(sentence, /administrator\. \(All credits are used up\.\)$/);
      }
      const unread = sentenceOf(await outcomeOf(json(500, events({ type: 'abort' }))));
      assert.match(unread, /Try again in a moment\.$/);
    });

    it('without a body, or with a binary one, still gives a sentence', async () => {
      for (const body of [null, new Uint8Array([0, 255, 254, 1])]) {
        const outcome = await outcomeOf(() => new Response(body, { status: 500 }));
        assert.equal(
          sentenceOf(outcome),
          'api.example.com is temporarily unavailable (HTTP 500). Try again in a moment.',
        );
      }
    });

    it('with an endless body is read for 64 KiB', async () => {
      let sent = 0;
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          sent += 16_384;
          controller.enqueue(new Uint8Array(16_384).fill(120));
        },
      });
      const outcome = await outcomeOf(() => new Response(body, { status: 500 }));
      assert.equal(codeOf(outcome.error), 'service-down');
      assert.ok(sent <= 6 * 16_384, `${sent} bytes`);
      assert.ok(sentenceOf(outcome).length < 700);
    });

    it('with a body that stalls or breaks keeps its meaning', async () => {
      const stalled = new OpenStream();
      const { clock, outcome } = asking(() => new Response(stalled.response.body, { status: 401 }));
      await clock.advance(60_000);
      assert.equal(codeOf((await outcome).error), 'key-rejected');
    });

    for (const [status, location, host] of [
      [301, 'https://evil.example.net/x?key=1', 'evil.example.net'],
      [302, 'http://api.example.com/', 'api.example.com'],
      [303, '/elsewhere', 'api.example.com'],
      [307, 'https://api.example.com:8443/', 'api.example.com:8443'],
      [308, '', 'api.example.com'],
    ] as const) {
      it(`${status} to ${location || 'nowhere'} is not followed and names ${host}`, async () => {
        const headers: Record<string, string> = location ? { location } : {};
        const outcome = await outcomeOf(() => new Response(null, { status, headers }));
        assert.equal(codeOf(outcome.error), 'redirected');
        assert.match(
          sentenceOf(outcome),
          new RegExp(`redirects to ${host.replaceAll('.', '\\.')}\\.`),
        );
        assert.equal(outcome.requests.length, 1);
      });
    }
  });

  describe('429', () => {
    const now = new FakeClock().now();
    const inSeconds = (seconds: number, base = now): string =>
      new Date(base + seconds * 1000).toUTCString();

    for (const [name, headers, waitMs] of [
      ['7 seconds', { 'retry-after': '7' }, 7000],
      ['0 seconds', { 'retry-after': '0' }, 0],
      ['a date', { 'retry-after': inSeconds(30) }, 30_000],
      ['a date in the past', { 'retry-after': inSeconds(-30) }, 0],
      [
        'a date of a service whose clock is a day ahead of ours',
        { 'retry-after': inSeconds(86_430), date: inSeconds(86_400) },
        30_000,
      ],
      ['nothing', {}, 5000],
      ['abc', { 'retry-after': 'abc' }, 5000],
      ['-1', { 'retry-after': '-1' }, 5000],
      ['1e9', { 'retry-after': '1e9' }, 5000],
      ['1.5', { 'retry-after': '1.5' }, 5000],
      ['an empty header', { 'retry-after': '' }, 5000],
      ['a repeated header', { 'retry-after': '7, 9' }, 5000],
      ['a month', { 'retry-after': '2592000' }, 86_400_000],
    ] as const) {
      it(`with ${name} may be retried after ${waitMs} ms`, async () => {
        const { error } = await outcomeOf(json(429, { error: 'slow down' }, headers));
        assert.ok(error instanceof DocsAssistantError);
        assert.equal(error.details.retryAt, now + waitMs);
      });
    }

    it('without a time backs off further each time in a row at a site, up to five minutes', async () => {
      const waits: number[] = [];
      const clock = new FakeClock();
      const limits = Array.from({ length: 8 }, () => [429, 'acme'] as const);
      const asked = [
        ...limits,
        [429, 'other'],
        [200, 'acme'],
        [429, 'acme'],
        [429, 'acme'],
        [500, 'acme'],
        [429, 'acme'],
      ] as const;
      const answers = asked.map(([status]) =>
        status === 200 ? () => streamOf([aReplyStream('So.')]) : json(status, {}),
      );
      const server = new FakeFetch(...answers);
      const load = sharedClient({ fetch: server.fetch, clock, log: new RecordingLog() });
      for (const [, assistantDomain] of asked) {
        const { signal } = new AbortController();
        // The chat loads the client for each question.
        const client = await load();
        const request = anAskRequest({ settings: someSettings({ assistantDomain }) });
        const { error } = await collected(client.ask(request, signal));
        const { retryAt } = error instanceof DocsAssistantError ? error.details : {};
        if (retryAt !== undefined) waits.push((retryAt - clock.now()) / 1000);
      }
      assert.deepEqual(waits, [5, 10, 20, 40, 80, 160, 300, 300, 5, 5, 10, 5]);
    });
  });
});
