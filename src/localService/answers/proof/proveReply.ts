/**
 * Compares a written reply with the sections of the docs that it cites. The rules are plain code: a
 * number or a name that the cited sections don't have is certain, and so the words of a sentence are
 * compared only roughly, because people say the same in other words.
 */
import type { Proof } from '../../../shared/proof';
import type { FoundSection } from '../../pages/page';
import { unknownCodeNames } from './codeNames';
import { contradiction } from './contrast';
import type { DocsNames } from './docsNames';
import { type Evidence, evidenceOf, hasQuantity, type Passage } from './evidence';
import type { Quantity } from './numbers';
import { replyParts, type Statement } from './statements';
import { nameKey, quantityOfWord, termWeight, type Token, tokensOf, unitsIn } from './tokens';

export interface WrittenReply {
  /** Markdown of the reply. It cites section n as `[n]` or `[n](url)`, from 1. */
  readonly text: string;
  /** Sections that the reply was written from, in the order of their numbers. */
  readonly sections: readonly FoundSection[];
  readonly docsNames: DocsNames;
  /** The question and its attached code. Their names are the reader's own. */
  readonly readersTexts: readonly string[];
}

/** Characters of a reply that are compared. More than a reader reads, and done in 0.2 s. */
const MAX_LENGTH = 100_000;
const MAX_STATEMENTS = 600;
/** Statements and names that are reported. The view shows no more. */
const MAX_UNPROVEN = 100;

/** Share of a statement's words that the cited sections must have, and one passage of them. */
const MIN_IN_SECTIONS = 0.5;
const MIN_IN_PASSAGE = 0.4;
/**
 * Share of the words around a number that a passage with that number must have, compared with the
 * passage that has most of them.
 */
const MIN_BESIDE_FACT = 0.6;
/** Share of a statement's words from which a passage says nearly the same. */
const NEARLY_SAME = 0.6;

type Unproven = Proof['unproven'][number];

/**
 * Returns which statements of a written reply stand in the sections that they cite. A reply without
 * sections has nothing to compare, and no statements.
 */
export function proveReply({ text, sections, docsNames, readersTexts }: WrittenReply): Proof {
  if (sections.length === 0) return { statements: 0, found: 0, unproven: [] };
  const { statements, codeBlocks } = replyParts(text.slice(0, MAX_LENGTH));
  const compared = statements.slice(0, MAX_STATEMENTS);
  const unproven: Unproven[] = [];
  for (const statement of compared) {
    const problem = problemOf(statement, sections);
    if (problem) unproven.push({ quote: statement.text, ...problem });
  }
  const found = compared.length - unproven.length;
  for (const name of unknownCodeNames(codeBlocks, docsNames, readersTexts)) {
    unproven.push({ quote: name, reason: 'code-name', missing: [name] });
  }
  return { statements: compared.length, found, unproven: unproven.slice(0, MAX_UNPROVEN) };
}

type Problem = Pick<Unproven, 'reason' | 'missing'>;

function problemOf(statement: Statement, sections: readonly FoundSection[]): Problem | undefined {
  const cited = [...new Set(statement.cited)].flatMap((number) => sections[number - 1] ?? []);
  if (cited.length === 0) return { reason: 'uncited', missing: [] };
  return compare(statement, cited.map(evidenceOf));
}

/** A number of a statement, and where among its tokens it stands. */
interface Amount {
  readonly quantity: Quantity;
  readonly at: number;
}

function compare(statement: Statement, evidence: readonly Evidence[]): Problem | undefined {
  const tokens = tokensOf(statement.text, statement.code);
  const units = unitsIn(tokens);
  const passages = evidence.flatMap((one) => one.passages);
  const amounts = amountsOf(tokens);
  const has = (key: string): boolean => evidence.some(({ keys }) => keys.has(key));

  const missingNumbers = amounts.filter(
    ({ quantity }) => !passages.some((passage) => hasQuantity(passage, quantity, units)),
  );
  const missingNames = tokens.filter((token) => token.kind === 'name' && !hasName(token, has));
  if (missingNumbers.length > 0 || missingNames.length > 0) {
    const missing = [
      ...missingNumbers.map(({ quantity }) => quantity.written),
      ...missingNames.map(({ written }) => written),
    ];
    return {
      reason: missingNumbers.length > 0 ? 'number' : 'name',
      missing: [...new Set(missing)],
    };
  }

  const clues = cluesOf(tokens);
  const misplaced = amounts.filter(
    ({ quantity, at }) =>
      !isBeside(clues, at, passages, (passage) => hasQuantity(passage, quantity, units)),
  );
  if (misplaced.length > 0) {
    return { reason: 'number', missing: misplaced.map(({ quantity }) => quantity.written) };
  }
  return compareWords(statement, clues, amounts.length, passages, has);
}

function amountsOf(tokens: readonly Token[]): Amount[] {
  return tokens.flatMap((token, at): Amount[] => {
    if (token.kind === 'number') {
      const before = tokens[at - 1];
      // "Step 2" counts the steps of the reply.
      const isCount = /^(?:step|schritt|option|part|teil|example|beispiel|figure|point|punkt)$/i;
      if (before && isCount.test(before.written)) return [];
      return [{ quantity: token.quantity, at }];
    }
    const next = tokens[at + 1];
    const [unit] = next?.kind === 'word' ? unitsIn([next]) : [];
    const word = token.kind === 'word' ? quantityOfWord(token.written) : undefined;
    return word && unit ? [{ quantity: { ...word, unit }, at }] : [];
  });
}

function hasName(token: Token, has: (key: string) => boolean): boolean {
  if (token.written.startsWith('-')) return has(`=${token.written.toLowerCase()}`);
  if (has(`=${nameKey(token.written)}`)) return true;
  const parts = token.written.split('-');
  return parts.length > 1 && parts.every((part) => has(`=${nameKey(part)}`));
}

/** A word or name of a statement that the docs can have too. */
interface Clue {
  readonly keys: readonly string[];
  readonly weight: number;
  readonly at: number;
  readonly written: string;
}

const NAME_WEIGHT = 2;

function cluesOf(tokens: readonly Token[]): Clue[] {
  return tokens.flatMap((token, at): Clue[] => {
    if (token.kind === 'number') return [];
    const { written } = token;
    if (token.kind === 'name') {
      return [{ keys: [`=${nameKey(written)}`], weight: NAME_WEIGHT, at, written }];
    }
    if (token.terms.length === 0) return [];
    const weight = Math.max(...token.terms.map(termWeight));
    return [{ keys: token.terms, weight, at, written }];
  });
}

function coverage(
  clues: readonly Clue[],
  has: (key: string) => boolean,
  weightOf = ({ weight }: Clue): number => weight,
): number {
  let all = 0;
  let found = 0;
  for (const clue of clues) {
    const weight = weightOf(clue);
    all += weight;
    found += (weight * clue.keys.filter(has).length) / clue.keys.length;
  }
  return all === 0 ? 1 : found / all;
}

/**
 * Returns whether a passage that has a fact is also about what the statement says of it. Words near
 * the fact count most.
 */
function isBeside(
  clues: readonly Clue[],
  at: number,
  passages: readonly Passage[],
  hasFact: (passage: Passage) => boolean,
): boolean {
  const weightOf = (clue: Clue): number => clue.weight / (1 + Math.abs(clue.at - at) / 4);
  let best = 0;
  let beside = 0;
  for (const passage of passages) {
    const share = coverage(clues, (key) => passage.keys.has(key), weightOf);
    best = Math.max(best, share);
    if (share > beside && hasFact(passage)) beside = share;
  }
  return beside >= best * MIN_BESIDE_FACT;
}

function compareWords(
  { text }: Statement,
  clues: readonly Clue[],
  amountCount: number,
  passages: readonly Passage[],
  has: (key: string) => boolean,
): Problem | undefined {
  let best: Passage | undefined;
  let bestShare = 0;
  for (const passage of passages) {
    const share =
      coverage(clues, (key) => passage.keys.has(key)) +
      coverage(clues, (key) => passage.ownKeys.has(key));
    if (share > bestShare) {
      best = passage;
      bestShare = share;
    }
  }
  // The numbers have been found, and speak for the rest.
  const withAmounts = (share: number): number => {
    const weight = clues.reduce((sum, clue) => sum + clue.weight, 0);
    const known = amountCount * NAME_WEIGHT;
    return weight + known === 0 ? 1 : (share * weight + known) / (weight + known);
  };
  const inPassage = best ? withAmounts(coverage(clues, (key) => best.keys.has(key))) : 0;
  const inSections = withAmounts(coverage(clues, has));
  if (inSections < MIN_IN_SECTIONS || inPassage < MIN_IN_PASSAGE) {
    const missing = clues.filter(({ keys }) => !keys.some(has)).map(({ written }) => written);
    return { reason: 'words', missing };
  }
  if (best && coverage(clues, (key) => best.ownKeys.has(key)) >= NEARLY_SAME) {
    const opposite = contradiction(text, best.text, best.around);
    if (opposite !== undefined) return { reason: 'words', missing: [opposite] };
  }
  return undefined;
}
