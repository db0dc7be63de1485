import { type Clue, type ClueTable, coverage, creditOf } from './clues';
import { type Contradiction, denies, flippedNegation, oppositeWord } from './contrast';
import type { Passage } from './evidence';
import { changedLimit, exchangedSides, exchangedUnit, excludedCase } from './exchange';
import type { Problem } from './problem';
import { nameKey, type Token } from './tokens';

/** Share of the words around a contradicting word that a passage must also have to count as opposing. */
const NEARLY_SAME = 0.5;
/** Share of a statement's words that a passage must have to be compared with the statement word by word. */
const MIN_SHARED = 0.25;
/** Number of words that a passage must share for each word that it doesn't, to be a copy. */
const MIN_COPIED = 4;
/** Number of words before and after the contradicting word to compare. */
const AROUND = 5;

const contrasts = [oppositeWord, flippedNegation, exchangedSides, exchangedUnit, changedLimit];

/** Returns a problem if a passage has nearly the same words as the statement but contradicts it. */
export function oppositeClaim(
  tokens: readonly Token[],
  { clues, passages }: ClueTable,
): Problem | undefined {
  const near = passages.filter(
    (passage) =>
      !passage.isCode && coverage(clues, (clue) => creditOf(clue, passage)) >= MIN_SHARED,
  );
  const isOpposed = contrasts.some((contrast) => {
    const opposed = new Map<Passage, Contradiction>();
    for (const passage of near) {
      const found =
        contrast(tokens, passage.tokens, isCopy(clues, passage)) ??
        excludedCase(tokens, [...passage.tokens, ...passage.around]);
      if (found) opposed.set(passage, found);
    }
    return [...opposed.values()].some(({ at, written }) => {
      const around = clues
        .filter((clue) => clue.at !== at && Math.abs(clue.at - at) <= AROUND)
        .map((clue) => ({ ...clue, weight: clue.weight / (1 + Math.abs(clue.at - at) / 4) }));
      const word = clues.find((clue) => clue.at === at)?.keys ?? [`=${nameKey(written)}`];
      // A denial that the docs make in other words supports the statement too.
      const isDenial = contrast === flippedNegation && denies(tokens);
      let opposing = 0;
      let supporting = 0;
      for (const passage of passages) {
        const share = coverage(around, (clue) => creditOf(clue, passage));
        if (opposed.get(passage)?.at === at) opposing = Math.max(opposing, share);
        else if (
          word.some((key) => passage.keys.has(key)) ||
          (isDenial && denies(passage.tokens))
        ) {
          supporting = Math.max(supporting, share);
        }
      }
      // If the docs have the word nowhere against the statement as near, the statement can be right.
      const isSupported = supporting >= (isDenial ? NEARLY_SAME : opposing);
      return opposing >= NEARLY_SAME && !isSupported;
    });
  });
  return isOpposed ? { reason: 'words', missing: [] } : undefined;
}

/** Returns whether a passage has all words with a topic of a statement, except one. */
function isCopy(clues: readonly Clue[], { keys }: Passage): boolean {
  const telling = clues.filter(({ weight }) => weight >= 1);
  const shared = telling.filter((clue) => clue.keys.some((key) => keys.has(key)));
  return shared.length >= 3 && shared.length >= (telling.length - shared.length) * MIN_COPIED;
}
