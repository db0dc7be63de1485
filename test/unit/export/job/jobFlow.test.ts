import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { ExportClient } from '../../../../src/export/job/client';
import {
  followJob,
  type JobPorts,
  newBundleLink,
  startJob,
} from '../../../../src/export/job/jobFlow';
import { anExport } from '../../../builders/exports';
import { adminKey, never, target } from '../../../builders/exportWindow';
import { FakeExportApi } from '../../../fakes/exportApi';
import { FakeClock } from '../../../fakes/fakeClock';
import { RecordingLog } from '../../../fakes/recordingLog';

/** Returns a promise, and the function that resolves it. */
function held(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve: () => resolve() };
}

let api: FakeExportApi;
let ports: JobPorts;
beforeEach(() => {
  api = new FakeExportApi();
  const clock = new FakeClock();
  const log = new RecordingLog();
  ports = {
    clock,
    log,
    newId: () => 'e1',
    random: () => 0.5,
    endpoints: { open: (url) => Promise.resolve({ url, adminKey }) },
    client: new ExportClient({
      fetch: api.fetch,
      clock,
      log,
      timeouts: () => ({ headersTimeoutMs: 30_000, idleTimeoutMs: 20_000 }),
      secrets: () => [],
    }),
  };
});

describe('startJob', () => {
  it('sends the request only once it is noted that it will be sent', async () => {
    const noted = held();
    const started = startJob(ports, target, never, () => noted.promise);
    await turn();
    assert.equal(api.count('start'), 0);
    noted.resolve();
    assert.equal((await started).jobId, 'job-1');
  });

  it('notes nothing if it is stopped while the key is read', async () => {
    const stopping = new AbortController();
    const read = held();
    let isNoted = false;
    const open = (url: string) => read.promise.then(() => ({ url, adminKey }));
    const started = startJob(
      { ...ports, endpoints: { open } },
      target,
      stopping.signal,
      () => void (isNoted = true),
    );
    stopping.abort(new Error('stopped'));
    read.resolve();
    await assert.rejects(started, /stopped/);
    assert.deepEqual([isNoted, api.requests.length], [false, 0]);
  });
});

describe('followJob', () => {
  for (const [status, code] of [
    ['completed', undefined],
    ['failed', 'job-failed'],
  ] as const) {
    it(`ends a ${status} job with ${code ?? 'no error'}`, async () => {
      api.jobs.set('job-1', { status });
      const ends: unknown[] = [];
      for await (const step of followJob(ports, anExport(), never)) {
        ends.push(step.name === 'ended' && step.error?.code);
      }
      assert.deepEqual(ends, [code]);
    });
  }
});

describe('newBundleLink', () => {
  for (const [status, event] of [
    ['completed', 'bundle-linked'],
    ['running', 'bundle-refused'],
  ] as const) {
    it(`settles for a ${status} job once “${event}” is stored`, async () => {
      api.jobs.set('job-1', { status });
      const stored = held();
      const applied: string[] = [];
      let isSettled = false;
      const link = newBundleLink(
        ports,
        anExport(),
        ({ name }) => {
          applied.push(name);
          return stored.promise;
        },
        never,
      ).then(
        () => (isSettled = true),
        () => (isSettled = true),
      );
      await turn();
      assert.deepEqual([applied, isSettled], [[event], false]);
      stored.resolve();
      await link;
    });
  }

  it('doesn’t count a job as running that another failure is about', async () => {
    const applied: string[] = [];
    const apply = ({ name }: { readonly name: string }) => Promise.resolve(applied.push(name));
    await assert.rejects(newBundleLink(ports, anExport(), apply, never), { code: 'unknown-job' });
    assert.deepEqual(applied, []);
  });

  it('ends with the failure of the service if the next try is after the deadline', async () => {
    api.queue('bundle', () => Response.json({}, { status: 503 }));
    const deadline = ports.clock.now() + 100;
    const link = newBundleLink(
      { ...ports, deadline },
      anExport(),
      () => Promise.resolve(),
      AbortSignal.timeout(1000),
    );
    await assert.rejects(link, { code: 'service-down' });
    assert.equal(api.count('bundle'), 1);
  });
});
