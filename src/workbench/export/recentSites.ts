import type { Memento } from 'vscode';
import * as v from 'valibot';
import type { ExportTarget } from '../../staticExport/exports';

const KEY = 'recentExportSites';
const MAX_SITES = 10;

const schema = v.array(v.object({ apiUrl: v.string(), exportDomain: v.string() }));

/** The sites that were exported last, newest first. What cannot be read counts as none. */
export class RecentSites {
  readonly #memento: Memento;

  constructor(memento: Memento) {
    this.#memento = memento;
  }

  /** Host names of the sites at that export API. */
  at(apiUrl: string): readonly string[] {
    return this.#list()
      .filter((site) => site.apiUrl === apiUrl)
      .map(({ exportDomain }) => exportDomain);
  }

  async add({ apiUrl, exportDomain }: ExportTarget): Promise<void> {
    const others = this.#list().filter(
      (site) => site.apiUrl !== apiUrl || site.exportDomain !== exportDomain,
    );
    await this.#memento.update(KEY, [{ apiUrl, exportDomain }, ...others].slice(0, MAX_SITES));
  }

  #list(): readonly ExportTarget[] {
    const stored = v.safeParse(schema, this.#memento.get(KEY));
    return stored.success ? stored.output : [];
  }
}
