import assert from 'node:assert/strict';
import { systemClock } from '../../../src/common/clock';
import { checkExportKey } from '../../../src/export/job/exportKeyCheck';
import { type FaultProxy, startFaultProxy } from '../../fakes/faultProxy';
import { RecordingLog } from '../../fakes/recordingLog';
import { assertNoSecret } from '../chat/asking';
import { adminKey, never } from './exporting';

describe('checkExportKey', () => {
  let proxy: FaultProxy;
  let log: RecordingLog;
  beforeEach(async () => {
    proxy = await startFaultProxy();
    log = new RecordingLog();
  });
  afterEach(async () => {
    await proxy.stop();
    assertNoSecret([adminKey], log.lines);
  });

  /** Answers requests with these statuses, one after the other, and checks the key. */
  function check(...statuses: readonly number[]): Promise<string> {
    for (const status of statuses) {
      const body = status === 200 ? '{"status":"queued"}' : '{"error":"No."}';
      proxy.queue({ respond: { status, headers: { 'content-type': 'application/json' }, body } });
    }
    return checkExportKey(
      { url: proxy.url, adminKey },
      {
        fetch: (url, init) => fetch(url, init),
        clock: systemClock,
        newId: () => 'made-up',
        log,
        timeouts: () => ({ headersTimeoutMs: 60_000, idleTimeoutMs: 60_000 }),
        secrets: () => [],
      },
      never,
    );
  }

  it('asks for a job that doesn’t exist, with the key and without, and starts none', async () => {
    assert.equal(await check(404, 401), 'accepted');
    assert.deepEqual(
      proxy.exchanges.map(({ method, path, headers }) => [
        `${method} ${path}`,
        headers['authorization'],
      ]),
      [
        ['GET /v1/static-export/jobs/setup-check-made-up', `Bearer ${adminKey}`],
        ['GET /v1/static-export/jobs/setup-check-made-up', undefined],
      ],
    );
  });

  it('is inconclusive if a key makes no difference', async () => {
    assert.equal(await check(404, 404), 'unclear');
    assert.equal(await check(200), 'unclear');
  });

  for (const [status, code] of [
    [401, 'admin-key-rejected'],
    [403, 'export-forbidden'],
    [500, 'service-down'],
    [302, 'export-redirected'],
  ] as const) {
    it(`throws ${code} for ${status}`, async () => {
      await assert.rejects(check(status), { code });
    });
  }
});
