import type { Passage } from './evidence';
import { isSameQuantity } from './numbers';
import { nameKey, type Token } from './tokens';

const defaultWord =
  /^(?:defaults?|defaulted|standardmäßig|standard|standardwert|vorgabe|voreinstellung|voreingestellt)$/i;

/** A value that a statement calls the default. */
export interface ClaimedDefault {
  readonly value: Token;
  readonly at: number;
  /** Returns whether a passage names another default, and not this one. */
  isContradictedBy(passage: Passage): boolean;
  /** Returns whether a passage names this default. */
  isConfirmedBy(passage: Passage): boolean;
}

/** Returns the value that a statement calls the default, or undefined. */
export function claimedDefault(tokens: readonly Token[]): ClaimedDefault | undefined {
  const place = tokens.findIndex((token) => defaultWord.test(token.written));
  if (place < 0) return undefined;
  const after = tokens.findIndex((token, at) => at > place && isValue(token));
  const before = tokens.findLastIndex((token, at) => at < place && isValue(token));
  if (after < 0 && before < 0) return undefined;
  // "`retries` defaults to 3" has the value after the word, "3 by default" has it before.
  const isBefore = before >= 0 && /^by$/i.test(tokens[place - 1]?.written ?? '');
  const isAfter = !isBefore && after >= 0 && after - place <= MAX_DISTANCE;
  const at = isAfter ? lastOfSubject(tokens, place, after) : before;
  const value = tokens[at];
  if (!value) return undefined;
  return {
    value,
    at,
    isContradictedBy: (passage) => {
      const known = defaultsIn(passage);
      return known.length > 0 && !known.some((token) => isSameValue(token, value));
    },
    isConfirmedBy: (passage) => defaultsIn(passage).some((token) => isSameValue(token, value)),
  };
}

const MAX_DISTANCE = 6;

/** Returns the index of the default's value. Skips the setting in "the default for `log_level` is `warn`". */
function lastOfSubject(tokens: readonly Token[], place: number, first: number): number {
  const isSubject = /^(?:for|of|value|für|von|format|size)$/i.test(
    tokens[place + 1]?.written ?? '',
  );
  const next = tokens.findIndex((token, at) => at > first && isValue(token));
  return isSubject && next > 0 && next - first <= MAX_DISTANCE ? next : first;
}

function isValue(token: Token): boolean {
  return token.kind !== 'word';
}

/** Returns the defaults that a passage names: in a table's column of defaults, or near the word "default". */
function defaultsIn({ cells, tokens, text }: Passage): Token[] {
  const column = cells.find(({ head }) => head.some(({ written }) => defaultWord.test(written)));
  if (column) return [...column.tokens];
  const marked = tokens.flatMap((token, at) => (defaultWord.test(token.written) ? [at] : []));
  return marked.flatMap((at) => {
    const before = tokens.findLastIndex((token, place) => place < at && isValue(token));
    const after = tokens.findIndex((token, place) => place > at && isValue(token));
    // In "`a6` (default), `a4`", only the value before the word is the default.
    const isMark = /\((?:default|standard)/i.test(text);
    const near = (isMark ? [before] : [before, after]).filter(
      (place) => place >= 0 && Math.abs(place - at) <= 4,
    );
    return near.flatMap((place) => tokens[place] ?? []);
  });
}

function isSameValue(one: Token, other: Token): boolean {
  if (one.kind === 'number' && other.kind === 'number') {
    return (
      isSameQuantity(one.quantity, other.quantity, [], []) ||
      one.quantity.values.some((value) => other.quantity.values.includes(value)) ||
      Boolean(one.quantity.unit) !== Boolean(other.quantity.unit)
    );
  }
  return nameKey(one.written) === nameKey(other.written);
}
