/** Entry of the worker thread (`node:worker_threads`) that surveys a site, `dist/surveySite.js`. */
import { workerData } from 'node:worker_threads';
import * as v from 'valibot';
import { answerHost } from '../workerTask';
import { redirectSchema } from './redirects';
import { surveySite } from './surveySite';

const dataSchema = v.object({ root: v.string(), redirects: v.array(redirectSchema) });

await answerHost((host) =>
  surveySite({
    ...v.parse(dataSchema, workerData),
    ...host,
  }),
);
