import type { DocsIndex, SectionHit } from './docsIndex';
import type { Query } from './query';
import { isWeakTerm, termsOf } from './terms';

/** A word of a question's topic. */
interface AskedWord {
  readonly term: string;
  /** Specificity of the word in these docs, from 0 to 1. A word that the docs do not have has 1. */
  readonly rarity: number;
  readonly isKnown: boolean;
  /** Whether the word is written like a name: `Kafka`, `gRPC`, `PM2`, `pgVector`. */
  readonly isName: boolean;
  /** The words of an identifier (`NestJS`: `nest`, `js`). */
  readonly parts: readonly string[];
}

/** Returns the words of a question's topic. An identifier counts as one word. */
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
    // The name of a programming language is no topic: the docs can answer without an example in it.
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

/** Factor for the credit of a word that only another section of the same page has. */
const ON_PAGE = 0.5;
/** Credit from which a word counts as found. */
const FOUND = 0.5;

/** Number of words above which a section can have the question's words by chance. */
const LONG_SECTION = 300;

/**
 * Rounded weights of the evidence for and against an answer. They come from a logistic regression over the
 * questions of four sets of docs, and the same questions asked of the other sets. A section answers if the
 * sum is at least 0. At this threshold, 2 % of the answerable questions are refused.
 */
const weights = {
  base: -2.45,
  /** Share of the question's words that the section has, by their rarity. */
  share: 3.3,
  /** The same share, if the section is long. */
  shareOfLong: -1.2,
  /** Rarity of the words that are close together in the section, up to 2. A word adds at most 1. */
  passage: 1.8,
  /** Rarity of the words that the section's headings have, up to 1. */
  heading: 1,
  /** Rarity of the words that the docs have but not this section, up to 2. */
  missed: -0.4,
  /** Number of names that the docs do not have, up to 2. */
  names: -2.7,
  /** Number of other unknown words, up to 2. They weigh less, because people use other words than docs. */
  foreign: -0.8,
};

type Evidence = Record<Exclude<keyof typeof weights, 'base'>, number>;

/** Returns the evidence for and against the section answering the question. */
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
 * Returns whether any of the sections answers the question, or undefined if the question has no words of
 * a topic.
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
