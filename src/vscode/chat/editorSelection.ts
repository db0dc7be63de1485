import * as vscode from 'vscode';
import { MAX_IMPORTS_TEXT, packagesUsedIn } from '../../chat/context/coveredPackages';
import type { DocumentSnapshot, SelectionSnapshot } from '../../chat/context/selectionItem';
import type { WorkspaceFolder } from '../../chat/context/documentPaths';
import type { ContextItem } from '../../chat/context/contextItem';
import { plainText, translate } from '../notifications';

/**
 * Longest wait for a document's symbols, so that a slow language server doesn't hold the question
 * back.
 */
const SYMBOLS_TIMEOUT_MS = 1500;

/** Returns the editor's non-empty selections, in document order. */
export function selectionsOf(editor: vscode.TextEditor): SelectionSnapshot[] {
  return editor.selections
    .filter((selection) => !selection.isEmpty)
    .toSorted((a, b) => a.start.compareTo(b.start))
    .map((selection) => rangeSnapshot(editor.document, selection));
}

export function wholeOf(document: vscode.TextDocument): SelectionSnapshot {
  const end = document.lineAt(document.lineCount - 1).range.end;
  return rangeSnapshot(document, new vscode.Range(new vscode.Position(0, 0), end));
}

export function selectedCellsOf(editor: vscode.NotebookEditor): SelectionSnapshot[] {
  return editor.selections
    .flatMap((range) => editor.notebook.getCells(range))
    .map((cell) => wholeOf(cell.document));
}

/** Returns a range of a document as plain values. */
export function rangeSnapshot(
  document: vscode.TextDocument,
  range: vscode.Range,
  symbol?: string,
): SelectionSnapshot {
  const text = document.getText(range);
  return {
    document: documentSnapshot(document),
    text,
    startLine: range.start.line,
    startCharacter: range.start.character,
    endLine: range.end.line,
    endCharacter: range.end.character,
    symbol,
    imports: packagesUsedIn(document.languageId, startOf(document), text),
  };
}

/** Returns the beginning of a document, which has its imports. */
export function startOf(document: vscode.TextDocument): string {
  const end = document.positionAt(MAX_IMPORTS_TEXT);
  return document.getText(new vscode.Range(new vscode.Position(0, 0), end));
}

/**
 * Returns the symbols around a position, the innermost first. Empty if the language has no symbols.
 */
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
    cell: cell ? { id: cellId(cell), number: cell.index + 1 } : undefined,
    folders: workspaceFolders(),
  };
}

/** Returns the folders of the workspace as plain values. */
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

/**
 * Returns an ID for a cell. Jupyter notebooks from format 4.5 on store one, which outlives the
 * window.
 */
function cellId(cell: vscode.NotebookCell): string {
  const id: unknown = cell.metadata['id'];
  return typeof id === 'string' && id !== '' ? id : cell.document.uri.fragment;
}

/** Opens the document of a context item and selects its range, as far as the range still exists. */
export async function revealContextItem({ target, label }: ContextItem): Promise<void> {
  if (!target) return;
  const selection = new vscode.Range(
    target.startLine,
    target.startCharacter,
    target.endLine,
    target.endCharacter,
  );
  try {
    const uri = vscode.Uri.parse(target.uri, true);
    if (uri.scheme === 'vscode-notebook-cell') {
      await revealCell(uri);
      return;
    }
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, {
      selection: document.validateRange(selection),
    });
  } catch {
    void vscode.window.showWarningMessage(
      plainText(translate('{0} no longer exists. The question still includes its text.', label)),
    );
  }
}

async function revealCell(uri: vscode.Uri): Promise<void> {
  const cell = vscode.workspace.notebookDocuments
    .flatMap((notebook) => notebook.getCells())
    .find(({ document }) => document.uri.toString() === uri.toString());
  if (!cell) throw new Error('The cell is gone');
  const range = new vscode.NotebookRange(cell.index, cell.index + 1);
  const editor = await vscode.window.showNotebookDocument(cell.notebook, { selections: [range] });
  editor.revealRange(range);
}
