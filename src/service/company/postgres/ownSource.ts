/** Opens the docs of a site for the process that refreshes it. Uses `node:fs` for the folder of a public site. */
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { errorCodeOrName } from '../../../common/errorCode';
import { plainTranslate } from '../../../common/errors';
import { type Clock, type Log, prefixedLog } from '../../../common/ports';
import { type DocsSource, docsRoot } from '../../../docs/engine';
import { BundleSource } from '../../../docs/sources/bundleSource';
import { FolderSource, type PageSource } from '../../../docs/sources/pageSource';
import { SiteSource } from '../../../docs/sources/site/siteSource';
import { durationMs, problemText } from '../sites/hostedSite';
import type { ManifestSite, ManifestSource } from '../sites/manifestSchema';
import { audienceOf, siteAudience } from '../sites/siteAudience';
import { SourceError } from '../sites/siteLoader';
import type { SiteSources } from '../sites/siteSources';
import type { OwnSource } from './sharedDocs';

interface OwnSourcePorts {
  readonly clock: Clock;
  readonly log: Log;
}

/** Milliseconds between two refreshes, if the manifest names none: nobody tells changes of a folder or a public site. */
const everyMsOf: Partial<Record<ManifestSource['kind'], number>> = {
  folder: 60_000,
  site: 24 * 60 * 60 * 1000,
};
/** Age in milliseconds from which a public site is fetched again if nobody asked for it. */
const FRESH_MS = 60_000;

/** Returns the way to the docs of a site of the manifest. */
export function ownSourceOf(
  entry: ManifestSite,
  sources: SiteSources,
  { clock, log: serviceLog }: OwnSourcePorts,
): OwnSource {
  const { every } = entry.refresh ?? {};
  const log = prefixedLog(`The site ${entry.domain}`, serviceLog);
  return {
    open: async (signal, isAsked) => {
      const { docs } = await sources.load(signal);
      // Only a refresh reads the copy, and there is one at a time.
      await sources.clean().catch((error: unknown) => {
        const reason = errorCodeOrName(error);
        log.warn(`Old copies can't be removed (${reason})`);
      });
      return opened(docs, isAsked, { clock, log }, signal);
    },
    id: createHash('sha256')
      .update(JSON.stringify([entry.source, entry.refresh?.command]))
      .digest('base64url'),
    problemOf: problemText,
    audience: (name) => siteAudience(entry, name),
    everybody: audienceOf(entry, []),
    everyMs: every === undefined ? everyMsOf[entry.source.kind] : durationMs(every),
  };
}

async function opened(
  docs: DocsSource,
  isAsked: boolean,
  { clock, log }: OwnSourcePorts,
  signal: AbortSignal,
): Promise<PageSource> {
  if (docs.kind !== 'site') {
    const folder = { root: await docsRoot(docs.folder), clock, log };
    return docs.kind === 'bundle' ? new BundleSource(folder) : new FolderSource(folder);
  }
  await mkdir(docs.cache, { recursive: true });
  let problem: string | undefined;
  const begunAt = clock.now();
  const site = new SiteSource({
    url: docs.url,
    cache: docs.cache,
    clock,
    log,
    translate: plainTranslate,
    onRefreshed: () => undefined,
    onRefreshFailed: (sentence) => (problem = sentence),
  });
  // The pages are fetched here, so that nobody waits for the network in a transaction.
  for await (const _path of site.paths(signal)) signal.throwIfAborted();
  const { fetchedAt = begunAt } = site.state ?? {};
  // A copy from before may lack the change that somebody tells of.
  const wantedFrom = isAsked ? begunAt : begunAt - FRESH_MS;
  if (fetchedAt < wantedFrom) await site.refresh();
  if (problem !== undefined) throw new SourceError(problem);
  return site;
}
