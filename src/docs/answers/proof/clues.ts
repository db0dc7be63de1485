import type { Passage } from './evidence';
import { type Quantity, unitOf } from './numbers';
import { nameKey, quantityOfWord, termWeight, type Token } from './tokens';

/** A word or name of a statement, to look for in the docs. */
export interface Clue {
  readonly keys: readonly string[];
  readonly weight: number;
  readonly at: number;
  readonly written: string;
  readonly isName: boolean;
}

export const NAME_WEIGHT = 2;

/** Returns the words and names of a statement, to look for in the docs. */
export function cluesOf(tokens: readonly Token[]): Clue[] {
  return tokens.flatMap((token, at): Clue[] => {
    if (token.kind === 'number') return [];
    const { written } = token;
    if (token.kind === 'name') {
      return [{ keys: [`=${nameKey(written)}`], weight: NAME_WEIGHT, at, written, isName: true }];
    }
    if (token.terms.length === 0 || isOfAmount(tokens, at)) return [];
    const weight = Math.max(...token.terms.map(termWeight));
    return [{ keys: token.terms, weight, at, written, isName: false }];
  });
}

/** Returns whether a word is a number or the unit after one. Amounts are compared separately. */
function isOfAmount(tokens: readonly Token[], at: number): boolean {
  const { written } = tokens[at] ?? { written: '' };
  const before = tokens[at - 1];
  if (quantityOfWord(written)) return true;
  return (
    unitOf(written) !== undefined &&
    before !== undefined &&
    quantityOfWord(before.written) !== undefined
  );
}

/** A number of a statement, with the index of its token. */
export interface Amount {
  readonly quantity: Quantity;
  readonly at: number;
}

/**
 * Returns the numbers of a statement.
 * @param passages passages of the docs. A number word without a unit, such as "two", is an amount only if
 * they count the same thing with a number.
 */
export function amountsOf(tokens: readonly Token[], passages: readonly Passage[]): Amount[] {
  return tokens.flatMap((token, at): Amount[] => {
    if (token.kind === 'number') {
      // The number of "Step 2" belongs to the reply, not to the docs.
      const isCount = /^(?:step|schritt|option|part|teil|example|beispiel|figure|point|punkt)$/i;
      return isCount.test(tokens[at - 1]?.written ?? '') ? [] : [{ quantity: token.quantity, at }];
    }
    const word = token.kind === 'word' ? quantityOfWord(token.written) : undefined;
    if (!word) return [];
    const next = tokens[at + 1];
    const unit = next?.kind === 'word' ? unitOf(next.written) : undefined;
    if (unit) return [{ quantity: { ...word, unit }, at }];
    const isOften = /^(?:times|mal)$/i.test(next?.written ?? '');
    if (isOften) return [{ quantity: { ...word, isCount: true }, at }];
    // "Twice" and "one of them" rarely state a number of the product.
    if (/^(?:one|once|twice|ein\w*|zweimal)$/i.test(token.written)) return [];
    // "Two" can count the items of the reply's own list, but "twelve times" contradicts "7 times".
    const counted = tokens.slice(at + 1, at + 3).flatMap(termsOf);
    return passages.some(({ tokens: own }) => isCounted(own, counted))
      ? [{ quantity: { ...word, isCount: true }, at }]
      : [];
  });
}

function termsOf(token: Token): readonly string[] {
  return token.kind === 'word' ? token.terms : [nameKey(token.written)];
}

function isCounted(tokens: readonly Token[], counted: readonly string[]): boolean {
  return tokens.some(
    (token, at) =>
      (token.kind === 'number' || quantityOfWord(token.written) !== undefined) &&
      tokens
        .slice(at + 1, at + 3)
        .some((next) => termsOf(next).some((term) => counted.includes(term))),
  );
}

/** Returns the weight of the clues that were found, as a share of the weight of all clues. */
export function coverage(clues: readonly Clue[], creditFor: (clue: Clue) => number): number {
  let all = 0;
  let found = 0;
  for (const clue of clues) {
    all += clue.weight;
    found += clue.weight * creditFor(clue);
  }
  return all === 0 ? 1 : found / all;
}

/** Credit for a word that is near a passage but not in it. */
const NEAR_CREDIT = 0.6;

/** Returns how much of a clue a passage has, from 0 to 1. */
export function creditOf({ keys }: Clue, passage: Passage): number {
  let credit = 0;
  for (const key of keys) {
    if (passage.keys.has(key)) credit += 1;
    else if (passage.nearKeys.has(key)) credit += NEAR_CREDIT;
  }
  return credit / keys.length;
}

/** Table of which passages have which clues of a statement. Looks up every pair once. */
export class ClueTable {
  /** Credits by clue and passage, row by row: a clue is a row, a passage is a column. */
  readonly #credits: Float32Array;
  /** Share of the passages that have a clue, by clue. */
  readonly #shares: readonly number[];

  constructor(
    readonly clues: readonly Clue[],
    readonly passages: readonly Passage[],
  ) {
    this.#credits = new Float32Array(clues.length * passages.length);
    this.#shares = clues.map((clue, row) => {
      let count = 0;
      passages.forEach((passage, column) => {
        const credit = creditOf(clue, passage);
        if (credit > 0) count++;
        this.#credits[row * passages.length + column] = credit;
      });
      return count / passages.length;
    });
  }

  /**
   * Returns for each passage, from 0 to 1, how much of the statement's text around one token it has. Clues
   * near the token count most.
   * @param at index of the token, which does not count itself.
   */
  nearness(at: number): Map<Passage, number> {
    const scores = new Float64Array(this.passages.length);
    let all = 0;
    this.clues.forEach((clue, row) => {
      if (clue.at === at) return;
      const weight = clue.weight / (1 + Math.abs(clue.at - at) / 4);
      all += weight;
      // A word that every passage has does not distinguish passages.
      const telling = weight * (1 - (this.#shares[row] ?? 0));
      for (let column = 0; column < scores.length; column++) {
        const credit = this.#credits[row * scores.length + column] ?? 0;
        scores[column] = (scores[column] ?? 0) + telling * credit;
      }
    });
    return new Map(
      this.passages.map((passage, column) => [passage, (scores[column] ?? 0) / (all || 1)]),
    );
  }
}
