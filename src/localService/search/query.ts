import { type ExampleLanguage, codeLanguageOf, codeLanguagesIn } from '../../pages/codeLanguages';
import type { Concept, DocsIndex } from './docsIndex';
import { conceptOf } from './expansion';
import { languageOfText } from './languages';
import { impliedTerms } from './synonyms';
import {
  detectLanguage,
  foldWord,
  isCodeStopTerm,
  isWeakTerm,
  type ReplyLanguage,
  stem,
  termsOf,
} from './terms';

/** An earlier question of a thread, with what the search for later questions needs. */
export interface ThreadTurn {
  readonly question: string;
  /** Routes of the pages that the reply cited. */
  readonly citedRoutes: readonly string[];
}

/** A question with everything that helps to answer it. */
export interface SearchQuestion {
  readonly text: string;
  /** Earlier turns of the thread, oldest first. */
  readonly earlier: readonly ThreadTurn[];
  readonly contextItems: readonly QuestionContextItem[];
  readonly currentPath?: string | undefined;
}

export interface QuestionContextItem {
  readonly type: 'code' | 'textSelection';
  readonly value: string;
  readonly path?: string | undefined;
}

/** A question in the form that the search needs. */
export interface Query {
  /** Weights by term. The question's own terms have a weight of 1. */
  readonly terms: ReadonlyMap<string, number>;
  /** Terms to search for, with the words of the docs that can stand for them. */
  readonly concepts: readonly Concept[];
  /**
   * Weights by term of the question's topic. A section must have enough of these terms to be
   * relevant.
   */
  readonly subject: ReadonlyMap<string, number>;
  /**
   * First parts of compound words that only occur in parts in the docs (`Raten` of `Ratenlimit`).
   */
  readonly beginnings: ReadonlySet<string>;
  /** Both parts of those compound words. */
  readonly splitParts: ReadonlySet<string>;
  /** Terms that name a programming language to show examples in. */
  readonly languageTerms: ReadonlySet<string>;
  /**
   * Terms of the question itself, without those of earlier turns. In a follow-up, the docs must
   * know at least one of them.
   */
  readonly own: ReadonlySet<string>;
  /** Whether the question only makes sense with the turns before it. */
  readonly isFollowUp: boolean;
  readonly isAboutContext: boolean;
  /** Pairs of neighboring words of the question, in the form that `indexText` returns. */
  readonly phrases: readonly string[];
  /** Words of the search, as the question and the code write them. */
  readonly words: readonly string[];
  /** Versions that the question names, such as `v1`. */
  readonly versions: readonly string[];
  readonly language?: ReplyLanguage;
  /** Language of the question, or of an earlier one if it can't be told, as a code such as `fr`. */
  readonly readerLanguage?: string;
  /** Programming language that the question names, or the earlier one that a follow-up belongs to. */
  readonly askedCodeLanguage?: ExampleLanguage;
  /** `askedCodeLanguage`, or the programming language of the attached code. */
  readonly codeLanguage?: ExampleLanguage;
}

/** Weight of words that say little about the topic. */
const WEAK_WEIGHT = 0.3;
/** Weight of the words of an identifier that the docs know as a whole. */
const PART_WEIGHT = 0.4;
/** Weight of two words that the docs write as one. */
const JOINED_WEIGHT = 0.4;
/** Weight of terms that a phrase of the question implies (`how often` implies `interval`). */
const IMPLIED_WEIGHT = 0.3;
/** Weights of the previous question's topic, by how much the question depends on it. */
const dependences = { onlyPointsBack: 0.8, pointsBack: 0.6, isShort: 0.2 };
const BACKGROUND_WEIGHT = 0.08;
const CONTEXT_WEIGHT = 0.35;
const COMPOUND_CONTEXT_WEIGHT = 0.6;
const MAX_CONTEXT_TERMS = 14;
const MAX_SHOWN_WORDS = 12;
/** Minimum number of frequent words of a language that a question in this language has. */
const MIN_QUESTION_WORDS = 2;
/** Maximum number of own terms of a question that counts as a follow-up. */
const MAX_FOLLOW_UP_TERMS = 5;
/** Maximum number of own terms of a question that the previous topic or attached code can help. */
const MAX_SHORT_TERMS = 3;

const followUpStart =
  /^\s*(?:and|or|but|also|then|so|what about|how about|same|the same|in|for|with|und|oder|aber|auch|dann|was ist mit|wie ist es|wie sieht|geht das|im|in|für|mit)\b/i;
const backReference =
  /\b(?:it|its|this|that|these|those|them|they|there|above|das|dies|diese[mnrs]?|davon|dafür|dazu|damit|es|sie|oben)\b/i;

/** Builds the query for a question, its earlier turns and its attached code. */
export function buildQuery(question: SearchQuestion, index: DocsIndex): Query {
  const asked = codeLanguagesIn(question.text);
  const versions = versionsIn(question.text);
  const {
    terms: own,
    beginnings,
    splitParts,
  } = splitCompounds(questionTerms(question.text, asked, index), index);
  const strong = [...own].filter(([term, weight]) => weight === 1 && !isLanguageTerm(term, asked));
  const lastQuestions = [...question.earlier].reverse();
  const dependence = lastQuestions.length === 0 ? 0 : dependenceOf(question.text, strong.length);
  const isFollowUp = dependence >= dependences.pointsBack;

  const texts = [question.text];
  const terms = new Map(own);
  const subject = new Map(own);
  let askedCodeLanguage = asked[0];
  let namedVersions = versions;
  if (isFollowUp) {
    let carriedCount = 0;
    for (const { question: earlier } of lastQuestions) {
      if (carriedCount >= 2) break;
      texts.push(earlier);
      const languages = codeLanguagesIn(earlier);
      askedCodeLanguage ??= languages[0];
      if (namedVersions.length === 0) namedVersions = versionsIn(earlier);
      for (const [term, weight] of questionTerms(earlier, languages, index)) {
        // A question such as "And in Go?" after "… in Python?" is no longer about Python.
        if (asked.length > 0 && isLanguageTerm(term, languages)) continue;
        if (weight === 1 && !isLanguageTerm(term, languages)) carriedCount++;
        raise(terms, term, weight * dependence);
        raise(subject, term, weight * dependence);
      }
    }
  } else {
    for (const [age, { question: earlier }] of lastQuestions.slice(0, 3).entries()) {
      for (const [term, weight] of questionTerms(earlier, codeLanguagesIn(earlier), index)) {
        if (weight === 1) raise(terms, term, age === 0 ? dependence : BACKGROUND_WEIGHT);
      }
    }
  }

  texts.push(...question.contextItems.map((item) => item.value));
  const contextTerms = termsOfContext(question.contextItems, index);
  // The questions "What does this do?" and "Why is the value old?" are about the attached code. For a
  // question with its own topic, the code only adds search terms.
  const isAboutContext =
    contextTerms.size > 0 &&
    !isFollowUp &&
    (strong.length === 0 ||
      backReference.test(question.text) ||
      (strong.length <= MAX_SHORT_TERMS && strong.some(([term]) => index.has(term))));
  for (const [term, isCompound] of contextTerms) {
    const weight = isCompound ? COMPOUND_CONTEXT_WEIGHT : CONTEXT_WEIGHT;
    raise(terms, term, strong.length === 0 ? weight * 2 : weight);
  }
  const language =
    detectLanguage(question.text) ??
    lastQuestions.map((turn) => detectLanguage(turn.question)).find((found) => found !== undefined);
  const readerLanguage = languageOfText(question.text, MIN_QUESTION_WORDS) ?? language;
  const codeLanguage = askedCodeLanguage ?? languageOfContext(question.contextItems);
  const compounds = new Set(
    termsOf(question.text)
      .filter((term) => term.isCompound)
      .map((term) => term.text),
  );
  const concepts = [...terms].map(([term, weight]) =>
    conceptOf(term, weight, index, own.has(term) && weight > WEAK_WEIGHT, compounds.has(term)),
  );
  for (const implied of impliedTerms(question.text)) {
    const known = implied.filter((term) => index.has(term) && !terms.has(term));
    const [first] = known;
    if (first === undefined) continue;
    concepts.push({
      term: first,
      weight: IMPLIED_WEIGHT,
      variants: new Map(known.map((term) => [term, 1])),
    });
  }
  return {
    terms,
    concepts,
    subject,
    beginnings,
    splitParts,
    languageTerms: new Set([...own.keys()].filter((term) => isLanguageTerm(term, asked))),
    own: new Set(strong.map(([term]) => term)),
    isFollowUp,
    isAboutContext,
    phrases: phrasesOf(question.text),
    words: [...wordsOf(texts, terms, beginnings)].slice(0, MAX_SHOWN_WORDS),
    versions: namedVersions,
    ...(language === undefined ? {} : { language }),
    ...(readerLanguage === undefined ? {} : { readerLanguage }),
    ...(askedCodeLanguage === undefined ? {} : { askedCodeLanguage }),
    ...(codeLanguage === undefined ? {} : { codeLanguage }),
  };
}

/**
 * Returns how much the topic of the previous question counts, from 0 to 1: most if the question has no topic
 * or refers back, less if it is short, and least if it has its own topic.
 */
function dependenceOf(text: string, ownTermCount: number): number {
  if (ownTermCount <= 1) return dependences.onlyPointsBack;
  const pointsBack = followUpStart.test(text) || backReference.test(text);
  if (pointsBack && ownTermCount <= MAX_FOLLOW_UP_TERMS) return dependences.pointsBack;
  return ownTermCount <= MAX_SHORT_TERMS ? dependences.isShort : BACKGROUND_WEIGHT;
}

/** Returns the word of each searched term once, as the texts first write it. */
function wordsOf(
  texts: readonly string[],
  terms: ReadonlyMap<string, number>,
  beginnings: ReadonlySet<string>,
): IterableIterator<string> {
  const words = new Map<string, string>();
  for (const { text, word } of texts.flatMap(termsOf)) {
    const isSearched = (terms.get(text) ?? 0) > WEAK_WEIGHT;
    const isSplit = [...beginnings].some((beginning) => text.startsWith(beginning));
    if ((isSearched || isSplit) && !words.has(text)) words.set(text, word);
  }
  return words.values();
}

function phrasesOf(text: string): string[] {
  const terms = termsOf(text).filter((term) => !term.isCompound && !isWeakTerm(term.text));
  return terms.slice(1).map((term, position) => `${terms[position]?.text ?? ''} ${term.text}`);
}

function raise(weights: Map<string, number>, term: string, weight: number): void {
  weights.set(term, Math.max(weights.get(term) ?? 0, weight));
}

/** Returns the terms of a question with their weight: 1, or less for words that say little. */
function questionTerms(
  text: string,
  asked: readonly ExampleLanguage[],
  index: DocsIndex,
): Map<string, number> {
  const terms = new Map<string, number>();
  const versions = new Set(
    versionsIn(text)
      .filter((version) => index.hasVersion(version))
      .flatMap((version) => [foldWord(version), version.slice(1)]),
  );
  const found = termsOf(text);
  found.forEach(({ text: term, compound, isCompound, unhyphenated }, position) => {
    if (versions.has(term) || (versions.size > 0 && term === 'version')) return;
    const isWeak = isWeakTerm(term) && !isLanguageTerm(term, asked);
    // If the docs have an identifier as a whole, the words in it add little.
    const isPart = compound !== undefined && index.has(compound);
    const isWhole = isCompound && unhyphenated === term;
    raise(terms, term, isWeak ? WEAK_WEIGHT : isWhole ? JOINED_WEIGHT : isPart ? PART_WEIGHT : 1);
    // A question can say "smooth stream" for `smoothStream`, and "time out" for "timeout".
    const next = found[position + 1];
    if (!next || isCompound || next.isCompound || compound !== undefined) return;
    const joined = stem(foldWord(found[position]?.word ?? '') + foldWord(next.word));
    if (index.has(joined)) raise(terms, joined, JOINED_WEIGHT);
  });
  return terms;
}

const MIN_COMPOUND_PART = 4;

interface SplitTerms {
  readonly terms: Map<string, number>;
  readonly beginnings: Set<string>;
  readonly splitParts: Set<string>;
}

/** Splits compound words that only occur in parts in the docs (`Ratenlimit`: `Raten`, `Limit`). */
function splitCompounds(terms: ReadonlyMap<string, number>, index: DocsIndex): SplitTerms {
  const result: SplitTerms = {
    terms: new Map(),
    beginnings: new Set(),
    splitParts: new Set(),
  };
  for (const [term, weight] of terms) {
    const parts =
      term.length >= 2 * MIN_COMPOUND_PART && !index.has(term) ? split(term, index) : [];
    if (parts.length === 0) raise(result.terms, term, weight);
    for (const part of parts) {
      raise(result.terms, part, weight);
      result.splitParts.add(part);
    }
    if (parts[0] !== undefined) result.beginnings.add(parts[0]);
  }
  return result;
}

function split(term: string, index: DocsIndex): string[] {
  for (let cut = term.length - MIN_COMPOUND_PART; cut >= MIN_COMPOUND_PART; cut--) {
    const last = stem(term.slice(cut));
    const first = term.slice(0, cut);
    if (index.has(last) && index.hasBeginning(first)) return [first, last];
  }
  return [];
}

function isLanguageTerm(term: string, languages: readonly ExampleLanguage[]): boolean {
  const language = codeLanguageOf(term);
  return language !== undefined && languages.includes(language);
}

/** Returns the versions that a text names in the form `v3`, also for `version 3`. */
function versionsIn(text: string): string[] {
  const matches = text.matchAll(
    /\b(?:v|versions?\s+v?)(\d+(?:\.\d+)*)\b(?:\s*(?:and|or|to|und|oder|zu)\s+v?(\d+(?:\.\d+)*)\b)?/gi,
  );
  const numbers = [...matches].flatMap(([, one, other]) => [one, other]);
  return [...new Set(numbers.flatMap((number) => (number === undefined ? [] : `v${number}`)))];
}

/**
 * Returns the terms of code and selections that the docs know, the most specific first, and whether
 * each is a compound.
 */
function termsOfContext(
  items: readonly QuestionContextItem[],
  index: DocsIndex,
): Map<string, boolean> {
  const counts = new Map<string, { count: number; isCompound: boolean }>();
  for (const { type, value } of items) {
    for (const { text, isCompound } of termsOf(value)) {
      if (type === 'code' ? isCodeStopTerm(text) : isWeakTerm(text)) continue;
      if (text.length < 3 || !index.has(text)) continue;
      const entry = counts.get(text) ?? { count: 0, isCompound };
      entry.count++;
      counts.set(text, entry);
    }
  }
  const worth = (
    term: string,
    { count, isCompound }: { count: number; isCompound: boolean },
  ): number => index.rarity(term) * (1 + Math.log(count)) * (isCompound ? 1.5 : 1);
  return new Map(
    [...counts]
      .sort((one, other) => worth(...other) - worth(...one))
      .slice(0, MAX_CONTEXT_TERMS)
      .map(([term, { isCompound }]) => [term, isCompound]),
  );
}

function languageOfContext(items: readonly QuestionContextItem[]): ExampleLanguage | undefined {
  for (const { type, path } of items) {
    const ending = /\.([\w+]+)$/.exec(path ?? '')?.[1];
    const language = type === 'code' && ending !== undefined ? codeLanguageOf(ending) : undefined;
    if (language !== undefined) return language;
  }
  return undefined;
}
