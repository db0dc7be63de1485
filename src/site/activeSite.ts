import type { ThreadSite } from '../assistant/thread';
import type { AskSettings } from '../assistant/askSettings';
import { DisposableStore, type Disposable } from '../common/disposable';
import { describeError, DocsAssistantError, type Translate } from '../common/errors';
import { Emitter, type Event } from '../common/event';
import { featureState, type Deployment } from '../staticExport/featureAvailability';
import type { KeyStore } from '../common/ports';
import type { SiteView } from '../shared/protocol';
import type { SettingTypes } from './contributions';
import type { SeenSecrets } from './keyStore';

/** A docs service on this machine. Its keys live in this window's memory only. */
export interface LocalSite {
  /** Base address, loopback. */
  readonly url: string;
  readonly domain: string;
  readonly key: string;
  /** Of its export API; absent where it has none. */
  readonly adminKey?: string;
  /** What its pages are called, such as a folder's name. */
  readonly label?: string;
  /** Absolute path of the folder that its pages are read from. */
  readonly docsFolder?: string;
}

interface ActiveSitePorts {
  readonly settings: { readonly values: SettingTypes; readonly onDidChange: Event<void> };
  readonly keys: KeyStore;
  /** Told of local keys, which never pass the key store. */
  readonly secrets: SeenSecrets;
  /** Where the site runs and what is set up there; everything by default. */
  readonly deployment?: () => Deployment;
  readonly translate?: Translate;
}

/**
 * The site that this window's questions go to: a local docs service while one runs, else what the
 * settings say. Is the key store of the two as well, so that a local key is never stored.
 */
export class ActiveSite implements KeyStore, Disposable {
  readonly #ports: ActiveSitePorts;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  #local: LocalSite | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(ports: ActiveSitePorts) {
    this.#ports = ports;
    this.#store.add(ports.settings.onDidChange(() => this.#changed.fire()));
  }

  get local(): LocalSite | undefined {
    return this.#local;
  }

  /** Sends questions to a local service from now on; undefined goes back to the settings. */
  useLocal(site: LocalSite | undefined): void {
    if (site) this.#ports.secrets.add(site.key);
    this.#ports.secrets.add(site?.adminKey);
    this.#local = site;
    this.#changed.fire();
  }

  get askSettings(): AskSettings {
    const { values } = this.#ports.settings;
    const unavailable = this.#local ? undefined : this.#unavailable();
    return {
      ...(unavailable === undefined
        ? { baseUrl: this.#local?.url ?? nonEmpty(values.baseUrl) }
        : { baseUrl: undefined, unavailable: `assistant-${unavailable}` as const }),
      assistantDomain: this.#local?.domain ?? nonEmpty(values.domain),
      fp: values.fp,
      retrievalPageSize: values.retrievalPageSize,
      filter: filterOf(values),
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

  /** Under which threads are kept. */
  get threadSite(): ThreadSite {
    const { label } = this.view;
    const { local, origin } = this;
    const { assistantDomain } = this.askSettings;
    if (local) return { ...localThreadSite(local.label ?? local.domain), label };
    return origin === undefined || assistantDomain === undefined
      ? { id: 'none', label }
      : { ...serviceThreadSite(origin, assistantDomain), label };
  }

  get view(): SiteView {
    const { baseUrl, assistantDomain, filter, unavailable } = this.askSettings;
    const isConfigured = baseUrl !== undefined && assistantDomain !== undefined;
    return {
      isConfigured,
      label: isConfigured
        ? `${this.#local?.label ?? assistantDomain} · ${new URL(baseUrl).host}`
        : '',
      isLocal: this.#local !== undefined,
      ...(unavailable === undefined
        ? {}
        : {
            unavailable: describeError(new DocsAssistantError(unavailable), this.#ports.translate),
          }),
      filter,
    };
  }

  async read(...[purpose, origin]: Parameters<KeyStore['read']>): Promise<string | undefined> {
    const local = this.#local;
    if (local && new URL(local.url).origin === origin) {
      const key = purpose === 'assistant' ? local.key : local.adminKey;
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

  #unavailable(): 'air-gapped' | 'switched-off' | undefined {
    const deployment = this.#ports.deployment?.();
    if (!deployment) return undefined;
    const state = featureState('assistant', deployment);
    if (state === 'unavailable') return 'air-gapped';
    return state === 'off' ? 'switched-off' : undefined;
  }
}

/** Of a service that the settings name. */
export function serviceThreadSite(origin: string, domain: string): ThreadSite {
  return { id: `${origin} ${domain}`, label: `${domain} · ${new URL(origin).host}` };
}

/** Of a docs service on this machine; `label` is what its pages are called. */
export function localThreadSite(label: string): ThreadSite {
  return { id: `local ${label}`, label };
}

function filterOf(values: SettingTypes): AskSettings['filter'] {
  const { filterVersion, filterLanguage, filterGroups } = values;
  return {
    ...(filterVersion === '' ? {} : { version: filterVersion }),
    ...(filterLanguage === '' ? {} : { language: filterLanguage }),
    ...(filterGroups.length === 0 ? {} : { groups: filterGroups }),
  };
}

const nonEmpty = (text: string): string | undefined => (text === '' ? undefined : text);
