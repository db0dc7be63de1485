/** *Check Bundle*: checks every link of an unpacked bundle and finds what it loads from other hosts. */
import { encodePath } from '../../common/http/encodePath';
import type { Clock } from '../../common/ports';
import type { SiteTask } from '../workerTask';
import { ASSISTANT_FOLDER, ASSISTANT_MANIFEST, readSiteAssistant } from './assistantFolder';
import { manifestAddresses, sitemapLocations, sitemapPaths } from './dataLinks';
import { Findings, own, TextPlaces, type FoundAddress } from './findings';
import { MarkupReader, type MarkupContents } from './pageLinks';
import type { AddressKind, BrokenLink, BundleReport, Place } from './reportTypes';
import {
  detectBasePath,
  findBasePath,
  fragmentForms,
  LinkResolver,
  type Target,
} from './resolveLink';
import { scriptAddresses } from './scriptFetches';
import {
  inOrder,
  listSiteFiles,
  readText,
  SiteFiles,
  type ReadText,
  type SiteFile,
  type SiteListing,
} from './siteFiles';
import { styleAddresses } from './styleLinks';

/** Pages between two reports of progress. */
const PROGRESS_PAGES = 50;

/** A link to an ID on another page, kept until that page is read. */
interface PendingAnchor {
  readonly place: Place;
  readonly kind: AddressKind;
  readonly address: string;
  readonly path: string;
  readonly fragment: string;
}

/** A page that the check is reading. */
export interface ReadPage {
  readonly file: SiteFile;
  readonly text: string;
  readonly contents: MarkupContents;
  /** Resolves an address of the page as the check does. */
  readonly resolve: (found: FoundAddress) => Target;
}

/** Gets what the check reads, for code that needs more of it than the report has. */
export interface CheckObserver {
  /** Takes an HTML page that could be read. */
  onPage(page: ReadPage): void;
  /**
   * Takes a broken link, also one that the report leaves out.
   *
   * @param sitePath path that the link leads to, percent-encoded, with `/` at the start and without the
   * base path. Undefined for an address that is not within the site.
   */
  onBroken(link: BrokenLink, sitePath: string | undefined): void;
  /** Takes a page of a sitemap, with its path in the bundle and the path that leads to it. */
  onSitemapPage(path: string, sitePath: string): void;
}

interface CheckPorts extends SiteTask {
  readonly listing: SiteListing;
  readonly observer?: CheckObserver | undefined;
}

export const isPage = ({ path }: SiteFile): boolean => /\.x?html?$/i.test(path);
/** Kinds of links that determine how a file is read, whatever its name. */
const readKinds: ReadonlySet<AddressKind | undefined> = new Set([
  'style',
  'script',
  'import',
  'worker',
  'manifest',
]);

const isStyle = ({ path }: SiteFile): boolean => /\.css$/i.test(path);
const isScript = ({ path }: SiteFile): boolean => /\.m?js$/i.test(path);
const isDrawing = ({ path }: SiteFile): boolean => /\.svg$/i.test(path);
const isManifest = ({ path }: SiteFile): boolean => /\.webmanifest$/i.test(path);
const isSitemap = ({ path }: SiteFile): boolean => /(?:^|\/)sitemap[^/]*\.xml$/i.test(path);

export class BundleCheck {
  readonly #files: SiteFiles;
  readonly #findings = new Findings();
  readonly #markup = new MarkupReader();
  readonly #anchors = new Map<string, ReadonlySet<string>>();
  readonly #pending: PendingAnchor[] = [];
  /** Files that something loads, by kind. Other linked files are only offered for download. */
  readonly #loaded = new Map<string, AddressKind>();
  readonly #offered = new Set<string>();
  #resolver: LinkResolver;

  constructor(private readonly ports: CheckPorts) {
    this.#files = new SiteFiles(ports.listing.files);
    this.#resolver = new LinkResolver(this.#files, '');
  }

  /** Resolver of the site's links. Without the base path before {@link run} has found it. */
  get resolver(): LinkResolver {
    return this.#resolver;
  }

  /** Runs the check. Can be called only once. */
  async run(): Promise<{ basePath: string; lists: ReturnType<Findings['lists']> }> {
    const { root, listing, onProgress } = this.ports;
    for (const note of listing.notes) this.#findings.addNote(note);
    await this.#noteService(root);
    const pages = listing.files.filter(isPage);
    if (pages.length === 0) this.#findings.addNote({ code: 'no-pages' });
    else if (!this.#files.has('index.html')) this.#findings.addNote({ code: 'no-home-page' });

    const basePath = await findBasePath(
      pages,
      this.#files,
      (sample) => this.#read(sample),
      this.#markup,
    );
    this.#resolver = new LinkResolver(this.#files, basePath);

    let read = 0;
    onProgress({ pages: 0, totalPages: pages.length });
    await this.#each(pages, (file, text) => {
      const contents = this.#markup.read(text, 'html');
      this.#observePage(file, text, contents);
      this.#checkMarkup(file.path, text, contents);
      read++;
      if (read % PROGRESS_PAGES === 0) onProgress({ pages: read, totalPages: pages.length });
    });
    onProgress({ pages: pages.length, totalPages: pages.length });

    const rest = listing.files.filter((file) => !isPage(file));
    await this.#each(rest.filter(isDrawing), (file, text) =>
      this.#checkMarkup(file.path, text, this.#markup.read(text, 'xml')),
    );
    await this.#checkLoadable(rest);
    await this.#each(rest.filter(isSitemap), (file, text) =>
      this.#checkSitemap(file.path, text, basePath),
    );
    for (const pending of this.#pending) this.#checkPending(pending);
    return { basePath, lists: this.#findings.lists() };
  }

  /** Notes the service that the box of an enhanced site asks. Nothing is asked while a page loads. */
  async #noteService(root: string): Promise<void> {
    const service = (await readSiteAssistant(root))?.service;
    if (!service) return;
    this.#findings.addNote({
      code: 'asks-service',
      file: `${ASSISTANT_FOLDER}/${ASSISTANT_MANIFEST}`,
      line: 1,
      column: 1,
      detail: own(service.url),
    });
  }

  #read(files: readonly SiteFile[]): AsyncGenerator<ReadText> {
    const { root, signal } = this.ports;
    return inOrder(files, signal, (file) => readText(root, file));
  }

  async #each(
    files: readonly SiteFile[],
    check: (file: SiteFile, text: string) => void,
  ): Promise<void> {
    for await (const { file, text, note } of this.#read(files)) {
      if (note) this.#findings.addNote(note);
      if (text !== undefined) check(file, text);
    }
  }

  #observePage(file: SiteFile, text: string, contents: MarkupContents): void {
    const { observer } = this.ports;
    if (!observer) return;
    const base = this.#resolver.baseOf(file.path, contents.baseHref);
    const resolve = ({ address, kind }: FoundAddress): Target =>
      this.#resolver.resolve(address, base, kind);
    observer.onPage({ file, text, contents, resolve });
  }

  #checkMarkup(file: string, text: string, contents: MarkupContents): void {
    const places = new TextPlaces(file, text);
    this.#anchors.set(file, contents.anchors);
    if (contents.canonical !== undefined) this.#findings.addCanonical(contents.canonical);
    for (const { reason, offset } of contents.unreadableScripts) {
      this.#noteUnreadable(places.between(offset, offset), reason);
    }
    const base = this.#resolver.baseOf(file, contents.baseHref);
    for (const found of contents.found) this.#check(found, file, base, places);
    if (file === '404.html') this.#checkNotFoundPage(contents);
  }

  /** Notes relative links of the 404 page, which a host shows at any depth. */
  #checkNotFoundPage({ found, baseHref }: MarkupContents): void {
    if (baseHref !== undefined) return;
    const relative = found.filter(
      ({ address, role, kind }) =>
        (role === undefined || role === 'posted') &&
        kind !== 'hint' &&
        !/^\s*(?:[/\\#]|[a-z][a-z0-9+.-]*:|$)/i.test(address),
    );
    if (relative.length > 0) {
      this.#findings.addNote({
        code: 'relative-on-404',
        file: '404.html',
        count: relative.length,
      });
    }
  }

  /** Checks styles, scripts and manifests, except those that are only offered for download. */
  async #checkLoadable(files: readonly SiteFile[]): Promise<void> {
    const isRead = new Set<string>();
    const isDue = (file: SiteFile): boolean => {
      if (isRead.has(file.path)) return false;
      if (this.#loaded.has(file.path)) return this.#readerOf(file) !== undefined;
      if (this.#offered.has(file.path)) return false;
      return isStyle(file) || isScript(file) || isManifest(file);
    };
    // Each of these files may load others, which are checked in the next round.
    for (let due = files.filter(isDue); due.length > 0; due = files.filter(isDue)) {
      for (const file of due) isRead.add(file.path);
      await this.#each(due, (file, text) => this.#readerOf(file)?.(file.path, text));
    }
  }

  #readerOf(file: SiteFile): ((path: string, text: string) => void) | undefined {
    const kind = this.#loaded.get(file.path);
    if (isDrawing(file)) return undefined;
    if (kind === 'style' || isStyle(file)) {
      return (path, text) => this.#checkAll(path, text, styleAddresses(text));
    }
    if (kind === 'manifest' || isManifest(file)) {
      return (path, text) => this.#checkAll(path, text, manifestAddresses(text));
    }
    if (kind === 'script' || kind === 'import' || kind === 'worker' || isScript(file)) {
      // Modules of JSON, WebAssembly and CSS are not scripts.
      if (/\.(?:json|wasm|css)$/i.test(file.path)) return undefined;
      return (path, text) => this.#checkScript(path, text);
    }
    return undefined;
  }

  #checkScript(file: string, text: string): void {
    const script = scriptAddresses(text);
    if (script.isReadable) {
      this.#checkAll(file, text, script.found.map(fromScriptFile));
    } else {
      const place = new TextPlaces(file, text).between(script.offset, script.offset);
      this.#noteUnreadable(place, script.reason);
    }
  }

  #checkAll(file: string, text: string, all: readonly FoundAddress[]): void {
    const places = new TextPlaces(file, text);
    const base = this.#resolver.baseOf(file);
    for (const found of all) this.#check(found, file, base, places);
  }

  #noteUnreadable({ file, line, column }: Place, detail: string): void {
    this.#findings.addNote({ code: 'unreadable-script', file, line, column, detail });
  }

  #check(found: FoundAddress, file: string, base: string, places: TextPlaces): void {
    const { kind, address, role } = found;
    const isEmpty = address.trim() === '';
    // An empty link leads to its own page. Any other empty address loads nothing.
    if (isEmpty && kind !== 'link') return;
    const target = this.#resolver.resolve(address, base, kind);
    if (target.name === 'outside') {
      this.#findings.addOutside(() => places.of(found), found, target.url);
      return;
    }
    if (target.name === 'ignored' || (role !== undefined && role !== 'posted')) return;
    if (role === 'posted') {
      const { line, column } = places.of(found);
      this.#findings.addNote({ code: 'posts-to-site', file, line, column });
      return;
    }
    this.#findings.checkedLinks++;
    if (target.name === 'broken') {
      this.#addBroken(places.of(found), found, target, this.#resolver.pathOf(address, base));
      return;
    }
    if (target.isExtensionless) this.#findings.addExtensionless();
    if (kind === 'link') this.#offered.add(target.path);
    else if (!readKinds.has(this.#loaded.get(target.path))) this.#loaded.set(target.path, kind);
    this.#checkAnchor(found, target, places);
  }

  #checkAnchor(
    found: FoundAddress,
    { path, fragment }: Extract<Target, { name: 'file' }>,
    places: TextPlaces,
  ): void {
    const { kind, address } = found;
    // Fragments of videos, fonts and PDFs are not IDs.
    if (fragment === undefined || !/\.(?:x?html?|svg)$/i.test(path) || kind === 'font') return;
    const anchors = this.#anchors.get(path);
    if (anchors && fragmentForms(fragment).some((form) => anchors.has(form))) return;
    const pending = { place: places.of(found), kind, address: own(address), path, fragment };
    if (anchors) this.#checkPending(pending);
    else this.#pending.push(pending);
  }

  #checkPending({ place, path, fragment, ...found }: PendingAnchor): void {
    const anchors = this.#anchors.get(path);
    const forms = fragmentForms(fragment);
    // Without anchors the page could not be read, which a note reports.
    if (anchors === undefined || forms.some((form) => anchors.has(form))) return;
    const wanted = forms.map((form) => form.toLowerCase());
    const isPageTop = wanted.includes('top') && !path.endsWith('.svg');
    if (isPageTop || fragment.startsWith('svgView(')) return;
    const suggestion = [...anchors].find((anchor) => wanted.includes(anchor.toLowerCase()));
    const broken = {
      reason: 'missing-anchor',
      suggestion,
    } as const;
    this.#addBroken(place, found, broken, `/${encodePath(path)}`);
  }

  #addBroken(
    place: Place,
    found: Pick<FoundAddress, 'kind' | 'address'>,
    reason: Pick<BrokenLink, 'reason' | 'suggestion'>,
    sitePath?: string,
  ): void {
    const link = this.#findings.addBroken(place, found, reason);
    this.ports.observer?.onBroken(link, sitePath);
  }

  #checkSitemap(file: string, text: string, basePath: string): void {
    const locations = sitemapLocations(text);
    const paths = sitemapPaths(locations);
    const areBelowBase = basePath !== '' && paths.some((path) => path.startsWith(`${basePath}/`));
    const prefix = areBelowBase ? basePath : detectBasePath(paths, this.#files);
    const places = new TextPlaces(file, text);
    for (const { url, found } of locations) {
      this.#findings.checkedLinks++;
      if (url === undefined) {
        this.#addBroken(places.of(found), found, { reason: 'not-an-address' });
        continue;
      }
      const isInside = url.pathname === prefix || url.pathname.startsWith(`${prefix}/`);
      const path = isInside ? url.pathname.slice(prefix.length) || '/' : undefined;
      const target =
        path === undefined
          ? ({ name: 'broken', reason: 'outside-site' } as const)
          : this.#resolver.find(path, 'sitemap');
      if (target.name === 'broken') this.#addBroken(places.of(found), found, target, path);
      else if (target.name === 'file' && path !== undefined)
        this.ports.observer?.onSitemapPage(target.path, path);
    }
  }
}

/** Limits a relative address in a script file to outside hosts, because its page is unknown. */
function fromScriptFile(found: FoundAddress): FoundAddress {
  const isRelative = !/^\s*(?:[/\\]|[a-z][a-z0-9+.-]*:)/i.test(found.address);
  return found.isOfDocument && isRelative ? { ...found, role: 'outside-only' } : found;
}

export interface CheckOptions extends SiteTask {
  /** Clock for `durationMs`. */
  readonly clock?: Pick<Clock, 'now'>;
}

/**
 * Checks whether all links of a bundle work, and what it loads from other hosts. Unreadable files
 * become notes in the report.
 *
 * @throws {ExportError} `file-gone` if the root is not a folder.
 */
export async function checkBundle(options: CheckOptions): Promise<BundleReport> {
  const { root, signal, onProgress, clock } = options;
  const startedAt = clock?.now();
  signal.throwIfAborted();
  const listing = await listSiteFiles(root, signal);
  const check = new BundleCheck({ root, listing, signal, onProgress });
  const { basePath, lists } = await check.run();
  return {
    schemaVersion: 1,
    pages: listing.files.filter(isPage).length,
    files: listing.files.length,
    sizeBytes: listing.files.reduce((sum, file) => sum + file.sizeBytes, 0),
    basePath,
    ...lists,
    durationMs: clock && startedAt !== undefined ? clock.now() - startedAt : undefined,
  };
}
