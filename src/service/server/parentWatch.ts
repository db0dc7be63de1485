/** Ends this process after its parent, even if its main thread is blocked. Uses `node:worker_threads`. */
import { Worker } from 'node:worker_threads';

/** Milliseconds between two looks at the parent. */
const LOOK_MS = 500;

/**
 * Code of the watching thread, as text because the service is one file. A blocked main thread notices
 * neither signals nor closed pipes, but its threads still run.
 */
const watcher = `
const { workerData: { parent, graceMs, lookMs } } = require('node:worker_threads');
const isGone = () => {
  // Windows keeps the ID of a parent that has ended. Other systems give the process another parent.
  if (process.ppid !== parent) return true;
  try {
    process.kill(parent, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
};
const timer = setInterval(() => {
  if (!isGone()) return;
  clearInterval(timer);
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), graceMs);
}, lookMs);
`;

/**
 * Kills this process if it still runs some time after its parent has ended.
 * @param graceMs milliseconds in which the main thread can end the process by itself.
 */
export function endAfterParent(graceMs: number): void {
  const worker = new Worker(watcher, {
    eval: true,
    workerData: { parent: process.ppid, graceMs, lookMs: LOOK_MS },
    // Flags such as --inspect and preloaded modules are for the main thread.
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 },
  });
  // Without this thread, the service still ends with its parent, unless its main thread is blocked.
  worker.on('error', () => undefined);
  worker.unref();
}
