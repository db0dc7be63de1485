import { type ClueTable, coverage, creditOf } from './clues';
import { type Contradiction, contradiction } from './contrast';
import type { Passage } from './evidence';
import type { Problem } from './problem';
import { nameKey, type Token } from './tokens';

/** Share of the words around a contradicting word that a passage must also have to count as opposing. */
const NEARLY_SAME = 0.5;
/** Share of a statement's words that a passage must have to be compared with the statement word by word. */
const MIN_SHARED = 0.25;
/** Number of words before and after the contradicting word to compare. */
const AROUND = 5;

/** Returns a problem if a passage has nearly the same words as the statement but contradicts it. */
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
    // If the docs have the word both with and without a negation, the statement can be right.
    const isSupported = supporting >= (isNegation ? NEARLY_SAME : opposing);
    if (opposing >= NEARLY_SAME && !isSupported) return { reason: 'words', missing: [] };
  }
  return undefined;
}
