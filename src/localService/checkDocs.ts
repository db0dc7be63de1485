import { findingLine, reportLine } from './export/linkFindings';
import { localSiteHost } from './export/exportRoutes';
import { renderSite } from './export/siteRenderer';
import type { Log } from '../common/ports';

export interface CheckOptions {
  /** Real path of the docs folder. */
  readonly root: string;
  readonly domain: string;
  readonly log: Log;
  /** Takes one line of the result. */
  readonly print: (line: string) => void;
}

/**
 * Checks the links of a docs folder as an export would follow them, and writes nothing. Each finding
 * is a line with its place; the last line says how many there are.
 * @returns whether a link is broken in the docs themselves.
 */
export async function checkDocs({ root, domain, log, print }: CheckOptions): Promise<boolean> {
  // What became of each link is printed here, once all of them are known.
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
