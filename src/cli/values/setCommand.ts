/** `docs-assistant values set`: sets the link of a bundle in a values file. */
import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import { systemClock } from '../../common/clock';
import { systemErrorCode } from '../../common/errorCode';
import { exists, readUpTo } from '../../common/onDisk';
import { expiryInLink, parseBundleUrl } from '../../export/download/bundleLink';
import {
  DEFAULT_SECRET,
  isSecretName,
  manifestName,
  planValues,
  valuesForms,
  type ExternalStore,
  type LinkPlace,
  type ValuesForm,
} from '../../export/values/valuesForms';
import { durationText } from '../../shared/units';
import { runReported } from '../commandReporter';
import { CliError, type CliContext, exitCodes } from '../context';
import { readStdin } from '../namedFile';
import { shownPath } from '../places';
import { replaceKeepingMode, writePrivateFile } from '../../export/replaceFile';

/** Options of the command, as the parser of arguments returns them. */
export interface SetOptions {
  /** File with the link. An ExternalSecret needs none. */
  readonly linkFile?: string;
  readonly label?: string;
  /** Place of the link, one of `valuesForms`. */
  readonly as?: string;
  /** Name of the Kubernetes Secret. */
  readonly secret?: string;
  /** File of the manifest. */
  readonly manifest?: string;
  /** Name of the store. If it isn't a ClusterSecretStore, its kind and a slash come first. */
  readonly store?: string;
  /** Key of the link in the store, and the field of that secret. */
  readonly storeKey?: string;
  readonly storeField?: string;
  readonly json?: boolean;
}

/** Most bytes of a file with a link. Links have up to 16 KiB. */
const MAX_LINK_BYTES = 64 * 1024;
/** Most bytes of a values file. The values files of charts have a few kilobytes. */
const MAX_VALUES_BYTES = 10 * 1024 * 1024;

/** Edits the file. @returns the exit code. Failures have been reported then. */
export async function runSet(
  named: string,
  options: SetOptions,
  context: CliContext,
): Promise<number> {
  const { cwd, t } = context;
  return runReported(context, options, async (reporter) => {
    const version = options.label?.trim();
    if (version === '') throw new CliError(exitCodes.usage, t('--label needs a text.'));
    const form = namedForm(options, context);
    checkOptionsOf(form, options, context);
    const bundleUrl = form === 'external-secret' ? undefined : await namedLink(options, context);
    const files = {
      values: path.resolve(cwd, named),
      manifest: path.resolve(cwd, options.manifest ?? manifestName(named)),
    };
    const text = await readText(files.values, named, MAX_VALUES_BYTES, t);
    const place = await placeOf(form, bundleUrl, files.manifest, options, context);
    const values = { name: path.basename(files.values), text };
    const changes = planValues({ values, version, place });
    for (const { file, before, after } of changes) {
      await (before === undefined
        ? writePrivateFile(files[file], after)
        : replaceKeepingMode(files[file], after));
    }
    const shown = changes.map(({ file }) => shownPath(files[file], cwd));
    const expiresAt = bundleUrl === undefined ? undefined : expiryInLink(bundleUrl);
    const leftMs = expiresAt === undefined ? undefined : expiresAt - systemClock.now();
    reporter.tell(
      {
        event: 'values',
        file: files.values,
        changed: changes.length > 0,
        manifest: form === 'plain' ? undefined : files.manifest,
        expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt),
      },
      changes.length > 0
        ? t('Set the bundle in {0}.', shown.join(', '))
        : t('{0} already has this bundle.', named),
      ...(leftMs === undefined
        ? []
        : leftMs > 0
          ? [t('The link expires in {0}.', durationText(leftMs, t))]
          : [t('The link has expired. Get a new one before you deploy.')]),
    );
    return exitCodes.ok;
  });
}

function namedForm({ as = 'plain' }: SetOptions, { t }: CliContext): ValuesForm {
  const form = valuesForms.find((known) => known === as);
  if (form !== undefined) return form;
  throw new CliError(
    exitCodes.usage,
    t('--as doesn’t accept “{0}”. Choose from {1}.', as, valuesForms.join(', ')),
  );
}

/** Refuses options of another form. If they had no effect, the link would be in the file in spite of them. */
function checkOptionsOf(
  form: ValuesForm,
  { secret, manifest, store, storeKey, storeField }: SetOptions,
  { t }: CliContext,
): void {
  if (form !== 'external-secret' && (store ?? storeKey ?? storeField) !== undefined) {
    throw new CliError(
      exitCodes.usage,
      t('--store, --store-key and --store-field need --as external-secret.'),
    );
  }
  if (form === 'plain' && (secret ?? manifest) !== undefined) {
    throw new CliError(
      exitCodes.usage,
      t('--secret and --manifest need --as secret or --as external-secret.'),
    );
  }
}

function namedLink({ linkFile }: SetOptions, context: CliContext): Promise<string> {
  if (linkFile !== undefined) return readLink(linkFile, context);
  throw new CliError(
    exitCodes.usage,
    context.t('Use --link-file to name the file that contains the link.'),
  );
}

/** Returns the place of the link, with the current text of the manifest. */
async function placeOf(
  form: ValuesForm,
  bundleUrl: string | undefined,
  manifest: string,
  options: SetOptions,
  context: CliContext,
): Promise<LinkPlace> {
  if (form === 'plain') return { form, bundleUrl: bundleUrl ?? '' };
  const { t } = context;
  const secretName = options.secret ?? DEFAULT_SECRET;
  if (!isSecretName(secretName)) {
    throw new CliError(
      exitCodes.usage,
      t('--secret needs a name of lowercase letters, digits, hyphens and dots.'),
    );
  }
  const name = path.basename(manifest);
  const text = (await exists(manifest))
    ? await readText(manifest, name, MAX_VALUES_BYTES, t)
    : undefined;
  const file = { name, text };
  return form === 'secret'
    ? { form, bundleUrl: bundleUrl ?? '', secretName, manifest: file }
    : { form, secretName, manifest: file, store: namedStore(options, context) };
}

function namedStore({ store, storeKey, storeField }: SetOptions, { t }: CliContext): ExternalStore {
  const [, kind = 'ClusterSecretStore', name = ''] =
    /^(?:(ClusterSecretStore|SecretStore)\/)?([^/\s]+)$/.exec(store ?? '') ?? [];
  if (name === '' || storeKey === undefined) {
    throw new CliError(
      exitCodes.usage,
      t(
        'Set the secret store with --store, such as vault or SecretStore/vault. Set the key of the link with --store-key.',
      ),
    );
  }
  return {
    store: name,
    kind: kind === 'SecretStore' ? kind : 'ClusterSecretStore',
    key: storeKey.trim(),
    property: storeField,
  };
}

/** Returns the checked link from a file or from stdin. No error contains the link. */
async function readLink(named: string, context: CliContext): Promise<string> {
  const { cwd, t } = context;
  const text =
    named === '-'
      ? await readStdin(
          context,
          MAX_LINK_BYTES,
          t('stdin doesn’t contain a link. Pipe only the link into the command.'),
        )
      : await readText(path.resolve(cwd, named), named, MAX_LINK_BYTES, t);
  // Links to this machine are allowed, so that people can try the command with the local docs
  // service.
  const link = parseBundleUrl(text, 'http://127.0.0.1/');
  if (link.ok) return link.url;
  throw new CliError(exitCodes.usage, t('The bundle link can’t be used: {0}', t(link.reason)));
}

async function readText(
  file: string,
  named: string,
  limit: number,
  t: CliContext['t'],
): Promise<string> {
  const bytes = await readUpTo(file, limit).catch((error: unknown) => {
    const code = systemErrorCode(error);
    throw new CliError(
      exitCodes.notFound,
      code === 'ENOENT' ? t('{0} doesn’t exist.', named) : t('{0} can’t be read.', named),
    );
  });
  if (!bytes) throw new CliError(exitCodes.usage, t('{0} is too large.', named));
  // Decoding would replace bytes that aren't UTF-8, and writing the file would lose them.
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new CliError(
    exitCodes.file,
    t('{0} isn’t text in UTF-8. Save it as UTF-8, then try again.', named),
  );
}
