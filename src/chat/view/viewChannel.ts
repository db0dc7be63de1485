import * as v from 'valibot';
import type { ConversationEvent } from '../assistant/conversation';
import type { Disposable } from '../common/disposable';
import { describeError, DocsAssistantError, type Translate } from '../common/errors';
import type { Log } from '../common/ports';
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
} from '../shared/protocol';
import type { ViewHandlers } from './view/viewPorts';

/** One webview, from when VS Code makes it until it disposes it. */
export interface Page {
  readonly post: (envelope: HostEnvelope) => PromiseLike<unknown>;
  /** Loads the document anew. */
  readonly reload: () => void;
}

interface ViewChannelPorts {
  /** Settles when the last thread of this workspace is there again. */
  readonly restored: Promise<void>;
  /** Everything the view shows now. */
  readonly snapshot: () => Omit<ViewSnapshot, 'protocolVersion' | 'seq'>;
  /** Loaded when a page asks for something first. */
  readonly loadHandlers: () => Promise<ViewHandlers>;
  readonly translate: Translate;
  readonly log: Log;
}

/** The host's end of the line to one page. */
export interface PageConnection extends Disposable {
  /** A message from the page, whatever it is. Never throws. */
  readonly receive: (message: unknown) => Promise<void>;
  /** VS Code throws the document of a hidden page away; the next one says that it is ready. */
  readonly hide: () => void;
}

/** What a command wants of the view, whether or not it is there yet. */
type ViewWish = Extract<ConversationEvent, { name: 'composer-focus' | 'overlay-show' }>;

interface Line {
  readonly page: Page;
  isOpen: boolean;
  /** True from the page's `view-ready` until it is hidden: it hears nothing else before. */
  isReady: boolean;
  hasReloaded: boolean;
}

/**
 * The protocol's end in the host, for whatever page VS Code shows: one at a time, any number in a
 * row. A page that is ready hears every change, numbered; one that is loading, hidden or gone
 * hears nothing, and gets a snapshot when it says that it is ready.
 */
export class ViewChannel {
  readonly #ports: ViewChannelPorts;
  #line: Line | undefined;
  #handlers: Promise<ViewHandlers> | undefined;
  #seq = 0;
  /** What the page is to be told as soon as there is one. */
  readonly #pending: ViewWish[] = [];

  constructor(ports: ViewChannelPorts) {
    this.#ports = ports;
  }

  get snapshot(): ViewSnapshot {
    return { protocolVersion: PROTOCOL_VERSION, seq: this.#seq, ...this.#ports.snapshot() };
  }

  /** Takes a page in place of the one before, which hears nothing more. */
  attach(page: Page): PageConnection {
    if (this.#line) this.#line.isOpen = false;
    const line: Line = { page, isOpen: true, isReady: false, hasReloaded: false };
    this.#line = line;
    return {
      receive: (message) => this.#receive(line, message),
      hide: () => (line.isReady = false),
      dispose: () => (line.isOpen = false),
    };
  }

  tell(event: ConversationEvent): void {
    this.#seq++;
    if (!this.#line?.isReady) return;
    this.#post(
      this.#line,
      event.name === 'reply-ops'
        ? [this.#seq, ...event.ops]
        : { kind: 'event', seq: this.#seq, name: event.name, params: event.params },
    );
  }

  /** Puts the cursor in the composer, now or as soon as a page is ready. */
  focusComposer(text?: string): void {
    this.#wish({ name: 'composer-focus', params: text === undefined ? {} : { text } });
  }

  showOverlay(overlay: Overlay): void {
    this.#wish({ name: 'overlay-show', params: { overlay } });
  }

  async #receive(line: Line, message: unknown): Promise<void> {
    const { log, translate } = this.#ports;
    const request = parseRequest(message);
    if (!request) {
      log.warn('The chat view sent something that is no request; it was ignored');
      return;
    }
    const { id, name } = request;
    try {
      if (name === 'view-ready') {
        await this.#show(line, request);
        return;
      }
      const result = await this.#run(name, request.params);
      this.#post(line, { kind: 'reply', id, ok: true, result });
    } catch (error) {
      if (v.isValiError(error)) log.warn(`The chat view sent ${name} with unreadable parameters`);
      else if (!(error instanceof DocsAssistantError)) log.error(`${name} failed`, error);
      this.#post(line, { kind: 'reply', id, ok: false, error: describeError(error, translate) });
    }
  }

  /** The snapshot is made and posted in one go, so that no change can slip in between. */
  async #show(line: Line, { id, params }: RequestEnvelope): Promise<void> {
    const { protocolVersion } = v.parse(viewRequestSchemas['view-ready'], params);
    await this.#ports.restored;
    if (protocolVersion !== PROTOCOL_VERSION && !line.hasReloaded && line.isOpen) {
      // A page of an older version outlived an update of the extension.
      line.hasReloaded = true;
      line.page.reload();
      return;
    }
    line.isReady = true;
    this.#post(line, { kind: 'reply', id, ok: true, result: this.snapshot });
    this.#tellPending();
  }

  async #run<Name extends Exclude<ViewRequestName, 'view-ready'>>(
    name: Name,
    params: unknown,
  ): Promise<ViewRequests[Name]['result']> {
    const checked = v.parse(viewRequestSchemas[name], params);
    const handlers = await this.#loadedHandlers();
    return handlers[name](checked);
  }

  /** Once for all requests: handlers remember what they offered. A failure is tried again. */
  #loadedHandlers(): Promise<ViewHandlers> {
    this.#handlers ??= this.#ports.loadHandlers().catch((error: unknown) => {
      this.#handlers = undefined;
      throw error;
    });
    return this.#handlers;
  }

  #wish(wish: ViewWish): void {
    this.#pending.push(wish);
    this.#tellPending();
  }

  #tellPending(): void {
    if (!this.#line?.isReady || !this.#line.isOpen) return;
    for (const wish of this.#pending.splice(0)) this.tell(wish);
  }

  #post(line: Line, envelope: HostEnvelope): void {
    if (!line.isOpen) return;
    line.page.post(envelope).then(undefined, (error: unknown) => {
      this.#ports.log.warn(`A message did not reach the chat view: ${String(error)}`);
    });
  }
}
