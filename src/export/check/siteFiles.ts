/** The files of an unpacked bundle. Uses `node:fs`. */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { compareText } from '../../common/compareText';
import { ExportError } from '../exportErrors';
import { codeOf } from '../errorCode';
import type { ReportNote } from './reportTypes';

/** How many files are asked about, or read, at one time. */
const FILES_AT_ONCE = 8;

export interface SiteFile {
  /** Relative to the site's root, with `/`. */
  readonly path: string;
  readonly sizeBytes: number;
}

/** What is there, asked by path relative to the root with `/` and without one at its ends. */
export class SiteFiles {
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>(['']);
  #bySpelling: Map<string, string> | undefined;

  /** @param files in any order. */
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

  /** A file whose path differs only in case or in the encoding of its accents. */
  spelledAlike(filePath: string): string | undefined {
    // Made at the first miss: a good bundle never needs it.
    this.#bySpelling ??= new Map(this.files.map((file) => [spelling(file.path), file.path]));
    return this.#bySpelling.get(spelling(filePath));
  }
}

function spelling(filePath: string): string {
  return filePath.normalize('NFC').toLowerCase();
}

export interface SiteListing {
  /** In order of their paths. */
  readonly files: readonly SiteFile[];
  /** What is neither a file nor a folder, and folders that cannot be read. */
  readonly notes: readonly ReportNote[];
}

/**
 * Lists every regular file below `root`; symbolic links are not followed.
 *
 * @throws {ExportError} `file-gone` if the root is no folder.
 */
export async function listSiteFiles(root: string, signal: AbortSignal): Promise<SiteListing> {
  const isFolder = await stat(root).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new ExportError('file-gone', { path: root });

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
      notes.push({ code: 'unreadable-file', file: folder, detail: codeOf(error) });
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

/** Works on a few items at a time and yields what came of them in the items' order. */
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
    // Awaited later, in its turn; until then a failure is nobody's unhandled rejection.
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
