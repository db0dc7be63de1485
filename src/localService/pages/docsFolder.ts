import { constants } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../common/ports';
import { isPagePath } from './page';

/** Bytes of one page. Larger files are not documentation but dumps. */
export const MAX_PAGE_BYTES = 2 * 1024 * 1024;

export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;

/** Media types of images, by the file's ending. */
export const imageTypes: Partial<Record<string, string>> = {
  '.avif': 'image/avif',
  '.gif': 'image/gif',
  '.ico': 'image/x-icon',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};

/** A page's file as it was read. */
export interface PageFile {
  readonly source: string;
  /** Changes when the file does. */
  readonly stamp: string;
}

/** `.git`, `.obsidian`, `node_modules`: never documentation. */
export function isIgnoredName(name: string): boolean {
  return name === 'node_modules' || name.startsWith('.');
}

/**
 * Paths of the pages below `root`, nearer ones first, relative with forward slashes. Symbolic links
 * are not followed, so that nothing outside the folder is read.
 */
export async function* pagePaths(root: string, log: Log): AsyncGenerator<string> {
  const folders = [''];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    let entries;
    try {
      entries = await readdir(path.join(root, folder), { withFileTypes: true });
    } catch (error) {
      if (folder === '') throw error;
      log.warn(`Cannot read the folder ${folder}: ${errorCode(error)}`);
      continue;
    }
    entries.sort((one, other) => (one.name < other.name ? -1 : 1));
    for (const entry of entries) {
      if (isIgnoredName(entry.name)) continue;
      const relative = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(relative);
      else if (entry.isFile() && isPagePath(entry.name)) yield relative;
    }
  }
}

/**
 * Reads one page. Files that are not UTF-8 are read as UTF-16 where they say so, else as
 * Windows-1252. `undefined`, with a log line, for what is gone, a link, too large or binary.
 */
export async function readPageFile(
  root: string,
  pagePath: string,
  log: Log,
): Promise<PageFile | undefined> {
  let file;
  try {
    file = await open(path.join(root, pagePath), constants.O_RDONLY | constants.O_NOFOLLOW);
    const stats = await file.stat();
    if (!stats.isFile()) return undefined;
    if (stats.size > MAX_PAGE_BYTES) {
      log.warn(`Left out ${pagePath}: ${stats.size} bytes, the limit is ${MAX_PAGE_BYTES}`);
      return undefined;
    }
    const source = decode(await file.readFile());
    if (source.includes('\0')) {
      log.warn(`Left out ${pagePath}: it is not text`);
      return undefined;
    }
    return { source, stamp: stampOf(stats) };
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') log.warn(`Cannot read ${pagePath}: ${errorCode(error)}`);
    return undefined;
  } finally {
    await file?.close();
  }
}

/**
 * Reads an image or another file beside the pages. `undefined` for what is not there, lies behind a
 * link, in a folder that is no documentation, or is larger than `maxBytes`.
 */
export async function readDocsFile(
  root: string,
  relative: string,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (/[\0\\]/.test(relative) || relative.split('/').some(isIgnoredName)) return undefined;
  return readPlainFile(path.join(root, relative), maxBytes);
}

/** Reads a file by its absolute path, unless it is larger or a symbolic link is on the way to it. */
export async function readPlainFile(
  wanted: string,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    // The same after resolving links means that there were none on the way.
    if ((await realpath(wanted)) !== wanted) return undefined;
    const file = await open(wanted, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const stats = await file.stat();
      if (!stats.isFile() || stats.size > maxBytes) return undefined;
      return new Uint8Array(await file.readFile());
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

/** Why {@link readDocsFile} gives nothing: `missing` where there is no file. */
export async function docsFileProblem(
  root: string,
  relative: string,
  maxBytes: number,
): Promise<'missing' | 'hidden' | 'linked' | 'large'> {
  if (/[\0\\]/.test(relative)) return 'missing';
  const wanted = path.join(root, relative);
  try {
    const stats = await stat(wanted);
    if (!stats.isFile()) return 'missing';
    if (relative.split('/').some(isIgnoredName)) return 'hidden';
    if ((await realpath(wanted)) !== wanted) return 'linked';
    return stats.size > maxBytes ? 'large' : 'missing';
  } catch {
    return 'missing';
  }
}

function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The same for the same content, as far as the file system tells. */
export function stampOf(stats: { readonly mtimeMs: number; readonly size: number }): string {
  return `${stats.mtimeMs}:${stats.size}`;
}

/** `ENOENT` and the like, for the log: messages hold whole paths. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
