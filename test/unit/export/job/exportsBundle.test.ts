import assert from 'node:assert/strict';
import { ExportMachine, never, target, type ExportWindow } from '../../../builders/exportWindow';
import { settled } from '../../../fakes/fakeClock';
import { fetchFailure } from '../../../fakes/fakeFetch';

const failing =
  (status: number, headers: Record<string, string> = {}) =>
  (): Response =>
    Response.json({ error: 'No.' }, { status, headers });

let machine: ExportMachine;
let window: ExportWindow;
beforeEach(async () => {
  machine = new ExportMachine();
  window = await machine.open();
  await window.exports.start(target, never);
  machine.api.jobs.set('job-1', { status: 'completed' });
  await machine.clock.advance(5000);
  machine.api.expiresAt = machine.clock.now() + 3_600_000;
});
afterEach(() => machine.close());

const signature = (url: string): string | null => new URL(url).searchParams.get('sig');

describe('StaticExports and links of bundles', () => {
  it('returns the current link while it is valid for at least a minute', async () => {
    const first = await window.exports.bundleLink('e1', never);
    machine.clock.sleep(3_539_000);
    assert.equal(await window.exports.bundleLink('e1', never), first);
    machine.clock.sleep(1000);
    const second = await window.exports.bundleLink('e1', never);
    assert.notEqual(signature(second.url), signature(first.url));
    assert.equal(window.view.link, second);
    assert.equal(window.exports.linkSource('e1').current, second);
  });

  it('returns a link without an expiry again', async () => {
    machine.api.expiresAt = undefined;
    const first = await window.exports.bundleLink('e1', never);
    machine.clock.sleep(30 * 24 * 3_600_000);
    assert.equal(await window.exports.bundleLink('e1', never), first);
  });

  it('renews the link on request, even if it is still valid', async () => {
    const source = window.exports.linkSource('e1');
    assert.equal(source.current, undefined);
    const first = await source.renew(never);
    const second = await source.renew(never);
    assert.notEqual(signature(second.url), signature(first.url));
    assert.equal(source.current, second);
  });

  it('sends one request for all simultaneous callers', async () => {
    const links = await Promise.all([
      window.exports.bundleLink('e1', never),
      window.exports.bundleLink('e1', never),
      window.exports.linkSource('e1').renew(never),
    ]);
    assert.equal(new Set(links).size, 1);
    assert.equal(machine.api.count('bundle'), 1);
  });

  it('lets one caller cancel without affecting the others', async () => {
    const stop = new AbortController();
    const left = window.exports.bundleLink('e1', stop.signal);
    const kept = window.exports.bundleLink('e1', never);
    stop.abort(new Error('enough'));
    await assert.rejects(left, /enough/);
    assert.ok(signature((await kept).url));
  });

  it('closes the request once all callers cancel, and sends a new one for the next', async () => {
    machine.api.queue('bundle', () => new Promise(() => undefined));
    const stop = new AbortController();
    const left = window.exports.bundleLink('e1', stop.signal);
    await settled();
    stop.abort(new Error('enough'));
    await assert.rejects(left, /enough/);
    assert.ok(machine.api.requests.at(-1)?.signal.aborted);
    assert.ok(signature((await window.exports.bundleLink('e1', never)).url));
    await settled();
    assert.equal(machine.clock.pendingCount, 0);
  });

  it('stores the URL and expiry of the bundle, and nothing of the signature', async () => {
    await window.exports.bundleLink('e1', never);
    const [stored] = await machine.records.list();
    assert.deepEqual(stored?.bundleAddresses, ['https://store.example.com/job-1/bundle.tar.gz']);
    assert.equal(stored.linkExpiresAt, machine.api.expiresAt);
    const kept = [...machine.records.records.values()].join() + window.log.text();
    assert.doesNotMatch(kept, /CANARY|sig=/);
  });

  it('stores a URL once that has several signatures', async () => {
    await window.exports.linkSource('e1').renew(never);
    await window.exports.linkSource('e1').renew(never);
    assert.equal(window.view.record.bundleAddresses?.length, 1);
  });

  it('keeps the last ten URLs, the newest first', async () => {
    for (let turn = 1; turn <= 12; turn++) {
      const bundleUrl = `https://store.example.com/${turn % 12}.tar.gz?sig=x`;
      machine.api.queue('bundle', () => Response.json({ bundleUrl }));
      await window.exports.linkSource('e1').renew(never);
    }
    const addresses = window.view.record.bundleAddresses ?? [];
    assert.equal(addresses.length, 10);
    assert.equal(addresses[0], 'https://store.example.com/0.tar.gz');
    assert.equal(window.view.record.linkExpiresAt, undefined);
  });

  it('watches a job again if it is not completed after all', async () => {
    machine.api.jobs.set('job-1', { status: 'packing' });
    await assert.rejects(window.exports.bundleLink('e1', never), { code: 'job-not-completed' });
    assert.equal(window.view.record.outcome, 'running');
    assert.equal(window.view.watch.name, 'watching');
    await machine.clock.advance(1000);
    assert.equal(window.view.record.status, 'packing');
    assert.equal((await machine.records.list())[0]?.outcome, 'running');
    machine.api.jobs.set('job-1', { status: 'completed' });
    await machine.clock.advance(5000);
    assert.equal(window.view.record.outcome, 'completed');
    assert.ok((await window.exports.bundleLink('e1', never)).url);
  });

  for (const [what, code, answer] of [
    ['a service that is down', 'service-down', failing(503)],
    ['a lost connection', 'offline', () => Promise.reject(fetchFailure('ECONNRESET'))],
    ['a rate limit', 'export-rate-limited', failing(429, { 'retry-after': '3' })],
    ['JSON that was cut off', 'bad-answer', () => new Response('{"bundleUrl":')],
  ] as const) {
    // Shows faults.md C9.
    it(`tries three times more after ${what}`, async () => {
      machine.api.queue('bundle', answer, answer, answer);
      const asked = window.exports.bundleLink('e1', never);
      await machine.clock.advance(60_000);
      assert.equal(signature((await asked).url), 'CANARY1');
      assert.equal(machine.api.count('bundle'), 4);
    });

    it(`gives up after ${what} four times`, async () => {
      machine.api.queue('bundle', answer, answer, answer, answer);
      const asked = assert.rejects(window.exports.bundleLink('e1', never), { code });
      await machine.clock.advance(60_000);
      await asked;
      assert.equal(machine.api.count('bundle'), 4);
      assert.equal(window.view.record.outcome, 'completed');
    });
  }

  for (const [status, code] of [
    [429, 'export-rate-limited'],
    [502, 'service-down'],
    [503, 'service-down'],
    [504, 'service-down'],
  ] as const) {
    it(`asks again as soon as a ${status} allows it, and not before`, async () => {
      machine.api.queue('bundle', failing(status, { 'retry-after': '90' }));
      const asked = window.exports.bundleLink('e1', never);
      await machine.clock.advance(89_000);
      assert.equal(machine.api.count('bundle'), 1);
      await machine.clock.advance(3000);
      assert.ok((await asked).url);
      assert.equal(machine.api.count('bundle'), 2);
    });

    it(`does not wait for an hour that a ${status} asks for`, async () => {
      machine.api.queue('bundle', failing(status, { 'retry-after': '3600' }));
      await assert.rejects(window.exports.bundleLink('e1', never), { code });
      assert.equal(machine.clock.pendingCount, 0);
    });
  }

  for (const [status, code] of [
    [401, 'admin-key-rejected'],
    [403, 'export-forbidden'],
    [404, 'unknown-job'],
    [400, 'service-error'],
    [307, 'export-redirected'],
  ] as const) {
    it(`asks once if the response is ${status}, and keeps the job`, async () => {
      machine.api.queue('bundle', failing(status));
      await assert.rejects(window.exports.bundleLink('e1', never), { code });
      assert.equal(machine.api.count('bundle'), 1);
      assert.equal(window.view.record.outcome, 'completed');
    });
  }

  it('refuses a link that is not safe, without asking again', async () => {
    machine.api.queue('bundle', () => Response.json({ bundleUrl: 'file:///etc/passwd' }));
    await assert.rejects(window.exports.bundleLink('e1', never), { code: 'link-refused' });
    assert.equal(window.view.link, undefined);
  });

  it('stores each result of the bundle on this machine separately', async () => {
    const archive = { path: '/b.tar.gz', sizeBytes: 5, sha256: 'ab'.repeat(32) };
    await window.exports.noteFiles('e1', { archive });
    await window.exports.noteFiles('e1', { siteFolder: '/site' });
    const [stored] = await machine.records.list();
    assert.deepEqual([stored?.archive, stored?.siteFolder], [archive, '/site']);
    assert.equal(stored?.siteSha256, archive.sha256);
  });

  it('keeps the unpacked site when another archive is downloaded', async () => {
    const archive = { path: '/b.tar.gz', sizeBytes: 5, sha256: 'ab'.repeat(32) };
    await window.exports.noteFiles('e1', { archive, siteFolder: '/site' });
    const newer = { ...archive, sha256: 'cd'.repeat(32) };
    await window.exports.noteFiles('e1', { archive: newer });
    const { siteFolder, siteSha256 } = window.view.record;
    assert.deepEqual([siteFolder, siteSha256], ['/site', archive.sha256]);
  });

  it('asks no more about a completed job, whose link is made and which is watched', async () => {
    const asked = machine.api.count('status');
    await window.exports.bundleLink('e1', never);
    await window.exports.watch('e1');
    await machine.clock.advance(60_000);
    assert.equal(machine.api.count('status'), asked);
  });

  it('sends nothing after it was stopped', async () => {
    await assert.rejects(window.exports.bundleLink('e1', AbortSignal.abort(new Error('enough'))));
    assert.equal(machine.api.count('bundle'), 0);
  });
});
