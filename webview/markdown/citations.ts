import type { SourcePart } from '../../src/shared/uiMessage';
import { visibleText } from '../dom';
import { allowedLink, isRelativeLink, linkTitle } from './links';

/** What a link carries that leads to a page's own file: the host knows it by the source's id. */
export const PAGE_HREF = '#';

/** A source of a reply with the number that it is listed under. */
export interface NumberedSource {
  readonly number: number;
  readonly source: SourcePart;
  /** An allowed link, or {@link PAGE_HREF}; empty for what cannot be opened. */
  readonly href: string;
}

/** The sources of one reply, each address once, found by the addresses that its text links to. */
export class CitationIndex {
  readonly sources: readonly NumberedSource[];
  readonly #byAddress = new Map<string, NumberedSource>();

  /**
   * @param pages what is known of sources whose address is a path alone, by `sourceId`: their web
   *   addresses, or nothing for pages that open as files.
   */
  constructor(sources: readonly SourcePart[], pages: ReadonlyMap<string, string> = new Map()) {
    const numbered: NumberedSource[] = [];
    for (const source of sources) {
      const address = addressOf(source.url) ?? source.url;
      if (this.#byAddress.has(address)) continue;
      const page = pages.get(source.sourceId);
      const href = allowedLink(page ?? source.url)?.href ?? (page === undefined ? '' : PAGE_HREF);
      const entry = { number: numbered.length + 1, source, href };
      numbered.push(entry);
      this.#byAddress.set(address, entry);
    }
    // Replies also link to pages without their host or their section; the first such source wins.
    for (const entry of numbered) {
      for (const address of otherAddresses(entry)) {
        if (!this.#byAddress.has(address)) this.#byAddress.set(address, entry);
      }
    }
    this.sources = numbered;
  }

  /** The source that a link of the reply's text leads to. */
  find(href: string): NumberedSource | undefined {
    const [page, hash] = placeOf(href) ?? [];
    if (page !== undefined) {
      return this.#byAddress.get(`${page}${hash}`) ?? this.#byAddress.get(page);
    }
    const address = addressOf(href);
    return address === undefined ? undefined : this.#byAddress.get(address);
  }
}

/** What a person is told of a source before it is opened. */
export function sourceTooltip(name: string, { url: path }: SourcePart, url?: URL): string {
  return `${name}\n${url ? linkTitle(url) : visibleText(path)}`;
}

function otherAddresses({ source, href }: NumberedSource): string[] {
  const addresses: string[] = [];
  const [path, section] = placeOf(source.url) ?? [];
  if (path !== undefined) addresses.push(`${path}${section}`, path);
  const url = allowedLink(href);
  if (url) {
    const page = trimPath(url.pathname);
    addresses.push(addressOf(href) ?? href, page + url.hash, url.origin + page, page);
  }
  return addresses;
}

/** A path alone, from the root, with its section and its query. */
function placeOf(href: string): [page: string, hash: string, search: string] | undefined {
  const [, path, search = '', hash = ''] = /^([^?#]+)([^#]*)(#.*)?$/.exec(href) ?? [];
  if (path === undefined || !isRelativeLink(href)) return undefined;
  return [trimPath(path.startsWith('/') ? path : `/${path}`), hash, search];
}

function addressOf(href: string): string | undefined {
  const url = allowedLink(href);
  if (url) return `${url.origin}${trimPath(url.pathname)}${url.search}${url.hash}`;
  return placeOf(href)?.join('');
}

function trimPath(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/, '') : path;
}
