/** Runs a task outside the extension host's thread. Uses `node:worker_threads`. */
import { parentPort, Worker } from 'node:worker_threads';
import * as v from 'valibot';
import { untilAborted } from './clock';
import { errorCodeOrName } from './errorCode';

/** Messages of the worker to the host. */
const workerMessageSchema = v.variant('name', [
  v.object({ name: v.literal('progress'), progress: v.unknown() }),
  v.object({ name: v.literal('result'), result: v.unknown() }),
  /** A file or folder of the task does not exist. */
  v.object({ name: v.literal('gone'), path: v.string() }),
  v.object({ name: v.literal('failed'), causeCode: v.string() }),
]);

type WorkerMessage = v.InferOutput<typeof workerMessageSchema>;

export interface WorkerTask<Progress, Result> {
  /** Absolute path of the built worker. */
  readonly script: string;
  /** Input of the task, which the worker gets as `workerData`. */
  readonly data: unknown;
  readonly progressSchema: v.GenericSchema<unknown, Progress>;
  readonly resultSchema: v.GenericSchema<unknown, Result>;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  /** Returns the error if the worker breaks down, by the code or name of what it threw. */
  readonly failed: (causeCode: string, cause?: unknown) => Error;
  /** Returns the error if a file or folder of the task does not exist. */
  readonly gone: (path: string) => Error;
}

/** Returns the schema of a result that isn't looked into. Checking 100,000 findings would freeze the host. */
export const ownResult = <Result extends object>() =>
  v.custom<Result>((result) => typeof result === 'object' && result !== null);

/**
 * Memory limit. Checking 200,000 pages with 2 million links takes 1.2 GB. Beyond the limit only the
 * worker fails, not the host.
 */
const MAX_HEAP_MB = 2048;

/**
 * Runs a task in a worker thread, which ends with the task or the signal.
 *
 * @throws the task's own errors, or the signal's reason.
 */
export async function runInWorker<Progress, Result>(
  task: WorkerTask<Progress, Result>,
): Promise<Result> {
  const { script, data, signal, onProgress, failed } = task;
  signal.throwIfAborted();
  const worker = new Worker(script, {
    workerData: data,
    // The worker doesn't need the host's environment and flags.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  try {
    const ended = new Promise<Result>((resolve, reject) => {
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
          case 'gone':
            reject(task.gone(parsed.output.path));
            break;
          case 'failed':
            reject(failed(parsed.output.causeCode));
            break;
        }
      });
      worker.on('error', (error: unknown) => reject(failed(errorCodeOrName(error), error)));
      worker.on('exit', (code) => reject(failed(`exit ${code}`)));
    });
    return await untilAborted(ended, signal);
  } finally {
    await worker.terminate();
  }
}

/**
 * Runs a task in the worker thread itself, and posts what comes of it to the host.
 * @param goneOf returns the path of an error about a file or folder that does not exist.
 */
export async function answerHost(
  task: (onProgress: (progress: object) => void) => Promise<object>,
  goneOf: (error: unknown) => string | undefined,
): Promise<void> {
  const post = (message: WorkerMessage): void => parentPort?.postMessage(message);
  try {
    post({
      name: 'result',
      result: await task((progress) => post({ name: 'progress', progress })),
    });
  } catch (error) {
    const gone = goneOf(error);
    post(
      gone === undefined
        ? { name: 'failed', causeCode: errorCodeOrName(error) }
        : { name: 'gone', path: gone },
    );
  }
}
