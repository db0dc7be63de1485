import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { runInWorker } from '../../../src/common/workerTask';

describe('runInWorker', () => {
  it('leaves no worker running when it is stopped', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'worker-task-'));
    try {
      const script = path.join(folder, 'endless.mjs');
      await writeFile(
        script,
        `import { parentPort, workerData } from 'node:worker_threads';
        parentPort.postMessage({ name: 'progress', progress: 1 });
        for (;;) Atomics.add(workerData, 0, 1);`,
      );
      const rounds = new Int32Array(new SharedArrayBuffer(4));
      const controller = new AbortController();
      const outcome = runInWorker({
        script,
        data: rounds,
        progressSchema: v.number(),
        resultSchema: v.unknown(),
        signal: controller.signal,
        onProgress: () => controller.abort(new Error('stopped')),
        failed: (causeCode) => new Error(causeCode),
        gone: (gone) => new Error(gone),
      });
      await assert.rejects(outcome, /stopped/);
      const counted = Atomics.load(rounds, 0);
      await delay(20);
      assert.equal(Atomics.load(rounds, 0), counted);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
