import * as vscode from 'vscode';
import { mcpProvider } from '../../common/contributions';
import { type Disposable, DisposableStore } from '../../common/disposable';
import { Emitter } from '../../common/event';
import type { Log } from '../../common/ports';
import type { ActiveSite } from '../../site/activeSite';
import type { LocalServiceEntry } from '../docs/localServiceEntry';

interface McpEntryPorts {
  readonly context: Pick<vscode.ExtensionContext, 'extension' | 'extensionUri' | 'secrets'>;
  readonly site: ActiveSite;
  readonly localService: LocalServiceEntry;
  readonly log: Log;
}

/**
 * Offers this window's MCP server to VS Code, for agents outside the chat, which get no language
 * model tools. VS Code stores the definition, so it has no key. The rest loads when a server
 * starts.
 */
export class McpEntry implements Disposable {
  readonly #ports: McpEntryPorts;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  /** Counts changes of the site. VS Code stops a server whose version differs. */
  #revision = 0;
  #site: string;
  /** Key that a server was started with. */
  #givenKey: string | undefined;
  #isStarting = false;
  #isRegistered = false;

  constructor(ports: McpEntryPorts) {
    this.#ports = ports;
    const { context, site, log } = ports;
    this.#site = this.#siteNow();
    this.#store.add(site.onDidChange(() => this.#follow()));
    this.#store.add(context.secrets.onDidChange(() => void this.#followKey()));
    const { authentication } = vscode;
    this.#store.add(authentication.onDidChangeSessions(() => void this.#followKey()));
    try {
      // In VS Code 1.100 the function throws, and some editors based on VS Code don't have it.
      this.#store.add(
        vscode.lm.registerMcpServerDefinitionProvider(mcpProvider, {
          onDidChangeMcpServerDefinitions: this.#changed.event,
          provideMcpServerDefinitions: () => this.definitions,
          resolveMcpServerDefinition: (definition) => this.#start(definition),
        }),
      );
      this.#isRegistered = true;
    } catch (error) {
      log.warn(`The MCP server is not registered: ${String(error)}`);
    }
  }

  get isRegistered(): boolean {
    return this.#isRegistered;
  }

  get program(): vscode.Uri {
    return vscode.Uri.joinPath(this.#ports.context.extensionUri, 'dist', 'mcp.js');
  }

  /** The server, if there are docs that can be asked. */
  get definitions(): vscode.McpStdioServerDefinition[] {
    const { context, localService, site } = this.#ports;
    // Docs on this machine that aren't served now are served again when the server starts.
    if (!site.view.isConfigured && localService.remembered === undefined) return [];
    const { version } = context.extension.packageJSON as { readonly version: string };
    const args = [this.program.fsPath, 'mcp'];
    const { execPath } = process;
    // VS Code remembers the tools of a version. Hosted and local docs have different tools, because
    // questions to a hosted site cost credits.
    const kind = site.local ? 'local' : 'hosted';
    const stamp = `${version}-${kind}+${this.#revision}`;
    const env = {
      // In desktop VS Code the executable is Electron, which acts as Node only with this variable.
      ELECTRON_RUN_AS_NODE: '1',
      NODE_OPTIONS: null,
      // VS Code 1.103 stops a server if its environment changes, but not if its version changes.
      DOCS_ASSISTANT_SITE_STAMP: stamp,
    };
    return [
      new vscode.McpStdioServerDefinition(
        ...(['Docs Assistant', execPath, args, env, stamp] as const),
      ),
    ];
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #start(
    definition: vscode.McpServerDefinition,
  ): Promise<vscode.McpServerDefinition | undefined> {
    const { startedServer } = await import('./mcpStart');
    this.#isStarting = true;
    try {
      const started = await startedServer(definition, this.#ports);
      this.#givenKey = started?.key;
      return started?.definition;
    } finally {
      this.#isStarting = false;
      this.#site = this.#siteNow();
    }
  }

  #follow(): void {
    const now = this.#siteNow();
    if (now === this.#site) return;
    this.#site = now;
    // If the site changes because a start serves docs again, the starting server already asks them.
    if (!this.#isStarting) this.#revision++;
    this.#changed.fire();
  }

  /** Restarts a server whose key was replaced or removed. */
  async #followKey(): Promise<void> {
    const { origin } = this.#ports.site;
    if (this.#givenKey === undefined || this.#isStarting || origin === undefined) return;
    const key = await this.#ports.site.read('assistant', origin).catch(() => this.#givenKey);
    if (key === this.#givenKey) return;
    this.#givenKey = undefined;
    this.#revision++;
    this.#changed.fire();
  }

  #siteNow(): string {
    const { site } = this.#ports;
    return JSON.stringify([site.askSettings, site.view.label]);
  }
}
