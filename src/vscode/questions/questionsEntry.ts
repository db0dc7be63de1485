import * as vscode from 'vscode';
import { questionCommands, type QuestionCommandId } from '../../common/contributions';
import { DisposableStore, type Disposable } from '../../common/disposable';
import { Lazy } from '../../common/lazy';
import type { Log } from '../../common/ports';
import { showFailure } from '../showFailure';
import { findQuestionFiles, isQuestionPath, QUESTION_FILES } from './questionFilePattern';
import type { QuestionsFeature } from './questionsFeature';

interface QuestionsEntryPorts {
  /** Loads the code of docs questions and its libraries. */
  readonly load: () => Promise<QuestionsFeature>;
  readonly log: Log;
}

/**
 * The part of docs questions that loads at the start: its commands, and the search for files of
 * questions. The rest loads with the first command or file, so that a window without questions has
 * no Test Explorer.
 */
export class QuestionsEntry implements Disposable {
  readonly #ports: QuestionsEntryPorts;
  readonly #store = new DisposableStore();
  readonly #feature = new Lazy(async () => this.#store.add(await this.#ports.load()));

  constructor(ports: QuestionsEntryPorts) {
    this.#ports = ports;
    for (const id of Object.values(questionCommands)) {
      this.#store.add(
        vscode.commands.registerCommand(id, (...args: unknown[]) => this.run(id, ...args)),
      );
    }
    const { workspace } = vscode;
    const watcher = this.#store.add(workspace.createFileSystemWatcher(QUESTION_FILES, false, true));
    this.#store.add(watcher.onDidCreate(() => this.#loadSoon()));
    this.#store.add(workspace.onDidChangeWorkspaceFolders(() => void this.#look()));
    this.#store.add(workspace.onDidOpenTextDocument((document) => this.#lookAt(document)));
    for (const document of workspace.textDocuments) this.#lookAt(document);
    void this.#look();
  }

  /** Runs a command and shows its error, if it has one. */
  async run(id: QuestionCommandId, ...args: unknown[]): Promise<void> {
    await showFailure(this.#ports.log, async () => (await this.#feature.get()).run(id, args));
  }

  dispose(): void {
    this.#store.dispose();
  }

  #lookAt({ uri }: vscode.TextDocument): void {
    if (isQuestionPath(uri.path)) this.#loadSoon();
  }

  async #look(): Promise<void> {
    if (this.#feature.current) return;
    const found = await findQuestionFiles(1);
    if (found.length > 0) this.#loadSoon();
  }

  #loadSoon(): void {
    this.#feature.get().catch((error: unknown) => this.#ports.log.error('Docs questions', error));
  }
}
