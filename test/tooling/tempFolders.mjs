// @ts-check
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** @type {Set<string>} */
const folders = new Set();

/**
 * Creates an empty folder that this process deletes when it ends.
 *
 * @param {string} name how its name begins
 * @param {string} [parent] where, if not among the system's temporary files
 */
export async function makeTempFolder(name, parent = os.tmpdir()) {
  const folder = await mkdtemp(path.join(parent, `${name}-`));
  folders.add(folder);
  return folder;
}

/** @param {string} folder as `makeTempFolder` gave it */
export async function removeTempFolder(folder) {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  folders.delete(folder);
}

/** Deletes the folders while this process exits, when it can no longer await anything. */
export function removeTempFolders() {
  for (const folder of folders) {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    } catch (error) {
      console.error(`could not remove ${folder}: ${String(error)}`);
    }
  }
}
