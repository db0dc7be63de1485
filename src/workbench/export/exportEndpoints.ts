import { originOf } from '../../common/address';
import type { KeyStore } from '../../common/ports';
import { ExportError } from '../../staticExport/exportErrors';
import { LOCAL_API } from '../../staticExport/exportRecord';
import type { ExportEndpoints } from '../../staticExport/exports';

/** The export side of a local docs service that runs. Its key lives in this window's memory only. */
export interface LocalExportSite {
  /** Base address, loopback. */
  readonly url: string;
  /** As its export API takes it. */
  readonly domain: string;
  readonly adminKey: string;
}

interface EndpointPorts {
  readonly keys: Pick<KeyStore, 'read'>;
  readonly local: () => LocalExportSite | undefined;
  /** Told of local keys, which never pass the key store. */
  readonly seen: { add(secret: string): unknown };
}

/**
 * Opens export APIs with the keys in secret storage, read at the moment of use: a key goes to the
 * origin that it was saved for and to no other (faults.md F4, F7).
 */
export class WorkbenchEndpoints implements ExportEndpoints {
  readonly #ports: EndpointPorts;

  constructor(ports: EndpointPorts) {
    this.#ports = ports;
  }

  async open(apiUrl: string): Promise<{ readonly url: string; readonly adminKey: string }> {
    if (apiUrl === LOCAL_API) return this.#openLocal();
    // Checked once more: a stored address is only as good as the state that it was stored in.
    const origin = originOf(apiUrl);
    if (origin === undefined) throw new ExportError('no-admin-key');
    const adminKey = await this.#ports.keys.read('admin', origin);
    if (adminKey === undefined) throw new ExportError('no-admin-key', { host: hostOf(origin) });
    return { url: apiUrl, adminKey };
  }

  #openLocal(): { readonly url: string; readonly adminKey: string } {
    const local = this.#ports.local();
    if (!local) throw new ExportError('local-service-stopped');
    this.#ports.seen.add(local.adminKey);
    return { url: local.url, adminKey: local.adminKey };
  }
}

const hostOf = (origin: string): string => new URL(origin).host;
