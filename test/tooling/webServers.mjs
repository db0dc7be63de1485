// @ts-check
import { existsSync } from 'node:fs';
import path from 'node:path';
import { installDebianPackages } from './debianPackages.mjs';
import { onPath } from './processes.mjs';

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
  installing ??= install();
  await installing;
  return find(name);
}

async function install() {
  const areThere = Object.keys(packages).map((name) => `command -v ${name}`);
  await installDebianPackages(Object.values(packages), areThere.join(' && '));
}
