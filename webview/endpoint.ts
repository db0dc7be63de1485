/**
 * The webview's end of the connection to the extension host. Every request has an ID and ends
 * exactly once.
 */
import type { ErrorInfo } from '../src/shared/errorInfo';
import type {
  OpsEnvelope,
  RequestEnvelope,
  ViewRequestName,
  ViewRequests,
} from '../src/shared/protocol';
import { parseHostEnvelope, type HostEvent } from './hostSchemas';

/** Both directions of `postMessage`. */
export interface HostPort {
  post(message: RequestEnvelope): void;
  listen(listener: (message: unknown) => void): void;
}

interface EndpointListeners {
  onEvent(event: HostEvent): void;
  onOps(ops: OpsEnvelope): void;
  /** Handles a message that was ignored because it is not one of this protocol. */
  onUnreadable?(description: string): void;
}

/** A request that ended without a result: the host refused it or did not answer. */
export class RequestError extends Error {
  constructor(
    readonly reason: 'refused' | 'timed-out',
    requestName: ViewRequestName,
    /** Error from the host, if the reason is `refused`. */
    readonly info?: ErrorInfo,
  ) {
    super(info?.message ?? `${requestName}: ${reason}`);
    this.name = 'RequestError';
  }
}

interface PendingRequest {
  readonly name: ViewRequestName;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: RequestError) => void;
  readonly timer: ReturnType<typeof setTimeout> | undefined;
}

/** Maximum time for an answer. The host answers from memory unless it asks a person first. */
const REQUEST_TIMEOUT_MS = 60_000;
const unlimitedRequests: ReadonlySet<ViewRequestName> = new Set([
  'action-run',
  'context-item-add',
  'code-insert',
  'code-open',
  'code-replace',
  'code-run',
  'code-save',
  'attachment-pick',
  'thread-export',
  'mention-add',
  'link-open',
  'source-open',
  'file-open',
]);

export class HostEndpoint {
  readonly #port: HostPort;
  readonly #listeners: EndpointListeners;
  readonly #pending = new Map<number, PendingRequest>();
  #lastId = 0;

  constructor(port: HostPort, listeners: EndpointListeners) {
    this.#port = port;
    this.#listeners = listeners;
    port.listen((message) => this.#receive(message));
  }

  /** @throws {RequestError} once, for every request that gets no result. */
  request<Name extends ViewRequestName>(
    name: Name,
    params: ViewRequests[Name]['params'],
    timeoutMs = unlimitedRequests.has(name) ? undefined : REQUEST_TIMEOUT_MS,
  ): Promise<ViewRequests[Name]['result']> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      const timer =
        timeoutMs === undefined
          ? undefined
          : setTimeout(
              () => this.#take(id)?.reject(new RequestError('timed-out', name)),
              timeoutMs,
            );
      this.#pending.set(id, {
        name,
        // The map of the protocol pairs each name with its result. The view parses the results that
        // it relies on where it uses them.
        resolve: resolve as (result: unknown) => void,
        reject,
        timer,
      });
      try {
        this.#port.post({ kind: 'request', id, name, params });
      } catch {
        this.#take(id)?.reject(new RequestError('refused', name));
      }
    });
  }

  #take(id: number): PendingRequest | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    clearTimeout(pending?.timer);
    return pending;
  }

  #receive(message: unknown): void {
    const envelope = parseHostEnvelope(message);
    switch (envelope?.kind) {
      case 'ops':
        this.#listeners.onOps(envelope.ops);
        break;
      case 'event':
        this.#listeners.onEvent(envelope.event);
        break;
      case 'reply': {
        const pending = this.#take(envelope.id);
        if (envelope.ok) pending?.resolve(envelope.result);
        else pending?.reject(new RequestError('refused', pending.name, envelope.error));
        break;
      }
      case 'unreadable':
        this.#listeners.onUnreadable?.(envelope.description);
        break;
      case undefined:
        break;
    }
  }
}
