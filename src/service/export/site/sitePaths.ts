/** Makes paths for the site's files that are valid on every file system, and links between the files. */
import { encodePath } from '../../../common/http/encodePath';
import { isDeviceName } from '../../../common/text/deviceNames';

/** Maximum length of a name in bytes. The limit of file systems is 255. */
const MAX_NAME_BYTES = 200;

/**
 * Returns a valid file name: `what-s-new` for `what's new?`. The result is never empty, `.` or `..`.
 */
export function safeName(name: string): string {
  const [, stem = '', ending = ''] =
    /^(.*?)(\.[a-z\d]{1,10})?$/is.exec(name.normalize('NFC')) ?? [];
  const kept = stem.replace(/[^\p{L}\p{M}\p{N}._~-]+/gu, '-').replace(/^\.+|[-.]+$/g, '');
  const short = cutToBytes(kept === '' ? 'page' : kept, MAX_NAME_BYTES - ending.length);
  return isDeviceName(short + ending)
    ? `${short.replace(/^[^.]*/, '$&_')}${ending}`
    : short + ending;
}

function cutToBytes(name: string, bytes: number): string {
  if (Buffer.byteLength(name) <= bytes) return name;
  let cut = '';
  let used = 0;
  for (const character of name) {
    used += Buffer.byteLength(character);
    if (used > bytes) break;
    cut += character;
  }
  return cut;
}

/** Returns a key for a name. Names that some file systems treat as the same have the same key. */
function nameKey(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}

/** Gives each file and folder of the site a unique path on every file system. */
export class SitePaths {
  readonly #folders = new Map<string, string>([['', '']]);
  /** Highest number given to each name, by site folder and name key. */
  readonly #names = new Map<string, Map<string, number>>();

  /** Returns the site's folder for a folder of the docs. Always returns the same one for the same folder. */
  folder(source: string): string {
    const known = this.#folders.get(source);
    if (known !== undefined) return known;
    const { folder, name } = splitPath(source);
    const path = this.#claim(this.folder(folder), safeName(name));
    this.#folders.set(source, path);
    return path;
  }

  /** Returns an unused path for a file in the site's folder for a folder of the docs. */
  file(sourceFolder: string, name: string): string {
    return this.#claim(this.folder(sourceFolder), safeName(name));
  }

  #claim(folder: string, name: string): string {
    const names = this.#names.get(folder) ?? new Map<string, number>();
    this.#names.set(folder, names);
    const [, stem = '', ending = ''] = /^(.+?)(\.[a-z\d]{1,10})?$/is.exec(name) ?? [];
    let count = names.get(nameKey(name)) ?? 0;
    let free = name;
    if (count > 0) {
      do free = `${stem}-${++count}${ending}`;
      while (names.has(nameKey(free)));
    }
    names.set(nameKey(name), Math.max(1, count));
    names.set(nameKey(free), Math.max(1, names.get(nameKey(free)) ?? 0));
    return folder === '' ? free : `${folder}/${free}`;
  }
}

export function splitPath(path: string): { folder: string; name: string } {
  const slash = path.lastIndexOf('/');
  return { folder: path.slice(0, Math.max(0, slash)), name: path.slice(slash + 1) };
}

/** Returns the relative link from one file of the site to another, such as `../guides/start.html`. */
export function relativeHref(from: string, to: string): string {
  const fromNames = from.split('/').slice(0, -1);
  const toNames = to.split('/');
  let common = 0;
  while (common < fromNames.length && common < toNames.length - 1) {
    if (fromNames[common] !== toNames[common]) break;
    common++;
  }
  return '../'.repeat(fromNames.length - common) + encodePath(toNames.slice(common).join('/'));
}

/**
 * Returns a page's path without `.html` and `index`: `guides/start`, `guides/` for the page of a folder, to which
 * hosts redirect `guides`, or an empty string for the first page.
 */
export function cleanAddress(file: string): string {
  return encodePath(file.replace(/\.html$/, '').replace(/(^|\/)index$/, '$1'));
}
