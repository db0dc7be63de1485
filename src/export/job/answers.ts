/** The JSON of the export API's answers → what they say: tolerant of what is new, exact about what we need. */
import * as v from 'valibot';
import { hostOf } from '../common/responseErrors';
import { plainSentence } from '../common/plainSentence';
import { linkRefusals, parseBundleUrl, type BundleLink } from './bundle';
import type { ExportEndpoint } from './exportClient';
import { ExportError } from './exportErrors';
import { holdsSecret } from './holdsSecret';
import { readPageCount, readProgress, type ProgressReading } from './jobProgress';
import { withoutUndefined } from './withoutUndefined';

/** What one answer about a job's status says. */
export interface JobAnswer {
  /** The service's word as it came, harmless and at most 100 characters. */
  readonly status: string;
  /** Any word but the two documented ones is a job under way. */
  readonly outcome: 'running' | 'completed' | 'failed';
  readonly progress?: ProgressReading;
  /** Pages exported so far. */
  readonly pages?: number;
  readonly totalPages?: number;
  /** Why it failed, in the service's words, if it says so. */
  readonly serviceMessage?: string;
}

/** True for what can stand as a segment of a path once it is percent-encoded (faults.md C2). */
export function isUsableJobId(text: string): boolean {
  return /^[^\p{Cc}\p{Surrogate}]{1,200}$/u.test(text) && text !== '.' && text !== '..';
}

const startedSchema = v.object({
  jobId: v.pipe(
    v.union([v.string(), v.pipe(v.number(), v.safeInteger(), v.transform(String))]),
    v.check(isUsableJobId),
  ),
});

/**
 * @returns the job's id as it came; a number as its digits.
 * @throws {ExportError} `bad-answer`; also for an id that holds the admin key, as ids are stored,
 * logged and put into addresses.
 * @see platform-api.md § Start static export job
 */
export function readStarted(answer: unknown, { url, adminKey }: ExportEndpoint): string {
  const parsed = v.safeParse(startedSchema, answer);
  if (!parsed.success || holdsSecret(parsed.output.jobId, adminKey)) throw badAnswer('jobId', url);
  return parsed.output.jobId;
}

const statusSchema = v.object({
  status: v.pipe(v.string(), v.trim(), v.minLength(1)),
  progress: v.optional(v.unknown()),
  pageCount: v.optional(v.unknown()),
  error: v.optional(v.unknown()),
});

/** A failed job's error, as a sentence or an object around one (field-notes.md § Static export). */
const failureSchema = v.union([
  v.string(),
  v.pipe(
    v.object({ message: v.string() }),
    v.transform(({ message }) => message),
  ),
]);

/**
 * @throws {ExportError} `bad-answer` without a status.
 * @see platform-api.md § Get static export job status
 */
export function readJobAnswer(
  answer: unknown,
  apiUrl: string,
  secrets: readonly string[],
): JobAnswer {
  const parsed = v.safeParse(statusSchema, answer);
  if (!parsed.success) throw badAnswer('status', apiUrl);
  const { status, progress, pageCount, error } = parsed.output;
  const shown = plainSentence(status, secrets, 100);
  if (shown === '') throw badAnswer('status', apiUrl);
  const outcome = outcomeOf(status);
  const failure = v.safeParse(failureSchema, error);
  return withoutUndefined({
    status: shown,
    outcome,
    progress: readProgress(progress),
    ...readPageCount(pageCount),
    serviceMessage:
      outcome === 'failed' && failure.success
        ? plainSentence(failure.output, secrets) || undefined
        : undefined,
  });
}

function outcomeOf(status: string): JobAnswer['outcome'] {
  const word = status.toLowerCase();
  return word === 'completed' || word === 'failed' ? word : 'running';
}

const bundleSchema = v.object({
  bundleUrl: v.pipe(v.string(), v.trim(), v.minLength(1)),
  expiresAt: v.optional(v.unknown()),
  sizeBytes: v.optional(v.unknown()),
});

/**
 * @param note told of what was left out, for the log.
 * @throws {ExportError} `bad-answer` without a link, `link-refused` for one that is not taken.
 * @see platform-api.md § Generate export bundle
 */
export function readBundle(
  answer: unknown,
  { url, adminKey }: ExportEndpoint,
  note: (message: string) => void,
): BundleLink {
  const parsed = v.safeParse(bundleSchema, answer);
  if (!parsed.success) throw badAnswer('bundleUrl', url);
  const { bundleUrl, expiresAt, sizeBytes } = parsed.output;
  const link = parseBundleUrl(bundleUrl, url);
  if (!link.ok) throw new ExportError('link-refused', { reason: link.reason });
  if (holdsSecret(link.url, adminKey)) {
    throw new ExportError('link-refused', { reason: linkRefusals['holds-key'] });
  }
  const expiry = readTime(expiresAt);
  if (expiry === undefined) note('The bundle came without an expiresAt that is a date');
  const size = readSize(sizeBytes);
  if (size === undefined && sizeBytes !== undefined && sizeBytes !== null) {
    note('The bundle’s sizeBytes is not a size');
  }
  return withoutUndefined({ url: link.url, expiresAt: expiry, sizeBytes: size });
}

const EARLIEST_TIME = Date.UTC(2001, 0);
const LATEST_TIME = Date.UTC(2100, 0);

/**
 * A timestamp, whose form is not documented: ISO 8601 (in UTC where no zone is named), an HTTP
 * date, or seconds or milliseconds since the epoch, as number or digits.
 *
 * @returns milliseconds since the epoch; undefined for what is no time between 2001 and 2100.
 */
export function readTime(value: unknown): number | undefined {
  const time =
    typeof value === 'number'
      ? fromEpoch(value)
      : typeof value === 'string'
        ? fromText(value.trim())
        : undefined;
  return time !== undefined && time >= EARLIEST_TIME && time < LATEST_TIME ? time : undefined;
}

/** Seconds reach 2100 at 4.1e9; milliseconds have passed that number in 1970. */
function fromEpoch(value: number): number {
  return Math.round(value < 1e10 ? value * 1000 : value);
}

function fromText(text: string): number | undefined {
  if (/^\d+(?:\.\d+)?$/.test(text)) return fromEpoch(Number(text));
  const isIso = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text);
  const isHttpDate = /^[A-Za-z]{3}, \d\d [A-Za-z]{3} \d{4} \d\d:\d\d:\d\d GMT$/.test(text);
  // Date.parse alone takes "link 5" for a day in May 2001.
  if (!isIso && !isHttpDate) return undefined;
  const hasZone = isHttpDate || /(?:Z|[+-]\d\d:?\d\d)$/i.test(text);
  const time = Date.parse(hasZone ? text : `${text.replace(' ', 'T')}Z`);
  return Number.isNaN(time) ? undefined : time;
}

function readSize(value: unknown): number | undefined {
  const size = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof size === 'number' && Number.isSafeInteger(size) && size > 0 ? size : undefined;
}

function badAnswer(field: string, apiUrl: string): ExportError {
  return new ExportError('bad-answer', { field, host: hostOf(apiUrl) });
}
