import { own } from './foundAddress';
import { parseUrl } from '../../common/parseUrl';
import type { AddressKind, BrokenReason } from './reportTypes';
import type { SiteFiles } from './siteFiles';

/** Where an address leads. */
export type Target =
  /** Loads nothing and leads nowhere: `mailto:`, `data:`, `javascript:` and the like. */
  | { readonly name: 'ignored' }
  | { readonly name: 'outside'; readonly url: URL }
  | {
      readonly name: 'file';
      /** Relative to the root. */
      readonly path: string;
      /** Decoded; absent for the page's start. */
      readonly fragment?: string;
      /** The host has to add `.html`. */
      readonly isExtensionless: boolean;
    }
  | { readonly name: 'broken'; readonly reason: BrokenReason; readonly suggestion?: string };

/** Stands for the site's host, whichever it will be. */
const ORIGIN = 'http://site.invalid';

/** Where pages are put for a site without base path, so that climbing out of it shows. */
const ROOT = '/.site-root';

const outsideProtocols = new Set(['http:', 'https:', 'ws:', 'wss:', 'ftp:']);

/** Loaded as such; a host's rules for pages (index files, `.html`) do not help these. */
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
 * Tells where addresses of a site lead, as a static host would serve it: names exact in case,
 * queries ignored, a folder by its `index.html`, a page also without its `.html`.
 *
 * Root-absolute addresses start at the bundle's root, or below `basePath` for a site that is made
 * to be hosted under one; there, an address beside it leads out of the site.
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
   * What addresses in a file are relative to.
   *
   * @param baseHref of the page's `<base>`; one that cannot be read counts for nothing.
   */
  baseOf(filePath: string, baseHref?: string): string {
    const page = pageAddress(this.#prefix, filePath);
    return (baseHref === undefined ? undefined : parseUrl(baseHref, page)?.href) ?? page;
  }

  /** @param base as {@link baseOf} gave it. */
  resolve(address: string, base: string, kind: AddressKind): Target {
    const isOfPage = /^\s*(?:[?#]|$)/.test(address);
    if (isOfPage) return this.#resolve(address, base, kind);
    // Relative to the folder alone: pages of one folder share their navigation's addresses.
    const folder = base.slice(0, base.lastIndexOf('/') + 1);
    const key = `${exactKinds.has(kind) ? 'exact' : 'page'} ${folder} ${address}`;
    const known = this.#cached.get(key);
    if (known) return known;
    const target = this.#resolve(address, base, kind);
    if (this.#cached.size >= MAX_CACHED) this.#cached.clear();
    this.#cached.set(own(key), target);
    return target;
  }

  /** Where a path of the site's host leads, without base path and with `/` at its start. */
  find(path: string, kind: AddressKind): Target {
    const wanted = decoded(path.slice(1));
    const forms = exactKinds.has(kind) ? [wanted] : servedAs(wanted);
    const there = forms.find((form) => this.files.has(form));
    if (there !== undefined) {
      const isExtensionless = there === `${wanted}.html` || there === `${wanted}.htm`;
      return { name: 'file', path: there, isExtensionless };
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
    const trimmed = address.trim();
    if (/^(?:file:|[a-z]:[\\/])/i.test(trimmed)) return broken('local-file');
    const url = parseUrl(address, base);
    if (!url) return broken('not-an-address');
    if (url.origin !== ORIGIN) {
      return outsideProtocols.has(url.protocol) ? { name: 'outside', url } : { name: 'ignored' };
    }
    const path = this.#pathInSite(url.pathname, trimmed, base);
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

/**
 * The path under which a site expects to be hosted, from its root-absolute paths: the shortest
 * folder that nine in ten of them start with, that is not in the bundle, and below which most of
 * them are found. Empty if they are found from the root, or if there is no such folder.
 *
 * @param isThere tells of a path with `/` at its start.
 */
export function detectBasePath(
  paths: readonly string[],
  files: SiteFiles,
  isThere: (path: string) => boolean,
): string {
  const areFound = (some: readonly string[], prefix: string): boolean =>
    some.filter((path) => isThere(path.slice(prefix.length) || '/')).length * 2 > some.length;
  if (paths.length === 0 || areFound(paths, '')) return '';
  let prefix = '';
  let within = paths;
  for (let depth = 0; depth < 4; depth++) {
    const segment = mostCommon(
      within.flatMap((path) => path.slice(prefix.length).split('/')[1] ?? []),
    );
    if (segment === undefined || segment === '') return '';
    prefix += `/${segment}`;
    within = within.filter((path) => path === prefix || path.startsWith(`${prefix}/`));
    if (depth === 0 && files.hasFolder(decoded(segment))) return '';
    if (within.length < paths.length * 0.9) return '';
    if (areFound(within, prefix)) return prefix;
  }
  return '';
}

/** The root-absolute path that an address means, if it means one. */
export function rootPathOf(
  address: string,
  filePath: string,
  baseHref?: string,
): string | undefined {
  const page = pageAddress(ROOT, filePath);
  const base = (baseHref === undefined ? undefined : parseUrl(baseHref, page)) ?? page;
  const url = parseUrl(address, base);
  if (!url) return undefined;
  const isOfFile = /^\s*(?:[?#]|$)/.test(address) || url.pathname.startsWith(`${ROOT}/`);
  const isFromRoot = /^\s*[/\\]/.test(address) || typeof base !== 'string';
  return url.origin === ORIGIN && !isOfFile && isFromRoot ? url.pathname : undefined;
}

function pageAddress(prefix: string, filePath: string): string {
  return `${ORIGIN}${prefix}/${filePath.split('/').map(encodeURIComponent).join('/')}`;
}

function servedAs(path: string): string[] {
  if (path === '' || path.endsWith('/')) return [`${path}index.html`, `${path}index.htm`];
  return [path, `${path}.html`, `${path}/index.html`, `${path}.htm`, `${path}/index.htm`];
}

/** Without the part for the browser's text search, which leads nowhere by itself. */
function fragmentOf({ hash }: URL): string | undefined {
  const fragment = decoded(hash.slice(1).replace(/:~:.*$/s, ''));
  return fragment === '' ? undefined : fragment;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function broken(reason: BrokenReason, suggestion?: string): Target {
  return { name: 'broken', reason, ...(suggestion === undefined ? {} : { suggestion }) };
}

function mostCommon(words: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}
