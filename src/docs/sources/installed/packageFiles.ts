/** The files of an installed package, in a folder or in an archive of Yarn. Uses `node:fs`. */
import { lstat, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../../../common/ports';
import { type PageFile, readPageFile, readPlainFile, stampOf } from '../docsFolder';

export interface FileEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder';
}

/**
 * The files of a package. Paths are relative to its folder, with forward slashes. The folder itself is the empty
 * path. Links aren't followed, so nothing outside the package is read.
 */
export interface PackageFiles {
  /**
   * Returns the files and folders in a folder, by name. Links and devices are left out.
   * @throws if the folder can't be read.
   */
  entries(folder: string): Promise<readonly FileEntry[]>;
  /** Returns what is at a path. Undefined for a link, and for a path that leads through one. */
  kindOf(file: string): Promise<FileEntry['kind'] | undefined>;
  /** Reads a file. Returns undefined if there is none, or if it is larger than `maxBytes`. */
  readBytes(file: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Reads and decodes a page. Logs why it returns undefined, unless there is no such file. */
  readPage(file: string, log: Log): Promise<PageFile | undefined>;
  /** Returns a value that changes when the package is installed again, or undefined if it is gone. */
  stamp(): Promise<string | undefined>;
}

/** Returns a path below a package in its plain form, or undefined if it leads out of the package. */
export function pathWithin(written: string): string | undefined {
  if (/[\0\\]/.test(written)) return undefined;
  const plain = path.posix.normalize(written).replace(/\/+$/, '').replace(/^\/+/, '');
  if (plain === '.') return '';
  return plain === '..' || plain.startsWith('../') ? undefined : plain;
}

/** A package that is a folder on disk. */
export class FolderFiles implements PackageFiles {
  readonly #root: string;

  /** @param root real path of the folder. */
  constructor(root: string) {
    this.#root = root;
  }

  async entries(folder: string): Promise<readonly FileEntry[]> {
    const found = await readdir(path.join(this.#root, folder), { withFileTypes: true });
    return found
      .flatMap((entry): FileEntry[] => {
        if (entry.isFile()) return [{ name: entry.name, kind: 'file' }];
        return entry.isDirectory() ? [{ name: entry.name, kind: 'folder' }] : [];
      })
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  async kindOf(file: string): Promise<FileEntry['kind'] | undefined> {
    const wanted = path.join(this.#root, file);
    try {
      const stats = await lstat(wanted);
      // The real path only equals the path if the path has no link.
      if ((await realpath(wanted)) !== wanted) return undefined;
      if (stats.isFile()) return 'file';
      return stats.isDirectory() ? 'folder' : undefined;
    } catch {
      return undefined;
    }
  }

  readBytes(file: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return readPlainFile(path.join(this.#root, file), maxBytes);
  }

  readPage(file: string, log: Log): Promise<PageFile | undefined> {
    return readPageFile(this.#root, file, log);
  }

  async stamp(): Promise<string | undefined> {
    try {
      const manifest = await lstat(path.join(this.#root, 'package.json'));
      // Archives of npm give all files of all versions the same time. That of the folder is the installation's.
      const folder = await lstat(this.#root);
      return `${stampOf(manifest)} ${folder.mtimeMs}`;
    } catch {
      return undefined;
    }
  }
}
