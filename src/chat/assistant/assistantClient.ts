/** Sends one question over HTTP. This file loads with the first question. */
import { DocsAssistantError } from '../../common/errors';
import type { Clock, Fetch, Log } from '../../common/ports';
import { MAX_CURRENT_PATH_LENGTH, pagePath } from '../context/documentPaths';
import { isHeaderSafe, isDomain, messageEndpoint, parseBaseUrl } from '../../common/http/address';
import type { AskSettings } from '../../site/activeSite';
import { GuardedRequest } from '../../common/http/guardedRequest';
import { ReplyReader } from './replyReader';
import type { ReplyChange } from '../../shared/reply';
import { requestBody, type RequestBody, type RequestBodyInput } from './requestBody';
import { responseError, type ResponseContext } from '../../common/http/responseErrors';

export interface AssistantClientPorts {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly log: Log;
}

export interface AskRequest extends RequestBodyInput {
  /** Sent in `Authorization` and nowhere else. */
  readonly key: string;
}

/** Bytes that are read of an error's body. The error's sentence is at its start (faults.md B16). */
const MAX_ERROR_BODY_BYTES = 64 * 1024;

export class AssistantClient {
  readonly #ports: AssistantClientPorts;
  /**
   * Number of consecutive 429 responses by URL. The wait doubles with each if the service names no
   * time.
   */
  readonly #rateLimits = new Map<string, number>();

  constructor(ports: AssistantClientPorts) {
    this.#ports = ports;
  }

  /**
   * Asks one question and yields the reply as it grows, at most once per network read. The request
   * is never repeated, because each reply costs credits. Leaving the loop closes the request.
   *
   * @param signal stops the request at once.
   * @throws {DocsAssistantError} on failure. Updates that were yielded before stay valid.
   * @throws the signal's reason when stopped.
   * @see platform-api.md § Create an Assistant message
   */
  async *ask(request: AskRequest, signal: AbortSignal): AsyncGenerator<ReplyChange> {
    signal.throwIfAborted();
    const { clock, log, fetch } = this.#ports;
    const { settings } = request;
    const { method, url, headers, body: content } = messageRequest(request);
    if (!isHeaderSafe(request.key)) {
      throw new DocsAssistantError('key-rejected', { host: new URL(url).host });
    }
    const pathLength = pagePath(request.currentPath ?? '').length;
    if (pathLength > MAX_CURRENT_PATH_LENGTH) {
      log.warn(`The current path is too long to be sent (${pathLength} characters)`);
    }
    const body = JSON.stringify(content);
    const context: ResponseContext = {
      url,
      domain: settings.assistantDomain ?? '',
      hasThread: request.threadId !== undefined,
      secrets: [request.key, ...(request.threadKey ? [request.threadKey] : [])],
    };
    const guarded = new GuardedRequest({ url, fetch, clock, signal, settings });
    const startedAt = clock.now();
    try {
      const response = await guarded.send({
        method,
        headers,
        body,
        // A followed redirect would send the key to an address that it wasn't saved for.
        redirect: 'manual',
      });
      if (!response.ok) throw await this.#refusal(guarded, response, context);
      this.#rateLimits.delete(url);
      yield* new ReplyReader(guarded, response, context, this.#ports).updates();
    } finally {
      guarded.close();
      log.debug(
        `POST ${url} ${guarded.status ?? 'no response'} in ${clock.now() - startedAt} ms, ` +
          `${new TextEncoder().encode(body).length} bytes sent, ${guarded.receivedBytes} received`,
      );
    }
  }

  async #refusal(
    guarded: GuardedRequest,
    response: Response,
    context: ResponseContext,
  ): Promise<DocsAssistantError> {
    const { url } = context;
    const rateLimits = response.status === 429 ? (this.#rateLimits.get(url) ?? 0) + 1 : 0;
    this.#rateLimits.set(url, rateLimits);
    const body = await guarded.readText(MAX_ERROR_BODY_BYTES);
    return responseError(response, body, context, this.#ports.clock, rateLimits);
  }
}

/** A request to the message endpoint, before its body becomes text. */
interface MessageRequest {
  readonly method: 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RequestBody;
}

/**
 * Returns a question's request exactly as it is sent.
 * @throws {DocsAssistantError} `not-configured`, `unknown-site`.
 */
export function messageRequest(request: AskRequest): MessageRequest {
  return {
    method: 'POST',
    url: endpoint(request.settings),
    headers: {
      Authorization: `Bearer ${request.key}`,
      'Content-Type': 'application/json',
      Accept: 'text/event-stream, application/json',
    },
    body: requestBody(request),
  };
}

/** @throws {DocsAssistantError} `not-configured`, `unknown-site` for what cannot be a domain. */
function endpoint({ baseUrl, assistantDomain }: AskSettings): string {
  if (!baseUrl || !assistantDomain) throw new DocsAssistantError('not-configured');
  const address = parseBaseUrl(baseUrl);
  if (!address.ok) throw new DocsAssistantError('not-configured');
  if (!isDomain(assistantDomain)) {
    throw new DocsAssistantError('unknown-site', {
      host: new URL(address.baseUrl).host,
      domain: assistantDomain,
    });
  }
  return messageEndpoint(address.baseUrl, assistantDomain);
}
