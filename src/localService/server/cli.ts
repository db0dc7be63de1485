/**
 * Runs the local docs service as a process of its own. Prints one JSON line per event (`listening`,
 * `progress`, `indexed`, `refreshed`, `error`) on stdout, and a log on stderr. With `--check`, prints broken links instead.
 */
import { Console } from 'node:console';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Log } from '../../common/ports';
import type { ReadingProgress } from '../pages/pageSource';
import { localSiteHost } from '../export/exportRoutes';
import { findingLine, reportLine } from '../export/site/linkFindings';
import { renderSite } from '../export/site/siteRenderer';
import { endpointKeyRefusal, parseEndpointAddress, refusalText } from '../models/endpointAddress';
import { ParentChannel, parentPort } from '../models/parentModel';
import { ReplyWriter } from '../models/replyWriter';
import { SiteError, siteErrorText } from '../site/siteErrors';
import type { Writer } from './parentChannel';
import {
  docsRoot,
  type DocsSource,
  LocalServiceError,
  type IndexedDocs,
  type LocalServiceOptions,
  type RefreshedDocs,
  startLocalService,
} from './server';

export interface CheckOptions {
  /** Real path of the docs folder. */
  readonly root: string;
  readonly domain: string;
  readonly log: Log;
  /** Prints one line of the result. */
  readonly print: (line: string) => void;
}

/**
 * Checks the links of a docs folder as an export would follow them. Writes no files. Prints one
 * line per finding, and a summary at the end.
 * @returns whether a link is broken in the docs themselves.
 */
export async function checkDocs({ root, domain, log, print }: CheckOptions): Promise<boolean> {
  // The findings are printed below, once all of them are known.
  const quiet: Log = {
    info: () => undefined,
    debug: () => undefined,
    warn: () => undefined,
    error: (message, cause) => log.error(message, cause),
  };
  const { pages, links } = await renderSite({
    root,
    siteHost: localSiteHost(domain),
    signal: new AbortController().signal,
    log: quiet,
    write: () => Promise.resolve(),
    onProgress: () => undefined,
  });
  for (const finding of links.findings) print(findingLine(finding));
  if (links.leftOut > 0) print(`and ${links.leftOut} more`);
  print(`${pages === 1 ? '1 page' : `${pages} pages`}: ${reportLine(links)}.`);
  return links.broken > 0;
}

const usage = `Usage: node localService.js (--docs <folder> | --bundle <folder> | --site <url> --cache <folder>) [options]

  --docs <folder>       Markdown or MDX to answer from
  --bundle <folder>     an exported site to answer from: a folder of HTML
  --site <url>          a public docs site to answer from
  --cache <folder>      keeps the pages of that site; a fresh set is used without a request
  --port <number>       0 (the default) takes any free port
  --host <address>      127.0.0.1 (the default), ::1 or localhost
  --domain <name>       site in the address; "sample" by default
  --key <local_dsc_…>   assistant key; better given as DOCS_ASSISTANT_KEY; made if absent
  --pace <ms>           time between two pieces of a reply's text; 10 by default
  --state <folder>      keeps export jobs and bundles over a restart; services may share it
  --link-lifetime <s>   seconds for which a link to a bundle is good; 3600 by default
  --export-pace <ms>    rest after each page of an export; 0 by default
  --check               look for broken links in the docs, print them and end: 0 none, 1 some, 2 failed
  --exit-with-parent    end when stdin closes
  --quiet               no log on stderr
  --model-endpoint <url>    OpenAI-compatible API whose model writes the replies; quotes if absent
  --model <name>            model of that endpoint
  --embedding-model <name>  model of that endpoint that finds sections by meaning

The endpoint's key is taken from DOCS_ASSISTANT_MODEL_KEY. The admin key of static export (local_…) is taken from DOCS_ASSISTANT_ADMIN_KEY, and made if absent.`;

const EXIT_DEADLINE_MS = 2000;
const WEEK_SECONDS = 7 * 24 * 60 * 60;

type CliEvent =
  | {
      readonly event: 'listening';
      readonly url: string;
      readonly domain: string;
      readonly key: string;
      readonly adminKey: string;
    }
  | ({ readonly event: 'progress' } & ReadingProgress)
  | ({ readonly event: 'refreshed' } & RefreshedDocs)
  | ({ readonly event: 'indexed' } & IndexedDocs)
  | { readonly event: 'error'; readonly message: string };

function report(event: CliEvent): void {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

function fail(message: string): never {
  report({ event: 'error', message });
  process.exit(1);
}

function stderrLog(isQuiet: boolean): Log {
  const write = (line: string): void => {
    if (!isQuiet) process.stderr.write(`${line}\n`);
  };
  return {
    info: write,
    debug: () => undefined,
    warn: (message) => write(`warning: ${message}`),
    error: (message, cause) =>
      write(`error: ${message}${cause instanceof Error ? ` (${cause.name})` : ''}`),
  };
}

function wholeNumber(text: string, name: string, maximum: number): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0 || number > maximum) {
    fail(`--${name} must be a whole number from 0 to ${maximum}.`);
  }
  return number;
}

type CliOptions = Omit<LocalServiceOptions, 'docs'> & {
  readonly endpoint: Writer | undefined;
  readonly docs: DocsSource;
  readonly exitWithParent: boolean;
  readonly isCheck: boolean;
};

function readArguments(): CliOptions {
  const { values } = parseArgs({
    options: {
      docs: { type: 'string' },
      bundle: { type: 'string' },
      site: { type: 'string' },
      cache: { type: 'string' },
      port: { type: 'string', default: '0' },
      host: { type: 'string', default: '127.0.0.1' },
      domain: { type: 'string', default: 'sample' },
      key: { type: 'string' },
      pace: { type: 'string', default: '10' },
      state: { type: 'string' },
      'link-lifetime': { type: 'string', default: '3600' },
      'export-pace': { type: 'string', default: '0' },
      quiet: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      'exit-with-parent': { type: 'boolean', default: false },
      'model-endpoint': { type: 'string' },
      model: { type: 'string' },
      'embedding-model': { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stderr.write(`${usage}\n`);
    process.exit(0);
  }
  const adminKey = process.env['DOCS_ASSISTANT_ADMIN_KEY'];
  return {
    docs: docsIn(values),
    port: wholeNumber(values.port, 'port', 65_535),
    host: values.host,
    domain: values.domain,
    key:
      values.key ??
      process.env['DOCS_ASSISTANT_KEY'] ??
      `local_dsc_${randomBytes(24).toString('base64url')}`,
    ...(adminKey === undefined ? {} : { adminKey }),
    paceMs: wholeNumber(values.pace, 'pace', 10_000),
    ...(values.state === undefined ? {} : { stateFolder: path.resolve(values.state) }),
    linkLifetimeMs: wholeNumber(values['link-lifetime'], 'link-lifetime', WEEK_SECONDS) * 1000,
    exportPaceMs: wholeNumber(values['export-pace'], 'export-pace', 10_000),
    log: stderrLog(values.quiet),
    exitWithParent: values['exit-with-parent'],
    isCheck: values.check,
    endpoint: endpointOf(
      values['model-endpoint'],
      values.model,
      values['embedding-model'],
      process.env['DOCS_ASSISTANT_MODEL_KEY'],
    ),
  };
}

function endpointOf(
  url: string | undefined,
  model: string | undefined,
  embeddingModel: string | undefined,
  key: string | undefined,
): Writer | undefined {
  if (url === undefined) {
    if (model !== undefined || embeddingModel !== undefined) {
      fail('Name the endpoint of the model: --model-endpoint <url>.');
    }
    return undefined;
  }
  if (model === undefined) fail('Name the model of the endpoint: --model <name>.');
  const address = parseEndpointAddress(url);
  const refusal =
    address.ok && key !== undefined && key !== '' ? endpointKeyRefusal(address, key) : address;
  if (refusal?.ok === false) fail(refusalText(refusal));
  return {
    kind: 'endpoint',
    baseUrl: url,
    model,
    ...(embeddingModel === undefined ? {} : { embeddingModel }),
    ...(key === undefined || key === '' ? {} : { key }),
  };
}

/** Returns the writer of the replies, which follows what the parent process asks for. */
function replyWriter(
  log: Log,
  endpoint: Writer | undefined,
  onDocsRefresh: () => void,
): ReplyWriter {
  const port = parentPort();
  const channel =
    port &&
    new ParentChannel(port, (message) => {
      if (message.type === 'answer-with') writer.answerWith(message.writer);
      else onDocsRefresh();
    });
  const writer: ReplyWriter = new ReplyWriter({
    fetch: (url, init) => globalThis.fetch(url, init),
    log,
    ...(channel ? { channel } : {}),
  });
  if (endpoint) writer.answerWith(endpoint);
  return writer;
}

/** Returns the docs that the arguments name. */
function docsIn({
  docs,
  bundle,
  site,
  cache,
}: Partial<Record<'docs' | 'bundle' | 'site' | 'cache', string>>): DocsSource {
  if (site !== undefined && cache === undefined)
    fail('Choose a folder for the pages of the site: --cache <folder>.');

  const named: DocsSource[] = [
    ...(docs === undefined ? [] : [{ kind: 'folder' as const, folder: docs }]),
    ...(bundle === undefined ? [] : [{ kind: 'bundle' as const, folder: bundle }]),
    ...(site === undefined || cache === undefined
      ? []
      : [{ kind: 'site' as const, url: site, cache }]),
  ];
  if (named.length > 1) fail('Choose one kind of docs: --docs, --bundle or --site.');
  return named[0] ?? fail('Choose the folder with the docs: --docs <folder>.');
}

/** Calls `end` once, when a signal, the parent process or a closed pipe asks the process to end. */
function onEnd(end: () => void, exitWithParent: boolean): void {
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  process.once('SIGHUP', end);
  process.once('disconnect', end);
  // The process that reads the events has ended.
  process.stdout.on('error', end);
  process.stderr.on('error', () => undefined);
  if (!exitWithParent) return;
  process.stdin.once('end', end);
  process.stdin.once('close', end);
  process.stdin.once('error', end);
  process.stdin.resume();
}

/**
 * Checks the links of the docs.
 * @returns the exit code of the process.
 */
async function check({
  docs,
  domain,
  log,
}: Pick<CliOptions, 'docs' | 'domain' | 'log'>): Promise<number> {
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  try {
    if (docs.kind !== 'folder')
      throw new LocalServiceError('Only a folder of Markdown or MDX can be checked: --docs.');
    const root = await docsRoot(docs.folder);
    return (await checkDocs({ root, domain, log: log ?? stderrLog(false), print })) ? 1 : 0;
  } catch (error) {
    process.stderr.write(
      `${error instanceof LocalServiceError ? error.message : `Can't check the docs: ${String(error)}`}\n`,
    );
    return 2;
  }
}

async function main(): Promise<void> {
  // Libraries must not print between the events on stdout.
  globalThis.console = new Console(process.stderr, process.stderr);
  const { exitWithParent, isCheck, endpoint, ...options } = readArguments();
  if (isCheck) {
    process.exitCode = await check(options);
    return;
  }
  let stop = (): Promise<void> => Promise.resolve();
  let refresh = (): void => undefined;
  const end = (): void => {
    setTimeout(() => process.exit(0), EXIT_DEADLINE_MS).unref();
    void stop().finally(() => process.exit(0));
  };
  onEnd(end, exitWithParent);
  const service = await startLocalService({
    ...options,
    writer: replyWriter(options.log ?? stderrLog(false), endpoint, () => refresh()),
    onProgress: (progress) => report({ event: 'progress', ...progress }),
    onRefreshed: (docs) => report({ event: 'refreshed', ...docs }),
    onRefreshFailed: (message) => report({ event: 'error', message }),
  });
  stop = () => service.stop();
  refresh = () => void service.refresh();
  const { url, domain, key, adminKey } = service;
  report({ event: 'listening', url, domain, key, adminKey });
  try {
    report({ event: 'indexed', ...(await service.whenIndexed()) });
  } catch (error) {
    const message =
      error instanceof SiteError ? siteErrorText(error) : 'The docs folder cannot be read.';
    report({ event: 'error', message });
  }
}

main().catch((error: unknown) => {
  const isArgument = error instanceof TypeError && 'code' in error;
  fail(
    error instanceof LocalServiceError || isArgument
      ? error.message
      : `Can't start the local docs service: ${String(error)}`,
  );
});
