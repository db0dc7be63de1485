/** Options of the local docs service, for its own entry and for the command line of Docs Assistant. */
import path from 'node:path';
import type { Translate } from '../../common/errors';
import { lineLog, type Log, silentLog } from '../../common/ports';
import { endpointKeyRefusal, parseEndpointAddress } from '../../docs/writers/endpointAddress';
import type { Writer } from '../../docs/writers/writer';
import type { DocsSource } from '../../docs/engine';
import { newAssistantKey } from './keys';
import type { ServedSource } from './servedEngine';
import type { LocalServiceOptions } from './server';
import { DocsError } from '../../docs/docsError';

/** A command-line option, described for the argument parser and for the help text. */
export interface ServiceFlag {
  readonly name: string;
  /** Placeholder of the value, such as `<ms>`. Absent for a switch. */
  readonly value?: string;
  readonly description: string;
  readonly default?: string;
}

/** Values of the options by name. A switch that isn't given is absent or false. */
export type FlagValues = Readonly<Record<string, string | boolean | undefined>>;

/** Returns the options that every way to start the service has. */
export function serviceFlags(t: Translate): readonly ServiceFlag[] {
  return [
    {
      name: 'port',
      value: '<number>',
      description: t('port to listen on (0 for any free port)'),
      default: '0',
    },
    {
      name: 'host',
      value: '<address>',
      description: t('127.0.0.1, ::1 or localhost'),
      default: '127.0.0.1',
    },
    {
      name: 'domain',
      value: '<name>',
      description: t('site in the URL of the service'),
      default: 'sample',
    },
    {
      name: 'pace',
      value: '<ms>',
      description: t("time between two pieces of a reply's text"),
      default: '10',
    },
    {
      name: 'state',
      value: '<folder>',
      description: t('folder for export jobs and bundles (several services can share it)'),
    },
    {
      name: 'link-lifetime',
      value: '<s>',
      description: t('seconds until a link to a bundle expires'),
      default: '3600',
    },
    {
      name: 'export-pace',
      value: '<ms>',
      description: t('pause after each page of an export'),
      default: '0',
    },
    {
      name: 'check',
      description: t(
        'print broken links in the docs and exit with 0 (none), 1 (some) or a higher code (error)',
      ),
    },
    {
      name: 'vectors',
      value: '<folder>',
      description: t('folder for the vectors of sections (default: in the state folder)'),
    },
    {
      name: 'index',
      value: '<folder>',
      description: t('folder for the index of the docs (default: in the state folder)'),
    },
    { name: 'quiet', description: t('print no log on stderr') },
    ...modelFlags(t),
  ];
}

/** Returns the options that name the model that writes the replies. */
export function modelFlags(t: Translate): readonly ServiceFlag[] {
  return [
    {
      name: 'model-endpoint',
      value: '<url>',
      description: t('OpenAI-compatible API whose model writes the replies (default: quotes)'),
    },
    { name: 'model', value: '<name>', description: t('model of that endpoint') },
    {
      name: 'embedding-model',
      value: '<name>',
      description: t('model of that endpoint that finds sections by meaning, also without --model'),
    },
  ];
}

/** Options of the service, without its docs. */
export type ServiceSettings = Omit<LocalServiceOptions, 'docs' | 'log'> & {
  readonly log: Log;
  readonly endpoint: Writer | undefined;
  readonly isCheck: boolean;
};

const WEEK_SECONDS = 7 * 24 * 60 * 60;

/**
 * Parses the values of {@link serviceFlags}. Keys come from the environment, because other users of
 * the machine can see arguments. If the environment has no assistant key, a new one is created.
 * @throws {DocsError} for a value that can't be used.
 */
export function parseServiceSettings(
  values: FlagValues,
  env: Readonly<Record<string, string | undefined>>,
  stderrLine: (line: string) => void,
  t: Translate,
): ServiceSettings {
  const state = textOf(values['state']);
  const vectors = textOf(values['vectors']);
  const index = textOf(values['index']);
  return {
    port: wholeNumber(values, 'port', 65_535, t),
    host: textOf(values['host']) ?? '127.0.0.1',
    domain: textOf(values['domain']) ?? 'sample',
    key: keyIn(env, 'DOCS_ASSISTANT_KEY') ?? newAssistantKey(),
    adminKey: keyIn(env, 'DOCS_ASSISTANT_ADMIN_KEY'),
    paceMs: wholeNumber(values, 'pace', 10_000, t),
    stateFolder: state === undefined ? undefined : path.resolve(state),
    vectorsFolder: vectors === undefined ? undefined : path.resolve(vectors),
    indexFolder: index === undefined ? undefined : path.resolve(index),
    linkLifetimeMs: wholeNumber(values, 'link-lifetime', WEEK_SECONDS, t, 1) * 1000,
    exportPaceMs: wholeNumber(values, 'export-pace', 10_000, t),
    log: values['quiet'] === true ? silentLog : { ...lineLog(stderrLine), debug: () => undefined },
    isCheck: values['check'] === true,
    endpoint: endpointWriter(values, env, t),
    translate: t,
  };
}

/** Returns a key of the environment. CI services set the variable of a missing secret to an empty text. */
export function keyIn(
  env: Readonly<Record<string, string | undefined>>,
  name: 'DOCS_ASSISTANT_KEY' | 'DOCS_ASSISTANT_ADMIN_KEY',
): string | undefined {
  return env[name]?.trim() || undefined;
}

/**
 * Returns the writer that {@link modelFlags} name, with its key from `DOCS_ASSISTANT_MODEL_KEY`, or
 * undefined if they name none.
 * @throws {DocsError} for an endpoint without any model, a model without an endpoint, an invalid
 * URL, or a key that can't be sent there.
 */
export function endpointWriter(
  values: FlagValues,
  env: Readonly<Record<string, string | undefined>>,
  t: Translate,
): Writer | undefined {
  const url = textOf(values['model-endpoint']);
  const model = textOf(values['model']);
  const embeddingModel = textOf(values['embedding-model']);
  const key = env['DOCS_ASSISTANT_MODEL_KEY'];
  if (url === undefined) {
    if (model !== undefined || embeddingModel !== undefined) {
      throw new DocsError(t('Name the endpoint of the model: --model-endpoint <url>.'));
    }
    return undefined;
  }
  if (model === undefined && embeddingModel === undefined) {
    throw new DocsError(t('Name the model of the endpoint: --model <name>.'));
  }
  const address = parseEndpointAddress(url);
  const refusal =
    address.ok && key !== undefined && key !== '' ? endpointKeyRefusal(address, key) : address;
  if (refusal?.ok === false) throw new DocsError(t(refusal.message, refusal.detail ?? ''));
  return {
    kind: 'endpoint',
    baseUrl: url,
    model,
    embeddingModel,
    key: key === undefined || key === '' ? undefined : key,
  };
}

/**
 * Returns the docs that `--docs`, `--bundle`, or `--site` and `--cache` name, the packages that `--installed` and
 * `--root` name, or both together.
 * @throws {DocsError} if they name no docs, docs of several kinds, or a site without a cache.
 */
export function docsSourceOf(values: FlagValues): ServedSource {
  const [docs, bundle, site, cache, installed, root] = [
    'docs',
    'bundle',
    'site',
    'cache',
    'installed',
    'root',
  ].map((name) => textOf(values[name]));
  if (site !== undefined && cache === undefined) {
    throw new DocsError('Choose a folder for the pages of the site: --cache <folder>.');
  }
  const named: DocsSource[] = [
    ...(docs === undefined ? [] : [{ kind: 'folder' as const, folder: docs }]),
    ...(bundle === undefined ? [] : [{ kind: 'bundle' as const, folder: bundle }]),
    ...(site === undefined || cache === undefined
      ? []
      : [{ kind: 'site' as const, url: site, cache }]),
  ];
  if (named.length > 1) {
    throw new DocsError('Choose one kind of docs: --docs, --bundle or --site.');
  }
  const [source] = named;
  if (installed !== undefined)
    return { kind: 'installed', folder: installed, root, beside: source };
  if (!source) throw new DocsError('Choose the folder with the docs: --docs <folder>.');
  return source;
}

function textOf(value: string | boolean | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function wholeNumber(
  values: FlagValues,
  name: string,
  maximum: number,
  t: Translate,
  minimum = 0,
): number {
  const number = Number(textOf(values[name]) ?? '0');
  if (!Number.isInteger(number) || number < minimum || number > maximum) {
    throw new DocsError(t('--{0} must be a whole number from {1} to {2}.', name, minimum, maximum));
  }
  return number;
}
