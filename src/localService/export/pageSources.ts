import type { Log } from '../../common/ports';
import { readPageFile } from '../docsFolder';
import { pageMarkdown, type PageMarkdown } from '../page';
import { PageParts, readIncludes } from '../pageIncludes';

/** A page as it was read. */
export interface PageSource {
  /** The file's text. */
  readonly source: string;
  readonly markdown: PageMarkdown;
}

/** Characters of Markdown that are kept from the first reading for the second. */
const MAX_KEPT = 32_000_000;

/** Reads the pages of one export, each of them twice: what took long to make is kept in between. */
export class PageSources {
  readonly parts = new PageParts();
  readonly #root: string;
  readonly #log: Log;
  readonly #kept = new Map<string, PageSource>();
  #keptLength = 0;

  constructor(root: string, log: Log) {
    this.#root = root;
    this.#log = log;
  }

  /** Reads a page for the first time, and notes what it includes and what is wrong with it. */
  async survey(path: string): Promise<PageSource | undefined> {
    const page = await this.#read(path, true);
    if (!page) return undefined;
    for (const { line, reason } of page.markdown.problems)
      this.#log.warn(`${path}:${line} is read as Markdown: ${reason}`);
    // What is as the file has it, is read again at no cost.
    const size = page.markdown.isChanged ? page.source.length + page.markdown.text.length : 0;
    if (size > 0 && this.#keptLength + size <= MAX_KEPT) {
      this.#kept.set(path, page);
      this.#keptLength += size;
    }
    return page;
  }

  /** Reads a page for the second time. */
  async render(path: string): Promise<PageSource | undefined> {
    const kept = this.#kept.get(path);
    this.#kept.delete(path);
    return kept ?? (await this.#read(path, false));
  }

  async #read(path: string, isFirst: boolean): Promise<PageSource | undefined> {
    const file = await readPageFile(this.#root, path, this.#log);
    if (!file) return undefined;
    const { source } = file;
    const files = await readIncludes(this.#root, path, source);
    if (isFirst) this.parts.set(path, files.keys());
    return { source, markdown: pageMarkdown(path, source, files) };
  }
}
