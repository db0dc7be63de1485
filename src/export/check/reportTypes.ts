/**
 * Report of *Check Bundle*, as it is saved as JSON. `schemaVersion` is raised when a field changes its
 * meaning, but not when a field is added.
 */
import * as v from 'valibot';

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

/** Place in a file. Lines and columns count from 1, columns in UTF-16 units without a byte order mark. */
export interface Place {
  /** Path relative to the site's root, with `/`. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Column after the end, if the address ends on the same line. */
  readonly endColumn?: number;
}

/** An address without a target in the bundle. */
export interface BrokenLink extends Place {
  readonly kind: AddressKind;
  /** Address as written, at most 500 characters. */
  readonly address: string;
  readonly reason: BrokenReason;
  /** File or ID that was probably meant. */
  readonly suggestion?: string;
}

/** Something that a page loads from another host. */
export interface OutsideFetch extends Place {
  readonly kind: FetchKind;
  /** Host name, with a port other than the default one. */
  readonly host: string;
  /** Address without query and fragment, at most 500 characters. */
  readonly address: string;
}

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
 * - `capped`: the lists above leave `count` findings out.
 */
export type NoteCode = (typeof noteCodes)[number];

/** A note for users about something that isn't broken by itself. */
export interface ReportNote {
  readonly code: NoteCode;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly count?: number;
  readonly detail?: string;
}

export interface HostCount {
  readonly host: string;
  readonly count: number;
}

/** Report of a check. Lists are sorted by file, line and column, and hosts by count, then name. */
export interface BundleReport {
  readonly schemaVersion: 1;
  /** Number of HTML files. */
  readonly pages: number;
  readonly files: number;
  readonly sizeBytes: number;
  /** Number of checked addresses that lead into the bundle. */
  readonly checkedLinks: number;
  /** Path that the site expects to be hosted at, such as `/docs`. Empty for the root of a host. */
  readonly basePath: string;
  /** Total number. The list has at most 50,000 entries. */
  readonly brokenCount: number;
  readonly broken: readonly BrokenLink[];
  /** Total number. The list has at most 50,000 entries. */
  readonly outsideFetchCount: number;
  readonly outsideFetches: readonly OutsideFetch[];
  /** Links to other hosts, including addresses that only describe the page (canonical). */
  readonly outsideLinks: { readonly count: number; readonly byHost: readonly HostCount[] };
  readonly notes: readonly ReportNote[];
  /** Duration of the check. Absent without a clock. */
  readonly durationMs?: number;
}

/** Returns whether the bundle is self-contained (platform-api.md, point 3). */
export function isSelfContained(report: BundleReport): boolean {
  return report.pages > 0 && report.brokenCount === 0 && report.outsideFetchCount === 0;
}

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const position = v.pipe(v.number(), v.integer(), v.minValue(1));
const place = {
  file: v.string(),
  line: position,
  column: position,
  endColumn: v.exactOptional(position),
};
const fetchKinds = addressKinds.filter(
  (kind): kind is FetchKind => kind !== 'link' && kind !== 'sitemap',
);

/** Schema of a saved report. It drops unknown fields. */
export const bundleReportSchema = v.object({
  schemaVersion: v.literal(1),
  pages: count,
  files: count,
  sizeBytes: count,
  checkedLinks: count,
  basePath: v.string(),
  brokenCount: count,
  broken: v.array(
    v.object({
      ...place,
      kind: v.picklist(addressKinds),
      address: v.string(),
      reason: v.picklist(brokenReasons),
      suggestion: v.exactOptional(v.string()),
    }),
  ),
  outsideFetchCount: count,
  outsideFetches: v.array(
    v.object({ ...place, kind: v.picklist(fetchKinds), host: v.string(), address: v.string() }),
  ),
  outsideLinks: v.object({ count, byHost: v.array(v.object({ host: v.string(), count })) }),
  notes: v.array(
    v.object({
      code: v.picklist(noteCodes),
      file: v.exactOptional(v.string()),
      line: v.exactOptional(position),
      column: v.exactOptional(position),
      count: v.exactOptional(count),
      detail: v.exactOptional(v.string()),
    }),
  ),
  durationMs: v.exactOptional(v.number()),
}) satisfies v.GenericSchema<unknown, BundleReport>;
