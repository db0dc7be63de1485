/** Entry of the worker thread of *Compare Bundles…*, `dist/compareBundles.js`. Uses `node:worker_threads`. */
import { workerData } from 'node:worker_threads';
import * as v from 'valibot';
import { systemClock } from '../../common/clock';
import { answerHost } from '../workerTask';
import { compareBundles } from './compareBundles';

const sideSchema = v.object({ root: v.string(), name: v.string() });

await answerHost((onProgress) =>
  compareBundles({
    ...v.parse(v.object({ before: sideSchema, after: sideSchema }), workerData),
    // The host terminates the whole thread instead.
    signal: new AbortController().signal,
    onProgress,
    clock: systemClock,
  }),
);
