// @ts-check
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** @typedef {import('../bench/benchRow').BenchRow} BenchRow */

/**
 * Runs a bench and passes on its rows as they come. Its other lines are dropped.
 *
 * @param {readonly string[]} args of node
 * @param {(rows: readonly BenchRow[]) => void} onRows
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<string | undefined>} why it failed
 */
export async function runBench(args, onRows, options = {}) {
  const bench = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  /** @type {Promise<string | undefined>} */
  const ended = new Promise((resolve) => {
    bench.on('error', (error) => resolve(error.message));
    bench.on('close', (code, signal) =>
      resolve(code === 0 ? undefined : `ended with ${signal ?? code}`),
    );
  });
  let count = 0;
  for await (const line of createInterface({ input: bench.stdout })) {
    const rows = rowsIn(line);
    count += rows.length;
    if (rows.length > 0) onRows(rows);
  }
  const failure = await ended;
  return failure ?? (count === 0 ? 'reported no figures' : undefined);
}

/** @param {string} line @returns {readonly BenchRow[]} */
function rowsIn(line) {
  if (!line.startsWith('{"rows":')) return [];
  try {
    return JSON.parse(line).rows;
  } catch {
    // The bench was ended in the middle of the line.
    return [];
  }
}
