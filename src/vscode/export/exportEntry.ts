import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../common/disposable';
import type { Log } from '../common/ports';
import type { ExportFeature } from './export/exportPorts';
import type { ExportNode } from './export/openedSites';
import { exportCommands, exportViews, type ExportCommandId } from './exportContributions';
import { showError } from './notifications';

interface ExportEntryPorts {
  /** Loads the code of static export, with all its libraries. */
  readonly load: () => Promise<ExportFeature>;
  readonly memento: vscode.Memento;
  readonly log: Log;
}

/**
 * What static export costs at the start: its commands and its view, which load the rest when they
 * are first used, when a job of an earlier window still runs, or when a file with a bundle's link opens.
 */
export class ExportEntry implements vscode.TreeDataProvider<ExportNode>, Disposable {
  readonly #ports: ExportEntryPorts;
  readonly #store = new DisposableStore();
  readonly #treeChanged = this.#store.add(new vscode.EventEmitter<ExportNode | undefined>());
  readonly #view: vscode.TreeView<ExportNode>;
  #feature: Promise<ExportFeature> | undefined;

  readonly onDidChangeTreeData = this.#treeChanged.event;

  constructor(ports: ExportEntryPorts) {
    this.#ports = ports;
    this.#view = this.#store.add(
      vscode.window.createTreeView(exportViews.exports, { treeDataProvider: this }),
    );
    for (const id of Object.values(exportCommands)) {
      this.#store.add(
        vscode.commands.registerCommand(id, (...args: unknown[]) => this.#run(id, args)),
      );
    }
    this.#store.add(vscode.workspace.onDidOpenTextDocument((document) => this.#look(document)));
    for (const document of vscode.workspace.textDocuments) this.#look(document);
    if (ports.memento.keys().some((key) => this.#isRunning(key))) this.#loadSoon();
  }

  /** The feature, loaded once. A failure to load it is met again by the next use. */
  feature(): Promise<ExportFeature> {
    this.#feature ??= this.#load().catch((error: unknown) => {
      this.#feature = undefined;
      throw error;
    });
    return this.#feature;
  }

  async getChildren(node?: ExportNode): Promise<ExportNode[]> {
    return (await (await this.feature()).tree.getChildren(node)) ?? [];
  }

  async getTreeItem(node: ExportNode): Promise<vscode.TreeItem> {
    return (await this.feature()).tree.getTreeItem(node);
  }

  async getParent(node: ExportNode): Promise<ExportNode | undefined> {
    return (await (await this.feature()).tree.getParent?.(node)) ?? undefined;
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #load(): Promise<ExportFeature> {
    const feature = await this.#ports.load();
    this.#store.add(feature);
    this.#store.add(
      this.#view.onDidChangeVisibility(({ visible }) => feature.setTreeVisible(visible)),
    );
    feature.setTreeVisible(this.#view.visible);
    const { onDidChangeTreeData } = feature.tree;
    if (onDidChangeTreeData) {
      this.#store.add(
        onDidChangeTreeData((node) => {
          for (const one of Array.isArray(node) ? node : [node]) {
            this.#treeChanged.fire(one ?? undefined);
          }
        }),
      );
    }
    // Its exports may be read later; loading it anew would put a second one beside it.
    await feature.restore().catch((error: unknown) => {
      this.#ports.log.error('The exports could not be read', error);
    });
    return feature;
  }

  async #run(id: ExportCommandId, args: readonly unknown[]): Promise<void> {
    try {
      await (await this.feature()).run(id, args);
    } catch (error) {
      await showError(error, this.#ports.log);
    }
  }

  #loadSoon(): void {
    this.feature().catch((error: unknown) => {
      this.#ports.log.error('Static export did not load', error);
    });
  }

  #isRunning(key: string): boolean {
    const record = key.startsWith('export:') ? this.#ports.memento.get<unknown>(key) : undefined;
    return (
      typeof record === 'object' &&
      record !== null &&
      'outcome' in record &&
      record.outcome === 'running'
    );
  }

  #look(document: vscode.TextDocument): void {
    if (this.#feature || !/\.ya?ml$/i.test(document.uri.path)) return;
    if (document.getText().includes('bundleUrl')) this.#loadSoon();
  }
}
