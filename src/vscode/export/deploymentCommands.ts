/** The commands that put a bundle link into a deployment's configuration. */
import * as vscode from 'vscode';
import { exportCommands } from '../../common/contributions';
import type { Clock } from '../../common/ports';
import type { ExportHandlers } from '../../export/commands/bundleCommands';
import {
  nodeOf,
  pickCompleted,
  pickNewest,
  replacedAddresses,
} from '../../export/commands/pickExport';
import { offer, type WindowUi } from '../../common/windowUi';
import { bundleAddress } from '../../export/download/bundleLink';
import { type Exports, type ExportView, findExport } from '../../export/job/exports';
import type { ExportRecord } from '../../export/job/record';
import {
  deploymentText,
  type DeploymentFormat,
  isVersionLabel,
  offeredVersion,
} from '../../export/values/deploymentText';
import { renewBundleLinks } from '../../export/values/bundleLinks';
import {
  DEFAULT_SECRET,
  externalLinkIn,
  isSecretName,
  manifestName,
  planValues,
  type ExternalStore,
  type FileChange,
  type LinkPlace,
  type CurrentFile,
  type ValuesForm,
} from '../../export/values/valuesForms';
import { parseUrl } from '../../shared/links';
import { translate } from '../notifications';
import { uriExists } from '../uriExists';
import { chooseValuesFile, filesWithLinks } from './valuesFiles';
import { namesOf, type ReviewedChange, type ValuesReview } from './valuesReview';

const MS_PER_HOUR = 60 * 60 * 1000;

interface DeploymentPorts {
  readonly exports: Exports;
  readonly ui: WindowUi;
  readonly review: Pick<ValuesReview, 'run'>;
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
      const view = await pickNewest(ports, node);
      if (view) await renewAndUpdate(ports, view);
    },
  };
}

async function insert(ports: DeploymentPorts, view: ExportView): Promise<void> {
  const document = await chooseValuesFile(ports.ui);
  if (!document) return;
  const form = await chooseForm(ports.ui, document);
  if (!form) return;
  const version = await askVersion(ports.ui, view.record);
  if (version === undefined) return;
  const link = await lastingLink(ports, view);
  if (link === undefined) return;
  const manifest = form.manifest && (await openIfThere(form.manifest));
  const name = vscode.workspace.asRelativePath(document.uri);
  const changes = planValues({
    values: { name, text: document.getText() },
    place: form.place(link, {
      name: form.manifest ? vscode.workspace.asRelativePath(form.manifest) : '',
      text: manifest?.getText(),
    }),
    version: version === '' ? undefined : version,
  });
  if (changes.length === 0) {
    void ports.ui.inform(translate('{0} already contains this configuration.', name));
  } else {
    const applied = await ports.review.run(
      translate('Deployment Configuration of {0}', view.record.exportDomain),
      changes.map(({ file, after }) =>
        file === 'manifest' && form.manifest
          ? { uri: form.manifest, document: manifest, after }
          : { uri: document.uri, document, after },
      ),
    );
    if (!applied) return;
    void ports.ui.inform(appliedText(changes, document));
  }
  if (form.store) offerToStore(ports.ui, form.store, link);
}

function appliedText(
  changes: readonly FileChange[],
  { isDirty, isUntitled }: vscode.TextDocument,
): string {
  const names = changes.map(({ name }) => name).join(', ');
  return isDirty || isUntitled
    ? translate('Added the configuration to {0}. Review it and save it.', names)
    : translate('Added the configuration to {0}.', names);
}

/**
 * Offers to copy the link for the secret store, because this extension can't write to the store.
 */
function offerToStore(
  ui: WindowUi,
  { key, property }: Pick<ExternalStore, 'key' | 'property'>,
  link: string,
): void {
  const place = property === undefined ? key : `${key}, ${property}`;
  offer(
    ui,
    translate('No file contains the link. Store it in your secret store under “{0}”.', place),
    {
      [translate('Copy Link')]: () => ui.copy(link),
    },
  );
}

/** A form of {@link planValues} with the answers that it needs. */
interface ChosenForm {
  readonly place: (bundleUrl: string, manifest: CurrentFile) => LinkPlace;
  /** File of the manifest, unless the form is `plain`. */
  readonly manifest?: vscode.Uri;
  readonly store?: ExternalStore;
}

const plainForm: ChosenForm = { place: (bundleUrl) => ({ form: 'plain', bundleUrl }) };

async function chooseForm(
  ui: WindowUi,
  { uri, isUntitled }: vscode.TextDocument,
): Promise<ChosenForm | undefined> {
  // A manifest stands beside the values file, and a file without a folder has no such place.
  if (isUntitled) return plainForm;
  const manifest = uri.with({ path: manifestName(uri.path) });
  const shown = vscode.workspace.asRelativePath(manifest);
  const form = await ui.choose<ValuesForm>(translate('Choose the Place of the Bundle Link'), [
    {
      label: translate('In the values file'),
      detail: translate(
        'Everyone who can read the file can download the bundle until the link expires.',
      ),
      value: 'plain',
    },
    {
      label: translate('In a Kubernetes Secret'),
      description: shown,
      detail: translate(
        'The manifest contains the link, so encrypt it. The values file refers to the Secret.',
      ),
      value: 'secret',
    },
    {
      label: translate('In a secret store'),
      description: shown,
      detail: translate('An ExternalSecret refers to the link. No file contains the link itself.'),
      value: 'external-secret',
    },
  ]);
  if (form === undefined) return undefined;
  if (form === 'plain') return plainForm;
  const secretName = await askName(ui);
  if (secretName === undefined) return undefined;
  if (form === 'secret') {
    return {
      place: (bundleUrl, file) => ({ form, bundleUrl, secretName, manifest: file }),
      manifest,
    };
  }
  const store = await askStore(ui);
  return (
    store && {
      place: (_link, file) => ({ form, secretName, store, manifest: file }),
      manifest,
      store,
    }
  );
}

async function askName(ui: WindowUi): Promise<string | undefined> {
  const name = await ui.enter({
    title: translate('Name the Secret'),
    prompt: translate('Enter the name of the Kubernetes Secret for the bundle link.'),
    value: DEFAULT_SECRET,
    remarkOn: (text) =>
      isSecretName(text.trim())
        ? undefined
        : {
            kind: 'error',
            text: translate('A name can contain only lowercase letters, digits, hyphens and dots'),
          },
  });
  return name?.trim();
}

async function askStore(ui: WindowUi): Promise<ExternalStore | undefined> {
  const kind = await ui.choose<ExternalStore['kind']>(
    translate('Choose the Kind of Secret Store'),
    [
      { label: 'ClusterSecretStore', value: 'ClusterSecretStore' },
      { label: 'SecretStore', value: 'SecretStore' },
    ],
  );
  if (!kind) return undefined;
  const ask = async (
    title: string,
    prompt: string,
    placeholder: string,
  ): Promise<string | undefined> => {
    const text = await ui.enter({
      title,
      prompt,
      placeholder,
      remarkOn: (value) =>
        value.trim() === '' ? { kind: 'error', text: translate('Enter a value.') } : undefined,
    });
    return text?.trim();
  };
  const store = await ask(
    translate('Name the Secret Store'),
    translate('Enter the name of the {0} resource in the cluster.', kind),
    'vault',
  );
  if (store === undefined) return undefined;
  const key = await ask(
    translate('Name the Link’s Key'),
    translate('Enter the key of the bundle link in the secret store.'),
    'docs/bundle-link',
  );
  if (key === undefined) return undefined;
  const property = await ui.enter({
    title: translate('Name the Link’s Field'),
    prompt: translate(
      'Enter the field of the secret that contains the link. Leave empty if the secret has no fields.',
    ),
    placeholder: 'bundleUrl',
  });
  if (property === undefined) return undefined;
  return { store, kind, key, property: property.trim() === '' ? undefined : property.trim() };
}

/** Opens a file, or returns undefined if it doesn't exist. */
async function openIfThere(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  return (await uriExists(uri)) ? vscode.workspace.openTextDocument(uri) : undefined;
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
  const version = format && (await askVersion(ui, view.record));
  if (!format || version === undefined) return;
  const link = await lastingLink(ports, view);
  if (link === undefined) return;
  await ui.copy(
    deploymentText({ bundleUrl: link, version: version === '' ? undefined : version }, format),
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
  const record = findExport(ports.exports, id)?.record ?? view.record;
  const addresses = replacedAddresses(ports.exports, record);
  const isMine = (url: string): boolean =>
    parseUrl(url) !== undefined && addresses.has(bundleAddress(url)) && url !== link.url;
  const changes: Required<ReviewedChange>[] = [];
  let store: ReturnType<typeof externalLinkIn>;
  for (const document of await filesWithLinks(ports.ui)) {
    const text = document.getText();
    store ??= externalLinkIn(text);
    const file = { name: vscode.workspace.asRelativePath(document.uri), text };
    const { edits, text: after } = renewBundleLinks(file, isMine, link.url);
    if (edits.length > 0) changes.push({ uri: document.uri, document, after });
  }
  if (changes.length === 0) {
    if (store) {
      offerToStore(ui, store, link.url);
      return;
    }
    await ui.copy(link.url);
    offer(
      ui,
      translate(
        'Renewed the link and copied it. No values file in this workspace contains a link to this or an earlier bundle of {0}.',
        exportDomain,
      ),
      {
        [translate('Insert Deployment Configuration…')]: () =>
          ui.runCommand(exportCommands.insertDeployment, nodeOf(view)),
      },
    );
    return;
  }
  const applied = await ports.review.run(translate('Renewed Link of {0}', exportDomain), changes);
  if (applied) void ui.inform(renewedText(applied));
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

/**
 * Asks for a version, and offers the label of the export if the service took it.
 * @returns an empty text for no version, or undefined if the user canceled.
 */
async function askVersion(ui: WindowUi, record: ExportRecord): Promise<string | undefined> {
  const version = await ui.enter({
    title: translate('Pin a Version'),
    prompt: translate(
      'Enter a version label to pin, for repeatable rollouts. Leave empty to pin no version.',
    ),
    placeholder: 'v2',
    value: offeredVersion(record),
    remarkOn: (text) =>
      isVersionLabel(text.trim())
        ? undefined
        : {
            kind: 'error',
            text: translate('A version label can contain only letters, digits and . _ + -'),
          },
  });
  return version?.trim();
}
