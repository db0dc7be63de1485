/** Tells what a path on this machine leads to. Links are followed, and what can't be read isn't there. */
import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';

/** Returns whether a path leads to a file, a folder or anything else. */
export function exists(path: string): Promise<boolean> {
  return leadsTo(path, () => true);
}

/** Returns whether a path leads to a folder. */
export function isFolder(path: string): Promise<boolean> {
  return leadsTo(path, (found) => found.isDirectory());
}

/** Returns whether a path leads to a regular file. */
export function isFile(path: string): Promise<boolean> {
  return leadsTo(path, (found) => found.isFile());
}

function leadsTo(path: string, isWanted: (found: Stats) => boolean): Promise<boolean> {
  return stat(path).then(isWanted, () => false);
}
