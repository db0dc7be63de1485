/**
 * The SHA-256 of a file while it is written: in a worker thread that reads what was written, or on
 * this thread. Uses `node:crypto`, `node:fs` and `node:worker_threads`.
 */
import { createHash, type Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import * as v from 'valibot';
import type { Log } from '../common/ports';
import { codeOf } from './errorCode';
import { ExportError } from './exportErrors';
import {
  hashAnswerSchema,
  type HashAnswer,
  type HashInput,
  type HashRequest,
} from './hashMessages';

/** Follows one open file from its start. */
export interface FileHash {
  /** Takes up that many bytes, which are in the file from an earlier download. */
  resume(sizeBytes: number, signal: AbortSignal): Promise<void>;
  /** Takes the next bytes, which are on their way into the file. */
  append(bytes: Uint8Array): void;
  /** Learns that so many bytes, from the start, are in the file. */
  written(sizeBytes: number): void;
  /** The file was emptied. */
  startOver(): void;
  /**
   * The hash of the whole file, lower-case hex.
   * @throws {ExportError} `bundle-size-wrong` if the file is shorter than it was said to be.
   */
  digest(sizeBytes: number, signal: AbortSignal): Promise<string>;
  /** Ends every use of the file, which may be closed then. Harmless at any time. */
  stop(): Promise<void>;
}

export interface FileHashOptions {
  readonly handle: FileHandle;
  /** Absolute path of the built `hashWorker.ts`; without it, this thread hashes. */
  readonly script: string | undefined;
  readonly log: Log;
}

export function hashFile({ handle, script, log }: FileHashOptions): FileHash {
  return script === undefined ? new HashHere(handle) : new HashInWorker(handle, script, log);
}

const READ_BYTES = 1024 * 1024;

/** Hashes the bytes as they come by. */
class HashHere implements FileHash {
  readonly #handle: FileHandle;
  #hash: Hash = createHash('sha256');

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  async resume(sizeBytes: number, signal: AbortSignal): Promise<void> {
    const buffer = new Uint8Array(READ_BYTES);
    for (let at = 0; at < sizeBytes;) {
      signal.throwIfAborted();
      const length = Math.min(buffer.length, sizeBytes - at);
      const { bytesRead } = await this.#handle.read(buffer, 0, length, at);
      if (bytesRead === 0) throw new ExportError('bundle-size-wrong');
      this.#hash.update(buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
  }

  append(bytes: Uint8Array): void {
    this.#hash.update(bytes);
  }

  written(): void {
    // They came by before.
  }

  startOver(): void {
    this.#hash = createHash('sha256');
  }

  digest(): Promise<string> {
    return Promise.resolve(this.#hash.digest('hex'));
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }
}

/** Young objects of a thread that makes next to none; old ones are its code. */
const LIMITS = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 64 } as const;

/**
 * Hashes what is in the file, close behind the writes, while it is still in the system's cache. If
 * the worker breaks down, the file is read once more at the end, on this thread.
 */
class HashInWorker implements FileHash {
  readonly #handle: FileHandle;
  readonly #log: Log;
  readonly #worker: Worker | undefined;
  /** The first that the worker tells, or that can be told of its end. */
  readonly #answer: Promise<HashAnswer>;

  constructor(handle: FileHandle, script: string, log: Log) {
    this.#handle = handle;
    this.#log = log;
    const input: HashInput = { file: handle.fd };
    try {
      // Nothing of the host's environment or flags is any business of the hash.
      const options = { workerData: input, env: {}, execArgv: [], resourceLimits: LIMITS };
      this.#worker = new Worker(script, options);
      this.#answer = answerOf(this.#worker);
    } catch (error) {
      this.#answer = Promise.resolve(failed(codeOf(error)));
    }
  }

  resume(sizeBytes: number): Promise<void> {
    this.written(sizeBytes);
    return Promise.resolve();
  }

  append(): void {
    // The worker reads them from the file.
  }

  written(sizeBytes: number): void {
    this.#tell({ name: 'written', sizeBytes });
  }

  startOver(): void {
    this.#tell({ name: 'start-over' });
  }

  async digest(sizeBytes: number, signal: AbortSignal): Promise<string> {
    this.#tell({ name: 'digest', sizeBytes });
    const answer = await this.#answered(signal);
    if (answer.name === 'digest') return answer.sha256;
    this.#log.warn(
      `The worker that hashes a bundle failed, so this thread does: ${answer.causeCode}`,
    );
    const here = new HashHere(this.#handle);
    await here.resume(sizeBytes, signal);
    return here.digest();
  }

  async stop(): Promise<void> {
    // Its end is no reason to read a file that is about to be closed.
    this.#worker?.removeAllListeners('exit');
    await this.#worker?.terminate();
  }

  #tell(request: HashRequest): void {
    this.#worker?.postMessage(request);
  }

  async #answered(signal: AbortSignal): Promise<HashAnswer> {
    let stop = (): void => undefined;
    try {
      return await new Promise((resolve, reject) => {
        signal.throwIfAborted();
        stop = () => reject(signal.reason as Error);
        signal.addEventListener('abort', stop);
        void this.#answer.then(resolve);
      });
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }
}

function failed(causeCode: string): HashAnswer {
  return { name: 'failed', causeCode };
}

function answerOf(worker: Worker): Promise<HashAnswer> {
  return new Promise((resolve) => {
    worker.on('message', (message: unknown) => {
      const parsed = v.safeParse(hashAnswerSchema, message);
      if (parsed.success) resolve(parsed.output);
    });
    worker.on('error', (error: unknown) => resolve(failed(codeOf(error))));
    worker.on('exit', (code) => resolve(failed(`exit ${code}`)));
  });
}
