/**
 * Plans the files that give a deployment its bundle link: a values file with the link, or without it
 * beside a Kubernetes Secret or an ExternalSecret.
 *
 * The deployment package documents three keys of `values.yaml` and no reference to a Secret. So the
 * Secret holds values of its own, which Flux and Helm merge with those of the values file.
 *
 * @see platform-api.md § What the service does, 7
 */
import { isMap, isScalar, isSeq } from 'yaml';
import { embeddedYaml, type EditedText } from './bundleLinks';
import { quoted } from './deploymentText';
import { deploymentPath, setDeployment, setDeploymentWithoutLink } from './deploymentValues';
import { applyEdits, keyText } from './valuesEdits';
import {
  isEncrypted,
  needsDecryption,
  nodeAt,
  nodeRange,
  pairKey,
  refuse,
  validDocuments,
  type ValuesMap,
} from './valuesSource';

export const valuesForms = ['plain', 'secret', 'external-secret'] as const;

/** Place of the link: the values file, a Secret, or an external store that an ExternalSecret names. */
export type ValuesForm = (typeof valuesForms)[number];

/** Place of the link in an external secret store. */
export interface ExternalStore {
  /** Name of the SecretStore or ClusterSecretStore. */
  readonly store: string;
  readonly kind: 'SecretStore' | 'ClusterSecretStore';
  /** Key of the secret in the store, such as `docs/bundle-link`. */
  readonly key: string;
  /** Field of a secret that has several, as in Vault. */
  readonly property?: string;
}

/** A file as it is now. Its text is undefined if the file doesn't exist. */
export interface CurrentFile {
  /** Name for errors and comments. */
  readonly name: string;
  readonly text?: string | undefined;
}

/** Place of the link with the settings that the place needs. */
export type LinkPlace =
  | { readonly form: 'plain'; readonly bundleUrl: string }
  | {
      readonly form: 'secret';
      readonly bundleUrl: string;
      readonly secretName: string;
      readonly manifest: CurrentFile;
    }
  | {
      readonly form: 'external-secret';
      readonly secretName: string;
      readonly manifest: CurrentFile;
      readonly store: ExternalStore;
    };

/** Content that the files get. */
interface ValuesPlan {
  readonly values: CurrentFile;
  readonly version?: string | undefined;
  readonly place: LinkPlace;
}

/** A file that changes. `before` is undefined for a new file. */
export interface FileChange {
  readonly file: 'values' | 'manifest';
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string;
}

export const DEFAULT_SECRET = 'docs-bundle-link';

/** Key of the Secret, which is the one that Flux reads if a HelmRelease names none. */
const SECRET_KEY = 'values.yaml';

/** Returns whether a text can name a Secret. */
export function isSecretName(text: string): boolean {
  return text.length <= 253 && /^[a-z\d](?:[a-z\d.-]*[a-z\d])?$/.test(text);
}

/** Returns the usual name of the manifest beside a values file, such as `values.bundle-link.yaml`. */
export function manifestName(valuesFile: string): string {
  return `${valuesFile.replace(/\.[^./\\]*$/, '')}.bundle-link.yaml`;
}

/**
 * Returns the files that change, the manifest first.
 * @throws {ExportError} `values-not-usable` for a values file that can't be edited safely, or a
 * manifest file with something else in it.
 */
export function planValues({ values, version, place }: ValuesPlan): readonly FileChange[] {
  const before = values.text;
  if (place.form === 'plain') {
    const { bundleUrl } = place;
    const deployment = { bundleUrl, version };
    const after = setDeployment(before ?? '', deployment, values.name).text;
    return changed([{ file: 'values', name: values.name, before, after }]);
  }
  const { manifest, secretName } = place;
  const path = deploymentPath(before ?? '', values.name);
  const origin = `in the Secret ${secretName}, key ${SECRET_KEY}. See ${fileName(manifest.name)}.`;
  return changed([
    {
      file: 'manifest',
      name: manifest.name,
      before: manifest.text,
      after:
        place.form === 'secret'
          ? secretText(manifest, secretName, path, place.bundleUrl)
          : externalSecretText(manifest, secretName, path, place.store),
    },
    {
      file: 'values',
      name: values.name,
      before,
      after: setDeploymentWithoutLink(before ?? '', { version, origin }, values.name),
    },
  ]);
}

function changed(changes: readonly FileChange[]): readonly FileChange[] {
  return changes.filter(({ before, after }) => before !== after);
}

function fileName(path: string): string {
  return path.replace(/^.*[/\\]/, '').replace(/\p{Cc}/gu, ' ');
}

/** Returns the link's place in a store, if a file is an ExternalSecret of {@link planValues}. */
export function externalLinkIn(text: string): Pick<ExternalStore, 'key' | 'property'> | undefined {
  if (!text.includes('ExternalSecret')) return undefined;
  for (const root of mapsOf(text)) {
    const link = externalLinkOf(root);
    if (link) return link;
  }
  return undefined;
}

function externalLinkOf(root: ValuesMap): Pick<ExternalStore, 'key' | 'property'> | undefined {
  const data = nodeAt(root, ['spec', 'data']);
  if (textAt(root, 'kind') !== 'ExternalSecret' || !isSeq(data)) return undefined;
  for (const item of data.items) {
    const key = textAt(item, 'remoteRef', 'key');
    if (textAt(item, 'secretKey') !== 'bundleUrl' || key === undefined) continue;
    return { key, property: textAt(item, 'remoteRef', 'property') };
  }
  return undefined;
}

/** Returns the values with the link, each line with the indentation. */
function linkText(path: readonly string[], link: string, indentation = ''): string {
  return [...path.map((key) => `${keyText(key)}:`), `bundleUrl: ${link}`]
    .map((line, depth) => `${indentation}${'  '.repeat(depth)}${line}`)
    .join('\n');
}

function secretText(
  manifest: CurrentFile,
  secretName: string,
  path: readonly string[],
  bundleUrl: string,
): string {
  if (manifest.text !== undefined && manifest.text.trim() !== '') {
    return editedSecret(manifest.name, manifest.text, secretName, path, bundleUrl);
  }
  return `# The bundle link of the docs as Helm values. Everyone with this link can download the bundle until it
# expires. Encrypt this file, as with SOPS or Sealed Secrets, before you commit it.
${usageText(secretName, path)}
apiVersion: v1
kind: Secret
metadata:
  name: ${secretName}
type: Opaque
stringData:
  ${SECRET_KEY}: |
${linkText(path, quoted(bundleUrl), '    ')}
`;
}

function usageText(secretName: string, path: readonly string[]): string {
  return `#
# Helm passes a Secret on in one of these ways:
# - Flux: spec.valuesFrom of the HelmRelease, with { kind: Secret, name: ${secretName} }. Inline values win, so
#   they must not set ${path.join('.')}.bundleUrl.
# - Helm: kubectl get secret ${secretName} -o jsonpath='{.data.values\\.yaml}' | base64 -d |
#     helm upgrade RELEASE CHART -f values.yaml -f -
# - Argo CD reads no values from Secrets by itself. It needs a plugin, such as helm-secrets.`;
}

/** Sets the link in the Secret of an earlier change. Everything else stays as it is. */
function editedSecret(
  name: string,
  text: string,
  secretName: string,
  path: readonly string[],
  bundleUrl: string,
): string {
  for (const root of mapsOf(text)) {
    if (isEncrypted(root)) throw refuse(name, needsDecryption);
    if (textAt(root, 'kind') !== 'Secret' || textAt(root, 'metadata', 'name') !== secretName) {
      continue;
    }
    const scalar = nodeAt(root, ['stringData', SECRET_KEY]);
    const embedded = isScalar(scalar) ? embeddedYaml(text, scalar) : undefined;
    if (!embedded) continue;
    const { edits, text: inner } =
      movedLink(embedded.text, path, quoted(bundleUrl)) ??
      setDeployment(embedded.text, { bundleUrl }, name, { isEnabled: false, path });
    const edited = applyEdits(
      text,
      edits.map((edit) => embedded.edit(edit)),
    );
    const isProven = mapsOf(edited).some(
      (each) =>
        textAt(each, 'stringData', SECRET_KEY)?.trimEnd() ===
        inner.trimEnd().replaceAll('\r\n', '\n'),
    );
    if (isProven) return edited;
  }
  throw refuse(name, (t) =>
    t(
      'it exists and isn’t the Secret “{0}” with the text “{1}”. Choose another file, or edit it yourself.',
      secretName,
      SECRET_KEY,
    ),
  );
}

/**
 * Moves a link to another path, if the text has nothing else. The values file decides about the path,
 * and the manifest can be from a time when it had another one.
 */
function movedLink(text: string, path: readonly string[], link: string): EditedText | undefined {
  const [root] = mapsOf(withoutTemplates(text));
  const found = root && pathOfOnly(root);
  if (!root || !found || found.join('\n') === path.join('\n')) return undefined;
  const [start = 0, end = 0] = nodeRange(root) ?? [];
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const newText = linkText(path, link).replaceAll('\n', eol);
  const edit = { start, end: start + text.slice(start, end).trimEnd().length, newText };
  return { text: applyEdits(text, [edit]), edits: [edit] };
}

/** Returns the text with a string in the place of each template, which isn’t YAML. */
function withoutTemplates(text: string): string {
  return text.replace(/\{\{[^{}]*\}\}/g, (template) => `"${' '.repeat(template.length - 2)}"`);
}

/** Returns the keys that lead to a link, or undefined if the map contains anything else. */
function pathOfOnly(map: ValuesMap): readonly string[] | undefined {
  const [only, ...others] = map.items;
  const key = only && pairKey(only);
  if (key === undefined || others.length > 0) return undefined;
  if (key === 'bundleUrl' && isScalar(only?.value)) return [];
  const rest = isMap(only?.value) ? pathOfOnly(only.value) : undefined;
  return rest && [key, ...rest];
}

const LINK_TEMPLATE = '{{ .bundleUrl | trim | toJson }}';

function externalSecretText(
  manifest: CurrentFile,
  secretName: string,
  path: readonly string[],
  store: ExternalStore,
): string {
  if (manifest.text !== undefined && manifest.text.trim() !== '') {
    return editedExternalSecret(manifest.name, manifest.text, secretName, path, store);
  }
  return `# Reads the bundle link of the docs from a secret store, as Helm values. The link itself is in no file. Store
# it under ${quoted(store.key)}${store.property === undefined ? '' : `, field ${quoted(store.property)}`} after each release. Needs the External Secrets Operator.
${usageText(secretName, path)}
apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata:
  name: ${secretName}
spec:
  refreshInterval: 10m
  secretStoreRef:
    kind: ${store.kind}
    name: ${quoted(store.store)}
  target:
    name: ${secretName}
    template:
      engineVersion: v2
      data:
        ${SECRET_KEY}: |
${linkText(path, LINK_TEMPLATE, '          ')}
  data:
    - secretKey: bundleUrl
      remoteRef:
        key: ${quoted(store.key)}${store.property === undefined ? '' : `\n        property: ${quoted(store.property)}`}
`;
}

/** Returns the ExternalSecret of an earlier change with the link below the keys of the path. */
function editedExternalSecret(
  name: string,
  text: string,
  secretName: string,
  path: readonly string[],
  store: ExternalStore,
): string {
  if (!mapsOf(text).some((root) => readsFrom(root, secretName, store))) {
    throw refuse(name, (t) =>
      t(
        'it exists and isn’t the ExternalSecret “{0}” that reads the link from “{1}” in the {2} “{3}”. Choose another file, or edit it yourself.',
        secretName,
        store.key,
        store.kind,
        store.store,
      ),
    );
  }
  const edits = mapsOf(text).flatMap((root) => {
    const scalar = nodeAt(root, ['spec', 'target', 'template', 'data', SECRET_KEY]);
    const embedded = isScalar(scalar) ? embeddedYaml(text, scalar) : undefined;
    const moved = embedded && movedLink(embedded.text, path, LINK_TEMPLATE);
    return moved?.edits.map((edit) => embedded?.edit(edit) ?? edit) ?? [];
  });
  return applyEdits(text, edits);
}

/** Returns whether an ExternalSecret reads the link from there. A name that it leaves out has a default that may fit. */
function readsFrom(
  root: ValuesMap,
  secretName: string,
  { kind, store, key, property }: ExternalStore,
): boolean {
  const link = externalLinkOf(root);
  const hasOrLacks = (text: string, ...names: readonly string[]): boolean =>
    (textAt(root, 'spec', ...names) ?? text) === text;
  return (
    link?.key === key &&
    link.property === property &&
    hasOrLacks(secretName, 'target', 'name') &&
    hasOrLacks(kind, 'secretStoreRef', 'kind') &&
    hasOrLacks(store, 'secretStoreRef', 'name')
  );
}

function mapsOf(text: string): readonly ValuesMap[] {
  return validDocuments(text).flatMap(({ contents }) => (isMap(contents) ? [contents] : []));
}

function textAt(node: unknown, ...path: readonly string[]): string | undefined {
  const found = nodeAt(node, path);
  return isScalar(found) && typeof found.value === 'string' ? found.value : undefined;
}
