import { originOf } from '../../common/http/address';
import { hostOf } from '../../common/http/responseErrors';
import type { KeyStore } from '../../common/ports';
import { ExportError } from '../exportErrors';
import type { ExportEndpoint, ExportEndpoints, Exports } from './exports';
import { LOCAL_API } from './record';

/** Export API of the running local docs service. Its key exists only in this window's memory. */
export interface LocalExportSite {
  /** Base URL on this machine. */
  readonly url: string;
  /** Domain of its site, as its export API expects it. */
  readonly domain: string;
  readonly adminKey: string;
}

interface EndpointPorts {
  readonly keys: Pick<KeyStore, 'read'>;
  readonly local: () => LocalExportSite | undefined;
  /** Notes local keys, which never pass through the key store. */
  readonly seen: { add(secret: string): unknown };
}

/**
 * Opens export APIs with the keys from secret storage, which are read at the moment of use. A key is
 * sent only to the origin that it was saved for (faults.md F4, F7).
 */
export class WorkbenchEndpoints implements ExportEndpoints {
  readonly #ports: EndpointPorts;

  constructor(ports: EndpointPorts) {
    this.#ports = ports;
  }

  async open(apiUrl: string): Promise<ExportEndpoint> {
    if (apiUrl === LOCAL_API) return this.#openLocal();
    // A stored URL is checked again, because the stored state may have been changed.
    const origin = originOf(apiUrl);
    if (origin === undefined) throw new ExportError('no-admin-key');
    const adminKey = await this.#ports.keys.read('admin', origin);
    if (adminKey === undefined) throw new ExportError('no-admin-key', { host: hostOf(origin) });
    return { url: apiUrl, adminKey };
  }

  #openLocal(): ExportEndpoint {
    const local = this.#ports.local();
    if (!local) throw new ExportError('local-service-stopped');
    this.#ports.seen.add(local.adminKey);
    return { url: local.url, adminKey: local.adminKey };
  }
}

type Watched = Pick<Exports, 'list' | 'watch'>;

const codesOfKey: readonly (string | undefined)[] = ['no-admin-key', 'admin-key-rejected'];

/** Watches the jobs again that waited for the admin key of an origin. */
export async function watchAgainWithKey(exports: Watched, origin: string): Promise<void> {
  for (const { record, watch } of exports.list) {
    const { id, apiUrl, outcome, errorCode } = record;
    const isWaiting = outcome === 'unwatchable' && watch.name === 'idle';
    const isThere = apiUrl !== LOCAL_API && originOf(apiUrl) === origin;
    if (isWaiting && isThere && codesOfKey.includes(errorCode)) await exports.watch(id);
  }
}

/** Watches the jobs again that waited for the local docs service. */
export async function watchAgainAtLocal(exports: Watched): Promise<void> {
  for (const { record, watch } of exports.list) {
    const isWaiting = watch.name === 'waiting' && watch.error.code === 'local-service-stopped';
    if (isWaiting && record.apiUrl === LOCAL_API) await exports.watch(record.id);
  }
}

/** Returns whether a job runs at the local docs service, which ended with an earlier window. */
export function needsLocalService({ list }: Pick<Exports, 'list'>): boolean {
  return list.some(({ record }) => record.outcome === 'running' && record.apiUrl === LOCAL_API);
}
