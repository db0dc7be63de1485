import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Log } from '../../../common/ports';
import { PageParts, readIncludes, readPageFile } from '../../../docs/sources/docsFolder';
import { pageMarkdown, type PageMarkdown } from '../../../docs/pages/pageMarkdown';

/** A page's Markdown for rendering, and the text of its file. */
export interface RenderedSource {
  readonly markdown: string;
  /** Whether the front matter names the page's title. */
  readonly hasTitle: boolean;
  /** Returns the file's text, or an empty string if the file no longer exists. */
  readonly source: () => Promise<string>;
}

/** A page that the first reading keeps in memory for the second. */
interface KeptPage {
  /** Markdown as compressed UTF-8, which has a third of the size. Faster than converting the page again. */
  readonly markdown: Uint8Array;
  readonly hasTitle: boolean;
}

/** Maximum bytes of compressed Markdown that the first reading keeps for the second. */
const MAX_KEPT_BYTES = 32_000_000;

/** Reads each page of an export twice. Keeps the converted Markdown in between, because converting is slow. */
export class PageSources {
  readonly parts = new PageParts();
  readonly #root: string;
  readonly #log: Log;
  readonly #kept = new Map<string, KeptPage>();
  #keptBytes = 0;

  constructor(root: string, log: Log) {
    this.#root = root;
    this.#log = log;
  }

  /** Reads a page for the first time. Logs its problems, and records which files it includes. */
  async survey(path: string): Promise<PageMarkdown | undefined> {
    const source = (await readPageFile(this.#root, path, this.#log))?.source;
    if (source === undefined) return undefined;
    const files = await readIncludes(this.#root, path, source);
    this.parts.set(path, files.keys());
    const page = pageMarkdown(path, source, files);
    for (const { line, reason } of page.problems)
      this.#log.warn(`${path}:${line} is read as Markdown: ${reason}`);
    // If the Markdown is the same as in the file, reading the file again is fast enough.
    if (page.isChanged && this.#keptBytes < MAX_KEPT_BYTES) {
      // The bytes are copied, because each result of zlib keeps a chunk of 16 KB in memory, even if it is short.
      const markdown = new Uint8Array(deflateRawSync(page.text, { level: 1 }));
      this.#kept.set(path, { markdown, hasTitle: page.title !== undefined });
      this.#keptBytes += markdown.length;
    }
    return page;
  }

  /** Reads a page for the second time. */
  async render(path: string): Promise<RenderedSource | undefined> {
    const kept = this.#kept.get(path);
    if (kept) {
      this.#kept.delete(path);
      return {
        markdown: inflateRawSync(kept.markdown).toString(),
        hasTitle: kept.hasTitle,
        source: async () => (await readPageFile(this.#root, path, this.#log))?.source ?? '',
      };
    }
    const source = (await readPageFile(this.#root, path, this.#log))?.source;
    if (source === undefined) return undefined;
    const files = await readIncludes(this.#root, path, source);
    const { text, title } = pageMarkdown(path, source, files);
    return {
      markdown: text,
      hasTitle: title !== undefined,
      source: () => Promise.resolve(source),
    };
  }
}
