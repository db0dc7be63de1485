import * as vscode from 'vscode';

/** Returns the document that is open for a URI, which can have unsaved changes, or undefined. */
export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(
    (document) => document.uri.toString() === uri.toString(),
  );
}

/** Returns whether a document is of a file that can be edited, unlike the old side of a diff editor. */
export function isEditable({ uri: { scheme } }: Pick<vscode.TextDocument, 'uri'>): boolean {
  return scheme === 'untitled' || vscode.workspace.fs.isWritableFileSystem(scheme) === true;
}

/** Closes the tabs with such an input, and keeps the focus where it is if `keepsFocus`. */
export async function closeTabs(
  isWanted: (input: unknown) => boolean,
  keepsFocus = false,
): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  await vscode.window.tabGroups.close(
    tabs.filter(({ input }) => isWanted(input)),
    keepsFocus,
  );
}
