/** Limits of a site. Each is far above what docs have, and keeps a machine usable. */
export interface SiteLimits {
  /** Pages of a site. */
  readonly maxPages: number;
  /** Bytes of a list of pages, and of a file that holds them all. */
  readonly maxFileBytes: number;
  /** Bytes of a page as the site sends it. */
  readonly maxPageBytes: number;
  /** Bytes of all files. */
  readonly maxBytes: number;
  /** Milliseconds of a refresh. */
  readonly maxMs: number;
}

export const MB = 1024 * 1024;

export const siteLimits: SiteLimits = {
  maxPages: 10_000,
  maxFileBytes: 64 * MB,
  maxPageBytes: 10 * MB,
  // 10,000 pages of HTML have about 50 KB each.
  maxBytes: 512 * MB,
  maxMs: 30 * 60_000,
};
