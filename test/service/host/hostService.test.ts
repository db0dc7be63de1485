import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { siteBelow, type HostedSite } from '../../builders/hostedSite';
import { startSiteHost } from '../../fakes/siteHost';
import type { RunningHost } from '../../fakes/webServers';
import {
  docsFolder,
  serviceDomain,
  serviceKey,
  startService,
  userMessage,
} from '../service/localServiceAsking';

const question = JSON.stringify({
  fp: 'anonymous',
  messages: [userMessage('What do pelicans eat?')],
});

describe('the docs service beside a host', () => {
  let hosted: HostedSite;
  let host: RunningHost;
  let service: Server | undefined;
  before(async () => {
    hosted = await siteBelow('/docs');
  });
  after(() => hosted.remove());
  afterEach(async () => {
    service?.closeAllConnections();
    service?.close();
    service = undefined;
    await host.stop();
  });

  /** Starts a host beside a service that answers each request with a function. */
  const besides = async (
    answer: (request: IncomingMessage, response: ServerResponse) => void,
  ): Promise<void> => {
    service = createServer(answer).listen(0, '127.0.0.1');
    await once(service, 'listening');
    const address = service.address();
    assert.ok(address !== null && typeof address === 'object');
    host = await startSiteHost(hosted, { service: `http://127.0.0.1:${address.port}` });
  };
  const ask = (
    init: RequestInit = {},
    path = `v2/assistant/${serviceDomain}/message`,
  ): Promise<Response> =>
    fetch(`${host.origin}/docs/_docs-assistant/service/${path}`, {
      method: 'POST',
      body: question,
      ...init,
      headers: {
        authorization: `Bearer ${serviceKey}`,
        'content-type': 'application/json',
        cookie: 'session=1',
        'x-forwarded-for': '203.0.113.7',
      },
    });

  it('answers questions at the origin of the site', async () => {
    const docs = await docsFolder({ 'birds.md': '# Birds\n\nPelicans eat fish.\n' });
    const real = await startService(docs.root);
    try {
      host = await startSiteHost(hosted, { service: real.url });
      await real.whenIndexed();
      const reply = await ask();
      assert.equal(reply.status, 200);
      assert.match(await reply.text(), /Pelicans eat fish/);
    } finally {
      await real.stop();
      await docs.remove();
    }
  });

  it('gets the question without cookies and with the reader’s address for its limits, and sends its reply piece by piece', async () => {
    let seen: IncomingMessage['headers'] = {};
    let goOn = (): void => undefined;
    await besides((request, response) => {
      seen = request.headers;
      response.setHeader('content-type', 'text/event-stream');
      response.setHeader('set-cookie', 'a=b');
      response.write('data: first\n\n');
      goOn = () => response.end('data: second\n\n');
    });
    const reply = await ask();
    assert.equal(reply.headers.get('set-cookie'), null);
    assert.equal(reply.headers.get('x-content-type-options'), 'nosniff');
    const reader = reply.body?.getReader();
    const first = await reader?.read();
    assert.match(Buffer.from(first?.value ?? []).toString(), /first/);
    goOn();
    const second = await reader?.read();
    assert.match(Buffer.from(second?.value ?? []).toString(), /second/);
    assert.equal(seen.cookie, undefined);
    assert.equal(seen['x-forwarded-for'], '203.0.113.7, 127.0.0.1');
    assert.equal(seen.authorization, `Bearer ${serviceKey}`);
    assert.match(String(seen.host), /^127\.0\.0\.1:/);
  });

  // Shows faults.md X9.
  it('hears when a reader stops a reply', async () => {
    let closed: Promise<unknown> | undefined;
    await besides((_request, response) => {
      closed = once(response, 'close');
      response.write('data: first\n\n');
    });
    const stopping = new AbortController();
    const reply = await ask({ signal: stopping.signal });
    await reply.body?.getReader().read();
    stopping.abort();
    await closed;
  });

  // Shows faults.md X9.
  it('ends a reply for the reader when its connection breaks', async () => {
    await besides((_request, response) => {
      response.write('data: first\n\n');
      setImmediate(() => response.destroy());
    });
    await assert.rejects(async () => (await ask()).text());
  });

  it('gets nothing but questions', async () => {
    let requests = 0;
    await besides((_request, response) => {
      requests += 1;
      response.end();
    });
    const paths = [
      'v1/static-export/jobs',
      'local/v1/sample/search',
      '',
      'v2/assistant/a%2Fb/message',
    ];
    for (const path of paths) assert.equal((await ask({}, path)).status, 404, path);
    const looked = await fetch(
      `${host.origin}/_docs-assistant/service/v2/assistant/${serviceDomain}/message`,
    );
    assert.equal(looked.status, 405);
    assert.equal((await ask({ body: 'x'.repeat(3_000_000) })).status, 413);
    assert.equal(requests, 0);
  });

  // Shows faults.md X9.
  it('is said to be away if it does not run, or if the host has none', async () => {
    host = await startSiteHost(hosted, { service: 'http://127.0.0.1:1' });
    const reply = await ask();
    assert.equal(reply.status, 502);
    assert.deepEqual(await reply.json(), { error: 'The docs service is not available.' });
    await host.stop();
    host = await startSiteHost(hosted);
    assert.equal((await ask()).status, 405);
  });
});
