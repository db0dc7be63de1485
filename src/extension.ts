import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { Conversation } from './assistant/conversation';
import { systemClock } from './common/clock';
import { DisposableStore } from './common/disposable';
import type { Fetch } from './common/ports';
import { currentPath } from './context/currentPath';
import { ActiveSite } from './workbench/activeSite';
import { ChatView } from './workbench/chatView';
import { registerCommands } from './workbench/commands';
import { followContextKeys } from './workbench/contextKeys';
import { views } from './workbench/contributions';
import { deployment } from './workbench/deployment';
import { ExportEntry } from './workbench/exportEntry';
import { SecretKeyStore, SecretThreadKeyStore, SeenSecrets } from './workbench/keyStore';
import { AskCodeActions } from './workbench/lightbulb';
import { LocalService } from './workbench/localService';
import { translate } from './workbench/notifications';
import { OutputLog } from './workbench/outputLog';
import { parsePresetSite, PRESET_SITE_VARIABLE } from './workbench/presetSite';
import { WorkbenchSettings } from './workbench/settings';
import { testApi, type ExtensionApi } from './workbench/testApi';
import { ThreadMemento } from './workbench/threadMemento';

/** Makes everything, in order, and hands each what it needs. Nothing is read or sent yet. */
export function activate(context: vscode.ExtensionContext): ExtensionApi | undefined {
  const store = new DisposableStore();
  context.subscriptions.push(store);
  const isProduction = context.extensionMode === vscode.ExtensionMode.Production;
  const clock = systemClock;
  // Looked up at each call, as VS Code puts its own fetch, with proxy and certificates, in place.
  const fetch: Fetch = (url, init) => globalThis.fetch(url, init);
  const newId = randomUUID;

  const settings = store.add(new WorkbenchSettings());
  const secrets = new SeenSecrets();
  const log = store.add(
    new OutputLog('Docs Assistant', {
      level: () => settings.values.logLevel,
      secrets: () => secrets.values,
    }),
  );
  const keys = new SecretKeyStore(context.secrets, secrets);
  const threadKeys = new SecretThreadKeyStore(context.secrets, secrets);
  const site = store.add(new ActiveSite({ settings, keys, secrets, deployment, translate }));
  const preset = isProduction ? undefined : parsePresetSite(process.env[PRESET_SITE_VARIABLE]);
  if (preset) site.useLocal(preset);

  const conversation = store.add(
    new Conversation({
      loadClient: async () => {
        const { AssistantClient } = await import('./assistant/assistantClient');
        return new AssistantClient({ fetch, clock, log });
      },
      threads: new ThreadMemento({
        memento: context.workspaceState,
        clock,
        log,
        onDidForget: (id) => void threadKeys.forget(id).catch((e: unknown) => log.warn(String(e))),
      }),
      threadKeys,
      keys: site,
      settings: () => site.askSettings,
      currentPath: () => openPage(settings),
      clock,
      newId,
      log,
      translate,
    }),
  );
  const localService = store.add(
    new LocalService({
      extensionUri: context.extensionUri,
      storageUri: context.globalStorageUri,
      site,
      log,
      memento: context.workspaceState,
    }),
  );
  const chat = store.add(
    new ChatView({
      extensionUri: context.extensionUri,
      conversation,
      restored: conversation
        .restore()
        .catch((error: unknown) => log.error('Restoring the thread failed', error)),
      onDidResolve: () => void localService.resume(),
      site,
      loadHandlers: async () => {
        const { viewHandlers } = await import('./workbench/view/viewHandlers');
        return viewHandlers({ conversation, site, settings, clock, newId, log });
      },
      clock,
      log,
    }),
  );
  store.add(vscode.window.registerWebviewViewProvider(views.chat, chat));
  store.add(
    vscode.languages.registerCodeActionsProvider('*', new AskCodeActions(), {
      providedCodeActionKinds: [AskCodeActions.kind],
    }),
  );
  store.add(followContextKeys(conversation, site));
  store.add(
    new ExportEntry({
      load: async () => {
        const { createExportFeature } = await import('./workbench/export/exportFeature');
        const { globalState, globalStorageUri, extensionUri } = context;
        return createExportFeature({
          ...{ globalState, globalStorageUri, extensionUri },
          ...{ keys: site, seen: secrets, site, settings, fetch, clock, newId, log },
          resumeLocalService: () => localService.resume(),
        });
      },
      memento: context.globalState,
      log,
    }),
  );
  store.add(
    registerCommands({
      loadAskCommands: async () => {
        const { AskCommands } = await import('./workbench/askCommands');
        const maxSelectionBytes = (): number => settings.values.maxSelectionSize * 1000;
        return new AskCommands({ conversation, chat, newId, maxSelectionBytes });
      },
      chat,
      conversation,
      localService,
      site,
      settings,
      keys,
      fetch,
      clock,
      log,
    }),
  );
  return isProduction ? undefined : testApi({ chat, conversation, site, log });
}

function openPage(settings: WorkbenchSettings): string | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  const folder = uri && vscode.workspace.getWorkspaceFolder(uri);
  return folder && currentPath(uri.path, folder.uri.path, settings.docsRootFor(folder));
}
