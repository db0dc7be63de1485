import * as vscode from 'vscode';
import { sharedClient } from '../../chat/assistant/sharedClient';
import { Conversation } from '../../chat/conversation/conversation';
import type { Thread } from '../../chat/conversation/thread';
import { DraftFile } from '../../chat/history/draftFile';
import { lastThread } from '../../chat/history/threadStore';
import { ThreadFiles } from '../../chat/history/threadFiles';
import { DisposableStore, type Disposable } from '../../common/disposable';
import { currentPath } from '../../chat/context/documentPaths';
import { setNumberLanguage } from '../../shared/units';
import type { ChatExchange } from '../../questions/replyQuestion';
import { ChatView } from './chatView';
import type { DocsRequest, DocsStream } from './docsParticipant';
import {
  acceptSite,
  commandHandlers,
  useSite,
  type ChatCommandId,
  type CommandPorts,
} from './commands';
import type { SetUpLinks } from '../../site/setUpLinks';
import { followReply } from '../contextKeys';
import type { Recommendation } from '../../site/recommendedSites';
import { KeptSites } from '../../site/sites';
import { workspaceSites } from '../../site/workspaceSites';
import { SecretThreadKeyStore } from '../../site/keyStore';
import { type DocsSet, DocsSets } from '../../service/sets/docsSets';
import { keptDocsOf, keptDocsView } from '../../service/sets/keptDocs';
import type { HostedProof } from '../../docsTools/hostedProof';
import type { KeptDocs } from '../../shared/errorInfo';
import { errorActions } from '../errorActions';
import { translate } from '../notifications';
import type { WorkbenchSettings } from '../settings';
import { StarterQuestions } from './starterQuestions';
import { CodeThemes } from './view/codeThemes';
import type { ViewPorts } from './view/viewPorts';

/** The parts that the chat is built from. It builds everything else itself. */
export interface ChatFeaturePorts extends Omit<
  CommandPorts,
  'store' | 'chat' | 'conversation' | 'sites' | 'openPage'
> {
  readonly previewPage: ViewPorts['previewPage'];
  /** Adds a question to a `docs-questions.yaml` of the workspace. */
  readonly addDocsQuestion: (asked: ChatExchange) => Promise<void>;
}

/** The chat, loaded on first use. */
export interface ChatFeature extends Disposable {
  readonly conversation: Conversation;
  readonly chat: ChatView;
  readonly sites: KeptSites;
  run(command: ChatCommandId, args: readonly unknown[]): Promise<void>;
  /** Keeps and asks a site that the workspace recommends and the reader accepted. */
  readonly acceptSite: (recommendation: Recommendation) => Promise<boolean>;
  /** Follows a link to this extension. Path and query are decoded, as in a `vscode.Uri`. */
  readonly openLink: (link: Pick<vscode.Uri, 'path' | 'query'>) => Promise<void>;
  /** Answers a question to `@docs` in VS Code's own chat. */
  readonly answerDocs: (
    request: DocsRequest,
    context: Pick<vscode.ChatContext, 'history'>,
    stream: DocsStream,
    token: vscode.CancellationToken,
  ) => Promise<vscode.ChatResult>;
  /** Resolves when every question and reply is stored. */
  readonly flush: () => Promise<void>;
}

export function createChatFeature(ports: ChatFeaturePorts): ChatFeature {
  setNumberLanguage(vscode.env.language);
  const { context, settings, secrets, site, localService, clock, newId, fetch, log } = ports;
  const store = new DisposableStore();
  const threadKeys = new SecretThreadKeyStore(context.secrets, secrets);
  const threads = new ThreadFiles({
    folder: vscode.Uri.joinPath(context.globalStorageUri, 'threads').fsPath,
    current: lastThread(context.workspaceState),
    limitBytes: () => settings.values.historySizeLimit * 1_000_000,
    clock,
    newId,
    log,
    onDidForget: (id) => threadKeys.forget(id),
  });
  const remembered = workspaceSites(context.workspaceState);
  const sets = new DocsSets({ memento: context.globalState, clock, newId, log });
  const keptSet = (): DocsSet | undefined => {
    const { local, hosted, threadSite } = site;
    if (local || !hosted) return undefined;
    const { pagesHost } = remembered.read(threadSite.id);
    return keptDocsOf(sets.list, { domain: hosted.domain, pagesHost });
  };
  let hostedProof: Promise<HostedProof> | undefined;
  const loadHostedProof = async (): Promise<HostedProof> => {
    const { createHostedProof } = await import('./hostedProof');
    const { extensionUri } = context;
    return store.add(createHostedProof({ ...ports, extensionUri, sets, keptSet }));
  };
  const askPorts = {
    keptDocs: (): KeptDocs | undefined => {
      const set = keptSet();
      return set && keptDocsView(set);
    },
    loadClient: sharedClient({ fetch, clock, log }),
    threadKeys,
    site: () => site.threadSite,
    keys: site,
    settings: () => site.askSettings,
    siteVersion: () => site.installed,
    currentPath: () => openPage(settings),
    clock,
    newId,
    log,
    translate,
  };
  const conversation = store.add(
    new Conversation({
      ...askPorts,
      threads,
      scanSecrets: async (text) => {
        const { scanText } = await import('../../common/secretScan/scanText');
        return scanText(text, { known: secrets.values });
      },
      workspaceSites: remembered,
      offerModels: async (show, signal) => {
        // Only a docs service of this machine can let the reader's model write.
        if (!site.local?.answersWith) return;
        await (await localService.feature()).offerModels(show, signal);
      },
      draft: new DraftFile({ file: draftFile(context), clock, newId, log }),
      proveReply: async (reply, question) => {
        // Most sites have no kept docs, and then nothing is loaded.
        if (!keptSet()) return undefined;
        const proof = await (hostedProof ??= loadHostedProof());
        return proof.prove(reply, question);
      },
      onDidFailToSave: () => void sayUnsaved(),
    }),
  );
  const showLocalDocs = async (): Promise<void> => {
    await localService.resume();
    if (site.view.isConfigured) return;
    // A reader without an account can ask about the packages at once.
    const docs = await localService.feature();
    site.notePackages(await docs.countInstalled());
  };
  store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => void showLocalDocs()));
  const codeThemes = store.add(new CodeThemes(log));
  const starters = store.add(new StarterQuestions({ site, clock }));
  const chat = store.add(
    new ChatView({
      extensionUri: context.extensionUri,
      conversation,
      restored: conversation
        .restore()
        .catch((error: unknown) => log.error('Restoring the thread failed', error)),
      onDidResolve: () => void showLocalDocs(),
      site,
      starters,
      codeThemes,
      loadHandlers: async () => {
        const { viewHandlers } = await import('./view/viewHandlers');
        const { shownPackages } = await import('../../docsTools/localDocs');
        const { previewPage } = ports;
        return viewHandlers({
          packages: () => {
            const { local } = site;
            return local?.docs?.kind === 'installed'
              ? shownPackages({ fetch, clock, log }, local)
              : undefined;
          },
          conversation,
          site,
          settings,
          codeThemes,
          clock,
          newId,
          log,
          previewPage,
          resumeDocs: () => localService.awaitDocs(),
          chooseWriter: async (writer) => (await localService.feature()).chooseOffered(writer),
          serveSet: async (id) => (await localService.feature()).serveSet(id),
          addDocsQuestion: async (replyId) => {
            const exchange = conversation.shown.exchange(replyId);
            if (!exchange) return;
            await ports.addDocsQuestion({ ...exchange, filter: site.askSettings.filter });
          },
        });
      },
      clock,
      log,
    }),
  );
  store.add(followReply(conversation));
  const sites = new KeptSites({
    memento: context.globalState,
    workspace: context.workspaceState,
    keys: site,
    active: site,
    stopLocal: () => localService.leave(),
    clearSettings: () => settings.clearSite(),
    clock,
    newId,
    log,
  });
  const commandPorts: CommandPorts = {
    chat,
    conversation,
    store,
    sites,
    openPage: () => openPage(settings),
    ...ports,
  };
  const handlers = commandHandlers(commandPorts);
  let setUpLinks: SetUpLinks | undefined;
  return {
    conversation,
    chat,
    sites,
    run: async (command, args) => {
      await handlers[command](args);
    },
    acceptSite: async (recommendation) => {
      const isAsked = await acceptSite(commandPorts, recommendation);
      if (isAsked) await conversation.followSite({ keepsEmpty: true });
      return isAsked;
    },
    openLink: async (link) => {
      if (/^\/setup\/?$/.test(link.path)) {
        const { SetUpLinks: Links } = await import('../../site/setUpLinks');
        const { setAssistantKey } = await import('../site/setUpSite');
        const { windowUi } = await import('../windowUi');
        setUpLinks ??= new Links({
          site,
          sites,
          log,
          keys: site,
          ui: windowUi(),
          askForKey: (origin) => setAssistantKey(origin, site),
          useSite: (next) => useSite(commandPorts, next),
          focusComposer: () => chat.focusComposer(),
        });
        return setUpLinks.follow(link.query);
      }
      const { followAskLink } = await import('./askCommands');
      await followAskLink({ conversation, chat }, link);
    },
    answerDocs: async (...asked) => {
      const { answerDocs } = await import('./docsParticipant');
      const participantPorts = {
        ...askPorts,
        resumeDocs: () => localService.awaitDocs(),
        storedThread: (id: string) => conversation.storedThread(id),
        keepThread: (thread: Thread) => conversation.keepThread(thread),
        maxSelectionBytes: () => settings.values.maxSelectionSize * 1000,
        knownSecrets: () => secrets.values,
      };
      return answerDocs(participantPorts, ...asked);
    },
    flush: () => conversation.flush(),
    dispose: () => store.dispose(),
  };
}

async function sayUnsaved(): Promise<void> {
  const { command, label } = errorActions['open-log'];
  const openLog = translate(label);
  const chosen = await vscode.window.showWarningMessage(
    translate(
      'This thread couldn’t be saved. It will be lost when the window closes. Free some disk space, then ask another question to save it.',
    ),
    openLog,
  );
  if (chosen === openLog) await vscode.commands.executeCommand(command);
}

/** Returns the path of the draft. Each workspace has its own; windows without one share a draft. */
function draftFile({ storageUri, globalStorageUri }: vscode.ExtensionContext): string {
  return vscode.Uri.joinPath(storageUri ?? globalStorageUri, 'draft.json').fsPath;
}

function openPage(settings: WorkbenchSettings): string | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  const folder = uri && vscode.workspace.getWorkspaceFolder(uri);
  return folder && currentPath(uri.path, folder.uri.path, settings.docsRootFor(folder));
}
