import path from 'node:path';
import * as vscode from 'vscode';
import { COMPARISON_SCHEME, contextKeys, exportViews } from '../../common/contributions';
import { DisposableStore, type Disposable } from '../../common/disposable';
import type { Clock } from '../../common/ports';
import type { ComparedBundles, Comparisons } from '../../export/commands/compareCommands';
import type { WindowUi } from '../../common/windowUi';
import {
  comparisonNodes,
  pageName,
  type ComparedTarget,
  type ComparisonNode,
} from '../../export/compare/comparisonNodes';
import { comparisonDocument } from '../../export/compare/comparisonDocument';
import { differencesText } from '../../export/compare/comparisonTexts';
import { translate } from '../notifications';
import { fileName, showRendered } from './checkReports';
import { comparedPageUri } from './comparedPages';
import { treeItem } from './exportViews';

/** Comparisons kept for *Show Comparison*. Each can have 100,000 entries. */
const MAX_KEPT = 5;
/** Pages in one editor of all changes. VS Code reads each of them at once. */
const MAX_IN_EDITOR = 200;

/** A comparison of this window. */
interface KeptComparison extends ComparedBundles {
  /** Number of the comparison. No window has had it before, because VS Code restores editors. */
  readonly round: number;
}

/** The *Comparison* tree, and the documents of a comparison, in VS Code. */
export class ComparisonView
  implements Comparisons, vscode.TreeDataProvider<ComparisonNode>, Disposable
{
  readonly #ui: WindowUi;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<undefined>());
  /** Newest last. */
  readonly #kept: KeptComparison[] = [];
  #shown: KeptComparison | undefined;
  #roots: readonly ComparisonNode[] = [];
  #view: vscode.TreeView<ComparisonNode> | undefined;
  #rounds: number;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(ui: WindowUi, clock: Pick<Clock, 'now'>) {
    this.#ui = ui;
    this.#rounds = clock.now();
    this.#store.add(
      vscode.workspace.registerTextDocumentContentProvider(COMPARISON_SCHEME, {
        provideTextDocumentContent: (uri) => this.#report(uri),
      }),
    );
  }

  get shown(): ComparedBundles | undefined {
    return this.#shown;
  }

  of(siteFolder: string): ComparedBundles | undefined {
    return this.#kept.findLast(({ after }) => after.folder === siteFolder);
  }

  async show(compared: ComparedBundles): Promise<void> {
    const { translate: t } = this.#ui;
    const kept = this.#keep(compared);
    const { before, after, comparison } = kept;
    this.#shown = kept;
    this.#roots = comparisonNodes(comparison, t);
    this.#view ??= this.#store.add(
      vscode.window.createTreeView(exportViews.comparison, {
        treeDataProvider: this,
        showCollapseAll: true,
      }),
    );
    const sides = `${before.name} → ${after.name}`;
    // The sections have the counts.
    this.#view.message =
      this.#roots.length > 0 ? sides : `${sides}\n${differencesText(comparison, t)}`;
    this.#changed.fire(undefined);
    await vscode.commands.executeCommand('setContext', contextKeys.hasComparison, true);
    await vscode.commands.executeCommand(`${exportViews.comparison}.focus`);
  }

  async close(): Promise<void> {
    this.#shown = undefined;
    this.#roots = [];
    this.#changed.fire(undefined);
    await vscode.commands.executeCommand('setContext', contextKeys.hasComparison, false);
  }

  async showReport(): Promise<void> {
    const { translate: t } = this.#ui;
    if (!this.#shown) return;
    const { before, after, round } = this.#shown;
    const title = fileName(t('{0} compared with {1}', after.name, before.name));
    await showRendered(
      vscode.Uri.from({ scheme: COMPARISON_SCHEME, path: `/${title}.md`, query: String(round) }),
    );
  }

  async showAllChanges(): Promise<void> {
    const { translate: t } = this.#ui;
    if (!this.#shown) return;
    const kept = this.#shown;
    const { before, after } = kept;
    const { changed, moved } = kept.comparison.pages;
    const pages = [...changed, ...moved.filter(({ change }) => change !== 'none')];
    if (pages.length === 0) {
      void this.#ui.inform(t('No text has changed.'));
      return;
    }
    if (pages.length > MAX_IN_EDITOR) {
      const text = t(
        'The editor shows {0} of {1} changed pages. The Comparison view lists all of them.',
        MAX_IN_EDITOR,
        pages.length,
      );
      void this.#ui.inform(text);
    }
    await vscode.commands.executeCommand(
      'vscode.changes',
      t('{0} compared with {1}', after.name, before.name),
      pages.slice(0, MAX_IN_EDITOR).map((page) => {
        const right = pageUri(kept, 'after', page.after);
        return [right, pageUri(kept, 'before', page.before), right];
      }),
    );
  }

  getChildren(node?: ComparisonNode): ComparisonNode[] {
    return [...(node?.children() ?? this.#roots)];
  }

  getTreeItem(node: ComparisonNode): vscode.TreeItem {
    const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const state = node.count === 0 ? None : node.isOpen ? Expanded : Collapsed;
    const item = treeItem(node.id, node.line, state);
    const command = node.target && this.#shown && this.#open(this.#shown, node.target);
    return command ? Object.assign(item, { command }) : item;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #keep(compared: ComparedBundles): KeptComparison {
    const known = this.#kept.find((kept) => kept === compared);
    if (known) return known;
    const kept = { ...compared, round: ++this.#rounds };
    this.#kept.push(kept);
    if (this.#kept.length > MAX_KEPT) this.#kept.shift();
    return kept;
  }

  #report({ query }: vscode.Uri): string {
    const kept = this.#kept.find(({ round }) => String(round) === query);
    return kept ? comparisonDocument(kept.comparison, this.#ui.translate) : goneComparison();
  }

  /** Returns VS Code's own command that opens a target. */
  #open(kept: KeptComparison, target: ComparedTarget): vscode.Command {
    const title = this.#ui.translate('Open');
    if (target.kind === 'place') {
      const { side, file, line, column } = target;
      const position = new vscode.Position(line - 1, column - 1);
      const selection = new vscode.Range(position, position);
      const options = { selection, preview: true };
      return { command: 'vscode.open', title, arguments: [fileUri(kept, side, file), options] };
    }
    const { kind, before, after } = target;
    const uriOf = kind === 'texts' ? pageUri : fileUri;
    const left = before === undefined ? undefined : uriOf(kept, 'before', before);
    const right = after === undefined ? undefined : uriOf(kept, 'after', after);
    if (after === undefined || !left || !right) {
      return { command: 'vscode.open', title, arguments: [right ?? left, { preview: true }] };
    }
    const name = kind === 'texts' ? pageName(after) : after;
    const sides = `${name} (${kept.before.name} ↔ ${kept.after.name})`;
    return { command: 'vscode.diff', title, arguments: [left, right, sides, { preview: true }] };
  }
}

/** Returns what a document shows in place of a comparison of an earlier window, which is not stored. */
export function goneComparison(): string {
  return translate('This comparison is no longer available. Compare the bundles again.');
}

function pageUri(kept: KeptComparison, side: 'before' | 'after', page: string): vscode.Uri {
  const { folder: root, name } = kept[side];
  const { basePath } = kept.comparison[side];
  return comparedPageUri({ root, page, basePath, round: kept.round }, name);
}

function fileUri(kept: KeptComparison, side: 'before' | 'after', file: string): vscode.Uri {
  return vscode.Uri.file(path.join(kept[side].folder, file));
}
