/** Entry of the worker thread (`node:worker_threads`) of *Check Bundle*, `dist/checkBundle.js`. */
import { parentPort, workerData } from 'node:worker_threads';
import * as v from 'valibot';
import { systemClock } from '../../common/clock';
import { errorCodeOrName } from '../../common/errorCode';
import { ExportError } from '../exportErrors';
import { checkBundle } from './checkBundle';
import type { WorkerMessage } from './checkInWorker';

function post(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}

try {
  const report = await checkBundle({
    root: v.parse(v.object({ root: v.string() }), workerData).root,
    // The host terminates the whole thread instead.
    signal: new AbortController().signal,
    onProgress: (progress) => post({ name: 'progress', progress }),
    clock: systemClock,
  });
  post({ name: 'report', report });
} catch (error) {
  const isGone = error instanceof ExportError && error.code === 'file-gone';
  post(isGone ? { name: 'file-gone' } : { name: 'failed', causeCode: errorCodeOrName(error) });
}
