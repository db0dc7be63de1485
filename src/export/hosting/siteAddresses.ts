import { hasControls } from '../../shared/characters';

/**
 * The addresses of a site's pages without `.html`. A page `guides/start.html` is `/guides/start`, and a
 * folder's page `guides/index.html` is `/guides/`, so that relative links of both work. A page wins
 * over a folder of the same name.
 */
export class SiteAddresses {
  /** Files that aren't pages. */
  readonly #others = new Set<string>();
  /** Paths of pages without `.html`, for `index.html` with `/` at the end, or empty for the root. */
  readonly #pages = new Set<string>();

  constructor(files: Iterable<string>) {
    for (const file of files) {
      const page = pageUrlPath(file);
      if (page === undefined) this.#others.add(file);
      else if (file !== '404.html') this.#pages.add(page);
    }
  }

  get pages(): ReadonlySet<string> {
    return this.#pages;
  }

  /** Returns whether there is a file with this path. */
  hasFile(path: string): boolean {
    const page = pageUrlPath(path);
    return page === undefined ? this.#others.has(path) : this.#pages.has(page);
  }

  /** Returns the path, relative to the root, that serves a page or file, or undefined if none does. */
  find(path: string): string | undefined {
    if (this.#others.has(path)) return path;
    const plain = plainPath(path);
    if (path.endsWith('/') && this.#pages.has(`${plain}/`)) return `${plain}/`;
    if (plain === '') return this.#pages.has('') ? '' : undefined;
    return [plain, `${plain}/`].find((form) => this.#pages.has(form));
  }

  /**
   * Returns what a host does with an address, by the rules of the generated configurations: the file that it sends, or
   * the path that it redirects to. Returns undefined if nothing is there.
   *
   * @param path decoded, relative to the root.
   */
  answer(path: string): SiteAnswer | undefined {
    if (this.#others.has(path)) return { file: path, isPage: false };
    const page = pageUrlPath(path);
    if (page !== undefined && this.#pages.has(page)) return { movedTo: page };
    if (this.#pages.has(path)) return { file: pageFile(path), isPage: true };
    const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
    return path !== '' && this.#pages.has(other) ? { movedTo: other } : undefined;
  }

  /** Folders with a page of their own, without `/` at the end. The root isn't one. */
  get folders(): string[] {
    return [...this.#pages].flatMap((page) => (page.endsWith('/') ? [page.slice(0, -1)] : []));
  }
}

/** Answer of a host to an address. Paths are relative to the root. */
type SiteAnswer =
  | { readonly file: string; readonly isPage: boolean; readonly movedTo?: undefined }
  | { readonly file?: undefined; readonly movedTo: string };

/** Returns whether a host serves a file. Names with a leading dot belong to Git or an editor. */
export function isServed(path: string): boolean {
  return !/(?:^|\/)\.(?!well-known\/)/.test(path);
}

/** Returns the file of a page's address. */
function pageFile(address: string): string {
  return address === '' || address.endsWith('/') ? `${address}index.html` : `${address}.html`;
}

/** Returns the path of a page's address, or undefined for another file. */
export function pageUrlPath(file: string): string | undefined {
  if (!file.endsWith('.html')) return undefined;
  return file.replace(/(?:^|(?<=\/))index\.html$/, '').replace(/\.html$/, '');
}

/** Returns a path without `.html`, `index.html` and `/` at its end. */
export function plainPath(path: string): string {
  return path
    .replace(/(?:^|(?<=\/))index\.html$/, '')
    .replace(/\.html$/, '')
    .replace(/\/+$/, '');
}

/** Matches every character except those that have no special meaning in URLs and configurations. */
const specialCharacter = /[^A-Za-z0-9/_.~-]/gu;

/** Returns a percent-encoded path with only harmless ASCII characters. */
export function encodedPath(path: string): string {
  return path.replace(specialCharacter, (character) =>
    [...new TextEncoder().encode(character)].map(percent).join(''),
  );
}

/** Returns a URL, or a part of one, with only characters that are harmless in a configuration. */
export function encodedUrl(url: string): string {
  return url.replace(/[^A-Za-z0-9/_.~:?#@&=+,%-]/gu, encodedPath);
}

function percent(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}

/** Returns the decoded path of an address, or undefined if it isn't the path of a file or a page. */
export function decodedPath(pathname: string): string | undefined {
  try {
    const path = decodeURIComponent(pathname);
    const isOdd = hasControls(path) || /\\|\/\/|(?:^|\/)\.{1,2}(?:\/|$)/.test(path);
    return isOdd || path.includes('\ufffd') ? undefined : path;
  } catch {
    return undefined;
  }
}
