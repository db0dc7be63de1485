/** Runs *Compare Bundles…* outside the extension host's thread. */
import * as v from 'valibot';
import { ownResult } from '../../common/workerTask';
import { pageProgressSchema, runInWorker } from '../workerTask';
import type { BundleSide } from './bundleSide';
import type { BundleComparison } from './comparison';

/**
 * Steps of a comparison, in their order:
 * - `before`, `after`: reading the pages and links of the old and the new bundle.
 * - `text`: reading the text of pages that differ.
 */
const compareSteps = ['before', 'after', 'text'] as const;

const compareProgressSchema = v.object({
  step: v.picklist(compareSteps),
  ...pageProgressSchema.entries,
});

export type CompareProgress = v.InferOutput<typeof compareProgressSchema>;

/** Returns the progress of all steps together, from 0 to 100. */
export function comparePercent({ step, pages, totalPages }: CompareProgress): number {
  const within = totalPages === 0 ? 1 : Math.min(pages / totalPages, 1);
  return ((compareSteps.indexOf(step) + within) / compareSteps.length) * 100;
}

export interface CompareInWorkerOptions {
  /** Absolute path of the built `compareWorker.ts`, `dist/compareBundles.js`. */
  readonly script: string;
  readonly before: BundleSide;
  readonly after: BundleSide;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: CompareProgress) => void;
}

/**
 * Compares two unpacked bundles in a worker thread, which ends with the comparison or the signal.
 *
 * @throws {ExportError} `file-gone` if a root is not a folder, or `compare-failed` with the code or name
 * of the worker's error.
 */
export async function compareInWorker(options: CompareInWorkerOptions): Promise<BundleComparison> {
  const { script, before, after, signal, onProgress } = options;
  return runInWorker({
    script,
    signal,
    onProgress,
    data: { before, after },
    progressSchema: compareProgressSchema,
    resultSchema: ownResult<BundleComparison>(),
    failure: { code: 'compare-failed', path: after.name },
  });
}
