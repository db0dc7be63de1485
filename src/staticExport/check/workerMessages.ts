/** What Check Bundle's worker thread is told, and what it tells. */
import * as v from 'valibot';
import type { BundleReport } from './reportTypes';

/** The worker's `workerData`. */
export const workerInputSchema = v.object({ root: v.string() });

export type WorkerInput = v.InferOutput<typeof workerInputSchema>;

export const workerMessageSchema = v.variant('name', [
  v.object({
    name: v.literal('progress'),
    progress: v.object({ pages: v.number(), totalPages: v.number() }),
  }),
  v.object({
    name: v.literal('report'),
    // Our own worker made it a moment ago: reading 100,000 findings over again would freeze the host.
    report: v.custom<BundleReport>((report) => typeof report === 'object' && report !== null),
  }),
  /** The folder is not there. */
  v.object({ name: v.literal('file-gone') }),
  v.object({ name: v.literal('failed'), causeCode: v.string() }),
]);

export type WorkerMessage = v.InferOutput<typeof workerMessageSchema>;
