/** One line of the table that `npm run bench` prints and of `test/bench/results.json`. */
export interface BenchRow {
  readonly name: string;
  readonly unit: string;
  readonly ours: number;
  /** Result of the peer, or null where the goal is a bound on our own figure. */
  readonly peer: number | null;
  readonly peerName: string | null;
  /** Ours by the peer's; smaller is better. */
  readonly ratio: number | null;
  /** The largest ratio, or without a peer the largest figure, that is good enough; null for none. */
  readonly goal: number | null;
  readonly met: boolean;
  readonly note?: string;
}

interface Measured {
  readonly name: string;
  readonly unit: string;
  readonly ours: number;
  readonly goal: number | null;
  readonly note?: string;
}

/** Returns a row whose goal is a ratio to a peer measured in the same run. */
export function against(row: Measured & { peerName: string; peer: number }): BenchRow {
  const ratio = row.ours / row.peer;
  return { ...row, ratio, met: isWithin(ratio, row.goal) };
}

/** Returns a row whose goal is a bound on our own figure. */
export function bounded(row: Measured): BenchRow {
  return { ...row, peer: null, peerName: null, ratio: null, met: isWithin(row.ours, row.goal) };
}

function isWithin(figure: number, goal: number | null): boolean {
  return goal === null || figure <= goal;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** Hands the rows to `test/tooling/bench.mjs`, which started this process. */
export function report(rows: readonly BenchRow[]): void {
  process.stdout.write(`${JSON.stringify({ rows })}\n`);
}
