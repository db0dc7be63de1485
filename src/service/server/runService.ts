/** Runs the local docs service until the process is asked to end. */
import { plainTranslate } from '../../common/errors';
import type { Log } from '../../common/ports';
import { localSiteHost } from '../export/exportRoutes';
import { findingLine, reportLine } from '../export/site/linkFindings';
import { renderSite } from '../export/site/siteRenderer';
import { ParentChannel, ParentModel, parentPort } from './parentModel';
import { ReplyWriter } from '../../docs/writers/replyWriter';
import type { ReadingProgress } from '../../docs/sources/pageSource';
import { SiteError, siteErrorText } from '../../docs/sources/site/siteErrors';
import type { Writer } from '../../docs/writers/writer';
import { docsRoot, type IndexedDocs, type RefreshedDocs } from '../../docs/engine';
import type { ServedSource } from './servedEngine';
import { type LocalService, startLocalService } from './server';
import { DocsError } from '../../docs/docsError';
import type { ServiceSettings } from './serviceOptions';

/**
 * Event of a running service. `progress`, `changed` and `refreshed` can come several times. `listed` has the number of
 * installed packages, before their pages are read.
 */
export type ServiceEvent =
  | {
      readonly event: 'listening';
      readonly url: string;
      readonly domain: string;
      readonly key: string;
      readonly adminKey: string;
    }
  | { readonly event: 'listed'; readonly packages: number }
  | ({ readonly event: 'progress' } & ReadingProgress)
  | ({ readonly event: 'refreshed' } & RefreshedDocs)
  | ({ readonly event: 'indexed' } & IndexedDocs)
  | ({ readonly event: 'changed' } & Pick<IndexedDocs, 'pages'>)
  | { readonly event: 'error'; readonly message: string };

/**
 * Starts the service and runs it until the signal aborts.
 * @throws {DocsError} if it can't start.
 */
export async function runLocalService(
  { endpoint, isCheck: _, ...options }: ServiceSettings,
  docs: ServedSource,
  report: (event: ServiceEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const { translate: t = plainTranslate } = options;
  const running: { service?: DocsCommands } = {};
  const service = await startLocalService({
    ...options,
    docs,
    writer: replyWriter(options.log, endpoint, () => running.service),
    onProgress: (progress) => report({ event: 'progress', ...progress }),
    onChanged: (changed) => report({ event: 'changed', ...changed }),
    onRefreshed: (refreshed) => report({ event: 'refreshed', ...refreshed }),
    onRefreshFailed: (message) => report({ event: 'error', message }),
  });
  const ended = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  running.service = service;
  const { url, domain, key, adminKey } = service;
  report({ event: 'listening', url, domain, key, adminKey });
  service.whenListed?.().then(
    (packages) => report({ event: 'listed', packages }),
    // The same failure ends the indexing, which reports it.
    () => undefined,
  );
  service.whenIndexed().then(
    (indexed) => {
      // A service that ends counts only the pages that it has read by then.
      if (!signal.aborted) report({ event: 'indexed', ...indexed });
    },
    (error: unknown) => {
      if (signal.aborted) return;
      const message =
        error instanceof SiteError ? siteErrorText(error, t) : t("Can't read the docs folder.");
      report({ event: 'error', message });
    },
  );
  await ended;
  await service.stop();
}

/** Commands of the parent process about the docs. */
type DocsCommands = Pick<LocalService, 'refresh' | 'cancelRefresh' | 'readPackagesFirst'>;

/** Returns the writer of the replies. The parent process can choose another model at any time. */
function replyWriter(
  log: Log,
  endpoint: Writer | undefined,
  commands: () => DocsCommands | undefined,
): ReplyWriter {
  const port = parentPort();
  const channel =
    port &&
    new ParentChannel(port, (message) => {
      if (message.type === 'answer-with') writer.answerWith(message.writer);
      else if (message.type === 'docs-refresh') void commands()?.refresh();
      else if (message.type === 'packages-first')
        void commands()
          ?.readPackagesFirst?.(message.names)
          .catch((error: unknown) => log.error("Can't read packages first", error));
      else commands()?.cancelRefresh();
    });
  const writer: ReplyWriter = new ReplyWriter({
    fetch: (url, init) => globalThis.fetch(url, init),
    log,
    vscodeModel:
      channel && ((label, maxInputTokens) => new ParentModel(channel, label, maxInputTokens)),
  });
  if (endpoint) writer.answerWith(endpoint);
  return writer;
}

interface CheckOptions {
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
async function checkDocs({ root, domain, log, print }: CheckOptions): Promise<boolean> {
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

/**
 * Checks the links of the docs.
 * @returns the exit code of the process.
 * @throws {DocsError} for docs that aren't a folder of Markdown or MDX, or if it doesn't exist.
 */
export async function runLinkCheck(
  {
    domain,
    log,
    translate: t = plainTranslate,
  }: Pick<ServiceSettings, 'domain' | 'log' | 'translate'>,
  docs: ServedSource,
  print: (line: string) => void,
): Promise<number> {
  if (docs.kind !== 'folder') {
    throw new DocsError(t('Choose a folder of Markdown or MDX to check: --docs <folder>.'));
  }
  const root = await docsRoot(docs.folder, t);
  return (await checkDocs({ root, domain, log, print })) ? 1 : 0;
}
