/** The questions of the workspace as items of the Test Explorer, with the problems of their files. */
import * as vscode from 'vscode';
import { plain } from '../../common/text/safeText';
import { DisposableStore, type Disposable } from '../../common/disposable';
import type { Log } from '../../common/ports';
import type { DocsQuestion, QuestionFile } from '../../questions/docsQuestion';
import { readQuestionFile } from '../../questions/readQuestionFile';
import { translate } from '../notifications';
import { isEditable, openDocument } from '../openDocument';
import { TypingPauses } from '../typingPauses';
import { findQuestionFiles, isQuestionPath, QUESTION_FILES } from './questionFilePattern';

/** Most files that are listed. A team keeps one for each of its docs. */
const MAX_FILES = 200;

/** Most problems of a file that its item names. The Problems panel has all. */
const MAX_SHOWN_PROBLEMS = 5;

/** A question of the workspace with its item. */
export interface TestedQuestion {
  readonly uri: vscode.Uri;
  readonly question: DocsQuestion;
  readonly item: vscode.TestItem;
}

/** Returns whether a document is a file of questions, also one outside of the workspace. */
function isQuestionFile(document: vscode.TextDocument): boolean {
  return isQuestionPath(document.uri.path) && isEditable(document);
}

/** Keeps the items of a test controller and the Problems panel in step with the files of questions. */
export class QuestionFiles implements Disposable {
  readonly #store = new DisposableStore();
  readonly #problems = this.#store.add(
    vscode.languages.createDiagnosticCollection('docsAssistant.questions'),
  );
  readonly #changed = this.#store.add(new vscode.EventEmitter<vscode.Uri>());
  readonly #pauses = this.#store.add(new TypingPauses());
  readonly #files = new Map<string, QuestionFile>();
  /** Number of the newest read of each file. An older read can end later and is ignored then. */
  readonly #readings = new Map<string, number>();
  readonly #controller: vscode.TestController;
  readonly #log: Log;

  /** Fires when the questions of a file have changed. */
  readonly onDidChange = this.#changed.event;

  constructor(controller: vscode.TestController, log: Log) {
    this.#controller = controller;
    this.#log = log;
    const { workspace } = vscode;
    const watcher = this.#store.add(workspace.createFileSystemWatcher(QUESTION_FILES));
    this.#store.add(watcher.onDidCreate((uri) => this.#readSoon(uri)));
    this.#store.add(watcher.onDidChange((uri) => this.#readSoon(uri)));
    this.#store.add(watcher.onDidDelete((uri) => this.#forget(uri)));
    this.#store.add(
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length === 0 || !isQuestionFile(document)) return;
        this.#pauses.after(document.uri, () => this.#readSoon(document.uri));
      }),
    );
    this.#store.add(
      workspace.onDidOpenTextDocument((document) => {
        if (isQuestionFile(document)) this.#readSoon(document.uri);
      }),
    );
    this.#store.add(
      workspace.onDidCloseTextDocument((document) => {
        if (!isQuestionFile(document)) return;
        // After closing, the text on disk counts again. A file outside the workspace is no longer
        // listed.
        if (workspace.getWorkspaceFolder(document.uri)) this.#readSoon(document.uri);
        else this.#problems.delete(document.uri);
      }),
    );
    this.#store.add(workspace.onDidChangeWorkspaceFolders(() => this.refreshSoon()));
  }

  /** Finds all files again. Resolves when they are read. */
  async refresh(): Promise<void> {
    const found = await findQuestionFiles(MAX_FILES);
    const open = vscode.workspace.textDocuments.filter(isQuestionFile).map(({ uri }) => uri);
    const names = new Set(found.map(String));
    for (const name of this.#files.keys()) {
      if (!names.has(name)) this.#forget(vscode.Uri.parse(name, true));
    }
    const all = new Map([...found, ...open].map((uri) => [uri.toString(), uri]));
    await Promise.all([...all.values()].map((uri) => this.#read(uri)));
  }

  /** Finds all files again in the background, and logs a failure. */
  refreshSoon(): void {
    this.refresh().catch((error: unknown) =>
      this.#log.error('Docs questions could not be read', error),
    );
  }

  /** All questions, in the order of their files. */
  get list(): readonly TestedQuestion[] {
    const all: TestedQuestion[] = [];
    for (const [, file] of this.#controller.items) {
      const { uri } = file;
      if (!uri) continue;
      for (const question of this.#files.get(uri.toString())?.questions ?? []) {
        const child = file.children.get(itemId(uri, question));
        if (child) all.push({ uri, question, item: child });
      }
    }
    return all;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #readSoon(uri: vscode.Uri): void {
    this.#read(uri).catch((error: unknown) =>
      this.#log.error('A file of docs questions could not be shown', error),
    );
  }

  async #read(uri: vscode.Uri): Promise<void> {
    const key = uri.toString();
    const reading = (this.#readings.get(key) ?? 0) + 1;
    this.#readings.set(key, reading);
    const text = await textOf(uri).catch(() => undefined);
    if (this.#readings.get(key) !== reading || this.#store.isDisposed) return;
    if (text === undefined) {
      this.#forget(uri);
      return;
    }
    const file = readQuestionFile(text, translate);
    this.#problems.set(uri, file.problems.map(diagnosticOf));
    if (!vscode.workspace.getWorkspaceFolder(uri)) return;
    this.#files.set(key, file);
    this.#show(uri, file);
    this.#changed.fire(uri);
  }

  #show(uri: vscode.Uri, { questions, problems }: QuestionFile): void {
    const { items } = this.#controller;
    const id = uri.toString();
    const known = items.get(id);
    const item =
      known ?? this.#controller.createTestItem(id, vscode.workspace.asRelativePath(uri), uri);
    const errors = problems.filter(({ severity }) => severity === 'error');
    item.error =
      errors.length === 0
        ? undefined
        : errors
            .slice(0, MAX_SHOWN_PROBLEMS)
            .map(({ message, range }) => translate('Line {0}: {1}', range.line, message))
            .join('\n');
    const children = questions.map((question, index) => {
      const childId = itemId(uri, question);
      const child =
        item.children.get(childId) ??
        this.#controller.createTestItem(childId, plain(question.name), uri);
      // VS Code would draw an icon for a name such as `$(pwd)`.
      child.label = plain(question.name);
      child.range = questionRange(question);
      // Questions stay in the order of their file.
      child.sortText = String(index).padStart(6, '0');
      return child;
    });
    item.children.replace(children);
    if (!known) items.add(item);
  }

  #forget(uri: vscode.Uri): void {
    const key = uri.toString();
    this.#readings.set(key, (this.#readings.get(key) ?? 0) + 1);
    this.#problems.delete(uri);
    this.#controller.items.delete(key);
    if (this.#files.delete(key)) this.#changed.fire(uri);
  }
}

export function questionRange({ lines }: DocsQuestion): vscode.Range {
  return new vscode.Range(lines.first - 1, 0, lines.last - 1, Number.MAX_SAFE_INTEGER);
}

function itemId(uri: vscode.Uri, { id }: DocsQuestion): string {
  return `${uri.toString()}\n${id}`;
}

/** Returns the text of an open document, or that on disk. */
async function textOf(uri: vscode.Uri): Promise<string> {
  const open = openDocument(uri);
  if (open) return open.getText();
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

function diagnosticOf({
  message,
  severity,
  range,
}: QuestionFile['problems'][number]): vscode.Diagnostic {
  const { line, column, endLine, endColumn } = range;
  const problem = new vscode.Diagnostic(
    new vscode.Range(line - 1, column - 1, endLine - 1, endColumn - 1),
    message,
    severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning,
  );
  problem.source = 'Docs Assistant';
  return problem;
}
