import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../common/disposable';
import type { Exports } from '../../staticExport/exports';
import { exportViews } from '../exportContributions';
import { translate } from '../notifications';
import { statusBarText } from './exportTexts';

/** The status bar's item, there while jobs are watched. A click shows the tree. */
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
