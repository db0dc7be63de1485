import assert from 'node:assert/strict';
import http from 'node:http';
import { once } from 'node:events';
import { truncate, rm } from 'node:fs/promises';
import path from 'node:path';
import type { LocalService } from '../../../src/service/server/server';
import { FakeClock } from '../../fakes/fakeClock';
import { RecordingLog } from '../../fakes/recordingLog';
import { docsFolder, startService } from './localServiceAsking';
import { adminKey, bundleOf, bytesOf, exportSite, sha256 } from './localServiceExporting';

const LIFETIME_MS = 60_000;
const otherJob = '00000000-0000-4000-8000-000000000000';

async function refusalOf(response: Response, status: number): Promise<string> {
  const text = await response.text();
  assert.equal(response.status, status, text);
  assert.equal(response.headers.get('content-type'), 'application/xml');
  const [, code, message] =
    /^<\?xml .*\n<Error><Code>(.*)<\/Code><Message>(.*)<\/Message>.*<\/Error>\n$/.exec(text) ?? [];
  return `${code}: ${message}`;
}

describe('a presigned link of the local docs service', () => {
  const clock = new FakeClock();
  const log = new RecordingLog();
  let docs: Awaited<ReturnType<typeof docsFolder>>;
  let state: Awaited<ReturnType<typeof docsFolder>>;
  let service: LocalService;
  let jobId: string;
  let link: string;
  let archive: Buffer;
  let etag: string;

  before(async () => {
    docs = await docsFolder({ 'index.md': '# Birds\n', 'storks.md': '# Storks\n' });
    state = await docsFolder({});
    service = await startService(docs.root, {
      log,
      adminKey,
      clock,
      stateFolder: state.root,
      linkLifetimeMs: LIFETIME_MS,
    });
    jobId = await exportSite(service);
  });
  beforeEach(async () => {
    link = (await bundleOf(service, jobId)).bundleUrl;
    archive = await bytesOf(link);
    etag = `"${sha256(archive)}"`;
  });
  after(async () => {
    await service.stop();
    await docs.remove();
    await state.remove();
    log.assertNoErrors();
  });

  const get = (headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
    fetch(link, { method, headers });
  const changed = (change: (url: URL) => void): string => {
    const url = new URL(link);
    change(url);
    return url.href;
  };

  it('serves the archive without a key, with its size, type and a strong ETag', async () => {
    const response = await get();
    assert.equal(response.status, 200);
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.equal(response.headers.get('content-length'), String(bytes.length));
    assert.equal(response.headers.get('content-type'), 'application/gzip');
    assert.equal(response.headers.get('accept-ranges'), 'bytes');
    assert.equal(response.headers.get('etag'), `"${sha256(bytes)}"`);
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    assert.ok(response.headers.has('last-modified'));
  });

  it('answers HEAD with the same headers, without the archive', async () => {
    const response = await get({}, 'HEAD');
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-length'), String(archive.length));
    assert.equal(response.headers.get('etag'), etag);
    assert.equal((await response.arrayBuffer()).byteLength, 0);
  });

  it('answers 405 to changes, with the methods that it accepts', async () => {
    const response = await get({}, 'PUT');
    assert.equal(response.headers.get('allow'), 'GET, HEAD');
    assert.match(await refusalOf(response, 405), /^MethodNotAllowed/);
  });

  describe('when it expires', () => {
    it('answers 403 with XML that says so, and a fresh link works', async () => {
      await clock.advance(LIFETIME_MS - 1);
      assert.equal((await get()).status, 200);
      await clock.advance(1);
      assert.equal(await refusalOf(await get(), 403), 'AccessDenied: Request has expired');
      assert.equal((await get({}, 'HEAD')).status, 403);
      const fresh = await bundleOf(service, jobId);
      assert.notEqual(fresh.bundleUrl, link);
      assert.equal(Date.parse(fresh.expiresAt), clock.now() + LIFETIME_MS);
      assert.ok((await bytesOf(fresh.bundleUrl)).equals(archive));
    });
  });

  describe('with a request that it refuses', () => {
    for (const [what, change] of [
      ['another signature', (url: URL) => url.searchParams.set('X-Signature', '0'.repeat(64))],
      ['another end', (url: URL) => url.searchParams.set('X-Expires', '9999999999999')],
      [
        'the link of another job',
        (url: URL) => (url.pathname = url.pathname.replace(jobId, otherJob)),
      ],
    ] as const) {
      it(`answers 403 SignatureDoesNotMatch to ${what}`, async () => {
        const response = await fetch(changed(change));
        assert.match(await refusalOf(response, 403), /^SignatureDoesNotMatch/);
      });
    }

    it('answers 403 AccessDenied to a link without its query', async () => {
      const bare = changed((url) => (url.search = ''));
      assert.equal(await refusalOf(await fetch(bare), 403), 'AccessDenied: Access Denied');
    });

    it('answers 400 to an Authorization header beside the signature', async () => {
      const response = await get({ authorization: `Bearer ${adminKey}` });
      assert.match(await refusalOf(response, 400), /^InvalidArgument: Only one auth mechanism/);
    });

    it('answers 404 NoSuchKey to something that is not a bundle', async () => {
      const other = changed((url) => (url.pathname = '/v1/bundles/secret'));
      assert.match(await refusalOf(await fetch(other), 404), /^NoSuchKey/);
    });

    it('answers 403 to the name of another machine in Host', async () => {
      const request = http.get(link, { headers: { host: 'store.example.com' } });
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      response.resume();
      assert.equal(response.statusCode, 403);
    });
  });

  describe('with Range', () => {
    for (const [range, from, to] of [
      ['bytes=0-9', 0, 10],
      ['bytes=10-', 10, undefined],
      ['bytes=-7', -7, undefined],
      ['bytes=5-999999', 5, undefined],
    ] as const) {
      it(`answers 206 to ${range}`, async () => {
        const response = await get({ range });
        assert.equal(response.status, 206);
        const bytes = Buffer.from(await response.arrayBuffer());
        assert.ok(bytes.equals(archive.subarray(from, to)));
        const first = from < 0 ? archive.length + from : from;
        assert.equal(
          response.headers.get('content-range'),
          `bytes ${first}-${first + bytes.length - 1}/${archive.length}`,
        );
        assert.equal(response.headers.get('content-length'), String(bytes.length));
        assert.equal(response.headers.get('etag'), etag);
      });
    }

    it('answers 416 with the size to a range after the end', async () => {
      const response = await get({ range: `bytes=${archive.length}-` });
      assert.equal(response.headers.get('content-range'), `bytes */${archive.length}`);
      assert.match(await refusalOf(response, 416), /^InvalidRange/);
    });

    it('resumes if If-Range is this archive', async () => {
      const response = await get({ range: 'bytes=3-', 'if-range': etag });
      assert.equal(response.status, 206);
      assert.ok(Buffer.from(await response.arrayBuffer()).equals(archive.subarray(3)));
    });

    it('answers 200 with the whole archive if If-Range is another archive', async () => {
      const response = await get({ range: 'bytes=3-', 'if-range': '"another"' });
      assert.equal(response.status, 200);
      assert.ok(Buffer.from(await response.arrayBuffer()).equals(archive));
    });
  });

  describe('with a condition', () => {
    it('answers 412 if If-Match is another archive, with nothing of this one', async () => {
      const response = await get({ 'if-match': '"another"' });
      assert.match(await refusalOf(response, 412), /^PreconditionFailed/);
      for (const name of ['etag', 'last-modified', 'accept-ranges'])
        assert.equal(response.headers.get(name), null);
      assert.equal((await get({ 'if-match': etag })).status, 200);
    });

    it('answers 304 if If-None-Match is this archive', async () => {
      const response = await get({ 'if-none-match': etag });
      assert.equal(response.status, 304);
      assert.equal(response.headers.get('etag'), etag);
      assert.equal((await get({ 'if-none-match': '"another"' })).status, 200);
    });
  });

  it('serves nothing if the archive on disk is incomplete, until it is packed again', async () => {
    const file = path.join(state.root, 'jobs', jobId, 'bundle.tar.gz');
    await truncate(file, 10);
    assert.match(await refusalOf(await get(), 404), /^NoSuchKey/);
    await rm(file);
    assert.match(await refusalOf(await get(), 404), /^NoSuchKey/);
    const { bundleUrl } = await bundleOf(service, jobId);
    assert.ok((await bytesOf(bundleUrl)).equals(archive));
  });

  it('is logged without its query, with the status that was sent', async () => {
    await (await get({ range: 'bytes=0-1' })).arrayBuffer();
    assert.match(log.text(), /GET \/v1\/bundles\/[\w-]+\/bundle\.tar\.gz 206 /);
    assert.doesNotMatch(log.text(), /X-Signature/);
  });
});
