/** The commands that put a bundle link into a deployment's configuration. */
import * as vscode from 'vscode';
import { exportCommands } from '../../common/contributions';
import type { Clock } from '../../common/ports';
import type { ExportHandlers } from '../../export/commands/bundleCommands';
import { pickCompleted } from '../../export/commands/pickExport';
import type { ExportUi } from '../../export/commands/ui';
import { bundleAddress } from '../../export/download/bundleLink';
import { ExportError } from '../../export/exportErrors';
import type { Exports, ExportView } from '../../export/job/exports';
import { deploymentText, type DeploymentFormat } from '../../export/values/deploymentText';
import {
  replaceBundleLinks,
  setDeployment,
  type TextEdit,
} from '../../export/values/deploymentValues';
import { parseUrl } from '../../shared/links';
import { translate } from '../notifications';
import { chooseValuesFile, filesWithLinks, toRange } from './valuesFiles';

const MS_PER_HOUR = 60 * 60 * 1000;

interface DeploymentPorts {
  readonly exports: Exports;
  readonly ui: ExportUi;
  readonly clock: Clock;
  /** Minimum number of hours that a link in a values file must remain valid. */
  readonly mustLastHours: () => number;
}

/** Returns the handlers of the commands about a deployment's configuration. */
export function deploymentHandlers(ports: DeploymentPorts): ExportHandlers {
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

async function insert(ports: DeploymentPorts, view: ExportView): Promise<void> {
  const document = await chooseValuesFile();
  if (!document) return;
  const version = await askVersion(ports.ui);
  if (version === undefined) return;
  const link = await lastingLink(ports, view);
  if (link === undefined) return;
  const name = vscode.workspace.asRelativePath(document.uri);
  // The file opens first: the user may have to mend it, and no other edit may come between
  // computing the offsets and using them.
  const editor = await vscode.window.showTextDocument(document);
  const { edits } = setDeployment(
    document.getText(),
    { bundleUrl: link, ...(version === '' ? {} : { version }) },
    name,
  );
  if (edits.length === 0) {
    void ports.ui.inform(translate('{0} already contains this configuration.', name));
    return;
  }
  const edit = new vscode.WorkspaceEdit();
  addEdits(edit, document, edits);
  await apply(edit, name);
  const [first] = edits;
  if (first) editor.revealRange(toRange(document, first.start, first.start));
  // The file stays unsaved, so that the user can review the edit and undo it.
  void ports.ui.inform(translate('Added the configuration to {0}. Review it and save it.', name));
}

async function copy(ports: DeploymentPorts, view: ExportView): Promise<void> {
  const { ui } = ports;
  const format = await ui.choose<DeploymentFormat>(translate('Copy Deployment Configuration As'), [
    { label: 'YAML', description: 'values.yaml', value: 'yaml' },
    { label: 'JSON', value: 'json' },
    {
      label: translate('Helm flags'),
      description: translate('--set and --set-string, quoted for POSIX shells'),
      value: 'helm',
    },
  ]);
  const version = format && (await askVersion(ui));
  if (!format || version === undefined) return;
  const link = await lastingLink(ports, view);
  if (link === undefined) return;
  await ui.copy(
    deploymentText({ bundleUrl: link, ...(version === '' ? {} : { version }) }, format),
  );
  void ui.inform(translate('Deployment configuration copied.'));
}

async function renewAndUpdate(ports: DeploymentPorts, view: ExportView): Promise<void> {
  const { id, exportDomain } = view.record;
  const { ui } = ports;
  const title = translate('Renewing the bundle link for {0}', exportDomain);
  const link = await ui.progress(title, (_report, signal) =>
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
    // The user saves files that had other unsaved changes.
    if (!document.isDirty) toSave.push(document);
  }
  if (edited.length === 0) {
    await ui.copy(link.url);
    void ui.inform(
      translate(
        'Renewed the link and copied it. No values file in this workspace contains a link to this bundle.',
      ),
    );
    return;
  }
  await apply(edit, namesOf(edited));
  for (const document of toSave) await document.save();
  void ui.inform(renewedText(edited));
}

function renewedText(edited: readonly vscode.TextDocument[]): string {
  const names = namesOf(edited);
  const renewed =
    edited.length === 1
      ? translate('Renewed the link in {0}.', names)
      : translate('Renewed the link in {0} files: {1}.', edited.length, names);
  const unsaved = edited.filter(({ isDirty }) => isDirty);
  return unsaved.length === 0
    ? renewed
    : translate('{0} Not saved yet: {1}.', renewed, namesOf(unsaved));
}

function namesOf(documents: readonly vscode.TextDocument[]): string {
  return documents.map(({ uri }) => vscode.workspace.asRelativePath(uri)).join(', ');
}

/** Applies an edit. @throws {ExportError} if VS Code rejects it, as after a change of the file. */
async function apply(edit: vscode.WorkspaceEdit, names: string): Promise<void> {
  if (await vscode.workspace.applyEdit(edit)) return;
  throw new ExportError('values-not-usable', {
    path: names,
    reason: (t) => t('VS Code can’t edit it.'),
  });
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

/** Returns the current link if it remains valid for long enough, or a renewed one. */
async function lastingLink(
  ports: DeploymentPorts,
  { record }: ExportView,
): Promise<string | undefined> {
  const source = ports.exports.linkSource(record.id);
  const { current } = source;
  const leftMs = (current?.expiresAt ?? Infinity) - ports.clock.now();
  if (current && leftMs > ports.mustLastHours() * MS_PER_HOUR) return current.url;
  const title = translate('Getting the bundle link for {0}', record.exportDomain);
  const link = await ports.ui.progress(title, (_report, signal) => source.renew(signal));
  return link?.url;
}

/** Asks for a version. Returns an empty text for no version, or undefined if the user canceled. */
async function askVersion(ui: ExportUi): Promise<string | undefined> {
  const version = await ui.enter({
    title: translate('Pin a Version'),
    prompt: translate(
      'Version label to pin, for repeatable rollouts. Leave it empty to pin no version.',
    ),
    placeholder: 'v2',
    remarkOn: (text) =>
      /^[\w.+-]{0,200}$/.test(text.trim())
        ? undefined
        : {
            kind: 'error',
            text: translate('A version label can contain only letters, digits and . _ + -'),
          },
  });
  return version?.trim();
}
