/** Limits for fetching a site. They are far above the size of usual docs, and protect the machine. */
export interface SiteLimits {
  /** Maximum number of pages. */
  readonly maxPages: number;
  /** Maximum size in bytes of a list of pages, and of a file that has all pages. */
  readonly maxFileBytes: number;
  /** Maximum size of a page in bytes, as the site sends it. */
  readonly maxPageBytes: number;
  /** Maximum size of all files in bytes. */
  readonly maxBytes: number;
  /** Maximum milliseconds until the pages of a site are listed, with all tries of all requests. */
  readonly maxListMs: number;
  /** Maximum milliseconds of a refresh. */
  readonly maxMs: number;
}

export const MB = 1024 * 1024;

export const siteLimits: SiteLimits = {
  maxPages: 10_000,
  maxFileBytes: 64 * MB,
  maxPageBytes: 10 * MB,
  // This is enough for 10,000 HTML pages of 50 KB.
  maxBytes: 512 * MB,
  maxListMs: 3 * 60_000,
  maxMs: 30 * 60_000,
};
