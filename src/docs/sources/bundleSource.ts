import { isLoopbackHost } from '../../common/http/address';
import { parseUrl } from '../../shared/links';
import { type PageFile, pagePaths, readDocsFile, readPageFile } from './docsFolder';
import { type FolderChanges, FolderWatch, type FolderWatchPorts } from './folderWatch';
import { canonicalUrlIn } from '../pages/html/htmlPage';
import type { IncludedFiles } from '../pages/markup/lines';
import { isHtmlPath, isPagePath, routeOf } from '../pages/pagePath';
import { noConfig, type PageSource, type PageWatch } from './pageSource';

/** Number of pages to check for the URL of the site before the pages are read. */
const ADDRESS_SAMPLE = 40;

/**
 * An exported site: a folder of HTML, in which a page can also have a Markdown file beside it. Pages get
 * their canonical URL if most pages name the same site.
 */
export class BundleSource implements PageSource {
  readonly #ports: FolderWatchPorts;
  /** HTML files by the Markdown file that is read instead. */
  #companions: ReadonlyMap<string, string> = new Map();
  #chosen = new Set<string>();
  #passedOver: ReadonlySet<string> = new Set();
  /** URL below which the site is published. It ends with a slash. */
  #siteUrl: string | undefined;
  /** Folder that an archive can add above all pages. It ends with a slash. Empty if there is none. */
  #topFolder = '';

  readonly readConfig = noConfig;

  /** @param ports `root` is the real path of the unpacked bundle. */
  constructor(ports: FolderWatchPorts) {
    this.#ports = ports;
  }

  get size(): { readonly total: number } {
    return { total: this.#chosen.size };
  }

  async *paths(signal: AbortSignal): AsyncGenerator<string> {
    const all: string[] = [];
    for await (const path of pagePaths(this.#ports.root, this.#ports.log, isBundlePage)) {
      if (signal.aborted) return;
      all.push(path);
    }
    const { pages, companions } = chooseBundlePages(all);
    this.#companions = companions;
    this.#chosen = new Set(pages);
    this.#passedOver = new Set(all.filter((path) => !this.#chosen.has(path)));
    const folder = /^[^/]+\//.exec(pages[0] ?? '')?.[0] ?? '';
    this.#topFolder = pages.every((path) => path.startsWith(folder)) ? folder : '';
    this.#siteUrl = await this.#findSiteUrl(pages, signal);
    yield* pages;
  }

  async read(path: string): Promise<PageFile | undefined> {
    // `paths` has not checked pages that were added later, so `isFramePage` checks them here.
    if (this.#passedOver.has(path) || isFramePage(path)) return undefined;
    const file = await readPageFile(this.#ports.root, path, this.#ports.log);
    if (!file) return undefined;
    const html = this.#companions.get(path) ?? (isHtmlPath(path) ? path : undefined);
    const source =
      html === path
        ? file.source
        : html === undefined
          ? undefined
          : (await readPageFile(this.#ports.root, html, this.#ports.log))?.source;
    const canonicalUrl = source === undefined ? undefined : canonicalUrlIn(source);
    const isOwn =
      canonicalUrl !== undefined &&
      this.#siteUrl !== undefined &&
      this.#siteUrlOf(canonicalUrl, path) === this.#siteUrl;
    // An empty URL means that the page has none, even if its HTML names one.
    // The URL also comes from other files, so the stamp of this one doesn't say enough.
    return { ...file, changedAt: undefined, canonicalUrl: isOwn ? canonicalUrl : '' };
  }

  readIncludes(): Promise<IncludedFiles> {
    return Promise.resolve(new Map());
  }

  readFile(path: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return readDocsFile(this.#ports.root, path, maxBytes);
  }

  watch(changes: FolderChanges): PageWatch {
    return new FolderWatch(this.#ports, changes, isBundlePage);
  }

  #siteUrlOf(canonicalUrl: string, path: string): string | undefined {
    const known = siteUrlOf(canonicalUrl, routeOf(path));
    if (known !== undefined || this.#topFolder === '') return known;
    return siteUrlOf(canonicalUrl, routeOf(path.slice(this.#topFolder.length)));
  }

  /** Returns the URL of the site that at least half of a sample of pages name, or undefined. */
  async #findSiteUrl(pages: readonly string[], signal: AbortSignal): Promise<string | undefined> {
    const counts = new Map<string, number>();
    let asked = 0;
    const step = Math.max(1, Math.floor(pages.length / ADDRESS_SAMPLE));
    for (let at = 0; at < pages.length && !signal.aborted; at += step) {
      const path = pages[at] ?? '';
      const html = this.#companions.get(path) ?? path;
      if (!isHtmlPath(html)) continue;
      const file = await readPageFile(this.#ports.root, html, this.#ports.log);
      const url = file && canonicalUrlIn(file.source);
      const site = url === undefined ? undefined : this.#siteUrlOf(url, path);
      asked++;
      if (site !== undefined) counts.set(site, (counts.get(site) ?? 0) + 1);
    }
    const [first] = [...counts].sort(([, one], [, other]) => other - one);
    return first && first[1] * 2 >= asked ? first[0] : undefined;
  }
}

function isBundlePage(path: string): boolean {
  return isPagePath(path) || isHtmlPath(path);
}

/**
 * Returns the URL below which a site is published, from a page's canonical URL and route. For example, the
 * result for `https://x.dev/docs/guide/start` and `guide/start` is `https://x.dev/docs/`.
 * @returns undefined if the URL doesn't end with the route, or if its host is this machine.
 */
export function siteUrlOf(canonicalUrl: string, route: string): string | undefined {
  const url = parseUrl(canonicalUrl);
  if (!url || !/^https?:$/.test(url.protocol) || isLoopbackHost(url.hostname)) return undefined;
  let path;
  try {
    path = decodeURIComponent(url.pathname);
  } catch {
    return undefined;
  }
  const named = routeOf(path.replace(/\/+$/, '')).replace(/^\/+/, '');
  if (route === '') return `${url.origin}/${named === '' ? '' : `${named}/`}`;
  if (named !== route && !named.endsWith(`/${route}`)) return undefined;
  return `${url.origin}/${named.slice(0, named.length - route.length)}`;
}

/** Matches pages without content of their own in any folder, such as error pages. */
const framePage = /(?:^|\/)(?:40[0-9]|50[0-9]|not-?found|offline|google[0-9a-f]{16}|_[^/]*)$/i;
/** Matches pages at the root of a site that list or repeat the other pages. */
const listingPage =
  /^(?:search|genindex|py-modindex|modindex|print|print_page|all|toc|sitemap|tags)$/i;
/** Matches folders with files that the pages use. */
const assetFolder = /(?:^|\/)(?:_[^/]+|assets|static)\//i;
/** Matches files about the project that are next to the pages but are no docs. */
const projectFile = /(?:^|\/)(?:readme|licen[cs]e|contributing|code_of_conduct|security)\.\w+$/i;

function isFramePage(path: string): boolean {
  if (!isHtmlPath(path)) return false;
  const route = routeOf(path);
  return framePage.test(route) || listingPage.test(route) || assetFolder.test(path);
}

interface BundlePages {
  /** Paths of the pages to read, each page once. */
  readonly pages: readonly string[];
  /** HTML files by the path of the Markdown file that is read instead. */
  readonly companions: ReadonlyMap<string, string>;
}

/**
 * Chooses the pages of a bundle. Leaves out error pages, and chooses each page once: `start.html` and
 * `start/index.html` are the same page. If `start.md` or `start.html.md` exists, it is read instead.
 */
export function chooseBundlePages(paths: readonly string[]): BundlePages {
  const byRoute = new Map<string, { html?: string; markdown?: string }>();
  const hasHtml = paths.some((path) => isHtmlPath(path) && !isFramePage(path));
  for (const path of paths) {
    if (isFramePage(path)) continue;
    const route = routeOf(path);
    const forms = byRoute.get(route) ?? {};
    byRoute.set(route, forms);
    if (isHtmlPath(path)) forms.html ??= path;
    else if (hasHtml && (projectFile.test(path) || assetFolder.test(path))) continue;
    else if (forms.markdown === undefined || isHtmlPath(path.replace(/\.md$/i, '')))
      forms.markdown = path;
  }
  const pages: string[] = [];
  const companions = new Map<string, string>();
  for (const { html, markdown } of byRoute.values()) {
    const path = markdown ?? html;
    if (path === undefined) continue;
    pages.push(path);
    if (markdown !== undefined && html !== undefined) companions.set(markdown, html);
  }
  return { pages, companions };
}
