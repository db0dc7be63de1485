import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Log } from '../../common/ports';
import { readPageFile } from '../docsFolder';
import { pageMarkdown, type PageMarkdown } from '../page';
import { PageParts, readIncludes } from '../pageIncludes';

/** A page as it was read. */
export interface PageSource {
  readonly markdown: PageMarkdown;
  /** Returns the file's text; empty if it is gone meanwhile. */
  readonly source: () => Promise<string>;
}

/** Markdown that is kept, compressed: a third of its size costs less than converting it again. */
interface KeptPage {
  readonly text: Buffer;
  readonly markdown: Omit<PageMarkdown, 'text'>;
}

/** Bytes of compressed Markdown that are kept from the first reading for the second. */
const MAX_KEPT = 32_000_000;

/** Reads the pages of one export, each of them twice: what took long to make is kept in between. */
export class PageSources {
  readonly parts = new PageParts();
  readonly #root: string;
  readonly #log: Log;
  readonly #kept = new Map<string, KeptPage>();
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
    if (page.markdown.isChanged && this.#keptLength < MAX_KEPT) {
      const { text: written, ...markdown } = page.markdown;
      const text = deflateRawSync(written, { level: 1 });
      this.#kept.set(path, { text, markdown });
      this.#keptLength += text.length;
    }
    return page;
  }

  /** Reads a page for the second time. */
  async render(path: string): Promise<PageSource | undefined> {
    const kept = this.#kept.get(path);
    if (!kept) return this.#read(path, false);
    this.#kept.delete(path);
    return {
      markdown: { ...kept.markdown, text: inflateRawSync(kept.text).toString() },
      source: async () => (await readPageFile(this.#root, path, this.#log))?.source ?? '',
    };
  }

  async #read(path: string, isFirst: boolean): Promise<PageSource | undefined> {
    const file = await readPageFile(this.#root, path, this.#log);
    if (!file) return undefined;
    const { source } = file;
    const files = await readIncludes(this.#root, path, source);
    if (isFirst) this.parts.set(path, files.keys());
    return {
      markdown: pageMarkdown(path, source, files),
      source: () => Promise.resolve(source),
    };
  }
}
