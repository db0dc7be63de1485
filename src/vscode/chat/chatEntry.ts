import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../common/disposable';
import { Lazy } from '../../common/lazy';
import type { ProblemActionPorts, ProblemActions } from './askProblem';
import type { ChatFeature } from './chatFeature';
import {
  type CommandId,
  commands,
  chatParticipants,
  SETTINGS_SECTION,
  views,
} from '../../common/contributions';
import type { DocsFeature } from '../docs/docsFeature';
import type { LocalServiceEntry } from '../docs/localServiceEntry';
import { translate } from '../notifications';
import type { OutputLog } from '../outputLog';
import { showFailure } from '../showFailure';

interface ChatEntryPorts {
  /** Loads the code of the chat. */
  readonly load: () => Promise<ChatFeature>;
  readonly localService: LocalServiceEntry;
  readonly log: OutputLog;
  readonly reportIssue: () => Promise<void>;
  /** Ports of the quick fixes, which ask the site what its docs cover. */
  readonly problems: ProblemActionPorts;
}

/**
 * The part of the chat that loads at the start: its commands, its view and the handler of its links.
 * The first use of any of them loads the rest.
 */
export class ChatEntry implements vscode.WebviewViewProvider, vscode.UriHandler, Disposable {
  readonly #ports: ChatEntryPorts;
  readonly #store = new DisposableStore();
  readonly #feature = new Lazy(async () => this.#store.add(await this.#ports.load()));

  constructor(ports: ChatEntryPorts) {
    this.#ports = ports;
    const { registerWebviewViewProvider, registerUriHandler } = vscode.window;
    this.#store.add(registerWebviewViewProvider(views.chat, this));
    this.#store.add(registerUriHandler(this));
    this.#store.add(
      vscode.languages.registerCodeActionsProvider('*', new AskCodeActions(ports.problems), {
        providedCodeActionKinds: AskCodeActions.kinds,
      }),
    );
    this.#registerParticipant();
    for (const id of Object.values(commands)) {
      this.#store.add(
        vscode.commands.registerCommand(id, (...args: unknown[]) =>
          showFailure(this.#ports.log, () => this.#run(id, args)),
        ),
      );
    }
  }

  feature(): Promise<ChatFeature> {
    return this.#feature.get();
  }

  async resolveWebviewView(view: vscode.WebviewView): Promise<void> {
    (await this.feature()).chat.resolveWebviewView(view);
  }

  async handleUri(uri: vscode.Uri): Promise<void> {
    await showFailure(this.#ports.log, async () => {
      const { openLink } = await this.feature();
      await openLink(uri);
    });
  }

  /** Resolves when everything is stored. Resolves at once if the chat was never loaded. */
  async flush(): Promise<void> {
    await (await this.#feature.current)?.flush();
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Registers `@docs`. A host without a chat of its own can lack the API or refuse. */
  #registerParticipant(): void {
    try {
      const participant = vscode.chat.createChatParticipant(
        chatParticipants.docs,
        async (request, context, stream, token) =>
          (await this.feature()).answerDocs(request, context, stream, token),
      );
      this.#store.add(participant);
      participant.iconPath = new vscode.ThemeIcon('book');
      participant.followupProvider = {
        provideFollowups: async (result) =>
          (await import('./docsParticipant')).docsFollowUps(result),
      };
    } catch (error) {
      this.#ports.log.debug(`@docs is not available in this host: ${String(error)}`);
    }
  }

  async #chooseDocs(choose: (docs: DocsFeature) => Promise<boolean>): Promise<void> {
    if (!(await choose(await this.#ports.localService.feature()))) return;
    const { chat, conversation } = await this.feature();
    await conversation.followSite({ keepsEmpty: true });
    await chat.focusComposer();
  }

  async #run(id: CommandId, args: readonly unknown[]): Promise<void> {
    const { localService, log } = this.#ports;
    // These commands must also run when the chat fails to load.
    switch (id) {
      case commands.chooseDocs:
        return this.#chooseDocs((docs) => docs.choose(translate('Choose Docs'), args[0]));
      case commands.askInstalledPackages:
        return this.#chooseDocs((docs) => docs.chooseInstalled());
      case commands.startLocalService:
        return this.#chooseDocs((docs) => docs.choose(translate('Start Local Docs Service')));
      case commands.answerWith:
        return (await localService.feature()).answerWith();
      case commands.stopLocalService:
        return localService.stop();
      case commands.openLog:
        log.show();
        return;
      case commands.reportIssue:
        return this.#ports.reportIssue();
      case commands.openSettings:
        await openSettings(args[0]);
        return;
      default:
        await (await this.feature()).run(id, args);
    }
  }
}

async function openSettings(setting: unknown): Promise<void> {
  const query = typeof setting === 'string' ? setting : SETTINGS_SECTION;
  await vscode.commands.executeCommand('workbench.action.openSettings', query);
}

/** Offers *Ask Docs Assistant* in the lightbulb of every language, for selections and problems. */
class AskCodeActions implements vscode.CodeActionProvider {
  static readonly #kind = vscode.CodeActionKind.Empty.append('docsAssistant');
  static readonly kinds = [
    AskCodeActions.#kind,
    vscode.CodeActionKind.QuickFix,
    vscode.CodeActionKind.Source,
  ];
  readonly #ports: ProblemActionPorts;
  #problems: ProblemActions | undefined;

  constructor(ports: ProblemActionPorts) {
    this.#ports = ports;
  }

  async provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range | vscode.Selection,
    context: vscode.CodeActionContext,
  ): Promise<vscode.CodeAction[]> {
    const actions: vscode.CodeAction[] = [];
    if (!range.isEmpty) {
      const title = translate('Ask Docs Assistant about Selection');
      const action = new vscode.CodeAction(title, AskCodeActions.#kind);
      action.command = { command: commands.ask, title };
      actions.push(action);
    }
    if (context.diagnostics.length > 0) {
      const { ProblemActions } = await import('./askProblem');
      this.#problems ??= new ProblemActions(this.#ports);
      actions.push(...(await this.#problems.at(document, context)));
    }
    return actions;
  }
}
