// @ts-check
// This file runs before `npm ci`, so it imports only Node's own modules.
import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { repoRoot } from './paths.mjs';
import { npmCommand, onPath, run } from './processes.mjs';
import { delay } from './speed.mjs';
import { makeTempFolder, removeTempFolder } from './tempFolders.mjs';

/**
 * A release of code-server: its version, whose minor number is VS Code's, and the version of Node
 * that VS Code's server of that release runs on.
 *
 * @typedef {object} CodeServerRelease
 * @property {string} version
 * @property {string} node
 * @property {string[]} built native modules without which the release does not work
 */

/**
 * The releases that the tests run in. npm has no code-server between 4.100 and 4.103, so the oldest
 * that loads an extension for VS Code 1.101 is 4.103.
 *
 * @satisfies {Record<string, CodeServerRelease>}
 */
export const codeServers = {
  oldest: { version: '4.103.2', node: '22.23.3', built: [] },
  // Without spdlog, the extension host of VS Code 1.139 never starts.
  newest: { version: '4.139.1', node: '24.21.0', built: ['@vscode/spdlog'] },
};

const PAUSES_MS = [2_000, 8_000, 20_000];
const NETWORK_TROUBLE =
  /ECONNRESET|ECONNREFUSED|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EPIPE|ENETUNREACH|ERR_SOCKET_TIMEOUT|socket hang up|network|\bE(?:429|5\d\d)\b|Temporary failure|Could not resolve|Unable to connect|Failed to fetch|Connection timed out/i;

/** Error for something that the set-up needs and can't get. The message says what to do. No stack is shown. */
export class SetupError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'SetupError';
  }
}

/**
 * Runs a command that uses the network. If the network fails, it tries three more times.
 *
 * @param {string} what completes "could not …"
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, quiet?: boolean, shell?: boolean }} [options]
 */
export async function runOverNetwork(what, command, args, options = {}) {
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
export async function npm(what, args, options = {}) {
  const { command, args: first, shell } = npmCommand();
  await runOverNetwork(what, command, [...first, ...args], { ...options, shell });
}

/** @param {string} text @returns {[number, number]} major and minor */
function majorMinor(text) {
  const [major = '0', minor = '0'] = text.replace(/^[^\d]*/, '').split('.');
  return [Number(major), Number(minor)];
}

/** @throws {SetupError} if this Node is older than package.json's `engines.node` */
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

/** Debian's name for the program, and for its package. */
const HEADLESS_SHELL = 'chromium-headless-shell';

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
  if (canInstallPackages()) {
    await installPackage('chromium');
    const installed = findChromium();
    if (installed !== undefined) return installed;
  }
  throw new SetupError(
    'No Chromium or Chrome was found, and the tests need one. Install it (Debian: apt-get install chromium; ' +
      'macOS: brew install --cask chromium; Windows: Chrome from its site), or set CHROME_PATH to the program.',
  );
}

/**
 * Finds a browser for pages that need no window: Chromium's headless shell, which takes three quarters
 * of Chromium's time for the same pages, or else Chromium.
 *
 * @returns {Promise<string>} path of the program
 * @throws {SetupError}
 */
export async function ensureHeadlessChromium() {
  if ((process.env.CHROME_PATH ?? '') !== '') return ensureChromium();
  const found = onPath(HEADLESS_SHELL);
  if (found !== undefined) return found;
  if (canInstallPackages()) {
    try {
      await installPackage(HEADLESS_SHELL);
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      console.log(`${error.message.split('\n', 1)[0]}; using Chromium`);
    }
  }
  return onPath(HEADLESS_SHELL) ?? ensureChromium();
}

/** @returns {boolean} whether packages of Debian can be installed without asking */
function canInstallPackages() {
  return process.getuid?.() === 0 && onPath('apt-get') !== undefined;
}

/** @param {string} name of a Debian package @throws {SetupError} */
async function installPackage(name) {
  console.log(`installing ${name} (apt-get)…`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await runOverNetwork('read the package lists', 'apt-get', ['update'], { env, quiet: true });
  const install = ['install', '-y', '--no-install-recommends', name];
  await runOverNetwork(`install ${name}`, 'apt-get', install, { env, quiet: true });
}

/** @returns {string} folder outside of the clone for downloads that all clones of a user share */
export function cacheFolder() {
  const base = process.env.XDG_CACHE_HOME;
  const isUsable = base !== undefined && path.isAbsolute(base);
  return path.join(isUsable ? base : path.join(os.homedir(), '.cache'), 'docs-assistant');
}

/**
 * Installs npm packages in a folder of the cache, once per user.
 *
 * npm installs into a temporary folder beside the target. One rename moves the complete folder to the
 * target, so that an interrupted install never looks complete.
 *
 * @param {string} name of the folder
 * @param {string} what completes "installing …" and "could not install …"
 * @param {(folder: string) => boolean} isComplete
 * @param {(folder: string) => Promise<void>} install
 * @returns {Promise<string>} the folder
 * @throws {SetupError}
 */
export async function ensureCached(name, what, isComplete, install) {
  const home = path.join(cacheFolder(), name);
  if (isComplete(home)) return home;
  // The cache was cleared in part.
  await rm(home, { recursive: true, force: true });
  console.log(`installing ${what}…`);
  await mkdir(cacheFolder(), { recursive: true });
  const partial = await makeTempFolder(`${name}.partial`, cacheFolder());
  try {
    await writeFile(path.join(partial, 'package.json'), '{"private":true}\n');
    await install(partial);
    if (!isComplete(partial)) throw new SetupError(`The packages for ${what} lack a file.`);
    await rename(partial, home).catch((error) => {
      // Another run was faster, and its install is equally good.
      if (!isComplete(home)) throw error;
    });
    return home;
  } finally {
    await removeTempFolder(partial);
  }
}

/** Arguments of npm. Install scripts only build modules for terminals and passwords, which tests don't use. */
export const installFlags = [
  'install',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
];

/**
 * Returns a Node with at least the major version: the Node that runs this script, or one from npm,
 * which includes its headers.
 *
 * @param {string} version
 * @returns {Promise<{ program: string, folder: string | undefined }>} `folder` holds the headers
 * @throws {SetupError}
 */
async function ensureNode(version) {
  if (majorMinor(process.versions.node)[0] === majorMinor(version)[0]) {
    return { program: process.execPath, folder: undefined };
  }
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${platform}-${process.arch}`;
  const packageIn = (/** @type {string} */ home) => path.join(home, 'node_modules', name);
  const programIn = (/** @type {string} */ home) =>
    path.join(packageIn(home), 'bin', platform === 'win' ? 'node.exe' : 'node');
  const home = await ensureCached(
    `node-${version}`,
    `Node ${version} (about 200 MB, once per user)`,
    (folder) => existsSync(programIn(folder)),
    (folder) =>
      npm(`install Node ${version}`, [...installFlags, `${name}@${version}`], { cwd: folder }),
  );
  return { program: programIn(home), folder: packageIn(home) };
}

/**
 * Installs code-server, once per user and version.
 *
 * @param {CodeServerRelease} [release]
 * @returns {Promise<{ server: string, node: string }>} the folder of its VS Code server
 *   (`lib/vscode`), and the Node to run it with
 * @throws {SetupError}
 */
export async function ensureCodeServer(release = codeServers.oldest) {
  const { version, built } = release;
  const node = await ensureNode(release.node);
  const serverIn = (/** @type {string} */ folder) =>
    path.join(folder, 'node_modules', 'code-server', 'lib', 'vscode');
  const home = await ensureCached(
    `code-server-${version}`,
    `code-server ${version} (about 300 MB, once per user)`,
    (folder) =>
      existsSync(path.join(serverIn(folder), 'out', 'server-main.js')) &&
      existsSync(path.join(serverIn(folder), 'extensions', 'node_modules', 'typescript')),
    async (folder) => {
      const wanted = `code-server@${version}`;
      await npm('install code-server', [...installFlags, '--save-exact', wanted], { cwd: folder });
      const server = serverIn(folder);
      // The second folder contains TypeScript. Without it, VS Code shows an error at its start.
      for (const cwd of [server, path.join(server, 'extensions')]) {
        await npm("install code-server's packages", [...installFlags, '--omit=dev'], { cwd });
      }
      if (built.length === 0) return;
      const headers = node.folder === undefined ? [] : [`--nodedir=${node.folder}`];
      await npm('build native modules', ['rebuild', ...built, ...headers], { cwd: server });
    },
  );
  return { server: serverIn(home), node: node.program };
}
