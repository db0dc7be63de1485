import assert from 'node:assert/strict';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import {
  AddressPolicy,
  type GuardedFetch,
  guardedFetch,
  PRIVATE_ADDRESS,
} from '../../../src/docs/sources/site/guardedFetch';
import { DocsSite } from './docsSite';

describe('fetch that checks hosts', () => {
  let site: DocsSite;
  let guarded: GuardedFetch | undefined;

  before(async () => {
    const text = 'Pelicans eat fish.';
    const encoded = (encoding: string, body: Uint8Array) => ({
      headers: { 'content-encoding': encoding },
      body,
    });
    site = await DocsSite.start({
      '/plain': text,
      '/gzip': encoded('gzip', gzipSync(text)),
      '/deflate': encoded('deflate', deflateSync(text)),
      '/br': encoded('br', brotliCompressSync(text)),
      '/broken': encoded('gzip', gzipSync(text).subarray(0, 20)),
      '/moved': { status: 302, headers: { location: '/plain' } },
    });
  });
  after(() => site.stop());
  afterEach(() => guarded?.close());

  const get = (policyHost: string, url: string): Promise<Response> => {
    guarded = guardedFetch(new AddressPolicy(policyHost));
    return guarded.fetch(url, {});
  };
  const port = (): string => new URL(site.url).port;

  for (const path of ['/plain', '/gzip', '/deflate', '/br']) {
    it(`reads ${path}`, async () => {
      const response = await get('127.0.0.1', site.url + path);
      assert.equal(response.status, 200);
      assert.equal(await response.text(), 'Pelicans eat fish.');
    });
  }

  it('reads this machine by its name', async () => {
    const response = await get('localhost', `http://localhost:${port()}/plain`);
    assert.equal(response.status, 200);
    await response.text();
  });

  it('follows no redirect', async () => {
    const response = await get('127.0.0.1', `${site.url}/moved`);
    assert.equal(response.status, 302);
    assert.equal(response.headers.get('location'), '/plain');
  });

  it('fails on a body that is cut off', async () => {
    const response = await get('127.0.0.1', `${site.url}/broken`);
    await assert.rejects(response.text());
  });

  for (const host of ['127.0.0.1', 'localhost']) {
    // Shows faults.md K8.
    it(`does not connect to ${host} for a public site`, async () => {
      const before = site.requests.length;
      await assert.rejects(get('docs.example.com', `http://${host}:${port()}/plain`), {
        code: PRIVATE_ADDRESS,
      });
      assert.equal(site.requests.length, before);
    });
  }

  it('stops with its signal', async () => {
    guarded = guardedFetch(new AddressPolicy('127.0.0.1'));
    const stop = new AbortController();
    stop.abort();
    await assert.rejects(guarded.fetch(`${site.url}/plain`, { signal: stop.signal }), {
      name: 'AbortError',
    });
  });
});
