/** Check Bundle beside the extension host's thread. Uses `node:worker_threads`. */
import { Worker } from 'node:worker_threads';
import * as v from 'valibot';
import { ExportError } from '../exportErrors';
import type { CheckProgress } from './checkBundle';
import { codeOf } from '../errorCode';
import type { BundleReport } from './reportTypes';
import { workerMessageSchema, type WorkerInput } from './workerMessages';

export interface CheckInWorkerOptions {
  /** Absolute path of the built `checkWorker.ts`. */
  readonly script: string;
  /** As in `CheckOptions`. */
  readonly root: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: CheckProgress) => void;
}

/** Enough for 100,000 pages; beyond it the worker ends with an error, and the host lives on. */
const MAX_HEAP_MB = 2048;

/**
 * Checks a bundle in a worker thread, which ends with the check or the signal.
 *
 * @throws {ExportError} as `checkBundle`, and `check-failed` if the worker breaks down;
 *   `details.causeCode` is its error's code or name.
 */
export async function checkInWorker(options: CheckInWorkerOptions): Promise<BundleReport> {
  const { script, root, signal, onProgress } = options;
  signal.throwIfAborted();
  const input: WorkerInput = { root };
  const worker = new Worker(script, {
    workerData: input,
    // Nothing of the host's environment or flags is any business of the check.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  let stop = (): void => undefined;
  try {
    return await new Promise<BundleReport>((resolve, reject) => {
      stop = () => reject(signal.reason as Error);
      signal.addEventListener('abort', stop);
      worker.on('message', (message: unknown) => {
        const parsed = v.safeParse(workerMessageSchema, message);
        if (!parsed.success) return;
        switch (parsed.output.name) {
          case 'progress':
            if (!signal.aborted) onProgress(parsed.output.progress);
            break;
          case 'report':
            resolve(parsed.output.report);
            break;
          case 'file-gone':
            reject(new ExportError('file-gone', { path: root }));
            break;
          case 'failed':
            reject(failure(root, parsed.output.causeCode));
            break;
        }
      });
      worker.on('error', (error: unknown) => reject(failure(root, codeOf(error), error)));
      worker.on('exit', (code) => reject(failure(root, `exit ${code}`)));
    });
  } finally {
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}

function failure(root: string, causeCode: string, cause?: unknown): ExportError {
  return new ExportError('check-failed', { path: root, causeCode, cause });
}
