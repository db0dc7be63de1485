import os from 'node:os';
import * as vscode from 'vscode';

/** Proposes a name in the workspace or, without one, at home. Undefined if the person left. */
export async function askWhereToSave(
  name: string,
  options: Pick<vscode.SaveDialogOptions, 'title' | 'filters'> = {},
): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(os.homedir());
  return vscode.window.showSaveDialog({
    ...options,
    defaultUri: vscode.Uri.joinPath(folder, name),
  });
}
