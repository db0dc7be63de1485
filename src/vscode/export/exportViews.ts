import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../common/disposable';
import { keyOf, type ExportTreeNodes } from './exportTreeNodes';
import type { ExportNode } from './openedSites';

/** The *Exports* tree as VS Code takes it. */
export class ExportTree implements vscode.TreeDataProvider<ExportNode>, Disposable {
  readonly #nodes: ExportTreeNodes;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<ExportNode[] | undefined>());

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(nodes: ExportTreeNodes) {
    this.#nodes = nodes;
    this.#store.add(nodes.onDidChange((changed) => this.#changed.fire(changed && [...changed])));
  }

  getChildren(node?: ExportNode): ExportNode[] {
    return this.#nodes.children(node);
  }

  getParent(node: ExportNode): ExportNode | undefined {
    return this.#nodes.parent(node);
  }

  getTreeItem(node: ExportNode): vscode.TreeItem {
    const line = this.#nodes.draw(node);
    const state =
      node.kind === 'export'
        ? vscode.TreeItemCollapsibleState.Collapsed
        : vscode.TreeItemCollapsibleState.None;
    const item = new vscode.TreeItem(line?.label ?? '', state);
    item.id = keyOf(node);
    if (!line) return item;
    item.description = line.description;
    // A string, not Markdown: services have a say in it.
    item.tooltip = line.tooltip;
    item.contextValue = line.contextValue;
    item.accessibilityInformation = { label: line.spoken };
    const { icon, colour } = line;
    if (icon !== undefined) {
      item.iconPath = new vscode.ThemeIcon(
        icon,
        colour === undefined ? undefined : new vscode.ThemeColor(colour),
      );
    }
    return item;
  }

  dispose(): void {
    this.#store.dispose();
  }
}
