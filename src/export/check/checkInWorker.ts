/** Runs *Check Bundle* outside the extension host's thread. Uses `node:worker_threads`. */
import { Worker } from 'node:worker_threads';
import * as v from 'valibot';
import { errorCodeOrName } from '../../common/errorCode';
import { ExportError } from '../exportErrors';
import type { CheckProgress } from './checkBundle';
import type { BundleReport } from './reportTypes';

/** Messages of the worker to the host. */
const workerMessageSchema = v.variant('name', [
  v.object({
    name: v.literal('progress'),
    progress: v.object({ pages: v.number(), totalPages: v.number() }),
  }),
  v.object({
    name: v.literal('report'),
    // The report comes from our own worker. Checking 100,000 findings would freeze the host.
    report: v.custom<BundleReport>((report) => typeof report === 'object' && report !== null),
  }),
  /** The folder does not exist. */
  v.object({ name: v.literal('file-gone') }),
  v.object({ name: v.literal('failed'), causeCode: v.string() }),
]);

export type WorkerMessage = v.InferOutput<typeof workerMessageSchema>;

export interface CheckInWorkerOptions {
  /** Absolute path of the built `checkWorker.ts`. */
  readonly script: string;
  /** Absolute path of the folder to check. */
  readonly root: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: CheckProgress) => void;
}

/** Memory limit, enough for 100,000 pages. Beyond it only the worker fails, not the host. */
const MAX_HEAP_MB = 2048;

/**
 * Checks a bundle in a worker thread, which ends with the check or the signal.
 *
 * @throws {ExportError} the errors of `checkBundle`, or `check-failed` with the code or name of the
 * worker's error.
 */
export async function checkInWorker(options: CheckInWorkerOptions): Promise<BundleReport> {
  const { script, root, signal, onProgress } = options;
  signal.throwIfAborted();
  const worker = new Worker(script, {
    workerData: { root },
    // The worker doesn't need the host's environment and flags.
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
      worker.on('error', (error: unknown) => reject(failure(root, errorCodeOrName(error), error)));
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
