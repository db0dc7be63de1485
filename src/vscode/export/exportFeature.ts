/** Builds static export. Loaded with its first command, its view, or a job to watch. */
import * as vscode from 'vscode';
import {
  exportCommands,
  type ExportCommandId,
  exportSettings as settingNames,
} from '../../common/contributions';
import { DisposableStore, type Disposable } from '../../common/disposable';
import { isFolder } from '../../common/onDisk';
import { apiAddressText } from '../../common/http/address';
import type { RequestTimeouts } from '../../common/http/guardedRequest';
import type { Clock, Fetch, KeyStore, Log, NewId } from '../../common/ports';
import { readSiteAssistant } from '../../export/check/assistantFolder';
import { AdminKeys } from '../../export/commands/adminKey';
import { chooseBundle } from '../../export/commands/bundleChoice';
import { bundleHandlers } from '../../export/commands/bundleCommands';
import { compareHandlers } from '../../export/commands/compareCommands';
import { deployedSiteHandlers } from '../../export/commands/deployedSite';
import { showExportError } from '../../export/commands/errorNotifications';
import { ExportSite } from '../../export/commands/exportSite';
import { hostingHandlers } from '../../export/commands/hostingCommand';
import { parseExportSettings } from '../../export/commands/settings';
import { exportHandlers } from '../../export/commands/jobCommands';
import { ExportEnds, ExportProgress } from '../../export/commands/jobNotifications';
import { parseExportNode } from '../../export/commands/pickExport';
import { reachableLinks } from '../../export/commands/reachableLinks';
import { localSite as bringBundle } from '../../export/commands/localSite';
import { siteHandlers } from '../../export/commands/siteCommands';
import {
  AdminOrigins,
  DeployedSites,
  type OpenedSite,
  OpenedSites,
  RecentSites,
} from '../../export/commands/storedSites';
import { FileClaims } from '../../export/job/claims';
import {
  needsLocalService,
  watchAgainAtLocal,
  watchAgainWithKey,
  WorkbenchEndpoints,
  type LocalExportSite,
} from '../../export/job/endpoints';
import { ExportMemento, LOCAL_API } from '../../export/job/record';
import type { Exports } from '../../export/job/exports';
import { StaticExports } from '../../export/job/staticExports';
import { Previews } from '../../export/preview/previews';
import { ExportTreeNodes } from '../../export/tree/treeNodes';
import { enhanceHandlers } from '../../enhance/enhanceBundle';
import { setNumberLanguage } from '../../shared/units';
import type { ActiveSite } from '../../site/activeSite';
import type { SiteBundle } from '../../site/features';
import { type HostedSite, isSameSite } from '../../site/keptSite';
import type { SeenSecrets } from '../../site/keyStore';
import { followExports } from '../contextKeys';
import { updateUserSetting, WindowSettings, type WorkbenchSettings } from '../settings';
import { CheckReports } from './checkReports';
import { ComparisonView } from './comparisonView';
import { deploymentHandlers } from './deploymentCommands';
import { ExportStatusBar, ExportTree } from './exportViews';
import { LinkProblems } from './linkProblems';
import { reviewFiles, ValuesReview } from './valuesReview';
import { windowUi } from '../windowUi';
import { openPreviewOutside, showPreview } from './openPreview';

/** Services that the composition root gives to static export. */
interface ExportFeaturePorts {
  readonly globalState: vscode.Memento;
  readonly globalStorageUri: vscode.Uri;
  readonly extensionUri: vscode.Uri;
  readonly keys: KeyStore;
  /** Keys that this window has used. Texts of services are cleared of them. */
  readonly seen: SeenSecrets;
  readonly site: ActiveSite;
  /** Starts the local docs service again if this window ran it before. */
  readonly resumeLocalService: () => Promise<void>;
  readonly settings: WorkbenchSettings;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
}

/** The part of static export that loads when it is needed. */
export interface ExportFeature extends Disposable {
  readonly exports: Pick<Exports, 'noteResult'>;
  readonly tree: ExportTree;
  /** Starts or stops the countdowns, which run only while the tree is visible. */
  setTreeVisible(isVisible: boolean): void;
  /** Runs a command and shows its errors with their actions. */
  run(command: ExportCommandId, args: readonly unknown[]): Promise<void>;
  /**
   * Shows a page of an unpacked site in its preview.
   * @param page.address percent-encoded path from the site's root, query and fragment.
   * @throws {ExportError} the errors of `startPreview`.
   */
  previewPage(
    page: { readonly folder: string; readonly label: string; readonly address: string },
    isOutside: boolean,
  ): Promise<void>;
  /**
   * Asks for a bundle, and downloads and unpacks it if that is needed.
   * @returns undefined if the user canceled.
   */
  chooseBundle(title: string): Promise<OpenedSite | undefined>;
  /** Returns the newest export of a site that is unpacked on this machine, and what search and answers it has. */
  bundleOf(site: HostedSite): Promise<SiteBundle | undefined>;
  /** Asks for the admin key of an origin if none is saved, or the saved one was refused. Returns whether there is one. */
  ensureAdminKey(origin: string, isRefused: boolean): Promise<boolean>;
  /** Reads the stored exports and watches the jobs that run. Can be called again. */
  restore(): Promise<void>;
}

/** Builds everything of static export. Nothing is read or sent before `restore` or a command. */
export function createExportFeature(ports: ExportFeaturePorts): ExportFeature {
  setNumberLanguage(vscode.env.language);
  const { globalState, globalStorageUri, extensionUri, keys, seen, clock, newId, log } = ports;
  const store = new DisposableStore();
  const closing = new AbortController();
  store.add({ dispose: () => closing.abort() });
  const ui = windowUi(closing.signal);
  const exportSettings = store.add(new WindowSettings(parseExportSettings));
  const local = (): LocalExportSite | undefined => localSite(ports);
  const claims = new FileClaims({
    folder: vscode.Uri.joinPath(globalStorageUri, 'claims').fsPath,
    clock,
    log,
  });
  const timeouts = (): RequestTimeouts => {
    const { timeoutSeconds } = ports.settings.values;
    // A proxy may hold back a response before its first byte.
    return { headersTimeoutMs: timeoutSeconds * 2000, idleTimeoutMs: timeoutSeconds * 1000 };
  };
  const mustLastHours = (): number => exportSettings.values.linkMustLastHours;
  const exports = store.add(
    new StaticExports({
      fetch: ports.fetch,
      clock,
      newId,
      log,
      claims,
      timeouts,
      random: Math.random,
      records: new ExportMemento({ memento: globalState, clock, log }),
      endpoints: new WorkbenchEndpoints({ keys, local, seen }),
      secrets: () => seen.values,
      translate: ui.translate,
    }),
  );
  const sites = store.add(new OpenedSites(globalState));
  const deployed = store.add(new DeployedSites(globalState));
  const previews = store.add(new Previews({ newId, log }));
  const reports = store.add(new CheckReports());
  const comparisons = store.add(new ComparisonView(ui, clock));
  const nodes = store.add(
    new ExportTreeNodes({
      exports,
      sites,
      previews,
      reports,
      deployed,
      clock,
      translate: ui.translate,
      language: ui.language,
    }),
  );
  store.add(followExports(exports, previews));
  store.add(new ExportStatusBar(exports));
  store.add(new ExportEnds({ exports, claims, ui, log }));
  store.add(
    new LinkProblems({
      exports,
      clock,
      mustLastHours,
      onDidChangeSettings: exportSettings.onDidChange,
    }),
  );

  const inBackground = (task: Promise<unknown>): void => {
    task.catch((error: unknown) => void showExportError(error, { ui, log }));
  };
  const adminKeys = new AdminKeys({
    keys,
    ui,
    log,
    origins: new AdminOrigins(globalState),
    apiUrl: () => exportSettings.values.apiUrl,
    // No workspace can change a user setting.
    saveApiUrl: (apiUrl) =>
      updateUserSetting(settingNames.apiUrl, apiAddressText(apiUrl, 'export')),
    isLocalRunning: () => local() !== undefined,
    onDidSave: (origin) => inBackground(watchAgainWithKey(exports, origin)),
  });
  store.add(
    ports.site.onDidChange(() => {
      if (local()) inBackground(watchAgainAtLocal(exports));
    }),
  );
  // Other windows start and remove exports too, and no event reports what they store.
  store.add(
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) inBackground(exports.restore());
    }),
  );
  const isClosing = (): boolean => store.isDisposed;
  const progress = new ExportProgress({ exports, ui, clock, isClosing, inBackground });
  const site = new ExportSite({
    exports,
    adminKeys,
    progress,
    ui,
    log,
    clock,
    local,
    recent: new RecentSites(globalState),
    settings: () => exportSettings.values,
    assistantDomain: () => ports.site.hosted?.domain ?? ports.settings.values.domain,
    isTrusted: () => vscode.workspace.isTrusted,
  });
  const script = (name: string): string => vscode.Uri.joinPath(extensionUri, 'dist', name).fsPath;
  const review = store.add(new ValuesReview(ui));
  const isAirGapped = (label: string): boolean =>
    ports.site.siteOfExport(label)?.deployment?.type === 'airGapped';
  const bundlePorts = {
    exports,
    sites,
    ui,
    timeouts,
    clock,
    newId,
    log,
    fetch: ports.fetch,
    memento: globalState,
    random: Math.random,
  };
  const handlers = {
    ...bundleHandlers({ ...bundlePorts, hashScript: script('hashArchive.js') }),
    ...siteHandlers({
      ...bundlePorts,
      previews,
      reports,
      checkScript: script('checkBundle.js'),
      isAirGapped,
      showPreview: (preview) => showPreview(previews, preview),
      openPreview: (preview) => openPreviewOutside(previews, preview),
    }),
    ...enhanceHandlers({
      ...bundlePorts,
      enhanceScript: script('enhanceSite.js'),
      siteScripts: script('site'),
      configured: () => ports.site.hosted,
      savedKey: (origin) => keys.read('assistant', origin),
    }),
    ...hostingHandlers({
      ...bundlePorts,
      surveyScript: script('surveySite.js'),
      defaultFolder: () => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath,
      review: (title, files) => reviewFiles(review, title, files),
    }),
    ...deployedSiteHandlers({ exports, deployed, ui }),
    ...reachableLinks(
      deploymentHandlers({
        exports,
        ui,
        review,
        clock,
        mustLastHours,
      }),
      { exports, ui, clock, isAirGapped },
    ),
    ...compareHandlers({
      ...bundlePorts,
      comparisons,
      compareScript: script('compareBundles.js'),
    }),
    ...exportHandlers({
      exports,
      sites,
      reports,
      adminKeys,
      site,
      progress,
      ui,
      clock,
      inBackground,
    }),
    [exportCommands.addExportWorkflow]: async () => {
      const { addExportWorkflow } = await import('./workflowCommand');
      await addExportWorkflow({ ui, settings: () => exportSettings.values });
    },
  };
  return {
    exports,
    tree: store.add(new ExportTree(nodes)),
    setTreeVisible: (isVisible) => nodes.setVisible(isVisible),
    run: async (command, args) => {
      const [argument, selection] = args;
      try {
        await handlers[command]?.(argument, selection);
      } catch (error) {
        void showExportError(error, { ui, log, node: parseExportNode(argument) });
      }
    },
    previewPage: async ({ folder, label, address }, isOutside) => {
      const preview = await previews.start(folder, label, reports.get(folder)?.basePath);
      const show = isOutside ? openPreviewOutside : showPreview;
      await show(previews, preview, address);
      log.info(`Opened a cited page in the preview: /${address.split('?', 1)[0] ?? ''}`);
    },
    chooseBundle: async (title) => {
      const bundle = await chooseBundle(bundlePorts, title);
      return bundle && bringBundle(bundlePorts, bundle);
    },
    ensureAdminKey: (origin, isRefused) =>
      isRefused ? adminKeys.set(origin) : adminKeys.ensure(origin),
    bundleOf: async (asked) => {
      const isOfSite = (exportDomain: string): boolean => {
        const found = ports.site.siteOfExport(exportDomain);
        return found !== undefined && isSameSite(found, asked);
      };
      for (const { record } of exports.list) {
        const { apiUrl, exportDomain, siteFolder: folder } = record;
        if (folder === undefined || apiUrl === LOCAL_API || !isOfSite(exportDomain)) continue;
        const added = await readSiteAssistant(folder);
        const assistant = added && { since: added.since, service: added.service?.url };
        if (await isFolder(folder)) return { folder, assistant };
      }
      return undefined;
    },
    restore: async () => {
      await exports.restore();
      if (needsLocalService(exports)) inBackground(ports.resumeLocalService());
    },
    dispose: () => store.dispose(),
  };
}

/** Returns the running local docs service if it has an export API. */
function localSite({ site }: ExportFeaturePorts): LocalExportSite | undefined {
  const { url, domain, adminKey } = site.local ?? {};
  return url === undefined || domain === undefined || adminKey === undefined
    ? undefined
    : { url, domain, adminKey };
}
