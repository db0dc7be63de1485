import type { SourcePart } from '../../src/shared/uiMessage';
import { allowedLink, isRelativeLink } from './links';

/** A source of a reply with the number that it is listed under. */
export interface NumberedSource {
  readonly number: number;
  readonly source: SourcePart;
}

/** The sources of one reply, each address once, found by the addresses that its text links to. */
export class CitationIndex {
  readonly sources: readonly NumberedSource[];
  readonly #byAddress = new Map<string, NumberedSource>();

  constructor(sources: readonly SourcePart[]) {
    const numbered: NumberedSource[] = [];
    for (const source of sources) {
      const address = addressOf(source.url) ?? source.url;
      if (this.#byAddress.has(address)) continue;
      const entry = { number: numbered.length + 1, source };
      numbered.push(entry);
      this.#byAddress.set(address, entry);
    }
    // Replies also link to pages without their host or their section; the first such source wins.
    for (const entry of numbered) {
      const url = allowedLink(entry.source.url);
      if (!url) continue;
      const page = trimPath(url.pathname);
      for (const address of [page + url.hash, url.origin + page, page]) {
        if (!this.#byAddress.has(address)) this.#byAddress.set(address, entry);
      }
    }
    this.sources = numbered;
  }

  /** The source that a link of the reply's text leads to. */
  find(href: string): NumberedSource | undefined {
    if (isRelativeLink(href)) {
      const [, path = '', hash = ''] = /^([^?#]*)[^#]*(#.*)?$/.exec(href) ?? [];
      const page = trimPath(path.startsWith('/') ? path : `/${path}`);
      return path === ''
        ? undefined
        : (this.#byAddress.get(page + hash) ?? this.#byAddress.get(page));
    }
    const address = addressOf(href);
    if (address === undefined) return undefined;
    return this.#byAddress.get(address);
  }
}

function addressOf(href: string): string | undefined {
  const url = allowedLink(href);
  return url && `${url.origin}${trimPath(url.pathname)}${url.search}${url.hash}`;
}

function trimPath(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/, '') : path;
}
