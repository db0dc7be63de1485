import type { Memento } from 'vscode';
import * as v from 'valibot';

const KEY = 'adminKeyOrigins';

const schema = v.array(v.pipe(v.string(), v.url()));

/**
 * The origins that an admin key was saved for, and nothing of the keys: secret storage cannot be
 * asked what it holds.
 */
export class AdminOrigins {
  readonly #memento: Memento;

  constructor(memento: Memento) {
    this.#memento = memento;
  }

  get list(): readonly string[] {
    const stored = v.safeParse(schema, this.#memento.get(KEY));
    return stored.success ? stored.output : [];
  }

  async add(origin: string): Promise<void> {
    if (!this.list.includes(origin)) await this.#memento.update(KEY, [...this.list, origin]);
  }

  async remove(origin: string): Promise<void> {
    await this.#memento.update(
      KEY,
      this.list.filter((other) => other !== origin),
    );
  }
}
