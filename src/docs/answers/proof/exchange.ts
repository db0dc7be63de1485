/** Finds what a statement has in the place of something else that a passage of the docs has there. */
import { type Contradiction, isOpposite } from './contrast';
import { unitOf } from './numbers';
import { nameKey, quantityOfWord, termWeight, type Token } from './tokens';

/** Match words between two things that must not be exchanged: one that wins and one that loses, or a choice. */
const ranks = [
  /^(?:precedence|priority|vorrang|wins?|over|overrides?|overrid\w+|beats?|vor|gegenüber|überschreib\w+)$/i,
  /^(?:than|instead|rather|statt|anstatt)$/i,
];

/** Returns the word between two things that a statement has the other way round than a passage. */
export function exchangedSides(
  said: readonly Token[],
  known: readonly Token[],
  isCopy: boolean,
): Contradiction | undefined {
  for (const [at, { written }] of said.entries()) {
    const rank = ranks.find((pattern) => pattern.test(written));
    if (!rank) continue;
    const [mineBefore, mineAfter] = sidesAround(said, at);
    for (const [place, other] of known.entries()) {
      if (!rank.test(other.written)) continue;
      const [theirsBefore, theirsAfter] = sidesAround(known, place);
      // "B takes precedence" doesn't name what A is to yield to.
      const isCrossed =
        meet(mineAfter, theirsBefore) &&
        (meet(mineBefore, theirsAfter) ||
          (isCopy && isLastWord(other) && theirsAfter.length === 0));
      const isStraight = meet(mineBefore, theirsBefore) || meet(mineAfter, theirsAfter);
      if (isCrossed && !isStraight) return { written, at };
    }
  }
  return undefined;
}

function isLastWord({ written }: Token): boolean {
  return /^(?:precedence|priority|vorrang|wins?)$/i.test(written);
}

/** Number of tokens on each side of a word that can be what the word compares. */
const SIDE = 6;

function sidesAround(tokens: readonly Token[], at: number): readonly [string[], string[]] {
  const before = keysOf(tokens.slice(Math.max(0, at - SIDE), at));
  const after = keysOf(tokens.slice(at + 1, at + 1 + SIDE));
  // Words on both sides name what the two have in common, such as "value" and "override".
  return [
    before.filter((key) => !after.includes(key)),
    after.filter((key) => !before.includes(key)),
  ];
}

/** Returns the names of tokens and their words with a topic. */
function keysOf(tokens: readonly Token[]): string[] {
  return tokens
    .flatMap((token) => (token.kind === 'word' ? token.terms : [nameKey(token.written)]))
    .filter((term) => termWeight(term) === 1);
}

function meet(one: readonly string[], other: readonly string[]): boolean {
  return one.some((key) => other.includes(key));
}

/** Returns the unit of a statement in whose place a passage has another one, as in "in seconds". */
export function exchangedUnit(
  said: readonly Token[],
  known: readonly Token[],
): Contradiction | undefined {
  const theirs = known.filter((_, place) => isBareUnit(known, place));
  if (theirs.length === 0) return undefined;
  for (const [at, { written }] of said.entries()) {
    const unit = isBareUnit(said, at) ? unitOf(written) : undefined;
    if (!unit) continue;
    const sizes = theirs.flatMap((other) => {
      const known = unitOf(other.written);
      return known?.kind === unit.kind ? [known.size] : [];
    });
    if (sizes.length > 0 && !sizes.includes(unit.size)) return { written, at };
  }
  return undefined;
}

function isBareUnit(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  const before = tokens[at - 1];
  if (token?.kind !== 'word' || token.written.length < 4 || !unitOf(token.written)) return false;
  return (
    before?.kind === 'word' &&
    /^(?:in|of|as)$/i.test(before.written) &&
    !quantityOfWord(before.written)
  );
}

/** Matches words that limit a statement to what they name. */
const limits = /^(?:only|solely|exclusively|alone|nur|ausschließlich|\p{L}+-only)$/iu;
/** Matches words that say that there is no limit. */
const all = /^(?:all|every|any|everywhere|regardless|alle[nrsm]?|jede[nrsm]?)$/i;

/** Returns the word by which a statement limits what a passage does not limit, or the other way round. */
export function changedLimit(
  said: readonly Token[],
  known: readonly Token[],
): Contradiction | undefined {
  const find = (tokens: readonly Token[], pattern: RegExp): number[] =>
    tokens.flatMap(({ written }, at) => (pattern.test(written) ? [at] : []));
  const [mine, theirs] = [find(said, limits), find(known, limits)];
  // A passage that limits one thing and not another says both: "only the first one signs, and all are accepted".
  if (mine.length > 0 === theirs.length > 0 || (theirs.length > 0 && find(known, all).length > 0))
    return undefined;
  const [saidWords, knownWords] =
    mine.length > 0 ? [mine, find(known, all)] : [find(said, all), theirs];
  for (const at of saidWords) {
    const isSame = knownWords.some((place) => meet(near(said, at), near(known, place)));
    if (isSame) return { written: said[at]?.written ?? '', at };
  }
  return undefined;
}

/**
 * Returns the word of a statement for whose opposite a passage says that it is the only one, as in
 * "production" for "only in development".
 */
export function excludedCase(
  said: readonly Token[],
  known: readonly Token[],
): Contradiction | undefined {
  const cases = known.filter((_, at) =>
    known.slice(Math.max(0, at - NEAR), at + 1 + NEAR).some(({ written }) => limits.test(written)),
  );
  const isPlain = !said.some(({ written }) => limits.test(written));
  for (const [at, { kind, written }] of said.entries()) {
    if (kind !== 'word' || !isPlain || said.some((other) => isOpposite(written, other.written)))
      continue;
    if (cases.some((other) => isOpposite(written, other.written))) return { written, at };
  }
  return undefined;
}

/** Number of tokens before and after a word to which it can belong. */
const NEAR = 3;

function near(tokens: readonly Token[], at: number): string[] {
  return keysOf([
    ...tokens.slice(Math.max(0, at - NEAR), at),
    ...tokens.slice(at + 1, at + 1 + NEAR),
  ]);
}
