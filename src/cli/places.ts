/**
 * The cache and state folders of the user, and paths as users see them. Uses `node:fs` and
 * `node:os`.
 */
import { homedir } from 'node:os';
import path from 'node:path';
import { makeFolder } from '../common/onDisk';
import { CliError, exitCodes, type CliContext } from './context';

/** Returns the absolute path of the user's cache folder for this program. */
export function cacheFolder(
  env: CliContext['env'],
  platform: NodeJS.Platform = process.platform,
): string {
  const { DOCS_ASSISTANT_CACHE: own, XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = env;
  if (own !== undefined && own !== '') return path.resolve(own);
  if (platform === 'win32' && local !== undefined && local !== '') {
    return path.join(local, 'docs-assistant', 'Cache');
  }
  // The XDG specification says that relative paths must be ignored.
  if (xdg !== undefined && path.isAbsolute(xdg)) return path.join(xdg, 'docs-assistant');
  return platform === 'darwin'
    ? path.join(homedir(), 'Library', 'Caches', 'docs-assistant')
    : path.join(homedir(), '.cache', 'docs-assistant');
}

/**
 * Returns the absolute path of the folder for jobs that a later command can continue. Unlike a
 * cache, its content can't be recreated.
 */
export function stateFolder(env: CliContext['env']): string {
  const { platform } = process;
  const { DOCS_ASSISTANT_STATE: own, XDG_STATE_HOME: xdg, LOCALAPPDATA: local } = env;
  if (own !== undefined && own !== '') return path.resolve(own);
  if (platform === 'win32' && local !== undefined && local !== '') {
    return path.join(local, 'docs-assistant', 'State');
  }
  if (xdg !== undefined && path.isAbsolute(xdg)) return path.join(xdg, 'docs-assistant');
  return platform === 'darwin'
    ? path.join(homedir(), 'Library', 'Application Support', 'docs-assistant')
    : path.join(homedir(), '.local', 'state', 'docs-assistant');
}

/** Makes a folder in the cache. @throws {CliError} if it can't be written. */
export async function makeCacheFolder(
  folder: string,
  env: CliContext['env'],
  t: CliContext['t'],
): Promise<void> {
  await inCache(() => makeFolder(folder), env, t);
}

/** Runs an action that writes into the cache. @throws {CliError} if the cache can't be written. */
export async function inCache<Result>(
  write: () => Promise<Result>,
  env: CliContext['env'],
  t: CliContext['t'],
): Promise<Result> {
  try {
    return await write();
  } catch (cause) {
    throw new CliError(
      exitCodes.file,
      t(
        'The cache folder {0} can’t be written. Set DOCS_ASSISTANT_CACHE to another folder.',
        cacheFolder(env),
      ),
      { cause },
    );
  }
}

/**
 * Returns a path relative to the current folder if the file is below it, otherwise the absolute
 * path.
 */
export function shownPath(file: string, cwd: string): string {
  const relative = path.relative(cwd, file);
  const isInside = relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
  return isInside ? relative : file;
}

/** Returns {@link shownPath} as URLs and questions files write it, on every system. */
export function shownPathWithSlashes(file: string, cwd: string): string {
  return shownPath(file, cwd).split(path.sep).join('/');
}
