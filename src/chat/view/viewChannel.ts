import * as v from 'valibot';
import type { ConversationEvent } from '../conversation/conversation';
import type { Disposable } from '../../common/disposable';
import { describeError } from '../../common/describeError';
import { DocsAssistantError, type Translate } from '../../common/errors';
import { Lazy } from '../../common/lazy';
import type { Log } from '../../common/ports';
import {
  parseRequest,
  PROTOCOL_VERSION,
  viewRequestSchemas,
  type HostEnvelope,
  type Overlay,
  type RequestEnvelope,
  type ViewRequestName,
  type ViewRequests,
  type ViewSnapshot,
} from '../../shared/protocol';

/**
 * Handlers of the view's requests, by the name of the request. A missing or wrongly typed handler does
 * not compile. The channel answers `view-ready` itself.
 */
export type ViewHandlers = {
  readonly [Name in Exclude<ViewRequestName, 'view-ready'>]: (
    params: ViewRequests[Name]['params'],
  ) => HandlerResult<Name> | Promise<HandlerResult<Name>>;
};

/** A handler whose result is only null returns nothing. */
type HandlerResult<Name extends ViewRequestName> = [ViewRequests[Name]['result']] extends [null]
  ? // eslint-disable-next-line typescript/no-invalid-void-type -- handlers return it
    void
  : ViewRequests[Name]['result'];

/** Webview from its creation to its disposal. */
interface Page {
  readonly post: (envelope: HostEnvelope) => PromiseLike<unknown>;
  /** Loads the page again. */
  readonly reload: () => void;
}

interface ViewChannelPorts {
  /** Settles when the last thread of this workspace is restored. */
  readonly restored: Promise<void>;
  /** Returns everything that the view shows now. */
  readonly snapshot: () => Omit<ViewSnapshot, 'protocolVersion' | 'seq'>;
  /** Loads the handlers. Called with a page's first request. */
  readonly loadHandlers: () => Promise<ViewHandlers>;
  readonly translate: Translate;
  readonly log: Log;
}

/** Connection of the host to one page. */
interface PageConnection extends Disposable {
  /** Handles a message from the page, which can be anything. Never throws. */
  readonly receive: (message: unknown) => Promise<void>;
  /**
   * Called when VS Code hides the page and discards its document. The next document reports that it
   * is ready.
   */
  readonly hide: () => void;
}

/** Event that a command sends to the view, which may not exist yet. */
type ViewWish = Extract<ConversationEvent, { name: 'composer-focus' | 'overlay-show' }>;

interface Connection {
  readonly page: Page;
  isOpen: boolean;
  /** Whether the page receives events: from its `view-ready` until it is hidden. */
  isReady: boolean;
  hasReloaded: boolean;
}

/**
 * Host side of the protocol. It serves one page at a time, and any number of pages one after the
 * other. A ready page receives every change, numbered. A page that is loading, hidden or gone
 * receives nothing, and gets a snapshot when it is ready.
 */
export class ViewChannel {
  readonly #ports: ViewChannelPorts;
  #connection: Connection | undefined;
  /** Loaded once for all requests, because handlers remember the items that they offered. */
  readonly #handlers: Lazy<ViewHandlers>;
  #seq = 0;
  /** Events to send as soon as a page is ready. */
  readonly #pending: ViewWish[] = [];

  constructor(ports: ViewChannelPorts) {
    this.#ports = ports;
    this.#handlers = new Lazy(ports.loadHandlers);
  }

  get snapshot(): ViewSnapshot {
    return { protocolVersion: PROTOCOL_VERSION, seq: this.#seq, ...this.#ports.snapshot() };
  }

  /** Connects a page. The previous page receives nothing more. */
  attach(page: Page): PageConnection {
    if (this.#connection) this.#connection.isOpen = false;
    const connection: Connection = { page, isOpen: true, isReady: false, hasReloaded: false };
    this.#connection = connection;
    return {
      receive: (message) => this.#receive(connection, message),
      hide: () => (connection.isReady = false),
      dispose: () => (connection.isOpen = false),
    };
  }

  tell(event: ConversationEvent): void {
    this.#seq++;
    if (!this.#connection?.isReady) return;
    this.#post(
      this.#connection,
      event.name === 'reply-ops'
        ? [this.#seq, ...event.ops]
        : { kind: 'event', seq: this.#seq, name: event.name, params: event.params },
    );
  }

  /** Puts the cursor in the composer, now or as soon as a page is ready. */
  focusComposer(text?: string): void {
    this.#wish({ name: 'composer-focus', params: { text } });
  }

  showOverlay(overlay: Overlay): void {
    this.#wish({ name: 'overlay-show', params: { overlay } });
  }

  async #receive(connection: Connection, message: unknown): Promise<void> {
    const { log, translate } = this.#ports;
    const request = parseRequest(message);
    if (!request) {
      log.warn('The chat view sent something that is no request; it was ignored');
      return;
    }
    const { id, name } = request;
    try {
      if (name === 'view-ready') {
        await this.#show(connection, request);
        return;
      }
      const result = (await this.#run(name, request.params)) ?? null;
      this.#post(connection, { kind: 'reply', id, ok: true, result });
    } catch (error) {
      if (v.isValiError(error)) log.warn(`The chat view sent ${name} with unreadable parameters`);
      else if (!(error instanceof DocsAssistantError)) log.error(`${name} failed`, error);
      this.#post(connection, {
        kind: 'reply',
        id,
        ok: false,
        error: describeError(error, translate),
      });
    }
  }

  /** Sends a snapshot. It is made and posted in one step, so that no change is lost in between. */
  async #show(connection: Connection, { id, params }: RequestEnvelope): Promise<void> {
    const { protocolVersion } = v.parse(viewRequestSchemas['view-ready'], params);
    await this.#ports.restored;
    if (protocolVersion !== PROTOCOL_VERSION && !connection.hasReloaded && connection.isOpen) {
      // The page belongs to an older version and is still open after an update of the extension.
      connection.hasReloaded = true;
      connection.page.reload();
      return;
    }
    connection.isReady = true;
    this.#post(connection, { kind: 'reply', id, ok: true, result: this.snapshot });
    this.#tellPending();
  }

  async #run<Name extends Exclude<ViewRequestName, 'view-ready'>>(
    name: Name,
    params: unknown,
  ): Promise<HandlerResult<Name>> {
    const checked = v.parse(viewRequestSchemas[name], params);
    const handlers = await this.#handlers.get();
    return handlers[name](checked);
  }

  #wish(wish: ViewWish): void {
    this.#pending.push(wish);
    this.#tellPending();
  }

  #tellPending(): void {
    if (!this.#connection?.isReady || !this.#connection.isOpen) return;
    for (const wish of this.#pending.splice(0)) this.tell(wish);
  }

  #post(connection: Connection, envelope: HostEnvelope): void {
    if (!connection.isOpen) return;
    connection.page.post(envelope).then(undefined, (error: unknown) => {
      this.#ports.log.warn(`A message did not reach the chat view: ${String(error)}`);
    });
  }
}
