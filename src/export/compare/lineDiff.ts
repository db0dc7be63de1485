/** Compares two texts line by line, with Myers' algorithm (An O(ND) Difference Algorithm, 1986). */

/** A line of a difference: on both sides, or only in the text before or after. */
export interface DiffLine {
  readonly side: 'both' | 'before' | 'after';
  readonly text: string;
}

/** Maximum number of differing lines to search for. With more, all lines count as replaced. */
const MAX_DISTANCE = 1000;

/** Returns the lines of both texts in order. Of a replaced line, the one from before comes first. */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let same = 0;
  const rest = Math.min(before.length, after.length) - start;
  while (same < rest && before.at(-1 - same) === after.at(-1 - same)) same++;
  const one = before.slice(start, before.length - same);
  const other = after.slice(start, after.length - same);
  return [
    ...on('both', before.slice(0, start)),
    ...removedFirst(diffMiddle(one, other)),
    ...on('both', before.slice(before.length - same)),
  ];
}

function on(side: DiffLine['side'], lines: readonly string[]): DiffLine[] {
  return lines.map((text) => ({ side, text }));
}

function diffMiddle(before: readonly string[], after: readonly string[]): DiffLine[] {
  const replaced = [...on('before', before), ...on('after', after)];
  const most = Math.min(before.length + after.length, MAX_DISTANCE);
  /** The farthest place on each diagonal, by the number of differences. */
  const trace: Int32Array[] = [];
  let farthest = new Int32Array([0, 0, 0]);
  for (let distance = 0; distance <= most; distance++) {
    const next = new Int32Array(2 * distance + 3);
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      let x = startOf(farthest, distance, diagonal);
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal])
        x++;
      next[diagonal + distance + 1] = x;
      if (x >= before.length && x - diagonal >= after.length)
        return walkBack(before, after, trace, diagonal);
    }
    trace.push(next);
    farthest = next;
  }
  return replaced;
}

/**
 * Returns where a diagonal begins, after one more difference.
 * @param farthest places after `distance - 1` differences. Its first diagonal is `-distance`.
 */
function startOf(farthest: Int32Array, distance: number, diagonal: number): number {
  if (distance === 0) return 0;
  const fromAbove = farthest[diagonal + 1 + distance] ?? 0;
  const fromLeft = (farthest[diagonal - 1 + distance] ?? 0) + 1;
  return isInsertion(diagonal, distance, fromLeft, fromAbove) ? fromAbove : fromLeft;
}

function isInsertion(
  diagonal: number,
  distance: number,
  fromLeft: number,
  fromAbove: number,
): boolean {
  return diagonal === -distance || (diagonal !== distance && fromLeft - 1 < fromAbove);
}

function walkBack(
  before: readonly string[],
  after: readonly string[],
  trace: readonly Int32Array[],
  lastDiagonal: number,
): DiffLine[] {
  const lines: DiffLine[] = [];
  let x = before.length;
  let diagonal = lastDiagonal;
  for (let distance = trace.length; distance > 0; distance--) {
    const farthest = trace[distance - 1] ?? new Int32Array();
    const fromAbove = farthest[diagonal + 1 + distance] ?? 0;
    const fromLeft = (farthest[diagonal - 1 + distance] ?? 0) + 1;
    const isInserted = isInsertion(diagonal, distance, fromLeft, fromAbove);
    const start = isInserted ? fromAbove : fromLeft;
    while (x > start) lines.push({ side: 'both', text: before[--x] ?? '' });
    if (isInserted) {
      lines.push({ side: 'after', text: after[x - diagonal - 1] ?? '' });
      diagonal++;
    } else {
      x--;
      lines.push({ side: 'before', text: before[x] ?? '' });
      diagonal--;
    }
  }
  while (x > 0) lines.push({ side: 'both', text: before[--x] ?? '' });
  return lines.reverse();
}

/** Puts the lines from before in front of those from after, within each run of differing lines. */
function removedFirst(lines: readonly DiffLine[]): DiffLine[] {
  const ordered: DiffLine[] = [];
  let added: DiffLine[] = [];
  for (const line of lines) {
    if (line.side === 'after') added.push(line);
    else {
      if (line.side === 'both') {
        ordered.push(...added);
        added = [];
      }
      ordered.push(line);
    }
  }
  return [...ordered, ...added];
}
