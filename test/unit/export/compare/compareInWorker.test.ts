import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import esbuild from 'esbuild';
import {
  compareInWorker,
  comparePercent,
  type CompareInWorkerOptions,
} from '../../../../src/export/compare/compareInWorker';
import type { BundleComparison } from '../../../../src/export/compare/comparison';
import { ExportError } from '../../../../src/export/exportErrors';
import { withSite } from '../check/site';
import { comparedFolders, docsPage, prose } from './comparing';

describe('compareInWorker', () => {
  let folder = '';
  let script = '';

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'compare-worker-'));
    script = path.join(folder, 'compareBundles.mjs');
    await esbuild.build({
      entryPoints: ['src/export/compare/compareWorker.ts'],
      outfile: script,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
    });
  });

  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  const run = (options: Partial<CompareInWorkerOptions>): Promise<BundleComparison> =>
    compareInWorker({
      script,
      before: { root: folder, name: 'docs-1.tar.gz' },
      after: { root: folder, name: 'docs-2.tar.gz' },
      signal: new AbortController().signal,
      onProgress: () => undefined,
      ...options,
    });

  it('returns the same comparison as the function, and reports progress that never goes back', async () => {
    const old = { 'index.html': docsPage('Home', prose('a')) };
    await withSite(old, (before) =>
      withSite({ ...old, 'b.html': docsPage('B', prose('b')) }, async (after) => {
        const percents: number[] = [];
        const comparison = await run({
          before: { root: before, name: 'docs-1.tar.gz' },
          after: { root: after, name: 'docs-2.tar.gz' },
          onProgress: (progress) => percents.push(comparePercent(progress)),
        });
        const { durationMs } = comparison;
        assert.deepEqual(
          { ...comparison, durationMs: undefined },
          await comparedFolders(before, after),
        );
        assert.ok(durationMs !== undefined && durationMs >= 0);
        assert.deepEqual(
          percents,
          percents.toSorted((a, b) => a - b),
        );
        assert.equal(percents.at(-1), 100);
      }),
    );
  });

  it('says which folder is missing', async () => {
    const root = path.join(folder, 'gone');
    await assert.rejects(run({ after: { root, name: 'gone' } }), (error) => {
      assert.ok(error instanceof ExportError);
      assert.deepEqual([error.code, error.details.path], ['file-gone', root]);
      return true;
    });
  });

  it('reports a crashed worker', async () => {
    await assert.rejects(run({ script: path.join(folder, 'none.mjs') }), (error) => {
      assert.ok(error instanceof ExportError);
      assert.deepEqual([error.code, error.details.path], ['compare-failed', 'docs-2.tar.gz']);
      return true;
    });
  });
});
