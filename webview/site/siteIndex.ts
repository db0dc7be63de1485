/** The index of the site that the page belongs to, and the addresses of its pages. */
import { type PartIndex, PartIndex as OpenIndex, readHead } from '../../src/docs/parts/partIndex';
import { PartStore } from '../../src/docs/parts/partStore';
import { DOCS_PATH } from '../../src/docs/pages/links';
import { routeOf } from '../../src/docs/pages/pagePath';
import { type Retrieval, retrieve } from '../../src/docs/search/retrieval';
import type { AskFilter } from '../../src/shared/askFilter';
import { encodePath } from '../../src/common/http/encodePath';
import { boxGlobals, type BoxPlaces, loadScript } from './boxScripts';

/** Origin that stands for the site in Markdown, because a page from disk has an address that no reply may link to. */
export const SITE_ORIGIN = 'https://site.invalid';

export class SiteIndex {
  readonly #places: BoxPlaces;
  readonly #store: PartStore;
  readonly #contents = new Map<string, string>();
  #index: Promise<PartIndex> | undefined;

  constructor(places: BoxPlaces) {
    this.#places = places;
    this.#store = new PartStore((name) => this.#load(name));
    boxGlobals().docsAssistantPart = (name, content) => {
      this.#contents.set(name, content);
    };
  }

  /**
   * Runs a search on the index until it has all that it needs.
   * @param text text that is searched for.
   * @throws if a part can't be loaded.
   */
  async run<Result>(text: string, search: (index: PartIndex) => Result): Promise<Result> {
    this.#index ??= this.#open();
    this.#index.catch(() => (this.#index = undefined));
    const index = await this.#index;
    await this.#store.complete(() => index.lookUp(text));
    return this.#store.complete(() => search(index));
  }

  /**
   * Searches for a question of the page that is shown.
   * @param isOpen whether its last word is still being typed.
   */
  retrieve(
    index: PartIndex,
    text: string,
    filter: AskFilter | undefined,
    { pages, isOpen }: { readonly pages: number; readonly isOpen: boolean },
  ): Retrieval {
    const currentPath = this.#currentPath;
    const question = { text, earlier: [], contextItems: [], currentPath, isOpen };
    return retrieve(index, question, filter, pages);
  }

  /** Route of the page that is shown. */
  get #currentPath(): string {
    const { href } = location;
    const { root } = this.#places;
    const path = href.startsWith(root) ? href.slice(root.length).replace(/[?#].*$/, '') : '';
    return routeOf(decoded(path).replace(/\/+$/, ''));
  }

  /** Returns the URL of a page's file. Hosts lead to its own address, and browsers find the file on a disk. */
  urlOf(path: string, slug: string): string {
    const isFolder = /^https?:/.test(this.#places.root) && /(?:^|\/)index\.html?$/i.test(path);
    const file = isFolder ? path.replace(/index\.html?$/i, '') : path;
    return (
      this.#places.root + encodePath(file) + (slug === '' ? '' : `#${encodeURIComponent(slug)}`)
    );
  }

  /** Returns the URL for an address with {@link SITE_ORIGIN}, or undefined for another one. */
  resolve(index: PartIndex, address: string): string | undefined {
    const start = SITE_ORIGIN + DOCS_PATH;
    if (!address.startsWith(start)) return undefined;
    const [, path = '', fragment = ''] =
      /^([^#]*)(?:#(.*))?$/s.exec(address.slice(start.length)) ?? [];
    const file = decoded(path);
    const page = index.pageAtRoute(file.replace(/\/$/, ''));
    return this.urlOf(page?.path ?? file, decoded(fragment));
  }

  async #open(): Promise<PartIndex> {
    const head = await this.#store.complete(() => readHead(this.#store, this.#places.index));
    if (!head) throw new Error('The index has no head');
    return new OpenIndex(head, this.#store);
  }

  async #load(name: string): Promise<Uint8Array> {
    await loadScript(`${this.#places.folder}parts/${name}.js`);
    const content = this.#contents.get(name);
    this.#contents.delete(name);
    if (content === undefined) throw new Error('A part of the index is damaged');
    return unpacked(bytesOf(content));
  }
}

/** Returns the bytes that a text holds as base64. A loop takes a tenth of the time of `Uint8Array.from`. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** Unpacks a part. A `Blob` in between would take longer than all else, as another process of the browser keeps it. */
async function unpacked(packed: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const { readable, writable } = new DecompressionStream('deflate-raw');
  const writer = writable.getWriter();
  const [content] = await Promise.all([
    new Response(readable).arrayBuffer(),
    writer.write(packed),
    writer.close(),
  ]);
  return new Uint8Array(content);
}

/** Global name under which the script that answers hands over its function. */
interface AnswerGlobals {
  /** Returns the answer to a question. @throws if a part of the index can't be loaded. */
  docsAssistantAnswer?: (
    site: SiteIndex,
    question: string,
    filter: AskFilter | undefined,
  ) => Promise<HTMLElement>;
}

export function answerGlobals(): typeof globalThis & AnswerGlobals {
  return globalThis;
}

/** Versions and languages that a reader can choose, if there are several. */
export function choices({ versions, languages, currentVersion }: PartIndex): {
  readonly versions: readonly string[];
  readonly languages: readonly string[];
} {
  // The pages of the current version can have no version themselves.
  const isCurrentNamed = currentVersion === undefined || versions.includes(currentVersion);
  return {
    versions: versions.length > (isCurrentNamed ? 1 : 0) ? versions : [],
    languages: languages.length > 1 ? languages : [],
  };
}

/** Returns the filter for what a reader chose, or undefined if it leaves out nothing. */
export function filterOf(version: string, language: string): AskFilter | undefined {
  if (version === '' && language === '') return undefined;
  return {
    version: version === '' ? undefined : version,
    language: language === '' ? undefined : language,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
