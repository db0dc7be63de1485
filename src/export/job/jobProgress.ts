/**
 * Reads `progress` and `pageCount` of a running job. Their types and units are not documented
 * (platform-api.md § Static export job), so only forms with a certain meaning are accepted.
 */
import { withoutUndefined } from '../../common/withoutUndefined';

/**
 * Content of `progress`: a certain share of the whole, or a number from 0 to 100 whose unit is
 * unknown.
 */
export type ProgressReading =
  | { readonly kind: 'share'; /** Share from 0 to 1. */ readonly share: number }
  | { readonly kind: 'number'; readonly value: number };

/**
 * Meaning of a job's bare numbers, as far as all its responses prove it.
 *
 * Numbers from 0 to 100 are usual (field-notes.md § Static export), so 0.4 can be 0.4 % of a large
 * site or 40 % of a small one:
 * - `unknown`: nothing is proven. The bar shows only 0, since 1 can be 1 % or the whole job.
 * - `below-one`: the job sent numbers between 0 and 1 and none above 1. There is still no bar.
 * - `percent`: the job sent a number above 1, which is a proof.
 * - `fraction`: a job of the same API sent numbers between 0 and 1, none above 1, and 1 when it was
 *   completed. This proves it for the next job, because for the job itself it is too late.
 * - `contradictory`: the job sent a number above 1 although fractions were proven. The bar was wrong,
 *   so the job shows none from then on. The next job starts with `percent`.
 */
export const progressScales = [
  'unknown',
  'below-one',
  'percent',
  'fraction',
  'contradictory',
] as const;

export type ProgressScale = (typeof progressScales)[number];

/** Known progress of a job. */
export interface JobProgress {
  readonly scale: ProgressScale;
  /** Highest percent shown, as a whole number. The bar never goes below it. */
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

/** Reads `progress`. Returns undefined for a missing, invalid or ambiguous value. */
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

/** Reads `pageCount`. Missing and invalid counts are left out. */
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
 * Returns the progress of a running job after one more response.
 *
 * @returns `percent` is a whole number from 0 to 100, rounded down, and never lower than before. It is
 * absent if the service's numbers do not prove it.
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

/** Returns the progress after the response that the job is completed. There, 1 means the whole job. */
export function progressAtEnd(
  { scale, peakPercent }: JobProgress,
  reading: ProgressReading | undefined,
): JobProgress {
  if (reading?.kind !== 'number') return withoutUndefined({ scale, peakPercent });
  const { value } = reading;
  const proven = value === 1 && scale === 'below-one' ? 'fraction' : scaleAfter(scale, value);
  return withoutUndefined({ scale: proven, peakPercent });
}

/** Returns the scale that an earlier job of an API has proven for the next one. */
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

/** Returns a share as a whole percent, rounded down. 0.29 becomes 29 in spite of its binary form. */
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
