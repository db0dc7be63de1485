/** Packages in the zip archives of Yarn's cache. Uses `node:fs`. */
import { stat } from 'node:fs/promises';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { errorCodeOrName } from '../../../common/errorCode';
import type { Log } from '../../../common/ports';
import { MAX_PAGE_BYTES, type PageFile, stampOf } from '../docsFolder';
import { decodeText } from '../../pages/textEncoding';
import type { FileEntry, PackageFiles } from './packageFiles';

/** A path that leads into an archive. */
interface ZipPlace {
  readonly archive: string;
  /** Path of the folder in the archive, with forward slashes. */
  readonly folder: string;
}

/** Maximum number of entries of an archive. Packages with more aren't read. */
const MAX_ENTRIES = 100_000;
/** Number of archives whose entries are remembered. Those of a large package take 3 MB. */
const REMEMBERED = 8;
const STORED = 0;
const DEFLATED = 8;
const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;

/** Returns the archive that a path leads into, or undefined if no file of the path is one. */
export async function zipPlaceOf(folder: string): Promise<ZipPlace | undefined> {
  for (const match of folder.matchAll(/\.zip(?=[\\/]|$)/gi)) {
    const end = match.index + match[0].length;
    const archive = folder.slice(0, end);
    const stats = await stat(archive).catch(() => undefined);
    if (stats?.isFile())
      return {
        archive,
        folder: folder
          .slice(end + 1)
          .replaceAll('\\', '/')
          .replace(/\/+$/, ''),
      };
  }
  return undefined;
}

/** The entries of an archive, by folder and name. */
type Folders = ReadonlyMap<string, ReadonlyMap<string, Entry | undefined>>;

/** Opens archives, and remembers the entries of the last ones. */
export class ZipArchives {
  readonly #opened = new Map<string, Promise<Folders>>();

  /** Returns the files of a package in an archive. */
  files({ archive, folder }: ZipPlace): PackageFiles {
    return new ZipFiles(archive, folder, () => this.#folders(archive));
  }

  async #folders(archive: string): Promise<Folders> {
    const key = `${archive} ${stampOf(await stat(archive))}`;
    const known = this.#opened.get(key);
    const folders = known ?? foldersOf(archive);
    this.#opened.delete(key);
    this.#opened.set(key, folders);
    const [oldest] = this.#opened.keys();
    if (this.#opened.size > REMEMBERED && oldest !== undefined) this.#opened.delete(oldest);
    folders.catch(() => this.#opened.delete(key));
    return folders;
  }
}

async function foldersOf(archive: string): Promise<Folders> {
  const zip = await openZip(archive);
  try {
    if (zip.entryCount > MAX_ENTRIES) throw new Error('The archive has too many entries');
    const folders = new Map<string, Map<string, Entry | undefined>>();
    const add = (name: string, entry: Entry | undefined): void => {
      const cut = name.lastIndexOf('/');
      const parent = cut < 0 ? '' : name.slice(0, cut);
      const siblings = folders.get(parent);
      if (siblings) {
        siblings.set(name.slice(cut + 1), entry);
        return;
      }
      folders.set(parent, new Map([[name.slice(cut + 1), entry]]));
      if (parent !== '') add(parent, undefined);
    };
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileName.replace(/\/+$/, '');
      if (name === '' || name.length > MAX_NAME) continue;
      if (entry.fileName.endsWith('/')) add(name, undefined);
      else if (isPlainEntry(entry)) add(name, entry);
    }
    return folders;
  } finally {
    zip.close();
  }
}

/** Maximum characters of a path, so that no archive can have folders that are thousands deep. */
const MAX_NAME = 1000;

function isPlainEntry(entry: Entry): boolean {
  // Writers on Unix store the mode there. Others leave it 0.
  const type = (entry.externalFileAttributes >>> 16) & FILE_TYPE;
  const { compressionMethod: method } = entry;
  return (
    (type === 0 || type === REGULAR) &&
    !entry.isEncrypted() &&
    (method === STORED || method === DEFLATED)
  );
}

/** Opens an archive. Names that lead out of it make it invalid. */
function openZip(archive: string): Promise<ZipFile> {
  return openPromise(archive, { lazyEntries: true, autoClose: false, validateEntrySizes: true });
}

class ZipFiles implements PackageFiles {
  readonly #archive: string;
  readonly #folder: string;
  readonly #folders: () => Promise<Folders>;

  constructor(archive: string, folder: string, folders: () => Promise<Folders>) {
    this.#archive = archive;
    this.#folder = folder;
    this.#folders = folders;
  }

  async entries(folder: string): Promise<readonly FileEntry[]> {
    const folders = await this.#folders();
    const found = folders.get(this.#pathOf(folder));
    if (!found) throw new Error('The archive has no such folder');
    return Array.from(found, ([name, entry]): FileEntry => ({
      name,
      kind: entry ? 'file' : 'folder',
    })).sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  async kindOf(file: string): Promise<FileEntry['kind'] | undefined> {
    const folders = await this.#folders().catch(() => undefined);
    if (!folders) return undefined;
    const wanted = this.#pathOf(file);
    if (folders.has(wanted)) return 'folder';
    return entryAt(folders, wanted) ? 'file' : undefined;
  }

  async readBytes(file: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    try {
      const entry = entryAt(await this.#folders(), this.#pathOf(file));
      if (!entry || entry.uncompressedSize > maxBytes) return undefined;
      return await this.#read(entry);
    } catch {
      return undefined;
    }
  }

  async readPage(file: string, log: Log): Promise<PageFile | undefined> {
    try {
      const entry = entryAt(await this.#folders(), this.#pathOf(file));
      if (!entry) return undefined;
      const { uncompressedSize: size, crc32 } = entry;
      if (size > MAX_PAGE_BYTES) {
        log.warn(`Skipped ${file}: it has ${size} bytes, and the limit is ${MAX_PAGE_BYTES}`);
        return undefined;
      }
      const source = decodeText(await this.#read(entry));
      if (source.includes('\0')) {
        log.warn(`Skipped ${file}: it is not text`);
        return undefined;
      }
      return { source, stamp: `${crc32}:${size}` };
    } catch (error) {
      log.warn(`Can't read ${file}: ${errorCodeOrName(error)}`);
      return undefined;
    }
  }

  async stamp(): Promise<string | undefined> {
    try {
      return stampOf(await stat(this.#archive));
    } catch {
      return undefined;
    }
  }

  #pathOf(file: string): string {
    return file === '' ? this.#folder : `${this.#folder}/${file}`;
  }

  /** Reads an entry. `yauzl` ends the stream with an error after more bytes than the entry announces. */
  async #read(entry: Entry): Promise<Uint8Array<ArrayBuffer>> {
    const zip = await openZip(this.#archive);
    try {
      const stream = await zip.openReadStreamPromise(entry);
      const bytes = new Uint8Array(entry.uncompressedSize);
      let filled = 0;
      const chunks: AsyncIterable<Uint8Array> = stream;
      for await (const chunk of chunks) {
        bytes.set(chunk, filled);
        filled += chunk.length;
      }
      return bytes.subarray(0, filled);
    } finally {
      zip.close();
    }
  }
}

function entryAt(folders: Folders, file: string): Entry | undefined {
  const cut = file.lastIndexOf('/');
  return folders.get(cut < 0 ? '' : file.slice(0, cut))?.get(file.slice(cut + 1));
}
