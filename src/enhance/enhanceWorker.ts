/** Entry of the worker thread (`node:worker_threads`) that enhances or restores a site, `dist/enhanceSite.js`. */
import { workerData } from 'node:worker_threads';
import * as v from 'valibot';
import { systemClock } from '../common/clock';
import { silentLog } from '../common/ports';
import { ExportError } from '../export/exportErrors';
import { answerHost, type SiteTask } from '../export/workerTask';
import { enhanceTaskSchema, type EnhanceOutcome } from './enhanceInWorker';
import { enhanceSite, restoreSite } from './enhanceSite';

await answerHost(outcome);

async function outcome(host: Pick<SiteTask, 'onProgress' | 'signal'>): Promise<EnhanceOutcome> {
  const task = v.parse(enhanceTaskSchema, workerData);
  const change = { root: task.root, ...host };
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
