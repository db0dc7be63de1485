/** Entry of the worker thread (`node:worker_threads`) that enhances or restores a site, `dist/enhanceSite.js`. */
import { workerData } from 'node:worker_threads';
import * as v from 'valibot';
import { systemClock } from '../common/clock';
import { silentLog } from '../common/ports';
import { ExportError } from '../export/exportErrors';
import { answerHost } from '../export/workerTask';
import { enhanceTaskSchema, type EnhanceOutcome } from './enhanceInWorker';
import { enhanceSite, restoreSite } from './enhanceSite';

await answerHost((onProgress) => outcome(onProgress));

async function outcome(onProgress: (progress: object) => void): Promise<EnhanceOutcome> {
  const task = v.parse(enhanceTaskSchema, workerData);
  // The host terminates the whole thread instead.
  const change = { root: task.root, signal: new AbortController().signal, onProgress };
  try {
    if (task.scripts === undefined) return { restored: await restoreSite(change) };
    const { scripts, service } = task;
    return {
      enhanced: await enhanceSite({
        ...change,
        scripts,
        service,
        clock: systemClock,
        log: silentLog,
      }),
    };
  } catch (error) {
    if (!(error instanceof ExportError) || error.code === 'file-gone') throw error;
    const { code, details } = error;
    return { failure: { code, path: details.path, causeCode: details.causeCode } };
  }
}
