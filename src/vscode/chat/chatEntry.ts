import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../common/disposable';
import type { Log } from '../common/ports';
import type { ChatFeature } from './chatFeature';
import { commands, SETTINGS_SECTION, views, type CommandId } from './contributions';
import { AskCodeActions } from './lightbulb';
import type { LocalService } from './localService';
import { showError } from './notifications';
import type { OutputLog } from './outputLog';

interface ChatEntryPorts {
  /** Loads the code of the chat, with the conversation and all that it needs. */
  readonly load: () => Promise<ChatFeature>;
  readonly localService: LocalService;
  readonly log: OutputLog;
}

/**
 * What the chat costs at the start: its commands, its view and its links, which load the rest when
 * the first of them is used.
 */
export class ChatEntry implements vscode.WebviewViewProvider, vscode.UriHandler, Disposable {
  readonly #ports: ChatEntryPorts;
  readonly #store = new DisposableStore();
  #feature: Promise<ChatFeature> | undefined;

  constructor(ports: ChatEntryPorts) {
    this.#ports = ports;
    const { registerWebviewViewProvider, registerUriHandler } = vscode.window;
    this.#store.add(registerWebviewViewProvider(views.chat, this));
    this.#store.add(registerUriHandler(this));
    this.#store.add(
      vscode.languages.registerCodeActionsProvider('*', new AskCodeActions(), {
        providedCodeActionKinds: [AskCodeActions.kind],
      }),
    );
    for (const id of Object.values(commands)) {
      this.#store.add(
        vscode.commands.registerCommand(id, (...args: unknown[]) =>
          showFailure(this.#ports.log, () => this.#run(id, args)),
        ),
      );
    }
  }

  /** The feature, loaded once. A failure to load it is met again by the next use. */
  feature(): Promise<ChatFeature> {
    this.#feature ??= this.#ports.load().then(
      (feature) => this.#store.add(feature),
      (error: unknown) => {
        this.#feature = undefined;
        throw error;
      },
    );
    return this.#feature;
  }

  async resolveWebviewView(view: vscode.WebviewView): Promise<void> {
    (await this.feature()).resolveWebviewView(view);
  }

  async handleUri(uri: vscode.Uri): Promise<void> {
    await showFailure(this.#ports.log, async () => {
      const { openLink } = await this.feature();
      await openLink(uri);
    });
  }

  /** Settles when all that was asked and read is stored; at once if nothing was. */
  async flush(): Promise<void> {
    await (await this.#feature)?.flush();
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #run(id: CommandId, args: readonly unknown[]): Promise<void> {
    const { localService, log } = this.#ports;
    // Those that are the way out when the chat does not load do not wait for it.
    switch (id) {
      case commands.startLocalService:
        return localService.start();
      case commands.stopLocalService:
        return localService.stop();
      case commands.openLog:
        log.show();
        return;
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

/** What a command throws is shown with its ways out. */
async function showFailure(log: Log, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    await showError(error, log);
  }
}
