import * as vscode from 'vscode';
import type { RunningPreview } from './openedSites';
import type { Previews } from './previews';

const SIMPLE_BROWSER = 'vscode.simple-browser';

/** Shows a preview inside VS Code where the Simple Browser is there, else outside. */
export async function showPreview(previews: Previews, preview: RunningPreview): Promise<void> {
  if (!vscode.extensions.getExtension(SIMPLE_BROWSER)) {
    await openPreviewOutside(previews, preview);
    return;
  }
  const address = await forward(previews, preview);
  await vscode.commands.executeCommand('simpleBrowser.show', address.toString(true));
}

export async function openPreviewOutside(
  previews: Previews,
  preview: RunningPreview,
): Promise<void> {
  // Opening it forwards the port by itself, from the same host.
  await forward(previews, preview);
  await vscode.env.openExternal(vscode.Uri.parse(preview.url));
}

/** The address under which the person's browser gets at it, in a remote window too. */
async function forward(previews: Previews, { id, url }: RunningPreview): Promise<vscode.Uri> {
  const address = await vscode.env.asExternalUri(vscode.Uri.parse(url));
  previews.allowHost(id, address.authority);
  return address;
}
