import { messageEndpoint } from '../common/http/address';
import { GuardedRequest } from '../common/http/guardedRequest';
import { bodyError, isHtml, responseError } from '../common/http/responseErrors';
import { knownError, type DocsAssistantError } from '../common/errors';
import type { Clock, Fetch } from '../common/ports';

export interface SiteToCheck {
  /** Base URL as `parseBaseUrl` returns it. */
  readonly baseUrl: string;
  readonly domain: string;
  readonly key: string;
}

/** Input field that an error is about. */
export type SiteField = 'site' | 'baseUrl' | 'key';

type SiteCheck =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly field: SiteField;
      readonly error: DocsAssistantError;
      /**
       * Whether questions may work all the same. The contract documents no errors, so a service can
       * refuse the check and still answer questions.
       */
      readonly isDoubtful: boolean;
    };

/** Statuses that a service sends for the invalid body only if it accepted the site and the key. */
const acceptedStatuses = new Set([400, 409, 413, 415, 422, 429]);

/** Body that no service can answer: `messages` is not an array. */
export const UNANSWERABLE_BODY = JSON.stringify({ fp: 'anonymous', messages: 'check' });

const CHECK_TIMEOUT_MS = 20_000;
const MAX_BODY_BYTES = 64 * 1024;

/**
 * Checks with one request whether a site, its base URL and its key work together. The only endpoint
 * costs credits for each reply, so the request is one that no service can answer: `messages` is not
 * an array. If the service refuses the body, everything before it was fine. If a service starts a
 * reply, the request is closed at once.
 *
 * @throws the signal's reason when stopped, and nothing else.
 * @see platform-api.md § Create an Assistant message
 */
export async function checkSite(
  site: SiteToCheck,
  ports: { readonly fetch: Fetch; readonly clock: Clock },
  signal: AbortSignal,
): Promise<SiteCheck> {
  const url = messageEndpoint(site.baseUrl, site.domain);
  const guarded = new GuardedRequest({
    ...ports,
    url,
    signal,
    settings: { headersTimeoutMs: CHECK_TIMEOUT_MS, idleTimeoutMs: CHECK_TIMEOUT_MS },
  });
  try {
    const response = await guarded.send({
      method: 'POST',
      headers: { Authorization: `Bearer ${site.key}`, 'Content-Type': 'application/json' },
      body: UNANSWERABLE_BODY,
      redirect: 'manual',
    });
    const context = { url, domain: site.domain, hasThread: false, secrets: [site.key] };
    if (!isHtml(response, '') && (response.ok || acceptedStatuses.has(response.status)))
      return { ok: true };
    const body = await guarded.readText(MAX_BODY_BYTES);
    const error = response.ok
      ? bodyError(response, body, context)
      : responseError(response, body, context, ports.clock, 1);
    return { ok: false, field: fieldOf(error), error, isDoubtful: isDoubtful(error) };
  } catch (error) {
    signal.throwIfAborted();
    const known = knownError(error);
    return { ok: false, field: 'baseUrl', error: known, isDoubtful: isDoubtful(known) };
  } finally {
    guarded.close();
  }
}

function fieldOf({ code }: DocsAssistantError): SiteField {
  if (code === 'key-rejected' || code === 'forbidden') return 'key';
  return code === 'unknown-site' ? 'site' : 'baseUrl';
}

/** Codes of connections that a host accepted and then closed, in Node's words and in Electron's. */
const closedCodes: ReadonlySet<string | undefined> = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'ERR_CONNECTION_RESET',
  'ERR_CONNECTION_CLOSED',
  'ERR_EMPTY_RESPONSE',
]);

/**
 * Returns whether an error can come from the check's own request, which no service can answer.
 * Nothing is doubtful about a rejected key, a redirect (which no question follows), a web page in
 * place of a reply, and a host that can't be reached.
 */
function isDoubtful({ code, details }: DocsAssistantError): boolean {
  switch (code) {
    case 'forbidden':
    case 'unknown-site':
    case 'bad-request':
    case 'too-large':
    case 'service-down':
    case 'service-error':
    case 'bad-stream':
    case 'empty-reply':
    case 'timed-out':
    case 'connection-lost':
      return true;
    case 'unexpected-html':
      // Web frameworks report an exception as a page.
      return (details.status ?? 200) >= 500;
    case 'offline':
      return closedCodes.has(details.causeCode);
    default:
      return false;
  }
}
