import assert from 'node:assert/strict';
import path from 'node:path';
import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import type {
  AskToolResult,
  ReadPageResult,
  SearchResult,
} from '../../../src/docsTools/toolDefinitions';
import { assertNoTrace } from '../../builders/canary';
import type { FaultProxy } from '../../fakes/faultProxy';
import { assistantKey } from '../chat/asking';
import { until } from '../service/localServiceAsking';
import { type SampleService, sampleDocs, startSampleService } from '../service/sampleService';
import { type ConnectedClient, connectClient } from './mcpProcess';

function textOf({ content }: CallToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}

function dataOf({ structuredContent }: CallToolResult): unknown {
  assert.ok(structuredContent, 'the result has no data');
  return structuredContent;
}

describe('docs-assistant mcp with the SDK’s client, over docs on this machine', function () {
  let connected: ConnectedClient;
  let client: Client;

  before(async () => {
    connected = await connectClient({ args: ['--docs', sampleDocs] });
    ({ client } = connected);
    // The client checks the data of results against the schemas that the list names.
    await client.listTools();
  });
  after(() => client.close());

  it('names itself, its version and how to use it', () => {
    assert.deepEqual(client.getServerVersion()?.name, 'docs-assistant');
    assert.match(client.getInstructions() ?? '', /search_docs and read_docs_page/);
    assert.deepEqual(client.getServerCapabilities(), {
      tools: { listChanged: false },
      resources: { listChanged: false },
    });
  });

  it('lists four read-only tools, one of which reaches out', async () => {
    const { tools } = await client.listTools();
    const listed = tools.map(({ name, annotations }) => [
      name,
      annotations?.readOnlyHint,
      annotations?.destructiveHint,
      annotations?.idempotentHint,
      annotations?.openWorldHint,
    ]);
    assert.deepEqual(listed, [
      ['ask_docs', true, false, false, true],
      ['search_docs', true, false, true, false],
      ['read_docs_page', true, false, true, false],
      ['check_claims', true, false, true, false],
    ]);
    for (const { title, description, inputSchema, outputSchema } of tools) {
      assert.ok(title);
      assert.ok((description ?? '').length > 100);
      assert.equal(inputSchema.type, 'object');
      assert.ok((inputSchema.required ?? []).length > 0);
      assert.equal(outputSchema?.type, 'object');
    }
  });

  it('searches, reads a page that was found, and reads on', async () => {
    const found = await client.callTool({
      name: 'search_docs',
      arguments: { query: 'webhook retries', language: 'en', limit: 3 },
    });
    const { sections } = dataOf(found) as SearchResult;
    assert.equal(sections.length, 3);
    assert.match(textOf(found), /### 1\. /);
    const section = sections.find(({ heading }) => heading === 'Retries');
    assert.ok(section);

    const read = await client.callTool({
      name: 'read_docs_page',
      arguments: { page: section.path },
    });
    const page = dataOf(read) as ReadPageResult;
    assert.match(page.markdown, /^## Retries/);
    assert.ok(page.offset > 0);
    const again = await client.callTool({
      name: 'read_docs_page',
      arguments: { page: page.path, offset: 10 },
    });
    assert.equal((dataOf(again) as ReadPageResult).offset, 10);
  });

  it('answers a question with its sources', async () => {
    const result = await client.callTool({
      name: 'ask_docs',
      arguments: { question: 'How often is a failed webhook delivery retried?' },
    });
    const { answer, sources, isComplete } = dataOf(result) as AskToolResult;
    assert.match(answer, /7 times/);
    assert.equal(isComplete, true);
    const source = sources.find(({ url }) => url.endsWith('webhooks.mdx#retries'));
    assert.ok(source);
    assert.ok(textOf(result).includes(answer));
    // The file of the page is also an address that the tools take.
    const read = await client.callTool({ name: 'read_docs_page', arguments: { page: source.url } });
    assert.match((dataOf(read) as ReadPageResult).markdown, /^## Retries/);
  });

  it('returns errors as results, worded for a model', async () => {
    const call = async (name: string, input: Record<string, unknown>): Promise<string> => {
      const result = await client.callTool({ name, arguments: input });
      assert.equal(result.isError, true);
      assert.equal(result.structuredContent, undefined);
      return textOf(result);
    };
    assert.match(await call('search_docs', {}), /query.*Change the input, then call again\.$/s);
    assert.match(await call('search_docs', { query: 7 }), /query/);
    assert.match(await call('ask_docs', { question: ' ' }), /question must not be empty/);
    assert.match(await call('ask_docs', { question: 'x'.repeat(1_000_000) }), /question can have/);
    assert.match(await call('read_docs_page', { page: 'no/such/page' }), /has no such page/);
  });

  it('refuses an unknown tool', async () => {
    await assert.rejects(
      client.callTool({ name: `drop_docs${'x'.repeat(200)}`, arguments: {} }),
      (error: Error) => /Unknown tool: drop_docsx{10,91}…?$/.test(error.message),
    );
  });

  it('answers twenty calls at once, each with its own result', async () => {
    const words = ['webhook', 'label', 'parcel', 'pagination', 'authentication'];
    const calls = Array.from({ length: 20 }, (_, index) => words[index % words.length] ?? '');
    const results = await Promise.all(
      calls.map((query) => client.callTool({ name: 'search_docs', arguments: { query } })),
    );
    for (const [index, result] of results.entries()) {
      assert.match(textOf(result), new RegExp(`for “${calls[index]}”`));
    }
  });

  it('lists every page as a resource in parts, and reads each', async () => {
    const { resources } = await client.listResources();
    assert.ok(resources.length > 20);
    const uris = resources.map(({ uri }) => uri);
    assert.equal(new Set(uris).size, uris.length);
    assert.ok(uris.includes('docs://local/v2/en/webhooks'));
    const webhooks = resources.find(({ uri }) => uri.endsWith('v2/en/webhooks'));
    assert.equal(webhooks?.title, 'Webhooks');
    assert.equal(webhooks.mimeType, 'text/markdown');
    for (const uri of uris) {
      const { contents } = await client.readResource({ uri });
      const [page] = contents;
      assert.ok(page && 'text' in page);
      assert.match(page.text, /^# \S/);
    }
  });

  it('reads a page by the resource template', async () => {
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.deepEqual(
      resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      ['docs://local/{+path}'],
    );
    const { contents } = await client.readResource({ uri: 'docs://local/v2/en/webhooks#retries' });
    assert.equal(contents[0]?.uri, 'docs://local/v2/en/webhooks#retries');
  });

  it('refuses URIs of no page, and cursors that it didn’t make', async () => {
    const escapes = ['docs://local/../../etc/passwd', 'docs://local/%2e%2e/%2e%2e/package.json'];
    const others = ['file:///etc/passwd', 'docs://local/', 'docs://local/%', 'docs://else/v2'];
    for (const uri of [...escapes, ...others, 'docs://local/no-such-page']) {
      await assert.rejects(client.readResource({ uri }), /not found/i, uri);
    }
    await assert.rejects(client.listResources({ cursor: '%%%' }), /cursor is not valid/);
  });
});

describe('docs-assistant mcp with the SDK’s client, over a hosted site', () => {
  let service: SampleService;
  let proxy: FaultProxy;
  let connected: ConnectedClient | undefined;

  before(async () => {
    service = await startSampleService();
  });
  after(() => service.stop());
  beforeEach(async () => {
    proxy = await service.startProxy();
  });
  afterEach(async () => {
    await connected?.client.close();
    connected = undefined;
    await proxy.stop();
  });

  async function connect(key: string | undefined): Promise<ConnectedClient> {
    connected = await connectClient({
      args: ['--site', 'sample', '--base-url', proxy.url],
      env: key === undefined ? {} : { DOCS_ASSISTANT_KEY: key },
    });
    return connected;
  }

  // Shows faults.md M11.
  it('asks it with the key of the environment, which nothing repeats', async () => {
    const { client, stderr } = await connect(assistantKey);
    const heard: unknown[] = [];
    const request = { name: 'ask_docs', arguments: { question: 'What is a parcel?' } };
    heard.push(await client.callTool(request, { onprogress: (report) => heard.push(report) }));
    proxy.queue({
      respond: { status: 401, body: JSON.stringify({ error: `Bad key ${assistantKey}` }) },
    });
    const refused = await client.callTool(request);
    assert.equal(refused.isError, true);
    assert.match(textOf(refused), /Never ask for the key itself/);
    heard.push(refused, await client.listTools(), await client.listResources());

    const [asked] = proxy.exchanges;
    assert.equal(asked?.headers['authorization'], `Bearer ${assistantKey}`);
    assertNoTrace(assistantKey, [heard, stderr(), client.getInstructions()]);
  });

  it('says that it can’t search or read the site, and has no resources', async () => {
    const { client } = await connect(assistantKey);
    for (const request of [
      { name: 'search_docs', arguments: { query: 'parcel' } },
      { name: 'read_docs_page', arguments: { page: 'parcels' } },
    ]) {
      const result = await client.callTool(request);
      assert.equal(result.isError, true);
      assert.match(textOf(result), /hosted docs site.*Call ask_docs instead/s);
    }
    assert.deepEqual((await client.listResources()).resources, []);
    await assert.rejects(client.readResource({ uri: 'docs://local/parcels' }), /hosted docs site/);
    assert.equal(proxy.exchanges.length, 0);
  });

  // Shows faults.md M7.
  it('closes the request to the service when the client cancels the call', async () => {
    const { client } = await connect(assistantKey);
    proxy.queue({ cues: [{ at: 'headers', do: 'hold', gate: 'never' }] });
    const canceling = new AbortController();
    const call = client.callTool(
      { name: 'ask_docs', arguments: { question: 'What is a parcel?' } },
      { signal: canceling.signal },
    );
    await proxy.whenHeld('never');
    canceling.abort();
    await assert.rejects(call);
    await proxy.until(() => proxy.exchanges[0]?.state === 'client-gone');
    assert.equal((await client.callTool({ name: 'ask_docs', arguments: {} })).isError, true);
  });

  it('lists its tools without a key, and tells what to do when it is called', async () => {
    const { client, stderr } = await connect(undefined);
    assert.equal((await client.listTools()).tools.length, 4);
    const result = await client.callTool({ name: 'ask_docs', arguments: { question: 'Why?' } });
    assert.equal(result.isError, true);
    assert.match(textOf(result), /environment variable DOCS_ASSISTANT_KEY/);
    await until(() => /Set DOCS_ASSISTANT_KEY/.test(stderr()));
    assert.equal(proxy.exchanges.length, 0);
  });

  it('recognizes an unresolved reference in place of the key', async () => {
    const { client, stderr } = await connect('${DOCS_ASSISTANT_KEY}');
    const result = await client.callTool({ name: 'ask_docs', arguments: { question: 'Why?' } });
    assert.equal(result.isError, true);
    await until(() => /a reference that the client did not resolve/.test(stderr()));
    assert.equal(proxy.exchanges.length, 0);
  });
});

describe('docs-assistant mcp and the versions of the protocol', () => {
  for (const [name, mode, era] of [
    ['2025', 'legacy', 'legacy'],
    ['2026-07-28', { pin: '2026-07-28' }, 'modern'],
    ['the newest that both know', 'auto', 'modern'],
  ] as const) {
    it(`serves a client of ${name}`, async () => {
      const { client } = await connectClient(
        { args: ['--docs', sampleDocs] },
        { versionNegotiation: { mode } },
      );
      try {
        assert.equal(client.getProtocolEra(), era);
        await client.listTools();
        const found = await client.callTool({
          name: 'search_docs',
          arguments: { query: 'webhooks' },
        });
        assert.ok((dataOf(found) as SearchResult).sections.length > 0);
        assert.ok((await client.listResources()).resources.length > 0);
      } finally {
        await client.close();
      }
    });
  }
});

describe('docs-assistant mcp before set-up', () => {
  // Shows faults.md M9.
  it('lists its tools and says in their errors what the user has to do', async () => {
    const { client } = await connectClient({});
    assert.equal((await client.listTools()).tools.length, 4);
    for (const name of ['ask_docs', 'search_docs', 'read_docs_page', 'check_claims']) {
      const input = { question: 'a', query: 'a', page: 'a', text: 'a' };
      const result = await client.callTool({ name, arguments: input });
      assert.equal(result.isError, true);
      assert.match(textOf(result), /No docs are set up yet\. Ask the user to start docs-assistant/);
    }
    await client.close();
  });

  it('names no path of docs that can’t be opened, but logs it for the user', async () => {
    const missing = path.resolve('no-such-folder');
    const { client, stderr } = await connectClient({ args: ['--docs', missing] });
    const result = await client.callTool({ name: 'search_docs', arguments: { query: 'a' } });
    assert.equal(result.isError, true);
    assert.match(textOf(result), /tell the user to check its options/);
    assertNoTrace(missing, result);
    await until(() => /doesn’t exist/.test(stderr()));
    await client.close();
  });
});
