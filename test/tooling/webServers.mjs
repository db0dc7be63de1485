// @ts-check
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onPath, run } from './processes.mjs';

/** Programs of the servers, and the packages of Debian that bring them without starting a service. */
const packages = { nginx: 'nginx-light', caddy: 'caddy', apache2: 'apache2-bin' };

/** @typedef {keyof typeof packages} ServerProgram */

/** Folders in which Debian puts programs for administrators. */
const adminFolders = ['/usr/sbin', '/usr/local/sbin'];

/** @param {string} name @returns {string | undefined} */
function find(name) {
  const places = adminFolders.map((folder) => path.join(folder, name));
  return onPath(name) ?? places.find((file) => existsSync(file));
}

/** Limit of an installation. It ends what hangs, so that the tests are skipped. */
const INSTALL_LIMIT_MS = 200_000;

/** @type {Promise<void> | undefined} */
let installing;

/**
 * Returns the path of a web server. Where it can be done without asking (root, apt-get), all that are
 * missing are installed once. A lock keeps other test processes from doing so at the same time.
 *
 * @param {ServerProgram} name
 * @returns {Promise<string | undefined>} `undefined` where the server is missing and can't be had
 */
export async function ensureWebServer(name) {
  const found = find(name);
  if (found !== undefined) return found;
  if (process.getuid?.() !== 0 || onPath('apt-get') === undefined) return undefined;
  installing ??= install();
  await installing;
  return find(name);
}

async function install() {
  const wanted = Object.entries(packages).map(([, name]) => name);
  console.log(`installing ${wanted.join(', ')} (apt-get)…`);
  // Without a run level, the packages' scripts start no service.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const lock = path.join(os.tmpdir(), 'docs-assistant-apt.lock');
  const get =
    'apt-get -o Acquire::Retries=1 -o Acquire::http::Timeout=20 -o DPkg::Lock::Timeout=60';
  const areThere = Object.keys(packages).map((name) => `command -v ${name}`);
  // Another process may have installed them while this one waited for the lock.
  const script = `${areThere.join(' && ')} && exit 0
${get} update -qq
${get} install -y --no-install-recommends ${wanted.join(' ')}`;
  const [command, args] =
    onPath('flock') === undefined ? ['sh', ['-c', script]] : ['flock', [lock, 'sh', '-c', script]];
  const { code, tail } = await run(
    /** @type {string} */ (command),
    /** @type {string[]} */ (args),
    {
      env,
      quiet: true,
      limitMs: INSTALL_LIMIT_MS,
    },
  );
  if (code !== 0) console.log(`could not install web servers:\n${tail.slice(-1_000)}`);
}
