import * as vscode from 'vscode';
import { workspaceSettings } from '../../common/contributions';
import { type Disposable, DisposableStore } from '../../common/disposable';

/**
 * Calls back when the workspace is trusted and may recommend docs sites: at the start, when its
 * settings change, and when the reader trusts it.
 */
export function whenRecommended(offer: () => void): Disposable {
  const setting = workspaceSettings.recommendedSites;
  const check = (): void => {
    const { isTrusted, workspaceFolders = [] } = vscode.workspace;
    const isSet = [null, ...workspaceFolders].some((scope) => {
      const value: unknown = vscode.workspace.getConfiguration(undefined, scope).get(setting);
      return !Array.isArray(value) || value.length > 0;
    });
    if (isTrusted && isSet) offer();
  };
  check();
  const store = new DisposableStore();
  store.add(vscode.workspace.onDidGrantWorkspaceTrust(check));
  store.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(setting)) check();
    }),
  );
  return store;
}
