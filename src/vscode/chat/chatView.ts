import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Conversation } from '../assistant/conversation';
import { DisposableStore, type Disposable } from '../common/disposable';
import type { Clock, Log } from '../common/ports';
import { chatViewHtml } from '../shared/chatViewHtml';
import type { HostEnvelope, HostEvents, Overlay, ViewSnapshot } from '../shared/protocol';
import { viewStrings, type ViewStrings } from '../shared/viewStrings';
import type { ActiveSite } from './activeSite';
import { views } from './contributions';
import { translate } from './notifications';
import type { StarterQuestions } from './starterQuestions';
import type { CodeThemes } from './view/codeTheme';
import { ViewChannel } from './viewChannel';
import type { ViewHandlers } from './view/viewPorts';

interface ChatViewPorts {
  readonly extensionUri: vscode.Uri;
  readonly conversation: Conversation;
  /** Settles when the last thread of this workspace is there again. */
  readonly restored: Promise<void>;
  /** Called each time VS Code makes the view. */
  readonly onDidResolve: () => void;
  readonly site: ActiveSite;
  readonly starters: Pick<StarterQuestions, 'questions' | 'onDidChange'>;
  readonly codeThemes: Pick<CodeThemes, 'onDidChange'>;
  /** Loaded when the page asks for something first. */
  readonly loadHandlers: () => Promise<ViewHandlers>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The chat panel: gives VS Code the page, under its policy, and connects it to the conversation.
 * The conversation is the truth; a view may be hidden, moved or disposed at any time.
 */
export class ChatView implements vscode.WebviewViewProvider, Disposable {
  readonly #ports: ChatViewPorts;
  readonly #store = new DisposableStore();
  readonly #channel: ViewChannel;
  /** Of the view that VS Code made last: it ends with the view, or with the next one. */
  #viewLifetime: DisposableStore | undefined;
  /** Hears every envelope that is posted; for tests. */
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
        site: site.view,
        thread: conversation.thread,
        ...pendingView(conversation.pending),
        suggestions: starters.questions,
        now: clock.now(),
        strings,
      }),
    });
    this.#store.add(conversation.onDidChange((event) => this.#channel.tell(event)));
    this.#store.add(
      site.onDidChange(() => {
        const params = { site: site.view, suggestions: starters.questions };
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

  /** Shows the panel and puts the cursor in its composer, now or as soon as the page is there. */
  async focusComposer(text?: string): Promise<void> {
    await vscode.commands.executeCommand(`${views.chat}.focus`);
    this.#channel.focusComposer(text);
  }

  /** Shows the panel with one of its overlays, now or as soon as the page is there. */
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
      title: translate('Docs Assistant'),
    });
  }

  get #webviewRoot(): vscode.Uri {
    return vscode.Uri.joinPath(this.#ports.extensionUri, 'dist', 'webview');
  }
}

function pendingView({
  items,
  ...rest
}: HostEvents['context-items']): Pick<ViewSnapshot, 'contextItems' | 'files' | 'page'> {
  return { contextItems: items, ...rest };
}

function translatedStrings(): ViewStrings {
  const entries = Object.entries(viewStrings).map(([key, text]) => [key, translate(text)]);
  // The keys are those of viewStrings.
  return Object.fromEntries(entries) as ViewStrings;
}
