import type { Log } from '../../common/ports';

/** One file of the site, in the order in which they are made. */
export interface SiteFile {
  /** Relative, with forward slashes: `guides/start.html`. Safe on every file system. */
  readonly path: string;
  readonly content: string | Uint8Array;
}

export interface SiteOptions {
  /** Real path of the docs folder. */
  readonly root: string;
  /** Host of canonical links and of the sitemap, such as `docs.example.com`. */
  readonly siteHost: string;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** Takes one file; the next is made when it resolves. */
  write(file: SiteFile): Promise<void>;
  /** Called once the pages are counted, and after each page of the docs folder. */
  onProgress(pages: number, totalPages: number): void;
}

/**
 * Renders a docs folder as a site of plain HTML, CSS and JavaScript that fetches nothing from
 * elsewhere and works below any path, `file:` included.
 */
export function renderSite(options: SiteOptions): Promise<{ pages: number }> {
  options.signal.throwIfAborted();
  return Promise.reject(new Error('Not ready'));
}
