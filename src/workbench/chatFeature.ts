import path from 'node:path';
import * as vscode from 'vscode';
import { Conversation } from '../assistant/conversation';
import { DraftFile } from '../assistant/history/draftFile';
import type { ThreadSite } from '../assistant/thread';
import { DisposableStore, type Disposable } from '../common/disposable';
import type { Clock, Fetch, NewId } from '../common/ports';
import { currentPath } from '../context/currentPath';
import type { ActiveSite } from './activeSite';
import { ChatView } from './chatView';
import { commandHandlers, type ChatCommandId } from './commands';
import { followReply } from './contextKeys';
import { SecretThreadKeyStore, type SeenSecrets } from './keyStore';
import type { LocalService } from './localService';
import { translate } from './notifications';
import type { OutputLog } from './outputLog';
import type { WorkbenchSettings } from './settings';
import { ThreadMemento } from './threadMemento';

/** What the chat is made of; everything else it makes itself. */
export interface ChatFeaturePorts {
  readonly context: vscode.ExtensionContext;
  readonly settings: WorkbenchSettings;
  readonly secrets: SeenSecrets;
  /** Is the key store as well. */
  readonly site: ActiveSite;
  readonly localService: LocalService;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: OutputLog;
}

/** The chat, once something of it is used. */
export interface ChatFeature extends Disposable {
  readonly conversation: Conversation;
  readonly chat: ChatView;
  resolveWebviewView(view: vscode.WebviewView): void;
  run(command: ChatCommandId, args: readonly unknown[]): Promise<void>;
  /** A link to this extension, such as `/ask?q=…`. */
  readonly openLink: (pathAndQuery: string) => Promise<void>;
  /** Settles when all that was asked and read is stored. */
  readonly flush: () => Promise<void>;
}

export function createChatFeature(ports: ChatFeaturePorts): ChatFeature {
  const { context, settings, secrets, site, localService, clock, newId, fetch, log } = ports;
  const store = new DisposableStore();
  const threadKeys = new SecretThreadKeyStore(context.secrets, secrets);
  const conversation = store.add(
    new Conversation({
      // With the chat SDK's reader of streams, which the panel does not need to be shown.
      loadClient: async () => {
        const { AssistantClient } = await import('../assistant/assistantClient');
        return new AssistantClient({ fetch, clock, log });
      },
      threads: new ThreadMemento({
        memento: context.workspaceState,
        clock,
        log,
        onDidForget: (id) => void threadKeys.forget(id).catch((e: unknown) => log.warn(String(e))),
      }),
      threadKeys,
      draft: new DraftFile({
        // Without a folder open, the windows without one share what waits.
        file: path.join((context.storageUri ?? context.globalStorageUri).fsPath, 'draft.json'),
        clock,
        newId,
        log,
      }),
      keys: site,
      settings: () => site.askSettings,
      site: () => threadSite(site),
      currentPath: () => openPage(settings),
      clock,
      newId,
      log,
      translate,
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
        const { viewHandlers } = await import('./view/viewHandlers');
        return viewHandlers({ conversation, site, settings, clock, newId, log });
      },
      clock,
      log,
    }),
  );
  store.add(followReply(conversation));
  const handlers = commandHandlers({ chat, conversation, keys: site, ...ports });
  return {
    conversation,
    chat,
    resolveWebviewView: (view) => chat.resolveWebviewView(view),
    run: async (command) => {
      await handlers[command]();
    },
    openLink: () => chat.focusComposer(),
    flush: () => conversation.flush(),
    dispose: () => store.dispose(),
  };
}

function threadSite({ local, origin, askSettings, view }: ActiveSite): ThreadSite {
  const id = local ? 'local' : `${origin ?? ''} ${askSettings.assistantDomain ?? ''}`.trim();
  return { id, label: view.label };
}

function openPage(settings: WorkbenchSettings): string | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  const folder = uri && vscode.workspace.getWorkspaceFolder(uri);
  return folder && currentPath(uri.path, folder.uri.path, settings.docsRootFor(folder));
}
