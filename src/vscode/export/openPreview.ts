import * as vscode from 'vscode';
import type { Previews, RunningPreview } from '../../export/preview/previews';

const SIMPLE_BROWSER = 'vscode.simple-browser';

/**
 * Shows a preview in VS Code's Simple Browser, or in the user's browser if that is missing.
 * @param address percent-encoded path from the site's root, query and fragment. Empty for the start.
 */
export async function showPreview(
  previews: Previews,
  preview: RunningPreview,
  address = '',
): Promise<void> {
  if (!vscode.extensions.getExtension(SIMPLE_BROWSER)) {
    await openPreviewOutside(previews, preview, address);
    return;
  }
  const url = await forwardedUrl(previews, preview, address);
  await vscode.commands.executeCommand('simpleBrowser.show', url);
}

/** Shows a preview in the user's browser. */
export async function openPreviewOutside(
  previews: Previews,
  preview: RunningPreview,
  address = '',
): Promise<void> {
  // `openExternal` forwards the port itself, to the host that this call allows.
  await forwardedUrl(previews, preview, address);
  await vscode.env.openExternal(vscode.Uri.parse(preview.url + address));
}

/**
 * Returns the URL at which the user's browser reaches a page of the preview, also in a remote window.
 * Only the root is forwarded, because code-server drops the path of what it forwards.
 */
async function forwardedUrl(
  previews: Previews,
  { id, url }: RunningPreview,
  address: string,
): Promise<string> {
  const page = new URL(url + address);
  const forwarded = await vscode.env.asExternalUri(vscode.Uri.parse(`${page.origin}/`));
  previews.allowHost(id, forwarded.authority);
  const outside = new URL(forwarded.toString(true));
  outside.pathname = outside.pathname.replace(/\/$/, '') + page.pathname;
  if (page.search !== '') outside.search = page.search;
  outside.hash = page.hash;
  return outside.href;
}
