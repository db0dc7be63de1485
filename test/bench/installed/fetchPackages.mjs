// @ts-check
/**
 * Installs the workspaces that the questions beside this file are asked in. The packages are not in the
 * repository: npm installs each in the exact version in which its questions were written.
 *
 * `node test/bench/installed/fetchPackages.mjs [folder]` installs all of them and prints where they are. The
 * folder is one in the user's cache unless it is named.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { npmCommand, run, stopAllOnExit } from '../../tooling/processes.mjs';
import { cacheFolder } from '../../tooling/setup.mjs';
import { makeTempFolder, removeTempFolder } from '../../tooling/tempFolders.mjs';

/**
 * An open half may be used while the ranking is built. A closed half is measured at the end, and nothing may be tuned
 * to it. The later halves were written after the rules had been chosen on the open half.
 *
 * @typedef {(typeof halves)[number]} Half
 */
export const halves = /** @type {const} */ (['open', 'closed', 'later-open', 'later-closed']);

/**
 * @typedef {object} AskedPackage
 * @property {string} name
 * @property {string[]} versions exact, one for each major that is asked about
 * @property {Half} half
 * @property {string} license
 */

/**
 * @typedef {object} Workspace
 * @property {string} name
 * @property {Half} half
 * @property {Record<string, string>} packages exact versions of its direct dependencies, by name
 */

/**
 * @typedef {object} InstallOptions
 * @property {boolean} [hasBinaries] whether optional packages are installed. They are binaries for one platform, which
 *   have no docs and take most of the space, but which programs need to run.
 */

/** @returns {Promise<{ packages: AskedPackage[], workspaces: Workspace[] }>} */
export async function readPackages() {
  const file = fileURLToPath(new URL('packages.json', import.meta.url));
  return JSON.parse(await readFile(file, 'utf8'));
}

/** @param {Half} half @returns {string} the file of the half's questions */
export function questionsOf(half) {
  return fileURLToPath(new URL(`questions-${half}.json`, import.meta.url));
}

/** @returns {string} the folder of all workspaces in the user's cache */
export const workspacesHome = () => path.join(cacheFolder(), 'eval-installed');

const installFlags = [
  'install',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--no-package-lock',
  '--loglevel=error',
];

const PAUSES_MS = [2_000, 8_000, 20_000];
const NETWORK_TROUBLE =
  /ECONNRESET|ECONNREFUSED|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EPIPE|ERR_SOCKET_TIMEOUT|socket hang up|network|\bE(?:429|5\d\d)\b/i;

/**
 * Installs a workspace as npm lays it out, unless that has been done.
 *
 * npm installs into a temporary folder beside the target, and one rename moves the complete folder there. The
 * target's name has a hash of the versions, so that a changed list never meets an old install.
 *
 * @param {Pick<Workspace, 'name' | 'packages'>} workspace
 * @param {string} [home]
 * @param {InstallOptions} [options]
 * @returns {Promise<string>} the workspace's folder
 * @throws {Error} if npm fails, or if the network fails four times
 */
export async function fetchWorkspace(
  { name, packages },
  home = workspacesHome(),
  { hasBinaries = false } = {},
) {
  const manifest = { name, version: '0.0.0', private: true, dependencies: packages };
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8);
  const folder = path.resolve(home, `${name}-${hash}`);
  if (existsSync(folder)) return folder;
  await mkdir(path.dirname(folder), { recursive: true });
  const partial = await makeTempFolder(`${name}.partial`, path.dirname(folder));
  try {
    await writeFile(path.join(partial, 'package.json'), text);
    await install(name, partial, hasBinaries ? [] : ['--omit=optional']);
    await rename(partial, folder).catch((error) => {
      // Another process may have been faster.
      if (!existsSync(folder)) throw error;
    });
    return folder;
  } finally {
    await removeTempFolder(partial);
  }
}

/** @param {string} name @param {string} folder @param {readonly string[]} flags */
async function install(name, folder, flags) {
  const { command, args, shell } = npmCommand();
  for (let attempt = 0; ; attempt++) {
    const options = { cwd: folder, quiet: true, shell };
    const { code, tail } = await run(command, [...args, ...installFlags, ...flags], options);
    if (code === 0) return;
    const pauseMs = PAUSES_MS[attempt];
    if (pauseMs === undefined || !NETWORK_TROUBLE.test(tail)) {
      throw new Error(`npm could not install the workspace ${name}.\n${tail.slice(-2_000)}`);
    }
    console.error(`${name}: network trouble, trying again in ${pauseMs / 1000} s`);
    await rm(path.join(folder, 'node_modules'), { recursive: true, force: true });
    await delay(pauseMs);
  }
}

async function main() {
  stopAllOnExit();
  const home = process.argv[2] ?? workspacesHome();
  for (const workspace of (await readPackages()).workspaces) {
    console.log(await fetchWorkspace(workspace, home));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
