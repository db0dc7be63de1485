import { isDeepStrictEqual } from 'node:util';
import type { Clock, Log } from '../../common/ports';
import { hasEnded, type JobEvent, nextRecord } from './jobState';
import type { ExportRecord, ExportRecordStore } from './record';

interface Slot {
  record: ExportRecord;
  /** Events that are not stored yet. They are applied to the stored record when it is saved. */
  unsaved: JobEvent[];
  /** Whether the record was in the store. If it is missing later, another window has removed it. */
  wasStored: boolean;
  timer: AbortController | undefined;
}

interface RecordSaverPorts {
  readonly records: ExportRecordStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when another window has removed the record. */
  readonly onGone: (id: string) => void;
}

/** Delay before a change of the page count is saved. */
const SAVE_SOON_MS = 5000;

/**
 * Records of this window, and their way into the store. Windows share the store, so the saver
 * applies events to what is stored, instead of writing whole records. That way nothing of another window is lost.
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

  /** Takes over a stored record, and returns what it is here. Unsaved events and a known end stay. */
  adopt(record: ExportRecord): ExportRecord {
    const slot = this.#slots.get(record.id);
    if (slot) {
      const kept = keepEnd(slot.record, record);
      slot.record = slot.unsaved.reduce(nextRecord, kept);
      slot.wasStored = true;
      return slot.record;
    }
    this.#slots.set(record.id, { record, unsaved: [], wasStored: true, timer: undefined });
    return record;
  }

  /** Adds a record. Resolves when it is stored, or when a failure to store it is logged. */
  async add(record: ExportRecord): Promise<void> {
    this.#slots.set(record.id, { record, unsaved: [], wasStored: false, timer: undefined });
    await this.#save(record.id);
  }

  /** Applies an event and saves it at once. Resolves like {@link add}. */
  async apply(id: string, event: JobEvent): Promise<void> {
    if (this.#apply(id, event)) await this.#save(id);
  }

  /** Applies an event, and saves it within {@link SAVE_SOON_MS} if it changes anything. */
  applySoon(id: string, event: JobEvent): void {
    const before = this.#slots.get(id)?.record;
    if (before && isDeepStrictEqual(before, nextRecord(before, event))) return;
    const slot = this.#apply(id, event);
    if (!slot || slot.timer) return;
    slot.timer = new AbortController();
    this.#ports.clock.delay(SAVE_SOON_MS, slot.timer.signal).then(
      () => this.#save(id),
      () => undefined,
    );
  }

  /** Removes a record here and from the store. Resolves like {@link add}. */
  async forget(id: string): Promise<void> {
    this.drop(id);
    await this.#enqueue('forgotten', () => this.#ports.records.forget(id));
  }

  /** Removes a record here, but not from the store. */
  drop(id: string): void {
    this.#slots.get(id)?.timer?.abort();
    this.#slots.delete(id);
  }

  /** Returns whether a record was stored and has no unsaved events. */
  isSaved(id: string): boolean {
    const slot = this.#slots.get(id);
    return slot?.wasStored === true && slot.unsaved.length === 0;
  }

  /** Saves all events. Resolves when each is stored or its failure is logged. */
  async flush(): Promise<void> {
    await Promise.all([...this.#slots.keys()].map((id) => this.#save(id)));
  }

  #apply(id: string, event: JobEvent): Slot | undefined {
    const slot = this.#slots.get(id);
    if (!slot) return undefined;
    slot.record = nextRecord(slot.record, event);
    slot.unsaved.push(event);
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
    if (!slot || this.isSaved(id)) return;
    const events = slot.unsaved;
    slot.unsaved = [];
    try {
      const stored = (await records.list()).find((record) => record.id === id);
      if (this.#slots.get(id) !== slot) return;
      if (!stored && slot.wasStored) {
        this.drop(id);
        onGone(id);
        return;
      }
      const saved = stored ? events.reduce(nextRecord, keepEnd(slot.record, stored)) : slot.record;
      await records.save(saved);
      slot.wasStored = true;
      if (stored) slot.record = slot.unsaved.reduce(nextRecord, saved);
    } catch (error) {
      slot.unsaved = [...events, ...slot.unsaved];
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

/**
 * Returns the stored record, with what this window knows if the job has ended only here. VS Code can
 * return an older value of its state for a while after a window was loaded again.
 */
function keepEnd(known: ExportRecord, stored: ExportRecord): ExportRecord {
  return hasEnded(known) && !hasEnded(stored) ? { ...stored, ...known } : stored;
}
