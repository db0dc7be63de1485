// @ts-check
import { createWriteStream } from 'node:fs';
import { start, stop } from './processes.mjs';
import { scaledMs, waitFor } from './speed.mjs';

/**
 * A server that reports with one line of JSON on standard output that it listens.
 *
 * @typedef {object} Listening
 * @property {Record<string, any>} line that line
 * @property {() => Promise<void>} stop
 * @property {import('node:child_process').ChildProcess} child
 */

/** Error for a server that did not start. The message ends with the output of the server. */
export class ListeningError extends Error {
  /** @param {string} message @param {ErrorOptions} options */
  constructor(message, options) {
    super(message, options);
    this.name = 'ListeningError';
  }
}

/**
 * Starts a Node program and waits for its first line of JSON that has a `url`, or a `port`.
 *
 * @param {string} what completes "… did not start"
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, logFile?: string | undefined, node?: string }} [options] `logFile` gets its
 *   output; `node` runs the program, instead of the Node that runs us
 * @returns {Promise<Listening>}
 * @throws {ListeningError}
 */
export async function startListening(
  what,
  args,
  { env = process.env, logFile, node = process.execPath } = {},
) {
  // A program sees the end of its input when this process ends, for whatever reason.
  const child = start(node, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
  const log = logFile === undefined ? undefined : createWriteStream(logFile, { flags: 'a' });
  let output = '';
  let hasEnded = false;
  child.once('error', () => (hasEnded = true));
  child.once('close', () => {
    hasEnded = true;
    log?.end();
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (/** @type {Buffer} */ text) => {
      if (output.length < 100_000) output += text.toString('utf8');
      log?.write(text);
    });
  }
  try {
    const line = await waitFor(
      'it to listen',
      () => {
        for (const text of output.split('\n').slice(0, -1)) {
          const parsed = parseLine(text);
          if (parsed?.url !== undefined || parsed?.port !== undefined) return parsed;
        }
        if (hasEnded) throw new Error('it ended');
        return undefined;
      },
      { limitMs: scaledMs(60_000), everyMs: 50 },
    );
    return { line, child, stop: () => stop(child) };
  } catch (error) {
    await stop(child);
    const reason = ownReason(output) ?? (error instanceof Error ? error.message : String(error));
    throw new ListeningError(
      `${what} did not start: ${reason}\n${output.slice(-2_000)}`.trimEnd(),
      {
        cause: error,
      },
    );
  }
}

/** @param {string} text @returns {Record<string, any> | undefined} */
function parseLine(text) {
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {string} output @returns {string | undefined} why the program says that it cannot start */
function ownReason(output) {
  const lines = output.split('\n').map(parseLine);
  return lines.find((line) => line?.event === 'error')?.message;
}
