/** Responses and failures of the export API → errors that a person can act on (faults.md B, C). */
import { DocsAssistantError } from '../common/errors';
import type { Clock } from '../common/ports';
import { plainSentence } from '../common/plainSentence';
import {
  hostOf,
  htmlError,
  isHtml,
  isRedirect,
  retryAfterMs,
  retryWaitMs,
  serviceMessageIn,
} from '../common/responseErrors';
import { parseUrl } from '../common/parseUrl';
import { ExportError } from './exportErrors';
import { holdsSecret } from './holdsSecret';

/** What is known of a request when its response fails. */
export interface RefusalContext {
  readonly url: string;
  readonly step: 'start' | 'status' | 'bundle';
  /** Of the site, where a job is started. */
  readonly exportDomain?: string | undefined;
  /** Kept out of everything that is shown. */
  readonly secrets: readonly string[];
}

/**
 * The error for a response that is no success.
 * @param body its first bytes as text; empty if there are none.
 * @param rateLimits how many responses in a row were 429, this one included.
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
  // No API answers with a page, so its 404 is about the address, not about the job.
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
        ? new ExportError('bad-answer', { ...details, field: 'address' })
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

/** Statuses below 500 that pass by themselves, as all from 500 on may. */
const passingStatuses = new Set([408, 425, 429]);

/**
 * Returns the time from which a retry may succeed, in milliseconds since the epoch: where the
 * service told one, whatever the trouble that passes; after a 429 always.
 */
function retryTime(
  { status, headers }: Response,
  clock: Clock,
  rateLimits: number,
): number | undefined {
  if (status < 500 && !passingStatuses.has(status)) return undefined;
  const waitMs =
    status === 429 ? retryWaitMs(headers, clock, rateLimits) : retryAfterMs(headers, clock);
  return waitMs === undefined ? undefined : clock.now() + waitMs;
}

/** The error for an answer that points elsewhere: the key stays where it was saved for. */
export function redirected(
  response: Response,
  url: string,
  secrets: readonly string[],
): ExportError {
  const location = response.headers.get('location') ?? '';
  const target = location === '' ? undefined : parseUrl(location, url);
  const host = hostOf(url);
  // Where the host is the same, the difference is in the scheme or the path.
  const other = target?.host === host ? `${target?.origin}${target?.pathname}` : target?.host;
  const isTold = other !== undefined && !secrets.some((secret) => holdsSecret(other, secret));
  const otherHost = isTold ? plainSentence(other, secrets, 200) : undefined;
  return new ExportError('export-redirected', { status: response.status, host, otherHost });
}

/** Failures at which no request can have reached the service. */
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
]);

/**
 * The error of a start that failed: `start-unclear` wherever the service may have accepted it, as a
 * second start would make a second job (faults.md B9, C1).
 */
export function startFailure(error: unknown, url: string): unknown {
  if (!(error instanceof DocsAssistantError)) return error;
  const { code, details } = error;
  const isUnclear =
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
    // The start is not repeated, but a person may look again by then.
    retryAt: details.retryAt,
    cause: error,
  });
}
