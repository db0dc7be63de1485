/** Runs the local docs service until the process is asked to end. */
import { plainTranslate } from '../../common/errors';
import type { Log } from '../../common/ports';
import { localSiteHost } from '../export/exportRoutes';
import { findingLine, type LinkReport, reportLine } from '../export/site/linkFindings';
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
  | ({ readonly event: 'listening' } & Pick<LocalService, 'url' | 'domain' | 'key' | 'adminKey'>)
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

/** The links of a docs folder, as an export would follow them. */
interface CheckedLinks {
  readonly pages: number;
  readonly links: LinkReport;
  /** Exit code of the process: 1 if a link is broken in the docs themselves, else 0. */
  readonly exitCode: number;
}

/**
 * Checks the links of the docs. Writes no files.
 * @throws {DocsError} for docs that aren't a folder of Markdown or MDX, or if it doesn't exist.
 */
export async function runLinkCheck(
  {
    domain,
    log,
    translate: t = plainTranslate,
  }: Pick<ServiceSettings, 'domain' | 'log' | 'translate'>,
  docs: ServedSource,
): Promise<CheckedLinks> {
  if (docs.kind !== 'folder') {
    throw new DocsError(t('Choose a folder of Markdown or MDX to check: --docs <folder>.'));
  }
  // The caller prints the findings, once all of them are known.
  const quiet: Log = {
    info: () => undefined,
    debug: () => undefined,
    warn: () => undefined,
    error: (message, cause) => log.error(message, cause),
  };
  const { pages, links } = await renderSite({
    root: await docsRoot(docs.folder, t),
    siteHost: localSiteHost(domain),
    signal: new AbortController().signal,
    log: quiet,
    write: () => Promise.resolve(),
    onProgress: () => undefined,
  });
  return { pages, links, exitCode: links.broken > 0 ? 1 : 0 };
}

/** Returns a line for each finding, and a summary. */
export function checkLines({ pages, links }: CheckedLinks): string[] {
  return [
    ...links.findings.map(findingLine),
    ...(links.leftOut > 0 ? [`and ${links.leftOut} more`] : []),
    `${pages === 1 ? '1 page' : `${pages} pages`}: ${reportLine(links)}.`,
  ];
}
