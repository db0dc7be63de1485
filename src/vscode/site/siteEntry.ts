import * as vscode from 'vscode';
import { workspaceSettings } from '../../common/contributions';
import { type Disposable, DisposableStore } from '../../common/disposable';
import type { KeyStore, Log, NewId } from '../../common/ports';
import type { ActiveSite } from '../../site/activeSite';
import type { Recommendation, RecommendedSites } from '../../site/recommendedSites';

interface SiteEntryPorts {
  readonly context: vscode.ExtensionContext;
  readonly site: ActiveSite;
  readonly keys: KeyStore;
  /** Keeps a site that the reader accepted. Resolves with whether it is asked now. */
  readonly accept: (recommendation: Recommendation) => Promise<boolean>;
  readonly newId: NewId;
  readonly log: Log;
}

/**
 * Offers what the workspace recommends, and takes over settings of a remote machine or a profile.
 * This is the part that loads at the start. The code for both loads only if there is something.
 */
export function startSites(ports: SiteEntryPorts): Disposable {
  const { context, log } = ports;
  const { globalStorageUri, globalState, workspaceState } = context;
  const lazy = { ...ports, globalStorageUri, globalState, workspaceState };
  const orLog = (done: Promise<unknown>): void => {
    done.catch((error: unknown) => log.error('Preparing the docs sites failed', error));
  };
  // Each profile has its own settings file, in a folder of its own.
  const isProfile = globalStorageUri.path.includes('/profiles/');
  if (vscode.env.remoteName !== undefined || isProfile) {
    orLog(import('./earlierSettings').then((loaded) => loaded.takeOverEarlierSettings(lazy)));
  }
  let recommended: Promise<RecommendedSites> | undefined;
  return whenRecommended(() => {
    recommended ??= import('./recommendations').then((loaded) => loaded.recommendedSites(lazy));
    orLog(recommended.then((sites) => sites.offer()));
  });
}

/**
 * Calls back when the workspace is trusted and may recommend docs sites: at the start, when its
 * settings change, and when the reader trusts it.
 */
function whenRecommended(offer: () => void): Disposable {
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
