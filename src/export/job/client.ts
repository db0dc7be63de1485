import { isHeaderSafe } from '../../common/http/address';
import { GuardedRequest, type RequestTimeouts } from '../../common/http/guardedRequest';
import { hostOf, htmlError, isHtml, isRedirect } from '../../common/http/responseErrors';
import type { Clock, Fetch, Log } from '../../common/ports';
import { parseUrl } from '../../shared/links';
import type { BundleLink } from '../download/bundleLink';
import { ExportError } from '../exportErrors';
import { readBundle, readJobAnswer, readStarted, type JobAnswer } from './answers';
import type { ExportEndpoint, StartOptions } from './exports';
import { startOptionNames } from './record';
import { holdsSecret, redirected, refusalOf, startFailure, type RefusalContext } from './refusals';

export interface ExportClientPorts {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly log: Log;
  /** Returns the current time-outs. Called for each request. */
  readonly timeouts: () => RequestTimeouts;
  /** Returns secrets to remove from texts of a service, besides the key of the request. */
  readonly secrets: () => readonly string[];
}

/** Bytes read of an error's body. Its sentence is at the start (faults.md B16). */
const MAX_ERROR_BODY_BYTES = 64 * 1024;
/** Maximum size of a response. A link takes up to 16 KiB. */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** Minimum time-out for a bundle's headers, because the service may pack gigabytes first. */
const PACKING_TIMEOUT_MS = 5 * 60 * 1000;
/** Redirects within the origin that a GET follows. */
const MAX_REDIRECTS = 3;

export interface StartedJob {
  readonly jobId: string;
  /** Options that the service doesn't take and that the request was sent without. */
  readonly leftOut: readonly (keyof StartOptions)[];
}

interface Exchange {
  readonly endpoint: ExportEndpoint;
  readonly method: 'GET' | 'POST';
  /** Path below the base URL. */
  readonly path: string;
  readonly step: RefusalContext['step'];
  readonly exportDomain?: string;
  /** JSON text. */
  readonly body?: string;
}

/**
 * The three endpoints of static export. Each request is sent once. Any 2xx status is a success,
 * because the codes are not documented.
 *
 * All methods throw the signal's reason when stopped, and these errors:
 * {@link ExportError} `admin-key-rejected` (401), `export-forbidden` (402, 403), `export-redirected`,
 * `export-rate-limited` (429, with `retryAt`), and, except from `startJob`, `bad-answer`;
 * `DocsAssistantError` `offline`, `insecure-connection`, `proxy-refused`, and, except from
 * `startJob`, `timed-out`, `connection-lost`, `service-down` (5xx), `service-error` (other refusals), `unexpected-html`.
 */
export class ExportClient {
  readonly #ports: ExportClientPorts;
  /** Number of 429 responses in a row, by API. It sets the back-off if the service names no time. */
  readonly #rateLimits = new Map<string, number>();

  constructor(ports: ExportClientPorts) {
    this.#ports = ports;
  }

  /**
   * Starts a job. The request is never repeated automatically, with one exception: a service that
   * answers 400 has started nothing and may not know an option. It is then asked without the label,
   * without the paths, and without both, until it takes one of these requests.
   *
   * @param exportDomain bare host name of the site.
   * @throws {ExportError} `bad-export-domain` (400, also without options); `start-unclear` if the
   * service may have started the job although no confirmation arrived.
   * @see platform-api.md § Start static export job
   */
  async startJob(
    endpoint: ExportEndpoint,
    exportDomain: string,
    { label, paths = [] }: StartOptions,
    signal: AbortSignal,
  ): Promise<StartedJob> {
    const given = startOptionNames.filter((name) =>
      name === 'label' ? label !== undefined : paths.length > 0,
    );
    const attempts = [
      [],
      ...(given.length === 2 ? given.map((name) => [name]) : []),
      ...(given.length > 0 ? [given] : []),
    ];
    let refusal: unknown;
    for (const leftOut of attempts) {
      if (leftOut.length > 0) {
        const names = leftOut.join(' and ');
        this.#ports.log.info(`The service answered 400. Starting without ${names}`);
      }
      const isLeft = (name: keyof StartOptions): boolean =>
        given.includes(name) && !leftOut.includes(name);
      const body = {
        domain: exportDomain,
        version: isLeft('label') ? label : undefined,
        paths: isLeft('paths') ? paths.map(sentPath) : undefined,
      };
      try {
        return { jobId: await this.#start(endpoint, body, signal), leftOut };
      } catch (error) {
        if (!(error instanceof ExportError) || error.code !== 'bad-export-domain') throw error;
        refusal = error;
      }
    }
    throw refusal;
  }

  async #start(
    endpoint: ExportEndpoint,
    body: { readonly domain: string },
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
          exportDomain: body.domain,
          body: JSON.stringify(body),
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
   * Asks for the status of a job.
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
   * Packs the bundle of a completed job. The request can be repeated.
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

  /** Sends a request and returns the JSON of a success. */
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
    const headers = { Authorization: `Bearer ${endpoint.adminKey}`, Accept: 'application/json' };
    try {
      const response = await guarded.send({
        method,
        headers: body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
        body,
        // The key must not leave the origin that it was saved for.
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
    const body = await guarded.readText(MAX_ERROR_BODY_BYTES);
    const context = { url, step, exportDomain, secrets: this.#secrets(endpoint) };
    return refusalOf(response, body, context, clock, Math.max(1, rateLimits));
  }

  async #read(
    guarded: GuardedRequest,
    response: Response,
    { endpoint }: Exchange,
  ): Promise<unknown> {
    const host = hostOf(endpoint.url);
    const body = await readAll(guarded, host);
    if (isHtml(response, body)) {
      throw htmlError(body, { status: response.status, host }, this.#secrets(endpoint));
    }
    try {
      return JSON.parse(body) as unknown;
    } catch {
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

/** Reads a body as text. @throws {ExportError} `bad-answer` if it is too long. */
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

/** Returns the target of a redirect within the origin, or undefined for any other response. */
function sameOriginTarget(response: Response, url: string, adminKey: string): string | undefined {
  if (!isRedirect(response)) return undefined;
  const location = response.headers.get('location');
  const target = location === null ? undefined : parseUrl(location, url);
  if (!target) return undefined;
  const isSame =
    target.origin === new URL(url).origin && target.username === '' && target.password === '';
  target.hash = '';
  // Servers log URLs, so a URL must not contain the key (faults.md F6).
  return isSame && !holdsSecret(target.href, adminKey) ? target.href : undefined;
}

/** Returns a path such as `/guides/start` in the form of the API: `guides/start`, or `index` for the home page. */
function sentPath(path: string): string {
  const bare = path.replace(/^\/+|\/+$/g, '');
  return bare === '' ? 'index' : bare;
}

function withoutQuery(url: string): string {
  return url.split('?', 1)[0] ?? '';
}
