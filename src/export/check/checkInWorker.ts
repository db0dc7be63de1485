/** Runs *Check Bundle* outside the extension host's thread. */
import { ownResult } from '../../common/workerTask';
import { pageProgressSchema, runInWorker, type SiteTask } from '../workerTask';
import type { BundleReport } from './reportTypes';

interface CheckInWorkerOptions extends SiteTask {
  /** Absolute path of the built `checkWorker.ts`. */
  readonly script: string;
}

/**
 * Checks a bundle in a worker thread, which ends with the check or the signal.
 *
 * @throws {ExportError} the errors of `checkBundle`, or `check-failed` with the code or name of the
 * worker's error.
 */
export async function checkInWorker(options: CheckInWorkerOptions): Promise<BundleReport> {
  const { script, root, signal, onProgress } = options;
  return runInWorker({
    script,
    signal,
    onProgress,
    data: { root },
    progressSchema: pageProgressSchema,
    resultSchema: ownResult<BundleReport>(),
    failure: { code: 'check-failed', path: root },
  });
}
