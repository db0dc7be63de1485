import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import * as vscode from 'vscode';
import type { Conversation, ConversationEvent } from '../assistant/conversation';
import { contextItemView } from '../context/contextItem';
import { DisposableStore, type Disposable } from '../common/disposable';
import { describeError, DocsAssistantError } from '../common/errors';
import type { Clock, Log } from '../common/ports';
import { chatViewHtml } from '../shared/chatViewHtml';
import {
  parseRequest,
  PROTOCOL_VERSION,
  viewRequestSchemas,
  type HostEnvelope,
  type HostEventName,
  type HostEvents,
  type RequestEnvelope,
  type ViewRequestName,
  type ViewRequests,
  type ViewSnapshot,
} from '../shared/protocol';
import { viewStrings, type ViewStrings } from '../shared/viewStrings';
import type { ActiveSite } from './activeSite';
import { views } from './contributions';
import { translate } from './notifications';
import { suggestions } from './suggestions';
import type { ViewHandlers } from './viewHandlers';

interface ChatViewPorts {
  readonly extensionUri: vscode.Uri;
  readonly conversation: Conversation;
  /** Settles when the last thread of this workspace is there again. */
  readonly restored: Promise<void>;
  /** Called each time VS Code makes the view. */
  readonly onDidResolve: () => void;
  readonly site: ActiveSite;
  /** Loaded when the page asks for something first. */
  readonly loadHandlers: () => Promise<ViewHandlers>;
  readonly clock: Clock;
  readonly log: Log;
}

/** One life of the webview: from `resolveWebviewView` until VS Code disposes it. */
interface ViewInstance {
  readonly view: vscode.WebviewView;
  readonly store: DisposableStore;
  /** True once the page has asked for its snapshot; before that and while hidden it hears nothing. */
  isReady: boolean;
  hasReloaded: boolean;
}

/**
 * The chat panel's end in the host: shows the conversation in whatever webview VS Code gives it and
 * takes requests from it. The conversation is the truth; a webview that comes, goes or moves gets a
 * snapshot when it says that it is ready, and numbered changes from then on.
 */
export class ChatView implements vscode.WebviewViewProvider, Disposable {
  readonly #ports: ChatViewPorts;
  readonly #store = new DisposableStore();
  readonly #strings: ViewStrings;
  #instance: ViewInstance | undefined;
  #seq = 0;
  /** What the composer is to show as soon as there is one. */
  #pendingFocus: HostEvents['composer-focus'] | undefined;
  /** Hears every envelope that is posted; for tests. */
  onDidPost: ((envelope: HostEnvelope) => void) | undefined;

  constructor(ports: ChatViewPorts) {
    this.#ports = ports;
    this.#strings = translatedStrings();
    this.#store.add(ports.conversation.onDidChange((event) => this.#tell(event)));
    this.#store.add(
      ports.site.onDidChange(() => {
        const { view } = ports.site;
        this.#tell({
          name: 'site-changed',
          params: { site: view, suggestions: suggestions(view) },
        });
      }),
    );
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#instance?.store.dispose();
    const store = new DisposableStore();
    const instance: ViewInstance = { view, store, isReady: false, hasReloaded: false };
    this.#instance = instance;
    view.webview.options = {
      enableScripts: true,
      enableForms: false,
      enableCommandUris: false,
      localResourceRoots: [this.#webviewRoot],
    };
    store.add(
      view.webview.onDidReceiveMessage((message: unknown) => void this.#receive(instance, message)),
    );
    store.add(
      view.onDidChangeVisibility(() => {
        // VS Code throws the page of a hidden view away; the next one asks for a snapshot again.
        if (!view.visible) instance.isReady = false;
      }),
    );
    store.add(
      view.onDidDispose(() => {
        if (this.#instance === instance) this.#instance = undefined;
        store.dispose();
      }),
    );
    view.webview.html = this.#html(view.webview);
    this.#ports.onDidResolve();
  }

  /** Shows the panel and puts the cursor in its composer, now or as soon as the page is there. */
  async focusComposer(text?: string): Promise<void> {
    this.#pendingFocus = text === undefined ? {} : { text };
    await vscode.commands.executeCommand(`${views.chat}.focus`);
    this.#tellPendingFocus();
  }

  get isVisible(): boolean {
    return this.#instance?.view.visible ?? false;
  }

  get snapshot(): ViewSnapshot {
    const { conversation, site, clock } = this.#ports;
    return {
      protocolVersion: PROTOCOL_VERSION,
      seq: this.#seq,
      site: site.view,
      thread: conversation.thread,
      contextItems: conversation.contextItems.map(contextItemView),
      suggestions: suggestions(site.view),
      now: clock.now(),
      strings: this.#strings,
    };
  }

  dispose(): void {
    this.#instance?.store.dispose();
    this.#instance = undefined;
    this.#store.dispose();
  }

  async #receive(instance: ViewInstance, message: unknown): Promise<void> {
    const { log } = this.#ports;
    const request = parseRequest(message);
    if (!request) {
      log.warn('The chat view sent something that is no request; it was ignored');
      return;
    }
    try {
      if (request.name === 'view-ready') {
        await this.#showIn(instance, request);
        return;
      }
      const result = await this.#run(request.name, request.params);
      this.#post(instance, { kind: 'reply', id: request.id, ok: true, result });
    } catch (error) {
      if (!(error instanceof DocsAssistantError)) log.error(`${request.name} failed`, error);
      this.#post(instance, {
        kind: 'reply',
        id: request.id,
        ok: false,
        error: describeError(error, translate),
      });
    }
  }

  /** The snapshot is made and posted in one go, so that no change can slip in between. */
  async #showIn(instance: ViewInstance, { id, params }: RequestEnvelope): Promise<void> {
    const { protocolVersion } = v.parse(viewRequestSchemas['view-ready'], params);
    await this.#ports.restored;
    if (protocolVersion !== PROTOCOL_VERSION && !instance.hasReloaded) {
      // A page of an older version outlived an update of the extension.
      instance.hasReloaded = true;
      if (!instance.store.isDisposed)
        instance.view.webview.html = this.#html(instance.view.webview);
    }
    instance.isReady = true;
    this.#post(instance, { kind: 'reply', id, ok: true, result: this.snapshot });
    this.#tellPendingFocus();
  }

  async #run<Name extends Exclude<ViewRequestName, 'view-ready'>>(
    name: Name,
    params: unknown,
  ): Promise<ViewRequests[Name]['result']> {
    const checked = v.parse(viewRequestSchemas[name], params);
    const handlers = await this.#ports.loadHandlers();
    return handlers[name](checked);
  }

  #tellPendingFocus(): void {
    if (!this.#pendingFocus || !this.#instance?.isReady) return;
    this.#tell({ name: 'composer-focus', params: this.#pendingFocus });
    this.#pendingFocus = undefined;
  }

  #tell(event: ConversationEvent | HostEvent): void {
    this.#seq++;
    if (!this.#instance?.isReady) return;
    this.#post(
      this.#instance,
      event.name === 'reply-ops'
        ? [this.#seq, ...event.ops]
        : { kind: 'event', seq: this.#seq, name: event.name, params: event.params },
    );
  }

  #post({ view, store }: ViewInstance, envelope: HostEnvelope): void {
    if (store.isDisposed) return;
    this.onDidPost?.(envelope);
    view.webview.postMessage(envelope).then(undefined, (error: unknown) => {
      this.#ports.log.warn(`A message did not reach the chat view: ${String(error)}`);
    });
  }

  #html(webview: vscode.Webview): string {
    const address = (file: string): string =>
      webview.asWebviewUri(vscode.Uri.joinPath(this.#webviewRoot, file)).toString();
    return chatViewHtml({
      nonce: randomBytes(24).toString('base64'),
      cspSource: webview.cspSource,
      scriptUri: address('main.js'),
      styleUri: address('styles.css'),
      language: vscode.env.language,
      title: translate('Docs Assistant'),
    });
  }

  get #webviewRoot(): vscode.Uri {
    return vscode.Uri.joinPath(this.#ports.extensionUri, 'dist', 'webview');
  }
}

type HostEvent = {
  [Name in HostEventName]: { readonly name: Name; readonly params: HostEvents[Name] };
}[HostEventName];

function translatedStrings(): ViewStrings {
  const entries = Object.entries(viewStrings).map(([key, text]) => [key, translate(text)]);
  // The keys are those of viewStrings.
  return Object.fromEntries(entries) as ViewStrings;
}
