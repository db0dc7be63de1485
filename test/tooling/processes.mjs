// @ts-check
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { delay } from './speed.mjs';
import { removeTempFolders } from './tempFolders.mjs';

const isWindows = process.platform === 'win32';
const TAIL_CHARACTERS = 20_000;
const GRACE_MS = 5_000;

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/**
 * Starts a child as the leader of its own process group, so that `stop` also ends the children of the child.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 */
export function start(command, args, options = {}) {
  const child = spawn(command, args, { ...options, detached: !isWindows });
  running.add(child);
  const forget = () => running.delete(child);
  child.once('exit', forget);
  child.once('error', forget);
  return child;
}

/** @param {import('node:child_process').ChildProcess} child @param {NodeJS.Signals} signal */
function signalGroup(child, signal) {
  if (child.pid === undefined) return;
  if (isWindows) {
    spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f'], { stdio: 'ignore' });
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The whole group has ended already.
  }
}

/**
 * Ends a child and everything that it started. It kills the processes that still run after 5 s.
 *
 * @param {import('node:child_process').ChildProcess} child as `start` gave it
 */
export async function stop(child) {
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  signalGroup(child, 'SIGTERM');
  const endsAt = Date.now() + GRACE_MS;
  while (!hasEnded() && Date.now() < endsAt) await delay(50);
  // The leader may end before its children.
  signalGroup(child, 'SIGKILL');
}

/** Ends everything that `start` began in this process. */
export async function stopAll() {
  await Promise.all([...running].map(stop));
}

/** Ends everything while this process exits, when it can no longer await anything. */
function killAll() {
  for (const child of running) signalGroup(child, 'SIGKILL');
}

/**
 * Runs a command to its end.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, quiet?: boolean, title?: string, limitMs?: number, shell?: boolean }} [options]
 *   `quiet` shows no output; a `title` shows all output at the end, under it; `limitMs` ends the
 *   command by force
 * @returns {Promise<{ code: number, tail: string, timedOut: boolean }>} `code` is 127 where the command
 *   does not exist and 1 after a signal; `tail` is the end of its output, both streams
 */
export async function run(command, args, { quiet = false, title, limitMs, ...options } = {}) {
  const child = start(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let tail = '';
  /** @type {Buffer[]} */
  const held = [];
  /** @param {NodeJS.WriteStream} target @returns {(text: Buffer) => void} */
  const keep = (target) => (text) => {
    tail = (tail + text.toString('utf8')).slice(-TAIL_CHARACTERS);
    if (title !== undefined) held.push(text);
    else if (!quiet) target.write(text);
  };
  child.stdout?.on('data', keep(process.stdout));
  child.stderr?.on('data', keep(process.stderr));
  let timedOut = false;
  const timer =
    limitMs === undefined
      ? undefined
      : setTimeout(() => {
          timedOut = true;
          void stop(child);
        }, limitMs);
  const code = await new Promise((resolve) => {
    child.once('error', () => resolve(127));
    child.once('close', (exitCode) => resolve(exitCode ?? 1));
  });
  clearTimeout(timer);
  if (title !== undefined)
    process.stdout.write(`${title}\n${Buffer.concat(held).toString('utf8')}`);
  return { code, tail, timedOut };
}

/**
 * Returns how to start npm. It prefers the npm that runs this process, because Windows can't spawn `npm.cmd`.
 *
 * @returns {{ command: string, args: string[], shell: boolean }}
 */
export function npmCommand() {
  const cli = process.env.npm_execpath;
  if (cli !== undefined && /npm-cli\.c?js$/.test(cli) && existsSync(cli)) {
    return { command: process.execPath, args: [cli], shell: false };
  }
  return { command: 'npm', args: [], shell: isWindows };
}

/** @param {string} name @returns {string | undefined} the full path of a program on `PATH` */
export function onPath(name) {
  const extensions = isWindows ? ['.exe', '.cmd', '.bat'] : [''];
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    for (const extension of extensions) {
      const candidate = path.join(folder, name + extension);
      if (folder !== '' && existsSync(candidate)) return candidate;
    }
  }
  return undefined;
}

let isEnding = false;

/** Whether this process has been told to end and stops what it started. */
export const isStopping = () => isEnding;

/**
 * Makes this process end everything that it started, and delete its temporary folders, when a signal
 * (Ctrl-C, `kill`) ends it or when it exits.
 */
export function stopAllOnExit() {
  /** @param {number} code */
  const end = async (code) => {
    if (isEnding) return;
    isEnding = true;
    await stopAll();
    process.exit(code);
  };
  process.on('SIGINT', () => void end(130));
  process.on('SIGTERM', () => void end(143));
  process.on('SIGHUP', () => void end(129));
  process.on('exit', () => {
    killAll();
    removeTempFolders();
  });
}
