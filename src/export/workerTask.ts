/** Runs the tasks of exports outside the extension host's thread, with the errors of exports. */
import * as v from 'valibot';
import { answerHost as answer, runInWorker as run, type WorkerTask } from '../common/workerTask';
import { ExportError, type ExportErrorCode } from './exportErrors';

/** Schema of the progress of a task that goes through the pages of a site. */
export const pageProgressSchema = v.object({ pages: v.number(), totalPages: v.number() });

export type PageProgress = v.InferOutput<typeof pageProgressSchema>;

/** A task that goes through the pages of a site. */
export interface SiteTask {
  /** Absolute path of the site's root. */
  readonly root: string;
  readonly signal: AbortSignal;
  /** Called from time to time, and after the last page. */
  readonly onProgress: (progress: PageProgress) => void;
}

interface ExportTask<Progress, Result> extends Omit<
  WorkerTask<Progress, Result>,
  'failed' | 'gone'
> {
  /** Code of the error if the worker breaks down, and what the error names. */
  readonly failure: { readonly code: ExportErrorCode; readonly path: string };
}

/**
 * Runs a task in a worker thread, which ends with the task or the signal.
 *
 * @throws {ExportError} `file-gone`, or the task's own code with the code or name of the worker's error.
 */
export async function runInWorker<Progress, Result>({
  failure: { code, path },
  ...task
}: ExportTask<Progress, Result>): Promise<Result> {
  return run({
    ...task,
    failed: (causeCode, cause) => new ExportError(code, { path, causeCode, cause }),
    gone: (gone) => new ExportError('file-gone', { path: gone }),
  });
}

/** Runs a task in the worker thread itself, and posts what comes of it to the host. */
export async function answerHost(
  task: (host: {
    readonly onProgress: (progress: object) => void;
    readonly signal: AbortSignal;
  }) => Promise<object>,
): Promise<void> {
  // The host terminates the whole thread instead of aborting the signal.
  const { signal } = new AbortController();
  await answer(
    (onProgress) => task({ onProgress, signal }),
    (error) =>
      error instanceof ExportError && error.code === 'file-gone' ? error.details.path : undefined,
  );
}
