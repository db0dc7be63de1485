/** What the worker thread that hashes an archive is told, and what it tells: numbers, never bytes. */
import * as v from 'valibot';

/** The worker's `workerData`: the descriptor of the open file, which the process's threads share. */
export const hashInputSchema = v.object({ file: v.number() });

export type HashInput = v.InferOutput<typeof hashInputSchema>;

export const hashRequestSchema = v.variant('name', [
  /** So many bytes, from the start, are in the file. */
  v.object({ name: v.literal('written'), sizeBytes: v.number() }),
  /** The file was emptied. */
  v.object({ name: v.literal('start-over') }),
  /** The file is whole with so many bytes. */
  v.object({ name: v.literal('digest'), sizeBytes: v.number() }),
]);

export type HashRequest = v.InferOutput<typeof hashRequestSchema>;

export const hashAnswerSchema = v.variant('name', [
  v.object({ name: v.literal('digest'), sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)) }),
  v.object({ name: v.literal('failed'), causeCode: v.string() }),
]);

export type HashAnswer = v.InferOutput<typeof hashAnswerSchema>;
