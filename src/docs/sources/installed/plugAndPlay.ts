/** The programming interface of Yarn's Plug'n'Play, which its `.pnp.cjs` has. Uses Node's threads and timers. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { clearTimeout, setTimeout } from 'node:timers';
import { Worker } from 'node:worker_threads';
import * as v from 'valibot';
import { stampOf } from '../docsFolder';

/** Name of the file with which Yarn finds packages. */
export const PNP_FILE = '.pnp.cjs';

/** Finds packages as a `.pnp.cjs` does. A lookup that has ended finds nothing. */
export interface PackageLookup {
  /** Returns whether the lookup is responsible for a folder, as one of its projects or packages. */
  owns(folder: string): Promise<boolean>;
  /** Returns the folder of the package that a folder's code gets for a name. It can be in an archive. */
  find(name: string, folder: string): Promise<string | undefined>;
  /** Returns the real path of a path that stands for a package with certain peers. */
  realPath(file: string): Promise<string>;
}

/** Runs `.pnp.cjs` files, which are code of the workspace. */
export class PackageLookups {
  readonly #loaded = new Map<string, { readonly stamp: string; readonly lookup: PnpThread }>();

  /**
   * Runs a `.pnp.cjs` file, again if it changed. The user must trust the workspace.
   * @throws if the code fails, isn't Yarn's, or takes too long.
   */
  async load(file: string): Promise<PackageLookup> {
    const stamp = stampOf(await stat(file));
    let loaded = this.#loaded.get(file);
    if (!loaded || loaded.stamp !== stamp || loaded.lookup.hasEnded) {
      loaded?.lookup.end(new Error('The file changed'));
      loaded = { stamp, lookup: new PnpThread(file) };
      this.#loaded.set(file, loaded);
    }
    await loaded.lookup.whenReady;
    return loaded.lookup;
  }
}

/**
 * Code of the thread, as text because each program of ours is one file. Yarn's code throws for packages that a
 * project may not use.
 */
const threadCode = `
const { parentPort, workerData } = require('node:worker_threads');
const api = require(workerData);
if (typeof api.findPackageLocator !== 'function' || typeof api.resolveToUnqualified !== 'function') {
  throw new TypeError('The file has no interface of Plug’n’Play');
}
const realPath = (file) => api.resolveVirtual?.(file) ?? file;
const calls = {
  ready: () => true,
  owns: (folder) => api.findPackageLocator(folder) !== null,
  find: (name, folder) => {
    const found = api.resolveToUnqualified(name, folder, { considerBuiltins: false });
    return found === null ? null : realPath(found);
  },
  realPath,
};
parentPort.on('message', ({ id, name, values }) => {
  let value = null;
  try {
    value = calls[name](...values);
  } catch {}
  parentPort.postMessage({ id, value });
});
`;

const answerSchema = v.object({ id: v.number(), value: v.unknown() });

/** Milliseconds without a question or an answer after which the thread ends: nobody asks, or its code hangs. */
const QUIET_MS = 20_000;
/** Memory limit. The file of a workspace with 5,000 packages takes 100 MB. */
const MAX_HEAP_MB = 512;

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A thread with a `.pnp.cjs`. There it doesn't block other work for the half second that the file of a large
 * workspace takes, has none of our environment, and can neither print nor end the process.
 */
class PnpThread implements PackageLookup {
  readonly #worker: Worker;
  readonly #quiet: NodeJS.Timeout;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  hasEnded = false;
  /** Resolves when the file is loaded. Rejects if it fails. */
  readonly whenReady: Promise<unknown>;

  constructor(file: string) {
    this.#worker = new Worker(threadCode, {
      eval: true,
      workerData: file,
      env: {},
      execArgv: [],
      // The output of the code stays unread, because reading it would keep this process alive.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    this.#worker.on('message', (message: unknown) => this.#answer(message));
    this.#worker.on('error', (error) => this.end(error));
    this.#worker.on('exit', () => this.end(new Error('The thread ended')));
    this.#quiet = setTimeout(() => this.end(new Error('The thread was quiet')), QUIET_MS);
    this.#quiet.unref();
    this.whenReady = this.#ask('ready');
  }

  /** Ends the thread. What waits for it fails. */
  end(reason: unknown): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    clearTimeout(this.#quiet);
    const error = reason instanceof Error ? reason : new Error('The code failed');
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    void this.#worker.terminate();
  }

  async owns(folder: string): Promise<boolean> {
    return (await this.#tryToAsk('owns', withEnd(folder))) === true;
  }

  async find(name: string, folder: string): Promise<string | undefined> {
    const found = await this.#tryToAsk('find', name, withEnd(folder));
    return typeof found === 'string' ? found.replace(/[\\/]+$/, '') : undefined;
  }

  async realPath(file: string): Promise<string> {
    const real = await this.#tryToAsk('realPath', file);
    return typeof real === 'string' ? real : file;
  }

  #tryToAsk(name: string, ...values: readonly string[]): Promise<unknown> {
    return this.#ask(name, ...values).catch(() => undefined);
  }

  #ask(name: string, ...values: readonly string[]): Promise<unknown> {
    if (this.hasEnded) return Promise.reject(new Error('The thread ended'));
    const id = ++this.#lastId;
    this.#quiet.refresh();
    // Only a thread that is asked keeps the process alive.
    this.#worker.ref();
    this.#worker.postMessage({ id, name, values });
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  #answer(message: unknown): void {
    const answer = v.safeParse(answerSchema, message);
    if (!answer.success) return;
    const { id, value } = answer.output;
    this.#waiting.get(id)?.resolve(value);
    this.#waiting.delete(id);
    this.#quiet.refresh();
    if (this.#waiting.size === 0) this.#worker.unref();
  }
}

/** Returns a folder with a separator at its end, which tells Yarn that it isn't a file. */
function withEnd(folder: string): string {
  return folder.endsWith(path.sep) ? folder : `${folder}${path.sep}`;
}
