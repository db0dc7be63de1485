/** Entry of Check Bundle's worker thread, built to `dist/checkBundle.js`. */
import { parentPort, workerData } from 'node:worker_threads';
import * as v from 'valibot';
import { systemClock } from '../../common/clock';
import { ExportError } from '../exportErrors';
import { checkBundle } from './checkBundle';
import { codeOf } from '../errorCode';
import { workerInputSchema, type WorkerMessage } from './workerMessages';

function post(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}

try {
  const report = await checkBundle({
    root: v.parse(workerInputSchema, workerData).root,
    // The host ends the whole thread.
    signal: new AbortController().signal,
    onProgress: (progress) => post({ name: 'progress', progress }),
    clock: systemClock,
  });
  post({ name: 'report', report });
} catch (error) {
  const isGone = error instanceof ExportError && error.code === 'file-gone';
  post(isGone ? { name: 'file-gone' } : { name: 'failed', causeCode: codeOf(error) });
}
