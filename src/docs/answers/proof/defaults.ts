import type { Passage } from './evidence';
import { isSameQuantity } from './numbers';
import { nameKey, type Token } from './tokens';

const defaultWord =
  /^(?:defaults?|defaulted|standardmäßig|standard|standardwert|vorgabe|voreinstellung|voreingestellt)$/i;

/** A value that a statement calls the default. */
interface ClaimedDefault {
  readonly value: Token;
  readonly at: number;
  /** Returns whether a passage states another default, and not this one. */
  isContradictedBy(passage: Passage): boolean;
  /** Returns whether a passage names this default. */
  isConfirmedBy(passage: Passage): boolean;
}

/** Returns the value that a statement calls the default, or undefined. */
export function claimedDefault(tokens: readonly Token[]): ClaimedDefault | undefined {
  const place = tokens.findIndex((token) => defaultWord.test(token.written));
  const at = place < 0 ? -1 : statedAt(tokens, place);
  const value = tokens[at];
  if (!value) return undefined;
  const isNamedIn = (known: readonly Token[]): boolean =>
    known.some((token) => isSameValue(token, value));
  return {
    value,
    at,
    isContradictedBy: (passage) => {
      const known = defaultsIn(passage);
      return known.length > 0 && !isNamedIn(known);
    },
    isConfirmedBy: (passage) => isNamedIn(defaultsIn(passage)),
  };
}

/** Maximum number of tokens from the word "default" to its value. */
const MAX_DISTANCE = 6;
/** Matches words that link a setting with its value. */
const links = /^(?:is|are|was|be|to|at|as|of|ist|sind|auf|bei|von)$/i;

/**
 * Returns the index of the value that the word "default" at a place states, or -1. Only the grammar tells a value
 * from the name of a setting: "`x` is `false` by default", "By default, `x` is `false`", "`x` defaults to
 * `false`", "the default is `false`" and "`false` is the default", but not "By default, the `x` file is read".
 */
function statedAt(tokens: readonly Token[], place: number): number {
  const isLinked = (at: number): boolean =>
    isValue(tokens[at]) && links.test(tokens[at - 1]?.written ?? '');
  const written = (at: number): string => tokens[at]?.written ?? '';
  const hasArticle = /^(?:the|der|die|das)$/i.test(written(place - 1));
  if (hasArticle && /^(?:is|are|as|ist|sind|als)$/i.test(written(place - 2))) {
    // "`all` is the default for `one`" names no value.
    const isOfSetting = /^(?:for|für)$/i.test(written(place + 1));
    return isValue(tokens[place - 3]) && !isOfSetting ? place - 3 : -1;
  }
  // The noun of a number can stand between: "100 characters by default".
  const before = [place - 2, place - 3].find((at) => isLinked(at) || tokens[at]?.kind === 'number');
  if (/^by$/i.test(written(place - 1))) {
    // A name directly before is a value too: "the size A4 by default".
    if (isValue(tokens[place - 2])) return place - 2;
    if (before !== undefined) return before;
  }
  const after = tokens.findIndex(
    (_, at) => at > place && at <= place + MAX_DISTANCE && isLinked(at),
  );
  if (after >= 0) return after;
  if (hasArticle && isValue(tokens[place - 2])) return place - 2;
  if (isLinked(place - 2)) return place - 2;
  return tokens[place + 1]?.kind === 'number' ? place + 1 : -1;
}

/** Returns the value of a passage such as "Default: **isolated**", which can be any word. */
function wordOfDefault({ tokens, text }: Passage): Token | undefined {
  const [name, value, ...more] = tokens;
  const isSetting = name && defaultWord.test(name.written) && /^\P{L}*\p{L}+\s*:/u.test(text);
  return isSetting && value?.kind === 'word' && more.length === 0 ? value : undefined;
}

function isValue(token: Token | undefined): boolean {
  return token !== undefined && token.kind !== 'word';
}

/** Returns the defaults that a passage names: in a table's column of defaults, or near the word "default". */
function defaultsIn(passage: Passage): Token[] {
  const word = wordOfDefault(passage);
  if (word) return [word];
  const { cells, tokens, text } = passage;
  const column = cells.find(({ head }) => head.some(({ written }) => defaultWord.test(written)));
  if (column) return [...column.tokens];
  // In "`a6` (default), `a4`", only the value before the word is the default.
  const isMark = /\((?:default|standard)\)/i.test(text);
  return tokens.flatMap((token, at) => {
    if (!defaultWord.test(token.written)) return [];
    const before = tokens.findLastIndex((other, place) => place < at && isValue(other));
    const near = at - before <= MAX_NEAR ? tokens.slice(Math.max(0, before), before + 1) : [];
    // Code such as `--depth=0` has its value behind a name.
    return isMark ? near : [...near, ...tokens.slice(at + 1, at + 1 + MAX_NEAR).filter(isValue)];
  });
}

/** Maximum number of tokens between the word "default" in the docs and a value that it can be about. */
const MAX_NEAR = 4;

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
