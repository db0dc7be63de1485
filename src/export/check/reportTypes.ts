/**
 * Report of *Check Bundle*, as it is saved as JSON. `schemaVersion` is raised when a field changes its
 * meaning, but not when a field is added.
 */
import * as v from 'valibot';
import { count, type Parsed } from '../../shared/schemas';

/** Kinds of addresses, by what a browser does with them. */
export const addressKinds = [
  'script',
  'style',
  'font',
  'image',
  'media',
  'frame',
  'object',
  'manifest',
  'fetch',
  'import',
  'worker',
  'beacon',
  'form',
  'redirect',
  'hint',
  'link',
  'sitemap',
] as const;

/**
 * Kind of an address:
 * - `object`: `<object>` and `<embed>`; `fetch`: anything else that a script loads by itself.
 * - `import`: a module imported by a script; `beacon`: `ping` and `sendBeacon`.
 * - `redirect`: `<meta http-equiv="refresh">`; `hint`: preconnect, DNS prefetch, prefetch.
 * - `link`: a link for users; `sitemap`: an address of `sitemap.xml`.
 */
export type AddressKind = (typeof addressKinds)[number];

/** Kinds of addresses that a page loads or sends data to. */
export type FetchKind = Exclude<AddressKind, 'link' | 'sitemap'>;

export const brokenReasons = [
  'missing-file',
  'wrong-case',
  'missing-anchor',
  'folder-without-index',
  'outside-site',
  'local-file',
  'not-an-address',
] as const;

/**
 * Reason why an address is broken:
 * - `wrong-case`: only a file whose name differs in case or in the encoding of its accents exists,
 *   which most hosts don't find.
 * - `outside-site`: leads out of the site's root or its base path.
 * - `local-file`: `file:` or a drive letter, a path on one machine's disk.
 */
export type BrokenReason = (typeof brokenReasons)[number];

const position = v.pipe(v.number(), v.integer(), v.minValue(1));

/** Schema of a place in a file. Lines and columns count from 1. */
const placeSchema = v.object({
  /** Path relative to the site's root, with `/`. */
  file: v.string(),
  line: position,
  /** Column in UTF-16 units without a byte order mark. */
  column: position,
  /** Column after the end, if the address ends on the same line. */
  endColumn: v.optional(position),
});

export type Place = Parsed<typeof placeSchema>;

const brokenLinkSchema = v.object({
  ...placeSchema.entries,
  kind: v.picklist(addressKinds),
  /** Address as written, at most 500 characters. */
  address: v.string(),
  reason: v.picklist(brokenReasons),
  /** File or ID that was probably meant. */
  suggestion: v.optional(v.string()),
});

/** An address without a target in the bundle. */
export type BrokenLink = Parsed<typeof brokenLinkSchema>;

const fetchKinds = addressKinds.filter(
  (kind): kind is FetchKind => kind !== 'link' && kind !== 'sitemap',
);

const outsideFetchSchema = v.object({
  ...placeSchema.entries,
  kind: v.picklist(fetchKinds),
  /** Host name, with a port other than the default one. */
  host: v.string(),
  /** Address without query and fragment, at most 500 characters. */
  address: v.string(),
});

/** Something that a page loads from another host. */
export type OutsideFetch = Parsed<typeof outsideFetchSchema>;

export const noteCodes = [
  'no-pages',
  'no-home-page',
  'unreadable-script',
  'unreadable-file',
  'not-utf8',
  'too-large',
  'not-followed',
  'extensionless-links',
  'relative-on-404',
  'own-host-links',
  'posts-to-site',
  'asks-service',
  'capped',
] as const;

/**
 * Kind of a note:
 * - `unreadable-script`: the parser can't read the JavaScript; `detail` is its message.
 * - `unreadable-file`: the system's error is in `detail`. `too-large`: the file was not read.
 * - `not-followed`: a symbolic link or a special file. `not-utf8`: invalid UTF-8.
 * - `extensionless-links`: `count` addresses need a host that adds `.html`.
 * - `relative-on-404`: `count` addresses of the 404 page are relative, and it is shown at any depth.
 * - `own-host-links`: `count` links lead to the site's public host `detail`, not into the bundle.
 * - `posts-to-site`: a form posts to the site's own host, which cannot answer.
 * - `asks-service`: the box of the site asks the docs service `detail` when a reader asks a question.
 * - `capped`: the lists above leave `count` findings out.
 */
export type NoteCode = (typeof noteCodes)[number];

const noteSchema = v.object({
  code: v.picklist(noteCodes),
  file: v.optional(v.string()),
  line: v.optional(position),
  column: v.optional(position),
  count: v.optional(count),
  detail: v.optional(v.string()),
});

/** A note for users about something that isn't broken by itself. */
export type ReportNote = Parsed<typeof noteSchema>;

const hostCountSchema = v.object({ host: v.string(), count });

export type HostCount = Parsed<typeof hostCountSchema>;

/** Schema of a saved report. It drops unknown fields. */
export const bundleReportSchema = v.object({
  schemaVersion: v.literal(1),
  /** Number of HTML files. */
  pages: count,
  files: count,
  sizeBytes: count,
  /** Number of checked addresses that lead into the bundle. */
  checkedLinks: count,
  /** Path that the site expects to be hosted at, such as `/docs`. Empty for the root of a host. */
  basePath: v.string(),
  /** Total number. The list has at most 50,000 entries. */
  brokenCount: count,
  broken: v.array(brokenLinkSchema),
  /** Total number. The list has at most 50,000 entries. */
  outsideFetchCount: count,
  outsideFetches: v.array(outsideFetchSchema),
  /** Links to other hosts, including addresses that only describe the page (canonical). */
  outsideLinks: v.object({ count, byHost: v.array(hostCountSchema) }),
  notes: v.array(noteSchema),
  /** Whether the site runs without outbound network, so that every outside fetch fails there. */
  isAirGapped: v.optional(v.literal(true)),
  /** Duration of the check. Absent without a clock. */
  durationMs: v.optional(v.number()),
});

/** Report of a check. Lists are sorted by file, line and column, and hosts by count, then name. */
export type BundleReport = Parsed<typeof bundleReportSchema>;

/** Returns whether the bundle is self-contained (platform-api.md, point 3). */
export function isSelfContained(report: BundleReport): boolean {
  return report.pages > 0 && report.brokenCount === 0 && report.outsideFetchCount === 0;
}
