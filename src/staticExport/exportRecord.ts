/** What is stored about an export: no key, and no link, as a presigned link opens the bundle. */
import * as v from 'valibot';
import { parseBaseUrl } from '../common/address';
import { DocsAssistantError } from '../common/errors';
import { hostOf } from '../common/responseErrors';
import { errorCodes } from '../shared/errorInfo';
import { isUsableJobId } from './exportAnswers';
import { ExportError, exportErrorCodes } from './exportErrors';
import { progressScales, type ProgressScale } from './jobProgress';
import { withoutUndefined } from './withoutUndefined';

/** Where the local docs service is meant, whatever port it has this time. */
export const LOCAL_API = 'local';

/** How far an export got, in our words; `status` beside it is the service's. */
export type ExportOutcome = 'running' | 'completed' | 'failed' | 'unwatchable';

/** The bundle's archive on this machine's disk. */
export interface DownloadedArchive {
  /** Absolute path. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** One export, as it is kept in global state under `export:<id>`. Times are ms since the epoch. */
export interface ExportRecord {
  readonly schemaVersion: 1;
  /** Ours, unique for this installation. */
  readonly id: string;
  /** Base address of the export API as `parseBaseUrl` gives it, or {@link LOCAL_API}. */
  readonly apiUrl: string;
  /** Bare host name of the site (platform-api.md § Start static export job). */
  readonly exportDomain: string;
  readonly jobId: string;
  readonly startedAt: number;
  readonly outcome: ExportOutcome;
  /** The service's word as it came, harmless and at most 100 characters. */
  readonly status?: string;
  /** Pages exported, as last told. */
  readonly pages?: number;
  /** What its numbers of progress proved to be; absent while they are `unknown`. */
  readonly progressScale?: ProgressScale;
  /** The highest percent that was shown, so that the bar never runs backwards. */
  readonly peakPercent?: number;
  readonly endedAt?: number;
  /** Why it failed or can be watched no longer: a code, and the service's own sentence. */
  readonly errorCode?: string;
  readonly errorMessage?: string;
  /** How often it was watched again after it could be watched no longer: each end is told once. */
  readonly watchRound?: number;
  /** Addresses of its bundle without their queries, newest first, at most 10: they know its links again. */
  readonly bundleAddresses?: readonly string[];
  /** When the newest link expires, if the service said so. */
  readonly linkExpiresAt?: number;
  readonly archive?: DownloadedArchive;
  /** Absolute path of the folder that it was unpacked into: the site's root. */
  readonly siteFolder?: string;
}

/** Where records are kept, each by itself, so that two windows never overwrite each other's. */
export interface ExportRecordStore {
  /** Every record that can be read, newest first; what cannot is set aside and logged. */
  list(): Promise<readonly ExportRecord[]>;
  save(record: ExportRecord): Promise<void>;
  forget(id: string): Promise<void>;
}

/** Lets one window of many do a thing. */
export interface Claims {
  /** True for the first that claims the name on this machine, ever; false for all others. */
  claim(name: string): Promise<boolean>;
}

/** Addresses of bundles that a record keeps. */
export const MAX_BUNDLE_ADDRESSES = 10;

const text = v.pipe(v.string(), v.minLength(1));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const time = v.pipe(v.number(), v.safeInteger());

/** A field that the record can do without: one that cannot be read is left out. */
const extra = <Schema extends v.GenericSchema>(
  schema: Schema,
): v.SchemaWithFallback<v.OptionalSchema<Schema, undefined>, undefined> =>
  v.fallback(v.optional(schema), undefined);

const archiveSchema = v.object({
  path: text,
  sizeBytes: count,
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
});

const recordSchema = v.object({
  schemaVersion: v.literal(1),
  id: text,
  apiUrl: v.pipe(
    v.string(),
    v.check((url) => {
      const address = parseBaseUrl(url);
      return url === LOCAL_API || (address.ok && address.baseUrl === url);
    }),
  ),
  exportDomain: text,
  jobId: v.pipe(v.string(), v.check(isUsableJobId)),
  startedAt: time,
  // The service tells how far a job really is, so one that cannot be told is asked about.
  outcome: v.fallback(v.picklist(['running', 'completed', 'failed', 'unwatchable']), 'running'),
  status: extra(text),
  pages: extra(count),
  progressScale: extra(v.picklist(progressScales)),
  peakPercent: extra(v.pipe(count, v.maxValue(100))),
  endedAt: extra(time),
  errorCode: extra(text),
  errorMessage: extra(text),
  watchRound: extra(count),
  // With a query it would be a link, which opens the bundle.
  bundleAddresses: extra(v.array(v.pipe(text, v.excludes('?')))),
  linkExpiresAt: extra(time),
  archive: extra(archiveSchema),
  siteFolder: extra(text),
});

/**
 * Reads a stored record. Fields that it does not know are dropped, and so are unreadable ones that
 * it can do without.
 * @returns undefined for another `schemaVersion` and for anything corrupt: to be set aside.
 */
export function parseExportRecord(stored: unknown): ExportRecord | undefined {
  const parsed = v.safeParse(recordSchema, stored);
  return parsed.success ? withoutUndefined(parsed.output) : undefined;
}

/**
 * Why the job failed or can be watched no longer, as `describeExportError` takes it; undefined for
 * a record that notes no error.
 */
export function errorOfRecord(record: ExportRecord): Error | undefined {
  const { errorCode, errorMessage, apiUrl, exportDomain } = record;
  if (errorCode === undefined) return undefined;
  const details = { serviceMessage: errorMessage, host: hostOf(apiUrl), exportDomain };
  const exportCode = exportErrorCodes.find((code) => code === errorCode);
  if (exportCode !== undefined) return new ExportError(exportCode, details);
  const code = errorCodes.find((known) => known === errorCode) ?? 'unexpected';
  return new DocsAssistantError(code, details);
}
