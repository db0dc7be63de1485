import {
  amountsOf,
  type Amount,
  type Clue,
  cluesOf,
  ClueTable,
  coverage,
  NAME_WEIGHT,
} from './clues';
import { type Evidence, hasQuantity } from './evidence';
import { oppositeClaim } from './oppositeClaim';
import { misplacedName, misplacedNumbers, wrongDefault } from './placement';
import type { Problem } from './problem';
import { withoutReadersNames } from './readersNames';
import type { Statement } from './statements';
import { beginningOf, nameKey, type Token, tokensOf, unitsIn } from './tokens';

/** Share of a statement's words that the cited sections must have, and that one passage must have. */
const MIN_IN_SECTIONS = 0.45;
const MIN_IN_PASSAGE = 0.35;
/** If the sections have this share of the words, no single passage needs to have them together. */
const NEARLY_ALL = 0.85;

/**
 * Returns why the cited sections don't support a statement, or undefined.
 * @param hasSameLanguage whether the sections are in the statement's language. If not, only numbers
 *   and names are compared.
 * @param readersNames keys of the names in the question, which the docs need not have.
 */
export function compareStatement(
  statement: Statement,
  evidence: readonly Evidence[],
  hasSameLanguage: boolean,
  readersNames: ReadonlySet<string>,
): Problem | undefined {
  const has = (key: string): boolean => evidence.some(({ keys }) => keys.has(key));
  const passages = evidence.flatMap((one) => one.passages);
  const all = tokensOf(withoutPlaceholders(statement), statement.code);
  const units = unitsIn(all);
  const tokens = withoutReadersNames(all, readersNames, (token) =>
    token.kind === 'number'
      ? passages.some((passage) => hasQuantity(passage, token.quantity, units))
      : hasName(token, has),
  );
  const amounts = amountsOf(tokens, passages);
  const missing = missingFacts(statement, tokens, amounts, evidence, readersNames);
  if (missing || !hasSameLanguage) return missing;
  const clues = cluesOf(tokens);
  const table = new ClueTable(clues, passages);
  return (
    misplacedNumbers(table, amounts, unitsIn(tokens)) ??
    wrongDefault(tokens, table) ??
    misplacedName(statement, table) ??
    missingWords(clues, amounts.length, evidence) ??
    oppositeClaim(tokens, table)
  );
}

/** Returns the text of a statement in which spaces replace placeholders in code, such as `{id}` and `<file>`. */
function withoutPlaceholders({ text, code }: Statement): string {
  let masked = text;
  for (const { start, end } of code) {
    const span = text.slice(start, end);
    const blank = span.replace(/\{[\w-]+\}|<[\w -]+>|(?<=\/):\w+/g, (name) =>
      ' '.repeat(name.length),
    );
    masked = masked.slice(0, start) + blank + masked.slice(end);
  }
  return masked;
}

/**
 * Matches names of several words that the docs must have as a whole: `keys:rotate`, a folder, and the name of a
 * file without the folder.
 */
const wholeName =
  /^([\w*-]+(?::[\w*-]+)+)$|^~(\/[\w./-]+)$|^(?:[\w@.-]*\/)*(\.[a-z][\w.-]*|[\w@-][\w@.-]*\.(?:[cm]?[jt]sx?|jsonc?|ya?ml|toml|mdx?|lock|db|config|conf|ini|sh|py|go|rs|html|css|txt|xml|rc|env|local|pem))$/;

function missingFacts(
  { text, code }: Statement,
  tokens: readonly Token[],
  amounts: readonly Amount[],
  evidence: readonly Evidence[],
  readersNames: ReadonlySet<string>,
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
  // Such a name can be missing although the docs have all of its words.
  const joined = code
    .map(({ start, end }) => text.slice(start, end))
    .flatMap((span) => wholeName.exec(span)?.slice(1).find(Boolean) ?? [])
    .filter(
      (span) =>
        !readersNames.has(nameKey(span)) &&
        !evidence.some((one) => one.text.includes(span.toLowerCase())),
    );
  const products = properNouns(tokens).filter(
    (noun) => !noun.some((token) => token.terms.some(has)),
  );
  const missing = [
    ...new Set([...numbers, ...names, ...joined]),
    ...products.map((noun) => noun.map(({ written }) => written).join(' ')),
  ];
  if (missing.length === 0) return undefined;
  return { reason: numbers.length > 0 ? 'number' : 'name', missing };
}

type Word = Extract<Token, { readonly kind: 'word' }>;

/** Returns the names of several capitalized words, such as "Oxcart Freight". */
function properNouns(tokens: readonly Token[]): Word[][] {
  const runs: Word[][] = [[]];
  for (const token of tokens) {
    const isCapitalized = token.kind === 'word' && /^\p{Lu}\p{Ll}/u.test(token.written);
    if (isCapitalized && token.terms.length > 0) runs.at(-1)?.push(token);
    else runs.push([]);
  }
  return runs.filter((run) => run.length > 1);
}

function hasName(token: Token, has: (key: string) => boolean): boolean {
  const { written } = token;
  if (written.startsWith('-')) return has(`=${written.toLowerCase()}`);
  const key = nameKey(written);
  if (has(`=${key}`) || (/[^s]s$/.test(key) && has(`=${key.slice(0, -1)}`))) return true;
  // A setting that can be one of them can be the other.
  if (/^(?:true|false)$/.test(key))
    return ['true', 'false', 'boolean'].some((one) => has(`=${one}`));
  // "HMAC-SHA256" can be "HMAC with SHA256", and `chrome111` can be "Chrome 111".
  const parts = written.split(/-|(?<=\p{L})(?=\p{N})/u);
  return (
    parts.length > 1 &&
    parts.some((part) => /\p{N}/u.test(part)) &&
    parts.every((part) => has(`=${nameKey(part)}`))
  );
}

/** Credit for a word if the docs only have another word with the same beginning. */
const BEGINNING_CREDIT = 0.7;

function missingWords(
  clues: readonly Clue[],
  amountCount: number,
  evidence: readonly Evidence[],
): Problem | undefined {
  const passages = evidence.flatMap((one) => one.passages);
  const has = (key: string): boolean => evidence.some(({ keys }) => keys.has(key));
  const weight = clues.reduce((sum, clue) => sum + clue.weight, 0);
  // The docs have all numbers of the statement, which makes it likely that they have the rest.
  const known = amountCount * NAME_WEIGHT;
  const withNumbers = (share: number): number =>
    weight + known === 0 ? 1 : (share * weight + known) / (weight + known);
  const isIn = (clue: Clue, hasKey: (key: string) => boolean): number => {
    const share = clue.keys.filter(hasKey).length / clue.keys.length;
    const beginning = share < 1 && !clue.isName ? beginningOf(clue.written) : undefined;
    return beginning !== undefined && hasKey(beginning) ? Math.max(share, BEGINNING_CREDIT) : share;
  };
  const inPassage = Math.max(
    ...passages.map(({ keys, nearKeys }) =>
      coverage(clues, (clue) => isIn(clue, (key) => keys.has(key) || nearKeys.has(key))),
    ),
  );
  const inSections = coverage(clues, (clue) => isIn(clue, has));
  const isTogether = withNumbers(inPassage) >= MIN_IN_PASSAGE || inSections >= NEARLY_ALL;
  if (withNumbers(inSections) >= MIN_IN_SECTIONS && isTogether) return undefined;
  return { reason: 'words', missing: [] };
}
