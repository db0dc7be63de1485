import * as vscode from 'vscode';
import type { Conversation } from '../assistant/conversation';
import { DisposableStore, type Disposable } from '../common/disposable';
import type { Clock, Fetch, KeyStore } from '../common/ports';
import type { ActiveSite } from './activeSite';
import type { AskCommands } from './askCommands';
import type { ChatView } from './chatView';
import { commands, SETTINGS_SECTION, type CommandId } from './contributions';
import type { LocalService } from './localService';
import { showError, translate } from './notifications';
import type { OutputLog } from './outputLog';
import type { WorkbenchSettings } from './settings';

interface CommandPorts {
  /** Loaded with the first question that comes from an editor. */
  readonly loadAskCommands: () => Promise<AskCommands>;
  readonly chat: ChatView;
  readonly conversation: Conversation;
  readonly localService: LocalService;
  readonly site: ActiveSite;
  readonly settings: WorkbenchSettings;
  readonly keys: KeyStore;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly log: OutputLog;
}

/** Registers every command; what one throws is shown with its ways out. */
export function registerCommands(ports: CommandPorts): Disposable {
  const store = new DisposableStore();
  for (const [id, run] of Object.entries(handlers(ports))) {
    store.add(
      vscode.commands.registerCommand(id, async (...args: unknown[]) => {
        try {
          await run(...args);
        } catch (error) {
          await showError(error, ports.log);
        }
      }),
    );
  }
  return store;
}

type Handlers = Readonly<Record<CommandId, (...args: unknown[]) => Promise<void> | void>>;

function handlers(ports: CommandPorts): Handlers {
  const { loadAskCommands, chat, conversation, localService, log } = ports;
  return {
    [commands.ask]: async () => (await loadAskCommands()).ask(),
    [commands.addSelection]: async () => (await loadAskCommands()).addSelection(),
    [commands.focusChat]: () => chat.focusComposer(),
    [commands.newThread]: async () => {
      conversation.startThread();
      await chat.focusComposer();
    },
    [commands.openThread]: async () => {
      const { openThread } = await import('./openThread');
      await openThread(ports);
    },
    [commands.stopReply]: () => {
      const reply = lastReply(conversation);
      if (reply && conversation.isReplyRunning) conversation.stop(reply.id);
    },
    [commands.retryReply]: () => {
      const reply = lastReply(conversation);
      if (reply && !conversation.isReplyRunning) conversation.retry(reply.id);
    },
    [commands.setUpSite]: () => setUpSite(ports),
    [commands.setAssistantKey]: () => setAssistantKey(ports),
    [commands.removeAssistantKey]: async () => {
      const { removeAssistantKey } = await import('./removeAssistantKey');
      await removeAssistantKey(ports);
    },
    [commands.startLocalService]: async () => {
      await localService.start();
    },
    [commands.stopLocalService]: () => localService.stop(),
    [commands.openSettings]: async (setting) => {
      const query = typeof setting === 'string' ? setting : SETTINGS_SECTION;
      await vscode.commands.executeCommand('workbench.action.openSettings', query);
    },
    [commands.openLog]: () => log.show(),
  };
}

/** The last message, if it is a reply. */
function lastReply(conversation: Conversation): { readonly id: string } | undefined {
  const last = conversation.thread.messages.at(-1);
  return last?.role === 'assistant' ? last : undefined;
}

async function setUpSite(ports: CommandPorts): Promise<void> {
  const { setUpSite: run } = await import('./setUpSite');
  const { values } = ports.settings;
  const isDone = await run({
    ...ports,
    current: { baseUrl: values.baseUrl, domain: values.domain },
    saveSite: (baseUrl, domain) => ports.settings.saveSite(baseUrl, domain),
  });
  if (!isDone) return;
  // A local service would go on getting the questions that the new site is to answer.
  if (ports.site.local) await ports.localService.stop();
  await ports.chat.focusComposer();
}

async function setAssistantKey(ports: CommandPorts): Promise<void> {
  const { site, keys } = ports;
  if (site.local) {
    void vscode.window.showInformationMessage(
      translate('The local docs service makes its own key for each start: none needs to be set.'),
    );
    return;
  }
  if (site.origin === undefined) {
    await setUpSite(ports);
    return;
  }
  const { setAssistantKey: run } = await import('./setUpSite');
  await run(site.origin, keys);
}
