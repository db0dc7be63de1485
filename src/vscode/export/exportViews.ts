import * as vscode from 'vscode';
import { exportViews } from '../../common/contributions';
import { DisposableStore, type Disposable } from '../../common/disposable';
import type { ExportNode } from '../../export/commands/pickExport';
import { statusBarText } from '../../export/commands/texts';
import type { Exports } from '../../export/job/exports';
import type { TreeLine } from '../../export/tree/treeModel';
import { nodeKey, type ExportTreeNodes } from '../../export/tree/treeNodes';
import { translate } from '../notifications';

/** Returns the item of a node. An item without a line belongs to a node that was removed. */
export function treeItem(
  id: string,
  line: TreeLine | undefined,
  state: vscode.TreeItemCollapsibleState,
): vscode.TreeItem {
  const item = new vscode.TreeItem(line?.label ?? '', state);
  item.id = id;
  if (!line) return item;
  item.description = line.description;
  // A plain string, because texts of services must not be read as Markdown.
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

/** The *Exports* tree in VS Code. */
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
    return treeItem(nodeKey(node), line, stateOf(node));
  }

  dispose(): void {
    this.#store.dispose();
  }
}

function stateOf({ kind }: ExportNode): vscode.TreeItemCollapsibleState {
  if (kind === 'group') return vscode.TreeItemCollapsibleState.Expanded;
  const { Collapsed, None } = vscode.TreeItemCollapsibleState;
  return kind === 'export' ? Collapsed : None;
}

/** The item in the status bar, shown while jobs are watched. A click opens the tree. */
export class ExportStatusBar implements Disposable {
  readonly #exports: Pick<Exports, 'list' | 'onDidChange'>;
  readonly #store = new DisposableStore();
  #item: vscode.StatusBarItem | undefined;

  constructor(exports: Pick<Exports, 'list' | 'onDidChange'>) {
    this.#exports = exports;
    this.#store.add(exports.onDidChange(() => this.#show()));
    this.#show();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #show(): void {
    const text = statusBarText(this.#exports.list, translate);
    if (!text) {
      this.#item?.hide();
      return;
    }
    this.#item ??= this.#create();
    if (this.#item.text !== text.text) this.#item.text = text.text;
    this.#item.tooltip = text.spoken;
    this.#item.accessibilityInformation = { label: text.spoken, role: 'button' };
    this.#item.show();
  }

  #create(): vscode.StatusBarItem {
    const item = vscode.window.createStatusBarItem('exports', vscode.StatusBarAlignment.Left);
    item.name = translate('Static Exports');
    item.command = `${exportViews.exports}.focus`;
    return this.#store.add(item);
  }
}
