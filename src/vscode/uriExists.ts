import * as vscode from 'vscode';

/** Returns whether a file or folder exists, on whichever file system VS Code has it. */
export async function uriExists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}
