/** What is stored about an export: no key, and no link, as a presigned link opens the bundle. */

/** Where the local docs service is meant, whatever port it has this time. */
export const LOCAL_API = 'local';

/** How far an export got, in our words; `status` beside it is the service's. */
export type ExportOutcome = 'running' | 'completed' | 'failed' | 'unwatchable';

/** The bundle's archive on this machine's disk. */
export interface DownloadedArchive {
  /** Absolute path. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** One export, as it is kept in global state under `export:<id>`. Times are ms since the epoch. */
export interface ExportRecord {
  readonly schemaVersion: 1;
  /** Ours, unique for this installation. */
  readonly id: string;
  /** Base address of the export API as `parseBaseUrl` gives it, or {@link LOCAL_API}. */
  readonly apiUrl: string;
  /** Bare host name of the site (platform-api.md § Start static export job). */
  readonly exportDomain: string;
  readonly jobId: string;
  readonly startedAt: number;
  readonly outcome: ExportOutcome;
  /** The service's word as it came, harmless and at most 100 characters. */
  readonly status?: string;
  /** Pages exported, as last told. */
  readonly pages?: number;
  readonly endedAt?: number;
  /** Why it failed or can be watched no longer: a code, and the service's own sentence. */
  readonly errorCode?: string;
  readonly errorMessage?: string;
  /** Addresses of its bundle without their queries, newest first, at most 10: they know its links again. */
  readonly bundleAddresses?: readonly string[];
  /** When the newest link expires, if the service said so. */
  readonly linkExpiresAt?: number;
  readonly archive?: DownloadedArchive;
  /** Absolute path of the folder that it was unpacked into: the site's root. */
  readonly siteFolder?: string;
}

/** Where records are kept, each by itself, so that two windows never overwrite each other's. */
export interface ExportRecordStore {
  /** Every record that can be read, newest first; what cannot is set aside and logged. */
  list(): Promise<readonly ExportRecord[]>;
  save(record: ExportRecord): Promise<void>;
  forget(id: string): Promise<void>;
}

/** Lets one window of many do a thing. */
export interface Claims {
  /** True for the first that claims the name on this machine, ever; false for all others. */
  claim(name: string): Promise<boolean>;
}
