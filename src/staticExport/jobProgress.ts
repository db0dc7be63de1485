/**
 * `progress` and `pageCount` of a running job. Their types and units are not documented
 * (platform-api.md § Static export job), so every form that is surely meant is read, and no other.
 */

/**
 * What `progress` says: a share of the whole for sure, or a number from 0 to 100 whose unit the
 * service does not name.
 */
export type ProgressReading =
  | { readonly kind: 'share'; /** 0 to 1. */ readonly share: number }
  | { readonly kind: 'number'; readonly value: number };

/** What a job's bare numbers turned out to be, from all that it told so far. */
export type ProgressScale = 'unknown' | 'fraction' | 'percent';

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
 * What a bare number tells of the job's unit. Above 1 it can only be a percentage, which settles
 * it for good. Between 0 and 1 it is taken for a fraction, unless pages of a known total fit a
 * percentage better or the job told percentages before. 1 alone can be both: 1 % or all of it.
 */
export function scaleAfter(
  scale: ProgressScale,
  value: number,
  { pages, totalPages }: PageCount,
): ProgressScale {
  if (value > 1) return 'percent';
  if (scale !== 'unknown' || value === 0) return scale;
  if (pages !== undefined && totalPages !== undefined) {
    const percent = (100 * pages) / totalPages;
    return Math.abs(100 * value - percent) <= Math.abs(value - percent) ? 'fraction' : 'percent';
  }
  return value === 1 ? 'unknown' : 'fraction';
}

/** Whole percent from 0 to 100, rounded down; undefined where the unit is not known. */
export function percentOf(reading: ProgressReading, scale: ProgressScale): number | undefined {
  if (reading.kind === 'share') return wholePercent(reading.share);
  if (reading.value === 0) return 0;
  if (scale === 'unknown') return undefined;
  return wholePercent(scale === 'fraction' ? reading.value : reading.value / 100);
}

/** Whole percent of a share, rounded down, where 0.29 is 29 whatever its binary form. */
export function wholePercent(share: number): number {
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
