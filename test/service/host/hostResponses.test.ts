import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { siteBelow, survey, type HostedSite } from '../../builders/hostedSite';
import { startSiteHost } from '../../fakes/siteHost';
import type { RunningHost } from '../../fakes/webServers';
import { answerOf, type Answer } from '../httpAnswer';

const text = 'A long text that compresses well. '.repeat(200);

describe('responses of a host', () => {
  let hosted: HostedSite;
  let host: RunningHost;
  before(async () => {
    hosted = await siteBelow('/docs');
    await writeFile(path.join(hosted.folder, 'long.txt'), text);
    await writeFile(path.join(hosted.folder, 'short.txt'), 'short');
    await writeFile(path.join(hosted.folder, 'picture.png'), Buffer.alloc(5000, 'png'));
    await writeFile(path.join(hosted.folder, 'unknown.xyz1'), Buffer.alloc(5000));
    const site = await survey(hosted.folder);
    host = await startSiteHost({ folder: hosted.folder, site, redirects: [] });
  });
  after(async () => {
    await host.stop();
    await hosted.remove();
  });

  const get = (
    address: string,
    headers: Readonly<Record<string, string>> = {},
    method = 'GET',
  ): Promise<Answer> => answerOf(host.origin, `/docs${address}`, { headers, method });

  it('have a tag of the content and the encoding, by which browsers keep them', async () => {
    const tags = new Set<string>();
    for (const encoding of ['br', 'gzip', 'identity']) {
      const headers = { 'accept-encoding': encoding };
      const { status, headers: got, body } = await get('/long.txt', headers);
      assert.equal(status, 200);
      assert.equal(got['vary'], 'Accept-Encoding');
      const plain =
        encoding === 'br'
          ? brotliDecompressSync(body)
          : encoding === 'gzip'
            ? gunzipSync(body)
            : body;
      assert.equal(plain.toString(), text);
      const tag = String(got['etag']);
      tags.add(tag);
      for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
        const again = await get('/long.txt', { ...headers, 'if-none-match': known });
        assert.equal(again.status, 304, known);
        assert.equal(again.body.length, 0);
        assert.equal(again.headers['etag'], tag);
      }
      assert.equal(
        (await get('/long.txt', { ...headers, 'if-none-match': '"other"' })).status,
        200,
      );
      const head = await get('/long.txt', headers, 'HEAD');
      assert.equal(head.headers['content-length'], String(body.length));
      assert.equal(head.body.length, 0);
    }
    assert.equal(tags.size, 3);
  });

  it('are compressed only if that helps', async () => {
    const headers = { 'accept-encoding': 'gzip, br' };
    for (const address of ['/short.txt', '/picture.png', '/unknown.xyz1']) {
      const { headers: got } = await get(address, headers);
      assert.equal(got['content-encoding'], undefined, address);
    }
    assert.equal((await get('/unknown.xyz1')).headers['content-type'], 'application/octet-stream');
    const many = await Promise.all(Array.from({ length: 20 }, () => get('/long.txt', headers)));
    assert.ok(many.every(({ headers: got }) => got['content-encoding'] === 'br'));
  });

  it('have ranges of the plain file, for the same content only', async () => {
    const whole = await get('/long.txt');
    const tag = String(whole.headers['etag']);
    const headers = { range: 'bytes=2-5', 'accept-encoding': 'br' };
    const part = await get('/long.txt', headers);
    assert.equal(part.status, 206);
    assert.equal(part.body.toString(), text.slice(2, 6));
    assert.equal(part.headers['content-range'], `bytes 2-5/${text.length}`);
    assert.equal(part.headers['content-encoding'], undefined);
    assert.equal((await get('/long.txt', { ...headers, 'if-range': tag })).status, 206);
    assert.equal((await get('/long.txt', { ...headers, 'if-range': '"old"' })).status, 200);
    const beyond = await get('/long.txt', { range: 'bytes=999999-' });
    assert.equal(beyond.status, 416);
    assert.equal(beyond.headers['content-range'], `bytes */${text.length}`);
    assert.equal((await get('/gone', { range: 'bytes=0-1' })).status, 404);
  });

  it('are the same for the whole URL of a page, as proxies send it', async () => {
    for (const address of [
      'http://docs.example.com/docs/short.txt',
      'HTTPS://x:8443/docs/short.txt?a',
    ])
      assert.equal((await answerOf(host.origin, address)).body.toString(), 'short', address);
    assert.equal((await answerOf(host.origin, 'http://docs.example.com')).status, 400);
    assert.equal((await answerOf(host.origin, 'docs.example.com/docs/short.txt')).status, 400);
  });

  it('refuse other methods and addresses that are too long', async () => {
    const posted = await get('/start', {}, 'POST');
    assert.equal(posted.status, 405);
    assert.equal(posted.headers['allow'], 'GET, HEAD');
    assert.equal((await get(`/${'x'.repeat(9000)}`)).status, 414);
  });

  it('of the host itself are at the root and below the base path, and hide no file of the box', async () => {
    for (const base of ['', '/docs']) {
      const answer = await fetch(`${host.origin}${base}/_docs-assistant/host/health`);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      assert.equal((await fetch(`${host.origin}${base}/_docs-assistant/host/none`)).status, 404);
    }
    const other = await fetch(`${host.origin}/docs/_docs-assistant/hosting.js`);
    assert.match(await other.text(), /<h1>Not found<\/h1>/);
  });

  it('of the site are at a URL that only ends like one of the host', async () => {
    const folder = 'x'.repeat('_docs-assistant'.length);
    for (const base of ['', '/docs']) {
      const answer = await fetch(`${host.origin}${base}/${folder}/host/health`);
      assert.equal(answer.status, 404);
      assert.match(await answer.text(), /<h1>Not found<\/h1>/);
    }
  });
});
