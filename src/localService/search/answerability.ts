import type { DocsIndex, SectionHit } from './docsIndex';
import type { Query } from './query';
import { isWeakTerm, termsOf } from './terms';

/** A word that says what a question is about. */
interface AskedWord {
  readonly term: string;
  /** Specificity of the word in these docs, from 0 to 1, which is a word that they do not have. */
  readonly rarity: number;
  readonly isKnown: boolean;
  /** Whether it is written as a name: `Kafka`, `gRPC`, `PM2`, `pgVector`. */
  readonly isName: boolean;
  /** The words of an identifier (`NestJS`: `nest`, `js`). */
  readonly parts: readonly string[];
}

/** Returns the words of a question that say what it is about. An identifier counts as one word. */
function askedWords(question: string, query: Query, index: DocsIndex): AskedWord[] {
  const words = new Map<string, AskedWord & { parts: string[] }>();
  const greatest = index.greatestRarity;
  const firstWord = /[\p{L}\p{N}_$]+/u.exec(question)?.[0];
  // German writes every noun with a capital letter.
  const hasNames = query.readerLanguage === undefined || query.readerLanguage === 'en';
  const add = (term: string, isName: boolean, isCompound: boolean): void => {
    if (isWeakTerm(term) || words.has(term)) return;
    const isKnown = index.has(term) || (isCompound && index.wordsContaining(term).length > 0);
    const rarity = index.rarity(term) / greatest;
    // The docs may explain what they have no example of in that language.
    const isTopic = isName && !query.languageTerms.has(term);
    words.set(term, { term, rarity, isKnown, isName: isTopic, parts: [] });
  };
  for (const { text: term, compound, isCompound, word, unhyphenated } of termsOf(question)) {
    const isWhole = isCompound && unhyphenated === term;
    const name = compound ?? unhyphenated;
    if (isWhole) {
      // `X-Powered-By` is a name, `built-in` is two words.
      if (/^\p{Lu}[^-]*-\p{Lu}/u.test(word)) add(term, true, true);
    } else if (!isCompound && name !== undefined && words.has(name)) {
      words.get(name)?.parts.push(term);
    } else if (query.terms.has(term)) {
      const isCapital = hasNames && /^\p{Lu}/u.test(word) && word !== firstWord;
      const isName =
        isCapital || isCompound || /\p{L}\d|\d\p{L}|\p{Ll}\p{Lu}|^\p{Lu}{2}/u.test(word);
      add(term, isName, isCompound);
    }
  }
  for (const part of query.splitParts) add(part, false, false);
  return [...words.values()];
}

/** Credit of a word that only another section of the same page has. */
const ON_PAGE = 0.5;
/** Credit from which a word counts as found. */
const FOUND = 0.5;

/** Words of a section above which it has any word by chance. */
const LONG_SECTION = 300;

/**
 * Weights of what speaks for an answer, and against it, by logistic regression over the questions
 * of four sets of docs and the same questions asked of the other docs, rounded. 0 is the point
 * where 2 % of the answerable questions would be refused.
 */
const weights = {
  base: -2.45,
  /** Share of the question's words that the section has, by their rarity. */
  share: 3.3,
  /** The same share of a long section. */
  shareOfLong: -1.2,
  /** Words of the greatest rarity that stand together in the section, up to two. */
  passage: 1.8,
  /** Words of the greatest rarity that its headings have, up to one. */
  heading: 1,
  /** The same of the words that the docs have, but not here, up to two. */
  missed: -0.4,
  /** Names that the docs do not know, up to two. */
  names: -2.7,
  /** Other unknown words, up to two. They say less, because people have words of their own. */
  foreign: -0.8,
};

type Evidence = Record<Exclude<keyof typeof weights, 'base'>, number>;

/** Returns what speaks for and against the section answering the question. */
function evidenceOf(words: readonly AskedWord[], hit: SectionHit, query: Query): Evidence {
  let all = 0;
  let found = 0;
  let heading = 0;
  let missed = 0;
  let names = 0;
  let foreign = 0;
  for (const { term, rarity, isKnown, isName, parts } of words) {
    const onPage = ON_PAGE * (hit.onPage.get(term) ?? 0);
    const matched = hit.matched.get(term) ?? 0;
    const credit = query.beginnings.has(term) && matched > 0 ? 1 : Math.max(matched, onPage);
    all += rarity;
    found += rarity * credit;
    heading += rarity * (hit.inHead.get(term) ?? 0);
    if (credit >= FOUND) continue;
    const hasParts = parts.length > 0 && parts.every((part) => hit.matched.has(part));
    if (isKnown) missed += rarity;
    else if (isName && !hasParts) names++;
    else foreign++;
  }
  return {
    share: found / all,
    shareOfLong: hit.words.length > LONG_SECTION ? found / all : 0,
    passage: Math.min(hit.passage * all, 2),
    heading: Math.min(heading, 1),
    missed: Math.min(missed, 2),
    names: Math.min(names, 2),
    foreign: Math.min(foreign, 2),
  };
}

function isEnough(evidence: Evidence): boolean {
  let sum = weights.base;
  for (const [name, value] of Object.entries(evidence))
    sum += weights[name as keyof Evidence] * value;
  return sum >= 0;
}

/**
 * Returns whether any of the sections answers the question, or undefined if the question has no
 * word that tells.
 */
export function isAnswered(
  question: string,
  query: Query,
  hits: readonly SectionHit[],
  index: DocsIndex,
): boolean | undefined {
  const words = askedWords(question, query, index);
  if (words.length === 0) return undefined;
  return hits.some((hit) => isEnough(evidenceOf(words, hit, query)));
}
