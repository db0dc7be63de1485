/** Results that an export keeps: of *Check Bundle*, of its comparison and of the docs questions. */
import * as v from 'valibot';
import { withoutUndefined } from '../../common/withoutUndefined';
import { count, extra, type Parsed } from '../../shared/schemas';

/** SHA-256 of an archive in lower-case hex. */
export const sha256Schema = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));

/** Longest name of another bundle. Names from files and services can be of any length. */
const MAX_NAME_LENGTH = 200;

/** Name of the other bundle for users: a label, a file's name or a date. Never a path or a link. */
const otherBundle = v.pipe(
  v.string(),
  v.minLength(1),
  v.transform((name) => name.slice(0, MAX_NAME_LENGTH)),
);

const common = {
  /** Time of the result, in ms since the epoch. */
  at: v.pipe(v.number(), v.safeInteger()),
  /** Archive that the result is about. Absent if the bundle came from no known archive. */
  sha256: v.optional(sha256Schema),
};

const checkSchema = v.object({
  ...common,
  pages: count,
  broken: count,
  outsideFetches: count,
});

const diffSchema = v.object({
  ...common,
  against: otherBundle,
  added: count,
  removed: count,
  moved: count,
  changed: count,
  /** Links that worked in the other bundle and no longer do. */
  brokenLinks: count,
  /** Links that were broken in the other bundle and work now. */
  mendedLinks: count,
});

const questionsSchema = v.object({
  ...common,
  passed: count,
  failed: count,
  /** Questions without a result, because the run was canceled or the service refused them. */
  skipped: v.optional(count),
  /** Questions that failed in the run compared with and pass now. */
  gained: v.optional(count),
  /** Questions that passed in the run compared with and fail now. */
  lost: v.optional(count),
  /** Run or bundle compared with. Absent if there was none. */
  against: v.optional(otherBundle),
});

/** Schema of the results in a stored record. Unknown fields and unreadable results are dropped. */
export const resultsSchema = v.pipe(
  v.object({
    check: extra(checkSchema),
    diff: extra(diffSchema),
    questions: extra(questionsSchema),
  }),
  v.transform((results) => withoutUndefined(results)),
);

export type CheckResult = Parsed<typeof checkSchema>;
export type DiffResult = Parsed<typeof diffSchema>;
export type QuestionsResult = Parsed<typeof questionsSchema>;

/** Newest result of each kind. */
export type ExportResults = Parsed<typeof resultsSchema>;

export type ResultKind = keyof ExportResults;

/** A new result. Its time and its archive are added when it is noted. */
export type NewResult<Kind extends ResultKind> = Omit<
  Required<ExportResults>[Kind],
  'at' | 'sha256'
>;

/** The parts of a record by which results, archives and folders are matched. */
interface BundleFiles {
  readonly archive?: { readonly path: string; readonly sha256: string };
  readonly siteFolder?: string;
  /** SHA-256 of the archive that the site folder was unpacked from. Absent if unknown. */
  readonly siteSha256?: string;
}

/**
 * Returns the digest of the export's archive on this machine. If the site was unpacked, returns the
 * digest of the archive that it was unpacked from.
 */
export function bundleDigest({ siteSha256, siteFolder, archive }: BundleFiles): string | undefined {
  return siteFolder === undefined ? archive?.sha256 : siteSha256;
}

/** Returns whether a result is about an archive that has been replaced since. */
export function isStale({ sha256 }: { readonly sha256?: string }, files: BundleFiles): boolean {
  return sha256 !== undefined && files.archive !== undefined && files.archive.sha256 !== sha256;
}
