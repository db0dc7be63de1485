/** Runs a task outside the extension host's thread. Uses `node:worker_threads`. */
import { parentPort, Worker } from 'node:worker_threads';
import * as v from 'valibot';
import { errorCodeOrName } from '../common/errorCode';
import { ExportError, type ExportErrorCode } from './exportErrors';

/** Messages of the worker to the host. */
const workerMessageSchema = v.variant('name', [
  v.object({ name: v.literal('progress'), progress: v.unknown() }),
  v.object({ name: v.literal('result'), result: v.unknown() }),
  /** A folder of the task does not exist. */
  v.object({ name: v.literal('file-gone'), path: v.string() }),
  v.object({ name: v.literal('failed'), causeCode: v.string() }),
]);

type WorkerMessage = v.InferOutput<typeof workerMessageSchema>;

interface WorkerTask<Progress, Result> {
  /** Absolute path of the built worker. */
  readonly script: string;
  /** Input of the task, which the worker gets as `workerData`. */
  readonly data: unknown;
  readonly progressSchema: v.GenericSchema<unknown, Progress>;
  /** The result comes from our own worker. Checking 100,000 findings would freeze the host. */
  readonly resultSchema: v.GenericSchema<unknown, Result>;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  /** Code of the error if the worker breaks down, and what the error names. */
  readonly failure: { readonly code: ExportErrorCode; readonly path: string };
}

/**
 * Memory limit. Checking 200,000 pages with 2 million links takes 1.2 GB. Beyond the limit only the
 * worker fails, not the host.
 */
const MAX_HEAP_MB = 2048;

/**
 * Runs a task in a worker thread, which ends with the task or the signal.
 *
 * @throws {ExportError} `file-gone`, or the task's own code with the code or name of the worker's error.
 */
export async function runInWorker<Progress, Result>(
  task: WorkerTask<Progress, Result>,
): Promise<Result> {
  const { script, data, signal, onProgress } = task;
  const failed = (causeCode: string, cause?: unknown): ExportError =>
    new ExportError(task.failure.code, { path: task.failure.path, causeCode, cause });
  signal.throwIfAborted();
  const worker = new Worker(script, {
    workerData: data,
    // The worker doesn't need the host's environment and flags.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  let stop = (): void => undefined;
  try {
    return await new Promise<Result>((resolve, reject) => {
      stop = () => reject(signal.reason as Error);
      signal.addEventListener('abort', stop);
      worker.on('message', (message: unknown) => {
        const parsed = v.safeParse(workerMessageSchema, message);
        if (!parsed.success) return;
        switch (parsed.output.name) {
          case 'progress': {
            const progress = v.safeParse(task.progressSchema, parsed.output.progress);
            if (progress.success && !signal.aborted) onProgress(progress.output);
            break;
          }
          case 'result': {
            const result = v.safeParse(task.resultSchema, parsed.output.result);
            if (result.success) resolve(result.output);
            else reject(failed('no result'));
            break;
          }
          case 'file-gone':
            reject(new ExportError('file-gone', { path: parsed.output.path }));
            break;
          case 'failed':
            reject(failed(parsed.output.causeCode));
            break;
        }
      });
      worker.on('error', (error: unknown) => reject(failed(errorCodeOrName(error), error)));
      worker.on('exit', (code) => reject(failed(`exit ${code}`)));
    });
  } finally {
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}

/** Runs a task in the worker thread itself, and posts what comes of it to the host. */
export async function answerHost(
  task: (onProgress: (progress: object) => void) => Promise<object>,
): Promise<void> {
  const post = (message: WorkerMessage): void => parentPort?.postMessage(message);
  try {
    post({
      name: 'result',
      result: await task((progress) => post({ name: 'progress', progress })),
    });
  } catch (error) {
    const gone = error instanceof ExportError && error.code === 'file-gone' && error.details.path;
    post(
      typeof gone === 'string'
        ? { name: 'file-gone', path: gone }
        : { name: 'failed', causeCode: errorCodeOrName(error) },
    );
  }
}
