/**
 * `progress` and `pageCount` of a running job. Their types and units are not documented
 * (platform-api.md § Static export job), so every form that is surely meant is read, and no other.
 */
import { withoutUndefined } from './withoutUndefined';

/**
 * What `progress` says: a share of the whole for sure, or a number from 0 to 100 whose unit the
 * service does not name.
 */
export type ProgressReading =
  | { readonly kind: 'share'; /** 0 to 1. */ readonly share: number }
  | { readonly kind: 'number'; readonly value: number };

/**
 * What a job's bare numbers are, as far as its whole sequence of answers proves it.
 *
 * A number from 0 to 100 is usual (field-notes.md § Static export), so 0.4 is as likely 0.4 % of a
 * large site as 40 % of a small one:
 * - `unknown`: nothing tells. No bar is shown but for 0, and 1 can be 1 % or all of it.
 * - `below-one`: the job told numbers between 0 and 1, and none above. Still no bar.
 * - `percent`: the job told a number above 1, which settles it for good.
 * - `fraction`: a job of the same API told numbers between 0 and 1, none above, and 1 once it was
 *   completed. One job proves it for the next, as its own proof comes when there is no bar any more.
 * - `contradictory`: a number above 1 where fractions were proven. No bar for the rest of the job,
 *   as what it showed was wrong; for the next job it is `percent`.
 */
export const progressScales = [
  'unknown',
  'below-one',
  'percent',
  'fraction',
  'contradictory',
] as const;

export type ProgressScale = (typeof progressScales)[number];

/** What a job's progress came to so far. */
export interface JobProgress {
  readonly scale: ProgressScale;
  /** The highest whole percent that was shown: the bar never goes below it. */
  readonly peakPercent?: number;
}

export interface PageCount {
  readonly pages?: number;
  readonly totalPages?: number;
}

const NUMBER = /^\d+(?:\.\d+)?$/;
const PERCENTAGE = /^(\d+(?:\.\d+)?)\s*%$/;
const OF_TOTAL = /^(\d+)\s*(?:\/|of)\s*(\d+)$/i;

const doneNames = ['done', 'completed', 'complete', 'current', 'processed', 'exported', 'finished'];
const totalNames = ['total', 'totalPages', 'of', 'all'];
const percentNames = ['percent', 'percentage', 'pct'];
const fractionNames = ['fraction', 'ratio', 'share'];

/** @returns undefined for what is absent, not a number, out of range, or not surely meant. */
export function readProgress(progress: unknown): ProgressReading | undefined {
  if (typeof progress === 'number') return bareNumber(progress);
  if (typeof progress === 'string') {
    const text = progress.trim();
    const percentage = PERCENTAGE.exec(text)?.[1];
    if (percentage !== undefined) return share(Number(percentage) / 100);
    const [, done, total] = OF_TOTAL.exec(text) ?? [];
    if (done !== undefined) return share(Number(done) / Number(total));
    return NUMBER.test(text) ? bareNumber(Number(text)) : undefined;
  }
  const done = numberAt(progress, ['pages', ...doneNames]);
  const total = numberAt(progress, totalNames);
  if (done !== undefined && total !== undefined) return share(done / total);
  const fraction = numberAt(progress, fractionNames);
  if (fraction !== undefined) return share(fraction);
  const percent = numberAt(progress, percentNames) ?? numberAt(progress, ['value']);
  return percent === undefined ? undefined : bareNumber(percent);
}

/** @returns whole numbers; nothing for what is absent or cannot be a count. */
export function readPageCount(pageCount: unknown): PageCount {
  if (typeof pageCount === 'string') {
    const [, done, total] = OF_TOTAL.exec(pageCount.trim()) ?? [];
    if (done !== undefined) return counts(Number(done), Number(total));
  }
  if (typeof pageCount === 'object') {
    return counts(
      numberAt(pageCount, ['pages', ...doneNames, 'count']),
      numberAt(pageCount, totalNames),
    );
  }
  return counts(asNumber(pageCount), undefined);
}

/**
 * Takes in one answer of a running job.
 *
 * @returns what is known of its progress then, and the whole percent to show: from 0 to 100,
 * rounded down, never less than was shown before; absent where nothing tells it for sure.
 */
export function progressAfter(
  { scale: before, peakPercent }: JobProgress,
  { progress, pages, totalPages }: PageCount & { readonly progress?: ProgressReading },
): { readonly progress: JobProgress; readonly percent?: number } {
  const scale = progress?.kind === 'number' ? scaleAfter(before, progress.value) : before;
  const told =
    (progress && percentOf(progress, scale)) ??
    (pages === undefined || totalPages === undefined
      ? undefined
      : wholePercent(pages / totalPages));
  if (told === undefined) return { progress: withoutUndefined({ scale, peakPercent }) };
  const percent = Math.max(told, peakPercent ?? 0);
  return { progress: { scale, peakPercent: percent }, percent };
}

/** Takes in the answer that says that the job is completed: 1 means all of it then. */
export function progressAtEnd(
  { scale, peakPercent }: JobProgress,
  reading: ProgressReading | undefined,
): JobProgress {
  if (reading?.kind !== 'number') return withoutUndefined({ scale, peakPercent });
  const { value } = reading;
  const proven = value === 1 && scale === 'below-one' ? 'fraction' : scaleAfter(scale, value);
  return withoutUndefined({ scale: proven, peakPercent });
}

/** Returns the scale that jobs of an API start with, after what an earlier one of them proved. */
export function scaleProvenBy(earlier: ProgressScale | undefined): ProgressScale | undefined {
  if (earlier === 'contradictory') return 'percent';
  return earlier === 'fraction' || earlier === 'percent' ? earlier : undefined;
}

function scaleAfter(scale: ProgressScale, value: number): ProgressScale {
  if (value > 1)
    return scale === 'fraction' || scale === 'contradictory' ? 'contradictory' : 'percent';
  return scale === 'unknown' && value > 0 && value < 1 ? 'below-one' : scale;
}

function percentOf(reading: ProgressReading, scale: ProgressScale): number | undefined {
  if (reading.kind === 'share') return wholePercent(reading.share);
  if (reading.value === 0) return 0;
  if (scale === 'fraction') return wholePercent(reading.value);
  return scale === 'percent' ? wholePercent(reading.value / 100) : undefined;
}

/** Whole percent of a share, rounded down, where 0.29 is 29 whatever its binary form. */
function wholePercent(share: number): number {
  return Math.floor(100 * share + 1e-9);
}

function share(value: number): ProgressReading | undefined {
  return value >= 0 && value <= 1 ? { kind: 'share', share: value } : undefined;
}

function bareNumber(value: number): ProgressReading | undefined {
  return value >= 0 && value <= 100 ? { kind: 'number', value } : undefined;
}

function counts(pages: number | undefined, total: number | undefined): PageCount {
  const isCount = (value: number | undefined): value is number =>
    value !== undefined && Number.isSafeInteger(value) && value >= 0;
  if (!isCount(pages)) return {};
  return isCount(total) && total > 0 && pages <= total ? { pages, totalPages: total } : { pages };
}

function numberAt(value: unknown, names: readonly string[]): number | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(value));
  for (const name of names) {
    const number = asNumber(fields.get(name));
    if (number !== undefined) return number;
  }
  return undefined;
}

function asNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : undefined;
}
