/** The sites of the manifest, which follow its changes. */
import path from 'node:path';
import type { Fetch, Log } from '../../../common/ports';
import { HostedSite, type HostedSitePorts } from './hostedSite';
import type { Manifest, ManifestSite } from './manifestSchema';
import { SiteSources } from './siteSources';
import type { SiteLoader } from './siteLoader';

interface HostedSitesPorts extends Omit<HostedSitePorts, 'sources' | 'origin'> {
  readonly fetch: Fetch;
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
  /** Sites of the newest manifest. One that hasn't been read yet isn't answered from. */
  readonly #newest = new Map<string, HostedSite>();
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
    for (const [domain, newest] of this.#newest) {
      if (wanted.has(domain)) continue;
      void newest.close();
      void this.#sites.get(domain)?.close();
      this.#newest.delete(domain);
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
    const all = [...this.#sites.values(), ...this.#newest.values()];
    await Promise.all(all.map((site) => site.close()));
  }

  async #put(entry: ManifestSite): Promise<void> {
    const { domain } = entry;
    const newest = this.#newest.get(domain);
    if (newest && JSON.stringify(newest.entry) === JSON.stringify(entry)) return;
    const { manifestFolder, folder, origin, fetch } = this.#ports;
    const own = new SiteSources(entry, {
      manifestFolder,
      folder: path.join(folder, domain),
      fetch,
    });
    const site = new HostedSite(entry, {
      ...this.#ports,
      sources: this.#ports.sharedLoaderOf?.(entry, own) ?? own,
      origin: () => `${origin()}${domain}`,
    });
    const old = this.#sites.get(domain);
    // An earlier change whose docs are still being read is not wanted any more.
    if (newest !== old) void newest?.close();
    this.#newest.set(domain, site);
    // Who may see what changes at once. Other changes take effect when the new docs have been read.
    const isSameForAll = old !== undefined && audiences(old.entry) === audiences(entry);
    if (!isSameForAll) this.#replace(domain, site);
    await site.start();
    if (isSameForAll && this.#newest.get(domain) === site) this.#replace(domain, site);
  }

  #replace(domain: string, site: HostedSite): void {
    const old = this.#sites.get(domain);
    this.#sites.set(domain, site);
    void old?.close();
  }
}

function audiences({ groups, versions }: ManifestSite): string {
  return JSON.stringify([groups, versions]);
}
