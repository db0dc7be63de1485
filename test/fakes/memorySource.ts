import type { IncludedFiles } from '../../src/docs/pages/markup/lines';
import type { PageFile } from '../../src/docs/sources/docsFolder';
import type { FolderChanges } from '../../src/docs/sources/folderWatch';
import {
  type MadePages,
  noConfig,
  type PageSource,
  type PageWatch,
} from '../../src/docs/sources/pageSource';

/** Pages in memory, whose changes the test reports. */
export class MemorySource implements PageSource {
  readonly pages: Map<string, string>;
  readonly parts = new Map<string, string>();
  /** Paths of the pages that were read, in order. */
  readonly reads: string[] = [];
  /** Time of the last change of all files, in milliseconds since the epoch. By default, no stamp can be trusted. */
  changedAt: number | undefined;
  made: MadePages | undefined;
  #changes: FolderChanges | undefined;

  constructor(pages: Readonly<Record<string, string>>) {
    this.pages = new Map(Object.entries(pages));
  }

  async *paths(): AsyncGenerator<string> {
    await Promise.resolve();
    yield* [...this.pages.keys()].toSorted();
  }

  read(name: string): Promise<PageFile | undefined> {
    this.reads.push(name);
    const source = this.pages.get(name);
    const { changedAt } = this;
    return Promise.resolve(source === undefined ? undefined : { source, stamp: source, changedAt });
  }

  stamp(name: string): Promise<string | undefined> {
    return Promise.resolve(this.pages.get(name));
  }

  readIncludes(_name: string, source: string): Promise<IncludedFiles> {
    return Promise.resolve(new Map([...this.parts].filter(([name]) => source.includes(name))));
  }

  readFile(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  readonly readConfig = noConfig;

  watch(changes: FolderChanges): PageWatch {
    this.#changes = changes;
    return { start: () => undefined, stop: () => Promise.resolve() };
  }

  change(name: string, source: string | undefined): void {
    if (source === undefined) {
      this.pages.delete(name);
      this.#changes?.removed(name);
      return;
    }
    this.pages.set(name, source);
    this.#changes?.changed(name, source);
  }
}
