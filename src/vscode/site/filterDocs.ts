/** The command *Filter Docs…*, loaded on first use. */
import type { Clock, Fetch, Log } from '../../common/ports';
import { searchableDocs } from '../../docsTools/localDocs';
import type { ActiveSite } from '../../site/activeSite';
import { chooseFilter } from '../../site/chooseFilter';
import { windowUi } from '../windowUi';
import type { LocalServiceEntry } from '../docs/localServiceEntry';

interface FilterDocsPorts {
  readonly site: ActiveSite;
  readonly localService: Pick<LocalServiceEntry, 'resume'>;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Lets the reader change the filter of the site that is asked now.
 * @returns whether the filter may have changed.
 * @throws {DocsAssistantError} as {@link chooseFilter}.
 */
export async function filterDocs(ports: FilterDocsPorts): Promise<boolean> {
  const { site, localService, log } = ports;
  return chooseFilter({
    ui: windowUi(),
    site,
    resumeDocs: () => localService.resume(),
    offered: async () => {
      // The hosted API doesn't tell which values the pages have. The workspace can name the versions.
      if (!site.local) {
        const { versions = [] } = site.installed ?? {};
        return versions.length === 0 ? undefined : { versions };
      }
      try {
        const { signal } = new AbortController();
        return await searchableDocs(ports, site.local).filters(signal);
      } catch (error) {
        log.warn(`The values for the filter can’t be listed: ${String(error)}`);
        return undefined;
      }
    },
  });
}
