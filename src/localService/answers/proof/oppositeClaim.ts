import { type ClueTable, coverage, creditOf } from './clues';
import { type Contradiction, contradiction } from './contrast';
import type { Passage } from './evidence';
import type { Problem } from './problem';
import { nameKey, type Token } from './tokens';

/** Share of the words around a word that a passage must have to say the opposite of it. */
const NEARLY_SAME = 0.5;
/** Share of a statement's words that a passage must have to be compared with it word by word. */
const MIN_SHARED = 0.25;
/** Words before and after that are compared. */
const AROUND = 5;

/** Returns a problem if a passage that says nearly the same says the opposite. */
export function oppositeClaim(
  tokens: readonly Token[],
  { clues, passages }: ClueTable,
): Problem | undefined {
  const isOfSame = (passage: Passage): boolean =>
    coverage(clues, (clue) => creditOf(clue, passage)) >= MIN_SHARED;
  const opposed = new Map<Passage, Contradiction>();
  for (const passage of passages) {
    const found = isOfSame(passage) ? contradiction(tokens, passage.tokens) : undefined;
    if (found) opposed.set(passage, found);
  }
  for (const { at, written, isNegation } of opposed.values()) {
    const around = clues
      .filter((clue) => clue.at !== at && Math.abs(clue.at - at) <= AROUND)
      .map((clue) => ({ ...clue, weight: clue.weight / (1 + Math.abs(clue.at - at) / 4) }));
    const word = clues.find((clue) => clue.at === at)?.keys ?? [`=${nameKey(written)}`];
    const hasWord = ({ keys }: Passage): boolean => word.some((key) => keys.has(key));
    let opposing = 0;
    let supporting = 0;
    for (const passage of passages) {
      const share = coverage(around, (clue) => creditOf(clue, passage));
      if (opposed.get(passage)?.at === at) opposing = Math.max(opposing, share);
      else if (hasWord(passage)) supporting = Math.max(supporting, share);
    }
    // A word that the docs both negate and don't can mean either.
    const isSupported = supporting >= (isNegation ? NEARLY_SAME : opposing);
    if (opposing >= NEARLY_SAME && !isSupported) return { reason: 'words', missing: [] };
  }
  return undefined;
}
