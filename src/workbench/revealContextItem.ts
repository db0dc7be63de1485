import * as vscode from 'vscode';
import type { ContextItem } from '../context/contextItem';
import { plainText, translate } from './notifications';

/** Shows where a context item comes from and selects its range, as far as it still exists. */
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
      plainText(translate('{0} is no longer there. The question still carries its text.', label)),
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
