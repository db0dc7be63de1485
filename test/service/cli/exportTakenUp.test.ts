/** Commands of `docs-assistant export` as processes that are killed, interrupted and run again. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { aTar } from '../../builders/archive';
import { type FaultProxy, startFaultProxy } from '../../fakes/faultProxy';
import { type ObjectStore, type StoreFault, startObjectStore } from '../../fakes/objectStore';
import { hurriedClock } from '../export/exporting';
import { until } from '../service/localServiceAsking';
import {
  atStatus,
  eventsOf,
  ExportingCli,
  fieldsOf,
  json,
  namesOf,
  type RanHere,
} from './exportingCli';
import { hasTerminal, runOnTerminal, skipLoudly, start } from './running';

/** Returns a bundle with a broken link that is larger than what a download holds in memory. */
function bundle(): Buffer {
  return aTar([
    { name: 'index.html', content: '<main><h1>Birds</h1><a href="gone.html">Gone</a></main>' },
    { name: 'movie.mp4', content: randomBytes(4_000_000) },
  ]);
}

describe('docs-assistant export, resumed', () => {
  const content = bundle();
  let store: ObjectStore;
  let proxy: FaultProxy;
  let cli: ExportingCli;

  before(async () => {
    store = await startObjectStore(content);
  });
  after(() => store.stop());
  beforeEach(async () => {
    store.requests.length = 0;
    // Nothing is behind the proxy: each answer is canned.
    proxy = await startFaultProxy({ target: 'http://127.0.0.1:9' });
    cli = await ExportingCli.make();
    queueAnswers();
  });
  afterEach(async () => {
    await proxy.stop();
    await cli.remove();
  });

  const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();
  const bundleAnswer = (): ReturnType<typeof json> =>
    json(200, {
      bundleUrl: store.presign().url,
      expiresAt: inAnHour(),
      sizeBytes: content.length,
    });
  const queueAnswers = (): void =>
    proxy.queue(
      { times: 1000, when: { method: 'POST', pathIncludes: '/bundle' }, respond: bundleAnswer() },
      { times: 1000, when: { method: 'POST' }, respond: json(202, { jobId: 'job-1' }) },
    );
  const completes = (): void =>
    proxy.queue(
      atStatus({ times: 1000, respond: json(200, { status: 'completed', pageCount: 1 }) }),
    );
  const args = ['export', 'run', '--output', 'bundle.tar', '--fail-on', 'none'];
  const here = (more: readonly string[] = []): Promise<RanHere> =>
    cli.run([...args, ...more], { env: cli.envFor(proxy.url) });
  /** Runs the command, and deletes the folder of its link as soon as the bundle is there. */
  const failAfterDownload = async (): Promise<RanHere> => {
    const links = cli.pathOf('links');
    await mkdir(links);
    return cli.run([...args, '--link-file', 'links/link.txt'], {
      env: cli.envFor(proxy.url),
      onOutput: (text) => {
        if (text.includes('Downloaded')) rmSync(links, { recursive: true, force: true });
      },
    });
  };
  const begin = (more: readonly string[] = []): ReturnType<typeof start> =>
    start([...args, '--json', ...more], { env: cli.envFor(proxy.url), cwd: cli.folder });
  const starts = (): number => proxy.exchanges.filter(({ path }) => path.endsWith('/jobs')).length;
  const partSize = (): Promise<number> =>
    stat(cli.pathOf('.bundle.tar.part')).then(
      ({ size }) => size,
      () => 0,
    );

  it('resumes the job of a command that was killed while it watched', async () => {
    proxy.queue(atStatus({ times: 2, respond: json(200, { status: 'running', pageCount: 1 }) }));
    const { child, done, stdout } = begin();
    await until(() => stdout().includes('"progress"'));
    child.kill('SIGKILL');
    await done;
    proxy.clearFaults();
    proxy.queue({ times: 9, when: { pathIncludes: '/bundle' }, respond: bundleAnswer() });
    completes();
    const { code, stdout: told, stderr } = await here();
    assert.equal(code, 0, stderr);
    assert.match(told, /^Continuing the export of sample .*\(job job-1\)/);
    assert.match(told, /completed.*1 page\.\nDownloaded bundle\.tar /);
    assert.equal(starts(), 1);
  });

  it('resumes a download that was killed, at the byte where it stopped', async () => {
    completes();
    store.queue({ stallAfter: 3_000_000 });
    const { child, done } = begin();
    await until(async () => (await partSize()) >= 2_000_000);
    child.kill('SIGKILL');
    await done;
    const arrived = await partSize();
    const { code, stdout, stderr } = await here();
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^Continuing/);
    assert.equal(store.requests.at(-1)?.headers.range, `bytes=${arrived}-`);
    assert.deepEqual(await readFile(cli.pathOf('bundle.tar')), content);
    assert.deepEqual(await readdir(cli.folder), ['bundle.tar', 'cache', 'state']);
    assert.equal(starts(), 1);
  });

  it('keeps the received part when it is interrupted in the middle of a download', async () => {
    completes();
    store.queue({ stallAfter: 3_000_000 });
    const { child, done } = begin();
    await until(async () => (await partSize()) >= 2_000_000);
    child.kill('SIGINT');
    const { code, stdout, stderr } = await done;
    assert.equal(code, 130);
    assert.match(stderr, /The downloaded part is kept/);
    assert.equal(eventsOf(stdout).at(-1)?.['code'], 'interrupted');
    assert.equal((await here()).code, 0);
    assert.match(String(store.requests.at(-1)?.headers.range), /^bytes=[1-9]\d{6}-$/);
  });

  it('doesn’t repeat a complete download, and starts over once the run has ended', async () => {
    completes();
    const failed = await failAfterDownload();
    assert.match(failed.stderr, /can’t be written \(ENOENT\)/);
    assert.equal(failed.code, 13);
    assert.equal((await here()).code, 0);
    assert.deepEqual([store.requests.length, starts()], [1, 1]);
    // The archive is another one by now.
    await writeFile(cli.pathOf('bundle.tar'), 'changed');
    assert.equal((await here()).code, 0);
    assert.deepEqual([store.requests.length, starts()], [2, 2]);
  });

  it('downloads a damaged archive again when the command runs again', async () => {
    const packed = gzipSync(content);
    packed.writeUInt8(packed.readUInt8(packed.length - 8) ^ 0xff, packed.length - 8);
    const damaged = await startObjectStore(packed);
    try {
      const when = { method: 'POST', pathIncludes: '/bundle' };
      const { url } = damaged.presign();
      proxy.clearFaults();
      proxy.queue(
        { when, respond: json(200, { bundleUrl: url, expiresAt: inAnHour() }) },
        { when, times: 9, respond: bundleAnswer() },
        { when: { method: 'POST' }, respond: json(202, { jobId: 'job-1' }) },
      );
      completes();
      const first = await here();
      assert.match(first.stderr, /bundle\.tar.* is damaged.*Download it again/);
      assert.notEqual(first.code, 0);
    } finally {
      await damaged.stop();
    }
    const { code, stdout, stderr } = await here();
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^Continuing/);
    assert.match(stderr, /bundle\.tar is damaged\. Downloading it again\./);
    assert.deepEqual(await readFile(cli.pathOf('bundle.tar')), content);
    assert.deepEqual([store.requests.length, starts()], [1, 1]);
  });

  it('writes the archive of each of two simultaneous commands', async () => {
    proxy.queue(atStatus({ times: 1000, respond: json(200, { status: 'running', pageCount: 1 }) }));
    const first = begin();
    await until(() => first.stdout().includes('"progress"'));
    const second = cli.run([...args, '--output', 'other.tar'], {
      env: cli.envFor(proxy.url),
      // The second command has stored its path now, and the first asks again later.
      onOutput: (text) => {
        if (!text.includes('Continuing the export')) return;
        proxy.clearFaults();
        proxy.queue({
          when: { method: 'POST', pathIncludes: '/bundle' },
          respond: bundleAnswer(),
          cues: [{ at: 'headers', do: 'hold', gate: 'first completed' }],
        });
        queueAnswers();
        completes();
      },
    });
    await until(() => first.stdout().includes('"completed"'));
    proxy.openGate('first completed');
    const [one, two] = await Promise.all([first.done, second]);
    assert.deepEqual([one.code, two.code], [0, 0], one.stderr + two.stderr);
    for (const name of ['bundle.tar', 'other.tar'])
      assert.deepEqual(await readFile(cli.pathOf(name)), content);
    assert.equal(starts(), 1);
  });

  it('says that a job may be running if a command was killed before the answer to its start', async () => {
    // The proxy takes the first answer that fits, so the one of beforeEach goes.
    proxy.clearFaults();
    proxy.queue({
      when: { method: 'POST' },
      respond: json(202, { jobId: 'job-1' }),
      cues: [{ at: 'headers', do: 'hold', gate: 'never' }],
    });
    const { child, done } = begin();
    await until(() => starts() === 1);
    child.kill('SIGKILL');
    await done;
    queueAnswers();
    completes();
    const again = await here();
    assert.equal(again.code, 0, again.stderr);
    assert.match(again.stderr, /An earlier command ended .* ago.*Its job may be running, too\./);
    assert.equal(starts(), 2);
    assert.doesNotMatch((await here()).stderr, /may be running/);
  });

  it('starts over if the clock was set back since the job of an unfinished run ended', async () => {
    completes();
    assert.equal((await failAfterDownload()).code, 13);
    const jobs = cli.pathOf('state', 'exports');
    for (const name of await readdir(jobs)) {
      const file = path.join(jobs, name);
      const text = await readFile(file, 'utf8');
      const endedAt = Date.now() + 24 * 3_600_000;
      await writeFile(file, text.replace(/"endedAt":\d+/, `"endedAt":${endedAt}`));
    }
    assert.equal((await here()).code, 0);
    assert.equal(starts(), 2);
  });

  it('renews a link that has expired, and fails if the new one is refused, too', async () => {
    completes();
    const refusal = (code: string): StoreFault => ({
      answer: { status: 403, body: `<Error><Code>${code}</Code></Error>` },
    });
    store.queue(refusal('ExpiredToken'));
    assert.equal((await here()).code, 0);
    assert.equal(store.requests.length, 2);
    store.queue(refusal('AccessDenied'), refusal('AccessDenied'));
    const { code, stderr } = await here(['--new']);
    assert.match(stderr, /file server at 127.*AccessDenied.*even with a new link/);
    assert.equal(code, 7);
  });

  it('does not touch a file that another command downloads', async () => {
    completes();
    store.queue({ stallAfter: 3_000_000 });
    const { child, done } = begin();
    await until(async () => (await partSize()) > 0);
    const { code, stderr } = await here();
    assert.match(stderr, /Another download to .*--output/);
    assert.equal(code, 13);
    child.kill('SIGKILL');
    await done;
  });

  it('fails on the named findings, prints them, and writes the link', async () => {
    completes();
    const { code, stdout } = await cli.run(
      ['export', 'run', '--output', 'bundle.tar', '--link-file', 'link.txt'],
      { env: cli.envFor(proxy.url) },
    );
    assert.match(stdout, /^index\.html:1:\d+: error: .*gone\.html/m);
    assert.match(stdout, /Failed because of --fail-on: broken-links\n$/);
    assert.equal(code, 12);
    assert.match(await readFile(cli.pathOf('link.txt'), 'utf8'), /^http:\S+Signature=\S+\n$/);
    const { events } = await here(['--json', '--new']);
    assert.deepEqual(namesOf(events()).slice(-2), ['checking', 'checked']);
    const { report } = fieldsOf(events().at(-1));
    assert.equal((report as { brokenCount: number }).brokenCount, 1);
  });

  it('writes a new link if the one of the download has expired by then', async () => {
    completes();
    const hurried = hurriedClock();
    let passedMs = 0;
    const { code } = await cli.run([...args, '--link-file', 'link.txt'], {
      env: cli.envFor(proxy.url),
      clock: { ...hurried, now: () => hurried.now() + passedMs },
      onOutput: (text) => {
        if (text.includes('Downloaded')) passedMs = 2 * 3_600_000;
      },
    });
    assert.equal(code, 0);
    const links = proxy.exchanges.filter(({ path }) => path.endsWith('/bundle'));
    assert.equal(links.length, 2);
  });

  it('shows its progress in one line of a terminal', async function () {
    if (!hasTerminal) skipLoudly(this);
    proxy.queue(
      atStatus({ respond: json(200, { status: 'running', pageCount: 120, progress: 40 }) }),
    );
    completes();
    const { code, stdout } = await runOnTerminal(args, {
      env: { ...cli.envFor(proxy.url), CI: '' },
      cwd: cli.folder,
      columns: 80,
    });
    assert.equal(code, 0);
    // eslint-disable-next-line no-control-regex -- the line is replaced by an escape sequence
    assert.match(stdout, /\r\u001b\[Ksample: running · 120 pages · 40 %/);
    // eslint-disable-next-line no-control-regex -- as above
    assert.match(stdout, /\r\u001b\[KDownloading: .* of 4\.1 MB/);
    const inCi = await runOnTerminal([...args, '--new'], {
      env: { ...cli.envFor(proxy.url), CI: 'true' },
      cwd: cli.folder,
    });
    assert.equal(inCi.stdout.includes('\r\u001b[K'), false);
    assert.equal(inCi.code, 0);
  });
});
