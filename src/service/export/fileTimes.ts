/** Gives the files of an exported site the times at which they last changed. Uses `node:fs`. */
import { readdir, readFile, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { errorCodeOrName } from '../../common/errorCode';

/** Resolution of times in an archive and in the `ETag` of servers, in milliseconds. */
const SECOND = 1000;

/**
 * Gives each file of a new site the time of the same file in the site before, if the content is the same, and a
 * later one if it is not. Servers such as nginx recognize a changed file only by its time and its size, and a page
 * can change without changing its size.
 *
 * @param before folder of the site before.
 */
export async function carryTimes(folder: string, before: string): Promise<void> {
  for (const file of await filesBelow(folder)) {
    const [fresh, old] = [path.join(folder, file), path.join(before, file)];
    const [now, then] = await Promise.all([stat(fresh), statIfThere(old)]);
    if (then === undefined) continue;
    const isSame = now.size === then.size && (await readFile(fresh)).equals(await readFile(old));
    const time = isSame ? then.mtimeMs : Math.max(now.mtimeMs, then.mtimeMs + SECOND);
    await utimes(fresh, time / SECOND, time / SECOND);
  }
}

async function statIfThere(
  file: string,
): Promise<{ readonly size: number; readonly mtimeMs: number } | undefined> {
  try {
    return await stat(file);
  } catch (error) {
    if (errorCodeOrName(error) === 'ENOENT' || errorCodeOrName(error) === 'ENOTDIR')
      return undefined;
    throw error;
  }
}

/**
 * Returns the paths of all files below a folder, relative to it, with forward slashes and sorted,
 * because the order of the file system is not stable.
 */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .map((file) => file.split(path.sep).join('/'))
    .sort();
}
