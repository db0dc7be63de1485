/** Reads the JSON of the export API's responses: tolerant of new fields, strict about needed ones. */
import * as v from 'valibot';
import { hostOf } from '../../common/http/responseErrors';
import { plainSentence } from '../../common/text/safeText';
import { linkRefusals, parseBundleUrl, type BundleLink } from '../download/bundleLink';
import { ExportError } from '../exportErrors';
import { withoutUndefined } from '../../common/withoutUndefined';
import type { ExportEndpoint } from './exports';
import { readPageCount, readProgress, type ProgressReading } from './jobProgress';
import { isUsableJobId } from './record';
import { holdsSecret } from './refusals';

/** Content of one response about a job's status. */
export interface JobAnswer {
  /** The service's own word, sanitized and at most 100 characters long. */
  readonly status: string;
  /** Outcome by the two documented words. Any other word means a running job. */
  readonly outcome: 'running' | 'completed' | 'failed';
  readonly progress?: ProgressReading;
  /** Pages that have been exported. */
  readonly pages?: number;
  readonly totalPages?: number;
  /** The service's own reason for a failure. */
  readonly serviceMessage?: string;
}

const startedSchema = v.object({
  jobId: v.pipe(
    v.union([v.string(), v.pipe(v.number(), v.safeInteger(), v.transform(String))]),
    v.check(isUsableJobId),
  ),
});

/**
 * Reads the response to the start of a job.
 * @returns the job's ID. A number becomes its digits.
 * @throws {ExportError} `bad-answer`, also for an ID that contains the admin key, because IDs are
 * stored, logged and put into URLs.
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

/** Error of a failed job: a sentence, or an object with one (field-notes.md § Static export). */
const failureSchema = v.union([
  v.string(),
  v.pipe(
    v.object({ message: v.string() }),
    v.transform(({ message }) => message),
  ),
]);

/**
 * Reads the response about a job's status.
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
 * Reads the response with a bundle's link.
 * @param note called with a message for the log for each field that was dropped.
 * @throws {ExportError} `bad-answer` without a link, `link-refused` for a link that is not allowed.
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
  if (!link.ok) throw new ExportError('link-refused', { reason: (t) => t(link.reason) });
  if (holdsSecret(link.url, adminKey)) {
    throw new ExportError('link-refused', { reason: (t) => t(linkRefusals['holds-key']) });
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
 * Reads a timestamp. Its form is not documented, so this accepts ISO 8601 (UTC without a zone), an
 * HTTP date, and seconds or milliseconds since the epoch as a number or digits.
 *
 * @returns milliseconds since the epoch, or undefined if the value is no time from 2001 to 2099.
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

/** Converts seconds or milliseconds. Seconds stay below 4.1e9 until 2100, milliseconds passed that in 1970. */
function fromEpoch(value: number): number {
  return Math.round(value < 1e10 ? value * 1000 : value);
}

function fromText(text: string): number | undefined {
  if (/^\d+(?:\.\d+)?$/.test(text)) return fromEpoch(Number(text));
  const isIso = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text);
  const isHttpDate = /^[A-Za-z]{3}, \d\d [A-Za-z]{3} \d{4} \d\d:\d\d:\d\d GMT$/.test(text);
  // Date.parse alone would read "link 5" as a day in May 2001.
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
