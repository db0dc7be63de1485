import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { systemClock } from './common/clock';
import { DisposableStore } from './common/disposable';
import type { Fetch } from './common/ports';
import { ActiveSite } from './workbench/activeSite';
import { ChatEntry } from './workbench/chatEntry';
import { followSite } from './workbench/contextKeys';
import { deployment } from './workbench/deployment';
import { ExportEntry } from './workbench/exportEntry';
import { SecretKeyStore, SeenSecrets } from './workbench/keyStore';
import { LocalService } from './workbench/localService';
import { translate } from './workbench/notifications';
import { OutputLog } from './workbench/outputLog';
import { parsePresetSite, PRESET_SITE_VARIABLE } from './workbench/presetSite';
import { WorkbenchSettings } from './workbench/settings';
import { TestRecorder, type ExtensionApi } from './workbench/testApi';

/** VS Code waits for `deactivate`, but not for what it disposes. */
let chat: ChatEntry | undefined;

/** Makes what the start needs, in order, and hands each what it needs. Nothing is read or sent yet. */
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
  const recorder = isProduction ? undefined : new TestRecorder(log);
  const keys = new SecretKeyStore(context.secrets, secrets);
  const site = store.add(new ActiveSite({ settings, keys, secrets, deployment, translate }));
  const preset = isProduction ? undefined : parsePresetSite(process.env[PRESET_SITE_VARIABLE]);
  if (preset) site.useLocal(preset);
  store.add(followSite(site));

  const localService = store.add(
    new LocalService({
      extensionUri: context.extensionUri,
      storageUri: context.globalStorageUri,
      site,
      log,
      memento: context.workspaceState,
    }),
  );
  const shared = { context, settings, secrets, site, localService, fetch, clock, newId, log };
  const entry = store.add(
    new ChatEntry({
      load: async () => {
        const { createChatFeature } = await import('./workbench/chatFeature');
        const feature = createChatFeature(shared);
        recorder?.follow(feature);
        return feature;
      },
      localService,
      log,
    }),
  );
  chat = entry;
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
  return recorder?.api(() => entry.feature(), site);
}

export async function deactivate(): Promise<void> {
  await chat?.flush();
}
