import type { Memento } from 'vscode';
import * as v from 'valibot';
import { Emitter } from '../../common/event';
import type { Disposable } from '../../common/disposable';
import type { OpenedSite, OpenedSites } from './openedSites';

const KEY = 'exportSites';

/** Older ones leave the list; their folders stay. */
const MAX_SITES = 20;

const schema = v.object({
  schemaVersion: v.literal(1),
  sites: v.array(v.object({ folder: v.string(), label: v.string() })),
});

/** The opened sites in global state. What cannot be read there counts as none. */
export class OpenedSiteMemento implements OpenedSites, Disposable {
  readonly #memento: Memento;
  readonly #changed = new Emitter<void>();

  readonly onDidChange = this.#changed.event;

  constructor(memento: Memento) {
    this.#memento = memento;
  }

  get list(): readonly OpenedSite[] {
    const stored = v.safeParse(schema, this.#memento.get(KEY));
    return stored.success ? stored.output.sites : [];
  }

  async add(site: OpenedSite): Promise<void> {
    const others = this.list.filter(({ folder }) => folder !== site.folder);
    await this.#save([site, ...others].slice(0, MAX_SITES));
  }

  async forget(folder: string): Promise<void> {
    await this.#save(this.list.filter((site) => site.folder !== folder));
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #save(sites: readonly OpenedSite[]): Promise<void> {
    await this.#memento.update(KEY, { schemaVersion: 1, sites });
    this.#changed.fire();
  }
}
