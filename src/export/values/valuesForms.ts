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
import { UnreasonableYaml } from '../../common/text/yamlDocuments';
import { embeddedYaml } from './bundleLinks';
import { quoted } from './deploymentText';
import { setDeployment, setDeploymentWithoutLink } from './deploymentValues';
import { applyEdits } from './valuesEdits';
import { findPair, parseDocuments, refuse, type ValuesMap } from './valuesSource';

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
export interface ValuesPlan {
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
    const deployment = { bundleUrl, ...(version === undefined ? {} : { version }) };
    const after = setDeployment(before ?? '', deployment, values.name).text;
    return changed([{ file: 'values', name: values.name, before, after }]);
  }
  const { manifest, secretName } = place;
  const origin = `in the Secret ${secretName}, key ${SECRET_KEY}. See ${fileName(manifest.name)}.`;
  return changed([
    {
      file: 'manifest',
      name: manifest.name,
      before: manifest.text,
      after:
        place.form === 'secret'
          ? secretText(manifest, secretName, place.bundleUrl)
          : externalSecretText(manifest, secretName, place.store),
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
    const data = at(root, 'spec', 'data');
    if (textAt(root, 'kind') !== 'ExternalSecret' || !isSeq(data)) continue;
    for (const item of data.items) {
      const key = textAt(item, 'remoteRef', 'key');
      if (textAt(item, 'secretKey') !== 'bundleUrl' || key === undefined) continue;
      const property = textAt(item, 'remoteRef', 'property');
      return { key, ...(property === undefined ? {} : { property }) };
    }
  }
  return undefined;
}

function secretText(manifest: CurrentFile, secretName: string, bundleUrl: string): string {
  if (manifest.text !== undefined && manifest.text.trim() !== '') {
    return editedSecret(manifest.name, manifest.text, secretName, bundleUrl);
  }
  return `# The bundle link of the docs as Helm values. Everyone with this link can download the bundle until it
# expires. Encrypt this file, as with SOPS or Sealed Secrets, before you commit it.
${usageText(secretName)}
apiVersion: v1
kind: Secret
metadata:
  name: ${secretName}
type: Opaque
stringData:
  ${SECRET_KEY}: |
    staticExport:
      bundleUrl: ${quoted(bundleUrl)}
`;
}

function usageText(secretName: string): string {
  return `#
# Helm passes a Secret on in one of these ways:
# - Flux: spec.valuesFrom of the HelmRelease, with { kind: Secret, name: ${secretName} }. Inline values win, so
#   they must not set staticExport.bundleUrl.
# - Helm: kubectl get secret ${secretName} -o jsonpath='{.data.values\\.yaml}' | base64 -d |
#     helm upgrade RELEASE CHART -f values.yaml -f -
# - Argo CD reads no values from Secrets by itself. It needs a plugin, such as helm-secrets.`;
}

/** Sets the link in the Secret of an earlier change. Everything else stays as it is. */
function editedSecret(name: string, text: string, secretName: string, bundleUrl: string): string {
  for (const root of mapsOf(text)) {
    if (textAt(root, 'kind') !== 'Secret' || textAt(root, 'metadata', 'name') !== secretName) {
      continue;
    }
    const scalar = at(root, 'stringData', SECRET_KEY);
    const embedded = isScalar(scalar) ? embeddedYaml(text, scalar) : undefined;
    if (!embedded) continue;
    const { edits, text: inner } = setDeployment(embedded.text, { bundleUrl }, name, {
      isEnabled: false,
    });
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

function externalSecretText(
  manifest: CurrentFile,
  secretName: string,
  store: ExternalStore,
): string {
  if (manifest.text !== undefined && manifest.text.trim() !== '') {
    const there = externalLinkIn(manifest.text);
    if (there && there.key === store.key && there.property === store.property) return manifest.text;
    throw refuse(manifest.name, (t) =>
      t(
        'it exists and isn’t an ExternalSecret that reads the link from “{0}”. Choose another file, or edit it yourself.',
        store.key,
      ),
    );
  }
  return `# Reads the bundle link of the docs from a secret store, as Helm values. The link itself is in no file. Store
# it under ${quoted(store.key)}${store.property === undefined ? '' : `, field ${quoted(store.property)}`} after each release. Needs the External Secrets Operator.
${usageText(secretName)}
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
          staticExport:
            bundleUrl: {{ .bundleUrl | trim | toJson }}
  data:
    - secretKey: bundleUrl
      remoteRef:
        key: ${quoted(store.key)}${store.property === undefined ? '' : `\n        property: ${quoted(store.property)}`}
`;
}

function mapsOf(text: string): readonly ValuesMap[] {
  try {
    return parseDocuments(text).flatMap(({ errors, contents }) =>
      errors.length === 0 && isMap(contents) ? [contents] : [],
    );
  } catch (error) {
    if (error instanceof UnreasonableYaml) return [];
    throw error;
  }
}

function at(node: unknown, ...path: readonly string[]): unknown {
  return path.reduce(
    (found, key) => (isMap(found) ? findPair(found, key)?.value : undefined),
    node,
  );
}

function textAt(node: unknown, ...path: readonly string[]): string | undefined {
  const found = at(node, ...path);
  return isScalar(found) && typeof found.value === 'string' ? found.value : undefined;
}
