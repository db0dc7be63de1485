import { knownError, type DocsAssistantError } from '../../common/errors';
import { messageEndpoint } from '../../common/http/address';
import { GuardedRequest } from '../../common/http/guardedRequest';
import {
  htmlError,
  hostOf,
  isHtml,
  isRedirect,
  responseError,
} from '../../common/http/responseErrors';
import type { Clock, Fetch } from '../../common/ports';
import { UNANSWERABLE_BODY } from '../siteCheck';

/** Response of the docs service, or of whatever is at its URL. */
export type Reached = {
  /** The header `Date` of the response, if there was one. */
  readonly date?: string;
  /** Time of the response on this machine, in milliseconds since the epoch. */
  readonly receivedAt: number;
} & (
  | { readonly ok: true; readonly status: number; readonly ms: number }
  | { readonly ok: false; readonly error: DocsAssistantError }
);

/** Shorter than the limit of the checks that wait for it. */
const REACH_TIMEOUT_MS = 20_000;
const MAX_BODY_BYTES = 64 * 1024;

/** Statuses of gateways whose service doesn't answer. */
const gatewayStatuses: ReadonlySet<number> = new Set([502, 503, 504]);
/** Status of a network that wants a sign-in first (RFC 6585). */
const NETWORK_AUTHENTICATION_REQUIRED = 511;

/**
 * Sends a request to the message endpoint as VS Code sends questions, but without a key, and tells
 * whether a docs service can be behind it. Any refusal by the service is fine.
 *
 * @throws the signal's reason when stopped, and nothing else.
 */
export async function reachService(
  { baseUrl, domain }: { readonly baseUrl: string; readonly domain: string },
  ports: { readonly fetch: Fetch; readonly clock: Clock },
  signal: AbortSignal,
): Promise<Reached> {
  const { clock } = ports;
  const url = messageEndpoint(baseUrl, domain);
  const settings = { headersTimeoutMs: REACH_TIMEOUT_MS, idleTimeoutMs: REACH_TIMEOUT_MS };
  const guarded = new GuardedRequest({ ...ports, url, signal, settings });
  const startedAt = clock.now();
  try {
    const response = await guarded.send({
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: UNANSWERABLE_BODY,
      redirect: 'manual',
    });
    const receivedAt = clock.now();
    const date = response.headers.get('date') ?? undefined;
    const seen = { receivedAt, date };
    const error = await answerError(guarded, response, { url, domain, clock });
    return error
      ? { ok: false, error, ...seen }
      : { ok: true, status: response.status, ms: receivedAt - startedAt, ...seen };
  } catch (error) {
    signal.throwIfAborted();
    return { ok: false, error: knownError(error), receivedAt: clock.now() };
  } finally {
    guarded.close();
  }
}

/** Returns why the response can't be that of a docs service, or undefined if it can. */
async function answerError(
  guarded: GuardedRequest,
  response: Response,
  { url, domain, clock }: { readonly url: string; readonly domain: string; readonly clock: Clock },
): Promise<DocsAssistantError | undefined> {
  const { status } = response;
  const context = { url, domain, hasThread: false, secrets: [] };
  if (isRedirect(response)) return responseError(response, '', context, clock, 1);
  if (status === 407 || gatewayStatuses.has(status)) {
    return responseError(response, await guarded.readText(MAX_BODY_BYTES), context, clock, 1);
  }
  // A reply is not read: it would be one to a question that nobody asked.
  const isPage =
    isHtml(response, '') && (response.ok || status === NETWORK_AUTHENTICATION_REQUIRED);
  if (!isPage) return undefined;
  return htmlError(await guarded.readText(MAX_BODY_BYTES), { status, host: hostOf(url) }, []);
}
