import { codeLanguageOf } from '../../pages/codeLanguages';
import { foldWord, isWeakTerm, termsOf } from '../../search/terms';
import { numberWord, type Quantity, type Unit, unitOf, unitPattern, valuesOf } from './numbers';
import type { TextSpan } from './statements';

/** A word, a name or a number in a statement or in the docs. */
export type Token =
  | { readonly kind: 'word'; readonly written: string; readonly terms: readonly string[] }
  | { readonly kind: 'name'; readonly written: string; readonly key: string }
  | { readonly kind: 'number'; readonly written: string; readonly quantity: Quantity };

/** Words that can be between a number and its unit. */
const unitAdjectives =
  'calendar|business|working|full|whole|more|further|additional|consecutive|volle|vollen|ganze|weitere|weiteren';

/**
 * Matches flags, versions, numbers with or without a unit, and words. Digits before letters that are no
 * unit are part of a word, as in `2xx` and `4x6`.
 */
const pattern = new RegExp(
  [
    String.raw`(?<flag>(?<![\p{L}\p{N}_-])--?[A-Za-z][\w-]*)`,
    String.raw`(?<version>(?<![\p{L}\p{N}_.])\d{4}-\d\d-\d\d(?![\p{L}\p{N}_])|(?<![\p{L}\p{N}_.])v?\d+(?:\.\d+){2,}(?![\p{L}\p{N}_]))`,
    String.raw`(?<number>(?<![\p{L}\p{N}_.])(?:\d{1,3}(?:[.,_'\u00a0\u202f ]\d{3}(?!\d))+|\d+)(?:[.,]\d+)*)(?:[\s\u00a0\u202f-]?(?:(?:${unitAdjectives})\s)?(?<unit>${unitPattern})(?![\p{L}\p{N}_])|(?![\p{L}\p{N}_]))(?:(?<noun>(?=\s\p{L}{3}))|)`,
    String.raw`(?<word>[\p{L}\p{N}_$]+(?:[-'’][\p{L}\p{N}_$]+)*)(?<call>\(\))?`,
  ].join('|'),
  'giu',
);

/** Splits a text into tokens. Words in code are names. */
export function tokensOf(text: string, code: readonly TextSpan[] = []): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(pattern)) {
    const { flag, version, number, unit, noun, word, call } = match.groups ?? {};
    const isCode = code.some(({ start, end }) => match.index >= start && match.index < end);
    if (number !== undefined) {
      const known = unit === undefined ? undefined : unitOf(unit);
      const quantity: Quantity = {
        values: valuesOf(number),
        written: match[0],
        unit: known,
        isCount: known === undefined && noun !== undefined && !isCode ? true : undefined,
      };
      tokens.push({ kind: 'number', written: match[0], quantity });
    } else if (flag !== undefined) {
      tokens.push({ kind: 'name', written: flag, key: flag.toLowerCase() });
    } else if (version !== undefined) {
      tokens.push({ kind: 'name', written: version, key: nameKey(version.replace(/^v/i, '')) });
    } else if (word !== undefined) {
      if (isCode || call !== undefined || isName(word, match.index === 0)) {
        tokens.push({ kind: 'name', written: word, key: nameKey(word) });
      } else {
        tokens.push({ kind: 'word', written: word, terms: wordTerms(word) });
      }
    }
  }
  return tokens;
}

function wordTerms(word: string): string[] {
  return termsOf(word)
    .filter(({ isCompound }) => !isCompound)
    .map(({ text }) => text);
}

/**
 * Returns the form in which names are compared: `max_retries`, `maxRetries` and `max-retries` are the
 * same setting in three languages.
 */
export function nameKey(name: string): string {
  return foldWord(name)
    .replace(/['’].*$/, '')
    .replace(/[-_$]/g, '');
}

const commonAcronyms = new Set(
  `AI API APIs AWS CD CI CLI CLIs CPU CSS DNS EU FAQ FYI GB GUI HTML HTTP HTTPS I ID IDE IDs IO IP IT JS KB LLM MB
  NB NOTE OK OS PC PR PS QA RAM REST RPC SDK SDKs SQL SSH SSL TCP TIP TLS TODO TS UI UK URI URIs URL URLs US USA
  UTC UUID UX VS WARNING AND BUT CAN DO IF IN IS MAY MUST NEVER NO NOT ONLY OR SHOULD THE ALL ANY ARE`.split(
    /\s+/,
  ),
);
/** Well-known names, which the docs need not have. */
const commonNames = new Set(
  'GitHub GitLab JavaScript TypeScript macOS iOS YouTube LinkedIn VSCode eMail iPhone'.split(' '),
);

/** Returns whether a word of prose looks like a name from code or the name of a product. */
function isName(word: string, isFirst: boolean): boolean {
  if (commonNames.has(word) || commonAcronyms.has(word)) return false;
  if (/^\p{N}+(?:st|nd|rd|th|x|er|ste|te)$/iu.test(word)) return false;
  if (/\p{L}-?\p{N}|\p{N}\p{L}|_/u.test(word)) return true;
  if (/\p{Ll}\p{Lu}/u.test(word)) return true;
  if (/^\p{Lu}{2,6}s?$/u.test(word)) return codeLanguageOf(word) === undefined;
  // A header such as `Retry-After`.
  return !isFirst && /^\p{Lu}\p{L}+(?:-\p{Lu}\p{L}*)+$/u.test(word);
}

/** Returns the units that names (`timeout_ms`) and phrases ("in seconds") give for numbers near them. */
export function unitsIn(tokens: readonly Token[]): Unit[] {
  const found = new Set<Unit>();
  tokens.forEach((token, position) => {
    if (token.kind === 'number') return;
    const last = /(?:[_-]|(?<=\p{Ll})(?=\p{Lu}))(\p{L}+)$/u.exec(token.written)?.[1];
    const isPhrase = tokens[position - 1]?.written.toLowerCase() === 'in';
    const unit = unitOf(last ?? (isPhrase ? token.written : ''));
    if (unit !== undefined) found.add(unit);
  });
  return [...found];
}

/** Returns the quantity that a word means, as in `twice`, or undefined. */
export function quantityOfWord(written: string): Quantity | undefined {
  const value = numberWord(written);
  return value === undefined ? undefined : { values: [value], written };
}

/** Words without a topic, which people replace when they say the same thing in other words. */
const generalWords = `
  able access accordingly achieve actual add additional additionally affect allow alternatively always amount
  another answer apply appropriate around available avoid become begin behave behavior below besides
  bigger build cannot cause certain change check choose come complete configure consider contain correct
  could count create define depend desired determine directly does done due easy either enable end ensure
  entire even every exactly exceed exist expect feature first follow following full further general given
  greater happen hence hold however identify immediately include indicate individual instead keep kind
  large larger last later leave less limit longer maintain make manner match maximum may meaning might
  minimum must name necessary need never new next number object occur offer onc one ones option optional
  original otherwise particular pass perform period permit place point possible prefer present prevent
  previous process provide purpose reach receive recommend refer regardless relate remain require respective
  result return second see separate serve set several shall short should similar simple since single size
  small smaller specific specify start state still stop store support take them therefore thing third
  though time total two type typically unless usual valid value various whenever whether whole within
  without would yet
  also anschließend automatisch beachten benötigen besonders bestimmte bieten bleiben dabei dadurch daher
  damit danach darf dürfen enthält entsprechend erfolgen erforderlich erhalten erlaubt ermöglicht erst etwa
  falls festlegen folgende gelten gesamt geschieht gilt größer gültig höchstens insgesamt innerhalb
  jeweils jeweilige kleiner können lassen länger lediglich liefern maximal mehrere mindestens möglich
  muss nachdem nötig nutzen obwohl sobald sofort sollten somit sonst sowie stattdessen stehen unterstützt
  verfügbar verschiedene verwenden vorher weiterhin wenn werden wert während zudem zunächst zusätzlich
`;
const generalTerms = new Set(termsOf(generalWords).map(({ text }) => text));
const GENERAL_WEIGHT = 0.25;

const BEGINNING = 5;

/**
 * Returns the key of the beginning of a word of six letters or more, or undefined for other words. Related
 * words share this key even if their stems differ (`dauern`, `dauert`).
 */
export function beginningOf(word: string): string | undefined {
  return /^\p{L}{6,}$/u.test(word) ? `~${foldWord(word).slice(0, BEGINNING)}` : undefined;
}

/** Returns the weight of a term in a comparison of words. */
export function termWeight(term: string): number {
  return isWeakTerm(term) || generalTerms.has(term) ? GENERAL_WEIGHT : 1;
}
