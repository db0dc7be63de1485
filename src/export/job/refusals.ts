/** Turns responses and failures of the export API into errors for users (faults.md B, C). */
import { DocsAssistantError, ReportedError } from '../../common/errors';
import { SHORTEST_SECRET } from '../../common/http/redact';
import {
  hostOf,
  htmlError,
  isHtml,
  isRedirect,
  retryAfterMs,
  retryWaitMs,
  serviceMessageIn,
} from '../../common/http/responseErrors';
import type { Clock } from '../../common/ports';
import { plainSentence } from '../../common/text/safeText';
import { parseUrl } from '../../shared/links';
import { ExportError } from '../exportErrors';

/** Request whose response is an error. */
export interface RefusalContext {
  readonly url: string;
  readonly step: 'start' | 'status' | 'bundle';
  /** Host name of the site, for the start of a job. */
  readonly exportDomain?: string | undefined;
  /** Secrets to remove from everything that is shown. */
  readonly secrets: readonly string[];
}

/**
 * Returns the error for an unsuccessful response.
 * @param body the first bytes of its body as text, or an empty text.
 * @param rateLimits the number of 429 responses in a row, including this one.
 */
export function refusalOf(
  response: Response,
  body: string,
  context: RefusalContext,
  clock: Clock,
  rateLimits: number,
): ExportError | DocsAssistantError {
  const { status } = response;
  const { url, step, exportDomain, secrets } = context;
  const retryAt = retryTime(response, clock, rateLimits);
  const common = { status, host: hostOf(url), exportDomain, retryAt };
  if (isRedirect(response)) return redirected(response, url, secrets);
  // An API does not respond with a web page, so this 404 means a wrong URL, not a missing job.
  if (isHtml(response, body) && (status === 404 || status >= 500)) {
    return htmlError(body, common, secrets);
  }
  const serviceMessage = serviceMessageIn(body, secrets);
  const details = { ...common, serviceMessage };
  switch (status) {
    case 401:
      return new ExportError('admin-key-rejected', details);
    case 402:
    case 403:
    case 451:
      return new ExportError('export-forbidden', details);
    case 404:
    case 410:
      return step === 'start'
        ? new ExportError('export-not-found', details)
        : new ExportError('unknown-job', details);
    case 407:
      return new DocsAssistantError('proxy-refused', details);
    case 408:
    case 425:
      return new DocsAssistantError('service-down', details);
    case 400:
    case 422:
      return step === 'start'
        ? new ExportError('bad-export-domain', details)
        : new DocsAssistantError('service-error', details);
    case 409:
      return step === 'bundle'
        ? new ExportError('job-not-completed', details)
        : new DocsAssistantError('service-error', details);
    case 429:
      return new ExportError('export-rate-limited', details);
    default:
      return new DocsAssistantError(status >= 500 ? 'service-down' : 'service-error', details);
  }
}

/** Temporary statuses below 500. */
const passingStatuses = new Set([408, 425, 429]);

/** Returns whether a failure may pass. All statuses from 500 on may be temporary. */
export function mayPass(status: number): boolean {
  return status >= 500 || passingStatuses.has(status);
}

/**
 * Returns the time of the next retry, in milliseconds since the epoch. A 429 always has one, and
 * other temporary failures have one if the service sent it.
 */
function retryTime(
  { status, headers }: Response,
  clock: Clock,
  rateLimits: number,
): number | undefined {
  if (!mayPass(status)) return undefined;
  const waitMs =
    status === 429 ? retryWaitMs(headers, clock, rateLimits) : retryAfterMs(headers, clock);
  return waitMs === undefined ? undefined : clock.now() + waitMs;
}

/** Returns the error for a redirect, which is not followed, so that the key stays at its origin. */
export function redirected(
  response: Response,
  url: string,
  secrets: readonly string[],
): ExportError {
  const location = response.headers.get('location') ?? '';
  const target = location === '' ? undefined : parseUrl(location, url);
  const host = hostOf(url);
  // With the same host, only the scheme or the path differs.
  const other = target?.host === host ? `${target?.origin}${target?.pathname}` : target?.host;
  const isTold = other !== undefined && !secrets.some((secret) => holdsSecret(other, secret));
  const otherHost = isTold ? plainSentence(other, secrets, 200) : undefined;
  return new ExportError('export-redirected', { status: response.status, host, otherHost });
}

/** Codes of failures before the request reached the service. */
const notSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_NODATA',
  'EAI_NONAME',
  'ENETDOWN',
  'ENETUNREACH',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_NAME_NOT_RESOLVED',
  'ERR_CONNECTION_REFUSED',
  'ERR_INTERNET_DISCONNECTED',
  'ERR_ADDRESS_UNREACHABLE',
  'ERR_PROXY_CONNECTION_FAILED',
  'ERR_UNSAFE_PORT',
]);

/**
 * Returns the error of a failed start. It is `start-unclear` if the service may have started the job,
 * because another start would create a second job (faults.md B9, C1).
 */
export function startFailure(error: unknown, url: string): unknown {
  if (!(error instanceof ReportedError)) return error;
  const { code, details } = error;
  const field = error instanceof ExportError ? error.details.field : undefined;
  const isUnclear =
    // A success that names no usable job.
    code === 'bad-answer' ||
    code === 'timed-out' ||
    code === 'connection-lost' ||
    code === 'unexpected' ||
    code === 'service-down' ||
    (code === 'unexpected-html' && (details.status ?? 200) >= 500) ||
    (code === 'offline' && !notSent.has(details.causeCode ?? ''));
  if (!isUnclear) return error;
  return new ExportError('start-unclear', {
    host: hostOf(url),
    status: details.status,
    causeCode: details.causeCode,
    field,
    // The start is not repeated, but the user can check again then.
    retryAt: details.retryAt,
    cause: error,
  });
}

/**
 * Returns whether a text contains a secret, also percent-encoded or in another case. Such a text of a
 * service must not be stored or sent on (faults.md F2, F6).
 */
export function holdsSecret(text: string, secret: string): boolean {
  if (secret.length < SHORTEST_SECRET) return false;
  const decoded = text.replace(/%([0-9a-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(parseInt(code, 16)),
  );
  const wanted = secret.toLowerCase();
  return [text, decoded].some((form) => form.toLowerCase().includes(wanted));
}
