import type { QuestionResult, QuestionRun } from './questionRun';

/** Changes between two runs of the same questions. Each question has its result of the second run. */
export interface RunComparison {
  /** Questions that passed before and fail now. */
  readonly lost: readonly QuestionResult[];
  /** Questions that failed before and pass now. */
  readonly gained: readonly QuestionResult[];
  /**
   * Questions without a verdict in one of the runs, because of an error or because they weren't
   * asked.
   */
  readonly unclear: readonly QuestionResult[];
  /** Questions that only the second run has. */
  readonly added: readonly QuestionResult[];
  /** Questions that only the first run has, with their results there. */
  readonly removed: readonly QuestionResult[];
}

/**
 * Compares two runs. Two questions are the same if they have the same ID in the same file. An ID
 * that occurs in only one file of each run also matches, so questions keep their history when their
 * file is moved or renamed.
 */
export function compareRuns(before: QuestionRun, after: QuestionRun): RunComparison {
  const partners = partnersOf(before.results, after.results);
  const lost: QuestionResult[] = [];
  const gained: QuestionResult[] = [];
  const unclear: QuestionResult[] = [];
  for (const [now, earlier] of partners) {
    if (!hasVerdict(earlier) || !hasVerdict(now)) unclear.push(now);
    else if (earlier.status !== now.status) (now.status === 'pass' ? gained : lost).push(now);
  }
  const matched = new Set(partners.values());
  return {
    lost,
    gained,
    unclear,
    added: after.results.filter((result) => !partners.has(result)),
    removed: before.results.filter((result) => !matched.has(result)),
  };
}

function hasVerdict({ status }: QuestionResult): boolean {
  return status === 'pass' || status === 'fail';
}

/** Returns the earlier result of each later one, in the order of the later ones. */
function partnersOf(
  before: readonly QuestionResult[],
  after: readonly QuestionResult[],
): ReadonlyMap<QuestionResult, QuestionResult> {
  const exact = new Map(before.map((result) => [placeOf(result), result]));
  const found = new Map<QuestionResult, QuestionResult>();
  for (const result of after) {
    const same = exact.get(placeOf(result));
    if (same) found.set(result, same);
  }
  const taken = new Set(found.values());
  const left = byId(before.filter((result) => !taken.has(result)));
  const wanting = byId(after.filter((result) => !found.has(result)));
  for (const [id, [result, ...others]] of wanting) {
    const [earlier, ...more] = left.get(id) ?? [];
    if (result && earlier && others.length === 0 && more.length === 0) found.set(result, earlier);
  }
  const order = new Map(after.map((result, index) => [result, index]));
  return new Map([...found].toSorted(([a], [b]) => (order.get(a) ?? 0) - (order.get(b) ?? 0)));
}

function placeOf({ file = '', id }: QuestionResult): string {
  return `${file}\n${id}`;
}

function byId(results: readonly QuestionResult[]): Map<string, QuestionResult[]> {
  const groups = new Map<string, QuestionResult[]>();
  for (const result of results) {
    const group = groups.get(result.id);
    if (group) group.push(result);
    else groups.set(result.id, [result]);
  }
  return groups;
}
