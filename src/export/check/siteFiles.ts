/** The files of an unpacked bundle. Uses `node:fs`. */
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCodeOrName } from '../../common/errorCode';
import { isFolder } from '../../common/onDisk';
import { compareText } from '../../common/text/strings';
import { withoutByteOrderMark } from '../../shared/characters';
import { ExportError } from '../exportErrors';
import type { ReportNote } from './reportTypes';

/** Number of files that are read at the same time. */
const FILES_AT_ONCE = 8;

export interface SiteFile {
  /** Path relative to the site's root, with `/`. */
  readonly path: string;
  readonly sizeBytes: number;
}

/** Files and folders of a site, by path relative to its root, without `/` at the ends. */
export class SiteFiles {
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>(['']);
  #bySpelling: Map<string, string> | undefined;

  /** @param files files in any order. */
  constructor(readonly files: readonly SiteFile[]) {
    for (const file of files) {
      this.#files.add(file.path);
      let slash = file.path.lastIndexOf('/');
      while (slash > 0 && !this.#folders.has(file.path.slice(0, slash))) {
        this.#folders.add(file.path.slice(0, slash));
        slash = file.path.lastIndexOf('/', slash - 1);
      }
    }
  }

  has(filePath: string): boolean {
    return this.#files.has(filePath);
  }

  hasFolder(folderPath: string): boolean {
    return this.#folders.has(folderPath);
  }

  /** Returns a file whose path differs only in case or in the encoding of its accents. */
  spelledAlike(filePath: string): string | undefined {
    // The map is built at the first miss, because a good bundle never needs it.
    this.#bySpelling ??= new Map(this.files.map((file) => [spelling(file.path), file.path]));
    return this.#bySpelling.get(spelling(filePath));
  }
}

function spelling(filePath: string): string {
  return filePath.normalize('NFC').toLowerCase();
}

export interface SiteListing {
  /** Files, sorted by path. */
  readonly files: readonly SiteFile[];
  /** Notes about special files and unreadable folders. */
  readonly notes: readonly ReportNote[];
}

/**
 * Lists all regular files below `root`. Symbolic links are not followed.
 *
 * @throws {ExportError} `file-gone` if the root is not a folder.
 */
export async function listSiteFiles(root: string, signal: AbortSignal): Promise<SiteListing> {
  if (!(await isFolder(root))) throw new ExportError('file-gone', { path: root });

  const paths: string[] = [];
  const notes: ReportNote[] = [];
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    signal.throwIfAborted();
    try {
      for (const entry of await readdir(path.join(root, folder), { withFileTypes: true })) {
        const entryPath = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (entry.isDirectory()) folders.push(entryPath);
        else if (entry.isFile()) paths.push(entryPath);
        else notes.push({ code: 'not-followed', file: entryPath });
      }
    } catch (error) {
      notes.push({ code: 'unreadable-file', file: folder, detail: errorCodeOrName(error) });
    }
  }

  paths.sort(compareText);
  const sizes = inOrder(paths, signal, async (filePath) => {
    const entry = await stat(path.join(root, filePath)).catch(() => undefined);
    return { path: filePath, sizeBytes: entry?.size ?? 0 };
  });
  const files: SiteFile[] = [];
  for await (const file of sizes) files.push(file);
  return { files, notes };
}

/**
 * Returns a file that {@link listSiteFiles} would list, or undefined for any other path: one that leads
 * out of the root, a symbolic link, a folder.
 */
export async function listedFile(root: string, filePath: string): Promise<SiteFile | undefined> {
  try {
    const wanted = path.join(await realpath(root), ...filePath.split('/'));
    const entry = await stat(wanted);
    const isBelow = !filePath.split('/').includes('..');
    const isListed = isBelow && entry.isFile() && (await realpath(wanted)) === wanted;
    return isListed ? { path: filePath, sizeBytes: entry.size } : undefined;
  } catch {
    return undefined;
  }
}

/** Works on a few items at a time and yields the results in the items' order. */
export async function* inOrder<Item, Result>(
  items: readonly Item[],
  signal: AbortSignal,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const under: Promise<Result>[] = [];
  let next = 0;
  const start = (): void => {
    const item = items[next++];
    if (item === undefined) return;
    const result = work(item);
    // The loop awaits it later. Until then it must not count as an unhandled rejection.
    result.catch(() => undefined);
    under.push(result);
  };
  while (under.length < FILES_AT_ONCE && next < items.length) start();
  for (let first = under.shift(); first !== undefined; first = under.shift()) {
    signal.throwIfAborted();
    const result = await first;
    start();
    yield result;
  }
}

/** Maximum size of a file that is read. Only search indexes are larger, and have no links. */
export const MAX_TEXT_BYTES = 16 * 1024 * 1024;

export interface ReadText {
  readonly file: SiteFile;
  /** Text without byte order mark. Absent if the file was not read. */
  readonly text?: string;
  readonly note?: ReportNote;
}

/** Reads UTF-8, or UTF-16 with a byte order mark. It never throws. A note has the error instead. */
export async function readText(root: string, file: SiteFile): Promise<ReadText> {
  if (file.sizeBytes > MAX_TEXT_BYTES) {
    return { file, note: { code: 'too-large', file: file.path, count: file.sizeBytes } };
  }
  try {
    const bytes = await readFile(path.join(root, file.path));
    if (bytes[0] === 0xff && bytes[1] === 0xfe) {
      return { file, text: new TextDecoder('utf-16le').decode(bytes) };
    }
    const text = bytes.toString('utf8');
    const isUtf8 = !text.includes('\ufffd') || bytes.includes('\ufffd');
    return {
      file,
      text: withoutByteOrderMark(text),
      note: isUtf8 ? undefined : { code: 'not-utf8', file: file.path },
    };
  } catch (error) {
    const note = {
      code: 'unreadable-file',
      file: file.path,
      detail: errorCodeOrName(error),
    } as const;
    return { file, note };
  }
}
