import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { parse } from 'yaml';
import { systemClock } from '../../../src/common/clock';
import { docsFolder, until } from '../service/localServiceAsking';
import {
  audience,
  type Company,
  payments,
  type Provider,
  question,
  shipping,
  startCompany,
  startProvider,
} from './company';

type Folder = Awaited<ReturnType<typeof docsFolder>>;

async function errorOf(response: Response): Promise<string> {
  return ((await response.json()) as { error: string }).error;
}

/** Reads the whole answer to a request. */
async function answerTo(request: http.ClientRequest): Promise<IncomingMessage> {
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  await text(answer);
  return answer;
}

describe('the service of a company', () => {
  let docs: Folder;
  let company: Company;
  let key: string;
  let admin: string;
  const site = (domain: string, fields: object = {}): object => ({
    domain,
    source: { kind: 'folder', path: path.join(docs.root, domain) },
    ...fields,
  });

  before(async () => {
    docs = await docsFolder({ 'payments/refunds.md': payments, 'shipping/labels.md': shipping });
    company = await startCompany(
      {
        trustedProxies: 1,
        sites: [
          site('payments', {
            name: 'Payments',
            refresh: { webhook: { secretVariable: 'HOOK' } },
          }),
          site('shipping'),
        ],
      },
      { env: { HOOK: 'a-long-secret' } },
    );
    key = await company.newKey();
    admin = await company.newKey({ kind: 'admin', name: 'admin' });
  });
  after(async () => {
    await company.end();
    await docs.remove();
  });

  /** Sends one request of MCP and returns its answer. */
  const mcp = (domain: string, method: string, params: object): Promise<Response> =>
    company.get(`/mcp/${domain}`, key, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });

  it('answers for each site from its own docs, and cites pages that it shows', async () => {
    const refund = await company.ask('payments', key, 'How long does a refund take?');
    assert.match(refund.text, /five days/);
    const [source] = refund.sources;
    assert.equal(source?.url, `${company.url}/sites/payments/docs/refunds#refund-a-payment`);
    assert.match(await (await fetch(source.url)).text(), /<h2 id="refund-a-payment">/);
    const label = await company.ask('shipping', key, 'When do I print a label?');
    assert.match(label.text, /before noon/);
    assert.doesNotMatch(label.text, /refund/);
  });

  it('shows a start page that names the site and leads to the pages', async () => {
    const start = await (await company.get('/sites/payments/')).text();
    assert.match(start, /<title>Payments<\/title>.*<h1>Payments<\/h1>.*<code>payments<\/code>/s);
    assert.match(start, /href="\/sites\/payments\/docs\/refunds"/);
    const unnamed = await (await company.get('/sites/shipping/')).text();
    assert.match(unnamed, /<title>shipping<\/title>.*<h1>shipping<\/h1>/s);
  });

  it('lists the sites that a key is for', async () => {
    const one = await company.newKey({ sites: ['payments'] });
    assert.deepEqual(await (await company.get('/service/v1/sites', one)).json(), {
      sites: [{ domain: 'payments', name: 'Payments', pages: 1 }],
    });
  });

  it('answers a key of another site, and a site that does not exist, with the same 404', async () => {
    const other = await company.newKey({ sites: ['shipping'] });
    const refused = await company.post('/v2/assistant/payments/message', other, question);
    const unknown = await company.post('/v2/assistant/nothing/message', other, question);
    assert.equal(refused.status, 404);
    assert.deepEqual(await refused.json(), await unknown.json());
  });

  it('says what is wrong with a key', async () => {
    const asked = (given: string): Promise<Response> =>
      company.post('/v2/assistant/payments/message', given, question);
    assert.equal(
      await errorOf(await asked(`docs_dsc_${'0'.repeat(48)}`)),
      'This is not the assistant key of this service.',
    );
    assert.match(
      await errorOf(await asked(admin)),
      /looks like an admin key, which must stay secret/,
    );
    const refused = await company.get('/metrics', key);
    assert.equal(refused.status, 401);
    assert.match(await errorOf(refused), /This is an assistant key, which is public/);
  });

  it('refuses a revoked key', async () => {
    const revoked = await company.newKey({ name: 'revoked' });
    const record = (await company.stores.keys.list()).find(({ name }) => name === 'revoked');
    assert.ok(record);
    assert.equal(await company.stores.keys.remove(record.id), true);
    const response = await company.post('/v2/assistant/payments/message', revoked, question);
    assert.equal(response.status, 401);
  });

  it('continues a thread for the same fp, and for no other', async () => {
    const { threadId } = await company.ask('payments', key, 'How long does a refund take?');
    const next = (fields: object): Promise<Response> =>
      company.post('/v2/assistant/payments/message', key, { ...question, threadId, ...fields });
    assert.equal((await next({})).status, 200);
    assert.equal((await next({ fp: 'somebody-else' })).status, 404);
    const elsewhere = { ...question, threadId };
    assert.equal(
      (await company.post('/v2/assistant/shipping/message', key, elsewhere)).status,
      404,
    );
  });

  it('holds the limit of a key', async () => {
    const limited = await company.newKey({ requestsPerHour: 1 });
    assert.equal(
      (await company.post('/v2/assistant/payments/message', limited, question)).status,
      200,
    );
    const refused = await company.post('/v2/assistant/payments/message', limited, question);
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.match(await errorOf(refused), /^Too many requests from this key\./);
  });

  it('serves MCP to the SDK’s client, with the tools and the pages of one site', async () => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${company.url}/mcp/payments`), {
        requestInit: { headers: { authorization: `Bearer ${key}` } },
      }),
    );
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['ask_docs', 'search_docs', 'read_docs_page', 'check_claims'],
    );
    const asked = await client.callTool({
      name: 'ask_docs',
      arguments: { question: 'How long does a refund take?' },
    });
    assert.match(JSON.stringify(asked.content), /five days/);
    assert.match(
      JSON.stringify(asked.content),
      /\/sites\/payments\/docs\/refunds#refund-a-payment/,
    );
    const searched = await client.callTool({
      name: 'search_docs',
      arguments: { query: 'refund' },
    });
    assert.match(JSON.stringify(searched.content), /1 section of Payments for “refund”/);
    const { resources } = await client.listResources();
    assert.deepEqual(
      resources.map(({ uri }) => uri),
      ['docs://local/refunds'],
    );
    await client.close();
  });

  /** Sends a body as an MCP client does that isn't the SDK's. */
  const postMcp = (path: string, given: string, body: string): Promise<Response> =>
    fetch(`${company.url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${given}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body,
    });

  it('tells agents which site its tools are for, and that all of them work', async () => {
    const initialize = async (domain: string): Promise<string> =>
      (
        await mcp(domain, 'initialize', {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'test', version: '1.0.0' },
        })
      ).text();
    const told = await initialize('payments');
    assert.match(told, /questions from the documentation “Payments” of the user's company/);
    assert.match(told, /All tools work for this site and cost nothing/);
    assert.doesNotMatch(told, /user's machine/);
    assert.match(await initialize('shipping'), /documentation “shipping”/);
  });

  it('reads pages at the paths that the pages of the service link to', async () => {
    const call = { name: 'read_docs_page', arguments: {} };
    for (const page of ['/sites/payments/docs/refunds', '/sites/payments/docs/refunds#refunds']) {
      const read = await mcp('payments', 'tools/call', { ...call, arguments: { page } });
      const told = await read.text();
      assert.match(told, /A refund takes five days/);
      assert.doesNotMatch(told, /has no section/);
    }
    const page = '/sites/shipping/docs/refunds';
    const other = await mcp('payments', 'tools/call', { ...call, arguments: { page } });
    assert.match(await other.text(), /has no such page/);
  });

  it('serves MCP without a site in the path to a key of one site', async () => {
    const one = await company.newKey({ sites: ['shipping'] });
    const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    assert.match(await (await postMcp('/mcp', one, list)).text(), /search_docs/);
    assert.equal((await postMcp('/mcp', key, list)).status, 404);
  });

  it('tells a client of MCP whose key is for several sites to name one, also behind a slash', async () => {
    const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    for (const path of ['/mcp', '/mcp/']) {
      assert.match(
        await errorOf(await postMcp(path, key, list)),
        /^Name the site in the URL/,
        path,
      );
    }
    assert.match(await (await postMcp('/mcp/shipping/', key, list)).text(), /search_docs/);
  });

  it('answers wrong parameters of MCP with the error of JSON-RPC and a sentence', async () => {
    for (const [method, params] of [
      ['initialize', {}],
      ['tools/list', { cursor: 7 }],
      ['resources/list', { cursor: 7 }],
      ['resources/read', undefined],
      ['resources/read', { uri: 7 }],
      ['tools/call', {}],
    ] as const) {
      const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      assert.deepEqual(await (await postMcp('/mcp/payments', key, message)).json(), {
        jsonrpc: '2.0',
        id: 1,
        error: {
          code: -32602,
          message: `The parameters of ${method} are missing or have wrong types.`,
        },
      });
    }
    const damaged = await postMcp('/mcp/payments', key, '{');
    assert.equal(damaged.status, 400);
    const { error } = (await damaged.json()) as { error: { code: number } };
    assert.equal(error.code, -32700);
  });

  it('refuses batches of MCP, which its specification has removed', async () => {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const initialize = { ...ping, id: 2, method: 'initialize', params: {} };
    for (const batch of [[], [ping], [ping, initialize]]) {
      const refused = await postMcp('/mcp/payments', key, JSON.stringify(batch));
      assert.equal(refused.status, 400);
      assert.deepEqual(await refused.json(), {
        jsonrpc: '2.0',
        id: null,
        error: {
          code: -32600,
          message: 'Batches are not supported. Send each message in a request of its own.',
        },
      });
    }
  });

  it('notes the questions that the docs have no source for, without who asked them', async () => {
    const missed = await company.ask('payments', key, 'xylophone quux mail ada@example.com');
    assert.deepEqual(missed.sources, []);
    const list = async (): Promise<{ question: string; domain: string; count: number }[]> =>
      (
        (await (await company.get('/service/v1/misses?site=payments', admin)).json()) as {
          misses: { question: string; domain: string; count: number }[];
        }
      ).misses;
    await until(async () => (await list()).length > 0);
    const [miss] = await list();
    assert.equal(miss?.question, 'xylophone quux mail [address]');
    assert.equal(miss.count, 1);
    const page = await company.get('/service/v1/misses', admin, {
      headers: { accept: 'text/html' },
    });
    assert.match(await page.text(), /<td>payments<\/td><td>xylophone quux mail \[address\]<\/td>/);
    assert.equal((await company.get('/service/v1/misses', key)).status, 401);
  });

  it('writes the missed questions on their page as a file of docs questions', async () => {
    await company.ask('shipping', key, 'Does <quux> "frobnicate"?');
    const page = async (): Promise<string> => {
      const headers = { accept: 'text/html' };
      const shown = await company.get('/service/v1/misses?site=shipping', admin, { headers });
      return /<pre>([^<]*)<\/pre>/.exec(await shown.text())?.[1] ?? '';
    };
    await until(async () => (await page()).includes('quux'));
    const written = (await page())
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&');
    assert.deepEqual(parse(written), { questions: [{ question: 'Does <quux> "frobnicate"?' }] });
  });

  it('counts the questions of agents, and notes those that the docs have no source for', async () => {
    const counted = async (): Promise<number> => {
      const metrics = await (await company.get('/metrics', admin)).text();
      const [, times = '0'] =
        /replies_total\{site="shipping",found="no"\} (\d+)/.exec(metrics) ?? [];
      return Number(times);
    };
    const before = await counted();
    for (const asked of ['When do I print a label?', 'zeppelin quux moor']) {
      await mcp('shipping', 'tools/call', { name: 'ask_docs', arguments: { question: asked } });
    }
    const list = async (): Promise<string> =>
      (await company.get('/service/v1/misses?site=shipping', admin)).text();
    await until(async () => (await list()).includes('zeppelin quux moor'));
    assert.doesNotMatch(await list(), /print a label/);
    assert.equal(await counted(), before + 1);
  });

  it('tells a window without a key that it is such a service, and that only keys are valid', async () => {
    const refused = await company.get('/service/v1/sites');
    assert.equal(refused.status, 401);
    assert.equal(refused.headers.get('www-authenticate'), `Bearer realm="docs-assistant-service"`);
    assert.equal((await company.get('/.well-known/oauth-protected-resource')).status, 404);
  });

  it('answers the checks of balancers that send HTTP/1.0 without a host', async () => {
    const socket = net.connect(Number(new URL(company.url).port), '127.0.0.1');
    socket.write('GET /readyz HTTP/1.0\r\n\r\n');
    assert.match(await text(socket), /^HTTP\/1\.1 200 OK/);
  });

  it('closes the connection after a reply if the client asks for it', async () => {
    const body = JSON.stringify(question);
    const socket = net.connect(Number(new URL(company.url).port), '127.0.0.1');
    socket.write(
      `POST /v2/assistant/payments/message HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n` +
        `Authorization: Bearer ${key}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    const reply = await text(socket);
    assert.match(reply, /\[DONE\]/);
    assert.match(reply, /\r\nconnection: close\r\n/i);
  });

  it('says as JSON that a page does not exist', async () => {
    const missing = await company.get('/sites/payments/docs/missing');
    assert.equal(missing.status, 404);
    assert.match(await errorOf(missing), /doesn't exist/);
  });

  it('is live and ready, and gives its metrics to an admin key only', async () => {
    assert.equal((await company.get('/healthz')).status, 200);
    assert.deepEqual(await (await company.get('/readyz')).json(), { status: 'ready' });
    const metrics = await (await company.get('/metrics', admin)).text();
    assert.match(metrics, /docs_assistant_site_pages\{site="payments"\} 1/);
    assert.match(metrics, /docs_assistant_replies_total\{site="payments",found="yes"\} \d/);
    assert.match(metrics, /process_cpu_seconds_total/);
  });

  it('measures no route whose name the sender chose, of which there is no end', async () => {
    const before = company.log().length;
    for (const route of ['search', 'made', 'constructor'])
      await company.get(`/local/v1/x/${route}`);
    await until(() => company.log().slice(before).split('"event":"request"').length > 3);
    const metrics = await (await company.get('/metrics', admin)).text();
    assert.match(metrics, /request_seconds_count\{route="docs search",status="405"\} 1/);
    assert.doesNotMatch(metrics, /made|constructor/);
  });

  it('logs who asked which site, without keys, questions and replies', async () => {
    await company.ask('payments', key, 'How long does a refund take?');
    await until(() => company.log().includes('"route":"message","status":200'));
    assert.match(company.log(), /"by":"key [0-9a-f]{10}","site":"payments"/);
    for (const content of [key, admin, 'How long', 'five days', 'anonymous']) {
      assert.ok(!company.log().includes(content), content);
    }
  });

  it('refreshes a site when a signed webhook says so, and for nothing else', async () => {
    const body = '{"ref":"refs/heads/main"}';
    const call = (secret: string, domain = 'payments'): Promise<Response> =>
      fetch(`${company.url}/service/v1/sites/${domain}/webhook`, {
        method: 'POST',
        body,
        headers: {
          'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
        },
      });
    const refused = await Promise.all([
      call('another-secret'),
      call('a-long-secret', 'shipping'),
      call('a-long-secret', 'nothing'),
    ]);
    assert.deepEqual(
      refused.map(({ status }) => status),
      [403, 403, 403],
    );
    // One that is sent again and again starts no further refresh.
    for (let times = 0; times < 5; times++) {
      assert.equal((await call('a-long-secret')).status, 202);
    }
  });

  it('gets 413 for a question that is too large, and 400 for one that is not JSON', async () => {
    const large = { ...question, fp: 'x'.repeat(33 * 1024 * 1024) };
    assert.equal((await company.post('/v2/assistant/payments/message', key, large)).status, 413);
    assert.equal((await company.post('/v2/assistant/payments/message', key, '{')).status, 400);
  });

  it('takes SQL for text, in every field', async () => {
    const sql = `'; DROP TABLE threads; --`;
    const asked = await company.post('/v2/assistant/payments/message', key, {
      ...question,
      fp: sql,
      threadId: sql,
    });
    assert.equal(asked.status, 404);
    const reply = await company.ask('payments', key, `refund ${sql}`, {
      fp: sql,
      currentPath: sql,
      filter: { version: sql, language: sql, groups: [sql] },
      context: [{ type: 'code', value: sql, path: sql }],
    });
    assert.equal(reply.isDone, true);
    assert.equal(
      (await company.post(`/v2/assistant/${encodeURIComponent(sql)}/message`, sql, question))
        .status,
      401,
    );
    assert.equal((await company.ask('payments', key, 'How long does a refund take?')).isDone, true);
  });
});

describe('the service of a company, behind a balancer', () => {
  it('keeps an idle connection longer than balancers do, and ends although they use it on and on', async () => {
    const docs = await docsFolder({ 'a.md': payments });
    const company = await startCompany({
      sites: [{ domain: 'a', source: { kind: 'folder', path: docs.root } }],
    });
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    try {
      const asking = http.request(`${company.url}/v2/assistant/a/message`, {
        agent,
        method: 'POST',
        headers: {
          authorization: `Bearer ${await company.newKey()}`,
          'content-type': 'application/json',
          expect: '100-continue',
        },
      });
      asking.flushHeaders();
      await once(asking, 'continue');
      const stopped = company.stop(4000).then(() => 'stopped');
      const isStopped = Promise.race([stopped, systemClock.delay(2000)]);
      asking.end(JSON.stringify(question));
      const answer = await answerTo(asking);
      assert.equal(answer.statusCode, 200);
      assert.equal(answer.headers['keep-alive'], 'timeout=75');
      const using = (async () => {
        for (;;) await answerTo(http.get(`${company.url}/healthz`, { agent }));
      })();
      await assert.rejects(using, { code: /^ECONN(?:REFUSED|RESET)$/ });
      assert.equal(await isStopped, 'stopped');
    } finally {
      agent.destroy();
      await company.end();
      await docs.remove();
    }
  });
});

describe('the service of a company, limits', () => {
  it('count the address that the last trusted proxy tells', async () => {
    const docs = await docsFolder({ 'a.md': payments });
    const company = await startCompany({
      trustedProxies: 1,
      limits: { address: { requests: 1, seconds: 60 } },
      sites: [{ domain: 'a', source: { kind: 'folder', path: docs.root } }],
    });
    const key = await company.newKey();
    const from = async (forwarded: string): Promise<number> =>
      (
        await fetch(`${company.url}/local/v1/a/filters`, {
          method: 'POST',
          body: '{}',
          headers: {
            authorization: `Bearer ${key}`,
            'content-type': 'application/json',
            'x-forwarded-for': forwarded,
          },
        })
      ).status;
    assert.equal(await from('10.0.0.1'), 200);
    assert.equal(await from('10.0.0.2'), 200);
    assert.equal(await from('10.9.9.9, 10.0.0.1'), 429);
    await company.end();
    await docs.remove();
  });
});

describe('the service of a company whose manifest names in vain', () => {
  let docs: Folder;
  let company: Company;
  const warned = (): string[] =>
    company
      .log()
      .split('\n')
      .filter((line) => line.includes('"warn"'))
      .map((line) => (JSON.parse(line) as { message: string }).message);
  const manifest = (fields: object) => ({
    sites: [{ domain: 'a', source: { kind: 'folder', path: docs.root }, ...fields }],
  });

  before(async () => {
    docs = await docsFolder({ 'a.md': payments });
    company = await startCompany(
      manifest({ refresh: { webhook: { secretVariable: 'EMPTY_HOOK' } } }),
      { env: { EMPTY_HOOK: '' } },
    );
  });
  after(async () => {
    await company.end();
    await docs.remove();
  });

  it('refuses webhooks that are signed with an empty secret, and warns of it', async () => {
    const hook = await company.get('/service/v1/sites/a/webhook', undefined, {
      method: 'POST',
      body: '{}',
      headers: {
        'x-hub-signature-256': `sha256=${createHmac('sha256', '').update('{}').digest('hex')}`,
      },
    });
    assert.equal(hook.status, 403);
    assert.deepEqual(warned(), [
      "The site a refuses its webhook: the environment variable EMPTY_HOOK isn't set or is empty",
    ]);
  });

  it('warns of groups without a sign-in, also when the manifest changes', () => {
    const before = warned().length;
    company.change(manifest({ versions: ['v1', { name: 'v2', groups: ['staff'] }] }));
    company.change(manifest({ groups: ['staff'] }));
    company.change(manifest({}));
    const sentence =
      'The site a has "groups" but nobody is in a group: the manifest has no "signIn"';
    assert.deepEqual(warned().slice(before), [sentence, sentence]);
  });
});

describe('the service of a company below a path of a proxy', () => {
  it('links and redirects between pages with the path of its URL', async () => {
    const docs = await docsFolder({
      'docs.json': JSON.stringify({ redirects: [{ source: '/old', destination: '/refunds' }] }),
      'refunds.md': `${payments}\nSee [labels](labels.md).\n\n![Plan](plan.png)\n`,
      'labels.md': shipping,
    });
    const company = await startCompany({
      url: 'https://intranet.example.com/docs-service/',
      sites: [{ domain: 'a', source: { kind: 'folder', path: docs.root } }],
    });
    const page = await (await company.get('/sites/a/docs/refunds')).text();
    const linked = [...page.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, link]) => link);
    assert.deepEqual(linked, [
      '/docs-service/sites/a/',
      '/docs-service/sites/a/docs/labels',
      '/docs-service/sites/a/docs/plan.png',
    ]);
    const start = await (await company.get('/sites/a/')).text();
    assert.match(start, /href="\/docs-service\/sites\/a\/docs\/refunds"/);
    for (const path of ['/sites/a/docs/old', '/sites/a/docs/refunds.md']) {
      const led = await company.get(path, undefined, { redirect: 'manual' });
      assert.equal(led.headers.get('location'), '/docs-service/sites/a/docs/refunds', path);
    }
    await company.end();
    await docs.remove();
  });
});

describe('the service of a company, sign-in', () => {
  let provider: Provider;
  let company: Company;
  let docs: Folder;

  before(async () => {
    provider = await startProvider();
    docs = await docsFolder({ 'a.md': payments });
    company = await startCompany({
      signIn: { issuer: provider.issuer, audience, scopes: ['api://docs/.default'] },
      sites: [{ domain: 'a', groups: ['staff'], source: { kind: 'folder', path: docs.root } }],
    });
  });
  after(async () => {
    await company.end();
    await provider.stop();
    await docs.remove();
  });

  const statusFor = async (token: string): Promise<number> =>
    (await company.post('/v2/assistant/a/message', token, question)).status;

  it('tells clients of MCP and windows where people sign in', async () => {
    const metadata = '/.well-known/oauth-protected-resource';
    const refused = await company.post('/mcp/a', 'x', {});
    assert.equal(
      refused.headers.get('www-authenticate'),
      `Bearer realm="docs-assistant-service", resource_metadata="${company.url}${metadata}"`,
    );
    for (const path of [metadata, `${metadata}/mcp/a`]) {
      assert.deepEqual(await (await company.get(path)).json(), {
        resource: company.url,
        authorization_servers: [provider.issuer],
        bearer_methods_supported: ['header'],
        scopes_supported: ['api://docs/.default'],
      });
    }
  });

  it('tells people without a valid key or token to sign in', async () => {
    const refused = await company.post('/v2/assistant/a/message', 'x', question);
    assert.match(await errorOf(refused), /\. If you sign in, send a token of the provider\.$/);
  });

  it('takes a token of the provider with the group', async () => {
    assert.equal(await statusFor(await provider.token({ groups: ['staff'] })), 200);
    assert.equal(await statusFor(await provider.token({ groups: 'staff' })), 200);
    const others = Array.from({ length: 999 }, (_, count) => `engineering-department-${count}`);
    assert.equal(await statusFor(await provider.token({ groups: [...others, 'staff'] })), 200);
  });

  for (const [name, claims, status] of [
    ['of another issuer', { iss: 'https://evil.example.com' }, 401],
    ['for another audience', { aud: 'other' }, 401],
    ['that has expired', { exp: 1000 }, 401],
    ['that never expires', { exp: null }, 401],
    ['without a subject', { sub: null }, 401],
    ['with groups of another form', { groups: { staff: true } }, 401],
    ['without the group', { groups: ['other'] }, 404],
    ['without groups', { groups: null }, 404],
    [
      'whose groups come after a thousand others',
      { groups: [...Array.from({ length: 1000 }, (_, n) => `g${n}`), 'staff'] },
      404,
    ],
  ] as const) {
    it(`refuses a token ${name}`, async () => {
      assert.equal(await statusFor(await provider.token({ groups: ['staff'], ...claims })), status);
    });
  }

  it('refuses a token without a signature, and one that is signed with the public key', async () => {
    const [, payload] = (await provider.token({ groups: ['staff'] })).split('.');
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url');
    assert.equal(await statusFor(`${none}.${payload}.`), 401);
    assert.equal(await statusFor(await provider.token({ groups: ['staff'] }, 'HS256')), 401);
  });

  it('refuses a token that is larger than the headers may be', async () => {
    const groups = Array.from({ length: 3000 }, (_, count) => `group-${count}`);
    assert.equal(await statusFor(await provider.token({ groups })), 431);
  });
});
