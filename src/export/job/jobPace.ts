/**
 * Computes the rate and the expected end of a running job from its responses. The file has no
 * clock.
 */
import { withoutUndefined } from '../../common/withoutUndefined';

/** State of a running job in one response. Values that the service didn't send are absent. */
export interface PaceSample {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly pages?: number | undefined;
  readonly totalPages?: number | undefined;
  /**
   * Percent as shown to users. Absent if it isn't certain that the service's number is a share of
   * the whole.
   */
  readonly percent?: number | undefined;
}

/** Rate and expected end of a job. Absent values are unknown. */
export interface Pace {
  readonly pagesPerSecond?: number;
  /** Milliseconds until the job ends, counted from its last response. */
  readonly leftMs?: number;
  /** Expected end, in ms since the epoch. */
  readonly endsAt?: number;
}

/** A response and the share of the whole that it reported, from 0 to 1. */
interface Share {
  readonly at: number;
  readonly share: number;
}

/**
 * Time over which the rate of pages is measured. Pages differ in size, so the rate over a shorter
 * time would jump.
 */
const PAGES_WINDOW_MS = 60_000;
/** Time before the first rate is shown. The first pages often come all at once. */
const MIN_PAGES_MS = 2000;
/** Time that responses must cover before an end is estimated. */
const MIN_OBSERVED_MS = 10_000;
/** Number of times that the share must have grown. Jobs often report much in one step. */
const MIN_STEPS = 3;
/**
 * Growth before an end is estimated. With less growth in whole percents, the estimate could be off
 * by more than half.
 */
const MIN_GROWTH = 0.03;
/**
 * Most recent growth from which the end is computed, so that the estimate follows a job that gets
 * faster or slower.
 */
const RECENT_GROWTH = 0.1;
/** Longest time left that is shown. A slower rate says nothing about the end. */
const MAX_LEFT_MS = 48 * 60 * 60 * 1000;
/** Difference up to which pages and percent agree. Percents are rounded down. */
const SAME_SHARE = 0.015;

/**
 * Measures the pace of one job over the responses that it gets. The job's earlier time doesn't count,
 * because a job can wait in a queue for long.
 */
export class JobPace {
  #pages: readonly { readonly at: number; readonly pages: number }[] = [];
  /** Responses at which the share had grown, oldest first. */
  #grown: readonly Share[] = [];
  #newest: Share | undefined;

  /**
   * Adds the state of one response. If the job has started over, the measurement starts over too.
   */
  add(sample: PaceSample): void {
    this.#addPages(sample);
    this.#addShare(sample.at, shareOf(sample));
  }

  get pace(): Pace {
    const leftMs = this.#leftMs();
    return withoutUndefined({
      pagesPerSecond: this.#pagesPerSecond(),
      leftMs,
      endsAt: leftMs === undefined || !this.#newest ? undefined : this.#newest.at + leftMs,
    });
  }

  #addPages({ at, pages }: PaceSample): void {
    if (pages === undefined) return;
    const last = this.#pages.at(-1);
    const isAnew = last && (pages < last.pages || at < last.at);
    const samples = [...(isAnew ? [] : this.#pages), { at, pages }];
    // One sample older than the window stays, so that slow polls are measured, too.
    const first = samples.findLastIndex((sample) => sample.at <= at - PAGES_WINDOW_MS);
    this.#pages = samples.slice(Math.max(0, first));
  }

  #addShare(at: number, share: number | undefined): void {
    const before = this.#newest;
    const isAnew = !before || share === undefined || share < before.share || at < before.at;
    if (isAnew) this.#grown = [];
    this.#newest = share === undefined ? undefined : { at, share };
    if (!this.#newest) return;
    if (share !== this.#grown.at(-1)?.share) this.#grown = recent([...this.#grown, this.#newest]);
    // Nothing has grown yet, so the time until now was one in the queue.
    else if (this.#grown.length === 1) this.#grown = [this.#newest];
  }

  #pagesPerSecond(): number | undefined {
    const [first] = this.#pages;
    const last = this.#pages.at(-1);
    if (!first || !last || last.at - first.at < MIN_PAGES_MS) return undefined;
    const rate = ((last.pages - first.pages) * 1000) / (last.at - first.at);
    return rate > 0 ? rate : undefined;
  }

  #leftMs(): number | undefined {
    const [first] = this.#grown;
    const last = this.#grown.at(-1);
    if (!first || !last || !this.#newest || this.#grown.length <= MIN_STEPS) return undefined;
    const growth = last.share - first.share;
    // A response without growth makes the rate lower.
    const observedMs = this.#newest.at - first.at;
    if (growth < MIN_GROWTH || observedMs < MIN_OBSERVED_MS || last.share >= 1) return undefined;
    const leftMs = ((1 - last.share) * observedMs) / growth;
    return leftMs > MAX_LEFT_MS ? undefined : Math.round(leftMs);
  }
}

/** Returns the share that a response reported. Its pages count if they agree with its percent. */
function shareOf({ pages, totalPages, percent }: PaceSample): number | undefined {
  if (percent === undefined) return undefined;
  const byPages = pages === undefined || !totalPages ? undefined : pages / totalPages;
  const isSame = byPages !== undefined && Math.abs(byPages - percent / 100) <= SAME_SHARE;
  return isSame ? byPages : percent / 100;
}

/** Returns the most recent part of the list, over which the rate is measured. */
function recent(grown: readonly Share[]): readonly Share[] {
  const floor = (grown.at(-1)?.share ?? 0) - RECENT_GROWTH;
  const first = grown.findLastIndex(({ share }) => share <= floor);
  return grown.slice(Math.max(0, Math.min(first, grown.length - 1 - MIN_STEPS)));
}
