/** Entry of the worker thread that hashes an archive while it arrives, `dist/hashArchive.js`. Uses `node:worker_threads`. */
import { createHash } from 'node:crypto';
import { readSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { errorCodeOrName } from '../../common/errorCode';
import type { HashAnswer, HashInput, HashRequest } from './fileHash';

/** Small enough to stay in the processor's cache between reading and hashing. */
const READ_BYTES = 256 * 1024;

// fileHash.ts, of the same build, is the only one that starts this worker and posts to it.
const { file } = workerData as HashInput;
const buffer = new Uint8Array(READ_BYTES);
let hash = createHash('sha256');
let at = 0;

/** Hashes the file up to that size. A shorter file has been emptied, or its end is reported as too early. */
function follow(sizeBytes: number): void {
  while (at < sizeBytes) {
    const bytesRead = readSync(file, buffer, 0, Math.min(READ_BYTES, sizeBytes - at), at);
    if (bytesRead === 0) return;
    hash.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
}

function answer(request: HashRequest): HashAnswer | undefined {
  if (request.name === 'start-over') {
    hash = createHash('sha256');
    at = 0;
    return undefined;
  }
  follow(request.sizeBytes);
  if (request.name === 'written') return undefined;
  return at === request.sizeBytes
    ? { name: 'digest', sha256: hash.digest('hex') }
    : { name: 'failed', causeCode: 'short' };
}

parentPort?.on('message', (request: HashRequest) => {
  try {
    const answered = answer(request);
    if (answered) parentPort?.postMessage(answered);
  } catch (error) {
    const failed: HashAnswer = { name: 'failed', causeCode: errorCodeOrName(error) };
    parentPort?.postMessage(failed);
  }
});
