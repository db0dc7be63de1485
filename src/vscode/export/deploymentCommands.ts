/** The commands that put a bundle's link into a deployment's configuration. */
import * as vscode from 'vscode';
import { parseUrl } from '../../common/parseUrl';
import { bundleAddress } from '../../staticExport/bundle';
import { deploymentText, type DeploymentFormat } from '../../staticExport/deploymentText';
import {
  replaceBundleLinks,
  setDeployment,
  type TextEdit,
} from '../../staticExport/deploymentValues';
import { ExportError } from '../../staticExport/exportErrors';
import type { ExportView } from '../../staticExport/exports';
import { exportCommands } from '../exportContributions';
import { plainText, translate } from '../notifications';
import type { BundleHandlers, BundlePorts } from './bundlePorts';
import { pickCompleted } from './pickCompleted';
import { chooseValuesFile, filesWithLinks, toRange } from './valuesFiles';
import { withProgress } from './withProgress';

const MS_PER_HOUR = 60 * 60 * 1000;

export function deploymentHandlers(ports: BundlePorts): BundleHandlers {
  return {
    [exportCommands.insertDeployment]: async (node) => {
      const view = await pickCompleted(ports, node);
      if (view) await insert(ports, view);
    },
    [exportCommands.copyDeployment]: async (node) => {
      const view = await pickCompleted(ports, node);
      if (view) await copy(ports, view);
    },
    [exportCommands.renewAndUpdate]: async (node) => {
      const view = await pickCompleted(ports, node);
      if (view) await renewAndUpdate(ports, view);
    },
  };
}

async function insert(ports: BundlePorts, view: ExportView): Promise<void> {
  const document = await chooseValuesFile();
  if (!document) return;
  const version = await askVersion();
  if (version === undefined) return;
  const link = await lastingLink(ports, view);
  if (link === undefined) return;
  const name = vscode.workspace.asRelativePath(document.uri);
  // Shown first: a file that cannot be edited is one to look at, and nothing comes between the
  // edits' offsets and their use.
  const editor = await vscode.window.showTextDocument(document);
  const { edits } = setDeployment(
    document.getText(),
    { bundleUrl: link, ...(version === '' ? {} : { version }) },
    name,
  );
  if (edits.length === 0) {
    void vscode.window.showInformationMessage(
      plainText(translate('{0} holds this configuration already.', name)),
    );
    return;
  }
  const edit = new vscode.WorkspaceEdit();
  addEdits(edit, document, edits);
  await apply(edit, name);
  const [first] = edits;
  if (first) editor.revealRange(toRange(document, first.start, first.start));
  // Left unsaved: the person looks at it first, and can undo it.
  void vscode.window.showInformationMessage(
    plainText(translate('The configuration is in {0}. Look at it and save it.', name)),
  );
}

async function copy(ports: BundlePorts, view: ExportView): Promise<void> {
  const forms: readonly (vscode.QuickPickItem & { readonly format: DeploymentFormat })[] = [
    { label: 'YAML', description: 'values.yaml', format: 'yaml' },
    { label: 'JSON', format: 'json' },
    {
      label: translate('Flags for Helm'),
      description: translate('--set and --set-string, quoted for POSIX shells'),
      format: 'helm',
    },
  ];
  const form = await vscode.window.showQuickPick(forms, {
    title: translate('Copy Deployment Configuration As'),
  });
  const version = form && (await askVersion());
  if (!form || version === undefined) return;
  const link = await lastingLink(ports, view);
  if (link === undefined) return;
  await vscode.env.clipboard.writeText(
    deploymentText({ bundleUrl: link, ...(version === '' ? {} : { version }) }, form.format),
  );
  void vscode.window.showInformationMessage(
    translate('The deployment configuration is on the clipboard.'),
  );
}

async function renewAndUpdate(ports: BundlePorts, view: ExportView): Promise<void> {
  const { id, exportDomain } = view.record;
  const title = translate('Renewing the bundle’s link of {0}…', exportDomain);
  const link = await withProgress(ports, title, (_report, signal) =>
    ports.exports.linkSource(id).renew(signal),
  );
  if (!link) return;
  const record = ports.exports.list.find((other) => other.record.id === id)?.record ?? view.record;
  const addresses = new Set(record.bundleAddresses ?? []);
  const isMine = (url: string): boolean =>
    parseUrl(url) !== undefined && addresses.has(bundleAddress(url)) && url !== link.url;
  const edit = new vscode.WorkspaceEdit();
  const edited: vscode.TextDocument[] = [];
  const toSave: vscode.TextDocument[] = [];
  for (const document of await filesWithLinks()) {
    const { edits } = replaceBundleLinks(document.getText(), isMine, link.url);
    if (edits.length === 0) continue;
    addEdits(edit, document, edits);
    edited.push(document);
    // A file with other unsaved changes is left for its author to save.
    if (!document.isDirty) toSave.push(document);
  }
  if (edited.length === 0) {
    await vscode.env.clipboard.writeText(link.url);
    void vscode.window.showInformationMessage(
      translate(
        'The link is renewed and on the clipboard. No values file of this workspace holds a link to this bundle.',
      ),
    );
    return;
  }
  await apply(edit, namesOf(edited));
  for (const document of toSave) await document.save();
  tellRenewed(edited);
}

function tellRenewed(edited: readonly vscode.TextDocument[]): void {
  const names = namesOf(edited);
  const renewed =
    edited.length === 1
      ? translate('The link is renewed in {0}.', names)
      : translate('The link is renewed in {0} files: {1}', edited.length, names);
  const unsaved = edited.filter(({ isDirty }) => isDirty);
  void vscode.window.showInformationMessage(
    plainText(
      unsaved.length === 0
        ? renewed
        : translate('{0} Not saved yet: {1}', renewed, namesOf(unsaved)),
    ),
  );
}

function namesOf(documents: readonly vscode.TextDocument[]): string {
  return documents.map(({ uri }) => vscode.workspace.asRelativePath(uri)).join(', ');
}

/** @throws {ExportError} where VS Code applies none of it, as when a file has changed meanwhile. */
async function apply(edit: vscode.WorkspaceEdit, names: string): Promise<void> {
  if (await vscode.workspace.applyEdit(edit)) return;
  throw new ExportError('values-not-usable', { path: names, reason: 'VS Code cannot edit it.' });
}

function addEdits(
  edit: vscode.WorkspaceEdit,
  document: vscode.TextDocument,
  edits: readonly TextEdit[],
): void {
  for (const { start, end, newText } of edits) {
    edit.replace(document.uri, toRange(document, start, end), newText);
  }
}

/** The link at hand if a file could hold it without being marked for it, else a fresh one. */
async function lastingLink(
  ports: BundlePorts,
  { record }: ExportView,
): Promise<string | undefined> {
  const source = ports.exports.linkSource(record.id);
  const { current } = source;
  const leftMs = (current?.expiresAt ?? Infinity) - ports.clock.now();
  if (current && leftMs > ports.mustLastHours() * MS_PER_HOUR) return current.url;
  const title = translate('Getting the bundle’s link of {0}…', record.exportDomain);
  const link = await withProgress(ports, title, (_report, signal) => source.renew(signal));
  return link?.url;
}

/** @returns an empty text to leave the version as it is; undefined if the person left. */
async function askVersion(): Promise<string | undefined> {
  const version = await vscode.window.showInputBox({
    title: translate('Pin a Version'),
    prompt: translate(
      'Label of the export version to pin, for rollouts that can be repeated. Empty: none is written.',
    ),
    placeHolder: 'v2',
    validateInput: (text) =>
      /^[\w.+-]{0,200}$/.test(text.trim())
        ? undefined
        : translate('A version label has letters, digits and . _ + - only.'),
  });
  return version?.trim();
}
