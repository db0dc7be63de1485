import * as vscode from 'vscode';
import { randomUUID } from 'node:crypto';
import type { EditorProblem } from '../../../chat/context/problemsText';
import { baseName, workspacePath } from '../../../chat/context/documentPaths';
import { workspaceFolders } from '../editorSelection';
import { translate } from '../../notifications';

/**
 * Maximum number of problems that are attached, errors first. A broken build can mark every line.
 */
const MAX_PROBLEMS = 1_000;

const severities: Record<vscode.DiagnosticSeverity, EditorProblem['severity']> = {
  [vscode.DiagnosticSeverity.Error]: 'error',
  [vscode.DiagnosticSeverity.Warning]: 'warning',
  [vscode.DiagnosticSeverity.Information]: 'information',
  [vscode.DiagnosticSeverity.Hint]: 'hint',
};

interface ShownProblems {
  readonly problems: readonly EditorProblem[];
  /** Label of the chip that stands for the problems. */
  readonly label: string;
  /** URI of the file that the problems are in, or empty for the whole workspace. */
  readonly origin: string;
}

/** Returns the problems of the active editor's file or, if it has none, of the workspace. */
export function shownProblems(): ShownProblems {
  const uri = vscode.window.activeTextEditor?.document.uri;
  const ofFile = uri ? problemsOf([[uri, vscode.languages.getDiagnostics(uri)]]) : [];
  if (uri && ofFile.length > 0) {
    const label = translate('Problems in {0}', baseName(uri.path));
    return { problems: ofFile, label, origin: uri.toString() };
  }
  const problems = problemsOf(vscode.languages.getDiagnostics());
  return { problems, label: translate('Problems'), origin: '' };
}

/** Returns how many problems there are and where, or undefined if there are none. */
export function describeProblems(): { readonly detail: string } | undefined {
  const { problems, label } = shownProblems();
  if (problems.length === 0) return undefined;
  const paths = new Set(problems.map(({ path }) => path));
  const count = problems.length < MAX_PROBLEMS ? String(problems.length) : `${MAX_PROBLEMS}+`;
  return {
    detail:
      paths.size === 1
        ? translate('{0} in {1}', count, baseName([...paths][0] ?? label))
        : translate('{0} in {1} files', count, paths.size),
  };
}

/**
 * Returns the problems of the files without hints, which VS Code's Problems view leaves out too.
 */
function problemsOf(
  files: readonly (readonly [vscode.Uri, readonly vscode.Diagnostic[]])[],
): EditorProblem[] {
  const folders = workspaceFolders();
  return files
    .flatMap(([{ scheme, authority, path }, diagnostics]) => {
      const shown = diagnostics.filter(
        ({ severity }) => severity !== vscode.DiagnosticSeverity.Hint,
      );
      if (shown.length === 0) return [];
      const name = workspacePath({ scheme, authority, path }, folders);
      return shown.map((diagnostic) => ({ name, diagnostic }));
    })
    .sort((a, b) => a.diagnostic.severity - b.diagnostic.severity)
    .slice(0, MAX_PROBLEMS)
    .map(({ name, diagnostic }) => problemOf(name, diagnostic));
}

/** Returns a problem as plain values, with its related places. @param path of its file. */
export function problemOf(path: string, diagnostic: vscode.Diagnostic): EditorProblem {
  const { range, severity, message, source, code, relatedInformation = [] } = diagnostic;
  const value = typeof code === 'object' ? code.value : code;
  const link = typeof code === 'object' ? code.target.toString(true) : undefined;
  const folders = workspaceFolders();
  const related = relatedInformation.map(({ location, message: said }) => ({
    path: workspacePath(location.uri, folders),
    line: location.range.start.line + 1,
    message: said,
  }));
  return {
    path,
    line: range.start.line + 1,
    column: range.start.character + 1,
    severity: severities[severity],
    message,
    source,
    code: value === undefined ? undefined : String(value),
    link,
    related: related.length === 0 ? undefined : related,
  };
}

/**
 * Returns the terminal's selection or, if it has none, its last command with the output or, without
 * shell integration, its whole text. Returns an empty string if the terminal is empty.
 */
export async function readTerminal(terminal: vscode.Terminal): Promise<string> {
  const selected = selectionOf(terminal);
  if (selected !== undefined) return selected;
  // This copies nothing without shell integration, which knows where the last command began.
  const last = await copiedText('copyLastCommandAndLastCommandOutput');
  return last.trim() === '' ? copiedText('selectAll', 'copySelection', 'clearSelection') : last;
}

/**
 * Returns the selection of a terminal. VS Code provides it, although it is not in the stable API
 * types.
 */
export function selectionOf(terminal: vscode.Terminal): string | undefined {
  const selection: unknown = 'selection' in terminal ? terminal.selection : undefined;
  return typeof selection === 'string' && selection.trim() !== '' ? selection : undefined;
}

/**
 * Returns the text that VS Code's own commands copy from the active terminal, or an empty string. Extensions can read a
 * terminal only so. The clipboard holds the text for a moment, then gets its own text back.
 */
export async function copiedText(...names: readonly string[]): Promise<string> {
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  // A copy command that finds nothing leaves the clipboard unchanged. The mark shows that.
  const mark = `docs-assistant-${randomUUID()}`;
  try {
    await clipboard.writeText(mark);
    for (const name of names) {
      await vscode.commands.executeCommand(`workbench.action.terminal.${name}`);
    }
    const text = await clipboard.readText();
    return text === mark ? '' : text;
  } finally {
    await clipboard.writeText(before);
  }
}
