/** Entry of the worker thread that hashes an archive while it arrives, built to `dist/hashArchive.js`. */
import { createHash } from 'node:crypto';
import { readSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import * as v from 'valibot';
import { fileErrorCode } from './fileErrors';
import { hashInputSchema, hashRequestSchema, type HashAnswer } from './hashMessages';

/** Small enough to stay in the processor's cache between reading and hashing. */
const READ_BYTES = 256 * 1024;

const { file } = v.parse(hashInputSchema, workerData);
const buffer = new Uint8Array(READ_BYTES);
let hash = createHash('sha256');
let at = 0;

/** Follows the file up to that size; a file that is shorter was emptied, or is told of at its end. */
function follow(sizeBytes: number): void {
  while (at < sizeBytes) {
    const read = readSync(file, buffer, 0, Math.min(buffer.length, sizeBytes - at), at);
    if (read === 0) return;
    hash.update(buffer.subarray(0, read));
    at += read;
  }
}

function answer(request: unknown): HashAnswer | undefined {
  const told = v.parse(hashRequestSchema, request);
  switch (told.name) {
    case 'written':
      follow(told.sizeBytes);
      return undefined;
    case 'start-over':
      hash = createHash('sha256');
      at = 0;
      return undefined;
    case 'digest':
      follow(told.sizeBytes);
      return at === told.sizeBytes
        ? { name: 'digest', sha256: hash.digest('hex') }
        : { name: 'failed', causeCode: 'short' };
  }
}

parentPort?.on('message', (request: unknown) => {
  try {
    const answered = answer(request);
    if (answered) parentPort?.postMessage(answered);
  } catch (error) {
    const causeCode = fileErrorCode(error) ?? 'unknown';
    parentPort?.postMessage({ name: 'failed', causeCode } satisfies HashAnswer);
  }
});
