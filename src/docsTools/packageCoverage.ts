import { isNamedLike, type UsedPackage } from '../chat/context/coveredPackages';
import { untilAborted } from '../common/clock';
import type { SearchResponse } from '../common/localDocsApi';
import type { Clock } from '../common/ports';

/** The facts about a site that tell which packages its docs cover. */
export interface CoverageSite {
  /** Changes with the docs, such as the site's ID. */
  readonly id: string;
  /** Name of the site, or empty before set-up. */
  readonly label: string;
  /** Searches docs on this machine, which spends nothing. The hosted API has no search. */
  readonly search?: (query: string, signal: AbortSignal) => Promise<SearchResponse>;
}

/** Longest wait for a search. The lightbulb of an editor waits for it. */
const SEARCH_LIMIT_MS = 1_000;
/** Time after which the docs are searched again, because they may have changed. */
const MAX_AGE_MS = 5 * 60_000;
const MAX_REMEMBERED = 200;

/**
 * Finds the packages that the docs of a site cover: packages that are named like the site, and
 * packages that docs on this machine mention. Remembers the results of searches.
 */
export class PackageCoverage {
  readonly #clock: Clock;
  readonly #found = new Map<
    string,
    { readonly at: number; readonly isCovered: Promise<boolean> }
  >();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the packages that the docs cover. A search that fails or takes too long finds none. */
  async covered(
    packages: readonly UsedPackage[],
    site: CoverageSite,
  ): Promise<readonly UsedPackage[]> {
    if (site.label === '') return [];
    const covers = await Promise.all(packages.map(({ name }) => this.#isCovered(name, site)));
    return packages.filter((_, index) => covers[index] === true);
  }

  #isCovered(name: string, site: CoverageSite): Promise<boolean> {
    if (isNamedLike(name, site.label)) return Promise.resolve(true);
    const { search } = site;
    if (!search) return Promise.resolve(false);
    const key = `${site.id}\n${name}`;
    const known = this.#found.get(key);
    if (known && this.#clock.now() - known.at < MAX_AGE_MS) return known.isCovered;
    const isCovered = this.#isMentioned(name, search).catch(() => {
      this.#found.delete(key);
      return false;
    });
    this.#found.set(key, { at: this.#clock.now(), isCovered });
    for (const old of this.#found.keys()) {
      if (this.#found.size <= MAX_REMEMBERED) break;
      this.#found.delete(old);
    }
    return isCovered;
  }

  async #isMentioned(name: string, search: NonNullable<CoverageSite['search']>): Promise<boolean> {
    const controller = new AbortController();
    const timeout = this.#clock
      .delay(SEARCH_LIMIT_MS, controller.signal)
      .then(() => controller.abort(new Error('The search took too long')))
      .catch(() => undefined);
    try {
      const { sections, isIndexed } = await untilAborted(
        search(name, controller.signal),
        controller.signal,
      );
      const isMentioned = sections.some(({ excerpt, title, heading = '' }) =>
        [excerpt, title, heading].some((text) => text.includes(name)),
      );
      // Pages that have not been read yet may mention the package.
      if (!isMentioned && !isIndexed) throw new Error('Pages are still being read');
      return isMentioned;
    } finally {
      controller.abort(new Error('The search ended'));
      await timeout;
    }
  }
}
