import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { startFaultProxy, type FaultProxy } from '../fakes/faultProxy';
import { startFaultProxyControl } from '../fakes/faultProxyControl';
import type { Cue, Exchange, Fault, Rewrite } from '../fakes/faults';

const event = (chunk: object): string => `data: ${JSON.stringify(chunk)}\n\n`;
const streamText = [
  event({ type: 'start' }),
  event({ type: 'text-delta', id: 't', delta: 'Grüße 👋' }),
  event({ type: 'finish', threadId: 'thread-1' }),
  'data: [DONE]\n\n',
].join('');

describe('FaultProxy', () => {
  let service: Server;
  let serviceUrl: string;
  let proxy: FaultProxy;

  before(async () => {
    service = createServer((incoming, response) => {
      incoming.resume();
      incoming.on('end', () => {
        response.setHeader('content-type', 'text/event-stream');
        response.end(streamText);
      });
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    serviceUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  });

  after(() => {
    service.closeAllConnections();
    service.close();
  });

  beforeEach(async () => {
    proxy = await startFaultProxy({ target: serviceUrl });
  });

  afterEach(() => proxy.stop());

  const ask = (signal?: AbortSignal): Promise<Response> =>
    fetch(`${proxy.url}/v2/assistant/acme/message?x=1`, {
      method: 'POST',
      headers: { Authorization: 'Bearer key', 'Content-Type': 'application/json' },
      body: JSON.stringify({ fp: 'anonymous' }),
      redirect: 'manual',
      signal,
    });

  const askWith = async (fault: Fault): Promise<string> => {
    proxy.queue(fault);
    return (await ask()).text();
  };

  it('passes an exchange through and records both sides', async () => {
    assert.equal(await (await ask()).text(), streamText);

    await proxy.until(() => proxy.exchanges[0]?.state === 'complete');
    const [exchange] = proxy.exchanges;
    assert.ok(exchange);
    assert.equal(exchange.method, 'POST');
    assert.equal(exchange.path, '/v2/assistant/acme/message?x=1');
    assert.equal(exchange.headers['authorization'], 'Bearer key');
    assert.deepEqual(exchange.body, { fp: 'anonymous' });
    assert.equal(exchange.status, 200);
    assert.equal(exchange.responseHeaders?.['content-type'], 'text/event-stream');
    assert.equal(exchange.responseText, streamText);
    assert.equal(exchange.responseBytes, Buffer.byteLength(streamText));
  });

  it('answers in place of the service, with repeated headers and binary bodies', async () => {
    proxy.queue({
      respond: {
        status: 429,
        headers: { 'Retry-After': ['7', '9'] },
        bodyBase64: Buffer.from([0, 255]).toString('base64'),
        repeat: 2,
      },
    });
    const response = await ask();
    assert.equal(response.status, 429);
    assert.equal(response.headers.get('retry-after'), '7, 9');
    assert.deepEqual([...new Uint8Array(await response.arrayBuffer())], [0, 255, 0, 255]);
  });

  it('gives each fault to the next request that matches, then passes on again', async () => {
    proxy.queue(
      { when: { pathIncludes: '/elsewhere' }, respond: { status: 418 } },
      { times: 2, respond: { status: 503 } },
    );
    const statuses = [(await ask()).status, (await ask()).status, (await ask()).status];
    assert.deepEqual(statuses, [503, 503, 200]);
  });

  it('sets, repeats and takes away headers of the service', async () => {
    proxy.queue({ headers: { 'Content-Type': null, 'X-Thread-Id': 'thread-9' } });
    const response = await ask();
    assert.equal(response.headers.get('content-type'), null);
    assert.equal(response.headers.get('x-thread-id'), 'thread-9');
  });

  const rewrites: readonly [string, readonly Rewrite[], string][] = [
    [
      'inserts before and after an event by type or number',
      [
        { do: 'insert', before: 'text-delta', text: ': ping\n\n' },
        { do: 'insert', after: 0, text: 'data: nonsense\n\n' },
      ],
      streamText.replace('data: {"type":"text', 'data: nonsense\n\n: ping\n\ndata: {"type":"text'),
    ],
    [
      'drops the end markers',
      [
        { do: 'drop', event: 'finish' },
        { do: 'drop', event: '[DONE]' },
      ],
      streamText.slice(0, streamText.indexOf('data: {"type":"finish')),
    ],
    [
      'replaces an event',
      [{ do: 'replace', event: '[DONE]', text: 'data: {"type":"abort"}\n\n' }],
      streamText.replace('[DONE]', '{"type":"abort"}'),
    ],
    [
      'puts a byte order mark at the start',
      [{ do: 'insert', before: 0, text: '\uFEFF' }],
      `\uFEFF${streamText}`,
    ],
    [
      'ends lines with a lone CR',
      [{ do: 'line-ends', with: '\r' }],
      streamText.replaceAll('\n', '\r'),
    ],
  ];
  for (const [sentence, rewrite, expected] of rewrites) {
    it(`rewrites the stream: ${sentence}`, async () => {
      proxy.queue({ rewrite, pieceBytes: 1 });
      const bytes = Buffer.from(await (await ask()).arrayBuffer());
      assert.equal(bytes.toString('utf8'), expected);
    });
  }

  it('sends pieces that arrive as network chunks of their own', async () => {
    proxy.queue({ pieceBytes: 1 });
    const response = await ask();
    assert.ok(response.body);
    let chunks = 0;
    for await (const _chunk of response.body as unknown as AsyncIterable<Uint8Array>) chunks += 1;
    // The system may still join a few.
    assert.ok(chunks > Buffer.byteLength(streamText) / 2, `${chunks} chunks`);
  });

  for (const encode of ['gzip', 'br', 'deflate'] as const) {
    it(`encodes the stream with ${encode} so that each event can be read as it comes`, async () => {
      const fault: Fault = {
        encode,
        rewrite: [{ do: 'insert', before: 0, text: '' }],
        cues: [{ at: 40, do: 'hold', gate: 'rest' }],
      };
      proxy.queue(fault);
      const response = await ask();
      assert.equal(response.headers.get('content-encoding'), encode);
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      const first = await reader?.read();
      assert.ok(streamText.startsWith(first?.value ?? 'nothing'));
      proxy.openGate('rest');
      let text = first?.value ?? '';
      for (let next = await reader?.read(); next?.value; next = await reader?.read())
        text += next.value;
      assert.equal(text, streamText);
    });
  }

  it('cuts an encoded stream at a byte of the encoding', async () => {
    proxy.queue({
      encode: 'gzip',
      headers: { 'content-encoding': null },
      cues: [{ at: 30, do: 'end' }],
    });
    const bytes = Buffer.from(await (await ask()).arrayBuffer());
    assert.equal(bytes.length, 30);
    assert.throws(() => gunzipSync(bytes), /unexpected end/);
  });

  it('holds before the headers until the gate is opened', async () => {
    proxy.queue({ cues: [{ at: 'headers', do: 'hold', gate: 'headers' }] });
    let hasHeaders = false;
    const asked = ask().then((response) => {
      hasHeaders = true;
      return response.text();
    });
    await proxy.whenHeld('headers');
    assert.equal(hasHeaders, false);
    assert.equal(proxy.exchanges[0]?.status, undefined);
    proxy.openGate('headers');
    assert.equal(await asked, streamText);
  });

  it('holds in the middle of a stream at a text that the network split, with all before it sent', async () => {
    proxy.queue({ pieceBytes: 1, cues: [{ at: { text: 'Grüße' }, do: 'hold', gate: 'middle' }] });
    const response = await ask();
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.endsWith('Grüße')) text += (await reader?.read())?.value ?? assert.fail();
    await proxy.whenHeld('middle');
    proxy.openGate('middle');
    for (let next = await reader?.read(); next?.value; next = await reader?.read())
      text += next.value;
    assert.equal(text, streamText);
  });

  for (const end of ['reset', 'close'] as const) {
    it(`breaks off in the middle of the body: ${end}`, async () => {
      proxy.queue({ cues: [{ at: 20, do: end }] });
      const response = await ask();
      await assert.rejects(response.text(), TypeError);
      await proxy.until(() => proxy.exchanges[0]?.state === 'cut');
      assert.equal(proxy.exchanges[0]?.responseBytes, 20);
    });
  }

  it('delivers what came before the connection was closed', async () => {
    proxy.queue({ cues: [{ at: 20, do: 'close' }] });
    const response = await ask();
    let text = '';
    await assert.rejects(async () => {
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>)
        text += Buffer.from(chunk).toString();
    });
    assert.equal(text, streamText.slice(0, 20));
  });

  const atHeaders: readonly Cue[] = [{ at: 'headers', do: 'reset' }];
  it('breaks off before the headers', async () => {
    proxy.queue({ cues: atHeaders });
    await assert.rejects(ask(), TypeError);
    assert.equal(proxy.exchanges[0]?.status, undefined);
  });

  it('ends the body early as if it were whole', async () => {
    assert.equal(await askWith({ cues: [{ at: 20, do: 'end' }] }), streamText.slice(0, 20));
  });

  it('detects when the client disconnects, also while it holds', async () => {
    proxy.queue({ cues: [{ at: 'headers', do: 'hold', gate: 'never' }] });
    const stop = new AbortController();
    const asked = ask(stop.signal);
    await proxy.whenHeld('never');
    stop.abort();
    await assert.rejects(asked, { name: 'AbortError' });
    await proxy.until(() => proxy.exchanges[0]?.state === 'client-gone');
    assert.equal(proxy.isHeld('never'), false);
  });

  it('goes down and comes back on the same address', async () => {
    const before = proxy.url;
    await proxy.goDown();
    await assert.rejects(ask(), (error: Error) => /ECONNREFUSED/.test(String(error.cause)));
    await proxy.comeBack();
    assert.equal(proxy.url, before);
    assert.equal(await (await ask()).text(), streamText);
  });

  it('is driven from another process over HTTP', async () => {
    const control = await startFaultProxyControl(proxy);
    try {
      const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
        const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
        const response = await fetch(`${control.url}${path}`, init);
        assert.equal(response.status, 200, path);
        return response.json();
      };
      const faults: Fault[] = [
        { cues: [{ at: 10, do: 'hold', gate: 'a b' }] },
        { respond: { status: 500 } },
      ];
      await call('POST', '/faults', faults);
      const asked = ask();
      await call('GET', '/gates/a%20b');
      await call('POST', '/gates/a%20b');
      assert.equal(await (await asked).text(), streamText);
      await call('DELETE', '/faults');
      await call('POST', '/down');
      await assert.rejects(ask());
      await call('POST', '/up');
      assert.equal((await ask()).status, 200);
      const exchanges = (await call('GET', '/exchanges/ended?count=2')) as Exchange[];
      assert.deepEqual(
        exchanges.map(({ state }) => state),
        ['complete', 'complete'],
      );
      assert.deepEqual(await call('GET', '/exchanges'), JSON.parse(JSON.stringify(exchanges)));
      assert.equal((await fetch(`${control.url}/nothing`)).status, 404);
    } finally {
      await control.stop();
    }
  });
});
