/** Responses of the Assistant endpoint → errors that a person can act on (faults.md B). */
import { DocsAssistantError, type ErrorDetails } from '../common/errors';
import type { Clock } from '../common/ports';
import {
  hostOf,
  htmlError,
  isHtml,
  isRedirect,
  jsonMessageIn,
  retryAfterMs,
  retryWaitMs,
  serviceMessageIn,
} from '../common/responseErrors';
import type { ErrorCode } from '../shared/errorInfo';

/** What is known of a question when its response fails. */
export interface ResponseContext {
  readonly url: string;
  readonly domain: string;
  readonly hasThread: boolean;
  /** Kept out of everything that is shown. */
  readonly secrets: readonly string[];
}

/**
 * The error for a response that is no reply.
 * @param body its first bytes as text; empty if there are none.
 * @param rateLimits how many responses in a row were 429, this one included.
 */
export function responseError(
  response: Response,
  body: string,
  context: ResponseContext,
  clock: Clock,
  rateLimits: number,
): DocsAssistantError {
  const { status } = response;
  const common = { status, host: hostOf(context.url), domain: context.domain };
  if (isRedirect(response)) {
    const host = hostOf(response.headers.get('location') ?? '', context.url);
    return new DocsAssistantError('redirected', { ...common, host });
  }
  if (isHtml(response, body) && (status < 300 || status === 404 || status >= 500)) {
    return htmlError(body, common, context.secrets);
  }
  const serviceMessage = serviceMessageIn(body, context.secrets);
  const details = { ...common, ...(serviceMessage ? { serviceMessage } : {}) };
  if (status === 429) {
    const retryAt = clock.now() + retryWaitMs(response.headers, clock, rateLimits);
    const limit = limitFor(retryAfterMs(response.headers, clock));
    return new DocsAssistantError('rate-limited', { ...details, retryAt, limit });
  }
  return new DocsAssistantError(codeOfStatus(status, context.hasThread), details);
}

const HOUR_MS = 60 * 60 * 1000;

/**
 * Returns the documented limit whose window a wait of at most a day fits: that of an hour as far as
 * it goes, else that of a day. A wait of nothing, or one that the service did not name, fits none.
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

/** The error for a 200 whose body was not an event stream: JSON, a web page, nothing, or else. */
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
  const serviceMessage = jsonMessageIn(body, context.secrets);
  return serviceMessage
    ? new DocsAssistantError('service-error', { ...common, serviceMessage })
    : new DocsAssistantError('bad-stream', common);
}
