/** Entry of the worker thread of *Check Bundle*, `dist/checkBundle.js`. Uses `node:worker_threads`. */
import { workerData } from 'node:worker_threads';
import * as v from 'valibot';
import { systemClock } from '../../common/clock';
import { answerHost } from '../workerTask';
import { checkBundle } from './checkBundle';

await answerHost((host) =>
  checkBundle({
    root: v.parse(v.object({ root: v.string() }), workerData).root,
    ...host,
    clock: systemClock,
  }),
);
