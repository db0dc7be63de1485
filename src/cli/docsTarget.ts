/** Finds the docs that a command asks, from its options and the environment. */
import path from 'node:path';
import { systemClock } from '../common/clock';
import { isLoopbackHost, parseApiAddress } from '../common/http/address';
import type { Log } from '../common/ports';
import type { DocsRun } from '../localService/sets/docsRun';
import type { DocsTarget } from '../docsTools/docsTools';
import type { AskFilter } from '../shared/askFilter';
import type { AskSettings } from '../site/activeSite';
import { settingDefaults } from '../site/settingsSchema';
import { keyKind, parseSiteInput } from '../site/siteInput';
import { CliError, exitCodes, type CliContext } from './context';

/** Options that name the docs to ask, as the parser of arguments returns them. */
export interface TargetOptions {
  /** Folder, bundle or URL of a public site. */
  readonly docs?: string;
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

/**
 * A site of the docs platform, or docs on this machine, which a local docs service must serve
 * first.
 */
export type NamedTarget =
  | { readonly kind: 'hosted'; readonly target: DocsTarget }
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
  if (options.docs !== undefined && hasSiteOption) {
    throw new CliError(exitCodes.usage, t('Choose one: --docs, or --site with --base-url.'));
  }
  const docs = options.docs ?? (hasSiteOption ? undefined : nonEmpty(env['DOCS_ASSISTANT_DOCS']));
  if (docs === '') throw new CliError(exitCodes.usage, t('--docs needs a folder, bundle or URL.'));
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

function askSettings(baseUrl: string, domain: string, options: TargetOptions): AskSettings {
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
    ...(filterVersion === undefined ? {} : { version: filterVersion }),
    ...(filterLanguage === undefined ? {} : { language: filterLanguage }),
    ...(groups.length === 0 ? {} : { groups }),
  };
}

const nonEmpty = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === '' ? undefined : text.trim();

/** Ports of {@link openDocsTarget}. `signal` cancels the start and stops a running service. */
export type TargetPorts = Pick<CliContext, 'cwd' | 'distFolder' | 'env' | 'signal' | 't'> & {
  readonly log: Log;
  /** Called with short sentences until all docs are ready. */
  readonly onProgress: (sentence: string) => void;
  /** Called with a sentence that the user should see, such as that the cached pages are old. */
  readonly onNotice?: (sentence: string) => void;
  /** Called when the local docs service ends by itself after its start. */
  readonly onDidCrash?: (reason: string) => void;
};

/** A target that can be asked. */
export interface OpenedTarget {
  readonly target: DocsTarget;
  /** Returns the name to show for a page of a local docs service, from its path below the docs. */
  readonly fileOf?: (page: string) => string;
  /**
   * Stops the local docs service, if there is one, and deletes the folder that was unpacked for it.
   */
  readonly close: () => Promise<void>;
}

/**
 * Opens the docs that the options name. A child process serves docs on this machine, and has read
 * all of them when this resolves. A site that was fetched before is served from the cache.
 * @throws {CliError} with the exit code of the command.
 */
export async function openDocsTarget(
  options: TargetOptions,
  ports: TargetPorts,
): Promise<OpenedTarget> {
  const named = namedTarget(options, ports);
  if (named.kind === 'hosted') return { target: named.target, close: () => Promise.resolve() };
  return openLocalTarget(named.docs, options, ports);
}

async function openLocalTarget(
  named: string,
  options: TargetOptions,
  ports: TargetPorts,
): Promise<OpenedTarget> {
  const { distFolder, env, log, onDidCrash, onProgress, signal, t } = ports;
  // A question to a site of the docs platform needs none of these modules.
  const [{ openDocs }, { DocsRun }, { LocalServiceProcess }, { endpointWriter }] =
    await Promise.all([
      import('./localDocs'),
      import('../localService/sets/docsRun'),
      import('../localService/server/localServiceProcess'),
      import('../localService/server/serviceOptions'),
    ]);
  const writer = endpointWriter(modelValues(options, env), env, t);
  const { docs, close, fileOf, oldSince } = await openDocs(named, ports);
  const run = new DocsRun(
    {
      ...{ translate: t, clock: systemClock },
      makeProcess: (hooks) =>
        new LocalServiceProcess({
          ...{ script: path.join(distFolder, 'localService.js'), paceMs: 0, log, ...hooks },
          ...(writer ? { writer: () => Promise.resolve(writer) } : {}),
        }),
      onDidChange: () => undefined,
      onDidCrash: (_run, reason) => onDidCrash?.(reason),
    },
    docs,
  );
  // The service also ends by itself when the channel to this process closes.
  const stop = (): void => run.dispose();
  process.once('exit', stop);
  const closeAll = async (): Promise<void> => {
    process.off('exit', stop);
    stop();
    await close();
  };
  try {
    run.report = ({ message }) => onProgress(t('{0}: {1}', docs.label, message));
    await run.start(() => Promise.resolve(), signal);
    // The service would fetch an old site again by itself after a question, but it ends before
    // that.
    if (oldSince !== undefined) await fetchAgain(run, oldSince, ports);
    const { site } = run;
    if (!site) throw new Error('The local docs service has no site');
    const { url, domain, key } = site;
    const target: DocsTarget = {
      settings: askSettings(url, domain, options),
      ...{ label: docs.label, key, spendsCredit: false, local: { url, domain, key } },
    };
    return { target, close: closeAll, fileOf };
  } catch (error) {
    await closeAll();
    signal.throwIfAborted();
    if (error instanceof CliError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const exitCode = docs.kind === 'site' ? exitCodes.service : exitCodes.notFound;
    throw new CliError(exitCode, t('{0} can’t be read: {1}', docs.label, reason), { cause: error });
  }
}

/**
 * Fetches a site again because its cached pages are old. If that fails, the cached pages are used.
 */
async function fetchAgain(
  run: DocsRun,
  oldSince: number,
  { onNotice, onProgress, signal, t }: TargetPorts,
): Promise<void> {
  const { label } = run.docs;
  onProgress(t('Fetching {0} again', label));
  try {
    await run.fetchAgain(signal, oldSince);
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    const day = new Date(oldSince).toISOString().slice(0, 10);
    onNotice?.(t('{0} couldn’t be fetched again: {1}', label, reason));
    onNotice?.(t('The reply uses the pages fetched on {0}.', day));
  }
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

/** Returns the keys from the environment. They are removed from everything that is sent. */
export function keysOf(env: CliContext['env']): string[] {
  const names = ['DOCS_ASSISTANT_KEY', 'DOCS_ASSISTANT_MODEL_KEY', 'DOCS_ASSISTANT_ADMIN_KEY'];
  return names.flatMap((name) => env[name] ?? []);
}
