/** Rate of a running job and its expected end, from its responses. The file has no clock. */
import { withoutUndefined } from '../../common/withoutUndefined';

/** State of a running job at one response. Absent values are not told by the service. */
export interface PaceSample {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly pages?: number | undefined;
  readonly totalPages?: number | undefined;
  /** Percent as it is shown, so only if the service's number is certainly a share of the whole. */
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

/** A response and the share of the whole that it told, from 0 to 1. */
interface Share {
  readonly at: number;
  readonly share: number;
}

/** Time over which the rate of pages is measured. Pages differ, so that a shorter one would jump. */
const PAGES_WINDOW_MS = 60_000;
/** Time from which the rate of pages is told. The first pages often come at once. */
const MIN_PAGES_MS = 2000;
/** Time that responses must cover before an end is told. */
const MIN_OBSERVED_MS = 10_000;
/** Number of times that the share must have grown. Jobs often report much in one step. */
const MIN_STEPS = 3;
/** Growth that an end needs. Less growth in whole percents could be off by more than half. */
const MIN_GROWTH = 0.03;
/** Growth that the end is computed from, so that it follows a job that gets faster or slower. */
const RECENT_GROWTH = 0.1;
/** Longest time left that is told. A rate that is this slow says nothing about the end. */
const MAX_LEFT_MS = 48 * 60 * 60 * 1000;
/** Difference up to which pages and percent tell the same. Percents are rounded down. */
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

  /** Adds the state of one response. A job that has started over is measured anew. */
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

/** Returns the share that a response told: by its pages if they agree with its percent. */
function shareOf({ pages, totalPages, percent }: PaceSample): number | undefined {
  if (percent === undefined) return undefined;
  const byPages = pages === undefined || !totalPages ? undefined : pages / totalPages;
  const isSame = byPages !== undefined && Math.abs(byPages - percent / 100) <= SAME_SHARE;
  return isSame ? byPages : percent / 100;
}

/** Returns the end of the list that the rate is measured over. */
function recent(grown: readonly Share[]): readonly Share[] {
  const floor = (grown.at(-1)?.share ?? 0) - RECENT_GROWTH;
  const first = grown.findLastIndex(({ share }) => share <= floor);
  return grown.slice(Math.max(0, Math.min(first, grown.length - 1 - MIN_STEPS)));
}
