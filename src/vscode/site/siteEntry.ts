import * as vscode from 'vscode';
import { workspaceSettings } from '../../common/contributions';
import { type Disposable, DisposableStore } from '../../common/disposable';
import type { Clock, Fetch, Log } from '../../common/ports';
import type { ActiveSite } from '../../site/activeSite';
import type { Recommendation, RecommendedSites } from '../../site/recommendedSites';
import type { SiteVersions } from './siteVersions';

interface SiteEntryPorts {
  readonly context: vscode.ExtensionContext;
  readonly site: ActiveSite;
  /** Keeps a site that the reader accepted. Resolves with whether it is asked now. */
  readonly accept: (recommendation: Recommendation) => Promise<boolean>;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Offers what the workspace recommends. This is the part that loads at the start. The rest loads only
 * if there are recommendations.
 */
export function startSites(ports: SiteEntryPorts): Disposable {
  const { context, log } = ports;
  const { globalState, workspaceState } = context;
  const lazy = { ...ports, globalState, workspaceState };
  const orLog = (done: Promise<unknown>): void => {
    done.catch((error: unknown) => log.error('Preparing the docs sites failed', error));
  };
  let recommended: Promise<RecommendedSites> | undefined;
  let versions: Promise<SiteVersions> | undefined;
  const store = new DisposableStore();
  store.add(
    whenRecommended(() => {
      recommended ??= import('./recommendations').then((loaded) => loaded.recommendedSites(lazy));
      orLog(recommended.then((sites) => sites.offer()));
      versions ??= import('./siteVersions').then((loaded) =>
        store.add(new loaded.SiteVersions(ports)),
      );
      orLog(versions.then((followed) => followed.refresh()));
    }),
  );
  return store;
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
