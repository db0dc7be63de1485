import type { SourcePart } from '../src/shared/uiMessage';
import { isRelativeLink } from './markdown/links';
import type { ViewActions } from './viewActions';

/**
 * What the sources of one reply lead to whose address is a path alone. Only the host knows which
 * files there are. Loaded with the first such source.
 */
export class PathSources {
  readonly #pages = new Map<string, string>();
  readonly #actions: Pick<ViewActions, 'describeSource'>;
  readonly #messageId: string;
  #search = 0;
  #toldCount = 0;

  constructor(actions: Pick<ViewActions, 'describeSource'>, messageId: string) {
    this.#actions = actions;
    this.#messageId = messageId;
  }

  /** Web addresses by `sourceId`; empty for a page that opens as its own file alone. */
  get pages(): ReadonlyMap<string, string> {
    return this.#pages;
  }

  /**
   * Asks for those that led nowhere so far, one after the other: a reply may have hundreds. A later
   * search, as while sources still come, takes the place of an earlier one.
   * @returns whether there is news in `pages`.
   */
  async find(sources: readonly SourcePart[]): Promise<boolean> {
    const search = ++this.#search;
    for (const { sourceId, url } of sources) {
      if (!isRelativeLink(url) || this.#pages.has(sourceId)) continue;
      const described = await this.#actions.describeSource(this.#messageId, sourceId);
      const page = described?.url ?? (described?.file === undefined ? undefined : '');
      if (page !== undefined) this.#pages.set(sourceId, page);
      if (search !== this.#search) return false;
    }
    const isNews = this.#pages.size > this.#toldCount;
    this.#toldCount = this.#pages.size;
    return isNews;
  }
}
