import * as vscode from 'vscode';
import type { RunningPreview } from './openedSites';

const SIMPLE_BROWSER = 'vscode.simple-browser';

/** Shows a preview inside VS Code where the Simple Browser is there, else outside. */
export async function showPreview(preview: RunningPreview): Promise<void> {
  if (!vscode.extensions.getExtension(SIMPLE_BROWSER)) {
    await openPreviewOutside(preview);
    return;
  }
  const address = await vscode.env.asExternalUri(vscode.Uri.parse(preview.url));
  await vscode.commands.executeCommand('simpleBrowser.show', address.toString(true));
}

export async function openPreviewOutside({ url }: RunningPreview): Promise<void> {
  await vscode.env.openExternal(vscode.Uri.parse(url));
}
