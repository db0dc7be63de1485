import * as vscode from 'vscode';
import {
  CHECK_REPORT_SCHEME,
  COMPARED_PAGE_SCHEME,
  COMPARISON_SCHEME,
  contextKeys,
  exportCommands,
  exportViews,
  type ExportCommandId,
} from '../../common/contributions';
import { DisposableStore, type Disposable } from '../../common/disposable';
import { Lazy } from '../../common/lazy';
import type { Clock, Log } from '../../common/ports';
import { exportContext, storedExports } from '../../export/commands/exportContext';
import type { ExportNode } from '../../export/commands/pickExport';
import { AdminOrigins } from '../../export/commands/storedSites';
import { trackedSecretSign } from '../../export/values/secretSign';
import { createSetter } from '../contextKeys';
import { showFailure } from '../showFailure';
import type { ExportFeature } from './exportFeature';

interface ExportEntryPorts {
  /** Loads the code of static export and its libraries. */
  readonly load: () => Promise<ExportFeature>;
  readonly memento: vscode.Memento;
  /** Keys that this window has used. */
  readonly secrets: { readonly values: readonly string[] };
  readonly clock: Clock;
  readonly log: Log;
}

/** Most lines of a file that is searched for links when it opens. */
const MAX_LINES = 20_000;

/**
 * The part of static export that loads at startup: its commands and its view. The rest loads when
 * one of them is used, when a job of an earlier window still runs, or when a file with a bundle
 * link opens.
 */
export class ExportEntry implements vscode.TreeDataProvider<ExportNode>, Disposable {
  readonly #ports: ExportEntryPorts;
  readonly #store = new DisposableStore();
  readonly #treeChanged = this.#store.add(new vscode.EventEmitter<ExportNode[] | undefined>());
  readonly #view: vscode.TreeView<ExportNode>;
  readonly #setContext = createSetter();
  readonly #feature = new Lazy(() => this.#load());
  #marksSecrets = false;

  readonly onDidChangeTreeData = this.#treeChanged.event;

  constructor(ports: ExportEntryPorts) {
    this.#ports = ports;
    this.#view = this.#store.add(
      vscode.window.createTreeView(exportViews.exports, {
        treeDataProvider: this,
        // Two selected exports can be compared.
        canSelectMany: true,
      }),
    );
    // Registered before the feature loads, because VS Code restores at startup what was open before.
    this.#provide(COMPARED_PAGE_SCHEME, async (uri) =>
      (await import('./comparedPages')).comparedPageText(uri),
    );
    // The feature provides those of this window, and VS Code asks the newest provider first.
    this.#provide(COMPARISON_SCHEME, async () =>
      (await import('./comparisonView')).goneComparison(),
    );
    this.#provide(CHECK_REPORT_SCHEME, async () => (await import('./checkReports')).goneReport());
    for (const id of Object.values(exportCommands)) {
      this.#store.add(
        vscode.commands.registerCommand(id, (...args: unknown[]) => this.#run(id, args)),
      );
    }
    this.#store.add(vscode.workspace.onDidOpenTextDocument((document) => this.#look(document)));
    this.#store.add(vscode.workspace.onDidSaveTextDocument((document) => this.#look(document)));
    for (const document of vscode.workspace.textDocuments) this.#look(document);
    const stored = storedExports(ports.memento);
    if (stored.some(({ outcome }) => outcome === 'running')) this.#loadSoon();
    this.#followStored();
    // Other windows start exports too, and VS Code fires no event for what they store.
    this.#store.add(vscode.window.onDidChangeWindowState(() => this.#followStored()));
  }

  /** Returns the rest of static export, which loads with the first call. */
  feature(): Promise<ExportFeature> {
    return this.#feature.get();
  }

  async getChildren(node?: ExportNode): Promise<ExportNode[]> {
    return (await this.feature()).tree.getChildren(node);
  }

  async getTreeItem(node: ExportNode): Promise<vscode.TreeItem> {
    return (await this.feature()).tree.getTreeItem(node);
  }

  async getParent(node: ExportNode): Promise<ExportNode | undefined> {
    return (await this.feature()).tree.getParent(node);
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Registers the text of documents with a scheme of ours. */
  #provide(scheme: string, textOf: (uri: vscode.Uri) => Promise<string>): void {
    this.#store.add(
      vscode.workspace.registerTextDocumentContentProvider(scheme, {
        provideTextDocumentContent: textOf,
      }),
    );
  }

  async #load(): Promise<ExportFeature> {
    const feature = await this.#ports.load();
    this.#store.add(feature);
    this.#store.add(
      this.#view.onDidChangeVisibility(({ visible }) => feature.setTreeVisible(visible)),
    );
    feature.setTreeVisible(this.#view.visible);
    this.#store.add(feature.tree.onDidChangeTreeData((nodes) => this.#treeChanged.fire(nodes)));
    // A failure to read the exports must not load the feature a second time.
    await feature.restore().catch((error: unknown) => {
      this.#ports.log.error('The stored exports could not be read', error);
    });
    return feature;
  }

  async #run(id: ExportCommandId, args: readonly unknown[]): Promise<void> {
    await showFailure(this.#ports.log, async () => (await this.feature()).run(id, args));
    this.#followStored();
  }

  /** Sets the context keys that follow from what is stored. Once loaded, the feature sets its own. */
  #followStored(): void {
    const { memento } = this.#ports;
    this.#setContext({
      ...(this.#feature.current ? undefined : exportContext(storedExports(memento))),
      [contextKeys.hasAdminKey]: new AdminOrigins(memento).list.length > 0,
    });
  }

  #loadSoon(): void {
    this.feature().catch((error: unknown) => {
      this.#ports.log.error('Static export did not load', error);
    });
  }

  #look(document: vscode.TextDocument): void {
    const { uri, lineCount } = document;
    if (lineCount > MAX_LINES || vscode.workspace.fs.isWritableFileSystem(uri.scheme) === undefined)
      return;
    const text = document.getText();
    if (!this.#feature.current && /\.ya?ml$/i.test(uri.path) && text.includes('bundleUrl'))
      this.#loadSoon();
    if (this.#marksSecrets || !trackedSecretSign.test(text)) return;
    this.#marksSecrets = true;
    void import('./secretProblems').then(({ SecretProblems }) =>
      this.#store.add(new SecretProblems(this.#ports)),
    );
  }
}
