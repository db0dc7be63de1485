/** faults.md B and C: what a network and a service may do to a job, with the local docs service behind the proxy. */
import assert from 'node:assert/strict';
import { describeExportError } from '../../../src/export/exportErrors';
import { errorOfRecord } from '../../../src/export/job/record';
import { type LocalService, startLocalService } from '../../../src/service/server/server';
import { type FaultProxy, startFaultProxy } from '../../fakes/faultProxy';
import type { CannedResponse, Fault } from '../../fakes/faults';
import { assertNoSecret, assistantKey } from '../chat/asking';
import { adminKey, never, ServiceWindow, SharedState } from './exporting';
import { docsFolder } from '../service/localServiceAsking';

const json = (status: number, body: unknown, headers = {}): CannedResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
const atStatus = (fault: Fault): Fault => ({ when: { method: 'GET' }, ...fault });
const running = (fields = {}): Fault =>
  atStatus({ times: 1_000_000, respond: json(200, { status: 'running', ...fields }) });

let docs: Awaited<ReturnType<typeof docsFolder>>;
let service: LocalService;
let proxy: FaultProxy;
let shared: SharedState;
let windows: ServiceWindow[];

const open = async (): Promise<ServiceWindow> => {
  const window = new ServiceWindow(shared);
  windows.push(window);
  await window.exports.restore();
  return window;
};
const statusCount = (): number => proxy.exchanges.filter(({ method }) => method === 'GET').length;
const startCount = (): number => proxy.exchanges.filter(({ method }) => method === 'POST').length;

before(async () => {
  // Almost every test exports all of them.
  docs = await docsFolder(
    Object.fromEntries(
      Array.from({ length: 10 }, (_, at) => [`p${at}.md`, `# Page ${at}\n\nText ${at}.\n`]),
    ),
  );
  service = await startLocalService({
    docs: docs.root,
    domain: 'sample',
    key: assistantKey,
    adminKey,
  });
  await service.whenIndexed();
});
after(async () => {
  await service.stop();
  await docs.remove();
});
beforeEach(async () => {
  shared = new SharedState();
  windows = [];
  proxy = await startFaultProxy({ target: service.url });
});
afterEach(async () => {
  for (const { exports } of windows) exports.dispose();
  await proxy.stop();
  const out = windows.map(({ log, ends, exports }) => [log.lines, ends, exports.list]);
  assertNoSecret([adminKey], [out, [...shared.records.records.values()], shared.claims.names]);
});

describe('an export job over HTTP', () => {
  it('is started, watched to its end and bundled', async () => {
    const window = await open();
    await window.start(proxy.url);
    const { record } = await window.whenEnded();
    assert.equal(record.outcome, 'completed');
    assert.equal(record.pages, 10);
    const link = await window.exports.bundleLink(record.id, never);
    const bundle = await fetch(link.url);
    assert.equal(bundle.status, 200);
    assert.equal((await bundle.arrayBuffer()).byteLength, link.sizeBytes);
    assert.ok((link.expiresAt ?? 0) > Date.now());
    assert.equal(window.ends.length, 1);
  });

  it('reports why a domain cannot be exported', async () => {
    const window = await open();
    await assert.rejects(window.start(proxy.url, 'https://sample/'), (error) => {
      const { code, message } = describeExportError(error);
      assert.equal(code, 'bad-export-domain');
      assert.match(message, /can’t export “https:\/\/sample\/”.*\(.+\)$/);
      return true;
    });
  });

  const transient: readonly [string, CannedResponse, string][] = [
    ...[500, 502, 503, 504].map((status): [string, CannedResponse, string] => [
      `a ${status}`,
      json(status, { error: 'Out of order.' }),
      'service-down',
    ]),
    ['a web page', { headers: { 'content-type': 'text/html' }, body: '<html>' }, 'unexpected-html'],
    ['JSON that was cut off', json(200, undefined), 'bad-answer'],
    ['an answer without a status', json(200, { progress: 5 }), 'bad-answer'],
  ];
  for (const [what, respond, code] of transient) {
    // Shows faults.md C7.
    it(`waits out ${what}, says so, and is not lost`, async () => {
      const window = await open();
      proxy.queue(atStatus({ times: 3, respond }));
      await window.start(proxy.url);
      assert.equal((await window.whenWaiting()).code, code);
      assert.equal((await window.whenEnded()).record.outcome, 'completed');
      assert.ok(statusCount() >= 4);
    });
  }

  for (const [status, code] of [
    [429, 'export-rate-limited'],
    [502, 'service-down'],
    [503, 'service-down'],
    [504, 'service-down'],
  ] as const) {
    it(`waits as long as a ${status} says, and then goes on`, async () => {
      const window = await open();
      proxy.queue(atStatus({ respond: json(status, { error: 'Slow.' }, { 'retry-after': '30' }) }));
      const before = shared.clock.now();
      await window.start(proxy.url);
      const { code: told, until } = await window.whenWaiting();
      assert.equal(told, code);
      assert.ok(until >= before + 30_000);
      assert.equal(statusCount(), 1);
      await window.whenEnded();
      assert.ok(shared.clock.now() >= before + 30_000);
    });
  }

  it('waits until the network is back', async () => {
    const window = await open();
    proxy.queue(running());
    await window.start(proxy.url);
    await window.until(({ record }) => record.status === 'running');
    await proxy.goDown();
    assert.equal((await window.whenWaiting()).code, 'offline');
    proxy.clearFaults();
    await proxy.comeBack();
    assert.equal((await window.whenEnded()).record.outcome, 'completed');
  });

  it('waits out a silent service', async () => {
    const window = await open();
    proxy.queue(atStatus({ cues: [{ at: 'headers', do: 'hold', gate: 'never' }] }));
    await window.start(proxy.url);
    await proxy.whenHeld('never');
    window.timeouts = { headersTimeoutMs: 5000, idleTimeoutMs: 600_000 };
    // The request that hangs keeps the limit that it started with, so it is asked anew.
    window.exports.stopWatching('e1');
    proxy.queue(atStatus({ cues: [{ at: 'headers', do: 'hold', gate: 'never' }] }));
    await window.exports.watch('e1');
    assert.equal((await window.whenWaiting()).code, 'timed-out');
    window.timeouts = { headersTimeoutMs: 600_000, idleTimeoutMs: 600_000 };
    assert.equal((await window.whenEnded()).record.outcome, 'completed');
  });

  for (const cut of ['reset', 'close'] as const) {
    it(`asks again after a connection that ends by a ${cut}`, async () => {
      const window = await open();
      proxy.queue(atStatus({ cues: [{ at: 3, do: cut }] }));
      await window.start(proxy.url);
      assert.equal((await window.whenWaiting()).code, 'connection-lost');
      assert.equal((await window.whenEnded()).record.outcome, 'completed');
    });
  }

  for (const [status, code, action, says] of [
    [401, 'admin-key-rejected', 'set-admin-key', /Set a new key/],
    [403, 'export-forbidden', 'set-admin-key', /plan.*network/],
    [404, 'unknown-job', 'start-again', /Start a new export/],
  ] as const) {
    it(`ends at ${status} with what to do, and can be watched again`, async () => {
      const window = await open();
      proxy.queue(running());
      await window.start(proxy.url);
      proxy.clearFaults();
      proxy.queue(atStatus({ respond: json(status, { error: `No: ${adminKey}.` }) }));
      const { record } = await window.whenEnded();
      assert.equal(record.outcome, 'unwatchable');
      const shown = describeExportError(errorOfRecord(record));
      assert.equal(shown.code, code);
      assert.equal(shown.actions[0], action);
      assert.match(shown.message, says);
      assert.match(shown.message, /No: \[redacted\]\./);
      await window.exports.watch(record.id);
      await window.whenClaimed(2);
      assert.deepEqual(
        window.ends.map((view) => view.record.outcome),
        ['unwatchable', 'completed'],
      );
    });
  }

  it('ends with a key that the service does not know, and sends it nowhere else', async () => {
    const window = await open();
    window.key = 'local_CANARYwrong00000';
    await assert.rejects(window.start(proxy.url), { code: 'admin-key-rejected' });
    assert.equal(startCount(), 1);
  });

  it('never sends the key to the target of a redirect', async () => {
    const elsewhere = await startFaultProxy();
    try {
      const window = await open();
      proxy.queue(running());
      await window.start(proxy.url);
      proxy.clearFaults();
      const location = `${elsewhere.url}/v1/static-export/jobs/1`;
      proxy.queue({ times: 100, respond: { status: 307, headers: { location } } });
      const { record } = await window.whenEnded();
      assert.equal(record.errorCode, 'export-redirected');
      await assert.rejects(window.start(proxy.url), { code: 'export-redirected' });
      const link = window.exports.bundleLink(record.id, never);
      await assert.rejects(link, { code: 'export-redirected' });
      assert.deepEqual(elsewhere.exchanges, []);
    } finally {
      await elsewhere.stop();
    }
  });

  it('closes its request when watching stops, and does not change the job', async () => {
    const window = await open();
    proxy.queue(atStatus({ cues: [{ at: 'headers', do: 'hold', gate: 'never' }] }));
    await window.start(proxy.url);
    await proxy.whenHeld('never');
    window.exports.stopWatching('e1');
    await proxy.until(() => proxy.exchanges.at(-1)?.state === 'client-gone');
    assert.equal(window.view.record.outcome, 'running');
    await window.exports.watch('e1');
    assert.equal((await window.whenEnded()).record.outcome, 'completed');
  });
});

describe('an export job whose start fails', () => {
  // Shows faults.md C1.
  it('is not started again when the answer never comes', async () => {
    const window = await open();
    window.timeouts = { headersTimeoutMs: 600_000, idleTimeoutMs: 5000 };
    proxy.queue({ when: { method: 'POST' }, cues: [{ at: 0, do: 'hold', gate: 'never' }] });
    await assert.rejects(window.start(proxy.url), { code: 'start-unclear' });
    assert.equal(proxy.exchanges[0]?.status, 202);
    assert.equal(startCount(), 1);
  });

  for (const cut of ['reset', 'close'] as const) {
    it(`is not started again after a ${cut} behind the service’s answer`, async () => {
      const window = await open();
      proxy.queue({ when: { method: 'POST' }, cues: [{ at: 4, do: cut }] });
      await assert.rejects(window.start(proxy.url), { code: 'start-unclear' });
      assert.equal(startCount(), 1);
    });
  }

  it('is not started again after a gateway’s 504', async () => {
    const window = await open();
    proxy.queue({ when: { method: 'POST' }, respond: json(504, {}) });
    await assert.rejects(window.start(proxy.url), { code: 'start-unclear' });
    assert.equal(startCount(), 1);
  });

  it('is reported as offline if nothing was sent', async () => {
    const window = await open();
    await proxy.goDown();
    await assert.rejects(window.start(proxy.url), { code: 'offline' });
  });
});

describe('an export job in several windows', () => {
  it('is still watched after a reload', async () => {
    const first = await open();
    proxy.queue(running({ pageCount: 3 }));
    await first.start(proxy.url);
    await first.until(({ record }) => record.pages === 3);
    first.exports.dispose();
    proxy.clearFaults();
    const second = await open();
    const { record } = await second.whenEnded();
    assert.equal(record.outcome, 'completed');
    await second.whenClaimed(1);
    assert.deepEqual([first.ends.length, second.ends.length], [0, 1]);
  });

  it('is still watched after a crash, from its stored state', async () => {
    const killed = await open();
    proxy.queue(running({ pageCount: 3 }));
    await killed.start(proxy.url);
    await killed.until(({ record }) => record.pages === 3);
    const stored = [...shared.records.records];
    // Nobody hears of what it does from here on, or of what it had in memory alone.
    killed.exports.stopWatching('e1');
    shared = new SharedState();
    for (const [id, record] of stored) shared.records.records.set(id, record);
    proxy.clearFaults();
    const next = await open();
    const { record } = await next.whenEnded();
    assert.equal(record.outcome, 'completed');
    await next.whenClaimed(1);
    assert.deepEqual([killed.ends.length, next.ends.length], [0, 1]);
    assert.equal(startCount(), 1);
  });

  it('is announced in only one window', async () => {
    const first = await open();
    proxy.queue(running());
    await first.start(proxy.url);
    const second = await open();
    await second.until(({ record }) => record.status === 'running');
    proxy.clearFaults();
    await Promise.all([first.whenEnded(), second.whenEnded()]);
    await first.whenClaimed(2);
    assert.equal(first.ends.length + second.ends.length, 1);
  });
});

describe('a bundle over HTTP', () => {
  // Shows faults.md B5.
  it('makes the job be watched again if it is requested too early', async () => {
    const window = await open();
    proxy.queue(atStatus({ respond: json(200, { status: 'completed' }) }));
    await window.start(proxy.url);
    await window.whenEnded();
    proxy.queue({ when: { pathIncludes: '/bundle' }, respond: json(409, { error: 'Not yet.' }) });
    const link = (): Promise<unknown> => window.exports.bundleLink('e1', never);
    await assert.rejects(link(), { code: 'job-not-completed' });
    assert.equal((await window.whenEnded()).record.outcome, 'completed');
    await link();
  });

  it('is requested again after a temporary error', async () => {
    const window = await open();
    await window.start(proxy.url);
    await window.whenEnded();
    const when = { pathIncludes: '/bundle' };
    proxy.queue(
      { when, respond: json(503, {}) },
      { when, cues: [{ at: 5, do: 'reset' }] },
      { when, respond: { body: '<!doctype html><title>Sign in</title>' } },
    );
    await window.exports.bundleLink('e1', never);
    assert.equal(proxy.exchanges.filter(({ path }) => path.includes('/bundle')).length, 4);
  });
});
