/** The sites of the manifest, which follow its changes. */
import path from 'node:path';
import type { Log } from '../../../common/ports';
import { HostedSite, type HostedSitePorts } from './hostedSite';
import type { Manifest, ManifestSite } from './manifestSchema';
import { SiteSources, type SourcePorts } from './siteSources';
import type { SiteLoader } from './siteLoader';

interface HostedSitesPorts
  extends
    Omit<HostedSitePorts, 'sources' | 'origin'>,
    Required<Pick<SourcePorts, 'fetch' | 'isRead'>> {
  readonly manifestFolder: string;
  /** Absolute path of the folder with a folder for each site. */
  readonly folder: string;
  /** Returns the base URL of the pages of all sites, with a slash at its end. */
  readonly origin: () => string;
  readonly log: Log;
  /** Returns the loader of a site whose docs processes share. Each process loads docs for itself if absent. */
  readonly sharedLoaderOf?: (entry: ManifestSite, own: SiteSources) => SiteLoader;
}

export class HostedSites {
  readonly #ports: HostedSitesPorts;
  readonly #sites = new Map<string, HostedSite>();
  /** Resolves when the newest change of each site is loaded. */
  #starting: Promise<unknown> = Promise.resolve();

  constructor(ports: HostedSitesPorts) {
    this.#ports = ports;
  }

  /** Sites by their domain. */
  get all(): ReadonlyMap<string, HostedSite> {
    return this.#sites;
  }

  /** Opens sites that are new or changed, and closes those that are gone. */
  apply({ sites }: Pick<Manifest, 'sites'>): void {
    const wanted = new Set(sites.map(({ domain }) => domain));
    for (const [domain, site] of this.#sites) {
      if (wanted.has(domain)) continue;
      void site.close();
      this.#sites.delete(domain);
      this.#ports.log.info(`The site ${domain} was removed`);
    }
    const starting = sites.map((entry) => this.#put(entry));
    this.#starting = Promise.all(starting);
  }

  /** Resolves when all sites have been loaded or have failed to load. */
  async whenStarted(): Promise<void> {
    await this.#starting;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sites.values()].map((site) => site.close()));
  }

  async #put(entry: ManifestSite): Promise<void> {
    const { domain } = entry;
    const old = this.#sites.get(domain);
    if (old && JSON.stringify(old.entry) === JSON.stringify(entry)) return;
    const { manifestFolder, folder, origin, fetch, isRead } = this.#ports;
    const own = new SiteSources(entry, {
      manifestFolder,
      folder: path.join(folder, domain),
      fetch,
      isRead,
    });
    // Who may see what changes at once. Other changes take effect when the new docs have been read.
    const isSameForAll = old !== undefined && audiences(old.entry) === audiences(entry);
    const before = isSameForAll ? old.giveWay() : undefined;
    if (!isSameForAll) void old?.close();
    const site = new HostedSite(
      entry,
      {
        ...this.#ports,
        sources: this.#ports.sharedLoaderOf?.(entry, own) ?? own,
        origin: () => `${origin()}${domain}`,
      },
      before,
    );
    this.#sites.set(domain, site);
    await site.start();
  }
}

function audiences({ groups, versions }: ManifestSite): string {
  return JSON.stringify([groups, versions]);
}
