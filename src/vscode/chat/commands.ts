import * as vscode from 'vscode';
import type { Conversation } from '../../chat/conversation/conversation';
import type { Clock, Fetch, KeyStore, NewId } from '../../common/ports';
import type { ActiveSite } from '../../site/activeSite';
import type { ChatView } from './chatView';
import { commands, type CommandId } from '../../common/contributions';
import type { SeenSecrets } from '../../site/keyStore';
import type { DisposableStore } from '../../common/disposable';
import type { SetupReportDocument } from '../site/setupReportDocument';
import type { LocalService } from '../localService/localService';
import { translate } from '../notifications';
import type { OutputLog } from '../outputLog';
import type { WorkbenchSettings } from '../settings';

interface CommandPorts {
  readonly context: vscode.ExtensionContext;
  readonly secrets: SeenSecrets;
  /** Disposed with the chat. */
  readonly store: DisposableStore;
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

type CommandHandlers = Readonly<
  Record<ChatCommandId, (args: readonly unknown[]) => Promise<void> | void>
>;

export function commandHandlers(ports: CommandPorts): CommandHandlers {
  const { chat, conversation, newId, settings } = ports;
  const maxSelectionBytes = (): number => settings.values.maxSelectionSize * 1000;
  const askPorts = { conversation, chat, newId, maxSelectionBytes };
  let report: SetupReportDocument | undefined;
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
    [commands.copySetUpLink]: async () => {
      const { copySetUpLink } = await import('../site/setUpLinks');
      await copySetUpLink({ ...ports, extensionId: ports.context.extension.id });
    },
    [commands.checkSetup]: async ([argument]) => {
      const { COPY_REPORT, SetupReportDocument } = await import('../site/setupReportDocument');
      report ??= ports.store.add(new SetupReportDocument());
      if (argument === COPY_REPORT) return report.copy();
      const { checkSetup } = await import('../site/checkSetup');
      await checkSetup({ ...ports, report });
    },
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
    saveSite: (baseUrl, domain) => useSite(ports, { baseUrl, domain }),
  });
  if (isDone) await ports.chat.focusComposer();
}

/** Saves a site as the one that questions go to. */
export async function useSite(
  { settings, site, localService }: Pick<CommandPorts, 'settings' | 'site' | 'localService'>,
  { baseUrl, domain }: { readonly baseUrl: string; readonly domain: string },
): Promise<void> {
  await settings.saveSite(baseUrl, domain);
  // A running local service would keep getting the questions that the new site must answer.
  if (site.local) await localService.stop();
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
