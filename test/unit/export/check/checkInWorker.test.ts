import assert from 'node:assert/strict';
import path from 'node:path';
import { checkInWorker } from '../../../../src/export/check/checkInWorker';
import { ExportError } from '../../../../src/export/exportErrors';
import { useBuiltWorker } from '../builtWorker';
import { checkFolder, page, withSite } from './site';

const site = {
  'index.html': page(
    '<a href="gone.html">x</a><script src="https://cdn.example.com/a.js"></script>',
  ),
  'b.html': page('<a href="index.html">x</a>'),
};

describe('checkInWorker', () => {
  const built = useBuiltWorker('src/export/check/checkWorker.ts');

  const run = (options: Partial<Parameters<typeof checkInWorker>[0]>): Promise<unknown> =>
    checkInWorker({
      script: built.script,
      root: built.folder,
      signal: new AbortController().signal,
      onProgress: () => undefined,
      ...options,
    });
  const failsWith = async (outcome: Promise<unknown>, causeCode: RegExp): Promise<void> => {
    await assert.rejects(outcome, (error) => {
      assert.ok(error instanceof ExportError);
      assert.equal(error.code, 'check-failed');
      assert.match(error.details.causeCode ?? '', causeCode);
      assert.equal(error.details.path, built.folder);
      return true;
    });
  };

  it('returns the same report as the check with its duration, and reports progress', async () => {
    await withSite(site, async (root) => {
      const progress: unknown[] = [];
      const report = await checkInWorker({
        script: built.script,
        root,
        signal: new AbortController().signal,
        onProgress: (pages) => progress.push(pages),
      });
      const { durationMs } = report;
      assert.deepEqual({ ...report, durationMs: undefined }, await checkFolder(root));
      assert.ok(durationMs !== undefined && durationMs >= 0);
      assert.deepEqual(progress.at(-1), { pages: 2, totalPages: 2 });
    });
  });

  it('says that the folder no longer exists', async () => {
    const root = path.join(built.folder, 'gone');
    await assert.rejects(run({ root }), (error) => {
      assert.ok(error instanceof ExportError);
      assert.equal(error.code, 'file-gone');
      assert.equal(error.details.path, root);
      return true;
    });
  });

  it('ends the worker when it is stopped', async () => {
    const controller = new AbortController();
    const endless = await built.workerThat(
      "import { parentPort } from 'node:worker_threads'; parentPort.postMessage({ name: 'progress', progress: { pages: 1, totalPages: 2 } }); for (;;);",
    );
    const outcome = run({
      script: endless,
      signal: controller.signal,
      onProgress: () => controller.abort(new Error('stopped')),
    });
    await assert.rejects(outcome, /stopped/);
  });

  it('starts no worker when it was stopped before', async () => {
    const signal = AbortSignal.abort(new Error('stopped'));
    await assert.rejects(run({ signal, script: '/not/there.mjs' }), /stopped/);
  });

  it('reports a worker that crashed, ended early or is missing', async () => {
    await failsWith(
      run({ script: await built.workerThat('throw new TypeError("x")') }),
      /^TypeError$/,
    );
    await failsWith(run({ script: await built.workerThat('process.exit(3)') }), /^exit 3$/);
    await failsWith(run({ script: await built.workerThat('') }), /^exit 0$/);
    await failsWith(run({ script: path.join(built.folder, 'none.mjs') }), /MODULE_NOT_FOUND$/);
  });

  it('passes no environment variables to the worker', async () => {
    process.env['CHECK_TEST_MARK'] = 'mark';
    try {
      const telling = await built.workerThat(
        "import { parentPort } from 'node:worker_threads'; parentPort.postMessage({ name: 'failed', causeCode: String(process.env.CHECK_TEST_MARK) });",
      );
      await failsWith(run({ script: telling }), /^undefined$/);
    } finally {
      delete process.env['CHECK_TEST_MARK'];
    }
  });
});
