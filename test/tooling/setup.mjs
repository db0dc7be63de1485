// @ts-check
// Runs before `npm ci`: imports nothing but Node's own modules.
import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { repoRoot } from './paths.mjs';
import { npmCommand, onPath, run } from './processes.mjs';
import { delay } from './speed.mjs';
import { makeTempFolder, removeTempFolder } from './tempFolders.mjs';

export const CODE_SERVER_VERSION = '4.100.3';

const PAUSES_MS = [2_000, 8_000, 20_000];
const NETWORK_TROUBLE =
  /ECONNRESET|ECONNREFUSED|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EPIPE|ENETUNREACH|ERR_SOCKET_TIMEOUT|socket hang up|network|\bE(?:429|5\d\d)\b|Temporary failure|Could not resolve|Unable to connect|Failed to fetch|Connection timed out/i;

/** What the set-up needs and cannot get. The message says what to do; no stack is shown. */
export class SetupError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'SetupError';
  }
}

/**
 * Runs a command that uses the network; one that fails by the network is tried three times more.
 *
 * @param {string} what completes "could not …"
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, quiet?: boolean, shell?: boolean }} [options]
 */
async function runOverNetwork(what, command, args, options = {}) {
  for (let attempt = 0; ; attempt++) {
    const { code, tail } = await run(command, args, options);
    if (code === 0) return;
    if (code === 127) {
      throw new SetupError(
        `could not ${what}: ${command} was not found on PATH. Install it and run this again.`,
      );
    }
    if (!NETWORK_TROUBLE.test(tail)) {
      throw new SetupError(
        `could not ${what}: ${command} ended with code ${code}.\n${tail.slice(-2_000)}`,
      );
    }
    const pauseMs = PAUSES_MS[attempt];
    if (pauseMs === undefined) {
      throw new SetupError(
        `could not ${what}: the network did not answer in ${PAUSES_MS.length + 1} attempts.\n` +
          `Check the connection and the proxy (npm config get proxy), then run this again.\n${tail.slice(-1_000)}`,
      );
    }
    console.log(`could not ${what}: network trouble; trying again in ${pauseMs / 1000} s`);
    await delay(pauseMs);
  }
}

/** @param {string} what @param {readonly string[]} args @param {{ cwd?: string, quiet?: boolean }} [options] */
async function npm(what, args, options = {}) {
  const { command, args: first, shell } = npmCommand();
  await runOverNetwork(what, command, [...first, ...args], { ...options, shell });
}

/** @param {string} text @returns {[number, number]} major and minor */
function majorMinor(text) {
  const [major = '0', minor = '0'] = text.replace(/^[^\d]*/, '').split('.');
  return [Number(major), Number(minor)];
}

/** @throws {SetupError} where this Node is older than package.json's `engines.node` */
export function checkNode() {
  const wanted = JSON.parse(readFileSync(path.join(repoRoot, 'package.json'), 'utf8')).engines.node;
  const [wantedMajor, wantedMinor] = majorMinor(wanted);
  const [major, minor] = majorMinor(process.versions.node);
  if (major < wantedMajor || (major === wantedMajor && minor < wantedMinor)) {
    throw new SetupError(
      `Node ${process.versions.node} is too old: version ${wantedMajor}.${wantedMinor} or later is needed. ` +
        'Install it from nodejs.org or by your version manager, and run this again.',
    );
  }
}

/** @param {string} file @returns {number} 0 where the file does not exist */
function modifiedAt(file) {
  return existsSync(file) ? statSync(file).mtimeMs : 0;
}

/**
 * Installs the npm packages where they are missing or older than the lock file.
 *
 * @throws {SetupError}
 */
export async function ensureNodeModules() {
  checkNode();
  // npm writes this file last: an interrupted install does not have it.
  const installed = modifiedAt(path.join(repoRoot, 'node_modules', '.package-lock.json'));
  if (installed > 0 && installed >= modifiedAt(path.join(repoRoot, 'package-lock.json'))) return;
  const folder = path.join(repoRoot, 'node_modules');
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) {
    // npm ci would follow the link and empty the folder of another clone.
    throw new SetupError(
      `${folder} is a link, and what it leads to is older than package-lock.json. ` +
        'Remove the link, or run npm ci where it leads, and run this again.',
    );
  }
  console.log('installing npm packages (npm ci)…');
  await npm('install the npm packages', ['ci', '--no-audit', '--no-fund'], { cwd: repoRoot });
}

/** @returns {string | undefined} a Chromium or Chrome that is installed: `CHROME_PATH`, else one on `PATH` */
export function findChromium() {
  const chosen = process.env.CHROME_PATH;
  if (chosen !== undefined && chosen !== '') {
    if (!existsSync(chosen))
      throw new SetupError(`CHROME_PATH names ${chosen}, which does not exist.`);
    return chosen;
  }
  const names = [
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
    'chrome',
    'msedge',
  ];
  for (const name of names) {
    const found = onPath(name);
    if (found !== undefined) return found;
  }
  return [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    path.join(process.env.PROGRAMFILES ?? '', 'Google/Chrome/Application/chrome.exe'),
  ].find((candidate) => path.isAbsolute(candidate) && existsSync(candidate));
}

/**
 * Finds a Chromium or Chrome, or installs one where that can be done without asking (root, apt-get).
 *
 * @returns {Promise<string>} path of the program
 * @throws {SetupError}
 */
export async function ensureChromium() {
  const found = findChromium();
  if (found !== undefined) return found;
  if (process.getuid?.() === 0 && onPath('apt-get') !== undefined) {
    console.log('installing Chromium (apt-get)…');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await runOverNetwork('read the package lists', 'apt-get', ['update'], { env, quiet: true });
    const install = ['install', '-y', '--no-install-recommends', 'chromium'];
    await runOverNetwork('install Chromium', 'apt-get', install, { env, quiet: true });
    const installed = findChromium();
    if (installed !== undefined) return installed;
  }
  throw new SetupError(
    'No Chromium or Chrome was found, and the tests need one. Install it (Debian: apt-get install chromium; ' +
      'macOS: brew install --cask chromium; Windows: Chrome from its site), or set CHROME_PATH to the program.',
  );
}

/** @returns {string} the folder for what is fetched once per user, outside the clone */
export function cacheFolder() {
  const base = process.env.XDG_CACHE_HOME;
  const isUsable = base !== undefined && path.isAbsolute(base);
  return path.join(isUsable ? base : path.join(os.homedir(), '.cache'), 'docs-assistant');
}

/**
 * Installs code-server, once per user and version.
 *
 * It goes to a folder beside its place and takes that place by one rename when it is complete, so that an
 * interrupted install is never taken for a good one. No install scripts run: the native modules that they
 * would build serve terminals and passwords, which we do not use.
 *
 * @returns {Promise<string>} the folder of its VS Code server (`lib/vscode`)
 * @throws {SetupError}
 */
export async function ensureCodeServer() {
  const home = path.join(cacheFolder(), `code-server-${CODE_SERVER_VERSION}`);
  const serverIn = (/** @type {string} */ folder) =>
    path.join(folder, 'node_modules', 'code-server', 'lib', 'vscode');
  const isComplete = (/** @type {string} */ server) =>
    existsSync(path.join(server, 'out', 'server-main.js')) &&
    existsSync(path.join(server, 'extensions', 'node_modules', 'typescript'));
  if (isComplete(serverIn(home))) return serverIn(home);
  // Somebody cleared the cache in part.
  await rm(home, { recursive: true, force: true });

  console.log(`installing code-server ${CODE_SERVER_VERSION} (about 300 MB, once per user)…`);
  await mkdir(cacheFolder(), { recursive: true });
  const partial = await makeTempFolder(`code-server-${CODE_SERVER_VERSION}.partial`, cacheFolder());
  try {
    await writeFile(path.join(partial, 'package.json'), '{"private":true}\n');
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const wanted = `code-server@${CODE_SERVER_VERSION}`;
    await npm('install code-server', ['install', ...flags, '--save-exact', wanted], {
      cwd: partial,
    });
    const server = serverIn(partial);
    // The second folder brings TypeScript, without which VS Code greets with an error.
    for (const cwd of [server, path.join(server, 'extensions')]) {
      await npm("install code-server's packages", ['install', ...flags, '--omit=dev'], { cwd });
    }
    if (!isComplete(server)) {
      throw new SetupError(`code-server ${CODE_SERVER_VERSION} came without its VS Code server.`);
    }
    await rename(partial, home).catch((error) => {
      // Another run was quicker: its install is as good.
      if (!isComplete(serverIn(home))) throw error;
    });
    return serverIn(home);
  } finally {
    await removeTempFolder(partial);
  }
}
