import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Conversation } from '../../chat/conversation/conversation';
import { DisposableStore, type Disposable } from '../../common/disposable';
import type { Clock, Log } from '../../common/ports';
import { chatViewHtml } from '../../shared/chatViewHtml';
import type { HostEnvelope, HostEvents, Overlay, ViewSnapshot } from '../../shared/protocol';
import { pageStrings, viewStrings, type ViewStrings } from '../../shared/viewStrings';
import type { ActiveSite } from '../../site/activeSite';
import { siteView } from '../../site/siteView';
import { views } from '../../common/contributions';
import { translate } from '../notifications';
import type { StarterQuestions } from './starterQuestions';
import type { CodeThemes } from './view/codeThemes';
import { ViewChannel } from '../../chat/view/viewChannel';
import type { ViewHandlers } from '../../chat/view/viewChannel';

interface ChatViewPorts {
  readonly extensionUri: vscode.Uri;
  readonly conversation: Conversation;
  /** Resolves when the last thread of this workspace is restored. */
  readonly restored: Promise<void>;
  /** Called each time VS Code makes the view. */
  readonly onDidResolve: () => void;
  readonly site: ActiveSite;
  readonly starters: Pick<StarterQuestions, 'questions' | 'onDidChange'>;
  readonly codeThemes: Pick<CodeThemes, 'onDidChange'>;
  /** Loads the handlers at the page's first request. */
  readonly loadHandlers: () => Promise<ViewHandlers>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The chat panel. Gives VS Code the page with its content security policy and connects the page to
 * the conversation. The conversation holds the state, as VS Code can destroy the view at any time.
 */
export class ChatView implements vscode.WebviewViewProvider, Disposable {
  readonly #ports: ChatViewPorts;
  readonly #store = new DisposableStore();
  readonly #channel: ViewChannel;
  /** Lifetime of the newest view. It ends when VS Code disposes the view or makes another one. */
  #viewLifetime: DisposableStore | undefined;
  /** Called with every envelope that is posted. For tests. */
  onDidPost: ((envelope: HostEnvelope) => void) | undefined;

  constructor(ports: ChatViewPorts) {
    this.#ports = ports;
    const { conversation, site, starters, codeThemes, clock, restored, loadHandlers, log } = ports;
    const strings = translatedStrings();
    this.#channel = new ViewChannel({
      restored,
      loadHandlers,
      translate,
      log,
      snapshot: () => ({
        site: siteView(site, translate),
        thread: conversation.thread,
        ...pendingView(conversation.pending.view),
        suggestions: starters.questions,
        now: clock.now(),
        strings,
      }),
    });
    this.#store.add(conversation.onDidChange((event) => this.#channel.tell(event)));
    this.#store.add(
      site.onDidChange(() => {
        const params = { site: siteView(site, translate), suggestions: starters.questions };
        this.#channel.tell({ name: 'site-changed', params });
      }),
    );
    this.#store.add(
      starters.onDidChange(() => {
        const params = { suggestions: starters.questions };
        this.#channel.tell({ name: 'suggestions-changed', params });
      }),
    );
    this.#store.add(
      codeThemes.onDidChange(() => this.#channel.tell({ name: 'code-theme-changed', params: {} })),
    );
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const { webview } = view;
    this.#viewLifetime?.dispose();
    const lifetime = new DisposableStore();
    this.#viewLifetime = lifetime;
    webview.options = {
      enableScripts: true,
      enableForms: false,
      enableCommandUris: false,
      localResourceRoots: [this.#webviewRoot],
    };
    const load = (): void => {
      webview.html = this.#html(webview);
    };
    const connection = lifetime.add(
      this.#channel.attach({
        post: (envelope) => {
          this.onDidPost?.(envelope);
          return webview.postMessage(envelope);
        },
        reload: load,
      }),
    );
    lifetime.add(
      webview.onDidReceiveMessage((message: unknown) => void connection.receive(message)),
    );
    lifetime.add(
      view.onDidChangeVisibility(() => {
        if (!view.visible) connection.hide();
      }),
    );
    lifetime.add(view.onDidDispose(() => lifetime.dispose()));
    load();
    this.#ports.onDidResolve();
  }

  /** Shows the panel and focuses its composer, as soon as the page has loaded. */
  async focusComposer(text?: string): Promise<void> {
    await vscode.commands.executeCommand(`${views.chat}.focus`);
    this.#channel.focusComposer(text);
  }

  /** Shows the panel with one of its overlays, as soon as the page has loaded. */
  async showOverlay(overlay: Overlay): Promise<void> {
    await vscode.commands.executeCommand(`${views.chat}.focus`);
    this.#channel.showOverlay(overlay);
  }

  get snapshot(): ViewSnapshot {
    return this.#channel.snapshot;
  }

  dispose(): void {
    this.#viewLifetime?.dispose();
    this.#store.dispose();
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
      title: translate(pageStrings.title),
      loading: translate(pageStrings.loading),
      unreadable: translate(pageStrings.unreadable),
    });
  }

  get #webviewRoot(): vscode.Uri {
    return vscode.Uri.joinPath(this.#ports.extensionUri, 'dist', 'webview');
  }
}

function pendingView({
  items,
  ...rest
}: HostEvents['context-items']): Pick<
  ViewSnapshot,
  'contextItems' | 'files' | 'page' | 'package' | 'queued'
> {
  return { contextItems: items, ...rest };
}

function translatedStrings(): ViewStrings {
  const entries = Object.entries(viewStrings).map(([key, text]) => [key, translate(text)]);
  // The entries have the keys of viewStrings.
  return Object.fromEntries(entries) as ViewStrings;
}
