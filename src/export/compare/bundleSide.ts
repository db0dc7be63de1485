/**
 * Reads one of two bundles with the code of *Check Bundle*, and keeps the facts that a comparison
 * needs.
 */
import { parseUrl } from '../../shared/links';
import { BundleCheck, isPage, type CheckObserver, type ReadPage } from '../check/checkBundle';
import type { LinkResolver } from '../check/resolveLink';
import { listSiteFiles, type SiteFile } from '../check/siteFiles';
import type { BrokenLink, ReportNote } from '../check/reportTypes';
import { own } from '../check/findings';
import type { PageProgress } from '../workerTask';
import { digestOf, titleEndOf } from './readableText';

/** A bundle to compare, as a folder. */
export interface BundleSide {
  /** Absolute path of the folder that a host would serve. */
  readonly root: string;
  /** Name of the bundle for people, such as that of its archive. */
  readonly name: string;
}

/** A broken link with the path that it leads to, as `CheckObserver.onBroken` gets it. */
export interface BrokenSideLink {
  readonly link: BrokenLink;
  readonly sitePath?: string;
}

/** Facts of a bundle. The texts of pages are not kept, to save memory. */
export interface SideFacts extends BundleSide {
  readonly pages: readonly SiteFile[];
  /** Files other than pages. */
  readonly assets: readonly SiteFile[];
  readonly sizeBytes: number;
  readonly basePath: string;
  readonly resolver: LinkResolver;
  /** Digests of the whole contents of pages by path. Pages that could not be read are missing. */
  readonly digests: ReadonlyMap<string, string>;
  /** Pages that only lead to another page of the bundle, with that page. */
  readonly redirects: ReadonlyMap<string, string>;
  readonly broken: readonly BrokenSideLink[];
  /** Number of all broken links, including those that {@link broken} leaves out. */
  readonly brokenCount: number;
  /** Pages in a sitemap, by path, each with its path as written in the sitemap. */
  readonly inSitemap: ReadonlyMap<string, string>;
  /** Host at which most pages say that they are published. */
  readonly host?: string;
  /** Whether a link of the site needs a host that adds `.html`. */
  readonly isExtensionless: boolean;
  readonly notes: readonly ReportNote[];
  /** End of the titles of most pages, such as ` · Docs`, or empty. */
  readonly titleEnd: string;
}

/** Most broken links that are kept for the comparison with the other bundle. */
const MAX_BROKEN = 500_000;

/**
 * Reads a bundle.
 *
 * @throws {ExportError} `file-gone` if the root is not a folder.
 */
export async function readSide(
  side: BundleSide,
  signal: AbortSignal,
  onProgress: (progress: PageProgress) => void,
): Promise<SideFacts> {
  const { root } = side;
  const listing = await listSiteFiles(root, signal);
  const observer = new SideObserver();
  const check = new BundleCheck({ root, listing, signal, onProgress, observer });
  const { basePath, lists } = await check.run();
  const { digests, redirects, broken, inSitemap, host, titleEnd = '' } = observer;
  return {
    ...side,
    basePath,
    digests,
    redirects,
    broken,
    inSitemap,
    pages: listing.files.filter(isPage),
    assets: listing.files.filter((file) => !isPage(file)),
    sizeBytes: listing.files.reduce((sum, file) => sum + file.sizeBytes, 0),
    resolver: check.resolver,
    brokenCount: lists.brokenCount,
    host,
    isExtensionless: lists.notes.some(({ code }) => code === 'extensionless-links'),
    notes: lists.notes,
    titleEnd,
  };
}

class SideObserver implements CheckObserver {
  readonly digests = new Map<string, string>();
  readonly redirects = new Map<string, string>();
  readonly broken: BrokenSideLink[] = [];
  readonly inSitemap = new Map<string, string>();
  readonly #hosts = new Map<string, number>();
  readonly #titleEnds = new Map<string, number>();
  /** Keeps each text only once, because the links of the navigation are on all pages. */
  readonly #texts = new Map<string, string>();

  get host(): string | undefined {
    return this.#ofMostPages(this.#hosts);
  }

  get titleEnd(): string | undefined {
    // The title of a single page has no name of a site.
    return this.digests.size > 1 ? this.#ofMostPages(this.#titleEnds) : undefined;
  }

  onPage({ file, text, contents, resolve }: ReadPage): void {
    this.digests.set(file.path, digestOf(text));
    const redirect = contents.found.find(({ kind, role }) => kind === 'redirect' && !role);
    const target = redirect && resolve(redirect);
    if (target?.name === 'file' && target.path !== file.path)
      this.redirects.set(file.path, target.path);
    const titleEnd = titleEndOf(text);
    if (titleEnd !== undefined) count(this.#titleEnds, titleEnd);
    const url = parseUrl(contents.canonical ?? '');
    if (url && /^https?:$/.test(url.protocol)) count(this.#hosts, url.host);
  }

  onBroken(link: BrokenLink, sitePath: string | undefined): void {
    if (this.broken.length >= MAX_BROKEN) return;
    this.broken.push({
      link: { ...link, file: this.#once(link.file), address: this.#once(link.address) },
      sitePath: sitePath === undefined ? undefined : this.#once(sitePath),
    });
  }

  onSitemapPage(path: string, sitePath: string): void {
    this.inSitemap.set(path, own(sitePath));
  }

  #ofMostPages(counts: ReadonlyMap<string, number>): string | undefined {
    const [first] = [...counts].sort(([, one], [, other]) => other - one);
    return first && first[1] * 2 > this.digests.size ? first[0] : undefined;
  }

  #once(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const copy = own(text);
    this.#texts.set(copy, copy);
    return copy;
  }
}

function count(counts: Map<string, number>, text: string): void {
  const known = counts.get(text);
  counts.set(known === undefined ? own(text) : text, (known ?? 0) + 1);
}
