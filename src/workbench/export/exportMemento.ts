import type { Memento } from 'vscode';
import type { Clock, Log } from '../../common/ports';
import {
  parseExportRecord,
  type ExportRecord,
  type ExportRecordStore,
} from '../../staticExport/exportRecord';

/** Exports kept; the oldest that have ended go when a new one is written. */
const MAX_RECORDS = 100;
/** Unreadable records kept for whoever wants to look at them. */
const MAX_SET_ASIDE = 5;

const RECORD = 'export:';
const SET_ASIDE = 'exportSetAside:';

interface ExportMementoPorts {
  readonly memento: Memento;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/**
 * Exports in global state, one record each, and no index beside them that could disagree. A record
 * that cannot be read (corrupt, or written by a newer version) is set aside under another key with
 * a line in the log; nothing here throws for what is stored.
 */
export class ExportMemento implements ExportRecordStore {
  readonly #ports: ExportMementoPorts;

  constructor(ports: ExportMementoPorts) {
    this.#ports = ports;
  }

  async list(): Promise<readonly ExportRecord[]> {
    const records: ExportRecord[] = [];
    for (const key of this.#keys()) {
      const stored: unknown = this.#ports.memento.get(key);
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

  /** A job that runs is never given up for the sake of the list. */
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
