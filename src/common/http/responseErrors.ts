/** Errors for failed responses and fetches, which a person can act on (faults.md B). */
import * as v from 'valibot';
import { parsedAs } from '../../shared/schemas';
import { DocsAssistantError, type ErrorDetails } from '../errors';
import type { Clock } from '../ports';
import { plainSentence } from '../text/safeText';
import { parsedJson } from '../text/strings';
import { parseUrl } from '../../shared/links';
import type { ErrorCode } from '../../shared/errorInfo';

/** Longest wait that is accepted: a day, the longest window of the documented limits. */
const MAX_WAIT_MS = 24 * 60 * 60 * 1000;

const FIRST_BACK_OFF_MS = 5000;
const MAX_BACK_OFF_MS = 5 * 60 * 1000;

/** Returns whether the response is a redirect. Some runtimes hide the status of redirects. */
export function isRedirect(response: Response): boolean {
  return (
    response.type === 'opaqueredirect' ||
    (response.status >= 300 && response.status < 400 && response.status !== 304)
  );
}

/**
 * Returns the milliseconds that `Retry-After` asks to wait, at most a day, or undefined if the
 * header is missing or unreadable. A date is compared with the response's own `Date`, so that a
 * wrong local clock does no harm.
 */
export function retryAfterMs(headers: Headers, clock: Clock): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, MAX_WAIT_MS);
  const now = clock.now();
  const until = parseHttpDate(value, now);
  if (until === undefined) return undefined;
  const sent = parseHttpDate(headers.get('date') ?? '', now) ?? now;
  return Math.min(Math.max(0, until - sent), MAX_WAIT_MS);
}

/**
 * Returns the milliseconds to wait after a 429: as {@link retryAfterMs} says, or else a back-off
 * that doubles with each consecutive 429. It has no jitter, because requests are never repeated
 * automatically.
 */
export function retryWaitMs(headers: Headers, clock: Clock, rateLimits: number): number {
  const backOff = Math.min(FIRST_BACK_OFF_MS * 2 ** (rateLimits - 1), MAX_BACK_OFF_MS);
  return retryAfterMs(headers, clock) ?? backOff;
}

/** Returns the error for a `fetch` that failed before it returned a response. */
export function fetchError(error: unknown, url: string): DocsAssistantError {
  const causeCode = causeCodeOf(error);
  const details: ErrorDetails = {
    host: hostOf(url),
    cause: error,
    causeCode,
  };
  const words = wordsOf(error);
  if (/proxy/i.test(words) && words.includes('407')) {
    return new DocsAssistantError('proxy-refused', details);
  }
  if (causeCode !== undefined && isTlsCode(causeCode)) {
    return new DocsAssistantError('insecure-connection', details);
  }
  const isNetwork = causeCode !== undefined || /fetch failed|failed to fetch|network/i.test(words);
  return new DocsAssistantError(isNetwork ? 'offline' : 'unexpected', details);
}

/** Returns the error for a body that broke off: reset, closed early, or badly compressed. */
export function readError(error: unknown, url: string): DocsAssistantError {
  return new DocsAssistantError('connection-lost', {
    host: hostOf(url),
    cause: error,
    causeCode: causeCodeOf(error),
  });
}

/** Returns the host and port of a URL, or undefined for anything else. */
export function hostOf(url: string, base?: string): string | undefined {
  return parseUrl(url, base)?.host;
}

function isTlsCode(code: string): boolean {
  return (
    /CERT|^ERR_(TLS|SSL)_|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|HOSTNAME_MISMATCH/.test(code) ||
    code === 'EPROTO' ||
    code === 'INVALID_CA' ||
    code === 'INVALID_PURPOSE' ||
    code === 'PATH_LENGTH_EXCEEDED'
  );
}

const errorSchema = v.object({
  code: v.fallback(v.optional(v.string()), undefined),
  message: v.fallback(v.optional(v.string()), undefined),
  cause: v.optional(v.unknown()),
  errors: v.fallback(v.optional(v.array(v.unknown())), undefined),
});

/** Returns the error, its causes and, if several addresses were tried, the error of each. */
function errorChain(error: unknown, depth = 0): v.InferOutput<typeof errorSchema>[] {
  const parsed = v.safeParse(errorSchema, error);
  if (!parsed.success || depth > 5) return [];
  const { cause, errors = [] } = parsed.output;
  return [parsed.output, ...[cause, ...errors].flatMap((inner) => errorChain(inner, depth + 1))];
}

/** Returns the system's code, such as `ECONNREFUSED`, from anywhere in the chain of causes. */
function causeCodeOf(error: unknown): string | undefined {
  const chain = errorChain(error);
  const named = chain.find(({ code }) => code !== undefined && /^[A-Z][A-Z0-9_]+$/.test(code));
  if (named) return named.code;
  // Node never sends to the ports that browsers block, such as 6000. Electron's network stack names such a
  // failure as others, in the message: net::ERR_NAME_NOT_RESOLVED.
  const words = wordsOf(error);
  return /^bad port$/m.test(words) ? 'ERR_UNSAFE_PORT' : /\bnet::(ERR_\w+)/.exec(words)?.[1];
}

function wordsOf(error: unknown): string {
  return errorChain(error)
    .map(({ message }) => message ?? '')
    .join('\n');
}

/**
 * Returns whether the response is a web page, whatever was requested.
 * @param body its first bytes.
 */
export function isHtml(response: Response, body: string): boolean {
  const type = response.headers.get('content-type') ?? '';
  return /\bhtml\b/i.test(type) || /^\s*(<!doctype\s+html|<html|<head|<body)/i.test(body);
}

/** Returns the error for a web page instead of an answer. Only its title is shown. */
export function htmlError(
  body: string,
  details: ErrorDetails,
  secrets: readonly string[],
): DocsAssistantError {
  const title = /<title[^>]{0,200}>([^<]{1,2000})/i.exec(body)?.[1] ?? '';
  const serviceMessage = plainSentence(title, secrets, 200);
  return new DocsAssistantError('unexpected-html', {
    ...details,
    serviceMessage: serviceMessage || undefined,
  });
}

/**
 * Returns the service's own sentence in an error's body, made harmless, or undefined if there is
 * none.
 */
export function serviceMessageIn(body: string, secrets: readonly string[]): string | undefined {
  // Some services put the error into the event stream that a reply would have been.
  const streamed = /^data: ?(\{.*\})\s*$/m.exec(body)?.[1];
  const inJson = messageIn(parsedJson(streamed ?? body), secrets);
  if (inJson !== undefined || streamed !== undefined) return inJson;
  const isPlainText = !/^\s*[<{[]/.test(body) && !body.includes('\uFFFD') && !body.includes('\0');
  return isPlainText ? plainSentence(body, secrets) || undefined : undefined;
}

const words = v.pipe(v.string(), v.minLength(1));
const bodySchema = v.union([
  v.pipe(
    v.object({ errorText: words }),
    v.transform((body) => body.errorText),
  ),
  v.pipe(
    v.object({ error: words }),
    v.transform((body) => body.error),
  ),
  v.pipe(
    v.object({ error: v.object({ message: words }) }),
    v.transform((body) => body.error.message),
  ),
  v.pipe(
    v.object({ message: words }),
    v.transform((body) => body.message),
  ),
  v.pipe(
    v.object({ detail: words }),
    v.transform((body) => body.detail),
  ),
  v.pipe(
    v.object({ title: words }),
    v.transform((body) => body.title),
  ),
]);

/** Returns the service's own sentence in a parsed JSON body, or undefined if there is none. */
export function messageIn(body: unknown, secrets: readonly string[]): string | undefined {
  return plainSentence(parsedAs(bodySchema, body) ?? '', secrets) || undefined;
}

/** Two-digit years of the obsolete RFC 850 form, such as `Sunday, 06-Nov-94 08:49:37 GMT`. */
const shortYear = /(\d{1,2}-[A-Za-z]{3}-)(\d\d)(?=\s)/;

/** A date that names its zone: by letters, as `GMT`, or by an offset. */
const zoned = /(?:[A-Za-z]|[+-]\d\d:?\d\d)$/;

/**
 * Parses an HTTP date in any of its three forms. All of them are in UTC. The `asctime` form names
 * no zone, so `Date.parse` alone would read it in this machine's zone.
 * @param now current time. A two-digit year is at most 50 years after it.
 * @returns milliseconds since the epoch, or undefined if the text isn't a date with a time.
 * @see RFC 9110 § 5.6.7
 */
export function parseHttpDate(text: string, now: number): number | undefined {
  // `Date.parse` alone would accept "1.5" and "-1". A real date has a month and a time.
  if (!/[A-Za-z]{3}.*\d\d:\d\d:\d\d/.test(text)) return undefined;
  const trimmed = text.trim();
  const whole = trimmed.replace(
    shortYear,
    (_, day: string, year: string) => `${day}${fullYear(Number(year), now)}`,
  );
  const time = Date.parse(zoned.test(whole) ? whole : `${whole} GMT`);
  return Number.isNaN(time) ? undefined : time;
}

function fullYear(year: number, now: number): number {
  const thisYear = new Date(now).getUTCFullYear();
  const inThisCentury = thisYear - (thisYear % 100) + year;
  return inThisCentury > thisYear + 50 ? inThisCentury - 100 : inThisCentury;
}

/** Responses of the Assistant endpoint → errors that a person can act on (faults.md B). */

/** Facts about a question whose response failed. */
export interface ResponseContext {
  readonly url: string;
  readonly domain: string;
  readonly hasThread: boolean;
  /** Secrets that are removed from every shown text. */
  readonly secrets: readonly string[];
}

/**
 * Returns the error for a response that isn't a reply.
 * @param body its first bytes as text, or empty.
 * @param rateLimits number of consecutive 429 responses, including this one.
 */
export function responseError(
  response: Response,
  body: string,
  context: ResponseContext,
  clock: Clock,
  rateLimits: number,
): DocsAssistantError {
  const { status } = response;
  // An error response can have the key of a thread in its headers and repeat it in its sentence.
  const threadKey = response.headers.get('x-thread-key');
  const secrets = threadKey === null ? context.secrets : [...context.secrets, threadKey];
  const common = { status, host: hostOf(context.url), domain: context.domain };
  if (isRedirect(response)) {
    const host = hostOf(response.headers.get('location') ?? '', context.url);
    return new DocsAssistantError('redirected', { ...common, host });
  }
  if (isHtml(response, body) && (status < 300 || status === 404 || status >= 500)) {
    return htmlError(body, common, secrets);
  }
  const serviceMessage = serviceMessageIn(body, secrets);
  const details = { ...common, serviceMessage: serviceMessage || undefined };
  if (status === 429) {
    const retryAt = clock.now() + retryWaitMs(response.headers, clock, rateLimits);
    const limit = limitFor(retryAfterMs(response.headers, clock));
    return new DocsAssistantError('rate-limited', { ...details, retryAt, limit });
  }
  return new DocsAssistantError(codeOfStatus(status, context.hasThread), details);
}

const HOUR_MS = 60 * 60 * 1000;

/**
 * Returns the documented limit that a wait points to: the hourly one for up to an hour, else the
 * daily one. Returns undefined if the service named no wait or a wait of zero.
 * @see platform-api.md § Limits
 */
function limitFor(waitMs: number | undefined): ErrorDetails['limit'] {
  if (waitMs === undefined || waitMs === 0) return undefined;
  return waitMs <= HOUR_MS ? 'organization' : 'address';
}

function codeOfStatus(status: number, hasThread: boolean): ErrorCode {
  switch (status) {
    case 401:
      return 'key-rejected';
    case 402:
    case 403:
    case 451:
      return 'forbidden';
    case 404:
      return hasThread ? 'unknown-thread' : 'unknown-site';
    case 407:
      return 'proxy-refused';
    case 408:
    case 425:
      return 'service-down';
    case 413:
      return 'too-large';
    default:
      return status >= 500 ? 'service-down' : status >= 400 ? 'bad-request' : 'bad-stream';
  }
}

/** Returns the error for a 200 response whose body isn't an event stream. */
export function bodyError(
  response: Response,
  body: string,
  context: ResponseContext,
): DocsAssistantError {
  const common = {
    status: response.status,
    host: hostOf(context.url),
    domain: context.domain,
  };
  if (body.trim() === '') return new DocsAssistantError('empty-reply', common);
  if (isHtml(response, body)) return htmlError(body, common, context.secrets);
  const serviceMessage = messageIn(parsedJson(body), context.secrets);
  return serviceMessage
    ? new DocsAssistantError('service-error', { ...common, serviceMessage })
    : new DocsAssistantError('bad-stream', common);
}
