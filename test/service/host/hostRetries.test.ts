import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { systemClock } from '../../../src/common/clock';
import type { Clock } from '../../../src/common/ports';
import type { HostEvent } from '../../../src/host/hostEvents';
import { runHost } from '../../../src/host/runHost';
import { survey } from '../../builders/hostedSite';
import { RecordingLog } from '../../fakes/recordingLog';
import { startObjectStore, type ObjectStore, type StoreFault } from '../../fakes/objectStore';
import { bundleOf, DeploymentFiles, publish, versionedSite } from './hosting';

/** Clock whose delays are a thousandth, so that minutes of waiting pass in a test. */
const fastClock: Clock = {
  now: () => Date.now(),
  delay: (ms, signal) => systemClock.delay(ms / 1000, signal),
};

describe('a host whose file server fails', () => {
  let store: ObjectStore;
  let files: DeploymentFiles;
  beforeEach(async () => {
    store = await startObjectStore(Buffer.alloc(0));
    files = await DeploymentFiles.create();
    await files.set(publish(store, bundleOf(versionedSite('v1')), 'v1'), 'v1');
  });
  afterEach(async () => {
    await store.stop();
    await files.remove();
  });

  /** Runs a host until an event. @returns all its events. */
  async function runUntil(is: (event: HostEvent) => boolean): Promise<readonly HostEvent[]> {
    const stopping = new AbortController();
    const events: HostEvent[] = [];
    await runHost({
      files: { values: [files.values] },
      dataFolder: files.data,
      address: '127.0.0.1',
      port: 0,
      basePath: undefined,
      service: undefined,
      tokenFile: undefined,
      counts: false,
      keep: 2,
      logsRequests: false,
      stopMs: 0,
      clock: fastClock,
      lookMs: 100_000,
      onRefresh: () => undefined,
      tell: (event) => {
        events.push(event);
        if (is(event)) stopping.abort();
      },
      prepare: {
        fetch: (url, init) => fetch(url, init),
        clock: fastClock,
        log: new RecordingLog(),
        newId: () => 'test',
        random: () => 0.5,
        timeouts: { headersTimeoutMs: 10_000_000, idleTimeoutMs: 10_000_000 },
        hashScript: 'dist/hashArchive.js',
        survey: (root) => survey(root),
      },
      signal: stopping.signal,
    });
    return events;
  }

  const failures: readonly [string, StoreFault, string][] = [
    ['hangs up', { hangUp: true }, 'store-unreachable'],
    ['is busy', { answer: { status: 503 } }, 'store-unreachable'],
  ];
  for (const [name, fault, code] of failures) {
    it(`tells it when it ${name} too often, and serves after a later try`, async () => {
      store.queue(...Array.from({ length: 7 }, () => fault));
      const events = await runUntil(({ event }) => event === 'serving');
      const problem = events.find((event) => event.event === 'problem');
      assert.equal(problem?.code, code);
      assert.ok(problem.nextTry instanceof Date);
      assert.match(problem.detail, /127\.0\.0\.1|download-broken/);
      assert.deepEqual(
        events.map(({ event }) => event),
        ['listening', 'fetching', 'problem', 'fetching', 'serving', 'stopping', 'stopped'],
      );
    });
  }

  it('continues a download that breaks off, without a problem', async () => {
    const site = { ...versionedSite('v2'), 'noise.bin': randomBytes(20_000) };
    await files.set(publish(store, bundleOf(site), 'v2'), 'v2');
    store.queue({ cutAfter: 6000 });
    const events = await runUntil(({ event }) => event === 'serving');
    assert.ok(events.every(({ event }) => event !== 'problem'));
    assert.equal(store.requests.length, 2);
    assert.match(String(store.request(1).headers.range), /^bytes=\d+-$/);
  });
});
