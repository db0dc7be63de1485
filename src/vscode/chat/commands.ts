import * as vscode from 'vscode';
import { DocsAssistantError } from '../../common/errors';
import type { Conversation } from '../../chat/conversation/conversation';
import type { Clock, Fetch, NewId } from '../../common/ports';
import type { ActiveSite } from '../../site/activeSite';
import type { SiteBundle } from '../../site/features';
import type { HostedSite } from '../../site/keptSite';
import type { Recommendation } from '../../site/recommendedSites';
import type { KeptSites } from '../../site/sites';
import type { ChatView } from './chatView';
import { commands, type CommandId } from '../../common/contributions';
import type { SeenSecrets } from '../../site/keyStore';
import type { DisposableStore } from '../../common/disposable';
import type { SetupReportDocuments } from '../site/setupReportDocuments';
import type { McpEntry } from '../agents/mcpEntry';
import type { LocalServiceEntry } from '../docs/localServiceEntry';
import { say, translate } from '../notifications';
import type { OutputLog } from '../outputLog';
import type { WorkbenchSettings } from '../settings';

export interface CommandPorts {
  readonly context: vscode.ExtensionContext;
  readonly secrets: SeenSecrets;
  /** Disposed with the chat. */
  readonly store: DisposableStore;
  readonly chat: ChatView;
  readonly conversation: Conversation;
  readonly localService: LocalServiceEntry;
  /** The site that questions go to. It is also the store of its keys. */
  readonly site: ActiveSite;
  readonly sites: KeptSites;
  readonly settings: WorkbenchSettings;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: OutputLog;
  readonly mcp: McpEntry;
  /** Returns the path of the page that is open in the editor, if it is one of the docs. */
  readonly openPage: () => string | undefined;
  /** Returns the newest bundle of a site on this machine. */
  readonly bundleOf: (site: HostedSite) => Promise<SiteBundle | undefined>;
}

/** Commands that need the chat. `ChatEntry` runs the others itself. */
export type ChatCommandId = Exclude<
  CommandId,
  | typeof commands.chooseDocs
  | typeof commands.askInstalledPackages
  | typeof commands.startLocalService
  | typeof commands.answerWith
  | typeof commands.stopLocalService
  | typeof commands.openSettings
  | typeof commands.openLog
  | typeof commands.reportIssue
>;

type CommandHandlers = Readonly<
  Record<ChatCommandId, (args: readonly unknown[]) => Promise<void> | void>
>;

export function commandHandlers(ports: CommandPorts): CommandHandlers {
  const { chat, conversation, newId, settings } = ports;
  const maxSelectionBytes = (): number => settings.values.maxSelectionSize * 1000;
  const askPorts = { conversation, chat, newId, maxSelectionBytes };
  let reports: SetupReportDocuments | undefined;
  return {
    [commands.ask]: async () => (await import('./askCommands')).ask(askPorts),
    [commands.addSelection]: async () => (await import('./askCommands')).addSelection(askPorts),
    [commands.askProblem]: async (args) =>
      (await import('./askProblem')).askProblem({ ...ports, ...askPorts }, args),
    [commands.askTerminal]: async (args) =>
      (await import('./entryPoints')).askTerminal(askPorts, args),
    [commands.askFiles]: async (args) => (await import('./entryPoints')).askFiles(askPorts, args),
    [commands.askCell]: async (args) => (await import('./entryPoints')).askCell(askPorts, args),
    [commands.moveChat]: async () => (await import('./entryPoints')).moveChat(),
    [commands.continueThread]: async ([id]) => {
      if (typeof id === 'string') await conversation.showAnew(id);
      await chat.focusComposer();
    },
    [commands.askKeptDocs]: async ([setId, question]) => {
      if (typeof setId !== 'string' || typeof question !== 'string') return;
      if (!(await (await ports.localService.feature()).serveSet(setId))) return;
      // Asks in VS Code's own chat, from which the command comes.
      await vscode.commands.executeCommand('workbench.action.chat.open', {
        query: `@docs ${question}`,
      });
    },
    [commands.focusChat]: () => chat.focusComposer(),
    [commands.newThread]: async () => {
      conversation.startThread();
      await chat.focusComposer();
    },
    [commands.openThread]: () => chat.showOverlay('history'),
    [commands.showShortcuts]: () => chat.showOverlay('shortcuts'),
    [commands.showRequest]: () => chat.showOverlay('request'),
    [commands.stopReply]: () => {
      const reply = lastReply(conversation);
      if (reply && conversation.isReplyRunning) conversation.stop(reply.id);
    },
    [commands.retryReply]: async () => {
      await ports.localService.awaitDocs();
      const reply = lastReply(conversation);
      if (reply && !conversation.isReplyRunning) conversation.retry(reply.id);
    },
    [commands.switchSite]: async () => {
      const { switchSite } = await import('../site/switchSite');
      const accept = (each: Recommendation): Promise<boolean> => acceptSite(ports, each);
      const { globalState, workspaceState } = ports.context;
      if (!(await switchSite({ ...ports, globalState, workspaceState, accept }))) return;
      await conversation.followSite();
      await chat.focusComposer();
    },
    [commands.showFeatures]: async () => {
      const { showFeatures } = await import('../../site/features');
      const { windowUi } = await import('../windowUi');
      await showFeatures({
        ui: windowUi(),
        site: () => ports.site.hosted,
        setDeployment: (site, deployment) => ports.sites.setDeployment(site, deployment),
        bundleOf: ports.bundleOf,
      });
    },
    [commands.filterDocs]: async () => {
      const { filterDocs } = await import('../site/filterDocs');
      if (await filterDocs(ports)) await chat.focusComposer();
    },
    [commands.setUpSite]: async () => {
      await setUpSite(ports);
    },
    [commands.copySetUpLink]: async () => {
      const { copySetUpLink } = await import('../../site/setUpLinks');
      const { windowUi } = await import('../windowUi');
      await copySetUpLink({
        ...ports,
        keys: ports.site,
        ui: windowUi(),
        extension: { scheme: vscode.env.uriScheme, id: ports.context.extension.id },
        copy: (text) => vscode.env.clipboard.writeText(text),
      });
    },
    [commands.copyAskLink]: async () => {
      const { copyAskLink } = await import('../../chat/context/copyAskLink');
      const { windowUi } = await import('../windowUi');
      await copyAskLink({
        ui: windowUi(),
        extension: { scheme: vscode.env.uriScheme, id: ports.context.extension.id },
        openPage: ports.openPage,
        copy: (text) => vscode.env.clipboard.writeText(text),
      });
    },
    [commands.checkSetup]: async ([argument, id]) => {
      const { COPY_REPORT, SetupReportDocuments } = await import('../site/setupReportDocuments');
      reports ??= ports.store.add(new SetupReportDocuments());
      if (argument === COPY_REPORT) return reports.copy(id);
      const { checkSetup } = await import('../site/checkSetup');
      await checkSetup({ ...ports, reports });
    },
    [commands.copyMcpConfiguration]: async () => {
      const { copyMcpConfiguration } = await import('../agents/copyMcpConfiguration');
      await copyMcpConfiguration(ports);
    },
    [commands.setAssistantKey]: () => setAssistantKey(ports),
    [commands.removeAssistantKey]: async () => {
      const { removeAssistantKey } = await import('../site/setUpSite');
      await removeAssistantKey(ports.site);
    },
  };
}

/** Returns the last message if it is a reply. */
function lastReply(conversation: Conversation): { readonly id: string } | undefined {
  const last = conversation.thread.messages.at(-1);
  return last?.role === 'assistant' ? last : undefined;
}

/** @param known a site that is known, so that only its key is asked for. */
async function setUpSite(ports: CommandPorts, known?: HostedSite): Promise<boolean> {
  const { setUpSite: run } = await import('../site/setUpSite');
  const { values } = ports.settings;
  const { baseUrl, domain } = known ?? ports.site.hosted ?? values;
  const isDone = await run({
    ...ports,
    current: { baseUrl, domain },
    keys: ports.site,
    isKeyOnly: known !== undefined,
    saveSite: (baseUrl, domain) => useSite(ports, { baseUrl, domain }),
  });
  if (!isDone) return false;
  await ports.chat.focusComposer();
  return true;
}

/**
 * Keeps a site that the workspace recommends, asks for its key, and sends questions to it from now
 * on.
 * @returns whether questions go to the site now. The site stays in the list even if no key was
 * given.
 */
export async function acceptSite(
  ports: CommandPorts,
  recommendation: Recommendation,
): Promise<boolean> {
  const { site, sites, localService } = ports;
  if (recommendation.kind === 'docs') {
    return (await localService.feature()).chooseSite(recommendation.address);
  }
  const { id, baseUrl, domain } = await sites.add(recommendation.site);
  const key = await site.read('assistant', new URL(baseUrl).origin);
  if (key === undefined) return setUpSite(ports, { baseUrl, domain });
  return (await sites.use(id)) !== undefined;
}

/**
 * Keeps a site that was set up and sends questions to it from now on. The site also becomes the
 * default in the settings, unless they name another working site.
 */
export async function useSite(
  { conversation, site, sites, settings }: CommandPorts,
  next: HostedSite,
): Promise<void> {
  const { baseUrl, domain } = next;
  const { id } = await sites.add(next);
  const { settingsSite } = site;
  const isOther =
    settingsSite !== undefined &&
    settingsSite.domain !== domain &&
    (await site.read('assistant', new URL(settingsSite.baseUrl).origin)) !== undefined;
  if (!isOther) await settings.saveSite(baseUrl, domain);
  await sites.use(id);
  await conversation.followSite({ keepsEmpty: true });
}

async function setAssistantKey(ports: CommandPorts): Promise<void> {
  const { site } = ports;
  if (site.local) {
    say(
      translate(
        'The local docs service makes its own key at each start. You don’t need to set one.',
      ),
    );
    return;
  }
  const { unavailable } = site.askSettings;
  if (unavailable !== undefined) throw new DocsAssistantError(unavailable);
  if (site.origin === undefined) {
    await setUpSite(ports);
    return;
  }
  const { setAssistantKey: run } = await import('../site/setUpSite');
  await run(site.origin, site);
}
