import { DocsAssistantError } from '../errors';
import type { Clock, Fetch } from '../ports';
import { fetchError, hostOf, isRedirect, readError } from './responseErrors';
import { untilAborted } from '../clock';

/** Longest waits of a request. */
export interface RequestTimeouts {
  /** Longest wait for the response's headers. */
  readonly headersTimeoutMs: number;
  /** Longest silence after the response's headers. Any byte ends it. */
  readonly idleTimeoutMs: number;
}

interface GuardedRequestOptions {
  readonly url: string;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly settings: RequestTimeouts;
}

/**
 * A request that can't hang and can't be read after it was stopped. The waits for headers and
 * between bytes are limited, and an abort closes the connection at once.
 */
export class GuardedRequest {
  readonly #options: GuardedRequestOptions;
  readonly #lifetime = new AbortController();
  readonly #onAbort = (): void => this.#lifetime.abort(this.#options.signal.reason);
  #timer = new AbortController();
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #response: Response | undefined;
  #receivedBytes = 0;
  /** Start of the wait for the next bytes, or undefined when nothing waits. */
  #waitingSince: number | undefined;

  constructor(options: GuardedRequestOptions) {
    this.#options = options;
    this.#lifetime.signal.addEventListener('abort', () => this.#timer.abort(), { once: true });
    if (options.signal.aborted) this.#onAbort();
    else options.signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** The response's status, once there is one. */
  get status(): number | undefined {
    return this.#response?.status;
  }

  /** Bytes of the body after decompression. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /**
   * Sends the request and waits for the response's headers.
   * @throws {DocsAssistantError} `timed-out`, `offline`, `insecure-connection`, `proxy-refused`.
   */
  async send(init: RequestInit): Promise<Response> {
    const { fetch, url, settings, clock } = this.#options;
    const { signal } = this.#lifetime;
    signal.throwIfAborted();
    this.#waitingSince = clock.now();
    this.limitSilence(settings.headersTimeoutMs);
    try {
      const response = await untilAborted(fetch(url, { ...init, signal }), signal);
      this.#response = response;
      this.#waitingSince = undefined;
      this.limitSilence(settings.idleTimeoutMs);
      this.#reader = response.body?.getReader();
      // This ends a waiting read at once, even if the fetch ignores its signal.
      signal.addEventListener('abort', () => void this.#reader?.cancel().catch(ignore), {
        once: true,
      });
      signal.throwIfAborted();
      return response;
    } catch (error) {
      signal.throwIfAborted();
      throw fetchError(error, url);
    }
  }

  /**
   * Returns the next bytes of the body, or undefined at its end.
   * @throws {DocsAssistantError} `timed-out`, `connection-lost`.
   */
  async read(): Promise<Uint8Array | undefined> {
    const { clock, url } = this.#options;
    const { signal } = this.#lifetime;
    try {
      signal.throwIfAborted();
      this.#waitingSince = clock.now();
      const result = await this.#reader?.read();
      signal.throwIfAborted();
      if (!result || result.done) return undefined;
      this.#receivedBytes += result.value.length;
      return result.value;
    } catch (error) {
      signal.throwIfAborted();
      throw readError(error, url);
    } finally {
      this.#waitingSince = undefined;
    }
  }

  /**
   * Returns up to that many bytes of the body as text. Bytes that can't be read are left out. The text of a redirect is
   * empty, because its target and not its page says what happened.
   */
  async readText(maxBytes: number): Promise<string> {
    if (this.#response && isRedirect(this.#response)) return '';
    const decoder = new TextDecoder();
    let text = '';
    let room = maxBytes;
    try {
      while (room > 0) {
        const bytes = await this.read();
        if (!bytes) break;
        text += decoder.decode(bytes.subarray(0, room), { stream: true });
        room -= bytes.length;
      }
    } catch (error) {
      // The caller has the status, which says enough. Only a stop is passed on.
      if (this.#options.signal.aborted) throw error;
    }
    return text;
  }

  /** Ends the request with `timed-out` after this long a wait for the next bytes. */
  limitSilence(limitMs: number): void {
    this.#timer.abort();
    if (this.#lifetime.signal.aborted) return;
    this.#timer = new AbortController();
    void this.#watch(limitMs, this.#timer.signal);
  }

  /** Closes the connection. Harmless at any time. */
  close(): void {
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    this.#lifetime.abort(new Error('The request is over'));
  }

  /** Ends the request after a silence. It keeps one timer, however many reads there are. */
  async #watch(limitMs: number, signal: AbortSignal): Promise<void> {
    const { clock, url } = this.#options;
    let restMs = limitMs;
    try {
      while (restMs > 0) {
        await clock.delay(restMs, signal);
        const now = clock.now();
        // A clock that was set back must not make the wait longer.
        if (this.#waitingSince !== undefined && this.#waitingSince > now) this.#waitingSince = now;
        restMs = (this.#waitingSince ?? now) + limitMs - now;
      }
    } catch {
      return; // The wait is over, or has a new limit.
    }
    const seconds = Math.round(limitMs / 1000);
    this.#lifetime.abort(new DocsAssistantError('timed-out', { host: hostOf(url), seconds }));
  }
}

function ignore(): void {
  // A body that is already closed or broken cannot be canceled, and need not be.
}
