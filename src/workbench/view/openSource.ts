import * as vscode from 'vscode';
import type { Log } from '../../common/ports';
import { sourceAddress } from '../../context/sourceAddress';
import type { SourceTarget } from '../../shared/protocol';
import type { SourcePart } from '../../shared/uiMessage';
import type { ActiveSite } from '../activeSite';
import type { SourcePlace } from '../contributions';
import { plainText, translate } from '../notifications';
import { openLink } from '../openLink';
import { openableLink } from '../openableLink';
import type { SourceFile, SourceFiles } from './sourceFile';

/** The extension that is the Simple Browser, and its command for other extensions. */
const SIMPLE_BROWSER = 'vscode.simple-browser';
const OPEN_IN_SIMPLE_BROWSER = 'simpleBrowser.api.open';

interface OpenSourcePorts {
  readonly files: SourceFiles;
  readonly site: ActiveSite;
  readonly log: Log;
}

/**
 * Opens a source where a person, or else the setting, says; in the browser where that fails. What
 * has no web address opens as its own file, or not at all.
 *
 * @param address its web address, or what the service sent in the place of one.
 */
export async function openSource(
  source: SourcePart,
  address: string,
  target: SourceTarget | undefined,
  place: SourcePlace,
  { files, site, log }: OpenSourcePorts,
): Promise<void> {
  const wanted: SourceTarget | 'auto' =
    target ?? (place === 'simpleBrowser' ? 'simple-browser' : place);
  const isPathAlone =
    sourceAddress(address)?.url === undefined && openableLink(address) === undefined;
  if (wanted === 'file' || wanted === 'auto' || isPathAlone) {
    const file = await files.find(source);
    if (file && (wanted === 'file' || file.isInWorkspace)) {
      await showFile(file);
      return;
    }
    if (isPathAlone) {
      void vscode.window.showWarningMessage(
        plainText(
          translate(
            'The page “{0}” is not in this workspace, and it has no web address.',
            source.url,
          ),
        ),
      );
      return;
    }
  }
  const href = await currentAddress({ ...source, url: address }, files, site);
  if (wanted === 'simple-browser') await openBeside(href, log);
  else await openLink(href, log);
}

/** In VS Code's own browser, beside what is being edited; outside where it has none. */
async function openBeside(href: string, log: Log): Promise<void> {
  const link = openableLink(href);
  const isWeb = link !== undefined && /^https?:/.test(link);
  if (!isWeb || !vscode.extensions.getExtension(SIMPLE_BROWSER)) {
    await openLink(href, log);
    return;
  }
  // In a remote window the page's host is not this one's.
  const address = await vscode.env.asExternalUri(vscode.Uri.parse(link, true));
  try {
    await vscode.commands.executeCommand(OPEN_IN_SIMPLE_BROWSER, address, {
      viewColumn: vscode.ViewColumn.Beside,
    });
  } catch (error) {
    log.warn(`The Simple Browser did not open: ${String(error)}`);
    await openLink(href, log);
  }
}

async function showFile({ uri, line, isInWorkspace }: SourceFile): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const start = new vscode.Position(Math.min(line ?? 0, document.lineCount - 1), 0);
  const editor = await vscode.window.showTextDocument(document, {
    selection: new vscode.Range(start, start),
  });
  editor.revealRange(new vscode.Range(start, start), vscode.TextEditorRevealType.AtTop);
  if (!isInWorkspace && isOfExtension(uri)) {
    // The sample docs are part of the extension: a change would be lost with its next version.
    await vscode.commands.executeCommand('workbench.action.files.setActiveEditorReadonlyInSession');
  }
}

function isOfExtension(uri: vscode.Uri): boolean {
  return vscode.extensions.all.some(
    ({ extensionUri, packageJSON }) =>
      (packageJSON as { readonly name?: unknown }).name === 'docs-assistant' &&
      uri.path.startsWith(`${extensionUri.path}/`),
  );
}

/** A page of the local docs service has the port that the service listens on now. */
async function currentAddress(
  source: SourcePart,
  files: SourceFiles,
  { local }: ActiveSite,
): Promise<string> {
  const url = sourceAddress(source.url)?.url;
  if (!local || !url || url.origin === new URL(local.url).origin) return source.url;
  if (!(await files.findInService(source))) return source.url;
  return new URL(url.pathname + url.search + url.hash, local.url).href;
}
