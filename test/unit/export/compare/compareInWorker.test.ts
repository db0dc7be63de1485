import assert from 'node:assert/strict';
import path from 'node:path';
import {
  compareInWorker,
  comparePercent,
  type CompareInWorkerOptions,
} from '../../../../src/export/compare/compareInWorker';
import type { BundleComparison } from '../../../../src/export/compare/comparison';
import { ExportError } from '../../../../src/export/exportErrors';
import { useBuiltWorker } from '../builtWorker';
import { withSite } from '../check/site';
import { comparedFolders, docsPage, prose } from './comparing';

describe('compareInWorker', () => {
  const built = useBuiltWorker('src/export/compare/compareWorker.ts');

  const run = (options: Partial<CompareInWorkerOptions>): Promise<BundleComparison> =>
    compareInWorker({
      script: built.script,
      before: { root: built.folder, name: 'docs-1.tar.gz' },
      after: { root: built.folder, name: 'docs-2.tar.gz' },
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
    const root = path.join(built.folder, 'gone');
    await assert.rejects(run({ after: { root, name: 'gone' } }), (error) => {
      assert.ok(error instanceof ExportError);
      assert.deepEqual([error.code, error.details.path], ['file-gone', root]);
      return true;
    });
  });

  it('reports a crashed worker', async () => {
    await assert.rejects(run({ script: path.join(built.folder, 'none.mjs') }), (error) => {
      assert.ok(error instanceof ExportError);
      assert.deepEqual([error.code, error.details.path], ['compare-failed', 'docs-2.tar.gz']);
      return true;
    });
  });
});
