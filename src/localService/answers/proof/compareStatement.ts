import type { Proof } from '../../../shared/proof';
import { type Contradiction, contradiction } from './contrast';
import { claimedDefault } from './defaults';
import { type Evidence, hasQuantity, type Passage } from './evidence';
import { type Quantity, unitOf } from './numbers';
import type { Statement } from './statements';
import {
  beginningOf,
  nameKey,
  quantityOfWord,
  termWeight,
  type Token,
  tokensOf,
  unitsIn,
} from './tokens';

/** A reason why a statement isn't proven, and what the cited sections don't have. */
export type Problem = Pick<Proof['unproven'][number], 'reason' | 'missing'>;

/** Share of a statement's words that the cited sections must have, and one passage of them. */
const MIN_IN_SECTIONS = 0.45;
const MIN_IN_PASSAGE = 0.35;
/** Share of words in the sections from which no passage needs to have them together. */
const NEARLY_ALL = 0.85;

/** Returns why the cited sections don't support a statement, or undefined. */
export function compareStatement(
  statement: Statement,
  evidence: readonly Evidence[],
): Problem | undefined {
  const tokens = tokensOf(statement.text, statement.code);
  const passages = evidence.flatMap((one) => one.passages);
  const has = (key: string): boolean => evidence.some(({ keys }) => keys.has(key));
  const clues = cluesOf(tokens);
  const amounts = amountsOf(tokens, passages);
  return (
    missingFacts(statement, tokens, amounts, evidence) ??
    misplacedNumbers(clues, amounts, passages, unitsIn(tokens)) ??
    wrongDefault(tokens, passages) ??
    misplacedName(statement, clues, passages) ??
    missingWords(clues, amounts.length, passages, has) ??
    oppositeClaim(tokens, clues, passages)
  );
}

/** A number of a statement, and where among its tokens it stands. */
interface Amount {
  readonly quantity: Quantity;
  readonly at: number;
}

function amountsOf(tokens: readonly Token[], passages: readonly Passage[]): Amount[] {
  return tokens.flatMap((token, at): Amount[] => {
    if (token.kind === 'number') {
      // "Step 2" counts the steps of the reply.
      const isCount = /^(?:step|schritt|option|part|teil|example|beispiel|figure|point|punkt)$/i;
      return isCount.test(tokens[at - 1]?.written ?? '') ? [] : [{ quantity: token.quantity, at }];
    }
    const word = token.kind === 'word' ? quantityOfWord(token.written) : undefined;
    if (!word) return [];
    const next = tokens[at + 1];
    const unit = next?.kind === 'word' ? unitOf(next.written) : undefined;
    if (unit) return [{ quantity: { ...word, unit }, at }];
    // "Two" can count what the reply lists, but "twelve times" differs from "7 times".
    const counted = tokens.slice(at + 1, at + 3).flatMap((near) => termsOf(near));
    return passages.some(({ tokens: own }) => isCounted(own, counted))
      ? [{ quantity: { ...word, isCount: true }, at }]
      : [];
  });
}

function termsOf(token: Token): readonly string[] {
  return token.kind === 'word' ? token.terms : [];
}

function isCounted(tokens: readonly Token[], counted: readonly string[]): boolean {
  return tokens.some(
    (token, at) =>
      token.kind === 'number' &&
      termsOf(tokens[at + 1] ?? token).some((term) => counted.includes(term)),
  );
}

function missingFacts(
  { text, code }: Statement,
  tokens: readonly Token[],
  amounts: readonly Amount[],
  evidence: readonly Evidence[],
): Problem | undefined {
  const units = unitsIn(tokens);
  const passages = evidence.flatMap((one) => one.passages);
  const numbers = amounts
    .map(({ quantity }) => quantity)
    .filter((quantity) => !passages.some((passage) => hasQuantity(passage, quantity, units)))
    .map(({ written }) => written);
  const has = (key: string): boolean => evidence.some(({ keys }) => keys.has(key));
  const names = tokens
    .filter((token) => token.kind === 'name' && !hasName(token, has))
    .map(({ written }) => written);
  // `keys:rotate` is one name, although both of its words occur.
  const joined = code
    .map(({ start, end }) => text.slice(start, end))
    .filter((span) => /^[\w*-]+(?::[\w*-]+)+$/.test(span))
    .filter((span) => !evidence.some((one) => one.text.includes(span.toLowerCase())));
  if (numbers.length + names.length + joined.length === 0) return undefined;
  const missing = [...new Set([...numbers, ...names, ...joined])];
  return { reason: numbers.length > 0 ? 'number' : 'name', missing };
}

function hasName(token: Token, has: (key: string) => boolean): boolean {
  const { written } = token;
  if (written.startsWith('-')) return has(`=${written.toLowerCase()}`);
  if (has(`=${nameKey(written)}`)) return true;
  // "HMAC-SHA256" can be "HMAC with SHA256".
  const parts = written.split('-');
  return (
    parts.length > 1 &&
    parts.some((part) => /\p{N}/u.test(part)) &&
    parts.every((part) => has(`=${nameKey(part)}`))
  );
}

/** A word or name of a statement that the docs can have too. */
interface Clue {
  readonly keys: readonly string[];
  readonly weight: number;
  readonly at: number;
  readonly written: string;
  readonly isName: boolean;
}

const NAME_WEIGHT = 2;

function cluesOf(tokens: readonly Token[]): Clue[] {
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

/** Returns whether a word is a number, or the unit after one, which are compared as numbers. */
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

/** Credit for a word that stands beside a passage and not in it. */
const NEAR_CREDIT = 0.6;

function creditOf({ keys }: Clue, passage: Passage): number {
  const credit = keys.reduce((sum, key) => {
    if (passage.keys.has(key)) return sum + 1;
    return passage.nearKeys.has(key) ? sum + NEAR_CREDIT : sum;
  }, 0);
  return credit / keys.length;
}

/** Returns how much each passage says of what the statement says near one of its tokens. */
function nearness(
  clues: readonly Clue[],
  at: number,
  passages: readonly Passage[],
): Map<Passage, number> {
  const weighted = clues.map((clue) => {
    const weight = clue.weight / (1 + Math.abs(clue.at - at) / 4);
    // A word that every passage has tells none from another.
    const share =
      passages.filter((passage) => creditOf(clue, passage) > 0).length / passages.length;
    return { clue, weight, telling: weight * (1 - share) };
  });
  const all = weighted.reduce((sum, { weight }) => sum + weight, 0) || 1;
  return new Map(
    passages.map((passage) => {
      const score = weighted.reduce(
        (sum, { clue, telling }) => sum + telling * creditOf(clue, passage),
        0,
      );
      return [passage, score / all];
    }),
  );
}

/**
 * Share of the best passage's nearness that a passage with the number must have. More if the best one
 * has another number of the same kind.
 */
const MIN_BESIDE = 0.5;
const MIN_BESIDE_RIVAL = 0.75;
/** Difference in nearness below which two passages say the same. */
const SAME_NEARNESS = 0.12;

function misplacedNumbers(
  clues: readonly Clue[],
  amounts: readonly Amount[],
  passages: readonly Passage[],
  units: ReturnType<typeof unitsIn>,
): Problem | undefined {
  const misplaced = amounts.filter(({ quantity, at }) => {
    const scores = nearness(clues, at, passages);
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
  if (misplaced.length === 0) return undefined;
  return { reason: 'number', missing: misplaced.map(({ quantity }) => quantity.written) };
}

/** Share of the best passage's nearness from which a passage is about the same. */
const SAME_PLACE = 0.85;

function wrongDefault(tokens: readonly Token[], passages: readonly Passage[]): Problem | undefined {
  const claim = claimedDefault(tokens);
  if (!claim) return undefined;
  const clues = cluesOf(tokens).filter(({ at }) => at !== claim.at);
  const scores = nearness(clues, claim.at, passages);
  const best = Math.max(...scores.values());
  const near = passages.filter((passage) => (scores.get(passage) ?? 0) >= best * SAME_PLACE);
  const isWrong = near.some((passage) => claim.isContradictedBy(passage));
  if (!isWrong || near.some((passage) => claim.isConfirmedBy(passage))) return undefined;
  const { kind, written } = claim.value;
  return { reason: kind === 'number' ? 'number' : 'name', missing: [written] };
}

/** Difference in nearness from which a row is about another name than the statement. */
const OTHER_ROW = 0.2;

/** Returns a problem if the statement says of one row's name what stands in another row. */
function misplacedName(
  { code }: Statement,
  clues: readonly Clue[],
  passages: readonly Passage[],
): Problem | undefined {
  const names = clues.filter(({ isName }) => isName);
  const [name] = names;
  if (!name || code.length === 0) return undefined;
  const isSubject = (passage: Passage): boolean =>
    passage.cells[0]?.tokens.some((token) => name.keys.includes(`=${nameKey(token.written)}`)) ===
    true;
  const rows = passages.filter(({ cells }) => cells.length > 1);
  const own = rows.filter(isSubject);
  if (own.length === 0 || own.length === rows.length) return undefined;
  const others = clues.filter((clue) => clue !== name);
  if (
    others.some(
      ({ isName, keys }) =>
        isName &&
        rows.some(
          (row) =>
            !isSubject(row) &&
            row.cells[0]?.tokens.some((token) => keys.includes(`=${nameKey(token.written)}`)),
        ),
    )
  )
    return undefined;
  const scores = nearness(others, name.at, rows);
  const best = Math.max(...scores.values());
  const mine = Math.max(...own.map((row) => scores.get(row) ?? 0));
  return best - mine > OTHER_ROW ? { reason: 'name', missing: [name.written] } : undefined;
}

function coverage(clues: readonly Clue[], creditFor: (clue: Clue) => number): number {
  let all = 0;
  let found = 0;
  for (const clue of clues) {
    all += clue.weight;
    found += clue.weight * creditFor(clue);
  }
  return all === 0 ? 1 : found / all;
}

/** Credit for a word of which the docs have only another of the same beginning. */
const BEGINNING_CREDIT = 0.7;

function missingWords(
  clues: readonly Clue[],
  amountCount: number,
  passages: readonly Passage[],
  has: (key: string) => boolean,
): Problem | undefined {
  const weight = clues.reduce((sum, clue) => sum + clue.weight, 0);
  // The numbers have been found, and speak for the rest.
  const known = amountCount * NAME_WEIGHT;
  const withNumbers = (share: number): number =>
    weight + known === 0 ? 1 : (share * weight + known) / (weight + known);
  const isIn = (clue: Clue, hasKey: (key: string) => boolean): number => {
    const share = clue.keys.filter(hasKey).length / clue.keys.length;
    const beginning = share < 1 && !clue.isName ? beginningOf(clue.written) : undefined;
    return beginning !== undefined && hasKey(beginning) ? Math.max(share, BEGINNING_CREDIT) : share;
  };
  const inPassage = Math.max(
    0,
    ...passages.map(({ keys, nearKeys }) =>
      coverage(clues, (clue) => isIn(clue, (key) => keys.has(key) || nearKeys.has(key))),
    ),
  );
  const inSections = coverage(clues, (clue) => isIn(clue, has));
  const isTogether = withNumbers(inPassage) >= MIN_IN_PASSAGE || inSections >= NEARLY_ALL;
  if (withNumbers(inSections) >= MIN_IN_SECTIONS && isTogether) return undefined;
  const missing = clues.filter(({ keys }) => !keys.some(has)).map(({ written }) => written);
  return { reason: 'words', missing: [...new Set(missing)] };
}

/** Share of the words around a word that a passage must have to say the opposite of it. */
const NEARLY_SAME = 0.5;
/** Share of a statement's words that a passage must have to be compared with it word by word. */
const MIN_SHARED = 0.25;
/** Words before and after that are compared. */
const AROUND = 5;

function oppositeClaim(
  tokens: readonly Token[],
  clues: readonly Clue[],
  passages: readonly Passage[],
): Problem | undefined {
  const isOfSame = (passage: Passage): boolean =>
    coverage(clues, ({ keys }) => (keys.some((key) => passage.keys.has(key)) ? 1 : 0)) >=
    MIN_SHARED;
  const opposed = new Map<Passage, Contradiction>();
  for (const passage of passages) {
    const found = isOfSame(passage) ? contradiction(tokens, passage.tokens) : undefined;
    if (found) opposed.set(passage, found);
  }
  for (const { at, written } of opposed.values()) {
    const around = clues
      .filter((clue) => clue.at !== at && Math.abs(clue.at - at) <= AROUND)
      .map((clue) => ({ ...clue, weight: clue.weight / (1 + Math.abs(clue.at - at) / 4) }));
    let opposing = 0;
    let supporting = 0;
    for (const passage of passages) {
      const share = coverage(
        around,
        ({ keys }) => keys.filter((key) => passage.keys.has(key)).length / keys.length,
      );
      if (opposed.get(passage)?.at === at) opposing = Math.max(opposing, share);
      else supporting = Math.max(supporting, share);
    }
    if (opposing >= NEARLY_SAME && opposing > supporting)
      return { reason: 'words', missing: [written] };
  }
  return undefined;
}
