/** faults.md B and C: answers of an export API on the wire, one request at a time. */
import assert from 'node:assert/strict';
import { describeExportError } from '../../../src/export/exportErrors';
import { ExportClient } from '../../../src/export/job/client';
import { systemClock } from '../../../src/common/clock';
import { type FaultProxy, startFaultProxy } from '../../fakes/faultProxy';
import { RecordingLog } from '../../fakes/recordingLog';
import { assertNoSecret } from '../chat/asking';
import { adminKey, never } from './exporting';

const MEBIBYTE = 1024 * 1024;

describe('ExportClient over HTTP', () => {
  let proxy: FaultProxy;
  let log: RecordingLog;
  let client: ExportClient;
  const endpoint = (): { url: string; adminKey: string } => ({ url: proxy.url, adminKey });
  const status = (jobId = 'job-1'): Promise<unknown> => client.jobStatus(endpoint(), jobId, never);

  beforeEach(async () => {
    proxy = await startFaultProxy();
    log = new RecordingLog();
    client = new ExportClient({
      fetch: (url, init) => fetch(url, init),
      clock: systemClock,
      log,
      timeouts: () => ({ headersTimeoutMs: 60_000, idleTimeoutMs: 60_000 }),
      secrets: () => [],
    });
  });
  afterEach(async () => {
    await proxy.stop();
    assertNoSecret([adminKey], log.lines);
    log.assertNoErrors();
  });

  it('sends the key only in its header', async () => {
    proxy.queue({ respond: { status: 202, body: '{"jobId":"a/b"}' } });
    const { jobId } = await client.startJob(endpoint(), 'docs.example.com', {}, never);
    assert.equal(jobId, 'a/b');
    const [exchange] = proxy.exchanges;
    assert.ok(exchange);
    const { authorization, ...others } = exchange.headers;
    assert.equal(authorization, `Bearer ${adminKey}`);
    assertNoSecret([adminKey], [others, exchange.path, exchange.bodyText]);
    assert.deepEqual(exchange.body, { domain: 'docs.example.com' });
  });

  it('sends a bundle’s request without a body', async () => {
    proxy.queue({ respond: { body: '{"bundleUrl":"https://store.example.com/b?sig=1"}' } });
    await client.generateBundle(endpoint(), 'a/b', never);
    assert.equal(proxy.exchanges[0]?.path, '/v1/static-export/jobs/a%2Fb/bundle');
    assert.equal(proxy.exchanges[0].bodyText, '');
  });

  for (const coding of ['gzip', 'br', 'deflate'] as const) {
    it(`reads a response in ${coding}`, async () => {
      proxy.queue({ respond: { body: '{"status":"queued"}' }, encode: coding });
      assert.deepEqual(await status(), { status: 'queued', outcome: 'running' });
    });
  }

  it('reads a response that arrives byte by byte', async () => {
    const answer = { status: 'läuft 🐍' };
    proxy.queue({ respond: { body: JSON.stringify(answer) }, pieceBytes: 1 });
    assert.deepEqual(await status(), { ...answer, outcome: 'running' });
  });

  it('stops reading an error body of 50 MiB after its start', async () => {
    const body = 'No such luck. '.repeat(75_000).slice(0, MEBIBYTE);
    proxy.queue({ respond: { status: 403, body, repeat: 50 } });
    await assert.rejects(status(), { code: 'export-forbidden' });
    await proxy.until(() => proxy.exchanges[0]?.state !== 'open');
    assert.equal(proxy.exchanges[0]?.state, 'client-gone');
    assert.ok(proxy.exchanges[0].responseBytes < 20 * MEBIBYTE);
  });

  it('shows nothing of an error body that is not text', async () => {
    const bodyBase64 = Buffer.from([0, 255, 254, 1, 2, 3]).toString('base64');
    proxy.queue({ respond: { status: 403, bodyBase64 } });
    await assert.rejects(status(), (error) => {
      assert.doesNotMatch(describeExportError(error).message, /\uFFFD|\0/);
      return true;
    });
  });

  it('stops reading an endless response', async () => {
    proxy.queue({ respond: { body: ' '.repeat(MEBIBYTE), repeat: 50 } });
    await assert.rejects(status(), { code: 'bad-answer' });
    await proxy.until(() => proxy.exchanges[0]?.state !== 'open');
    assert.equal(proxy.exchanges[0]?.state, 'client-gone');
  });

  it('follows a redirect within the origin with the key', async () => {
    proxy.queue(
      { respond: { status: 308, headers: { location: '/moved?page=1' } } },
      { respond: { body: '{"status":"queued"}' } },
    );
    await status();
    assert.equal(proxy.exchanges[1]?.path, '/moved?page=1');
    assert.equal(proxy.exchanges[1].headers['authorization'], `Bearer ${adminKey}`);
  });

  for (const code of [301, 302, 303, 307, 308]) {
    it(`sends neither key nor request to another origin after a ${code}`, async () => {
      const elsewhere = await startFaultProxy();
      try {
        const headers = { location: `${elsewhere.url}/v1` };
        proxy.queue({ times: 3, respond: { status: code, headers } });
        const refused = { code: 'export-redirected' };
        await assert.rejects(status(), refused);
        await assert.rejects(client.startJob(endpoint(), 'docs.example.com', {}, never), refused);
        await assert.rejects(client.generateBundle(endpoint(), 'job-1', never), refused);
        assert.deepEqual(elsewhere.exchanges, []);
      } finally {
        await elsewhere.stop();
      }
    });
  }

  for (const jobId of ['../../../admin', 'a?b=c', 'a#b', '%2e%2e']) {
    it(`asks only about “${jobId}”`, async () => {
      proxy.queue({ respond: { body: '{"status":"queued"}' } });
      await status(jobId);
      const path = `/v1/static-export/jobs/${encodeURIComponent(jobId)}`;
      assert.equal(proxy.exchanges[0]?.path, path);
    });
  }

  it('closes the connection when it is stopped', async () => {
    proxy.queue({ respond: {}, cues: [{ at: 'headers', do: 'hold', gate: 'never' }] });
    const stop = new AbortController();
    const asked = client.startJob(endpoint(), 'docs.example.com', {}, stop.signal);
    await proxy.whenHeld('never');
    stop.abort(new Error('enough'));
    await assert.rejects(asked, /enough/);
    await proxy.until(() => proxy.exchanges[0]?.state === 'client-gone');
  });
});
