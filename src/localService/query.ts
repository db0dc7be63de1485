import { codeLanguageOf, codeLanguagesIn, type CodeLanguage } from './codeLanguages';
import { contextTermsOf, type ContextTerms, type QuestionContextItem } from './contextTerms';
import type { DocsIndex } from './docsIndex';
import { detectLanguage, foldWord, isWeakTerm, stem, termsOf, type ReplyLanguage } from './terms';
import type { ThreadTurn } from './threads';

/** What a question is answered for. */
export interface Question {
  readonly text: string;
  /** Turns before it, oldest first. */
  readonly earlier: readonly ThreadTurn[];
  readonly contextItems: readonly QuestionContextItem[];
  readonly currentPath?: string | undefined;
}

/** What to search for. */
export interface Query {
  /** Term to weight, without those of the context; the question's own terms weigh 1. */
  readonly terms: ReadonlyMap<string, number>;
  /** Terms of which a section must have enough to be about the question, with their weight. */
  readonly subject: ReadonlyMap<string, number>;
  /** First parts of compounds that the docs do not have as a whole (`Raten` of `Ratenlimit`). */
  readonly beginnings: ReadonlySet<string>;
  /** The question's own words among the subject of a follow-up; none may be all foreign to the docs. */
  readonly own: ReadonlySet<string>;
  /** The question only makes sense with the turns before it. */
  readonly isFollowUp: boolean;
  /** What the code and selections that came along are about. */
  readonly context: ContextTerms;
  /** The question points at the code that came along ("this call") or asks of nothing else. */
  readonly isAboutContext: boolean;
  /** Pairs of the question's words that follow one another, as `indexText` writes them. */
  readonly phrases: readonly string[];
  /** What is searched for, as the question and the code write it, most telling first. */
  readonly words: readonly string[];
  /** Version labels that the question names, such as `v1`. */
  readonly versions: readonly string[];
  readonly language?: ReplyLanguage;
  /** Asked for by name, in this question or the one that it follows. */
  readonly askedCodeLanguage?: CodeLanguage;
  /** Asked for, else that of the code that came along. */
  readonly codeLanguage?: CodeLanguage;
}

const WEAK_WEIGHT = 0.2;
const CARRIED_WEIGHT = 0.7;
const BACKGROUND_WEIGHT = 0.08;
const MAX_SHOWN_WORDS = 12;
/** Of the question's words that name what the code does, where enough others ask about it. */
const GIVEN_WEIGHT = 0.5;
const MIN_ASKED_TERMS = 2;
/** Own words up to which a question with turns before it is read as following up on them. */
const MAX_FOLLOW_UP_TERMS = 3;

const followUpStart =
  /^\s*(?:and|or|but|also|then|so|what about|how about|same|the same|in|for|with|und|oder|aber|auch|dann|was ist mit|wie ist es|wie sieht|geht das|im|in|für|mit)\b/i;
const backReference =
  /\b(?:it|its|this|that|these|those|them|they|there|above|das|dies|diese[mnrs]?|davon|dafür|dazu|damit|es|sie|oben)\b/i;
/** What points at code in sight; `that` and `das` mostly join clauses and name things. */
const pointer =
  /\b(?:it|its|this|these|those|them|they|here|above|below|that (?:call|code|function|line|method|part)|dies|diese[mnrs]?|davon|dafür|dazu|damit|es|hier|hiervon|hierfür|oben|unten|(?:das|der|die) (?:aufruf|code|funktion|methode|zeile))\b/i;

/** Reads what a question asks for, with the help of the turns and the code that came with it. */
export function buildQuery(question: Question, index: DocsIndex): Query {
  const asked = codeLanguagesIn(question.text);
  const versions = versionsIn(question.text);
  const { terms: own, beginnings } = splitCompounds(questionTerms(question.text, asked), index);
  const strong = [...own].filter(([term, weight]) => weight === 1 && !isLanguageTerm(term, asked));
  const lastQuestions = [...question.earlier].reverse();
  const isFollowUp =
    lastQuestions.length > 0 &&
    (strong.length <= 1 ||
      (strong.length <= MAX_FOLLOW_UP_TERMS &&
        (followUpStart.test(question.text) || backReference.test(question.text))));

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
      for (const [term, weight] of questionTerms(earlier, languages)) {
        // "And in Go?" after "… in Python?" no longer means Python.
        if (asked.length > 0 && isLanguageTerm(term, languages)) continue;
        if (weight === 1 && !isLanguageTerm(term, languages)) carriedCount++;
        raise(terms, term, weight * CARRIED_WEIGHT);
        raise(subject, term, weight * CARRIED_WEIGHT);
      }
    }
  } else {
    for (const { question: earlier } of lastQuestions.slice(0, 3)) {
      for (const [term, weight] of questionTerms(earlier, codeLanguagesIn(earlier))) {
        if (weight === 1) raise(terms, term, BACKGROUND_WEIGHT);
      }
    }
  }

  const ownTerms = new Set(strong.map(([term]) => term));
  const context = contextTermsOf(question.contextItems, index, new Set(terms.keys()));
  const isAboutContext =
    context.terms.size > 0 && ((strong.length === 0 && !isFollowUp) || pointer.test(question.text));
  for (const term of termsGiven([...ownTerms], context)) {
    for (const weights of [terms, subject]) weights.set(term, GIVEN_WEIGHT);
  }
  const language =
    detectLanguage(question.text) ??
    lastQuestions.map((turn) => detectLanguage(turn.question)).find((found) => found !== undefined);
  const codeLanguage = askedCodeLanguage ?? languageOfContext(question.contextItems);
  return {
    terms,
    subject,
    beginnings,
    own: ownTerms,
    isFollowUp,
    context,
    isAboutContext,
    phrases: phrasesOf(question.text),
    words: [...new Set([...wordsOf(texts, terms, beginnings), ...context.words])].slice(
      0,
      MAX_SHOWN_WORDS,
    ),
    versions: namedVersions,
    ...(language === undefined ? {} : { language }),
    ...(askedCodeLanguage === undefined ? {} : { askedCodeLanguage }),
    ...(codeLanguage === undefined ? {} : { codeLanguage }),
  };
}

/**
 * Words of a question that name what the code does, not what is asked about it: "creating a shipment"
 * where the code calls `shipments.create`. None where too little of the question would be left.
 */
function termsGiven(own: readonly string[], { called }: ContextTerms): string[] {
  const given = own.filter((term) => called.has(term));
  return own.length - given.length >= MIN_ASKED_TERMS ? given : [];
}

/** Each term that is searched for once, in the first form that the texts have of it. */
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

/** Terms of a question with their weight: 1, or less for words that say little. */
function questionTerms(text: string, asked: readonly CodeLanguage[]): Map<string, number> {
  const terms = new Map<string, number>();
  const versions = new Set(versionsIn(text).map(foldWord));
  for (const { text: term } of termsOf(text)) {
    if (versions.has(term) || term === 'version') continue;
    const isWeak = isWeakTerm(term) && !isLanguageTerm(term, asked);
    raise(terms, term, isWeak ? WEAK_WEIGHT : 1);
  }
  return terms;
}

const MIN_COMPOUND_PART = 4;

interface SplitTerms {
  readonly terms: Map<string, number>;
  readonly beginnings: Set<string>;
}

/** Replaces words that the docs do not have as a whole by their parts (`Ratenlimit`: `Raten`, `Limit`). */
function splitCompounds(terms: ReadonlyMap<string, number>, index: DocsIndex): SplitTerms {
  const result: SplitTerms = { terms: new Map(), beginnings: new Set() };
  for (const [term, weight] of terms) {
    const parts =
      term.length >= 2 * MIN_COMPOUND_PART && !index.has(term) ? split(term, index) : [];
    if (parts.length === 0) raise(result.terms, term, weight);
    for (const part of parts) raise(result.terms, part, weight);
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

function isLanguageTerm(term: string, languages: readonly CodeLanguage[]): boolean {
  const language = codeLanguageOf(term);
  return language !== undefined && languages.includes(language);
}

/** `v1`, `v2.1`, `version 3` as `v1`, `v2.1`, `v3`. */
function versionsIn(text: string): string[] {
  const matches = text.matchAll(/\b(?:v|version\s+v?)(\d+(?:\.\d+)*)\b/gi);
  return [...new Set([...matches].map(([, number]) => `v${number ?? ''}`))];
}

function languageOfContext(items: readonly QuestionContextItem[]): CodeLanguage | undefined {
  for (const { type, path } of items) {
    const ending = /\.([\w+]+)$/.exec(path ?? '')?.[1];
    const language = type === 'code' && ending !== undefined ? codeLanguageOf(ending) : undefined;
    if (language !== undefined) return language;
  }
  return undefined;
}
