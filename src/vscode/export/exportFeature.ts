/** Puts static export together: loaded with its first command, its view, or a job to watch. */
import * as vscode from 'vscode';
import { DisposableStore } from '../../common/disposable';
import type { RequestTimeouts } from '../../common/guardedRequest';
import { StaticExports } from '../../staticExport/staticExports';
import { AdminKeys } from './adminKey';
import { AdminOrigins } from './adminOrigins';
import { bundleHandlers } from './bundleCommands';
import { CheckReports } from './checkReports';
import { FileClaims } from './exportClaims';
import { exportHandlers } from './exportCommands';
import { WorkbenchEndpoints, type LocalExportSite } from './exportEndpoints';
import { ExportEnds } from './exportEnds';
import { ExportMemento } from './exportMemento';
import { showExportError } from './exportNotifications';
import type { ExportFeature, ExportFeaturePorts } from './exportPorts';
import { ExportProgress } from './exportProgress';
import { ExportSettings } from './exportSettings';
import { ExportSite } from './exportSite';
import { ExportStatusBar } from './exportStatusBar';
import { ExportTree } from './exportTree';
import { ExportTreeNodes } from './exportTreeNodes';
import { LinkProblems } from './linkProblems';
import { OpenedSiteMemento } from './openedSiteMemento';
import { parseExportNode, pickExport } from './pickExport';
import { Previews } from './previews';
import { RecentSites } from './recentSites';
import { needsLocalService, watchAgainAtLocal, watchAgainWithKey } from './watchAgain';
import { windowUi as ui } from './windowUi';

/** Makes everything of static export. Nothing is read or sent before `restore` or a command. */
export function createExportFeature(ports: ExportFeaturePorts): ExportFeature {
  const { globalState, globalStorageUri, extensionUri, keys, seen, clock, newId, log } = ports;
  const store = new DisposableStore();
  const closing = new AbortController();
  store.add({ dispose: () => closing.abort() });
  const exportSettings = store.add(new ExportSettings());
  const local = (): LocalExportSite | undefined => localSite(ports);
  const claims = new FileClaims({
    folder: vscode.Uri.joinPath(globalStorageUri, 'claims').fsPath,
    clock,
    log,
  });
  const timeouts = (): RequestTimeouts => {
    const { timeoutSeconds } = ports.settings.values;
    // A proxy may hold an answer back before its first byte.
    return { headersTimeoutMs: timeoutSeconds * 2000, idleTimeoutMs: timeoutSeconds * 1000 };
  };
  const mustLastHours = (): number => exportSettings.values.linkMustLastHours;
  const exports = store.add(
    new StaticExports({
      ...{ fetch: ports.fetch, clock, newId, log, claims, timeouts, random: Math.random },
      records: new ExportMemento({ memento: globalState, clock, log }),
      endpoints: new WorkbenchEndpoints({ keys, local, seen }),
      secrets: () => seen.values,
      translate: ui.translate,
    }),
  );
  const sites = store.add(new OpenedSiteMemento(globalState));
  const previews = store.add(new Previews({ newId, log }));
  const reports = store.add(new CheckReports());
  const nodes = store.add(
    new ExportTreeNodes({
      ...{ exports, sites, previews, reports, clock },
      ...{ translate: ui.translate, language: ui.language },
    }),
  );
  store.add(new ExportStatusBar(exports));
  store.add(new ExportEnds({ exports, claims, ui, log }));
  store.add(
    new LinkProblems({
      ...{ exports, clock },
      mustLastHours,
      onDidChangeSettings: exportSettings.onDidChange,
    }),
  );

  const inBackground = (task: Promise<unknown>): void => {
    task.catch((error: unknown) => void showExportError(error, { ui, log }));
  };
  const adminKeys = new AdminKeys({
    ...{ keys, ui, log, origins: new AdminOrigins(globalState) },
    apiUrl: () => exportSettings.values.apiUrl,
    saveApiUrl: (apiUrl) => exportSettings.saveApiUrl(apiUrl),
    isLocalRunning: () => local() !== undefined,
    onDidSave: (origin) => inBackground(watchAgainWithKey(exports, origin)),
  });
  store.add(
    ports.site.onDidChange(() => {
      if (local()) inBackground(watchAgainAtLocal(exports));
    }),
  );
  // Other windows start and forget exports too, and nothing tells of what they store.
  store.add(
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) inBackground(exports.restore());
    }),
  );
  const isClosing = (): boolean => store.isDisposed;
  const progress = new ExportProgress({ exports, ui, clock, isClosing, inBackground });
  const site = new ExportSite({
    ...{ exports, adminKeys, progress, ui, log, clock, local },
    recent: new RecentSites(globalState),
    settings: () => exportSettings.values,
    assistantDomain: () => ports.settings.values.domain,
    isTrusted: () => vscode.workspace.isTrusted,
  });
  const handlers = {
    ...bundleHandlers({
      ...{ exports, sites, previews, reports, extensionUri, timeouts, clock, newId, log },
      ...{ fetch: ports.fetch, memento: globalState, ui, lifetime: closing.signal, mustLastHours },
      pickExport: (node, fits, none) => pickExport({ exports, ui, clock }, node, { fits, none }),
    }),
    ...exportHandlers({
      ...{ exports, sites, reports, adminKeys, site, progress, ui, clock, inBackground },
    }),
  };
  return {
    tree: store.add(new ExportTree(nodes)),
    setTreeVisible: (isVisible) => nodes.setVisible(isVisible),
    run: async (command, args) => {
      const [argument] = args;
      try {
        await handlers[command]?.(argument);
      } catch (error) {
        void showExportError(error, { ui, log, node: parseExportNode(argument) });
      }
    },
    restore: async () => {
      await exports.restore();
      if (needsLocalService(exports)) inBackground(ports.resumeLocalService());
    },
    dispose: () => store.dispose(),
  };
}

/** The running local docs service, if it has an export API. */
function localSite({ site }: ExportFeaturePorts): LocalExportSite | undefined {
  const { url, domain, adminKey } = site.local ?? {};
  return url === undefined || domain === undefined || adminKey === undefined
    ? undefined
    : { url, domain, adminKey };
}
