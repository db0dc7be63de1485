import * as vscode from 'vscode';

/** Returns the document that is open for a URI, which can have unsaved changes, or undefined. */
export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(
    (document) => document.uri.toString() === uri.toString(),
  );
}
