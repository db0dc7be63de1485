import { encodePath } from '../../common/http/encodePath';
import { parseUrl, percentDecoded } from '../../shared/links';
import { own } from './findings';
import type { MarkupReader } from './pageLinks';
import type { AddressKind, BrokenReason } from './reportTypes';
import type { ReadText, SiteFile, SiteFiles } from './siteFiles';

/** Target of an address. */
export type Target =
  /** The address loads nothing: `mailto:`, `data:`, `javascript:` and similar schemes. */
  | { readonly name: 'ignored' }
  | { readonly name: 'outside'; readonly url: URL }
  | {
      readonly name: 'file';
      /** Path relative to the root. */
      readonly path: string;
      /** Fragment as the URL has it, see {@link fragmentForms}. Absent for the top of the page. */
      readonly fragment?: string;
      /** Whether the host has to add `.html`. */
      readonly isExtensionless: boolean;
    }
  | { readonly name: 'broken'; readonly reason: BrokenReason; readonly suggestion?: string };

/** Placeholder for the site's future host. */
const ORIGIN = 'http://site.invalid';

/** Base path for a site without one, so that a link out of the site is recognized. */
const ROOT = '/.site-root';

const outsideProtocols = new Set(['http:', 'https:', 'ws:', 'wss:', 'ftp:']);

/** Kinds whose path must be exact. A host's rules for pages (index files, `.html`) don't apply. */
const exactKinds: ReadonlySet<AddressKind> = new Set([
  'script',
  'style',
  'font',
  'image',
  'media',
  'import',
  'worker',
  'manifest',
]);

const MAX_CACHED = 20_000;

/**
 * Resolves addresses of a site like a static host: names are case-sensitive, queries are ignored, a
 * folder has an `index.html`, and a page also works without `.html`.
 *
 * Root-absolute addresses start at the bundle's root, or at `basePath` for a site that has one. An
 * address outside of it leads out of the site.
 */
export class LinkResolver {
  readonly #prefix: string;
  readonly #cached = new Map<string, Target>();

  /** @param basePath such as `/docs`, or empty. */
  constructor(
    private readonly files: SiteFiles,
    private readonly basePath: string,
  ) {
    this.#prefix = basePath === '' ? ROOT : basePath;
  }

  /**
   * Returns the base URL of the addresses in a file.
   *
   * @param baseHref value of the page's `<base>`. An invalid one is ignored.
   */
  baseOf(filePath: string, baseHref?: string): string {
    const page = pageAddress(this.#prefix, filePath);
    return (baseHref === undefined ? undefined : parseUrl(baseHref, page)?.href) ?? page;
  }

  /** Resolves an address. `base` is a result of {@link baseOf}. */
  resolve(address: string, base: string, kind: AddressKind): Target {
    const isOfPage = /^\s*(?:[?#]|$)/.test(address);
    if (isOfPage) return this.#resolve(address, base, kind);
    // The key has only the folder, because pages of one folder share the links of the navigation.
    const folder = base.slice(0, base.lastIndexOf('/') + 1);
    const key = `${exactKinds.has(kind) ? 'exact' : 'page'} ${folder} ${address}`;
    const known = this.#cached.get(key);
    if (known) return known;
    const target = this.#resolve(address, base, kind);
    if (this.#cached.size >= MAX_CACHED) this.#cached.clear();
    this.#cached.set(own(key), target);
    return target;
  }

  /**
   * Returns the path that an address leads to, as {@link find} takes it, whether or not it exists there.
   * Undefined for an address that is not within the site. `base` is a result of {@link baseOf}.
   */
  pathOf(address: string, base: string): string | undefined {
    const url = isLocalFile(address) ? undefined : parseUrl(address, base);
    return url?.origin === ORIGIN
      ? this.#pathInSite(url.pathname, address.trim(), base)
      : undefined;
  }

  /** Finds the file of a path, which starts with `/` and has no base path. */
  find(path: string, kind: AddressKind): Target {
    const wanted = percentDecoded(path.slice(1));
    const forms = exactKinds.has(kind) ? [wanted] : servedAs(wanted);
    const there = forms.find((form) => this.files.has(form));
    if (there !== undefined) {
      return { name: 'file', path: there, isExtensionless: there === `${wanted}.html` };
    }
    for (const form of forms) {
      const alike = this.files.spelledAlike(form);
      if (alike !== undefined) return { name: 'broken', reason: 'wrong-case', suggestion: alike };
    }
    const bare = wanted.replace(/\/+$/, '');
    const isFolder = this.files.hasFolder(bare) && !exactKinds.has(kind);
    const page = exactKinds.has(kind) ? undefined : this.#page(bare);
    return broken(isFolder ? 'folder-without-index' : 'missing-file', page);
  }

  #page(path: string): string | undefined {
    return [`${path}.html`, `${path}/index.html`].find((form) => this.files.has(form));
  }

  #resolve(address: string, base: string, kind: AddressKind): Target {
    if (isLocalFile(address)) return broken('local-file');
    const url = parseUrl(address, base);
    if (!url) return broken('not-an-address');
    if (url.origin !== ORIGIN) {
      return outsideProtocols.has(url.protocol) ? { name: 'outside', url } : { name: 'ignored' };
    }
    const path = this.#pathInSite(url.pathname, address.trim(), base);
    if (path === undefined) return broken('outside-site');
    const target = this.find(path, kind);
    const fragment = fragmentOf(url);
    return target.name === 'file' && fragment !== undefined ? { ...target, fragment } : target;
  }

  #pathInSite(pathname: string, address: string, base: string): string | undefined {
    if (pathname === this.#prefix) return '/';
    if (pathname.startsWith(`${this.#prefix}/`)) return pathname.slice(this.#prefix.length);
    if (this.basePath !== '') return undefined;
    const isFromRoot = /^[/\\]/.test(address) || !base.startsWith(`${ORIGIN}${ROOT}/`);
    return isFromRoot ? pathname : undefined;
  }
}

/** Number of pages that are read to detect the site's base path. */
const SAMPLED_PAGES = 40;

/**
 * Returns the path that a site expects to be hosted at, such as `/docs`, or an empty text for the root
 * of a host. It reads some of the pages and compares their root-absolute addresses with the files.
 *
 * @param read reads the files that it is given.
 */
export async function findBasePath(
  pages: readonly SiteFile[],
  files: SiteFiles,
  read: (files: readonly SiteFile[]) => AsyncIterable<ReadText>,
  markup: MarkupReader,
): Promise<string> {
  const step = Math.max(1, Math.floor(pages.length / SAMPLED_PAGES));
  const sample = pages.filter(
    (page, position) => position % step === 0 || page.path === 'index.html',
  );
  const paths: string[] = [];
  for await (const { file, text } of read(sample)) {
    if (text === undefined) continue;
    const { found, baseHref } = markup.read(text, 'html');
    for (const { address, role } of found) {
      if (role !== undefined) continue;
      const path = rootPathOf(address, file.path, baseHref);
      if (path !== undefined) paths.push(path);
    }
  }
  return detectBasePath(paths, files);
}

/**
 * Number of different files that links must lead to below a base path. One missing page, to which all
 * pages link, is no evidence: its own path, taken as the base path, would lead to the home page.
 */
const BASE_PATH_FILES = 2;

/**
 * Returns the path that a site expects to be hosted at, from its root-absolute paths. It is the shortest
 * folder that starts nine in ten of them, isn't in the bundle, and below which most of them exist and
 * lead to different files. It is empty if they exist at the root, or if no such folder is found.
 */
export function detectBasePath(paths: readonly string[], files: SiteFiles): string {
  const resolver = new LinkResolver(files, '');
  const found = (some: readonly string[], prefix: string): readonly string[] =>
    some.flatMap((path) => {
      const target = resolver.find(path.slice(prefix.length) || '/', 'link');
      return target.name === 'file' ? [target.path] : [];
    });
  const areMost = (some: readonly string[], all: readonly string[]): boolean =>
    some.length * 2 > all.length;
  if (paths.length === 0 || areMost(found(paths, ''), paths)) return '';
  let prefix = '';
  let within = paths;
  for (let depth = 0; depth < 4; depth++) {
    const segment = mostCommon(
      within.flatMap((path) => path.slice(prefix.length).split('/')[1] ?? []),
    );
    if (segment === undefined || segment === '') return '';
    prefix += `/${segment}`;
    within = within.filter((path) => path === prefix || path.startsWith(`${prefix}/`));
    if (depth === 0 && files.hasFolder(percentDecoded(segment))) return '';
    if (within.length < paths.length * 0.9) return '';
    const below = found(within, prefix);
    if (areMost(below, within) && new Set(below).size >= BASE_PATH_FILES) return prefix;
  }
  return '';
}

/** Returns the path of a root-absolute address, or undefined for any other address. */
function rootPathOf(address: string, filePath: string, baseHref?: string): string | undefined {
  const page = pageAddress(ROOT, filePath);
  const base = (baseHref === undefined ? undefined : parseUrl(baseHref, page)) ?? page;
  const url = parseUrl(address, base);
  if (!url) return undefined;
  const isOfFile = /^\s*(?:[?#]|$)/.test(address) || url.pathname.startsWith(`${ROOT}/`);
  const isFromRoot = /^\s*[/\\]/.test(address) || typeof base !== 'string';
  return url.origin === ORIGIN && !isOfFile && isFromRoot ? url.pathname : undefined;
}

function pageAddress(prefix: string, filePath: string): string {
  return `${ORIGIN}${prefix}/${encodePath(filePath)}`;
}

function isLocalFile(address: string): boolean {
  return /^\s*(?:file:|[a-z]:[\\/])/i.test(address);
}

/** Returns the files that answer the path, by the rules of the preview and of the generated hosting files. */
function servedAs(path: string): string[] {
  if (path === '' || path.endsWith('/')) return [`${path}index.html`];
  return [path, `${path}.html`, `${path}/index.html`];
}

/** Returns the fragment of a URL without a directive for text search (`:~:`). */
function fragmentOf({ hash }: URL): string | undefined {
  const fragment = hash.slice(1).replace(/:~:.*$/s, '');
  return fragment === '' ? undefined : fragment;
}

/**
 * Returns the IDs that a browser looks for, in this order. Some generators encode the IDs of headings too,
 * so that `#what%3F` leads to `id="what%3F"`.
 *
 * @see https://html.spec.whatwg.org/multipage/browsing-the-web.html#find-a-potential-indicated-element
 */
export function fragmentForms(fragment: string): readonly [asWritten: string, decoded: string] {
  return [fragment, percentDecoded(fragment)];
}

function broken(reason: BrokenReason, suggestion?: string): Target {
  return { name: 'broken', reason, suggestion };
}

function mostCommon(words: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}
