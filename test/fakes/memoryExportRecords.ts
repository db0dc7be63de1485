import {
  type ExportRecord,
  type ExportRecordStore,
  parseExportRecord,
} from '../../src/export/job/record';

/** Keeps JSON, as the real store does, so that a test sees what storing loses. */
export class MemoryExportRecords implements ExportRecordStore {
  readonly records = new Map<string, string>();
  readonly setAside: unknown[] = [];
  /** Number of records written so far. */
  writeCount = 0;
  /** Set to make every write fail. */
  failure: Error | undefined;

  list(): Promise<readonly ExportRecord[]> {
    const records: ExportRecord[] = [];
    for (const [id, stored] of [...this.records]) {
      const record = parseExportRecord(JSON.parse(stored));
      if (record?.id === id) {
        records.push(record);
      } else {
        this.setAside.push(JSON.parse(stored));
        this.records.delete(id);
      }
    }
    return Promise.resolve(records.sort((a, b) => b.startedAt - a.startedAt));
  }

  save(record: ExportRecord): Promise<void> {
    if (this.failure) return Promise.reject(this.failure);
    this.writeCount++;
    this.records.set(record.id, JSON.stringify(record));
    return Promise.resolve();
  }

  forget(id: string): Promise<void> {
    if (this.failure) return Promise.reject(this.failure);
    this.records.delete(id);
    return Promise.resolve();
  }
}
