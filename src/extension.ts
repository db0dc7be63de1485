import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { questionCommands } from './common/contributions';
import { systemClock } from './common/clock';
import { DisposableStore } from './common/disposable';
import type { Fetch } from './common/ports';
import { ActiveSite, parsePresetSite, PRESET_SITE_VARIABLE } from './site/activeSite';
import { chosenSite, readKeptSites } from './site/keptSite';
import { workspaceSites } from './site/workspaceSites';
import { AgentsEntry } from './vscode/agents/agentsEntry';
import { McpEntry } from './vscode/agents/mcpEntry';
import { startSites } from './vscode/site/siteEntry';
import { ChatEntry } from './vscode/chat/chatEntry';
import { followSite } from './vscode/contextKeys';
import { WorkbenchSettings } from './vscode/settings';
import { ExportEntry } from './vscode/export/exportEntry';
import type { ExportFeature } from './vscode/export/exportFeature';
import { SecretKeyStore, SeenSecrets } from './site/keyStore';
import { SignedInKeys } from './site/signedInKeys';
import { PackagesEntry } from './vscode/packages/packagesEntry';
import { QuestionsEntry } from './vscode/questions/questionsEntry';
import { LocalServiceEntry } from './vscode/docs/localServiceEntry';
import { OutputLog } from './vscode/outputLog';
import { TestRecorder, type ExtensionApi } from './vscode/testApi';

/** The chat, for {@link deactivate}: VS Code waits for that function, but not for disposables. */
let chat: ChatEntry | undefined;

/**
 * Builds the parts that the start needs and hands each part what it depends on. Reads and sends
 * nothing. The chat and static export load when they are first used.
 */
export function activate(context: vscode.ExtensionContext): ExtensionApi | undefined {
  const store = new DisposableStore();
  context.subscriptions.push(store);
  const isProduction = context.extensionMode === vscode.ExtensionMode.Production;
  const clock = systemClock;
  // Looked up at each call, because VS Code replaces it with a fetch that knows proxies and certificates.
  const fetch: Fetch = (url, init) => globalThis.fetch(url, init);
  const newId = randomUUID;

  const settings = store.add(new WorkbenchSettings());
  const secrets = new SeenSecrets();
  const log = store.add(
    new OutputLog({
      clock,
      level: () => settings.values.logLevel,
      secrets: () => secrets.values,
    }),
  );
  const recorder = isProduction ? undefined : new TestRecorder(log);
  const { globalState, workspaceState } = context;
  const keys = new SignedInKeys({
    keys: new SecretKeyStore(context.secrets, secrets),
    memento: globalState,
    seen: secrets,
    token: async (signIn, how) => {
      const { editorToken } = await import('./vscode/site/signIn');
      return editorToken(signIn, how, log);
    },
  });
  const { baseUrl, domain } = settings.values;
  const site = store.add(
    new ActiveSite({
      settings,
      keys,
      secrets,
      kept: () => readKeptSites(globalState),
      workspaceSites: workspaceSites(workspaceState),
      chosen: chosenSite(globalState, workspaceState, baseUrl !== '' && domain !== ''),
    }),
  );
  const preset = isProduction ? undefined : parsePresetSite(process.env[PRESET_SITE_VARIABLE]);
  if (preset) site.useLocal(preset);
  store.add(followSite(site));

  const localService = store.add(
    new LocalServiceEntry({
      extensionUri: context.extensionUri,
      storageUri: context.globalStorageUri,
      site,
      settings,
      clock,
      newId,
      log,
      fetch,
      keys,
      modelPorts: isProduction ? undefined : process.env['DOCS_ASSISTANT_MODEL_PORTS'],
      replyPace: isProduction ? undefined : process.env['DOCS_ASSISTANT_REPLY_PACE'],
      access: context.languageModelAccessInformation,
      memento: workspaceState,
      globalState,
    }),
  );
  const mcp = store.add(new McpEntry({ context, site, localService, log }));
  const shared = {
    context,
    settings,
    secrets,
    site,
    localService,
    mcp,
    fetch,
    clock,
    newId,
    log,
    previewPage: async (...args: Parameters<ExportFeature['previewPage']>) =>
      (await exports.feature()).previewPage(...args),
    bundleOf: async (of: Parameters<ExportFeature['bundleOf']>[0]) =>
      (await exports.feature()).bundleOf(of),
    addDocsQuestion: (asked: unknown) => questions.run(questionCommands.addDocsQuestion, asked),
  };
  const entry = store.add(
    new ChatEntry({
      load: async () => {
        const { createChatFeature } = await import('./vscode/chat/chatFeature');
        const feature = createChatFeature(shared);
        recorder?.follow(feature);
        return feature;
      },
      localService,
      log,
      reportIssue: async () => {
        const { reportIssue } = await import('./vscode/site/reportIssue');
        await reportIssue({ extension: context.extension, secrets, clock, log });
      },
      problems: { site, fetch, clock },
    }),
  );
  chat = entry;
  store.add(
    startSites({
      context,
      site,
      fetch,
      clock,
      log,
      accept: async (recommendation) => (await entry.feature()).acceptSite(recommendation),
    }),
  );
  const exports = store.add(
    new ExportEntry({
      load: async () => {
        const { createExportFeature } = await import('./vscode/export/exportFeature');
        const { globalStorageUri, extensionUri } = context;
        return createExportFeature({
          globalState,
          globalStorageUri,
          extensionUri,
          keys: site,
          seen: secrets,
          site,
          settings,
          fetch,
          clock,
          newId,
          log,
          resumeLocalService: () => localService.resume(),
        });
      },
      memento: globalState,
      secrets,
      clock,
      log,
    }),
  );
  const questions = store.add(
    new QuestionsEntry({
      load: async () => {
        const { createQuestionsFeature } = await import('./vscode/questions/questionsFeature');
        return createQuestionsFeature({
          context,
          site,
          settings,
          secrets,
          fetch,
          clock,
          newId,
          log,
          exports,
          resumeDocs: () => localService.resume(),
          conversation: async () => (await entry.feature()).conversation,
        });
      },
      log,
    }),
  );
  store.add(
    new PackagesEntry({
      load: async () => {
        const { PackagesFeature } = await import('./vscode/packages/packagesFeature');
        const { extensionUri, globalStorageUri } = context;
        return new PackagesFeature({
          extensionUri,
          storageUri: globalStorageUri,
          newId,
        });
      },
      log,
    }),
  );
  store.add(
    new AgentsEntry({
      load: async () => {
        const { AgentTools } = await import('./vscode/agents/agentTools');
        return new AgentTools({ site, localService, secrets, fetch, clock, newId, log });
      },
      log,
    }),
  );
  return recorder?.api(() => entry.feature(), shared);
}

export async function deactivate(): Promise<void> {
  await chat?.flush();
}
