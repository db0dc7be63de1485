/** Reads pages, images and included files of the docs folder with `node:fs`. */
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCodeOrName } from '../../common/errorCode';
import type { Log } from '../../common/ports';
import { candidates, type IncludedFiles, includesOf, isPartPath } from '../pages/markup/lines';
import { isHtmlPath, isIgnoredName, isPagePath } from '../pages/pagePath';
import { decodeText } from '../pages/textEncoding';

/** Maximum size in bytes of a file that a page includes. */
const MAX_INCLUDE_BYTES = 1024 * 1024;
/** Maximum number of files that one page includes, directly or through other snippets. */
const MAX_INCLUDES = 100;

/**
 * Reads the snippets and code files that a page includes, from the docs folder and never through
 * symbolic links.
 */
export async function readIncludes(
  root: string,
  pagePath: string,
  source: string,
): Promise<IncludedFiles> {
  const files = new Map<string, string>();
  const open: { readonly path: string; readonly source: string }[] = [{ path: pagePath, source }];
  for (let page = open.pop(); page; page = open.pop()) {
    for (const wanted of includesOf(page.path, page.source)) {
      if (files.size >= MAX_INCLUDES) return files;
      const found = await readFirst(root, candidates(page.path, wanted), files);
      if (found === undefined || found.path === pagePath) continue;
      const isNew = !files.has(found.path);
      files.set(found.path, found.source);
      if (isNew && isPagePath(found.path)) open.push(found);
    }
  }
  return files;
}

async function readFirst(
  root: string,
  paths: readonly string[],
  known: IncludedFiles,
): Promise<{ readonly path: string; readonly source: string } | undefined> {
  for (const path of paths) {
    const content = known.get(path);
    if (content !== undefined) return { path, source: content };
    const bytes = await readDocsFile(root, path, MAX_INCLUDE_BYTES);
    if (!bytes || bytes.includes(0)) continue;
    return { path, source: new TextDecoder().decode(bytes).replace(/\r\n?/g, '\n') };
  }
  return undefined;
}

/**
 * Records which pages include which files. A file that a page includes is not a page itself, and its pages
 * must be read again when it changes.
 */
export class PageParts {
  /** Pages by the file that they include. */
  readonly #users = new Map<string, Set<string>>();
  readonly #included = new Map<string, readonly string[]>();

  /**
   * Records the files that a page includes now.
   * @returns the files that it has started or stopped including.
   */
  set(pagePath: string, files: Iterable<string>): string[] {
    const before = this.#included.get(pagePath) ?? [];
    const now = [...files];
    if (before.length === 0 && now.length === 0) return [];
    for (const file of before) {
      const users = this.#users.get(file);
      users?.delete(pagePath);
      if (users?.size === 0) this.#users.delete(file);
    }
    for (const file of now) {
      const users = this.#users.get(file) ?? new Set();
      this.#users.set(file, users.add(pagePath));
    }
    if (now.length === 0) this.#included.delete(pagePath);
    else this.#included.set(pagePath, now);
    return [
      ...before.filter((file) => !now.includes(file)),
      ...now.filter((file) => !before.includes(file)),
    ];
  }

  /** Returns whether a file is part of other pages rather than a page. */
  isPart(path: string): boolean {
    return isPartPath(path) && this.#users.has(path);
  }

  usersOf(path: string): string[] {
    return [...(this.#users.get(path) ?? [])];
  }
}

/** Maximum size of a page in bytes. Larger files are usually generated and no documentation. */
export const MAX_PAGE_BYTES = 2 * 1024 * 1024;

export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;

/** Media types of images by the file's ending. */
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

/** Content of a page's file. */
export interface PageFile {
  readonly source: string;
  /** Value that changes when the file changes. */
  readonly stamp: string;
  /**
   * Time of the file's last change in milliseconds since the epoch. If present, a page with the same stamp need not
   * be read again, as `PageSource.stamp` says. -Infinity if the stamp is made of the content.
   */
  readonly changedAt?: number;
  /**
   * URL at which the page is published. If present, it replaces the URL that the page itself names. An empty
   * URL means that the page has none.
   */
  readonly canonicalUrl?: string;
}

/**
 * Yields the paths of the pages below `root`, relative to it, with forward slashes. Pages of upper folders
 * come first. Does not follow symbolic links, so that nothing outside the folder is read.
 */
export async function* pagePaths(
  root: string,
  log: Log,
  isPage: (name: string) => boolean = isPagePath,
): AsyncGenerator<string> {
  const folders = [''];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    let entries;
    try {
      entries = await readdir(path.join(root, folder), { withFileTypes: true });
    } catch (error) {
      if (folder === '') throw error;
      log.warn(`Can't read the folder ${folder}: ${errorCodeOrName(error)}`);
      continue;
    }
    entries.sort((one, other) => (one.name < other.name ? -1 : 1));
    for (const entry of entries) {
      if (isIgnoredName(entry.name)) continue;
      const relative = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(relative);
      else if (entry.isFile() && isPage(entry.name)) yield relative;
    }
  }
}

/**
 * Reads and decodes one page. If an HTML page is too large, reads its beginning and logs a warning.
 * @returns undefined if the file doesn't exist. Also undefined, with a warning in the log, if it is a
 * symbolic link, too large, not text or unreadable.
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
    if (stats.size > MAX_PAGE_BYTES && isHtmlPath(pagePath)) {
      log.warn(
        `Read only the beginning of ${pagePath}: it has ${stats.size} bytes, and the limit is ${MAX_PAGE_BYTES}`,
      );
    } else if (stats.size > MAX_PAGE_BYTES) {
      log.warn(
        `Skipped ${pagePath}: it has ${stats.size} bytes, and the limit is ${MAX_PAGE_BYTES}`,
      );
      return undefined;
    }
    const bytes = await readBeginning(file, Math.min(stats.size, MAX_PAGE_BYTES));
    const source = decodeText(bytes, isHtmlPath(pagePath) ? { isHtml: true } : {});
    if (source.includes('\0')) {
      log.warn(`Skipped ${pagePath}: it is not text`);
      return undefined;
    }
    return { source, stamp: stampOf(stats), changedAt: changedAt(stats) };
  } catch (error) {
    if (errorCodeOrName(error) !== 'ENOENT')
      log.warn(`Can't read ${pagePath}: ${errorCodeOrName(error)}`);
    return undefined;
  } finally {
    await file?.close();
  }
}

/**
 * Reads an image or another file of the docs folder.
 * @returns undefined for a file that does not exist, is behind a symbolic link or in an ignored
 * folder, or is larger than `maxBytes`.
 */
export async function readDocsFile(
  root: string,
  relative: string,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (/[\0\\]/.test(relative) || relative.split('/').some(isIgnoredName)) return undefined;
  return readPlainFile(path.join(root, relative), maxBytes);
}

/**
 * Reads a file by its absolute path.
 * @returns undefined if it is larger than `maxBytes` or its path has a symbolic link.
 */
export async function readPlainFile(
  wanted: string,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    // The real path only equals the path if the path has no symbolic link.
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

/** Returns why {@link readDocsFile} returns nothing: `missing` if there is no such file. */
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

async function readBeginning(file: FileHandle, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await file.read(bytes, filled, size - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

type FileTimes = Pick<Stats, 'mtimeMs' | 'ctimeMs' | 'size' | 'ino'>;

/**
 * Returns a stamp of a file: its times, size and number. It changes with the file, as far as the file system can
 * tell. No program can set the second time, so tools that keep a file's date change it.
 */
export function stampOf({ mtimeMs, ctimeMs, size, ino }: FileTimes): string {
  return `${mtimeMs}:${ctimeMs}:${size}:${ino}`;
}

/** Returns the time of a file's last change, or undefined if its file system doesn't tell. */
function changedAt({ mtimeMs, ctimeMs }: FileTimes): number | undefined {
  return ctimeMs > 0 ? Math.max(mtimeMs, ctimeMs) : undefined;
}

/** Returns the stamp of a page's file without reading it, or undefined if it is no file. */
export async function stampAt(root: string, pagePath: string): Promise<string | undefined> {
  try {
    const stats = await lstat(path.join(root, pagePath));
    return stats.isFile() ? stampOf(stats) : undefined;
  } catch {
    return undefined;
  }
}
