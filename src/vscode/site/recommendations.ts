/** Recommendations of the workspace's settings, as VS Code has them. Loaded when there are some. */
import * as vscode from 'vscode';
import { workspaceSettings } from '../../common/contributions';
import { silentLog, type Log } from '../../common/ports';
import { DocsSets } from '../../service/sets/docsSets';
import type { ActiveSite } from '../../site/activeSite';
import { type HostedSite, isSameSite, readKeptSites } from '../../site/keptSite';
import {
  RecommendedSites,
  type ConfiguredRecommendations,
  type Recommendation,
} from '../../site/recommendedSites';
import { windowUi } from '../windowUi';

interface RecommendationPorts {
  readonly globalState: vscode.Memento;
  readonly workspaceState: vscode.Memento;
  readonly site: Pick<ActiveSite, 'settingsSite'>;
  readonly accept: (recommendation: Recommendation) => Promise<boolean>;
  readonly log: Log;
}

/** Returns the recommendations of this window's workspace. */
export function recommendedSites(ports: RecommendationPorts): RecommendedSites {
  const { globalState, workspaceState, site, accept, log } = ports;
  const known = (): readonly HostedSite[] => {
    const { settingsSite } = site;
    return [...readKeptSites(globalState), ...(settingsSite ? [settingsSite] : [])];
  };
  return new RecommendedSites({
    ui: windowUi(),
    workspace: workspaceState,
    isTrusted: () => vscode.workspace.isTrusted,
    configured,
    isKnown: (recommendation) => {
      if (recommendation.kind === 'docs') return hasDocs(globalState, recommendation.address);
      return known().some((one) => isSameSite(one, recommendation.site));
    },
    knownHosts: () => known().map(({ baseUrl }) => new URL(baseUrl).host),
    accept,
    log,
  });
}

/** Returns the values that the workspace and its folders set. Those of the user don't count. */
export function configured(): readonly ConfiguredRecommendations[] {
  const setting = workspaceSettings.recommendedSites;
  const ofWorkspace = vscode.workspace.getConfiguration(undefined, null).inspect(setting);
  const folders = vscode.workspace.workspaceFolders ?? [];
  return [
    { value: ofWorkspace?.workspaceValue },
    ...folders.map((folder) => ({
      value: vscode.workspace.getConfiguration(undefined, folder).inspect(setting)
        ?.workspaceFolderValue,
      folder: folders.length > 1 ? folder.name : undefined,
    })),
  ];
}

function hasDocs(globalState: vscode.Memento, url: string): boolean {
  const { list } = new DocsSets({
    memento: globalState,
    clock: Date,
    newId: () => '',
    log: silentLog,
  });
  const sameUrl = (a: string): boolean => a.replace(/\/+$/, '') === url;
  return list.some(({ docs }) => docs.kind === 'site' && sameUrl(docs.url));
}
