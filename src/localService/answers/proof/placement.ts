import type { Statement } from './statements';
import { type Amount, type Clue, ClueTable } from './clues';
import { claimedDefault } from './defaults';
import { hasQuantity, type Passage } from './evidence';
import type { Quantity, Unit } from './numbers';
import type { Problem } from './problem';
import { nameKey, type Token } from './tokens';

/**
 * Share of the best passage's nearness that a passage with the number must have. More if the best one
 * has another number of the same kind.
 */
const MIN_BESIDE = 0.5;
const MIN_BESIDE_RIVAL = 0.75;
/** Difference in nearness below which two passages say the same. */
const SAME_NEARNESS = 0.12;

/** Returns a problem if a number stands in a passage about something else than the statement. */
export function misplacedNumbers(
  table: ClueTable,
  amounts: readonly Amount[],
  units: readonly Unit[],
): Problem | undefined {
  const isMisplaced = amounts.some(({ quantity, at }) => {
    const scores = table.nearness(at);
    const isRival = (other: Quantity): boolean =>
      other.unit?.kind === quantity.unit?.kind && /^\d/.test(other.written);
    let best: Passage | undefined;
    let beside = 0;
    for (const [passage, score] of scores) {
      if (best === undefined || score > (scores.get(best) ?? 0)) best = passage;
      if (score > beside && hasQuantity(passage, quantity, units)) beside = score;
    }
    const top = best ? (scores.get(best) ?? 0) : 0;
    const minimum = best?.quantities.some(isRival) === true ? MIN_BESIDE_RIVAL : MIN_BESIDE;
    return beside < top * minimum && top - beside > SAME_NEARNESS;
  });
  return isMisplaced ? { reason: 'number', missing: [] } : undefined;
}

/** Share of the best passage's nearness from which a passage is about the same. */
const SAME_PLACE = 0.85;

/** Returns a problem if the docs name another default than the statement. */
export function wrongDefault(tokens: readonly Token[], table: ClueTable): Problem | undefined {
  const claim = claimedDefault(tokens);
  if (!claim) return undefined;
  const scores = table.nearness(claim.at);
  const best = Math.max(...scores.values());
  const near = table.passages.filter((passage) => (scores.get(passage) ?? 0) >= best * SAME_PLACE);
  const isWrong = near.some((passage) => claim.isContradictedBy(passage));
  if (!isWrong || near.some((passage) => claim.isConfirmedBy(passage))) return undefined;
  return { reason: claim.value.kind === 'number' ? 'number' : 'name', missing: [] };
}

/** Difference in nearness from which a row is about another name than the statement. */
const OTHER_ROW = 0.2;

/** Returns a problem if the statement says of one row's name what stands in another row. */
export function misplacedName(
  { code }: Statement,
  { clues, passages }: ClueTable,
): Problem | undefined {
  const [name, ...others] = clues.filter(({ isName }) => isName);
  if (!name || code.length === 0) return undefined;
  const rows = passages.filter(({ cells }) => cells.length > 1);
  const own = rows.filter((row) => isRowOf(row, name));
  if (own.length === 0 || own.length === rows.length) return undefined;
  // A statement about several rows says something of each.
  if (others.some((other) => rows.some((row) => !own.includes(row) && isRowOf(row, other)))) {
    return undefined;
  }
  const scores = new ClueTable(clues, rows).nearness(name.at);
  const best = Math.max(...scores.values());
  const mine = Math.max(...own.map((row) => scores.get(row) ?? 0));
  return best - mine > OTHER_ROW ? { reason: 'name', missing: [] } : undefined;
}

/** Returns whether the first cell of a row has the name. */
function isRowOf({ cells }: Passage, { keys }: Clue): boolean {
  const tokens = cells[0]?.tokens ?? [];
  return tokens.some(({ written }) => keys.includes(`=${nameKey(written)}`));
}
