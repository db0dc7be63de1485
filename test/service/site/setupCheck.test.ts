/** Check Setup against what is on the wire: refusals, resets, clocks, certificates, proxies. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import path from 'node:path';
import type { Proxy } from '../../../src/site/setupCheck/proxySettings';
import { networkProbe } from '../../../src/site/setupCheck/networkProbe';
import { startFaultProxy, type FaultProxy } from '../../fakes/faultProxy';
import type { Fault } from '../../fakes/faults';
import { everythingIn } from '../../builders/canary';
import { assertNoSecret, assistantKey } from '../chat/asking';
import { checkOver, told } from './checking';

const json = { 'content-type': 'application/json' };
const html = { 'content-type': 'text/html' };

/** An answer to every request of a check. */
const always = (respond: NonNullable<Fault['respond']>): Fault => ({ respond, times: 10 });

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

describe('Check Setup over HTTP', () => {
  let service: FaultProxy;
  beforeEach(async () => {
    service = await startFaultProxy();
  });
  afterEach(() => service.stop());

  it('passes for a service that refuses only the question', async () => {
    service.queue(always({ status: 400, headers: json, body: '{"error":"messages"}' }));
    const lines = await checkOver(service.url);
    const host = new URL(service.url).host;
    assert.match(
      told(lines, 'Connection'),
      /^passed: .* answers over HTTP after \d+ ms \(HTTP 400/,
    );
    assert.equal(told(lines, 'Clock'), `passed: This machine’s clock agrees with ${host}.`);
    assert.equal(
      told(lines, 'Site and key'),
      `passed: ${host} accepts the site sample and the key.`,
    );
  });

  it('sends the key only with the request that needs it, and nothing that a service could answer', async () => {
    service.queue(always({ status: 400, headers: json, body: '{}' }));
    await checkOver(service.url);
    const keys = service.exchanges.map(({ headers }) => headers['authorization'] ?? 'none');
    assert.deepEqual([...keys].sort(), [`Bearer ${assistantKey}`, 'none']);
    for (const { body } of service.exchanges) {
      assert.deepEqual(body, { fp: 'anonymous', messages: 'check' });
    }
  });

  for (const [what, fault, connection, site] of [
    [
      'a refused connection',
      undefined,
      /^failed: Can’t reach .* \(ECONNREFUSED\)/,
      /^failed: Can’t reach .* \(ECONNREFUSED\)/,
    ],
    [
      'a connection that is reset',
      { cues: [{ at: 'headers', do: 'reset' }], respond: {}, times: 10 },
      /^failed: Can’t reach/,
      /^skipped: .* closed the connection without an answer \(\w+\)\. Questions may still work/,
    ],
    [
      'a rejected key',
      always({ status: 401, headers: json, body: '{"error":"The key has expired."}' }),
      /^passed/,
      /^failed: .* rejected the assistant key.*\(The key has expired\.\)/,
    ],
    [
      'an error that the contract does not have',
      always({ status: 500, headers: json, body: '{"error":"messages.map is not a function"}' }),
      /^passed: .*HTTP 500/,
      /^skipped: .*HTTP 500.*It says: “messages\.map is not a function”/,
    ],
    [
      'a gateway without a service',
      always({ status: 502, headers: html, body: '<html><title>Bad gateway</title>' }),
      /^failed: .*sent a web page.*\(Bad gateway\)/,
      /^skipped: .*HTTP 502/,
    ],
    [
      'a sign-in page',
      always({ status: 200, headers: html, body: '<html><title>Sign in</title>' }),
      /^failed: .*sent a web page.*\(Sign in\)/,
      /^failed: .*sent a web page/,
    ],
    [
      'a redirect',
      always({ status: 302, headers: { location: 'https://login.example/?token=abc' } }),
      /^failed: The docs service redirects to login\.example\./,
      /^failed: The docs service redirects to login\.example\./,
    ],
  ] as const satisfies readonly (readonly [string, Fault | undefined, RegExp, RegExp])[]) {
    it(`names ${what}`, async () => {
      const { url } = service;
      if (fault) service.queue(fault);
      else await service.stop();
      const lines = await checkOver(url);
      assert.match(told(lines, 'Connection'), connection);
      assert.match(told(lines, 'Site and key'), site);
    });
  }

  it('shows how wrong this machine’s clock is', async () => {
    const date = new Date(Date.now() - 3 * 60 * 60 * 1000).toUTCString();
    service.queue(always({ status: 400, headers: { ...json, date }, body: '{}' }));
    const lines = await checkOver(service.url);
    assert.match(
      told(lines, 'Clock'),
      /^failed: This machine’s clock is (?:2 h 59 min|3 h) ahead of/,
    );
  });

  it('keeps a key that the service repeats out of every line', async () => {
    const echo = `{"error":"Bearer ${assistantKey} is wrong"}`;
    for (const status of [400, 401, 403, 500]) {
      service.queue({ ...always({ status, headers: json, body: echo }), times: 2 });
      const lines = await checkOver(service.url);
      assertNoSecret([assistantKey], [everythingIn(lines)]);
    }
  });
});

describe('Check Setup over TLS', () => {
  const servers: Server[] = [];
  afterEach(async () => {
    await Promise.all(servers.splice(0).map(stop));
  });

  const fixture = (name: string): Promise<string> =>
    readFile(path.resolve('test/fixtures/certificates', `${name}.pem`), 'utf8');

  async function startSecure(certificate: string): Promise<number> {
    const server = createHttpsServer(
      { key: await fixture('key'), cert: await fixture(certificate) },
      (_, response) => response.writeHead(400).end('{}'),
    );
    servers.push(server);
    return listen(server);
  }

  for (const [certificate, text] of [
    ['selfSigned', 'is self-signed (Sample Docs).'],
    ['expired', 'expired on 2021-01-01.'],
    [
      'inspected',
      'is signed by Sample Inspection, which VS Code doesn’t trust (UNABLE_TO_VERIFY_LEAF_SIGNATURE).',
    ],
  ] as const) {
    it(`says what is wrong with a certificate: ${certificate}`, async () => {
      const host = `localhost:${await startSecure(certificate)}`;
      const lines = await checkOver(`https://${host}`);
      assert.match(told(lines, 'Connection'), /^failed: The secure connection to .* failed/);
      assert.equal(told(lines, 'Certificate'), `failed: The certificate of ${host} ${text}`);
      assert.match(told(lines, 'Site and key'), /^failed: The secure connection/);
    });
  }

  it('says that a port has no TLS', async () => {
    const server = createHttpServer((_, response) => response.end());
    servers.push(server);
    const host = `localhost:${await listen(server)}`;
    const lines = await checkOver(`https://${host}`);
    assert.match(told(lines, 'Certificate'), /^failed: No certificate of .* can be read/);
  });

  /** Starts a proxy that opens tunnels, or refuses them, and notes the credentials it got. */
  async function startTunnels(status: number): Promise<{ proxy: Proxy; credentials: string[] }> {
    const credentials: string[] = [];
    const server = createHttpServer();
    server.on('connect', ({ url = '', headers }, socket) => {
      credentials.push(headers['proxy-authorization'] ?? '');
      if (status !== 200) {
        socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
        return;
      }
      const target = connect(Number(url.split(':')[1]), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        target.pipe(socket).pipe(target);
      });
      target.on('error', () => socket.destroy());
      socket.on('error', () => target.destroy());
    });
    servers.push(server);
    const port = await listen(server);
    const proxy: Proxy = {
      kind: 'proxy',
      url: `http://ann:p%40ss@127.0.0.1:${port}/`,
      host: `127.0.0.1:${port}`,
      hostname: '127.0.0.1',
      port,
      isHttp: true,
      source: 'http.proxy',
    };
    return { proxy, credentials };
  }

  it('reads the certificate through a proxy, with the proxy’s own credentials', async () => {
    const { proxy, credentials } = await startTunnels(200);
    const host = `localhost:${await startSecure('inspected')}`;
    const lines = await checkOver(`https://${host}`, { proxy });
    assert.match(told(lines, 'Certificate'), /^failed: .*is signed by Sample Inspection/);
    const basic = `Basic ${Buffer.from('ann:p@ss').toString('base64')}`;
    assert.deepEqual(credentials, [basic, basic]);
    assert.equal(
      told(lines, 'Proxy'),
      `passed: Requests go through ${proxy.kind === 'proxy' ? proxy.host : ''} (from http.proxy).`,
    );
    assert.doesNotMatch(everythingIn(lines), /ann|p%40ss|p@ss/);
  });

  // Shows faults.md B14.
  it('gives up on a proxy that refuses or no longer responds', async () => {
    const { proxy } = await startTunnels(407);
    const port = await startSecure('inspected');
    assert.ok(proxy.kind === 'proxy');
    const target = { host: 'localhost', port, proxy: proxy.url };
    const { signal } = new AbortController();
    await assert.rejects(networkProbe.certificate(target, signal), /407/);
    assert.equal(await networkProbe.tunnelStatus(proxy.url, target, signal), 407);
    await Promise.all(servers.splice(0).map(stop));
    const lines = await checkOver(`https://localhost:${port}`, { proxy });
    assert.match(told(lines, 'Proxy'), /^failed: Can’t reach the proxy .* \(ECONNREFUSED\)/);
  });

  it('looks up a name, and tells a port that takes connections from one that doesn’t', async () => {
    const server = createHttpServer();
    const port = await listen(server);
    const { signal } = new AbortController();
    assert.match((await networkProbe.lookUp('localhost')).join(), /127\.0\.0\.1|::1/);
    await networkProbe.connect('127.0.0.1', port, signal);
    await stop(server);
    await assert.rejects(networkProbe.connect('127.0.0.1', port, signal), { code: 'ECONNREFUSED' });
  });

  it('closes the connection when it is stopped', async () => {
    let closed = (): void => undefined;
    const whenClosed = new Promise<void>((resolve) => (closed = resolve));
    const server = createHttpServer();
    server.on('connection', (socket) => socket.on('close', closed));
    servers.push(server);
    const port = await listen(server);
    const controller = new AbortController();
    const opened = new Promise((resolve) => server.once('connection', resolve));
    // A server without TLS waits for more, and so does the probe.
    const probing = networkProbe.certificate({ host: '127.0.0.1', port }, controller.signal);
    await opened;
    controller.abort(new Error('stopped'));
    await assert.rejects(probing);
    await whenClosed;
  });
});
