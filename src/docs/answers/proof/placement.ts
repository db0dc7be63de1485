import type { Statement } from './statements';
import { type Amount, type Clue, ClueTable } from './clues';
import { claimedDefault } from './defaults';
import { hasQuantity, type Passage } from './evidence';
import type { Quantity, Unit } from './numbers';
import type { Problem } from './problem';
import { nameKey, type Token } from './tokens';

/** Share of the best passage's nearness that a passage with the number must have. */
const MIN_BESIDE = 0.85;
/** Maximum difference in nearness of two passages that are about the same thing. */
const SAME_NEARNESS = 0.1;

/**
 * Returns a problem if the docs have another number in the passage that fits the statement best, and the
 * statement's own number only in passages about something else.
 */
export function misplacedNumbers(
  table: ClueTable,
  amounts: readonly Amount[],
  units: readonly Unit[],
): Problem | undefined {
  const isMisplaced = amounts.some(({ quantity, at }) => {
    const scores = table.nearness(at);
    const isRival = (other: Quantity): boolean =>
      other.unit?.kind === quantity.unit?.kind &&
      (other.isCount === true || /^\d/.test(other.written));
    let best: Passage | undefined;
    let beside = 0;
    for (const [passage, score] of scores) {
      if (best === undefined || score > (scores.get(best) ?? 0)) best = passage;
      if (score > beside && hasQuantity(passage, quantity, units)) beside = score;
    }
    if (best?.quantities.some(isRival) !== true) return false;
    // The number can be in another sentence of the setting's list item.
    const { item } = best;
    const isInItem = table.passages.some(
      (passage) => item && passage.item === item && hasQuantity(passage, quantity, units),
    );
    if (isInItem) return false;
    const top = scores.get(best) ?? 0;
    return beside < top * MIN_BESIDE && top - beside > SAME_NEARNESS;
  });
  return isMisplaced ? { reason: 'number', missing: [] } : undefined;
}

/** Share of the best passage's nearness that a passage about the same thing must have. */
const SAME_PLACE = 0.85;

/** Returns a problem if the docs name another default than the statement. */
export function wrongDefault(tokens: readonly Token[], table: ClueTable): Problem | undefined {
  const claim = claimedDefault(tokens);
  if (!claim) return undefined;
  const scores = table.nearness(claim.at);
  const best = Math.max(...scores.values());
  const near = table.passages.filter((passage) => (scores.get(passage) ?? 0) >= best * SAME_PLACE);
  const isWrong = near.some((passage) => claim.isContradictedBy(passage));
  if (!isWrong) return undefined;
  // The default can be in another sentence of the setting's list item.
  const items = new Set(near.flatMap(({ item }) => item ?? []));
  const isRight = table.passages.some(
    (passage) =>
      (near.includes(passage) || (passage.item && items.has(passage.item))) &&
      claim.isConfirmedBy(passage),
  );
  if (isRight) return undefined;
  return { reason: claim.value.kind === 'number' ? 'number' : 'name', missing: [] };
}

/** Minimum difference in nearness at which another row fits the statement better than the name's own row. */
const OTHER_ROW = 0.2;

/** Returns a problem if the statement names one row of a table but has the content of another row. */
export function misplacedName(
  { code }: Statement,
  { clues, passages }: ClueTable,
): Problem | undefined {
  const [name, ...others] = clues.filter(({ isName }) => isName);
  if (!name || code.length === 0) return undefined;
  const rows = passages.filter(({ cells }) => cells.length > 1);
  const own = rows.filter((row) => isRowOf(row, name));
  if (own.length === 0 || own.length === rows.length) return undefined;
  // A statement about several rows has content of each of them.
  if (others.some((other) => rows.some((row) => !own.includes(row) && isRowOf(row, other)))) {
    return undefined;
  }
  const scores = new ClueTable(clues, rows).nearness(name.at);
  const best = Math.max(...scores.values());
  // The row that fits best can be the example of another name in the statement.
  const isOfOther = [...scores].some(
    ([row, score]) =>
      score === best && others.some(({ keys }) => keys.some((key) => row.keys.has(key))),
  );
  if (isOfOther) return undefined;
  const mine = Math.max(...own.map((row) => scores.get(row) ?? 0));
  return best - mine > OTHER_ROW ? { reason: 'name', missing: [] } : undefined;
}

/** Returns whether the first cell of a row has the name. */
function isRowOf({ cells }: Passage, { keys }: Clue): boolean {
  const tokens = cells[0]?.tokens ?? [];
  return tokens.some(({ written }) => keys.includes(`=${nameKey(written)}`));
}
