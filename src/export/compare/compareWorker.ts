/** Entry of the worker thread of *Compare Bundles…*, `dist/compareBundles.js`. Uses `node:worker_threads`. */
import { workerData } from 'node:worker_threads';
import * as v from 'valibot';
import { systemClock } from '../../common/clock';
import { answerHost } from '../workerTask';
import { compareBundles } from './compareBundles';

const sideSchema = v.object({ root: v.string(), name: v.string() });

await answerHost((host) =>
  compareBundles({
    ...v.parse(v.object({ before: sideSchema, after: sideSchema }), workerData),
    ...host,
    clock: systemClock,
  }),
);
