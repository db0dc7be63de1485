import { isHeaderSafe } from '../common/address';
import { DocsAssistantError } from '../common/errors';
import { GuardedRequest, type RequestTimeouts } from '../common/guardedRequest';
import type { Clock, Fetch, Log } from '../common/ports';
import { hostOf, htmlError, isHtml, isRedirect } from '../common/responseErrors';
import { parseUrl } from '../common/parseUrl';
import type { BundleLink } from './bundle';
import { readBundle, readJobAnswer, readStarted, type JobAnswer } from './exportAnswers';
import { ExportError } from './exportErrors';
import { redirected, refusalOf, startFailure, type RefusalContext } from './exportRefusals';
import { holdsSecret } from './holdsSecret';

/** An export API and the admin key that was saved for its origin. */
export interface ExportEndpoint {
  /** As `parseBaseUrl` gives it. */
  readonly url: string;
  /** Sent in `Authorization` to that origin, and nowhere else. */
  readonly adminKey: string;
}

export interface ExportClientPorts {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly log: Log;
  /** Read anew for each request. */
  readonly timeouts: () => RequestTimeouts;
  /** Kept out of every sentence of a service, beside the key of the request itself. */
  readonly secrets: () => readonly string[];
}

/** Bytes of an error's body that are read: its sentence is at the start (faults.md B16). */
const MAX_ERROR_BODY_BYTES = 64 * 1024;
/** Bytes of an answer: a link of 16 KiB, and room for what an answer may grow by. */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** Least wait for a bundle's headers, as the service may pack gigabytes before it answers. */
const PACKING_TIMEOUT_MS = 5 * 60 * 1000;
/** Hops within the origin that a GET follows. */
const MAX_REDIRECTS = 3;

interface Exchange {
  readonly endpoint: ExportEndpoint;
  readonly method: 'GET' | 'POST';
  /** Behind the base address. */
  readonly path: string;
  readonly step: RefusalContext['step'];
  readonly exportDomain?: string;
  /** JSON. */
  readonly body?: string;
}

/**
 * The three endpoints of static export, each request sent once. Any 2xx is a success, as the codes
 * are not documented.
 *
 * All methods throw the signal's reason when stopped, and for failures:
 * {@link ExportError} `admin-key-rejected` (401), `export-forbidden` (402, 403), `export-redirected`,
 * `export-rate-limited` (429, with `retryAt`), `bad-answer`;
 * {@link DocsAssistantError} `offline`, `insecure-connection`, `proxy-refused`, and, except from
 * `startJob`, `timed-out`, `connection-lost`, `service-down` (5xx), `service-error` (other refusals), `unexpected-html`.
 */
export class ExportClient {
  readonly #ports: ExportClientPorts;
  /** Responses in a row that were 429, by API, for the back-off where the service names no time. */
  readonly #rateLimits = new Map<string, number>();

  constructor(ports: ExportClientPorts) {
    this.#ports = ports;
  }

  /**
   * Starts a job; never repeated by itself.
   *
   * @param exportDomain bare host name of the site.
   * @returns the job's id.
   * @throws {ExportError} `bad-export-domain` (400); `start-unclear` where the service may have
   * accepted the start without our hearing of it.
   * @see platform-api.md § Start static export job
   */
  async startJob(
    endpoint: ExportEndpoint,
    exportDomain: string,
    signal: AbortSignal,
  ): Promise<string> {
    const path = '/v1/static-export/jobs';
    try {
      const answer = await this.#answer(
        {
          endpoint,
          method: 'POST',
          path,
          step: 'start',
          exportDomain,
          body: JSON.stringify({ domain: exportDomain }),
        },
        signal,
      );
      return readStarted(answer, endpoint);
    } catch (error) {
      signal.throwIfAborted();
      throw startFailure(error, endpoint.url);
    }
  }

  /**
   * @throws {ExportError} `unknown-job` (404).
   * @see platform-api.md § Get static export job status
   */
  async jobStatus(
    endpoint: ExportEndpoint,
    jobId: string,
    signal: AbortSignal,
  ): Promise<JobAnswer> {
    const path = `/v1/static-export/jobs/${encodeURIComponent(jobId)}`;
    const answer = await this.#answer({ endpoint, method: 'GET', path, step: 'status' }, signal);
    return readJobAnswer(answer, endpoint.url, this.#secrets(endpoint));
  }

  /**
   * Packs a completed job. May be repeated at will.
   *
   * @throws {ExportError} `unknown-job` (404), `job-not-completed` (409), `link-refused`.
   * @see platform-api.md § Generate export bundle
   */
  async generateBundle(
    endpoint: ExportEndpoint,
    jobId: string,
    signal: AbortSignal,
  ): Promise<BundleLink> {
    const path = `/v1/static-export/jobs/${encodeURIComponent(jobId)}/bundle`;
    const answer = await this.#answer({ endpoint, method: 'POST', path, step: 'bundle' }, signal);
    return readBundle(answer, endpoint, (message) => this.#ports.log.warn(message));
  }

  /** The JSON of a success. */
  async #answer(exchange: Exchange, signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted();
    const { endpoint, path } = exchange;
    if (!isHeaderSafe(endpoint.adminKey)) {
      throw new ExportError('admin-key-rejected', { host: hostOf(endpoint.url) });
    }
    let url = `${endpoint.url}${path}`;
    for (let redirects = 0; ; redirects++) {
      const outcome = await this.#send(exchange, url, signal);
      if (!('next' in outcome)) return outcome.answer;
      if (redirects === MAX_REDIRECTS) throw outcome.refusal;
      url = outcome.next;
    }
  }

  async #send(
    exchange: Exchange,
    url: string,
    signal: AbortSignal,
  ): Promise<
    { readonly answer: unknown } | { readonly next: string; readonly refusal: ExportError }
  > {
    const { fetch, clock, log } = this.#ports;
    const { endpoint, method, body } = exchange;
    const settings = this.#timeouts(exchange);
    const guarded = new GuardedRequest({ url, fetch, clock, signal, settings });
    const startedAt = clock.now();
    try {
      const response = await guarded.send({
        method,
        headers: {
          Authorization: `Bearer ${endpoint.adminKey}`,
          Accept: 'application/json',
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body }),
        // The key goes to the origin that it was saved for and nowhere else.
        redirect: 'manual',
        cache: 'no-store',
      });
      const next =
        method === 'GET' ? sameOriginTarget(response, url, endpoint.adminKey) : undefined;
      if (next !== undefined) {
        return { next, refusal: redirected(response, url, this.#secrets(endpoint)) };
      }
      if (!response.ok) throw await this.#refusal(guarded, response, exchange, url);
      this.#rateLimits.delete(endpoint.url);
      return { answer: await this.#read(guarded, response, exchange) };
    } finally {
      guarded.close();
      log.debug(
        `${method} ${withoutQuery(url)} ${guarded.status ?? 'no response'} ` +
          `in ${clock.now() - startedAt} ms`,
      );
    }
  }

  async #refusal(
    guarded: GuardedRequest,
    response: Response,
    { endpoint, step, exportDomain }: Exchange,
    url: string,
  ): Promise<Error> {
    const { clock } = this.#ports;
    const rateLimits = response.status === 429 ? (this.#rateLimits.get(endpoint.url) ?? 0) + 1 : 0;
    this.#rateLimits.set(endpoint.url, rateLimits);
    const body = isRedirect(response) ? '' : await guarded.readText(MAX_ERROR_BODY_BYTES);
    const context = { url, step, exportDomain, secrets: this.#secrets(endpoint) };
    return refusalOf(response, body, context, clock, Math.max(1, rateLimits));
  }

  async #read(
    guarded: GuardedRequest,
    response: Response,
    { endpoint, step }: Exchange,
  ): Promise<unknown> {
    const host = hostOf(endpoint.url);
    const body = await readAll(guarded, host);
    if (isHtml(response, body)) {
      throw htmlError(body, { status: response.status, host }, this.#secrets(endpoint));
    }
    try {
      return JSON.parse(body) as unknown;
    } catch {
      // The service took the start, and only the job's id got lost on its way.
      if (step === 'start') {
        throw new DocsAssistantError('connection-lost', { status: response.status, host });
      }
      throw new ExportError('bad-answer', { status: response.status, host, field: 'JSON' });
    }
  }

  #timeouts({ step }: Exchange): RequestTimeouts {
    const timeouts = this.#ports.timeouts();
    if (step !== 'bundle') return timeouts;
    const headersTimeoutMs = Math.max(timeouts.headersTimeoutMs, PACKING_TIMEOUT_MS);
    return { ...timeouts, headersTimeoutMs };
  }

  #secrets(endpoint: ExportEndpoint): readonly string[] {
    return [endpoint.adminKey, ...this.#ports.secrets()];
  }
}

/** @throws {ExportError} `bad-answer` for an answer without an end. */
async function readAll(guarded: GuardedRequest, host: string | undefined): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = await guarded.read(); bytes; bytes = await guarded.read()) {
    if (guarded.receivedBytes > MAX_ANSWER_BYTES) {
      throw new ExportError('bad-answer', { host, field: 'length' });
    }
    text += decoder.decode(bytes, { stream: true });
  }
  return text + decoder.decode();
}

/** Where a redirect within the origin leads, without the key; undefined for anything else. */
function sameOriginTarget(response: Response, url: string, adminKey: string): string | undefined {
  if (!isRedirect(response)) return undefined;
  const location = response.headers.get('location');
  const target = location === null ? undefined : parseUrl(location, url);
  if (!target) return undefined;
  const isSame =
    target.origin === new URL(url).origin && target.username === '' && target.password === '';
  target.hash = '';
  // A key in an address ends up in the logs of servers (faults.md F6).
  return isSame && !holdsSecret(target.href, adminKey) ? target.href : undefined;
}

function withoutQuery(url: string): string {
  return url.split('?', 1)[0] ?? '';
}
