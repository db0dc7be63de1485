import * as vscode from 'vscode';
import type { Problem } from '../../context/mentionItems';
import { baseName, workspacePath } from '../../context/workspacePath';
import { workspaceFolders } from '../editorSelection';
import { translate } from '../notifications';

/** A broken build can mark everything: more than this says nothing more. Errors come first. */
const MAX_PROBLEMS = 1_000;

const severities: Record<vscode.DiagnosticSeverity, Problem['severity']> = {
  [vscode.DiagnosticSeverity.Error]: 'error',
  [vscode.DiagnosticSeverity.Warning]: 'warning',
  [vscode.DiagnosticSeverity.Information]: 'information',
  [vscode.DiagnosticSeverity.Hint]: 'hint',
};

interface ShownProblems {
  readonly problems: readonly Problem[];
  /** What a chip says of where they are. */
  readonly label: string;
  /** Which file they are in; empty for all of them. */
  readonly origin: string;
}

/** The problems of the file in the active editor or, if it has none, of the workspace. */
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

/** How many there are and where; undefined if there are none. */
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

/** Hints are no problems: VS Code's own list leaves them out too. */
function problemsOf(
  files: readonly (readonly [vscode.Uri, readonly vscode.Diagnostic[]])[],
): Problem[] {
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

function problemOf(path: string, diagnostic: vscode.Diagnostic): Problem {
  const { range, severity, message, source, code } = diagnostic;
  const value = typeof code === 'object' ? code.value : code;
  return {
    path,
    line: range.start.line + 1,
    column: range.start.character + 1,
    severity: severities[severity],
    message,
    ...(source === undefined ? {} : { source }),
    ...(value === undefined ? {} : { code: String(value) }),
  };
}
