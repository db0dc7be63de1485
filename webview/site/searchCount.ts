/** Reports searches without a result to the host of the site, if the host says that it counts them. */
import { COUNTS_MARK, SEARCHES_PATH } from '../../src/common/http/hostApi';
import type { BoxPlaces } from './boxScripts';

/** Time without another key after which a text counts as a search. */
const PAUSE_MS = 1500;

/** Shortest and longest text that is reported. */
const SHORTEST = 3;
const LONGEST = 200;

export class SearchCount {
  readonly #url: string;
  readonly #reported = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor({ folder }: BoxPlaces) {
    this.#url = folder + SEARCHES_PATH;
  }

  /** Reports a search if it found nothing and is the last one for a moment, once for each text. */
  note(text: string, isFound: boolean): void {
    clearTimeout(this.#timer);
    const search = text.trim().slice(0, LONGEST);
    if (isFound || search.length < SHORTEST || this.#reported.has(search) || !isCounted()) return;
    this.#timer = setTimeout(() => {
      this.#reported.add(search);
      navigator.sendBeacon(this.#url, search);
    }, PAUSE_MS);
  }
}

/** Returns whether the host that sent the page counts searches. Browsers tell it only of pages with HTTPS. */
function isCounted(): boolean {
  return performance
    .getEntriesByType('navigation')
    .some(
      (page) =>
        page instanceof PerformanceNavigationTiming &&
        page.serverTiming.some(({ name }) => name === COUNTS_MARK),
    );
}
