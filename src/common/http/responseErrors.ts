/** What responses and failed fetches tell, for errors that a person can act on (faults.md B). */
import * as v from 'valibot';
import { DocsAssistantError, type ErrorDetails } from './errors';
import { parseHttpDate } from './httpDate';
import type { Clock } from './ports';
import { plainSentence } from './plainSentence';
import { parseUrl } from './parseUrl';

/** Longest wait that is believed: a day, the longest window of the documented limits. */
const MAX_WAIT_MS = 24 * 60 * 60 * 1000;

const FIRST_BACK_OFF_MS = 5000;
const MAX_BACK_OFF_MS = 5 * 60 * 1000;

/** True for any answer that points elsewhere; some runtimes hide the status of those. */
export function isRedirect(response: Response): boolean {
  return (
    response.type === 'opaqueredirect' ||
    (response.status >= 300 && response.status < 400 && response.status !== 304)
  );
}

/**
 * Returns the milliseconds that `Retry-After` asks to wait, at most a day; undefined where it is
 * missing or cannot be read. A date counts from the response's own `Date`, so that a wrong local
 * clock does no harm.
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
 * Milliseconds to wait after a 429: as {@link retryAfterMs} says, else a back-off of our own that
 * doubles with each 429 in a row. There is no jitter, as no request is ever repeated by itself.
 */
export function retryWaitMs(headers: Headers, clock: Clock, rateLimits: number): number {
  const backOff = Math.min(FIRST_BACK_OFF_MS * 2 ** (rateLimits - 1), MAX_BACK_OFF_MS);
  return retryAfterMs(headers, clock) ?? backOff;
}

/** The error for a `fetch` that failed before it gave a response. */
export function fetchError(error: unknown, url: string): DocsAssistantError {
  if (error instanceof DocsAssistantError) return error;
  const causeCode = causeCodeOf(error);
  const details: ErrorDetails = {
    host: hostOf(url),
    cause: error,
    ...(causeCode === undefined ? {} : { causeCode }),
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

/** The error for a body that broke off: reset, closed early, or badly compressed. */
export function readError(error: unknown, url: string): DocsAssistantError {
  if (error instanceof DocsAssistantError) return error;
  const causeCode = causeCodeOf(error);
  return new DocsAssistantError('connection-lost', {
    host: hostOf(url),
    cause: error,
    ...(causeCode === undefined ? {} : { causeCode }),
  });
}

/** Host and port; undefined for what is no URL. */
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

/** The error, its causes and, where several addresses were tried, the error of each. */
function errorChain(error: unknown, depth = 0): v.InferOutput<typeof errorSchema>[] {
  const parsed = v.safeParse(errorSchema, error);
  if (!parsed.success || depth > 5) return [];
  const { cause, errors = [] } = parsed.output;
  return [parsed.output, ...[cause, ...errors].flatMap((inner) => errorChain(inner, depth + 1))];
}

/** The system's code, such as `ECONNREFUSED`, wherever in the chain of causes it is. */
function causeCodeOf(error: unknown): string | undefined {
  const chain = errorChain(error);
  const named = chain.find(({ code }) => code !== undefined && /^[A-Z][A-Z0-9_]+$/.test(code));
  // Electron's network stack says it in the message: net::ERR_NAME_NOT_RESOLVED.
  return named?.code ?? /\bnet::(ERR_\w+)/.exec(wordsOf(error))?.[1];
}

function wordsOf(error: unknown): string {
  return errorChain(error)
    .map(({ message }) => message ?? '')
    .join('\n');
}

/** True for a web page, whatever it was asked for. @param body its first bytes. */
export function isHtml(response: Response, body: string): boolean {
  const type = response.headers.get('content-type') ?? '';
  return /\bhtml\b/i.test(type) || /^\s*(<!doctype\s+html|<html|<head|<body)/i.test(body);
}

/** The error for a web page in the place of an answer; only its title is told. */
export function htmlError(
  body: string,
  details: ErrorDetails,
  secrets: readonly string[],
): DocsAssistantError {
  const title = /<title[^>]{0,200}>([^<]{1,2000})/i.exec(body)?.[1] ?? '';
  const serviceMessage = plainSentence(title, secrets, 200);
  return new DocsAssistantError('unexpected-html', {
    ...details,
    ...(serviceMessage ? { serviceMessage } : {}),
  });
}

/** The service's own sentence in an error's body, made harmless; undefined if it says nothing. */
export function serviceMessageIn(body: string, secrets: readonly string[]): string | undefined {
  const inJson = jsonMessageIn(body, secrets);
  if (inJson !== undefined) return inJson;
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

/** The same of a JSON body alone. */
export function jsonMessageIn(body: string, secrets: readonly string[]): string | undefined {
  try {
    return messageIn(JSON.parse(body), secrets);
  } catch {
    return undefined;
  }
}

/** The same of a JSON body that is parsed already. */
export function messageIn(body: unknown, secrets: readonly string[]): string | undefined {
  const parsed = v.safeParse(bodySchema, body);
  return parsed.success ? plainSentence(parsed.output, secrets) || undefined : undefined;
}
