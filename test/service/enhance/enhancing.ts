/** A folder with a site to enhance, and what tests ask about it. */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { systemClock } from '../../../src/common/clock';
import { type Enhanced, enhanceSite, restoreSite } from '../../../src/enhance/enhanceSite';
import type { BoxService } from '../../../src/enhance/boxService';
import { enhanceInWorker, restoreInWorker } from '../../../src/enhance/enhanceInWorker';
import type { PartIndex } from '../../../src/docs/parts/partIndex';
import { PartStore } from '../../../src/docs/parts/partStore';
import { openParts, readHead } from '../../../src/docs/parts/siteParts';
import { retrieve } from '../../../src/docs/search/retrieval';
import { renderSite } from '../../../src/service/export/site/siteRenderer';
import { RecordingLog } from '../../fakes/recordingLog';

const going = new AbortController().signal;

export class SiteToEnhance {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  static async make(files: Readonly<Record<string, string | Uint8Array>>): Promise<SiteToEnhance> {
    const site = new SiteToEnhance(
      await realpath(await mkdtemp(path.join(os.tmpdir(), 'enhanced-site-'))),
    );
    for (const [name, content] of Object.entries(files)) await site.write(name, content);
    return site;
  }

  /** Adds the site of the sample docs. */
  async addSample(): Promise<void> {
    await renderSite({
      root: await realpath('src/service/sample/docs'),
      siteHost: 'sample.localhost',
      signal: going,
      log: new RecordingLog(),
      write: ({ path: name, content }) => this.write(name, content),
      onProgress: () => undefined,
    });
  }

  async write(name: string, content: string | Uint8Array): Promise<void> {
    const target = path.join(this.root, name);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, content);
  }

  read(name: string): Promise<string> {
    return readFile(path.join(this.root, name), 'utf8');
  }

  enhance(
    signal = going,
    onProgress: () => void = () => undefined,
    service?: BoxService,
  ): Promise<Enhanced> {
    return enhanceSite({
      root: this.root,
      scripts: path.resolve('dist/site'),
      service,
      signal,
      onProgress,
      clock: systemClock,
      log: new RecordingLog(),
    });
  }

  /** Enhances the site as VS Code does, in a thread. */
  enhanceInThread(signal = going): Promise<Enhanced> {
    return enhanceInWorker({
      script: path.resolve('dist/enhanceSite.js'),
      scripts: path.resolve('dist/site'),
      service: undefined,
      root: this.root,
      signal,
      onProgress: () => undefined,
    });
  }

  /** Takes everything out as VS Code does, in a thread. */
  restoreInThread(): Promise<number> {
    return restoreInWorker({
      script: path.resolve('dist/enhanceSite.js'),
      root: this.root,
      signal: going,
      onProgress: () => undefined,
    });
  }

  restore(): Promise<number> {
    return restoreSite({ root: this.root, signal: going, onProgress: () => undefined });
  }

  /** Opens the index that a page names, as the box on it does. */
  async openIndex(page = 'index.html'): Promise<SiteSearch> {
    const name = /data-docs-assistant="([0-9a-f]+)"/.exec(await this.read(page))?.[1] ?? '';
    const store = new PartStore(async (part) => {
      const script = await this.read(`_docs-assistant/parts/${part}.js`);
      const content = /^docsAssistantPart\("[0-9a-f]+","([^"]*)"\);\n$/.exec(script)?.[1] ?? '';
      return inflateRawSync(Buffer.from(content, 'base64'));
    });
    const head = await store.complete(() => readHead(store, name));
    if (!head) throw new Error('The index has no head');
    return new SiteSearch(openParts(head, store), store);
  }

  /** Returns the digest of each file, and an empty text for each folder. */
  async digests(): Promise<Record<string, string>> {
    const entries = await readdir(this.root, { recursive: true, withFileTypes: true });
    const digests: Record<string, string> = {};
    for (const entry of entries) {
      const file = path.join(entry.parentPath, entry.name);
      digests[path.relative(this.root, file)] = entry.isFile()
        ? createHash('sha256')
            .update(await readFile(file))
            .digest('hex')
        : '';
    }
    return digests;
  }

  remove(): Promise<void> {
    return rm(this.root, { recursive: true, force: true });
  }
}

/** The index of an enhanced site. */
export class SiteSearch {
  readonly index: PartIndex;
  readonly #store: PartStore;

  constructor(index: PartIndex, store: PartStore) {
    this.index = index;
    this.#store = store;
  }

  /** Returns the pages that a text finds, best first. */
  async find(
    text: string,
    { currentPath, version }: { readonly currentPath?: string; readonly version?: string } = {},
  ): Promise<readonly string[]> {
    await this.#store.complete(() => this.index.lookUp(text));
    const filter = version === undefined ? undefined : { version };
    const { sections } = await this.#store.complete(() =>
      retrieve(this.index, { text, earlier: [], contextItems: [], currentPath }, filter, 5),
    );
    return sections.map(({ page }) => page.path);
  }
}
