/** Finds docs on this machine that are those of a hosted site. */
import { isHostOfDomain } from '../../common/http/address';
import { withoutUndefined } from '../../common/withoutUndefined';
import type { KeptDocs } from '../../shared/errorInfo';
import { parseUrl } from '../../shared/links';
import type { DocsSet } from './docsSets';

/** A hosted site, as far as its pages can be recognized elsewhere. */
interface HostedDocs {
  /** The identifier in the endpoint's path (platform-api.md § Create an Assistant message). */
  readonly domain: string;
  /** Host of the pages that the site's replies cite. Undefined if no reply cited any yet. */
  readonly pagesHost?: string | undefined;
}

/**
 * Returns the kept set with the docs of a site, or undefined if none is known to have them. Of several,
 * returns the one that was fetched or read last.
 */
export function keptDocsOf(sets: readonly DocsSet[], site: HostedDocs): DocsSet | undefined {
  return sets
    .filter((set) => hasPagesOf(site, publicHost(set)))
    .reduce<DocsSet | undefined>(
      (best, set) => (best && (best.fetchedAt ?? 0) >= (set.fetchedAt ?? 0) ? best : set),
      undefined,
    );
}

/** Returns what a reader is told about a set. */
export function keptDocsView({ id, docs, fetchedAt }: DocsSet): KeptDocs {
  return withoutUndefined({ id, label: docs.label, fetchedAt });
}

/** Returns the host at which the docs of a set are published, or undefined if the set doesn't say. */
export function publicHost({ docs, threadName }: DocsSet): string | undefined {
  if (docs.kind === 'site') return parseUrl(docs.url)?.host;
  if (docs.kind !== 'bundle') return undefined;
  // The bundle of an export is added under the host name of its site, which renaming doesn't change.
  const [name = ''] = (threadName ?? docs.label).split(' ', 1);
  const host = parseUrl(`https://${name}`)?.host;
  return host === name.toLowerCase() && host.includes('.') ? host : undefined;
}

function hasPagesOf({ domain, pagesHost }: HostedDocs, host: string | undefined): boolean {
  if (host === undefined) return false;
  return pagesHost === undefined ? isHostOfDomain(host, domain) : host === pagesHost;
}
