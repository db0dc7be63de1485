import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { assertNoTrace } from '../../builders/canary';
import { assistantKey } from '../chat/asking';
import { until } from '../service/localServiceAsking';
import { DocsSite } from '../service/docsSite';
import { sampleDocs } from '../service/sampleService';
import { type Message, RawServer, type StartOptions } from './mcpProcess';

const overFolder: StartOptions = { args: ['--docs', sampleDocs] };

/** Returns the text of a tool's result. */
function textOf({ result }: Message): string {
  const [block] = (result?.['content'] ?? []) as { readonly text: string }[];
  return block?.text ?? '';
}

describe('the protocol of docs-assistant mcp', () => {
  let server: RawServer;

  function start(options: StartOptions = overFolder): RawServer {
    server = new RawServer(options);
    return server;
  }
  afterEach(() => {
    server.process.kill('SIGKILL');
  });

  const call = (id: number, name: string, input: unknown): Promise<Message> =>
    server.request(id, 'tools/call', { name, arguments: input });

  // Shows faults.md M1.
  it('answers lines that are not messages with errors, and repeats nothing of them', async () => {
    start();
    const garbage = ['', '   ', 'hello', '{', '[]', 'null', '42', '"text"', '{"jsonrpc":"2.0"}'];
    const others = [
      '{"jsonrpc":"1.0","id":7,"method":"ping"}',
      '{"jsonrpc":"2.0","id":{},"method":7}',
    ];
    for (const line of [...garbage, ...others, assistantKey, `{"${assistantKey}":1}`]) {
      server.send(line);
    }
    server.process.stdin.write(Buffer.from([0xff, 0xfe, 0x00, 0x0a]));
    const { result } = await server.initialize();
    server.send('{ broken');
    assert.equal(result?.['protocolVersion'], '2025-06-18');
    assert.ok((await server.request(1, 'tools/list')).result);
    assert.equal(await server.close(), 0);
    const errors = server.messages.flatMap(({ id, error }) => (error ? [[error.code, id]] : []));
    assert.deepEqual(errors, [
      ...Array.from({ length: 2 }, () => [-32_700, null]),
      ...Array.from({ length: 5 }, () => [-32_600, null]),
      ...[
        [-32_600, 7],
        [-32_600, null],
        [-32_700, null],
        [-32_600, null],
      ],
      ...Array.from({ length: 2 }, () => [-32_700, null]),
    ]);
    assert.equal(server.messages.length, errors.length + 2);
    assertNoTrace(assistantKey, [server.lines, server.stderr()]);
  });

  // Shows faults.md M6.
  it('answers a message over 10 MB with an error, and goes on', async () => {
    start();
    await server.initialize();
    const { error } = await server.request(1, 'tools/call', {
      name: 'search_docs',
      arguments: { query: 'x'.repeat(11_000_000) },
    });
    assert.deepEqual(error, { code: -32_600, message: 'The message is larger than 10 MB.' });
    assert.ok((await server.request(2, 'tools/list')).result);
    assert.match(server.stderr(), /The message is larger than 10 MB\./);
    assert.equal(await server.close(), 0);
  });

  it('logs only a limited number of invalid messages', async () => {
    start();
    await server.initialize();
    for (let count = 0; count < 500; count++) server.send('{"jsonrpc":"2.0"}');
    await server.request(1, 'ping');
    await server.close();
    assert.equal(server.stderr().trim().split('\n').length, 20);
  });

  it('speaks of a credit only for docs of which a question can spend one', async () => {
    const hosted = ['--site', 'sample', '--base-url', 'https://docs.example.com'];
    for (const [args, speaks] of [
      [['--docs', sampleDocs], false],
      [hosted, true],
    ] as const) {
      start({ args, env: { DOCS_ASSISTANT_KEY: assistantKey } });
      const told = JSON.stringify(await server.initialize());
      const listed = JSON.stringify(await server.request(1, 'tools/list'));
      assert.deepEqual([/credit/.test(told), /credit/.test(listed)], [speaks, speaks]);
      assert.match(listed, /sk one complete question instead of several small ones/);
      await server.close();
    }
  });

  it('logs its requests with --verbose, and otherwise only what went wrong', async () => {
    for (const verbose of [[], ['--verbose']]) {
      start({
        args: ['--site', 'sample', '--base-url', 'http://127.0.0.1:9', ...verbose],
        env: { DOCS_ASSISTANT_KEY: assistantKey },
      });
      await server.initialize();
      await call(1, 'ask_docs', { question: 'What are keys?' });
      await server.close();
      assert.match(server.stderr(), /^warning: A docs tool failed: offline$/m);
      assert.equal(/^POST http/m.test(server.stderr()), verbose.length > 0, server.stderr());
    }
  });

  it('ends with its client although a site that it fetches does not answer', async () => {
    const site = await DocsSite.start({});
    const asked = new Promise<void>((resolve) => {
      site.fallback = () => resolve();
    });
    const cache = await mkdtemp(path.join(os.tmpdir(), 'docs-assistant-test-'));
    try {
      start({ args: ['--docs', site.url], env: { DOCS_ASSISTANT_CACHE: cache } });
      await server.initialize();
      void call(1, 'search_docs', { query: 'keys' }).catch(() => undefined);
      await asked;
      // The end of stdin lets running calls end first.
      server.send({
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: 1 },
      });
      assert.equal(await server.close(), 0);
    } finally {
      await site.stop();
      await rm(cache, { recursive: true, force: true });
    }
  });

  it('offers a version that it knows to a client with a newer one', async () => {
    start();
    const { result } = await server.initialize('2031-01-01');
    assert.equal(result?.['protocolVersion'], '2025-11-25');
    assert.ok((await server.request(1, 'tools/list')).result);
  });

  // Shows faults.md M2.
  it('names the versions that it knows to a client that asks for a newer one only', async () => {
    start();
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2031-01-01',
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const { error } = await server.request(1, 'tools/list', { _meta: meta });
    assert.equal(error?.code, -32022);
    assert.match(JSON.stringify(error), /2026-07-28/);
  });

  it('answers unknown methods and wrong parameters with the errors of JSON-RPC', async () => {
    start();
    await server.initialize();
    assert.equal((await server.request(1, 'no/such/method')).error?.code, -32601);
    assert.equal((await server.request(2, 'tools/call', { name: 'x' })).error?.code, -32602);
    assert.equal((await server.request(3, 'tools/call', { name: 7 })).error?.code, -32602);
    assert.equal((await server.request(4, 'resources/read', {})).error?.code, -32602);
    assert.equal((await server.request(5, 'prompts/list')).error?.code, -32601);
  });

  // Here and not with the SDK's client, which drops reports that it reads together with the answer.
  it('reports progress that grows, if the client asks for it', async () => {
    start();
    await server.initialize();
    const asked = { name: 'ask_docs', arguments: { question: 'What is a parcel?' } };
    // The first call would report the pages that are being read.
    await server.request(1, 'tools/call', asked);
    assert.equal(server.messages.at(-1)?.id, 1);
    const before = server.messages.length;
    await server.request(2, 'tools/call', { ...asked, _meta: { progressToken: 0 } });
    const sent = server.messages.slice(before);
    assert.equal(sent.pop()?.id, 2);
    const reports = sent.map(({ method, params }) => {
      assert.equal(method, 'notifications/progress');
      return params as { progressToken: number; progress: number; message: string };
    });
    assert.deepEqual(
      reports.map(({ progressToken, progress }) => [progressToken, progress]),
      reports.map((_, index) => [0, index + 1]),
    );
    assert.equal(reports[0]?.message, 'Asking the docs');
  });

  it('treats input that isn’t an object as bad input of the tool or of the protocol', async () => {
    start();
    await server.initialize();
    for (const [index, input] of ['text', 7, ['a'], true].entries()) {
      const { error, result } = await call(index + 1, 'search_docs', input);
      assert.ok(error?.code === -32602 || result?.['isError'] === true);
    }
    assert.equal((await call(9, 'search_docs', undefined)).result?.['isError'], true);
  });

  it('lists many pages in parts, also those whose names need encoding', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'docs-assistant-many-'));
    try {
      const names = Array.from({ length: 405 }, (_, index) => `page-${index}`);
      names.push('Über uns', 'a b?c#d', '100%', '日本語');
      for (const name of names)
        await writeFile(path.join(folder, `${name}.md`), `# ${name}\n\nText.`);
      start({ args: ['--docs', folder] });
      await server.initialize();
      const sizes: number[] = [];
      const uris = new Set<string>();
      let cursor: unknown;
      do {
        const { result } = await server.request(sizes.length + 1, 'resources/list', { cursor });
        const resources = result?.['resources'] as { uri: string }[];
        sizes.push(resources.length);
        for (const { uri } of resources) uris.add(uri);
        cursor = result?.['nextCursor'];
      } while (cursor !== undefined);
      assert.deepEqual(sizes, [200, 200, 9]);
      assert.equal(uris.size, names.length);
      for (const [index, name] of names.slice(-4).entries()) {
        const uri = `docs://local/${encodeURIComponent(name)}`;
        assert.ok(uris.has(uri), uri);
        const { result } = await server.request(100 + index, 'resources/read', { uri });
        assert.match(JSON.stringify(result), new RegExp(`# ${name.replace('?', '\\?')}`));
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  // Shows faults.md M5.
  it('refuses input of a megabyte in one sentence, and goes on', async () => {
    start();
    await server.initialize();
    const refused = await call(1, 'search_docs', { query: 'x'.repeat(1_000_000) });
    assert.equal(refused.result?.['isError'], true);
    assert.ok(textOf(refused).length < 300);
    assert.equal(
      (await call(2, 'search_docs', { query: 'parcel' })).result?.['isError'],
      undefined,
    );
  });

  it('keeps nothing of an enormous message that is no request', async () => {
    start();
    await server.initialize();
    server.send('x'.repeat(15 * 1024 * 1024));
    assert.ok((await server.request(1, 'ping')).result);
    assert.equal(server.messages.length, 3);
    assert.deepEqual(server.messages[1], {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32_600, message: 'The message is larger than 10 MB.' },
    });
    assert.equal(await server.close(), 0);
    assert.ok(server.stderr().length < 1000);
  });

  // Shows faults.md M3.
  it('ends when stdin closes, with the docs that it has opened', async () => {
    start();
    await server.initialize();
    const found = await call(1, 'search_docs', { query: 'parcel' });
    assert.match(textOf(found), /follow-the-parcel/);
    assert.equal(await server.close(), 0);
  });

  it('ends when stdin closes before the first message', async () => {
    start();
    assert.equal(await server.close(), 0);
    assert.deepEqual(server.lines, []);
    assert.equal(server.stderr(), '');
  });

  it('ends when stdin closes while it opens the docs', async () => {
    start();
    await server.initialize();
    server.send({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'search_docs', arguments: { query: 'parcel' } },
    });
    assert.equal(await server.close(), 0);
  });

  it('answers what was asked before stdin closed, and then ends', async () => {
    start();
    const clientInfo = { name: 'raw', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    const search = { name: 'search_docs', arguments: { query: 'parcel' } };
    server.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
    server.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    server.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: search });
    // The last line of a script can lack its end.
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} };
    server.process.stdin.write(JSON.stringify(list));
    assert.equal(await server.close(), 0);
    assert.deepEqual(server.messages.map(({ id }) => id).toSorted(), [0, 1, 2]);
    assert.match(textOf(server.messages.find(({ id }) => id === 1) ?? {}), /follow-the-parcel/);
  });

  // Shows faults.md M4.
  it('ends when nobody reads its messages anymore', async () => {
    start();
    await server.initialize();
    server.process.stdout.destroy();
    for (let id = 1; id < 20; id++) {
      server.send({ jsonrpc: '2.0', id, method: 'tools/list', params: {} });
    }
    assert.equal(await server.exitCode(), 0);
    assert.doesNotMatch(server.stderr(), /EPIPE|at .*\.js/);
  });

  it('ends in order when it is told to by a signal', async () => {
    start();
    await server.initialize();
    await call(1, 'search_docs', { query: 'parcel' });
    server.process.kill('SIGTERM');
    assert.ok([0, 143].includes(Number(await server.exitCode())));
  });

  // Shows faults.md M8.
  it('writes nothing but messages on stdout, whatever libraries print', async () => {
    // Begins once the server reads, like a library that is used by a call.
    const noise = `setInterval(() => process.stdin.listenerCount('data') && console.log('noise'), 5)`;
    const script = `data:text/javascript,${encodeURIComponent(noise)}`;
    start({ ...overFolder, env: { NODE_OPTIONS: `--import=${script}` } });
    await server.initialize();
    await call(1, 'search_docs', { query: 'parcel' });
    assert.deepEqual(
      server.messages.map(({ id }) => id),
      [0, 1],
    );
    await until(() => server.stderr().includes('noise'));
  });

  it('refuses contradicting options before it serves', async () => {
    start({ args: ['--docs', sampleDocs, '--site', 'a', '--base-url', 'https://b.example'] });
    assert.equal(await server.exitCode(), 2);
    assert.deepEqual(server.lines, []);
    assert.match(server.stderr(), /Choose one/);
  });

  it('takes no key from its arguments', async () => {
    start({ args: ['--site', 'sample', '--base-url', 'https://b.example', assistantKey] });
    assert.equal(await server.exitCode(), 2);
    assertNoTrace(assistantKey, [server.lines, server.stderr()]);
  });

  it('asks the site of the window that started it', async () => {
    const settings = {
      baseUrl: 'http://127.0.0.1:9',
      assistantDomain: 'sample',
      fp: 'anonymous',
      retrievalPageSize: 5,
      filter: {},
      idleTimeoutMs: 60_000,
      headersTimeoutMs: 60_000,
    };
    const target = { settings, label: 'Sample', key: assistantKey, spendsCredit: true };
    start({ env: { DOCS_ASSISTANT_TARGET: JSON.stringify(target) } });
    await server.initialize();
    const { result } = await server.request(3, 'tools/list');
    const tools = result?.['tools'] as { annotations: { readOnlyHint: boolean } }[];
    assert.deepEqual(
      tools.map(({ annotations }) => annotations.readOnlyHint),
      [false, true, true, true],
      'clients ask before a credit is spent',
    );
    const asked = await call(1, 'ask_docs', { question: 'What is a parcel?' });
    assert.match(textOf(asked), /127\.0\.0\.1:9 cannot be reached/);
    const searched = await call(2, 'search_docs', { query: 'parcel' });
    assert.match(
      textOf(searched),
      /“Sample” is a hosted.*“Docs Assistant: Choose Docs…” in VS Code/s,
    );
    assertNoTrace(assistantKey, [server.lines, server.stderr()]);
  });
});
