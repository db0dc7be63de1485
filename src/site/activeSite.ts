import { DisposableStore, type Disposable } from '../common/disposable';
import { Emitter, type Event } from '../common/event';
import { cloudDeployment, featureState } from './featureAvailability';
import type { KeyStore, SignIns } from '../common/ports';
import type { AskFilter } from '../shared/askFilter';
import type { SiteView } from '../shared/protocol';
import type { askSettingsSchema } from './askSettingsSchema';
import type { SettingTypes } from './settingsSchema';
import type { SeenSecrets } from './keyStore';
import type { WorkspaceSites } from './workspaceSites';
import { isHostOfDomain, isLoopbackHost } from '../common/http/address';
import type { LocalSite } from '../common/localSite';
import { withoutUndefined } from '../common/withoutUndefined';
import { isSameSite, type HostedSite } from './keptSite';
import type { SiteVersion } from './siteVersion';
import { parsedAs, type Parsed } from '../shared/schemas';
import { parseUrl } from '../shared/links';
import { parsedJson } from '../common/text/strings';
import * as v from 'valibot';

interface ActiveSitePorts {
  readonly settings: { readonly values: SettingTypes; readonly onDidChange: Event<void> };
  readonly keys: KeyStore;
  /** Secrets to redact. Local keys are added here because they never pass the key store. */
  readonly secrets: SeenSecrets;
  /** Returns the sites that the reader keeps. */
  readonly kept?: () => readonly HostedSite[];
  /** Memory of this workspace about its sites. Absent if it remembers nothing. */
  readonly workspaceSites?: WorkspaceSites;
  /** Site that this workspace asked last. Absent if that was the site of the settings. */
  readonly chosen?: HostedSite | undefined;
}

/** The installed version of the package that a site's docs are about. */
export interface InstalledSiteVersion extends SiteVersion {
  /** `ThreadSite.id` of the site. */
  readonly siteId: string;
  /** Version of the docs for the installed one. Undefined if the site has none. */
  readonly preselected: string | undefined;
}

/**
 * The site that this window's questions go to: a running local docs service, or else the hosted
 * site that was chosen in this workspace, or else the site of the settings. It is also the key
 * store for all of them, so that local keys stay in memory.
 */
export class ActiveSite implements KeyStore, Disposable {
  readonly #ports: ActiveSitePorts;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  #installed: InstalledSiteVersion | undefined;
  #local: LocalSite | undefined;
  #chosen: HostedSite | undefined;
  #packages = 0;

  readonly onDidChange = this.#changed.event;

  constructor(ports: ActiveSitePorts) {
    this.#ports = ports;
    this.#chosen = ports.chosen;
    this.#store.add(ports.settings.onDidChange(() => this.#changed.fire()));
  }

  get local(): LocalSite | undefined {
    return this.#local;
  }

  /** Notes the number of installed packages, which the reader can ask about before any site is set up. */
  notePackages(count: number): void {
    if (count === this.#packages) return;
    this.#packages = count;
    this.#changed.fire();
  }

  /** Sends questions to a local service from now on; undefined goes back to the settings. */
  useLocal(site: LocalSite | undefined): void {
    if (site) this.#ports.secrets.add(site.key);
    this.#ports.secrets.add(site?.adminKey);
    this.#local = site;
    this.#changed.fire();
  }

  /**
   * Site of the settings. If it is kept in the list of sites, it has the name and `fp` of its
   * entry.
   */
  get settingsSite(): HostedSite | undefined {
    const { baseUrl, domain } = this.#ports.settings.values;
    if (baseUrl === '' || domain === '') return undefined;
    const site = { baseUrl, domain };
    return this.#ports.kept?.().find((kept) => isSameSite(kept, site)) ?? site;
  }

  /**
   * Returns the hosted site that an export is of: the one whose URL has the host's form, or else the one
   * that is asked.
   * @param exportDomain host name of the exported site, or the name of a bundle of no known export.
   */
  siteOfExport(exportDomain: string): HostedSite | undefined {
    const { settingsSite, hosted } = this;
    const sites = [...(this.#ports.kept?.() ?? []), ...(settingsSite ? [settingsSite] : [])];
    return sites.find(({ domain }) => isHostOfDomain(exportDomain, domain)) ?? hosted;
  }

  /** Hosted site that is asked while no local service runs. Undefined if none is set up. */
  get hosted(): HostedSite | undefined {
    return this.#chosen ?? this.settingsSite;
  }

  /** Sends questions to a hosted site from now on; undefined goes back to the settings. */
  useHosted(site: HostedSite | undefined): void {
    this.#chosen = site;
    this.#changed.fire();
  }

  /** Shows the name that a kept site has now. */
  refresh(): void {
    const chosen = this.#chosen;
    // If another window removes the site, this window still asks it until another site is chosen
    // here.
    this.#chosen =
      chosen && (this.#ports.kept?.().find((kept) => isSameSite(kept, chosen)) ?? chosen);
    this.#changed.fire();
  }

  /** Installed version of the package that the docs of the asked site are about, if it is known. */
  get installed(): InstalledSiteVersion | undefined {
    return this.#installed?.siteId === this.#threadSiteId ? this.#installed : undefined;
  }

  /** Asks for the docs of an installed version from now on, unless the reader chose another one. */
  useInstalled(installed: InstalledSiteVersion | undefined): void {
    if (JSON.stringify(installed) === JSON.stringify(this.#installed)) return;
    this.#installed = installed;
    this.#changed.fire();
  }

  /** Filter of the questions to the site that is asked now. */
  get filter(): AskFilter {
    const { filter = {}, hasAllVersions } =
      this.#ports.workspaceSites?.read(this.#threadSiteId) ?? {};
    const preselected = this.installed?.preselected;
    const isChosen = filter.version !== undefined || hasAllVersions === true;
    return isChosen || preselected === undefined ? filter : { ...filter, version: preselected };
  }

  /**
   * Filters the questions to this site from now on, in this workspace. The version that is preselected isn't
   * stored, so that it follows what is installed.
   */
  setFilter(filter: AskFilter): void {
    const preselected = this.installed?.preselected;
    const { version, ...others } = filter;
    const isFollowing = version !== undefined && version === preselected;
    const stored = isFollowing ? others : filter;
    this.#ports.workspaceSites?.change(
      this.#threadSiteId,
      ({ filter: _old, hasAllVersions: before, ...site }) => {
        const hasAllVersions = version === undefined && (preselected !== undefined || before);
        return withoutUndefined({
          ...site,
          filter: Object.keys(stored).length === 0 ? undefined : stored,
          hasAllVersions: hasAllVersions === true ? true : undefined,
        });
      },
    );
    this.#changed.fire();
  }

  get askSettings(): AskSettings {
    const { values } = this.#ports.settings;
    const { hosted } = this;
    const unavailable = this.#local ? undefined : this.#unavailable();
    return {
      ...(unavailable === undefined
        ? { baseUrl: this.#local?.url ?? hosted?.baseUrl ?? (values.baseUrl || undefined) }
        : { baseUrl: undefined, unavailable: `assistant-${unavailable}` as const }),
      assistantDomain: this.#local?.domain ?? hosted?.domain ?? (values.domain || undefined),
      fp: (this.#local ? undefined : hosted?.fp) ?? values.fp,
      hasPackages: this.#hasPackages,
      retrievalPageSize: values.retrievalPageSize,
      filter: this.filter,
      idleTimeoutMs: values.timeoutSeconds * 1000,
      // A proxy may hold a whole reply back before its first byte.
      headersTimeoutMs: values.timeoutSeconds * 2000,
    };
  }

  /** `https://host:port` that keys are bound to; undefined while no site is set up. */
  get origin(): string | undefined {
    const { baseUrl, assistantDomain } = this.askSettings;
    return baseUrl === undefined || assistantDomain === undefined
      ? undefined
      : new URL(baseUrl).origin;
  }

  /** Site under which threads are stored, also while it has no assistant. */
  get threadSite(): ThreadSite {
    return { id: this.#threadSiteId, label: this.view.label };
  }

  /** The site as the panel shows it, without the reason for which it can't be asked, which {@link siteView} adds. */
  get view(): Omit<SiteView, 'unavailable'> {
    const { assistantDomain, baseUrl, filter } = this.askSettings;
    const shownUrl = baseUrl ?? this.hosted?.baseUrl;
    const answersWith = this.#local?.answersWith;
    const name = (this.#local ? this.#local.label : this.hosted?.label) ?? assistantDomain;
    const isKnown = shownUrl !== undefined && name !== undefined;
    const isConfigured = baseUrl !== undefined && assistantDomain !== undefined;
    // Packages have the folder that asks for them, which says more than the address of this machine.
    const place = this.#local?.docs?.installedFolder?.split(/[\\/]/).findLast(Boolean);
    return {
      isConfigured,
      hasPackages: this.#hasPackages,
      packages: isConfigured || this.#packages === 0 ? undefined : this.#packages,
      label: isKnown ? `${name} · ${place ?? new URL(shownUrl).host}` : '',
      isLocal: this.#local !== undefined,
      answersWith,
      filter,
    };
  }

  get signIns(): SignIns | undefined {
    return this.#ports.keys.signIns;
  }

  async read(...[purpose, origin]: Parameters<KeyStore['read']>): Promise<string | undefined> {
    const local = this.#local;
    if (local && new URL(local.url).origin === origin) {
      const key = { assistant: local.key, admin: local.adminKey, model: undefined }[purpose];
      if (key !== undefined) return key;
    }
    return this.#ports.keys.read(purpose, origin);
  }

  save(...[purpose, origin, key]: Parameters<KeyStore['save']>): Promise<void> {
    return this.#ports.keys.save(purpose, origin, key);
  }

  forget(...[purpose, origin]: Parameters<KeyStore['forget']>): Promise<void> {
    return this.#ports.keys.forget(purpose, origin);
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** The ID has no name that the reader can change, so a renamed site keeps what it has. */
  get #threadSiteId(): string {
    const { local, hosted } = this;
    if (local) return `local ${local.threadName ?? local.label ?? local.domain}`;
    return hosted ? `${new URL(hosted.baseUrl).origin} ${hosted.domain}` : NO_SITE_ID;
  }

  get #hasPackages(): true | undefined {
    return this.#local?.docs?.kind === 'installed' ? true : undefined;
  }

  #unavailable(): 'air-gapped' | 'switched-off' | undefined {
    const state = featureState('assistant', this.hosted?.deployment ?? cloudDeployment);
    if (state === 'unavailable') return 'air-gapped';
    return state === 'off' ? 'switched-off' : undefined;
  }
}

/**
 * Settings of a question. They are read for each question and don't change while it is answered.
 */
export type AskSettings = Parsed<typeof askSettingsSchema>;

/** `ThreadSite.id` while no site is set up. */
export const NO_SITE_ID = 'none';

/** The docs site that a thread is about, under which it is kept. */
export interface ThreadSite {
  /**
   * Origin and domain of the site, `local` with a name, or {@link NO_SITE_ID}. Used to compare sites
   * and to name a folder.
   */
  readonly id: string;
  /** Name of the site in the header. */
  readonly label: string;
}

/** The environment variable by which `npm start` and the tests name a local service that runs. */
export const PRESET_SITE_VARIABLE = 'DOCS_ASSISTANT_LOCAL_SERVICE';

const presetSchema = v.object({
  url: v.pipe(
    v.string(),
    v.check((url) => isLoopbackHost(parseUrl(url)?.hostname ?? '')),
  ),
  domain: v.string(),
  key: v.string(),
  adminKey: v.optional(v.string()),
  label: v.optional(v.string()),
  takesWriter: v.optional(v.boolean()),
});

/**
 * Parses a local service from JSON. Returns undefined for anything else, and for a service that
 * isn't on this machine.
 */
export function parsePresetSite(json: string | undefined): LocalSite | undefined {
  return json === undefined ? undefined : parsedAs(presetSchema, parsedJson(json));
}
