import type { Memento } from '../../src/common/ports';

/** Stores state like VS Code: as JSON, without undefined values. */
export class MemoryMemento implements Memento {
  readonly values = new Map<string, unknown>();

  keys = (): readonly string[] => [...this.values.keys()];

  get = <T>(key: string, fallback?: T): T | undefined =>
    this.values.has(key) ? (this.values.get(key) as T) : fallback;

  update = (key: string, value: unknown): Promise<void> => {
    if (value === undefined) this.values.delete(key);
    else this.values.set(key, JSON.parse(JSON.stringify(value)));
    return Promise.resolve();
  };
}
