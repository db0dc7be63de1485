import * as vscode from 'vscode';
import type { Conversation } from '../../chat/conversation/conversation';
import type { Clock, Fetch, KeyStore, NewId } from '../../common/ports';
import type { ActiveSite } from '../../site/activeSite';
import type { ChatView } from './chatView';
import { commands, type CommandId } from '../../common/contributions';
import type { LocalService } from '../localService/localService';
import { translate } from '../notifications';
import type { OutputLog } from '../outputLog';
import type { WorkbenchSettings } from '../settings';

interface CommandPorts {
  readonly chat: ChatView;
  readonly conversation: Conversation;
  readonly localService: LocalService;
  readonly site: ActiveSite;
  readonly settings: WorkbenchSettings;
  readonly keys: KeyStore;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: OutputLog;
}

/** Commands that need the chat. `ChatEntry` runs the others itself. */
export type ChatCommandId = Exclude<
  CommandId,
  | typeof commands.chooseDocs
  | typeof commands.startLocalService
  | typeof commands.answerWith
  | typeof commands.stopLocalService
  | typeof commands.openSettings
  | typeof commands.openLog
>;

type CommandHandlers = Readonly<Record<ChatCommandId, () => Promise<void> | void>>;

export function commandHandlers(ports: CommandPorts): CommandHandlers {
  const { chat, conversation, newId, settings } = ports;
  const maxSelectionBytes = (): number => settings.values.maxSelectionSize * 1000;
  const askPorts = { conversation, chat, newId, maxSelectionBytes };
  return {
    [commands.ask]: async () => (await import('./askCommands')).ask(askPorts),
    [commands.addSelection]: async () => (await import('./askCommands')).addSelection(askPorts),
    [commands.focusChat]: () => chat.focusComposer(),
    [commands.newThread]: async () => {
      conversation.startThread();
      await chat.focusComposer();
    },
    [commands.openThread]: () => chat.showOverlay('history'),
    [commands.showShortcuts]: () => chat.showOverlay('shortcuts'),
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
      const { removeAssistantKey } = await import('../site/setUpSite');
      await removeAssistantKey(ports);
    },
  };
}

/** Returns the last message if it is a reply. */
function lastReply(conversation: Conversation): { readonly id: string } | undefined {
  const last = conversation.thread.messages.at(-1);
  return last?.role === 'assistant' ? last : undefined;
}

async function setUpSite(ports: CommandPorts): Promise<void> {
  const { setUpSite: run } = await import('../site/setUpSite');
  const { values } = ports.settings;
  const isDone = await run({
    ...ports,
    current: { baseUrl: values.baseUrl, domain: values.domain },
    saveSite: (baseUrl, domain) => ports.settings.saveSite(baseUrl, domain),
  });
  if (!isDone) return;
  // A running local service would keep getting the questions that the new site must answer.
  if (ports.site.local) await ports.localService.stop();
  await ports.chat.focusComposer();
}

async function setAssistantKey(ports: CommandPorts): Promise<void> {
  const { site, keys } = ports;
  if (site.local) {
    void vscode.window.showInformationMessage(
      translate(
        'The local docs service makes its own key at each start. You don’t need to set one.',
      ),
    );
    return;
  }
  if (site.origin === undefined) {
    await setUpSite(ports);
    return;
  }
  const { setAssistantKey: run } = await import('../site/setUpSite');
  await run(site.origin, keys);
}
