/** Requests files of one public site politely. Uses `node:zlib` for files such as `sitemap.xml.gz`. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import robotsParser from 'robots-parser';
import { systemErrorCode } from '../../../common/errorCode';
import { DocsAssistantError } from '../../../common/errors';
import { GuardedRequest } from '../../../common/http/guardedRequest';
import { isRedirect, retryAfterMs } from '../../../common/http/responseErrors';
import type { Clock, Fetch, Log } from '../../../common/ports';
import { parseUrl } from '../../../shared/links';
import { decodeText } from '../../pages/textEncoding';
import { PRIVATE_ADDRESS } from './guardedFetch';
import { SiteError } from './siteErrors';

/** Name under which a site's robots.txt can address this service. */
const ROBOT_NAME = 'DocsAssistant';
const USER_AGENT = `${ROBOT_NAME}/1.0 (local docs service of a VS Code extension)`;

/** Maximum wait for headers, and maximum time without data. People don't wait longer for a page either. */
const SILENCE_MS = 30_000;
/** Maximum time of one request. Without it, a site that sends single bytes could keep a request open. */
const MAX_REQUEST_MS = 5 * 60_000;
const MAX_REDIRECTS = 5;
const MAX_TRIES = 3;
/** Maximum wait that a site can ask for. If it asks for a longer one, the refresh ends. */
const MAX_WAIT_MS = 60_000;
const FIRST_BACK_OFF_MS = 1000;
/** Maximum size of robots.txt in bytes, from RFC 9309. */
const MAX_ROBOTS_BYTES = 512 * 1024;

interface SiteClientPorts {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Validators of a file that was fetched before, to ask whether it has changed. */
export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
}

/** A file of the site. */
export type FetchedFile =
  | {
      readonly kind: 'found';
      /** URL after redirects. */
      readonly url: URL;
      readonly text: string;
      readonly isHtml: boolean;
      readonly validators: Validators;
    }
  | { readonly kind: 'unchanged' }
  /** Stands for a file that doesn't exist or can't be read. */
  | { readonly kind: 'missing'; readonly status?: number; readonly reason: MissingReason };

type MissingReason = 'status' | 'elsewhere' | 'disallowed' | 'too-large' | 'not-text' | 'redirects';

/** Sends requests to one origin, as its robots.txt and its `Retry-After` allow. */
export class SiteClient {
  /** Time after which every request fails because the site is too slow, in milliseconds since the epoch. */
  giveUpAt = Infinity;
  readonly #ports: SiteClientPorts;
  /** Origin of all requests. It can only change from `http:` to `https:`. */
  #origin: string;
  #robots: ReturnType<typeof robotsParser> | undefined;
  /** Time before which no request is sent. */
  #pausedUntil = 0;
  /** Time of the next request, if the site asks for a delay between requests. */
  #nextAt = 0;
  #elsewhere: string | undefined;
  #receivedBytes = 0;

  constructor(start: URL, ports: SiteClientPorts) {
    this.#origin = start.origin;
    this.#ports = ports;
  }

  get origin(): string {
    return this.#origin;
  }

  /** Host of another site to which this one has redirected. */
  get elsewhere(): string | undefined {
    return this.#elsewhere;
  }

  /** Decompressed size of all files so far, in bytes. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /**
   * Reads robots.txt. If there is none, all URLs are allowed.
   * @returns the sitemaps that robots.txt names.
   * @throws {SiteError} if the server fails to send robots.txt (HTTP 5xx), or can't be reached.
   */
  async readRobots(): Promise<readonly string[]> {
    const file = await this.get(`${this.#origin}/robots.txt`, { maxBytes: MAX_ROBOTS_BYTES });
    if (file.kind === 'missing' && file.status !== undefined && file.status >= 500) {
      throw new SiteError('robots-unreadable', { host: this.#host, status: file.status });
    }
    if (file.kind !== 'found' || file.isHtml) return [];
    // The rules apply to the origin, even if a redirect led to another URL.
    this.#robots = robotsParser(`${this.#origin}/robots.txt`, file.text);
    return this.#robots.getSitemaps();
  }

  /** Returns whether robots.txt allows a URL of this site. */
  isAllowed(url: URL): boolean {
    return this.#robots?.isAllowed(url.href, ROBOT_NAME) !== false;
  }

  /** Returns whether a URL belongs to this site. */
  isOwn(url: URL): boolean {
    return url.origin === this.#origin || isUpgrade(this.#origin, url);
  }

  /**
   * Fetches a file of the site. Waits and tries again if the site asks for it, and after an error.
   * @throws {SiteError} if the site can't be reached or asks for a long wait.
   */
  async get(
    wanted: string,
    { maxBytes, known }: { readonly maxBytes: number; readonly known?: Validators },
  ): Promise<FetchedFile> {
    let url = parseUrl(wanted);
    if (!url || !this.isOwn(url)) return { kind: 'missing', reason: 'elsewhere' };
    for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
      if (!this.isAllowed(url)) return { kind: 'missing', reason: 'disallowed' };
      const answer = await this.#tryGet(url, maxBytes, known);
      if (!(answer instanceof URL)) return answer;
      if (!this.isOwn(answer)) {
        this.#elsewhere ??= answer.host;
        return { kind: 'missing', reason: 'elsewhere' };
      }
      if (isUpgrade(this.#origin, answer)) this.#origin = answer.origin;
      url = answer;
    }
    return { kind: 'missing', reason: 'redirects' };
  }

  get #host(): string {
    return new URL(this.#origin).host;
  }

  async #tryGet(url: URL, maxBytes: number, known?: Validators): Promise<FetchedFile | URL> {
    const { clock, log, signal } = this.#ports;
    for (let tries = 1; ; tries++) {
      await this.#waitForTurn();
      let waitMs = FIRST_BACK_OFF_MS * 2 ** (tries - 1);
      try {
        const answer = await this.#getOnce(url, maxBytes, known);
        if (answer instanceof URL || !('waitMs' in answer)) return answer;
        const { status } = answer;
        waitMs = answer.waitMs ?? waitMs;
        if (waitMs > MAX_WAIT_MS) {
          const seconds = Math.ceil(waitMs / 1000);
          throw new SiteError('asks-to-wait', { host: this.#host, seconds });
        }
        if (tries >= MAX_TRIES) return { kind: 'missing', status, reason: 'status' };
        // A site that asks one request to wait means all requests.
        this.#pausedUntil = Math.max(this.#pausedUntil, clock.now() + waitMs);
        log.info(`${url.pathname}: HTTP ${status}, next try in ${Math.ceil(waitMs / 1000)} s`);
        continue;
      } catch (error) {
        signal.throwIfAborted();
        const failure = this.#failure(error);
        if (failure.code === 'private-address' || failure.code === 'asks-to-wait') throw failure;
        if (tries >= MAX_TRIES || clock.now() >= this.giveUpAt) throw failure;
        log.info(`${url.pathname}: ${failure.details.causeCode ?? failure.code}, trying again`);
      }
      await this.#wait(waitMs);
    }
  }

  /** @throws {SiteError} at once if the wait would end too late. */
  async #wait(ms: number): Promise<void> {
    const { clock, signal } = this.#ports;
    if (clock.now() + ms >= this.giveUpAt) throw this.#tooSlow();
    if (ms > 0) await clock.delay(ms, signal);
  }

  #tooSlow(): SiteError {
    return new SiteError('too-slow', { host: this.#host });
  }

  #failure(error: unknown): SiteError {
    if (error instanceof SiteError) return error;
    const known = error instanceof DocsAssistantError ? error : undefined;
    const causeCode = known?.details.causeCode;
    const details = { host: this.#host, causeCode };
    if (causeCode === PRIVATE_ADDRESS)
      return new SiteError('private-address', { host: this.#host });
    return new SiteError(known?.code === 'timed-out' ? 'too-slow' : 'unreachable', details);
  }

  async #waitForTurn(): Promise<void> {
    const { clock, signal } = this.#ports;
    signal.throwIfAborted();
    const now = clock.now();
    const delaySeconds = this.#robots?.getCrawlDelay(ROBOT_NAME) ?? 0;
    if (delaySeconds * 1000 > MAX_WAIT_MS)
      throw new SiteError('asks-to-wait', { host: this.#host, seconds: delaySeconds });
    const at = Math.max(now, this.#pausedUntil, delaySeconds > 0 ? this.#nextAt : 0);
    this.#nextAt = at + delaySeconds * 1000;
    await this.#wait(at - now);
  }

  async #getOnce(
    url: URL,
    maxBytes: number,
    known?: Validators,
  ): Promise<FetchedFile | URL | { readonly waitMs: number | undefined; readonly status: number }> {
    const { fetch, clock, signal } = this.#ports;
    const deadline = new AbortController();
    const timer = new AbortController();
    const limitMs = Math.min(MAX_REQUEST_MS, this.giveUpAt - clock.now());
    void clock.delay(limitMs, timer.signal).then(
      () => deadline.abort(this.#tooSlow()),
      () => undefined,
    );
    const request = new GuardedRequest({
      url: url.href,
      fetch,
      clock,
      signal: AbortSignal.any([signal, deadline.signal]),
      settings: { headersTimeoutMs: SILENCE_MS, idleTimeoutMs: SILENCE_MS },
    });
    try {
      const asked: Record<string, string> = {
        'user-agent': USER_AGENT,
        accept: 'text/markdown, text/plain;q=0.9, text/html;q=0.8, */*;q=0.5',
        'accept-encoding': 'gzip, deflate, br',
      };
      if (known?.etag !== undefined) asked['if-none-match'] = known.etag;
      if (known?.lastModified !== undefined) asked['if-modified-since'] = known.lastModified;
      const response = await request.send({ headers: asked });
      const { status, headers } = response;
      if (status === 304 && known) return { kind: 'unchanged' };
      if (isRedirect(response)) {
        const target = parseUrl(headers.get('location') ?? '', url);
        if (!target || !/^https?:$/.test(target.protocol))
          return { kind: 'missing', status, reason: 'elsewhere' };
        target.hash = '';
        return target;
      }
      if (status === 429 || status === 503) {
        return { waitMs: retryAfterMs(headers, clock), status };
      }
      if (status !== 200) return { kind: 'missing', status, reason: 'status' };
      if (Number(headers.get('content-length') ?? 0) > maxBytes && !headers.has('content-encoding'))
        return { kind: 'missing', status, reason: 'too-large' };
      return await this.#readBody(url, request, headers, maxBytes);
    } finally {
      timer.abort();
      request.close();
    }
  }

  async #readBody(
    url: URL,
    request: GuardedRequest,
    headers: Headers,
    maxBytes: number,
  ): Promise<FetchedFile> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for (let bytes = await request.read(); bytes; bytes = await request.read()) {
      size += bytes.length;
      if (size > maxBytes) return { kind: 'missing', status: 200, reason: 'too-large' };
      chunks.push(bytes);
    }
    const plain = await withoutGzip(Buffer.concat(chunks), maxBytes);
    if (plain === 'too-large') return { kind: 'missing', status: 200, reason: 'too-large' };
    this.#receivedBytes += plain.length;
    const contentType = headers.get('content-type') ?? '';
    const charset = /;\s*charset\s*=\s*"?([\w:.-]+)/i.exec(contentType)?.[1];
    const isHtmlType = /\bhtml\b/i.test(contentType);
    const text = decodeText(plain, {
      isHtml: isHtmlType,
      charset,
    });
    if (text.slice(0, 4096).includes('\0'))
      return { kind: 'missing', status: 200, reason: 'not-text' };
    const etag = headers.get('etag');
    const lastModified = headers.get('last-modified');
    return {
      kind: 'found',
      url,
      text,
      // A single-page app answers every URL with the same HTML, whatever the file's name.
      isHtml: isHtmlType || looksLikeHtml(text),
      validators: {
        etag: etag ?? undefined,
        lastModified: lastModified ?? undefined,
      },
    };
  }
}

function looksLikeHtml(text: string): boolean {
  return /^\uFEFF?\s*(?:<!--[^]{0,2000}?-->\s*)?<(?:!doctype\s+html|html|head|body)\b/i.test(
    text.slice(0, 4096),
  );
}

/** Returns whether a URL has the same host as an `http:` origin, but `https:`. */
function isUpgrade(origin: string, url: URL): boolean {
  const from = new URL(origin);
  return (
    from.protocol === 'http:' &&
    url.protocol === 'https:' &&
    from.port === '' &&
    url.port === '' &&
    from.hostname === url.hostname
  );
}

const unzip = promisify(gunzip);

/** Decompresses a file that has no `content-encoding` but is gzip, such as `sitemap.xml.gz`. */
async function withoutGzip(bytes: Buffer, maxBytes: number): Promise<Buffer | 'too-large'> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return await unzip(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    return systemErrorCode(error) === 'ERR_BUFFER_TOO_LARGE' ? 'too-large' : bytes;
  }
}
