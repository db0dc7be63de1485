/** Finds the docs that a command asks, from its options and the environment. */
import { isLoopbackHost, parseApiAddress } from '../common/http/address';
import type { DocsTarget } from '../docsTools/docsTools';
import type { AskFilter } from '../shared/askFilter';
import type { AskSettings } from '../site/activeSite';
import { settingDefaults } from '../site/settingsSchema';
import { keyKind, parseSiteInput } from '../site/siteInput';
import { CliError, exitCodes, nonEmpty, type CliContext } from './context';
import type { TargetPorts } from './localTarget';

/** Options that name the docs to ask, as the parser of arguments returns them. */
export interface TargetOptions {
  /** Folder, bundle or URL of a public site. */
  readonly docs?: string;
  /** Folder whose installed packages are asked. True for the current folder. */
  readonly installed?: string | boolean;
  /** Name of the only installed package to ask, with or without a version. */
  readonly package?: string;
  /** Domain of a site of the docs platform. */
  readonly site?: string;
  readonly baseUrl?: string;
  readonly filterVersion?: string;
  readonly filterLanguage?: string;
  readonly filterGroup?: readonly string[];
  readonly modelEndpoint?: string;
  readonly model?: string;
  readonly embeddingModel?: string;
  /** Seconds without data before a reply times out. */
  readonly timeout?: number;
  readonly verbose?: boolean;
}

/** A site of the docs platform, or docs on this machine, which must be opened first. */
type NamedTarget =
  | { readonly kind: 'hosted'; readonly target: DocsTarget }
  | { readonly kind: 'installed'; readonly folder: string; readonly package: string | undefined }
  | { readonly kind: 'local'; readonly docs: string };

/**
 * Returns the docs that the options name. Options win over the environment, and docs on this
 * machine win over a site.
 * @throws {CliError} for options that contradict each other, missing values, and keys that can't be
 * used.
 */
export function namedTarget(
  options: TargetOptions,
  { env, t }: Pick<CliContext, 'env' | 't'>,
): NamedTarget {
  const hasSiteOption = options.site !== undefined || options.baseUrl !== undefined;
  const installed = installedTarget(options);
  if (installed && (options.docs !== undefined || hasSiteOption)) {
    throw new CliError(
      exitCodes.usage,
      t('Choose one: --docs, --installed with --package, or --site with --base-url.'),
    );
  }
  if (installed) return installed;
  if (options.docs !== undefined && hasSiteOption) {
    throw new CliError(exitCodes.usage, t('Choose one: --docs, or --site with --base-url.'));
  }
  const docs = options.docs ?? (hasSiteOption ? undefined : nonEmpty(env['DOCS_ASSISTANT_DOCS']));
  if (docs !== undefined) return { kind: 'local', docs };

  const site = nonEmpty(options.site) ?? nonEmpty(env['DOCS_ASSISTANT_SITE']);
  const baseUrl = nonEmpty(options.baseUrl) ?? nonEmpty(env['DOCS_ASSISTANT_BASE_URL']);
  if (site === undefined && baseUrl === undefined) {
    throw new CliError(
      exitCodes.notSetUp,
      t('No docs are set. Use --docs with a folder, a bundle or a URL, or --site with --base-url.'),
    );
  }
  return { kind: 'hosted', target: hostedTarget(site, baseUrl, options, { env, t }) };
}

/** Returns the installed packages that the options name. A package alone is one of the current folder. */
function installedTarget({
  installed,
  package: named,
}: TargetOptions): Extract<NamedTarget, { kind: 'installed' }> | undefined {
  if (installed === undefined && named === undefined) return undefined;
  const folder = typeof installed === 'string' ? installed : '.';
  return { kind: 'installed', folder, package: named?.trim() };
}

function hostedTarget(
  site: string | undefined,
  baseUrl: string | undefined,
  options: TargetOptions,
  { env, t }: Pick<CliContext, 'env' | 't'>,
): DocsTarget {
  const input = site === undefined ? undefined : parseSiteInput(site);
  if (input?.ok === false) {
    throw new CliError(exitCodes.usage, t(input.message, input.detail ?? ''));
  }
  const url = baseUrl ?? input?.baseUrl;
  if (url === undefined) {
    throw new CliError(
      exitCodes.notSetUp,
      t('Set the base URL of the docs platform with --base-url or DOCS_ASSISTANT_BASE_URL.'),
    );
  }
  const address = parseApiAddress(url, 'assistant');
  if (!address.ok) throw new CliError(exitCodes.usage, t(address.message, address.detail ?? ''));
  const domain = input?.domain ?? address.domain;
  if (domain === undefined) {
    throw new CliError(
      exitCodes.notSetUp,
      t('Set the docs site with --site or DOCS_ASSISTANT_SITE.'),
    );
  }
  const { host, hostname } = new URL(address.baseUrl);
  return {
    settings: askSettings(address.baseUrl, domain, options),
    label: `${domain} · ${host}`,
    key: assistantKey(host, { env, t }),
    spendsCredit: !isLoopbackHost(hostname),
  };
}

/**
 * Returns the assistant key from the environment.
 * @throws {CliError} if there is none, or it is a key of another kind.
 */
function assistantKey(host: string, { env, t }: Pick<CliContext, 'env' | 't'>): string {
  const text = nonEmpty(env['DOCS_ASSISTANT_KEY']);
  if (text === undefined) {
    throw new CliError(
      exitCodes.key,
      t('Set DOCS_ASSISTANT_KEY to the assistant key of {0}, then try again.', host),
    );
  }
  const parsed = keyKind(text);
  if (!parsed.ok) {
    throw new CliError(exitCodes.key, `DOCS_ASSISTANT_KEY: ${t(parsed.message)}`);
  }
  if (parsed.kind === 'assistant') return parsed.key;
  throw new CliError(
    exitCodes.key,
    parsed.kind === 'admin'
      ? t(
          'DOCS_ASSISTANT_KEY looks like an admin key, which must stay secret and was not sent. Use an assistant key, which looks like <prefix>_dsc_<letters and digits>.',
        )
      : t(
          'DOCS_ASSISTANT_KEY looks like a user key and was not sent. Use an assistant key, which looks like <prefix>_dsc_<letters and digits>.',
        ),
  );
}

function askSettings(
  baseUrl: string | undefined,
  domain: string | undefined,
  options: TargetOptions,
): AskSettings {
  const { timeout = settingDefaults.timeoutSeconds } = options;
  return {
    baseUrl,
    assistantDomain: domain,
    fp: settingDefaults.fp,
    retrievalPageSize: settingDefaults.retrievalPageSize,
    filter: filterOf(options),
    idleTimeoutMs: timeout * 1000,
    // A proxy may hold back the whole reply before it sends the first byte.
    headersTimeoutMs: timeout * 2000,
  };
}

function filterOf({ filterVersion, filterLanguage, filterGroup = [] }: TargetOptions): AskFilter {
  const groups = filterGroup.filter((group) => group.trim() !== '');
  return {
    version: filterVersion,
    language: filterLanguage,
    groups: groups.length === 0 ? undefined : groups,
  };
}

/** A target that can be asked. */
export interface OpenedTarget {
  readonly target: DocsTarget;
  /** Closes docs on this machine, and deletes the folder that was unpacked for them. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the docs that the options name. Docs on this machine have been read when this resolves. A
 * site that was fetched before is read from the cache.
 * @throws {CliError} with the exit code of the command.
 */
export async function openDocsTarget(
  options: TargetOptions,
  ports: TargetPorts,
): Promise<OpenedTarget> {
  const named = namedTarget(options, ports);
  if (named.kind === 'hosted') return { target: named.target, close: () => Promise.resolve() };
  // A question to a site of the docs platform needs none of these modules.
  if (named.kind === 'installed') {
    const { openInstalledTarget } = await import('./installedTarget');
    const { label, engine, hasWriter, close } = await openInstalledTarget(
      named,
      modelValues(options, ports.env),
      ports,
    );
    const local = { engine, hasWriter, packages: engine };
    return { target: localTarget(label, local, options), close };
  }
  const { openLocalTarget } = await import('./localTarget');
  const { docs, hasWriter, close } = await openLocalTarget(
    named.docs,
    modelValues(options, ports.env),
    ports,
  );
  const local = { engine: docs.engine, hasWriter };
  return { target: localTarget(docs.label, local, options), close };
}

function localTarget(
  label: string,
  local: NonNullable<DocsTarget['local']>,
  options: TargetOptions,
): DocsTarget {
  return {
    settings: askSettings(undefined, undefined, options),
    label,
    key: undefined,
    spendsCredit: false,
    local,
  };
}

/** Returns the options of the model under the names that the local docs service uses. */
function modelValues(
  { modelEndpoint, model, embeddingModel }: TargetOptions,
  env: CliContext['env'],
): Record<string, string | undefined> {
  return {
    'model-endpoint': modelEndpoint ?? nonEmpty(env['DOCS_ASSISTANT_MODEL_ENDPOINT']),
    model: model ?? nonEmpty(env['DOCS_ASSISTANT_MODEL']),
    'embedding-model': embeddingModel ?? nonEmpty(env['DOCS_ASSISTANT_EMBEDDING_MODEL']),
  };
}

/** Returns whether the options or the environment name an endpoint with models. */
export function namesEndpoint(options: TargetOptions, env: CliContext['env']): boolean {
  return modelValues(options, env)['model-endpoint'] !== undefined;
}

/** Returns the keys from the environment. They are removed from everything that is sent. */
export function keysOf(env: CliContext['env']): string[] {
  const names = ['DOCS_ASSISTANT_KEY', 'DOCS_ASSISTANT_MODEL_KEY', 'DOCS_ASSISTANT_ADMIN_KEY'];
  return names.flatMap((name) => env[name] ?? []);
}
