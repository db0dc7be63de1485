/** The sites of the docs platform that the reader keeps, and the one that this window asks. */
import * as v from 'valibot';
import type { Clock, KeyStore, Log, Memento, NewId } from '../common/ports';
import { withoutUndefined } from '../common/withoutUndefined';
import {
  CHOSEN_SITE,
  hostedSiteSchema,
  isSameSite,
  readKeptSite,
  readKeptSites,
  SITE_KEY,
  type HostedSite,
  type KeptSite,
} from './keptSite';
import type { SiteDeployment } from './featureAvailability';

interface KeptSitesPorts {
  /** VS Code's global state, which all windows share. */
  readonly memento: Memento;
  /** The state of this window's workspace. */
  readonly workspace: Pick<Memento, 'update'>;
  readonly keys: Pick<KeyStore, 'forget'>;
  /** The part that says which site is asked. */
  readonly active: {
    /** Site that the settings name, if they name a whole one. */
    readonly settingsSite: HostedSite | undefined;
    /** Site that is asked while no local docs service runs. */
    readonly hosted: HostedSite | undefined;
    useHosted(site: HostedSite | undefined): void;
    /** Shows the name that the site has now. */
    refresh(): void;
  };
  /** Removes the site from the reader's settings. */
  readonly clearSettings: () => Promise<void>;
  /** Ends that this window answers from docs on this machine, now and after a reload, so that a hosted site is asked. */
  readonly stopLocal: () => Promise<void>;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: NewId;
  readonly log: Log;
}

/**
 * Kept sites, one key of the global state per site. All windows share the state, so a change is
 * applied to what is stored at that moment, and nothing of another window's site is lost. Which site
 * is asked belongs to the workspace, so windows can ask different sites. Stored values never cause an
 * error: an unreadable site is left out, and stays for a version that knows it.
 */
export class KeptSites {
  readonly #ports: KeptSitesPorts;
  /** Keys of unreadable sites that the log already names. */
  readonly #logged = new Set<string>();

  constructor(ports: KeptSitesPorts) {
    this.#ports = ports;
  }

  /** Readable sites. The one that was used last comes first. */
  get list(): readonly KeptSite[] {
    const { memento, log } = this.#ports;
    const sites = readKeptSites(memento);
    const readable = new Set(sites.map(({ id }) => SITE_KEY + id));
    for (const key of memento.keys()) {
      if (!key.startsWith(SITE_KEY) || readable.has(key) || this.#logged.has(key)) continue;
      this.#logged.add(key);
      log.warn(`A kept docs site could not be read: ${key}`);
    }
    return sites;
  }

  get(id: string): KeptSite | undefined {
    return readKeptSite(this.#ports.memento, id);
  }

  find(site: Pick<HostedSite, 'baseUrl' | 'domain'>): KeptSite | undefined {
    return this.list.find((kept) => isSameSite(kept, site));
  }

  /**
   * Keeps a site, or changes the name and `fp` of the one with the same base URL and domain. A field
   * that is not given stays as it is.
   * @param site its base URL as `parseApiAddress` returns it.
   * @throws if the base URL or the domain is none.
   */
  async add(site: HostedSite): Promise<KeptSite> {
    const { clock, newId } = this.#ports;
    const given = withoutUndefined(v.parse(hostedSiteSchema, site));
    const now = clock.now();
    const known = this.find(given);
    const kept: KeptSite = {
      ...(known ?? { schemaVersion: 1, id: newId(), addedAt: now }),
      ...given,
      usedAt: now,
    };
    await this.#save(kept);
    return kept;
  }

  /**
   * Makes the site the one that is asked in this window, and in this workspace after a reload. A local docs
   * service of this window is stopped. A question that is being answered stays with its site.
   * @returns undefined if another window removed the site, and nothing changes then.
   */
  async use(id: string): Promise<KeptSite | undefined> {
    const { active, clock, workspace, stopLocal, log } = this.#ports;
    const used = await this.#change(id, (site) => ({ ...site, usedAt: clock.now() }));
    if (!used) return undefined;
    const { settingsSite } = active;
    const isDefault = settingsSite !== undefined && isSameSite(settingsSite, used);
    active.useHosted(isDefault ? undefined : used);
    await workspace.update(CHOSEN_SITE, isDefault ? undefined : id);
    await stopLocal();
    log.info(`Asking the docs site ${used.domain} at ${new URL(used.baseUrl).origin}`);
    return used;
  }

  /** Asks the site of the settings from now on. */
  async useSettings(): Promise<void> {
    const { active, workspace, stopLocal } = this.#ports;
    active.useHosted(undefined);
    await workspace.update(CHOSEN_SITE, undefined);
    await stopLocal();
  }

  /** Renames a site. A blank name stands for the site's own. */
  async rename(id: string, label: string): Promise<void> {
    const name = label.trim();
    const renamed = await this.#change(id, ({ label: _old, ...site }) => ({
      ...site,
      label: name === '' ? undefined : name,
    }));
    if (renamed) this.#ports.active.refresh();
  }

  /** Says where a site runs. A site of the settings is kept with its deployment. */
  async setDeployment(site: HostedSite, deployment: SiteDeployment): Promise<void> {
    const { id } = this.find(site) ?? (await this.add(site));
    await this.#change(id, (kept) => ({ ...kept, deployment }));
    this.#ports.active.refresh();
  }

  /**
   * Removes a site, kept or of the settings, and its assistant key if no other site has the same
   * origin. Its threads stay until the reader deletes them.
   */
  async remove(site: HostedSite): Promise<void> {
    const { memento, keys, active, clearSettings } = this.#ports;
    const { settingsSite, hosted } = active;
    const kept = this.find(site);
    if (kept) await memento.update(SITE_KEY + kept.id, undefined);
    if (settingsSite && isSameSite(settingsSite, site)) await clearSettings();
    if (!this.sharesKey(site)) await keys.forget('assistant', new URL(site.baseUrl).origin);
    if (hosted && isSameSite(hosted, site)) active.useHosted(undefined);
    else active.refresh();
  }

  /** Returns whether another site, kept or of the settings, has the key of this one. */
  sharesKey(site: HostedSite): boolean {
    const { settingsSite } = this.#ports.active;
    const { origin } = new URL(site.baseUrl);
    return [...this.list, ...(settingsSite ? [settingsSite] : [])].some(
      (other) => !isSameSite(other, site) && new URL(other.baseUrl).origin === origin,
    );
  }

  /** Applies a change to what is stored now. Returns undefined if another window removed the site. */
  async #change(id: string, change: (site: KeptSite) => KeptSite): Promise<KeptSite | undefined> {
    const stored = this.get(id);
    if (!stored) return undefined;
    const changed = change(stored);
    await this.#save(changed);
    return changed;
  }

  async #save(site: KeptSite): Promise<void> {
    await this.#ports.memento.update(SITE_KEY + site.id, site);
  }
}
