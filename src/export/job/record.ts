/** Stored data of an export. It contains no key and no link, because a link opens the bundle. */
import * as v from 'valibot';
import { DocsAssistantError } from '../../common/errors';
import { parseBaseUrl } from '../../common/http/address';
import { hostOf } from '../../common/http/responseErrors';
import type { Clock, Log, Memento } from '../../common/ports';
import { errorCodes } from '../../shared/errorInfo';
import { count, extra, type Parsed, parsedAs } from '../../shared/schemas';
import { ExportError, exportErrorCodes } from '../exportErrors';
import { withoutUndefined } from '../../common/withoutUndefined';
import { resultsSchema, sha256Schema } from './results';

/** API of an export at the local docs service, whose port changes with each start. */
export const LOCAL_API = 'local';

/** Options of a start request that not every service takes. */
export const startOptionNames = ['label', 'paths'] as const;

/** Returns whether a job's ID can be a percent-encoded segment of a path (faults.md C2). */
export function isUsableJobId(text: string): boolean {
  return /^[^\p{Cc}\p{Surrogate}]{1,200}$/u.test(text) && text !== '.' && text !== '..';
}

const text = v.pipe(v.string(), v.minLength(1));
const time = v.pipe(v.number(), v.safeInteger());

const archiveSchema = v.object({
  /** Absolute path. */
  path: text,
  sizeBytes: count,
  /** SHA-256 in lower-case hex. */
  sha256: sha256Schema,
});

/** Archive of a bundle on this machine's disk. */
export type DownloadedArchive = Parsed<typeof archiveSchema>;

/** Places of a bundle on this machine. */
export interface BundlePlaces {
  readonly archive?: DownloadedArchive;
  /** Absolute path of the unpacked site's root. */
  readonly siteFolder?: string;
}

const recordSchema = v.pipe(
  v.object({
    schemaVersion: v.literal(1),
    /** Our ID, unique for this installation. */
    id: text,
    /** Base URL of the export API in the form of `parseBaseUrl`, or {@link LOCAL_API}. */
    apiUrl: v.pipe(
      v.string(),
      v.check((url) => {
        const address = parseBaseUrl(url);
        return url === LOCAL_API || (address.ok && address.baseUrl === url);
      }),
    ),
    /** Bare host name of the site (platform-api.md § Start static export job). */
    exportDomain: text,
    jobId: v.pipe(v.string(), v.check(isUsableJobId)),
    /** Label of the version that the job was asked for. */
    label: extra(text),
    /** Paths that the job was asked for. */
    paths: extra(v.array(text)),
    /** Options that the service didn't take, so that the job was started without them. */
    leftOut: extra(v.array(v.picklist(startOptionNames))),
    startedAt: time,
    // An unreadable outcome becomes `running`, so that the service is asked for the real one.
    outcome: v.fallback(v.picklist(['running', 'completed', 'failed', 'unwatchable']), 'running'),
    /** The service's own word, sanitized and at most 100 characters long. */
    status: extra(text),
    /** Last known number of exported pages. */
    pages: extra(count),
    /** Highest percent shown, so that the bar never moves back. */
    peakPercent: extra(v.pipe(count, v.maxValue(100))),
    endedAt: extra(time),
    /** Code of the error that ended the job or its watch. `errorMessage` is the service's own. */
    errorCode: extra(text),
    errorMessage: extra(text),
    /** Number of times the job was watched again after an error, so that each end is announced once. */
    watchRound: extra(count),
    /** URLs of its bundle without queries, to recognize its links. Newest first, at most 10. */
    // A URL with a query would be a link, which opens the bundle.
    bundleAddresses: extra(v.array(v.pipe(text, v.excludes('?')))),
    /** Expiry of the newest link, if the service gave one. */
    linkExpiresAt: extra(time),
    archive: extra(archiveSchema),
    /** Absolute path of the unpacked site's root. */
    siteFolder: extra(text),
    /** SHA-256 of the archive that the site folder was unpacked from. */
    siteSha256: extra(sha256Schema),
    /** Newest results of Check Bundle, the comparison and the docs questions. */
    results: extra(resultsSchema),
  }),
  v.transform((record) => withoutUndefined(record)),
);

/** One export, stored in global state under `export:<id>`. Times are ms since the epoch. */
export type ExportRecord = Parsed<typeof recordSchema>;

/** Store of records. Each record is stored separately, so that windows don't overwrite others'. */
export interface ExportRecordStore {
  /** Returns the readable records, newest first. Unreadable ones are set aside and logged. */
  list(): Promise<readonly ExportRecord[]>;
  save(record: ExportRecord): Promise<void>;
  forget(id: string): Promise<void>;
}

/** Makes sure that only one window does something. */
export interface Claims {
  /** Returns true only for the first claim of a name on this machine. */
  claim(name: string): Promise<boolean>;
}

/**
 * Reads a stored record. Unknown fields and unreadable optional fields are dropped.
 * @returns undefined for another `schemaVersion` and for a corrupt record, which is then set aside.
 */
export function parseExportRecord(stored: unknown): ExportRecord | undefined {
  return parsedAs(recordSchema, stored);
}

/**
 * Returns the error that ended a job or its watch, for `describeExportError`, or undefined if the
 * record has none.
 */
export function errorOfRecord(record: ExportRecord): Error | undefined {
  const { errorCode, errorMessage, apiUrl, exportDomain } = record;
  if (errorCode === undefined) return undefined;
  const details = { serviceMessage: errorMessage, host: hostOf(apiUrl), exportDomain };
  const exportCode = exportErrorCodes.find((code) => code === errorCode);
  if (exportCode !== undefined) return new ExportError(exportCode, details);
  const code = errorCodes.find((known) => known === errorCode) ?? 'unexpected';
  return new DocsAssistantError(code, details);
}

/** Maximum number of stored exports. A new one replaces the oldest that has ended. */
const MAX_RECORDS = 100;
/** Maximum number of unreadable records kept for a later look. */
const MAX_SET_ASIDE = 5;

const RECORD = 'export:';
const SET_ASIDE = 'exportSetAside:';

interface ExportMementoPorts {
  readonly memento: Memento;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/**
 * Exports in global state, one key per record and no index that could disagree with them. A record
 * that can't be read (corrupt, or from a newer version) is moved to another key and logged. Stored
 * values never cause an error.
 */
export class ExportMemento implements ExportRecordStore {
  readonly #ports: ExportMementoPorts;

  constructor(ports: ExportMementoPorts) {
    this.#ports = ports;
  }

  async list(): Promise<readonly ExportRecord[]> {
    const records: ExportRecord[] = [];
    for (const key of this.#keys()) {
      const stored = this.#ports.memento.get(key);
      const record = parseExportRecord(stored);
      if (record && key === RECORD + record.id) records.push(record);
      else await this.#setAside(key, stored);
    }
    return records.sort((a, b) => b.startedAt - a.startedAt);
  }

  async save(record: ExportRecord): Promise<void> {
    await this.#ports.memento.update(RECORD + record.id, record);
    if (this.#keys().length > MAX_RECORDS) await this.#prune(record.id);
  }

  async forget(id: string): Promise<void> {
    await this.#ports.memento.update(RECORD + id, undefined);
  }

  #keys(): string[] {
    return this.#ports.memento.keys().filter((key) => key.startsWith(RECORD));
  }

  /** Removes the oldest exports beyond the limit, but never a running one. */
  async #prune(justSaved: string): Promise<void> {
    const oldestFirst = (await this.list())
      .filter(({ id, outcome }) => id !== justSaved && outcome !== 'running')
      .reverse();
    const surplus = Math.max(0, this.#keys().length - MAX_RECORDS);
    for (const { id } of oldestFirst.slice(0, surplus)) await this.forget(id);
  }

  async #setAside(key: string, stored: unknown): Promise<void> {
    const { memento, clock, log } = this.#ports;
    log.warn(`A stored export could not be read and was set aside: ${key}`);
    try {
      const aside = memento.keys().filter((name) => name.startsWith(SET_ASIDE));
      for (const name of aside.sort().slice(0, Math.max(0, aside.length - MAX_SET_ASIDE + 1))) {
        await memento.update(name, undefined);
      }
      const time = new Date(clock.now()).toISOString();
      await memento.update(`${SET_ASIDE}${time}:${key}`, stored);
      await memento.update(key, undefined);
    } catch (error) {
      log.error('Setting a stored export aside failed', error);
    }
  }
}
