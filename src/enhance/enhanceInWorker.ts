/** Enhances and restores sites outside the extension host's thread. */
import * as v from 'valibot';
import { ownResult } from '../common/workerTask';
import { ExportError, exportErrorCodes } from '../export/exportErrors';
import { pageProgressSchema, runInWorker, type SiteTask } from '../export/workerTask';
import type { BoxService } from './boxService';
import type { Enhanced } from './enhanceSite';

/** Schema of what the worker is to do: enhance a site, or restore it if there are no scripts. */
export const enhanceTaskSchema = v.object({
  root: v.string(),
  scripts: v.optional(v.string()),
  service: v.optional(v.object({ baseUrl: v.string(), domain: v.string(), key: v.string() })),
});

const enhancedSchema = v.object({
  enhanced: ownResult<Enhanced>(),
});
const restoredSchema = v.object({ restored: v.number() });
const failureSchema = v.object({
  failure: v.object({
    code: v.picklist(exportErrorCodes),
    path: v.optional(v.string()),
    causeCode: v.optional(v.string()),
  }),
});

/** Result of the worker. Its failures keep their codes, as `runInWorker` has one for all. */
export type EnhanceOutcome = v.InferOutput<
  typeof enhancedSchema | typeof restoredSchema | typeof failureSchema
>;

interface WorkerChange extends SiteTask {
  /** Absolute path of the built `enhanceWorker.ts`. */
  readonly script: string;
}

/**
 * Enhances a site in a worker thread, which ends when it is done or the signal aborts. An interrupted run can be
 * repeated or taken back.
 * @throws {ExportError} the errors of `enhanceSite`.
 */
export async function enhanceInWorker({
  scripts,
  service,
  ...change
}: WorkerChange & {
  readonly scripts: string;
  readonly service: BoxService | undefined;
}): Promise<Enhanced> {
  return (await run(change, { root: change.root, scripts, service }, enhancedSchema)).enhanced;
}

/**
 * Restores a site in a worker thread.
 * @returns the number of pages that had the tag.
 * @throws {ExportError} the errors of `restoreSite`.
 */
export async function restoreInWorker(change: WorkerChange): Promise<number> {
  return (await run(change, { root: change.root }, restoredSchema)).restored;
}

async function run<Done extends object>(
  { script, root, signal, onProgress }: WorkerChange,
  data: v.InferInput<typeof enhanceTaskSchema>,
  doneSchema: v.GenericSchema<unknown, Done>,
): Promise<Done> {
  const outcome = await runInWorker({
    script,
    data,
    signal,
    onProgress,
    progressSchema: pageProgressSchema,
    resultSchema: v.union([failureSchema, doneSchema]),
    failure: { code: 'enhance-failed', path: root },
  });
  if (!('failure' in outcome)) return outcome;
  const { code, path, causeCode } = outcome.failure;
  throw new ExportError(code, { path, causeCode });
}
