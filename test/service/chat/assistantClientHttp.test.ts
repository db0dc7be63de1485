/** faults.md B: what HTTP may do to a question, with the local docs service behind the proxy. */
import assert from 'node:assert/strict';
import { AssistantClient } from '../../../src/chat/assistant/assistantClient';
import { systemClock } from '../../../src/common/clock';
import { describeError } from '../../../src/common/describeError';
import type { ErrorAction, ErrorCode } from '../../../src/shared/errorInfo';
import { FakeClock } from '../../fakes/fakeClock';
import { startFaultProxy, type FaultProxy } from '../../fakes/faultProxy';
import type { CannedResponse } from '../../fakes/faults';
import { RecordingLog } from '../../fakes/recordingLog';
import { aQuestion, ask, assertNoSecret, assistantKey, settingsFor, type Outcome } from './asking';
import { replyOf, streamFault } from './replyStream';
import { startSampleService, type SampleService } from '../service/sampleService';

const jsonError = (status: number, error: string): CannedResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ error }),
});

interface Refusal {
  readonly row: string;
  readonly sentence: string;
  readonly respond: CannedResponse;
  readonly code: ErrorCode;
  /** Patterns that all match the sentence that the person reads. */
  readonly says?: readonly RegExp[];
  readonly saysNot?: RegExp;
  readonly offers?: ErrorAction;
}

const html = (title: string): string =>
  `<!DOCTYPE html><html><head><title>${title}</title></head><body onload="alert(1)">x</body></html>`;

const refusals: readonly Refusal[] = [
  {
    row: 'B1',
    sentence: 'shows what the service says about a bad request',
    respond: jsonError(400, 'messages[0].id is required.'),
    code: 'bad-request',
    says: [/messages\[0\]\.id is required\./],
  },
  {
    row: 'B1',
    sentence: 'suggests to remove context where the request is too large',
    respond: jsonError(413, 'Larger than 1048576 bytes.'),
    code: 'too-large',
    says: [/fewer or smaller/, /1048576/],
    offers: 'retry',
  },
  {
    row: 'B2',
    sentence: 'offers to set the key where it is wrong or expired',
    respond: jsonError(401, 'The key has expired.'),
    code: 'key-rejected',
    says: [/expired, or revoked/, /The key has expired\./],
    offers: 'set-assistant-key',
  },
  {
    row: 'B3',
    sentence: 'names the three causes of a refusal',
    respond: jsonError(403, 'Not allowed.'),
    code: 'forbidden',
    says: [/plan/, /another site/, /IP address/],
  },
  {
    row: 'B4',
    sentence: 'names the site that the service does not know',
    respond: jsonError(404, 'No such site.'),
    code: 'unknown-site',
    says: [/“sample”/],
    offers: 'set-up-site',
  },
  ...[500, 502, 503, 504, 520].map((status) => ({
    row: 'B9',
    sentence: `says that the service has a problem for ${status}`,
    respond: jsonError(status, 'Out of order.'),
    code: 'service-down' as const,
    says: [new RegExp(String(status)), /Out of order\./],
    offers: 'retry' as const,
  })),
  {
    row: 'A24',
    sentence: 'names the web page of a proxy by its title',
    respond: { status: 502, headers: { 'content-type': 'text/html' }, body: html('Bad gateway') },
    code: 'unexpected-html',
    says: [/Bad gateway/],
    saysNot: /<|alert/,
  },
  {
    row: 'B16',
    sentence: 'shows nothing of a binary body',
    respond: { status: 500, bodyBase64: Buffer.from([0, 1, 255, 254, 0, 216]).toString('base64') },
    code: 'service-down',
    // eslint-disable-next-line no-control-regex -- these are what must not show
    saysNot: /[\0-\x1F\uFFFD]/,
  },
  {
    row: 'B1',
    sentence: 'cuts a very long sentence of the service',
    respond: jsonError(400, 'long '.repeat(1000)),
    code: 'bad-request',
    saysNot: /(long ){200}/,
  },
];

describe('AssistantClient: HTTP faults', () => {
  let service: SampleService;
  let proxy: FaultProxy;

  before(async () => {
    service = await startSampleService();
  });

  after(() => service.stop());

  beforeEach(async () => {
    proxy = await service.startProxy();
  });

  afterEach(() => proxy.stop());

  for (const { row, sentence, respond, code, says, saysNot, offers } of refusals) {
    it(`${row}: ${sentence}, and does not ask again`, async () => {
      proxy.queue({ respond });
      const outcome = await ask(proxy.url);
      assert.equal(outcome.error?.code, code);
      const shown = describeError(outcome.error);
      for (const pattern of says ?? []) assert.match(shown.message, pattern);
      if (saysNot) assert.doesNotMatch(shown.message, saysNot);
      if (offers) assert.ok(shown.actions.includes(offers), shown.actions.join());
      assert.equal(proxy.exchanges.length, 1);
    });
  }

  it('B2: gets a real 401 from the local docs service for another key', async () => {
    const outcome = await ask(proxy.url, { key: 'local_dsc_another0key' });
    assert.equal(outcome.error?.code, 'key-rejected');
    assert.equal(proxy.exchanges[0]?.status, 401);
  });

  it('B4: gets a real 404 for a site, and distinguishes it from a 404 for a thread', async () => {
    const settings = { ...settingsFor(proxy.url), assistantDomain: 'elsewhere' };
    assert.equal((await ask(proxy.url, { settings })).error?.code, 'unknown-site');
    assert.equal((await ask(proxy.url, { threadId: 'gone' })).error?.code, 'unknown-thread');
    assert.deepEqual(
      proxy.exchanges.map(({ status }) => status),
      [404, 404],
    );
  });

  it('B1: gets a real 413 for more than the service takes', async () => {
    const value = 'const a = 1;\n'.repeat(3_000_000);
    const item = { id: 'item', type: 'code', value, label: 'a.ts' } as const;
    const outcome = await ask(proxy.url, { contextItems: [item] });
    assert.equal(outcome.error?.code, 'too-large');
  });

  describe('429', () => {
    const now = Date.parse('2025-06-01T12:00:00.000Z');
    const inSeconds = (seconds: number): string => new Date(now + seconds * 1000).toUTCString();
    const hour = 3600;

    /** The wait that the error tells of, in seconds. */
    const waitFor = async (
      headers: Record<string, string | readonly string[]>,
      client?: AssistantClient,
    ): Promise<number> => {
      proxy.queue({
        respond: { status: 429, headers: { date: inSeconds(0), ...headers }, body: '{}' },
      });
      const clock = new FakeClock(now);
      const outcome = await ask(proxy.url, { clock, client });
      assert.equal(outcome.error?.code, 'rate-limited');
      const retryAt = outcome.error.details.retryAt ?? NaN;
      assert.ok(Number.isFinite(retryAt) && retryAt >= now, String(retryAt));
      return (retryAt - now) / 1000;
    };

    const told: readonly [string, Record<string, string>, number][] = [
      ['B6: seconds', { 'retry-after': '7' }, 7],
      ['B7: a date to come', { 'retry-after': inSeconds(90) }, 90],
      ['B7: a date gone by', { 'retry-after': inSeconds(-90) }, 0],
      [
        'B7: a date of a service whose clock is an hour ahead',
        { date: inSeconds(hour), 'retry-after': inSeconds(hour + 30) },
        30,
      ],
      [
        'B7: a date of a service whose clock is an hour behind',
        { date: inSeconds(-hour), 'retry-after': inSeconds(30 - hour) },
        30,
      ],
    ];
    for (const [what, headers, seconds] of told) {
      it(`${what} in Retry-After: waits ${seconds} s`, async () => {
        assert.equal(await waitFor(headers), seconds);
      });
    }

    const garbage = ['abc', '-1', '1e9', '1.5', '', ['7', '9']];
    for (const value of garbage) {
      it(`B8: ${JSON.stringify(value)} in Retry-After: waits a bounded time`, async () => {
        const seconds = await waitFor({ 'retry-after': value });
        assert.ok(seconds > 0 && seconds <= 300, `${seconds} s`);
      });
    }

    it('waits a day if Retry-After asks for years', async () => {
      assert.equal(await waitFor({ 'retry-after': '99999999999999999999' }), 24 * hour);
    });

    it('B8: waits longer each time if the service names no time, up to a limit', async () => {
      const client = new AssistantClient({
        fetch: (url, init) => fetch(url, init),
        clock: new FakeClock(now),
        log: new RecordingLog(),
      });
      const waits: number[] = [];
      for (let turn = 0; turn < 12; turn++) waits.push(await waitFor({}, client));
      assert.ok((waits[1] ?? 0) > (waits[0] ?? 0));
      assert.deepEqual(
        waits,
        waits.toSorted((a, b) => a - b),
      );
      assert.ok((waits.at(-1) ?? Infinity) <= 300);
    });

    it('does not ask again by itself', async () => {
      await waitFor({ 'retry-after': '0' });
      assert.equal(proxy.exchanges.length, 1);
    });
  });

  describe('redirects (B10, F5)', () => {
    let elsewhere: FaultProxy;

    beforeEach(async () => {
      elsewhere = await startFaultProxy();
    });

    afterEach(() => elsewhere.stop());

    for (const status of [301, 302, 303, 307, 308]) {
      it(`does not follow ${status} to another origin, and names its host`, async () => {
        proxy.queue({ respond: { status, headers: { location: `${elsewhere.url}/v2` } } });
        const outcome = await ask(proxy.url);
        assert.equal(outcome.error?.code, 'redirected');
        assert.ok(outcome.sentence?.includes(new URL(elsewhere.url).host), outcome.sentence);
        assert.equal(elsewhere.exchanges.length, 0);
      });
    }

    it('does not follow a redirect to itself', async () => {
      proxy.queue({ respond: { status: 307, headers: { location: '/again?secret=1' } } });
      const outcome = await ask(proxy.url);
      assert.equal(outcome.error?.code, 'redirected');
      assert.doesNotMatch(outcome.sentence ?? '', /secret/);
      assert.equal(proxy.exchanges.length, 1);
    });
  });

  describe('no connection', () => {
    it('B13: names the host of a service that is down, and gets a reply once it is back', async () => {
      await proxy.goDown();
      const outcome = await ask(proxy.url);
      assert.equal(outcome.error?.code, 'offline');
      const { host } = new URL(proxy.url);
      assert.ok(outcome.sentence?.includes(`${host} (ECONNREFUSED)`), outcome.sentence);
      await proxy.comeBack();
      const again = await ask(proxy.url);
      assert.equal(again.end?.status, 'complete', again.sentence);
    });

    it('B13: reports offline if the connection breaks before the headers', async () => {
      proxy.queue({ cues: [{ at: 'headers', do: 'reset' }] });
      const outcome = await ask(proxy.url);
      assert.equal(outcome.error?.code, 'offline');
      assert.equal(proxy.exchanges.length, 1);
    });

    it('B13: names a host that does not resolve', async () => {
      const outcome = await ask('https://docs.invalid');
      assert.equal(outcome.error?.code, 'offline');
      assert.match(outcome.sentence ?? '', /docs\.invalid \(E\w+\)/);
    });

    it('B12: says what is wrong with a connection that is not secure', async () => {
      const outcome = await ask(proxy.url.replace('http:', 'https:'));
      assert.ok(['insecure-connection', 'offline'].includes(outcome.error?.code ?? ''));
      assert.equal(proxy.exchanges.length, 0);
    });

    it('B15: limits the wait for headers separately from the silence between bytes', async () => {
      proxy.queue(
        streamFault(replyOf('a'), { cues: [{ at: 'headers', do: 'hold', gate: 'never' }] }),
      );
      const clock = new FakeClock();
      const asked = ask(proxy.url, {
        clock,
        settings: {
          ...settingsFor(proxy.url),
          headersTimeoutMs: 20_000,
          idleTimeoutMs: 90_000,
        },
      });
      await proxy.whenHeld('never');
      await clock.advance(19_999);
      assert.equal(proxy.exchanges[0]?.state, 'open');
      await clock.advance(1);
      const outcome = await asked;
      assert.equal(outcome.error?.code, 'timed-out');
      assert.match(outcome.sentence ?? '', /20 s/);
      await proxy.until(() => proxy.exchanges[0]?.state === 'client-gone');
    });
  });

  it('B16: reads only the start of an error’s endless body', async () => {
    proxy.queue({
      respond: {
        status: 500,
        headers: { 'content-type': 'text/plain' },
        body: 'Broken. '.repeat(8192),
        repeat: 800,
      },
    });
    const outcome = await ask(proxy.url);
    assert.equal(outcome.error?.code, 'service-down');
    await proxy.until(() => proxy.exchanges[0]?.state === 'client-gone');
    assert.ok((proxy.exchanges[0]?.responseBytes ?? Infinity) < 10_000_000);
  });

  describe('base URLs (F5)', () => {
    const refused: readonly [string, string][] = [
      ['http beyond this machine', 'http://docs.example.com'],
      ['a user name in it', 'https://docs.example.com@127.0.0.1:1'],
      ['a user name and a password in it', 'https://user:pass@docs.example.com'],
      ['a scheme that is no HTTP', 'ftp://docs.example.com'],
      ['a name that only begins like loopback', 'http://127.0.0.1.example.com'],
      ['no scheme', 'docs.example.com'],
    ];
    for (const [what, baseUrl] of refused) {
      it(`sends nothing to a base URL with ${what}`, async () => {
        const urls: string[] = [];
        const client = new AssistantClient({
          fetch: (url) => {
            urls.push(url);
            return Promise.resolve(new Response('{}', { status: 400 }));
          },
          clock: systemClock,
          log: new RecordingLog(),
        });
        const outcome = await ask(baseUrl, { client });
        assert.deepEqual(urls, []);
        assert.notEqual(outcome.error, undefined);
      });
    }

    it('keeps a domain with unusual characters inside its segment of the path', async () => {
      for (const assistantDomain of ['a/../../b', '..', 'a?b=c', 'a#b', 'a\\b', ' ', '%2e%2e']) {
        const settings = { ...settingsFor(proxy.url), assistantDomain };
        const outcome = await ask(proxy.url, { settings });
        assert.notEqual(outcome.error, undefined, assistantDomain);
      }
      for (const { path } of proxy.exchanges) {
        assert.match(path, /^\/v2\/assistant\/[^/?#]+\/message$/);
      }
    });
  });

  describe('keys (F1, F2, F3, F6)', () => {
    const threadKey = 'thread_CANARY_8d2b6c';

    const askWithEcho = async (respond: CannedResponse): Promise<Outcome> => {
      proxy.queue({ respond });
      const outcome = await ask(proxy.url, { threadId: 'thread-1', threadKey });
      assertNoSecret([assistantKey, threadKey, 'CANARY'], outcome);
      return outcome;
    };

    const echo = `Key ${assistantKey}, thread key ${threadKey}`;
    const echoes: readonly [string, CannedResponse][] = [
      ['the sentence of an error', jsonError(401, `${echo} not known`)],
      ['a body that is plain text', { status: 500, body: echo }],
      [
        'the title of a web page',
        { status: 502, headers: { 'content-type': 'text/html' }, body: html(echo) },
      ],
      ['the place of a redirect', { status: 302, headers: { location: `/?key=${assistantKey}` } }],
      ['the text of a stream', { body: replyOf(`You sent ${echo}.`) }],
      [
        'the text of a stream, cut within',
        { body: replyOf(...(`You sent ${echo}. Yes.`.match(/.{1,3}/gs) ?? [])) },
      ],
      [
        'every other string of a stream',
        {
          body: [
            { type: 'start', messageId: echo, messageMetadata: { note: echo } },
            { type: echo },
            { type: 'reasoning-start', id: echo },
            { type: 'reasoning-delta', id: echo, delta: `Thinking of ${echo}` },
            {
              type: 'source-url',
              sourceId: echo,
              url: `https://x.example/?k=${assistantKey}`,
              title: echo,
            },
            { type: 'source-document', sourceId: echo, title: echo, mediaType: 'text/plain' },
            {
              type: 'file',
              url: `https://x.example/${assistantKey}`,
              mediaType: echo,
              filename: echo,
            },
            {
              type: 'tool-input-available',
              toolCallId: echo,
              toolName: echo,
              input: { query: echo },
            },
            {
              type: 'tool-output-available',
              toolCallId: echo,
              output: [{ url: `https://y.example/${assistantKey}`, metadata: { title: echo } }],
            },
            { type: 'text-start', id: 't' },
            { type: 'text-delta', id: 't', delta: 'Done.' },
            { type: 'finish', threadId: 'thread-1' },
          ]
            .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
            .join(''),
        },
      ],
      [
        'an error chunk',
        { body: `data: ${JSON.stringify({ type: 'error', errorText: echo })}\n\n` },
      ],
      ['an event that is not JSON', { body: `data: {"${echo}\n\n${replyOf('a')}` }],
    ];
    for (const [place, respond] of echoes) {
      it(`shows and logs no key that the service echoes in ${place}`, async () => {
        await askWithEcho(respond);
      });
    }

    it('keeps the text around an echoed key', async () => {
      const { text } = await askWithEcho({ body: replyOf(`You sent ${assistantKey}, right?`) });
      assert.match(text, /^You sent .+, right\?$/);
    });

    it('sends the key in no URL', async () => {
      await ask(proxy.url);
      assert.ok(!proxy.exchanges.some(({ path }) => path.includes('CANARY')));
    });

    it('sends the thread’s key beside its id, and never without it', async () => {
      await ask(proxy.url, { threadId: 'thread-1', threadKey });
      await ask(proxy.url, { threadKey });
      const bodies = proxy.exchanges.map(({ body }) => body as Record<string, unknown>);
      assert.equal(bodies[0]?.['threadId'], 'thread-1');
      assert.equal(bodies[0]['threadKey'], threadKey);
      assert.ok(bodies[1] && !('threadKey' in bodies[1]) && !('threadId' in bodies[1]));
    });

    for (const key of [
      'local_dsc_CANARY1\r\nX-Evil: 1',
      'local_dsc_CANARY2\n',
      'local_dsc_CANARY3 ü',
      '',
    ]) {
      it(`sends nothing with a key that is not a valid header value: ${JSON.stringify(key.slice(16))}`, async () => {
        const client = new AssistantClient({
          fetch: (url, init) => fetch(url, init),
          clock: systemClock,
          log: new RecordingLog(),
        });
        const request = {
          settings: settingsFor(proxy.url),
          key,
          messages: [aQuestion('Hello?')],
          contextItems: [],
        };
        const signal = new AbortController().signal;
        await assert.rejects(client.ask(request, signal).next(), { code: 'key-rejected' });
        assert.equal(proxy.exchanges.length, 0);
      });
    }
  });
});
