/**
 * Reads `progress` and `pageCount` of a running job. Their types and units are not documented
 * (platform-api.md § Static export job), so only forms with a certain meaning are accepted.
 */

/**
 * Content of `progress`: a certain share of the whole, or a number from 0 to 100 whose unit is
 * unknown.
 */
export type ProgressReading =
  | { readonly kind: 'share'; /** Share from 0 to 1. */ readonly share: number }
  | { readonly kind: 'number'; readonly value: number };

interface PageCount {
  readonly pages?: number;
  readonly totalPages?: number;
}

/** Exported pages at a time, in ms since the epoch. */
export interface PagesAt {
  readonly at: number;
  readonly pages: number;
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
 * Returns the progress of one response as a whole percent, rounded down, or undefined if its numbers do
 * not prove one.
 *
 * Numbers from 0 to 100 are usual (field-notes.md § Static export), but their unit is not documented:
 * 0.4 can be 0.4 % of a large site or 40 % of a small one, and 1 can be 1 % or the whole job. So a bare
 * number counts only if it is 0 or above 1.
 */
export function percentOf({
  progress,
  pages,
  totalPages,
}: PageCount & { readonly progress?: ProgressReading }): number | undefined {
  if (progress?.kind === 'share') return wholePercent(progress.share);
  if (progress && (progress.value === 0 || progress.value > 1)) return Math.floor(progress.value);
  return pages === undefined || totalPages === undefined
    ? undefined
    : wholePercent(pages / totalPages);
}

/**
 * Returns the average pages per second between two counts, with one decimal, or undefined if that is
 * not above 0.
 */
export function pagesPerSecond(first: PagesAt, last: PagesAt): number | undefined {
  if (last.at <= first.at) return undefined;
  const rate = Math.round(((last.pages - first.pages) * 10_000) / (last.at - first.at)) / 10;
  return rate > 0 ? rate : undefined;
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
