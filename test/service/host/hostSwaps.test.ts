import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Agent, request } from 'node:http';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { seededRandom } from '../../builders/seededRandom';
import { startObjectStore, type ObjectStore } from '../../fakes/objectStore';
import { answerOf } from '../httpAnswer';
import {
  bundleOf,
  DeploymentFiles,
  publish,
  startHostProcess,
  versionedSite,
  type HostProcess,
} from './hosting';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

async function get(
  origin: string,
  address: string,
  agent: Agent,
  sent: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const { status, headers, body } = await answerOf(origin, address, { agent, headers: sent });
  const encoding = headers['content-encoding'];
  const plain =
    encoding === 'br' ? brotliDecompressSync(body) : encoding === 'gzip' ? gunzipSync(body) : body;
  return { status, headers, text: plain.toString() };
}

/** Returns the only version that a response names, in its text and in its policy. */
function versionOf({ text, headers }: Answer): string {
  const versions = [...text.matchAll(/version=([\w-]+)/g)].map(([, version = '']) => version);
  assert.equal(new Set(versions).size, 1, `mixed: ${versions.join(', ')}`);
  const [version = ''] = versions;
  const inline = /<script>(.*?)<\/script>/.exec(text)?.[1];
  if (inline !== undefined) {
    const hash = createHash('sha256').update(inline).digest('base64');
    assert.ok(String(headers['content-security-policy']).includes(hash), `policy of ${version}`);
  }
  return version;
}

const encodings = ['br', 'gzip', 'identity'];

/** Opens pages with their scripts until it is stopped, as readers do. @returns the number of responses. */
async function readDocs(
  origin: string,
  seed: number,
  isStopped: () => boolean,
): Promise<{ readonly responses: number; readonly versions: ReadonlySet<string> }> {
  const random = seededRandom(seed);
  const agent = new Agent({ keepAlive: seed % 2 === 0, maxSockets: 4 });
  const versions = new Set<string>();
  const tags = new Map<string, string>();
  let responses = 0;
  const pick = <T>(items: readonly T[]): T | undefined => items[random(items.length)];
  try {
    while (!isStopped()) {
      const address = pick(['/', '/guide', '/no-such-page', '/guide.html']) ?? '/';
      const encoding = pick(encodings) ?? 'identity';
      const key = `${address} ${encoding}`;
      const tag = tags.get(key);
      const headers = { 'accept-encoding': encoding };
      const answer = await get(
        origin,
        address,
        agent,
        tag === undefined || random(2) === 0 ? headers : { ...headers, 'if-none-match': tag },
      );
      responses += 1;
      if (address === '/guide.html') {
        assert.deepEqual([answer.status, answer.headers['location']], [301, '/guide']);
        continue;
      }
      if (answer.status === 304) continue;
      assert.equal(answer.status, address === '/no-such-page' ? 404 : 200);
      const version = versionOf(answer);
      versions.add(version);
      if (answer.status === 200) tags.set(key, String(answer.headers['etag']));
      // The script of the page, after a while in which a swap can happen.
      if (random(2) === 0) await new Promise((resolve) => setTimeout(resolve, random(100)));
      const script = /src="([^"]+)"/.exec(answer.text)?.[1] ?? '';
      const loaded = await get(origin, script, agent, { 'accept-encoding': encoding });
      responses += 1;
      assert.equal(loaded.status, 200, script);
      assert.equal(versionOf(loaded), version, 'a script of another version');
    }
  } finally {
    agent.destroy();
  }
  return { responses, versions };
}

describe('docs-assistant host', () => {
  let store: ObjectStore;
  let files: DeploymentFiles;
  let host: HostProcess | undefined;
  beforeEach(async () => {
    store = await startObjectStore(Buffer.alloc(0));
    files = await DeploymentFiles.create();
  });
  afterEach(async () => {
    await host?.end('SIGKILL');
    host = undefined;
    await store.stop();
    await files.remove();
  });

  const setVersion = (version: string): Promise<void> =>
    files.set(publish(store, bundleOf(versionedSite(version)), version), version);

  // Shows faults.md X4.
  it('fails no request and mixes no versions while it is swapped 50 times under load', async function () {
    this.timeout(180_000);
    await setVersion('v0');
    host = startHostProcess(files);
    const origin = await host.origin();
    await host.until(({ event }) => event === 'serving');
    let isStopped = false;
    const readers = [1, 2, 3, 4].map((seed) => readDocs(origin, seed, () => isStopped));
    const all = Promise.all(readers);
    // A failure of a reader ends the test at once.
    const failed = all.then(() => undefined);
    failed.catch(() => undefined);
    for (let version = 1; version <= 50; version++) {
      const label = `v${version}`;
      const from = host.events.length;
      await setVersion(label);
      host.child.kill('SIGHUP');
      await Promise.race([
        failed,
        host.until((event) => event.event === 'serving' && event['label'] === label, from),
      ]);
      // The new version answers from now on.
      const agent = new Agent();
      assert.equal(versionOf(await get(origin, '/', agent)), label);
      assert.equal((await get(origin, `/only-v${version - 1}`, agent)).status, 404);
    }
    isStopped = true;
    const read = await all;
    const responses = read.reduce((sum, each) => sum + each.responses, 0);
    const seen = new Set(read.flatMap(({ versions }) => [...versions]));
    assert.ok(responses > 500, `${responses} responses`);
    assert.ok(seen.size > 25, `${seen.size} versions were seen`);
    // The served version and two earlier ones are kept. Others go when their last request has ended.
    const kept = (): Promise<string[]> => readdir(path.join(files.data, 'versions'));
    while ((await kept()).length > 3) await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal((await kept()).length, 3);
    assert.deepEqual(
      host.events.filter(({ event }) => event === 'problem' || event === 'warning'),
      [],
    );
    assert.equal(await host.end(), 0);
  });

  // Shows faults.md X3.
  it('comes back with the last good version when it is killed at random', async function () {
    this.timeout(180_000);
    const random = seededRandom(24);
    await setVersion('v0');
    host = startHostProcess(files);
    await host.until(({ event }) => event === 'serving');
    let last = 'v0';
    for (let round = 1; round <= 10; round++) {
      const label = `v${round}`;
      await setVersion(label);
      host.child.kill('SIGHUP');
      await new Promise((resolve) => setTimeout(resolve, random(1200)));
      const wasServed = host.events.some((event) => event['label'] === label);
      await host.end('SIGKILL');
      // No file server answers after the kill, and the link is not what was downloaded.
      store.expireLinks();
      host = startHostProcess(files);
      const served = await host.until(({ event }) => event === 'serving');
      const answer = await get(await host.origin(), '/', new Agent());
      assert.equal(answer.status, 200);
      const version = versionOf(answer);
      assert.equal(version, served['label']);
      assert.ok(version === label || (version === last && !wasServed), `${version} after ${label}`);
      last = version;
    }
  });

  it('ends with the running requests at SIGTERM, and answers no new ones', async () => {
    const large = Buffer.alloc(30_000_000, 'large file ');
    const site = { ...versionedSite('v0'), 'large.bin': large };
    await files.set(publish(store, bundleOf(site), 'v0'));
    host = startHostProcess(files);
    const origin = await host.origin();
    await host.until(({ event }) => event === 'serving');
    // Browsers and proxies keep their connections.
    const agent = new Agent({ keepAlive: true });
    let isStopping: Promise<unknown> | undefined;
    const bytes = await new Promise<number>((resolve, reject) => {
      const sent = request(`${origin}/large.bin`, { agent }, (response) => {
        let received = 0;
        isStopping = host?.end('SIGTERM');
        response.on('data', (chunk: Buffer) => (received += chunk.length));
        response.on('end', () => resolve(received));
        response.on('error', reject);
      });
      sent.on('error', reject);
      sent.end();
    });
    assert.equal(bytes, large.length);
    assert.equal(await isStopping, 0);
    await assert.rejects(get(origin, '/', agent));
    agent.destroy();
    assert.deepEqual(
      host.events.slice(-2).map(({ event }) => event),
      ['stopping', 'stopped'],
    );
  });
});
