import type { Clock, Log } from '../common/ports';
import type { ExportRecord, ExportRecordStore } from './exportRecord';

/** What changes in a record: applied here at once, and to what the store has when it is saved. */
export type RecordChange = (record: ExportRecord) => ExportRecord;

interface Slot {
  record: ExportRecord;
  /** Changes that the store does not have yet. */
  unsaved: RecordChange[];
  /** True once it was in the store: if it is not there later, another window took it off. */
  wasStored: boolean;
  timer: AbortController | undefined;
}

export interface RecordSaverPorts {
  readonly records: ExportRecordStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Told when a save shows that another window took the record off the list. */
  readonly onGone: (id: string) => void;
}

/** Longest time for which a growing number of pages lives in memory alone. */
const SAVE_SOON_MS = 5000;

/**
 * The records as this window knows them, and their way into the store. Windows share the store, so
 * changes are saved, not whole records: nothing that another window wrote is lost.
 */
export class RecordSaver {
  readonly #ports: RecordSaverPorts;
  readonly #slots = new Map<string, Slot>();
  #writes: Promise<void> = Promise.resolve();

  constructor(ports: RecordSaverPorts) {
    this.#ports = ports;
  }

  get(id: string): ExportRecord | undefined {
    return this.#slots.get(id)?.record;
  }

  /** Takes in what the store has; changes that are not saved yet stay. */
  adopt(record: ExportRecord): void {
    const slot = this.#slots.get(record.id);
    if (slot) {
      slot.record = slot.unsaved.reduce((current, change) => change(current), record);
      slot.wasStored = true;
    } else {
      this.#slots.set(record.id, { record, unsaved: [], wasStored: true, timer: undefined });
    }
  }

  /** Resolves when it is in the store, or has failed to get there and is in the log. */
  async add(record: ExportRecord): Promise<void> {
    this.#slots.set(record.id, {
      record,
      unsaved: [(same) => same],
      wasStored: false,
      timer: undefined,
    });
    await this.#save(record.id);
  }

  /** Applies the change and saves it at once. Resolves as {@link add}. */
  async change(id: string, change: RecordChange): Promise<void> {
    if (this.#apply(id, change)) await this.#save(id);
  }

  /** Applies the change and saves it within {@link SAVE_SOON_MS}. */
  changeSoon(id: string, change: RecordChange): void {
    const slot = this.#apply(id, change);
    if (!slot || slot.timer) return;
    slot.timer = new AbortController();
    this.#ports.clock.delay(SAVE_SOON_MS, slot.timer.signal).then(
      () => this.#save(id),
      () => undefined,
    );
  }

  /** Resolves as {@link add}. */
  async forget(id: string): Promise<void> {
    this.drop(id);
    await this.#enqueue('forgotten', () => this.#ports.records.forget(id));
  }

  /** Forgets it here, whatever the store has. */
  drop(id: string): void {
    this.#slots.get(id)?.timer?.abort();
    this.#slots.delete(id);
  }

  /** True for a record that was in the store, with nothing left to be saved. */
  isSaved(id: string): boolean {
    const slot = this.#slots.get(id);
    return slot?.wasStored === true && slot.unsaved.length === 0;
  }

  /** Resolves when everything up to now is in the store, or has failed and is in the log. */
  async flush(): Promise<void> {
    await Promise.all([...this.#slots.keys()].map((id) => this.#save(id)));
  }

  #apply(id: string, change: RecordChange): Slot | undefined {
    const slot = this.#slots.get(id);
    if (!slot) return undefined;
    slot.record = change(slot.record);
    slot.unsaved.push(change);
    return slot;
  }

  async #save(id: string): Promise<void> {
    const slot = this.#slots.get(id);
    slot?.timer?.abort();
    if (slot) slot.timer = undefined;
    await this.#enqueue('saved', () => this.#write(id));
  }

  async #write(id: string): Promise<void> {
    const { records, onGone } = this.#ports;
    const slot = this.#slots.get(id);
    if (!slot || slot.unsaved.length === 0) return;
    const changes = slot.unsaved;
    slot.unsaved = [];
    try {
      const stored = (await records.list()).find((record) => record.id === id);
      if (this.#slots.get(id) !== slot) return;
      if (!stored && slot.wasStored) {
        this.drop(id);
        onGone(id);
        return;
      }
      const saved = stored
        ? changes.reduce((current, change) => change(current), stored)
        : slot.record;
      await records.save(saved);
      slot.wasStored = true;
      if (stored) slot.record = slot.unsaved.reduce((current, change) => change(current), saved);
    } catch (error) {
      slot.unsaved = [...changes, ...slot.unsaved];
      throw error;
    }
  }

  async #enqueue(what: string, write: () => Promise<void>): Promise<void> {
    this.#writes = this.#writes.then(write).catch((error: unknown) => {
      this.#ports.log.error(`An export could not be ${what}`, error);
    });
    await this.#writes;
  }
}
