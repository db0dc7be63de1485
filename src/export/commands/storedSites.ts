/** Sites and origins that the export commands remember in VS Code's global state. */
import * as v from 'valibot';
import type { Disposable } from '../../common/disposable';
import { Emitter } from '../../common/event';
import type { Memento } from '../../common/ports';
import { parsedAs } from '../../shared/schemas';
import type { ExportTarget } from '../job/exports';

const OPENED_SITES = 'exportSites';
const RECENT_SITES = 'recentExportSites';
const DEPLOYED_SITES = 'deployedSites';
const ADMIN_ORIGINS = 'adminKeyOrigins';

/** Opened sites kept in the list. Older entries leave it, but their folders stay on disk. */
const MAX_OPENED = 20;
const MAX_RECENT = 10;
/** Twice as many sites as a team that exports many has. An older one is asked about again. */
const MAX_DEPLOYED = 50;

const openedSiteSchema = v.object({
  /** Absolute path of the site's root, which also identifies the site. */
  folder: v.string(),
  label: v.string(),
});

/** A site on disk. */
export type OpenedSite = Readonly<v.InferOutput<typeof openedSiteSchema>>;

const openedSitesSchema = v.object({
  schemaVersion: v.literal(1),
  sites: v.array(openedSiteSchema),
});

/** Sites that *Open Bundle* unpacked from an archive without an export, newest first. */
export class OpenedSites implements Disposable {
  readonly #memento: Memento;
  readonly #changed = new Emitter<void>();

  readonly onDidChange = this.#changed.event;

  constructor(memento: Memento) {
    this.#memento = memento;
  }

  /** Sites in the list. Empty if the stored value cannot be read. */
  get list(): readonly OpenedSite[] {
    return parsedAs(openedSitesSchema, this.#memento.get(OPENED_SITES))?.sites ?? [];
  }

  async add(site: OpenedSite): Promise<void> {
    const others = this.list.filter(({ folder }) => folder !== site.folder);
    await this.#save([site, ...others].slice(0, MAX_OPENED));
  }

  async forget(folder: string): Promise<void> {
    await this.#save(this.list.filter((site) => site.folder !== folder));
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #save(sites: readonly OpenedSite[]): Promise<void> {
    await this.#memento.update(OPENED_SITES, { schemaVersion: 1, sites });
    this.#changed.fire();
  }
}

const recentSitesSchema = v.array(v.object({ apiUrl: v.string(), exportDomain: v.string() }));

/** Sites that were exported last, newest first. Empty if the stored value cannot be read. */
export class RecentSites {
  readonly #memento: Memento;

  constructor(memento: Memento) {
    this.#memento = memento;
  }

  /** Returns the host names of the sites that were exported at an export API. */
  at(apiUrl: string): readonly string[] {
    return this.#list()
      .filter((site) => site.apiUrl === apiUrl)
      .map(({ exportDomain }) => exportDomain);
  }

  async add({ apiUrl, exportDomain }: ExportTarget): Promise<void> {
    const others = this.#list().filter(
      (site) => site.apiUrl !== apiUrl || site.exportDomain !== exportDomain,
    );
    const sites = [{ apiUrl, exportDomain }, ...others].slice(0, MAX_RECENT);
    await this.#memento.update(RECENT_SITES, sites);
  }

  #list(): readonly ExportTarget[] {
    return parsedAs(recentSitesSchema, this.#memento.get(RECENT_SITES)) ?? [];
  }
}

/** A site as its exports name it: the domain, and the API that exports it. */
export type ExportedSite = Pick<ExportTarget, 'apiUrl' | 'exportDomain'>;

const deployedSitesSchema = v.object({
  schemaVersion: v.literal(1),
  sites: v.array(
    v.object({
      apiUrl: v.string(),
      exportDomain: v.string(),
      // Nothing else is opened, whatever is stored.
      url: v.pipe(v.string(), v.url(), v.regex(/^https?:/)),
    }),
  ),
});

type DeployedSite = ExportedSite & { readonly url: string };

/** Addresses at which exported sites are deployed, as the user has given them. */
export class DeployedSites implements Disposable {
  readonly #memento: Memento;
  readonly #changed = new Emitter<void>();
  #read: { readonly stored: unknown; readonly sites: readonly DeployedSite[] } | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(memento: Memento) {
    this.#memento = memento;
  }

  /** Returns the address of a site, or undefined if the user has not given it. */
  at({ apiUrl, exportDomain }: ExportedSite): string | undefined {
    return this.#list().find((site) => site.apiUrl === apiUrl && site.exportDomain === exportDomain)
      ?.url;
  }

  async set({ apiUrl, exportDomain }: ExportedSite, url: string): Promise<void> {
    const others = this.#list().filter(
      (site) => site.apiUrl !== apiUrl || site.exportDomain !== exportDomain,
    );
    const sites = [{ apiUrl, exportDomain, url }, ...others].slice(0, MAX_DEPLOYED);
    await this.#memento.update(DEPLOYED_SITES, { schemaVersion: 1, sites });
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #list(): readonly DeployedSite[] {
    const stored = this.#memento.get(DEPLOYED_SITES);
    // Each line of the tree asks, and parsing takes longer than the rest of the line.
    if (this.#read && this.#read.stored === stored) return this.#read.sites;
    this.#read = { stored, sites: parsedAs(deployedSitesSchema, stored)?.sites ?? [] };
    return this.#read.sites;
  }
}

const adminOriginsSchema = v.array(v.pipe(v.string(), v.url()));

/**
 * Origins with a saved admin key. Secret storage cannot list its keys, so the origins are noted
 * here. The keys themselves never are.
 */
export class AdminOrigins {
  readonly #memento: Memento;

  constructor(memento: Memento) {
    this.#memento = memento;
  }

  get list(): readonly string[] {
    return parsedAs(adminOriginsSchema, this.#memento.get(ADMIN_ORIGINS)) ?? [];
  }

  async add(origin: string): Promise<void> {
    if (this.list.includes(origin)) return;
    await this.#memento.update(ADMIN_ORIGINS, [...this.list, origin]);
  }

  async remove(origin: string): Promise<void> {
    const others = this.list.filter((other) => other !== origin);
    await this.#memento.update(ADMIN_ORIGINS, others);
  }
}
