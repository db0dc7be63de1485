import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, readdir, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { aTar } from '../../builders/archive';
import { QUERY_CANARY, startObjectStore, type ObjectStore } from '../../fakes/objectStore';
import {
  bundleOf,
  DeploymentFiles,
  publish,
  startHostProcess,
  versionedSite,
  type HostProcess,
} from './hosting';

interface Health {
  readonly status: string;
  readonly version?: { readonly label?: string; readonly pages: number };
  readonly problem?: { readonly code: string; readonly message: string };
}

const healthOf = async (origin: string): Promise<Health> => {
  const answer = await fetch(`${origin}/_docs-assistant/host/health`);
  assert.equal(answer.status, 200);
  const text = await answer.text();
  assert.ok(!text.includes(QUERY_CANARY), 'the health page has the link');
  return JSON.parse(text) as Health;
};

describe('docs-assistant host, when something goes wrong,', () => {
  let store: ObjectStore;
  let files: DeploymentFiles;
  let host: HostProcess | undefined;
  beforeEach(async () => {
    store = await startObjectStore(Buffer.alloc(0));
    files = await DeploymentFiles.create();
  });
  afterEach(async () => {
    await host?.end('SIGKILL');
    // No line of the log has the secret part of a link.
    assert.ok(host?.output.includes(QUERY_CANARY) !== true, host?.output);
    host = undefined;
    await store.stop();
    await files.remove();
  });

  /** Starts the host, and waits until it serves the first version. */
  const serving = async (
    args: readonly string[] = [],
    shell?: string,
  ): Promise<{ readonly host: HostProcess; readonly origin: string }> => {
    await files.set(publish(store, bundleOf(versionedSite('good')), 'good'));
    const started = startHostProcess(files, args, shell === undefined ? {} : { shell });
    host = started;
    await started.until(({ event }) => event === 'serving');
    return { host: started, origin: await started.origin() };
  };

  /** Changes the files, and returns the code of the problem that the host then tells. */
  const problemAfter = async (
    { host: running, origin }: Awaited<ReturnType<typeof serving>>,
    change: () => Promise<void>,
  ): Promise<string> => {
    const from = running.events.length;
    await change();
    running.child.kill('SIGHUP');
    const { code } = await running.until(({ event }) => event === 'problem', from);
    const health = await healthOf(origin);
    assert.equal(health.status, 'degraded');
    assert.equal(health.problem?.code, code);
    assert.match(health.problem?.message ?? '', /\.$/);
    assert.match(await (await fetch(`${origin}/guide`)).text(), /version=good/);
    assert.equal((await fetch(`${origin}/_docs-assistant/host/ready`)).status, 200);
    return String(code);
  };

  // Shows faults.md X1.
  it('keeps the last good version for every bad archive, link and values file, then takes a good one', async function () {
    this.timeout(120_000);
    const running = await serving();
    const bundle = (name: string, content: Buffer) => (): Promise<void> =>
      files.set(publish(store, content, name));
    const whole = bundleOf(versionedSite('next'));
    const cases: [string, string, () => Promise<void>][] = [
      ['no archive', 'archive-refused', bundle('text', Buffer.from('<html>Sign in</html>'))],
      ['a cut archive', 'archive-damaged', bundle('cut', whole.subarray(0, whole.length - 40))],
      [
        'an unsafe archive',
        'archive-refused',
        bundle('unsafe', gzipSync(aTar([{ name: '../x.html', content: 'x' }]))),
      ],
      ['an archive without pages', 'archive-refused', bundle('none', bundleOf({ 'a.txt': 'x' }))],
      [
        'an expired link',
        'link-expired',
        async () => {
          await files.set(publish(store, whole, 'expired'));
          store.expireLinks();
        },
      ],
      ['a link that isn’t encrypted', 'link-refused', () => files.set('http://a.example/b?sig=x')],
      ['a values file that isn’t YAML', 'values-invalid', () => files.write('a: [1\nb: 2')],
      ['a template', 'values-invalid', () => files.write('staticExport: {{ .Values.x }}')],
      ['values without the keys', 'values-incomplete', () => files.write('replicas: 2\n')],
      [
        'values without a link',
        'values-incomplete',
        () => files.write('staticExport:\n  enabled: true\n'),
      ],
    ];
    for (const [name, code, change] of cases) {
      assert.equal(await problemAfter(running, change), code, name);
      assert.equal((await readdir(path.join(files.data, 'versions'))).length, 1, name);
    }
    await files.set(publish(store, whole, 'next'), 'v2');
    running.host.child.kill('SIGHUP');
    await running.host.until((event) => event['label'] === 'v2');
    const health = await healthOf(running.origin);
    assert.equal(health.status, 'serving');
    assert.equal(health.problem, undefined);
    assert.equal(health.version?.label, 'v2');
    assert.match(await (await fetch(running.origin)).text(), /version=next/);
  });

  // Shows faults.md X2.
  it('keeps the last good version when the disk is full, and says so', async function () {
    if (process.platform === 'win32') this.skip();
    this.timeout(60_000);
    // A limit on the size of files fails writes as a full quota does.
    const running = await serving([], 'ulimit -f 100');
    const large = { ...versionedSite('large'), 'large.txt': 'x'.repeat(400_000) };
    const code = await problemAfter(running, () =>
      files.set(publish(store, bundleOf(large), 'large')),
    );
    assert.equal(code, 'disk-full');
    const names = await readdir(path.join(files.data, 'versions'));
    assert.equal(names.length, 1, 'a part of the large version is left');
  });

  // Shows faults.md X7.
  it('waits with a reason if nothing can be served, and serves when the reason is gone', async () => {
    await files.write('staticExport:\n  enabled: true\n');
    host = startHostProcess(files);
    const origin = await host.origin();
    await host.until(({ event }) => event === 'problem');
    const page = await fetch(origin);
    assert.equal(page.status, 503);
    assert.equal(page.headers.get('retry-after'), '10');
    assert.equal((await fetch(`${origin}/_docs-assistant/host/ready`)).status, 503);
    assert.equal((await healthOf(origin)).status, 'unavailable');
    await files.set(publish(store, bundleOf(versionedSite('v1')), 'v1'));
    // No signal this time: the host watches the file.
    await host.until(({ event }) => event === 'serving');
    assert.equal((await fetch(origin)).status, 200);
  });

  // Shows faults.md X7.
  it('keeps running if its data folder can’t be written', async () => {
    await writeFile(path.join(files.folder, 'file'), '');
    await files.set(publish(store, bundleOf(versionedSite('v1')), 'v1'));
    host = startHostProcess(files, ['--data', path.join(files.folder, 'file/data')]);
    const { code } = await host.until(({ event }) => event === 'problem');
    assert.equal(code, 'data-not-writable');
    assert.equal((await healthOf(await host.origin())).problem?.code, 'data-not-writable');
  });

  it('goes on when nobody reads its log any more', async () => {
    const { host: running, origin } = await serving(['--log-requests']);
    running.child.stdout?.destroy();
    // Each of them is logged when it has ended.
    for (let times = 0; times < 5; times++) {
      assert.match(await (await fetch(`${origin}/guide`)).text(), /version=good/);
    }
    const ended = once(running.child, 'exit');
    running.child.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
  });

  it('follows a mount whose symbolic link is swapped', async () => {
    const put = async (name: string, version: string): Promise<void> => {
      await mkdir(path.join(files.folder, name));
      const url = publish(store, bundleOf(versionedSite(version)), version);
      await writeFile(
        path.join(files.folder, name, 'values.yaml'),
        `staticExport:\n  enabled: true\n  bundleUrl: ${url}\n  version: ${version}\n`,
      );
      await symlink(name, path.join(files.folder, '..next'));
      await rename(path.join(files.folder, '..next'), path.join(files.folder, '..data'));
    };
    await put('..first', 'v1');
    await symlink('..data/values.yaml', files.values);
    host = startHostProcess(files);
    await host.until((event) => event['label'] === 'v1');
    await put('..second', 'v2');
    await host.until((event) => event['label'] === 'v2');
  });

  it('takes the link from its own file, and the later of several values files', async () => {
    const link = path.join(files.folder, 'link');
    await writeFile(link, `${publish(store, bundleOf(versionedSite('v1')), 'v1')}\n`);
    await files.write('staticExport:\n  enabled: true\n  version: old\n');
    const second = path.join(files.folder, 'second.yaml');
    await writeFile(second, 'staticExport:\n  version: 1.10\n');
    host = startHostProcess(files, ['--values', second, '--link-file', link]);
    const { label } = await host.until(({ event }) => event === 'serving');
    assert.equal(label, '1.10');
  });

  it('takes over new redirects, and keeps those that it has if the file is damaged', async () => {
    const file = path.join(files.folder, 'redirects.json');
    const put = (from: string): Promise<void> =>
      writeFile(
        file,
        JSON.stringify({ version: 1, redirects: [{ from, to: '/guide', status: 301 }] }),
      );
    await put('/old');
    const running = await serving(['--redirects', file]);
    const locationOf = async (address: string): Promise<string | null> =>
      (await fetch(running.origin + address, { redirect: 'manual' })).headers.get('location');
    assert.equal(await locationOf('/old.html'), '/guide');
    assert.equal(
      await problemAfter(running, () => writeFile(file, '{"version":1}')),
      'redirects-invalid',
    );
    assert.equal(await locationOf('/old'), '/guide');
    const from = running.host.events.length;
    await put('/older');
    running.host.child.kill('SIGHUP');
    await running.host.until(({ event }) => event === 'unchanged', from);
    assert.equal(await locationOf('/older?q=1'), '/guide?q=1');
    assert.equal(await locationOf('/old'), null);
  });

  it('turns off and on, and serves a pinned version again without a download', async () => {
    const running = await serving();
    const first = publish(store, bundleOf(versionedSite('v1')), 'v1');
    await files.set(first, 'v1');
    running.host.child.kill('SIGHUP');
    await running.host.until((event) => event['label'] === 'v1');
    await files.set(publish(store, bundleOf(versionedSite('v2')), 'v2'), 'v2');
    running.host.child.kill('SIGHUP');
    await running.host.until((event) => event['label'] === 'v2');
    await files.write('staticExport:\n  enabled: false\n');
    running.host.child.kill('SIGHUP');
    await running.host.until(({ event }) => event === 'off');
    assert.equal((await fetch(running.origin)).status, 503);
    assert.equal((await healthOf(running.origin)).status, 'off');
    // The link has expired, but its version is kept.
    store.expireLinks();
    const requests = store.requests.length;
    const from = running.host.events.length;
    await files.set(first, 'v1');
    running.host.child.kill('SIGHUP');
    const back = await running.host.until(({ event }) => event === 'serving', from);
    assert.deepEqual([back['label'], back['isKept']], ['v1', true]);
    assert.equal(store.requests.length, requests);
    assert.match(await (await fetch(running.origin)).text(), /version=v1/);
  });

  // Shows faults.md X5.
  it('serves an older version if files of the newest are damaged', async () => {
    const running = await serving();
    await files.set(publish(store, bundleOf(versionedSite('v2')), 'v2'));
    const from = running.host.events.length;
    running.host.child.kill('SIGHUP');
    const { id } = await running.host.until(({ event }) => event === 'serving', from);
    await running.host.end('SIGKILL');
    // A power failure can leave files without their content.
    const site = path.join(files.data, 'versions', String(id), 'site');
    await writeFile(path.join(site, 'guide.html'), '');
    store.expireLinks();
    host = startHostProcess(files);
    await host.until(({ event }) => event === 'serving');
    assert.match(await (await fetch(await host.origin())).text(), /version=good/);
  });

  // Shows faults.md X6.
  it('lets only one host use a data folder', async () => {
    const running = await serving();
    const second = startHostProcess(files);
    try {
      await second.until(({ event }) => event === 'waiting');
      const health = await healthOf(await second.origin());
      assert.equal(health.problem?.code, 'data-in-use');
      await running.host.end('SIGTERM');
      await second.until(({ event }) => event === 'serving');
    } finally {
      await second.end('SIGKILL');
    }
  });
});
