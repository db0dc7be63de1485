/**
 * What Check Bundle found, as it is saved as JSON. `schemaVersion` is raised when a field changes
 * its meaning; fields may be added without.
 */
import * as v from 'valibot';

/** What the browser does with an address, and so what is lost where it cannot be reached. */
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
 * - `object`: `<object>` and `<embed>`; `fetch`: anything else that a script loads by itself.
 * - `import`: a module imported by a script; `beacon`: `ping` and `sendBeacon`.
 * - `redirect`: `<meta http-equiv="refresh">`; `hint`: preconnect, DNS prefetch, prefetch.
 * - `link`: what a person follows; `sitemap`: an address of `sitemap.xml`.
 */
export type AddressKind = (typeof addressKinds)[number];

/** Kinds that a page loads by itself or sends to. */
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
 * - `wrong-case`: only a file whose name differs in case (or in how its accents are encoded) is
 *   there, which a real host does not find.
 * - `outside-site`: climbs out of the site's root, or leaves the base path that the site uses.
 * - `local-file`: `file:` or a drive letter, which means another machine's disk.
 */
export type BrokenReason = (typeof brokenReasons)[number];

/** Lines and columns count from 1; columns in UTF-16 units, a byte order mark not counted. */
export interface Place {
  /** Relative to the site's root, with `/`. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** One behind the last column, where the address ends on the same line. */
  readonly endColumn?: number;
}

/** An address that leads to nothing in the bundle. */
export interface BrokenLink extends Place {
  readonly kind: AddressKind;
  /** As written, at most 500 characters. */
  readonly address: string;
  readonly reason: BrokenReason;
  /** File or id that was probably meant. */
  readonly suggestion?: string;
}

/** Something that a page gets from another host when it is shown. */
export interface OutsideFetch extends Place {
  readonly kind: FetchKind;
  /** Host name, with the port if it is not the scheme's own. */
  readonly host: string;
  /** Without query and fragment, at most 500 characters. */
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
 * - `unreadable-script`: no JavaScript that the parser knows; `detail` says why.
 * - `unreadable-file`: the system refused; `detail` is its code. `too-large`: was not read.
 * - `not-followed`: a symbolic link or no regular file. `not-utf8`: bytes that are no UTF-8.
 * - `extensionless-links`: `count` addresses need a host that adds `.html`.
 * - `relative-on-404`: `count` addresses of the 404 page are relative, and it is shown at any depth.
 * - `own-host-links`: `count` links lead to the site's public host `detail`, not into the bundle.
 * - `posts-to-site`: a form posts to the site's own host, which cannot answer.
 * - `capped`: the lists above leave `count` findings out.
 */
export type NoteCode = (typeof noteCodes)[number];

/** Something that a person should know and that breaks nothing by itself. */
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

/** Lists are in order of file, line and column; hosts by falling count, then by name. */
export interface BundleReport {
  readonly schemaVersion: 1;
  /** HTML files. */
  readonly pages: number;
  readonly files: number;
  readonly sizeBytes: number;
  /** Addresses that lead into the bundle, whole or broken. */
  readonly checkedLinks: number;
  /** Path under which the site expects to be hosted, such as `/docs`; empty for a host's top. */
  readonly basePath: string;
  /** All of them; the list holds at most 50,000. */
  readonly brokenCount: number;
  readonly broken: readonly BrokenLink[];
  /** All of them; the list holds at most 50,000. */
  readonly outsideFetchCount: number;
  readonly outsideFetches: readonly OutsideFetch[];
  /** What a person follows to other hosts, and addresses that only describe (canonical). */
  readonly outsideLinks: { readonly count: number; readonly byHost: readonly HostCount[] };
  readonly notes: readonly ReportNote[];
  /** Absent where no clock was given. */
  readonly durationMs?: number;
}

/** True if the bundle keeps the documented promise (platform-api.md, point 3). */
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

/** Reads a saved report back; fields that are not known are dropped. */
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
