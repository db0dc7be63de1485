import * as vscode from 'vscode';
import type { DocumentSnapshot, SelectionSnapshot } from '../context/selectionItem';
import type { WorkspaceFolder } from '../context/workspacePath';

/** Longest wait for a language's symbols: a slow server must not hold the question back. */
const SYMBOLS_TIMEOUT_MS = 1500;

/** The editor's non-empty selections, in the order of the document. */
export function selectionsOf(editor: vscode.TextEditor): SelectionSnapshot[] {
  return editor.selections
    .filter((selection) => !selection.isEmpty)
    .toSorted((a, b) => a.start.compareTo(b.start))
    .map((selection) => rangeOf(editor.document, selection));
}

/** The whole text of a document. */
export function wholeOf(document: vscode.TextDocument): SelectionSnapshot {
  const end = document.lineAt(document.lineCount - 1).range.end;
  return rangeOf(document, new vscode.Range(new vscode.Position(0, 0), end));
}

/** The cells that are selected in a notebook whose cells have no focus themselves. */
export function selectedCellsOf(editor: vscode.NotebookEditor): SelectionSnapshot[] {
  return editor.selections
    .flatMap((range) => editor.notebook.getCells(range))
    .map((cell) => wholeOf(cell.document));
}

/** A range of a document as plain values. */
export function rangeOf(
  document: vscode.TextDocument,
  range: vscode.Range,
  symbol?: string,
): SelectionSnapshot {
  return {
    document: documentSnapshot(document),
    text: document.getText(range),
    startLine: range.start.line,
    startCharacter: range.start.character,
    endLine: range.end.line,
    endCharacter: range.end.character,
    ...(symbol === undefined ? {} : { symbol }),
  };
}

/** The symbols around a position, the innermost first; empty where the language tells none. */
export async function enclosingSymbols(
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<{ readonly name: string; readonly range: vscode.Range }[]> {
  const symbols = await Promise.race([
    vscode.commands.executeCommand<
      (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined
    >('vscode.executeDocumentSymbolProvider', document.uri),
    new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), SYMBOLS_TIMEOUT_MS)),
  ]);
  return around(symbols ?? [], position);
}

function around(
  symbols: readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[],
  position: vscode.Position,
): { name: string; range: vscode.Range }[] {
  return symbols.flatMap((symbol) => {
    const range = 'location' in symbol ? symbol.location.range : symbol.range;
    if (!range.contains(position)) return [];
    const inner = 'children' in symbol ? around(symbol.children, position) : [];
    return [...inner, { name: symbol.name, range }];
  });
}

function documentSnapshot(document: vscode.TextDocument): DocumentSnapshot {
  const cell = cellOf(document);
  const { scheme, authority, path } = cell?.notebook.uri ?? document.uri;
  return {
    uri: document.uri.toString(),
    scheme,
    authority,
    path,
    languageId: document.languageId,
    isUntitled: cell ? cell.notebook.isUntitled : document.isUntitled,
    ...(cell ? { cell: { id: cellId(cell), number: cell.index + 1 } } : {}),
    folders: workspaceFolders(),
  };
}

/** The folders that are open, as paths are made relative to them. */
export function workspaceFolders(): WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ name, uri }) => ({
    name,
    scheme: uri.scheme,
    authority: uri.authority,
    path: uri.path,
  }));
}

function cellOf(document: vscode.TextDocument): vscode.NotebookCell | undefined {
  if (document.uri.scheme !== 'vscode-notebook-cell') return undefined;
  return vscode.workspace.notebookDocuments
    .flatMap((notebook) => notebook.getCells())
    .find((cell) => cell.document === document);
}

/** Jupyter notebooks since format 4.5 give each cell an id of its own, which outlives the window. */
function cellId(cell: vscode.NotebookCell): string {
  const id: unknown = cell.metadata['id'];
  return typeof id === 'string' && id !== '' ? id : cell.document.uri.fragment;
}
