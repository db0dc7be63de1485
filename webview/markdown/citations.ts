import type { SourcePart } from '../../src/shared/uiMessage';
import { visibleLine } from '../dom';
import { allowedLink, isRelativeLink, linkTitle } from './links';

/**
 * Link target of a source that opens as the page's own file. The host finds the file by the
 * source's ID.
 */
export const PAGE_HREF = '#';

/** A source of a reply with the number under which it is listed. */
export interface NumberedSource {
  readonly number: number;
  readonly source: SourcePart;
  /** An allowed link, {@link PAGE_HREF}, or an empty text if the source can't be opened. */
  readonly href: string;
}

/** The sources of one reply, one per URL. Finds the source that a link in the text leads to. */
export class CitationIndex {
  readonly sources: readonly NumberedSource[];
  readonly #byAddress = new Map<string, NumberedSource>();
  readonly #byId = new Map<string, NumberedSource>();

  /**
   * @param pages web addresses of sources with only a path, by `sourceId`. An empty text stands for
   *   a page that opens as a file.
   */
  constructor(sources: readonly SourcePart[], pages: ReadonlyMap<string, string> = new Map()) {
    const numbered: NumberedSource[] = [];
    for (const source of sources) {
      const address = addressOf(source.url) ?? source.url;
      const known = this.#byAddress.get(address);
      if (known) {
        this.#byId.set(source.sourceId, known);
        continue;
      }
      const page = pages.get(source.sourceId);
      const href = allowedLink(page ?? source.url)?.href ?? (page === undefined ? '' : PAGE_HREF);
      const entry = { number: numbered.length + 1, source, href };
      numbered.push(entry);
      this.#byId.set(source.sourceId, entry);
      this.#byAddress.set(address, entry);
    }
    // Replies also link to pages without their host or their section. The first matching source
    // wins.
    for (const entry of numbered) {
      for (const address of otherAddresses(entry)) {
        if (!this.#byAddress.has(address)) this.#byAddress.set(address, entry);
      }
    }
    this.sources = numbered;
  }

  /** Returns the source with that ID, or the listed source with the same URL. */
  withId(sourceId: string): NumberedSource | undefined {
    return this.#byId.get(sourceId);
  }

  /** Returns the source that a link in the reply leads to. */
  find(href: string): NumberedSource | undefined {
    const [page, hash] = placeOf(href) ?? [];
    if (page !== undefined) {
      return this.#byAddress.get(`${page}${hash}`) ?? this.#byAddress.get(page);
    }
    const address = addressOf(href);
    return address === undefined ? undefined : this.#byAddress.get(address);
  }
}

/** Returns the tooltip of a source: its name and its URL. */
export function sourceTooltip(name: string, { url: path }: SourcePart, url?: URL): string {
  return `${name}\n${url ? linkTitle(url) : visibleLine(path)}`;
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

/** Splits a path without a host into page, section and query. Returns undefined for other links. */
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
