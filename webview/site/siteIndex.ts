/** The index of the site that the page belongs to, and the addresses of its pages. */
import type { PartIndex } from '../../src/docs/parts/partIndex';
import { PartStore } from '../../src/docs/parts/partStore';
import { openParts, readHead } from '../../src/docs/parts/siteParts';
import { isHostOfDomain, isLoopbackHost } from '../../src/common/http/address';
import { DOCS_PATH, pageHref } from '../../src/docs/pages/links';
import { routeOf } from '../../src/docs/pages/pagePath';
import { type Retrieval, retrieve } from '../../src/docs/search/retrieval';
import type { AskFilter } from '../../src/shared/askFilter';
import { encodePath } from '../../src/common/http/encodePath';
import { parseUrl, percentDecoded } from '../../src/shared/links';
import { boxGlobals, type BoxPlaces, loadScript, type SiteService } from './boxScripts';

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
    const { currentPath } = this;
    const question = { text, earlier: [], contextItems: [], currentPath, isOpen };
    return retrieve(index, question, filter, pages);
  }

  /** Route of the page that is shown. */
  get currentPath(): string {
    const { href } = location;
    const { root } = this.#places;
    const path = href.startsWith(root) ? href.slice(root.length).replace(/[?#].*$/, '') : '';
    return routeOf(percentDecoded(path).replace(/\/+$/, ''));
  }

  /** Returns the URL of a page's file. Hosts lead to its own address, and browsers find the file on a disk. */
  urlOf(path: string, slug: string): string {
    const isFolder = /^https?:/.test(this.#places.root) && /(?:^|\/)index\.html$/.test(path);
    const file = isFolder ? path.replace(/index\.html$/, '') : path;
    return (
      this.#places.root + encodePath(file) + (slug === '' ? '' : `#${encodeURIComponent(slug)}`)
    );
  }

  async #open(): Promise<PartIndex> {
    const head = await this.#store.complete(() => readHead(this.#store, this.#places.index));
    if (!head) throw new Error('The index has no head');
    return openParts(head, this.#store);
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

/** Finds the page of the site that an address means. */
export class SitePages {
  readonly #site: SiteIndex;
  readonly #index: PartIndex | undefined;
  readonly #service: SiteService | undefined;

  /** @param index undefined if it can't be loaded. No page is found then. */
  constructor(site: SiteIndex, index: PartIndex | undefined, service: SiteService | undefined) {
    this.#site = site;
    this.#index = index;
    this.#service = service;
  }

  /**
   * Returns the address with {@link SITE_ORIGIN} of a page that a docs service names by a path, by the URL that the page
   * has on the docs platform, or by that of a local docs service. Returns undefined for everything else.
   */
  addressOf(address: string): string | undefined {
    const url = parseUrl(address, SITE_ORIGIN);
    if (!url || !this.#isOfDocs(url)) return undefined;
    const path = percentDecoded(url.pathname).replace(/^\/+|\/+$/g, '');
    const below = DOCS_PATH.slice(1);
    const page = [path, ...(path.startsWith(below) ? [path.slice(below.length)] : [])]
      .map((candidate) => this.#index?.pageAtRoute(routeOf(candidate)))
      .find((found) => found !== undefined);
    return page && `${SITE_ORIGIN}${pageHref(page)}${url.hash}`;
  }

  /** Returns the URL of the page's file here, or undefined for what isn't a page of the site. */
  urlOf(address: string): string | undefined {
    const start = SITE_ORIGIN + DOCS_PATH;
    const own = address.startsWith(start) ? address : this.addressOf(address);
    if (own === undefined) return undefined;
    const [, path = '', fragment = ''] = /^([^#]*)(?:#(.*))?$/s.exec(own.slice(start.length)) ?? [];
    const file = percentDecoded(path);
    const page = this.#index?.pageAtRoute(file.replace(/\/$/, ''));
    return this.#site.urlOf(page?.path ?? file, percentDecoded(fragment));
  }

  #isOfDocs({ protocol, origin, host, hostname }: URL): boolean {
    if (!/^https?:$/.test(protocol)) return false;
    if (origin === SITE_ORIGIN) return true;
    if (!this.#service) return false;
    const { baseUrl, domain } = this.#service;
    return (
      isHostOfDomain(host, domain) ||
      isLoopbackHost(hostname) ||
      origin === parseUrl(baseUrl, location.href)?.origin
    );
  }
}

/** Everything that the answers need from the box. */
export interface AnswersPorts {
  readonly site: SiteIndex;
  /** URL of the folder with the scripts, with a slash at its end. */
  readonly folder: string;
  readonly service: SiteService | undefined;
  /** Called with what is being done, or an empty text. */
  readonly onStatus: (text: string) => void;
  /** Called when the reader follows a link of the site. */
  readonly onLeave: () => void;
}

/** The answers to a reader's questions. */
export interface Answers {
  readonly element: HTMLElement;
  /** Field for a follow-up question. Absent without a service. */
  readonly followUp: HTMLElement | undefined;
  /** Begins anew with a question, and resolves when it is answered. */
  begin(question: string, filter: AskFilter | undefined): Promise<void>;
  /** Ends a reply that is being written. */
  stop(): void;
}

/** Global name under which the script that answers hands over its function. */
interface AnswerGlobals {
  docsAssistantAnswers?: (ports: AnswersPorts) => Answers;
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
