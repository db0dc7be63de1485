/** Small docs folders written in the test and rendered, and a look at what came out. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Parser } from 'htmlparser2';
import type { LinkReport } from '../../../../../src/service/export/site/linkFindings';
import { renderSite, type RenderedFile } from '../../../../../src/service/export/site/siteRenderer';
import { RecordingLog } from '../../../../fakes/recordingLog';

export type DocsFiles = Readonly<Record<string, string | Uint8Array>>;

/** A docs folder on disk for one test. */
export class DocsPlace {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  static async create(files: DocsFiles): Promise<DocsPlace> {
    const place = new DocsPlace(await realpath(await mkdtemp(path.join(tmpdir(), 'docs-site-'))));
    for (const [name, content] of Object.entries(files)) await place.write(name, content);
    return place;
  }

  async write(name: string, content: string | Uint8Array): Promise<void> {
    const file = path.join(this.root, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }

  remove(): Promise<void> {
    return rm(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

export interface Rendering {
  readonly siteHost?: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (pages: number, totalPages: number) => void;
  readonly onFile?: (file: RenderedFile) => void;
}

export async function renderFolder(root: string, rendering: Rendering = {}): Promise<RenderedSite> {
  const files = new Map<string, string | Uint8Array>();
  const log = new RecordingLog();
  const { pages, links } = await renderSite({
    root,
    siteHost: rendering.siteHost ?? 'docs.example.com',
    signal: rendering.signal ?? new AbortController().signal,
    log,
    write: (file) => {
      if (files.has(file.path)) throw new Error(`${file.path} was written twice`);
      files.set(file.path, file.content);
      rendering.onFile?.(file);
      return Promise.resolve();
    },
    onProgress: (count, total) => rendering.onProgress?.(count, total),
  });
  return new RenderedSite(files, log, pages, links);
}

export async function renderDocs(docs: DocsFiles, rendering?: Rendering): Promise<RenderedSite> {
  const place = await DocsPlace.create(docs);
  try {
    return await renderFolder(place.root, rendering);
  } finally {
    await place.remove();
  }
}

export class RenderedSite {
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  readonly log: RecordingLog;
  /** Number of pages that the renderer counted. */
  readonly pages: number;
  readonly links: LinkReport;
  readonly #ids = new Map<string, readonly string[]>();

  constructor(
    files: ReadonlyMap<string, string | Uint8Array>,
    log: RecordingLog,
    pages: number,
    links: LinkReport,
  ) {
    this.links = links;
    this.files = files;
    this.log = log;
    this.pages = pages;
  }

  get names(): string[] {
    return [...this.files.keys()].sort();
  }

  get htmlNames(): string[] {
    return this.names.filter((name) => name.endsWith('.html'));
  }

  text(name: string): string {
    const content = this.files.get(name);
    if (typeof content !== 'string') throw new Error(`No page ${name} among ${this.names.join()}`);
    return content;
  }

  /** Returns the page's own text, without what the site puts around it. */
  article(name: string): string {
    return /<article[^>]*>([^]*)<\/article>/.exec(this.text(name))?.[1] ?? '';
  }

  /**
   * Returns a part of the page by the beginning of its opening tag, such as `<nav class="side"`.
   */
  part(name: string, start: string, end: string): string {
    const html = this.text(name);
    const from = html.indexOf(start);
    if (from < 0) throw new Error(`${name} has no ${start}`);
    return html.slice(from, html.indexOf(end, from));
  }

  /** Addresses of `href` and `src` in the page, in their order; of its article alone if asked. */
  addresses(name: string, html = this.text(name)): string[] {
    const found: string[] = [];
    const parser = new Parser({
      onopentag: (tag, attributes) => {
        if (tag === 'link' && attributes['rel'] === 'canonical') return;
        for (const attribute of ['href', 'src']) {
          const address = attributes[attribute];
          if (address !== undefined) found.push(address);
        }
      },
    });
    parser.end(html);
    return found;
  }

  ids(name: string): readonly string[] {
    const known = this.#ids.get(name);
    if (known) return known;
    const found: string[] = [];
    const parser = new Parser({
      onopentag: (_tag, { id }) => {
        if (id !== undefined) found.push(id);
      },
    });
    parser.end(this.text(name));
    this.#ids.set(name, found);
    return found;
  }

  /**
   * Returns `page: address` for each address within the site that leads to no file, or to no ID in
   * it.
   */
  brokenLinks(): string[] {
    return this.htmlNames.flatMap((name) =>
      this.addresses(name)
        .filter((address) => !/^(?:https?|mailto|tel|data):/.test(address))
        .filter((address) => !this.#leadsSomewhere(name, address))
        .map((address) => `${name}: ${address}`),
    );
  }

  #leadsSomewhere(from: string, address: string): boolean {
    const [target = '', fragment = ''] = address.split('#');
    const base = path.posix.dirname(`/${from}`);
    const file =
      target === '' ? from : path.posix.resolve(base, decodeURIComponent(target)).slice(1);
    if (!this.files.has(file)) return false;
    return fragment === '' || this.ids(file).includes(decodeURIComponent(fragment));
  }
}
