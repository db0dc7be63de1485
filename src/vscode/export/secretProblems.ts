/**
 * Marks bundle links and keys of the platform in files that git tracks. Loaded with the first file
 * that may contain one.
 */
import * as vscode from 'vscode';
import { exportSettings, SETTINGS_SECTION } from '../../common/contributions';
import { DisposableStore, type Disposable } from '../../common/disposable';
import type { Clock, Log } from '../../common/ports';
import {
  moveEdits,
  removeEdits,
  trackedSecrets,
  variableNames,
  type TrackedSecret,
} from '../../export/values/trackedSecrets';
import { trackedSecretSign } from '../../export/values/secretSign';
import type { TextEdit } from '../../export/values/valuesEdits';
import { translate } from '../notifications';
import { TypingPauses } from '../typingPauses';
import { gitTracking, type GitTracking } from './gitTracking';
import { toRange } from './valuesFiles';

interface SecretProblemPorts {
  readonly secrets: { readonly values: readonly string[] };
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Longest text that is searched, in characters. Files into which people write links and keys are
 * shorter.
 */
const MAX_LENGTH = 2_000_000;

/** Command of the quick fix that moves a secret. It is not in the palette. */
const MOVE_COMMAND = 'docsAssistant.moveSecret';

export class SecretProblems implements Disposable {
  readonly #ports: SecretProblemPorts;
  readonly #store = new DisposableStore();
  readonly #problems = this.#store.add(
    vscode.languages.createDiagnosticCollection('docsAssistant.secrets'),
  );
  readonly #pauses = this.#store.add(new TypingPauses());
  readonly #git: GitTracking;

  constructor(ports: SecretProblemPorts) {
    this.#ports = ports;
    const { workspace } = vscode;
    this.#git = this.#store.add(gitTracking(() => this.#checkAll()));
    this.#store.add(workspace.onDidOpenTextDocument((document) => this.#check(document)));
    this.#store.add(workspace.onDidSaveTextDocument((document) => this.#check(document)));
    this.#store.add(workspace.onDidChangeTextDocument(({ document }) => this.#checkSoon(document)));
    this.#store.add(workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri)));
    this.#store.add(
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(SETTINGS_SECTION)) this.#checkAll();
      }),
    );
    this.#store.add(
      vscode.languages.registerCodeActionsProvider(
        '*',
        { provideCodeActions: (document, range) => this.#actions(document, range) },
        { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
      ),
    );
    this.#store.add(
      vscode.commands.registerCommand(MOVE_COMMAND, (uri: unknown, start: unknown) =>
        uri instanceof vscode.Uri && typeof start === 'number' ? this.#move(uri, start) : undefined,
      ),
    );
    this.#checkAll();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #checkAll(): void {
    for (const document of vscode.workspace.textDocuments) this.#check(document);
  }

  /** Searches an edited file soon if it is marked. Other files are searched when they are saved. */
  #checkSoon(document: vscode.TextDocument): void {
    if (!this.#problems.has(document.uri)) return;
    this.#pauses.after(document.uri, () => {
      if (!document.isClosed) this.#check(document);
    });
  }

  #forget(uri: vscode.Uri): void {
    this.#pauses.cancel(uri);
    this.#problems.delete(uri);
  }

  #check(document: vscode.TextDocument): void {
    this.#mark(document).catch((error: unknown) =>
      this.#ports.log.error('A file could not be looked through for secrets', error),
    );
  }

  async #mark(document: vscode.TextDocument): Promise<void> {
    const { version, uri } = document;
    const found = isOn() ? this.#secretsIn(document) : [];
    const isMarked = found.length > 0 && (await this.#git.isTracked(uri));
    // The document has changed meanwhile, so a later check follows.
    if (document.isClosed || document.version !== version) return;
    if (isMarked)
      this.#problems.set(
        uri,
        found.map((secret) => problemOf(document, secret)),
      );
    else if (this.#problems.has(uri)) this.#problems.delete(uri);
  }

  #secretsIn(document: vscode.TextDocument): TrackedSecret[] {
    const { clock, secrets } = this.#ports;
    if (vscode.workspace.fs.isWritableFileSystem(document.uri.scheme) !== true) return [];
    const text = document.getText();
    const known = secrets.values;
    const hasSign = trackedSecretSign.test(text) || known.some((secret) => text.includes(secret));
    if (!hasSign || text.length > MAX_LENGTH) return [];
    return trackedSecrets(text, { known, now: clock.now() });
  }

  #actions(document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
    const problems = (this.#problems.get(document.uri) ?? []).filter(
      (problem) => problem.range.intersection(range) !== undefined,
    );
    if (problems.length === 0) return [];
    const found = this.#secretsIn(document);
    return problems.flatMap((problem) => {
      const start = document.offsetAt(problem.range.start);
      const secret = found.find((other) => other.start === start);
      if (!secret) return [];
      const move = new vscode.CodeAction(
        translate('Move to the Variable {0}', variableNames[secret.kind]),
        vscode.CodeActionKind.QuickFix,
      );
      move.command = { command: MOVE_COMMAND, title: move.title, arguments: [document.uri, start] };
      move.isPreferred = true;
      const remove = new vscode.CodeAction(
        translate('Remove from This File'),
        vscode.CodeActionKind.QuickFix,
      );
      remove.edit = editOf(document, removeEdits(document.getText(), secret, document.uri.path));
      for (const action of [move, remove]) action.diagnostics = [problem];
      return [move, remove];
    });
  }

  /**
   * Replaces a secret by a reference to a variable, and copies the secret so that it can be stored.
   */
  async #move(uri: vscode.Uri, start: number): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri);
    const secret = this.#secretsIn(document).find((other) => other.start === start);
    if (!secret) return;
    const text = document.getText();
    const edit = editOf(document, moveEdits(text, secret, uri.path));
    // The secret is copied before the edit removes it, so that it can't be lost.
    await vscode.env.clipboard.writeText(text.slice(secret.start, secret.end));
    if (!(await vscode.workspace.applyEdit(edit))) return;
    void vscode.window.showInformationMessage(
      translate(
        'Copied the secret. Store it as {0} in your deployment’s environment. The file now refers to that variable.',
        variableNames[secret.kind],
      ),
    );
  }
}

function isOn(): boolean {
  const configuration = vscode.workspace.getConfiguration(undefined, null);
  return configuration.get<unknown>(exportSettings.markSecrets) !== false;
}

function problemOf(
  document: vscode.TextDocument,
  { kind, start, end }: TrackedSecret,
): vscode.Diagnostic {
  const isLink = kind === 'bundle-link';
  const problem = new vscode.Diagnostic(
    toRange(document, start, end),
    isLink
      ? translate(
          'This presigned bundle link is in a file that git tracks. Until it expires, everyone who reads the file can download the bundle.',
        )
      : translate(
          'This key is in a file that git tracks. Everyone who reads the repository can use it. Remove it and create a new one, because git keeps every version.',
        ),
    isLink ? vscode.DiagnosticSeverity.Information : vscode.DiagnosticSeverity.Warning,
  );
  problem.source = 'Docs Assistant';
  problem.code = kind;
  return problem;
}

function editOf(document: vscode.TextDocument, edits: readonly TextEdit[]): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  for (const { start, end, newText } of edits) {
    edit.replace(document.uri, toRange(document, start, end), newText);
  }
  return edit;
}
