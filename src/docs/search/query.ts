import { type ExampleLanguage, codeLanguageOf, codeLanguagesIn } from '../pages/codeLanguages';
import type { Concept, DocsIndex } from './docsIndex';
import { askedWith, type ErrorMessages, type PartedQuestion, partQuestion } from './errorMessages';
import { languageOfText } from './languages';
import { NamedCode } from './namedCode';
import { openWord, QuestionWords, versionsIn, withPlainName } from './questionWords';
import {
  detectLanguage,
  foldWord,
  isCodeStopTerm,
  isWeakTerm,
  plainTerms,
  type ReplyLanguage,
  stem,
  stopWordsOf,
  termsOf,
} from './terms';
import { Topic } from './topic';

/** An earlier question of a thread, with what the search for later questions needs. */
export interface ThreadTurn {
  readonly question: string;
  /** Routes of the pages that the reply cited. */
  readonly citedRoutes: readonly string[];
  /** Markdown of the reply, if it is known. */
  readonly reply?: string;
}

/** A question with everything that helps to answer it. */
export interface SearchQuestion {
  readonly text: string;
  /** Earlier turns of the thread, oldest first. */
  readonly earlier: readonly ThreadTurn[];
  readonly contextItems: readonly QuestionContextItem[];
  readonly currentPath?: string | undefined;
  /** Whether the last word is still being typed, so that it also stands for words that begin with it. */
  readonly isOpen?: boolean;
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
  /** Terms of the question itself that say something about its topic. */
  readonly own: ReadonlySet<string>;
  readonly topic: Topic;
  /** Names of code in the question. */
  readonly names: NamedCode;
  /** Messages of errors in the question and in attached texts. */
  readonly messages: ErrorMessages;
  /** Whether the question has few words beside its names, so that it is about them. */
  readonly isAboutNames: boolean;
  /** Whether it has none, so that it asks what they are. */
  readonly isOnlyNames: boolean;
  /** Whether the question only makes sense with the turns before it. */
  readonly isFollowUp: boolean;
  /** The last reply, if the question follows up on it in other words. */
  readonly lastReply?: string | undefined;
  readonly isAboutContext: boolean;
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

/** Returns the function that weighs a term of an excerpt by the query and by how rare the term is in the docs. */
export function termWeights(
  { terms }: Query,
  index: Pick<DocsIndex, 'rarity'>,
): (term: string) => number {
  return (term) => {
    const weight = terms.get(term) ?? 0;
    return weight === 0 ? 0 : weight * index.rarity(term);
  };
}

/** Weights of the previous question's topic, by how much the question depends on it. */
const dependences = { onlyPointsBack: 0.8, pointsBack: 0.6, isShort: 0.2 };
const BACKGROUND_WEIGHT = 0.08;
const STOP_WORD_WEIGHT = 0.5;
const CONTEXT_WEIGHT = 0.35;
const MAX_CONTEXT_TERMS = 14;
const MAX_SHOWN_WORDS = 12;
/** Minimum number of frequent words of a language that a question in this language has. */
const MIN_QUESTION_WORDS = 2;
/** Maximum number of own terms of a question that counts as a follow-up. */
const MAX_FOLLOW_UP_TERMS = 5;
/** Maximum number of words of a text that is no sentence, so that its stop words can be names in code. */
const MAX_SEARCH_WORDS = 4;
/** Maximum number of own terms of a question that the previous topic, attached code or a name can help. */
const MAX_SHORT_TERMS = 3;

const followUpStart =
  /^\s*(?:and|or|but|also|then|so|what about|how about|same|the same|in|for|with|und|oder|aber|auch|dann|was ist mit|wie ist es|wie sieht|geht das|im|in|für|mit)\b/i;
const backReference =
  /\b(?:it|its|this|that|these|those|them|they|there|above|das|dies|diese[mnrs]?|davon|dafür|dazu|damit|es|sie|oben)\b/i;

/** Matches parts of a sentence that ask something, in English and German. */
const asks = new RegExp(
  [
    String.raw`\?\s*$`,
    String.raw`^\P{L}*(?:how|whats?|why|where|when|which|who|can|could|is|are|am|does|do|did|should|would|will|has|have|any)\b`,
    String.raw`^\P{L}*(?:wie|was|warum|wieso|wo|wann|welche[mnrs]?|wer|kann|können|gibt|ist|sind|muss|soll|darf)(?!\p{L})`,
    String.raw`\b(?:how|what|where|why) (?:am|are|can|could|did|do|does|happens|if|is|should|to|would)\b`,
    String.raw`\b(?:(?:is|are) there|can i|do i|wie (?:geht|ich|kann|mache|man))\b`,
  ].join('|'),
  'iu',
);

/** Builds the query for a question, its earlier turns and its attached code. */
export function buildQuery(question: SearchQuestion, index: DocsIndex): Query {
  const words = new QuestionWords(index);
  const attached = question.contextItems.filter(({ type }) => type === 'textSelection');
  const parted = partQuestion(
    withPlainName(question.text, index),
    attached.map(({ value }) => value),
  );
  const { own: text, messages, output } = parted;
  const said = askedWith(parted);
  const contextItems = [
    ...question.contextItems,
    { type: 'textSelection' as const, value: output },
  ];
  const asked = codeLanguagesIn(text);
  const versions = versionsIn(text, index);
  const main = mainText(parted, words, index);
  const terms = new Map([...words.termsOf(main).keys()].map((term) => [term, 1]));
  const names = new NamedCode(said);
  for (const word of names.stopWords) terms.set(word, 1);
  const isTopic = (term: string): boolean => !isWeakTerm(term) || isLanguageTerm(term, asked);
  const own = new Set([...terms.keys()].filter(isTopic));
  const strong = [...own].filter((term) => !isLanguageTerm(term, asked));
  const others = [...own].filter((term) => !names.terms.has(term)).length;
  const lastQuestions = question.earlier
    .toReversed()
    .map((turn) => mainText(partQuestion(turn.question, []), words, index));
  const dependence = lastQuestions.length === 0 ? 0 : dependenceOf(text, strong.length);
  const isFollowUp = dependence >= dependences.pointsBack;

  const saidWords = words.termsOf(said);
  const texts: string[] = [];
  let askedCodeLanguage = asked[0];
  let namedVersions = versions;
  if (isFollowUp) {
    let carriedCount = 0;
    for (const earlier of lastQuestions) {
      if (carriedCount >= 2) break;
      texts.push(earlier);
      const languages = codeLanguagesIn(earlier);
      askedCodeLanguage ??= languages[0];
      if (namedVersions.length === 0) namedVersions = versionsIn(earlier, index);
      for (const term of words.termsOf(earlier).keys()) {
        const isLanguage = isLanguageTerm(term, languages);
        // A question such as "And in Go?" after "… in Python?" is no longer about Python.
        if (isWeakTerm(term) || (asked.length > 0 && isLanguage)) continue;
        if (!isLanguage) carriedCount++;
        raise(terms, term, dependence);
      }
    }
  } else {
    for (const [age, earlier] of lastQuestions.slice(0, 3).entries()) {
      for (const term of words.termsOf(earlier).keys()) {
        if (!isWeakTerm(term)) raise(terms, term, age === 0 ? dependence : BACKGROUND_WEIGHT);
      }
    }
  }

  for (const term of saidWords.keys())
    raise(terms, term, names.terms.has(term) ? 1 : CONTEXT_WEIGHT);
  for (const word of namesIn(text, index)) raise(terms, word, STOP_WORD_WEIGHT);
  texts.push(...contextItems.map((item) => item.value));
  const contextTerms = termsOfContext(contextItems, index);
  // The questions "What does this do?" and "Why is the value old?" are about the attached code. For a
  // question with its own topic, the code only adds search terms.
  const isAboutContext =
    contextTerms.size > 0 &&
    !isFollowUp &&
    (strong.length === 0 ||
      backReference.test(text) ||
      (strong.length <= MAX_SHORT_TERMS && strong.some((term) => index.has(term))));
  for (const term of contextTerms) raise(terms, term, CONTEXT_WEIGHT);
  for (const name of namesInWords(main, contextTerms)) raise(terms, name, 1);
  const written = text === '' ? said : text;
  const language =
    detectLanguage(written) ??
    lastQuestions.map(detectLanguage).find((found) => found !== undefined);
  const readerLanguage = languageOfText(written, MIN_QUESTION_WORDS) ?? language;
  const codeLanguage = askedCodeLanguage ?? languageOfContext(question.contextItems);
  const open = question.isOpen === true ? openWord(question.text) : undefined;
  const concepts = [...terms].map(([term, weight]) => ({
    term,
    weight,
    variants: term === open?.term ? words.begunBy(open) : words.variantsOf(term),
  }));
  return {
    terms,
    concepts,
    own,
    // The definition of a name of code is found by the form of the name.
    topic: new Topic(main, names.terms.size > 0 ? new Set() : own, isFollowUp, index),
    names,
    messages,
    isAboutNames: others <= MAX_SHORT_TERMS,
    isOnlyNames: others === 0,
    isFollowUp,
    lastReply: isFollowUp ? replyBefore(question) : undefined,
    isAboutContext,
    words: [...wordsOf(saidWords, texts, terms)].slice(0, MAX_SHOWN_WORDS),
    versions: namedVersions,
    language,
    readerLanguage,
    askedCodeLanguage,
    codeLanguage,
  };
}

/** Minimum number of words of the docs about a topic with which sentences ask alone. */
const MIN_ASKING_TERMS = 2;

/**
 * Returns the part of a question that says what is asked: the sentences that ask something, with the messages of errors,
 * or all of it if these sentences alone don't say enough. The words of the others count like those of attached text.
 */
function mainText(parted: PartedQuestion, words: QuestionWords, index: DocsIndex): string {
  const asking = askingSentences(parted.own).join('\n');
  const topic = [...words.termsOf(asking).keys()].filter(
    (term) => !isWeakTerm(term) && index.has(term),
  );
  return askedWith(topic.length < MIN_ASKING_TERMS ? parted : { ...parted, own: asking });
}

/**
 * Returns the sentences of a text that ask something. The others are a greeting, say, or what the person works with and
 * has tried.
 */
export function askingSentences(text: string): string[] {
  return text.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => asks.test(sentence));
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

/** Returns the last reply, or undefined if its question had the same words, so that its answer is wanted again. */
function replyBefore({ text, earlier }: SearchQuestion): string | undefined {
  const last = earlier.at(-1);
  return last && plainTerms(last.question) !== plainTerms(text) ? last.reply : undefined;
}

/**
 * Returns the words of each searched term once, as they are first written, and names of code whole.
 * @param said terms of the question with their words. Some are only the words of the docs that these stand for.
 * @param texts what is searched with besides.
 */
function wordsOf(
  said: ReadonlyMap<string, string>,
  texts: readonly string[],
  terms: ReadonlyMap<string, number>,
): ReadonlySet<string> {
  const words = new Map<string, string>();
  const others = texts
    .flatMap(termsOf)
    .map(({ text, word, compound }) => [text, compound ?? word] as const);
  for (const [term, word] of [...said, ...others]) {
    if (terms.has(term) && !isWeakTerm(term) && !words.has(term)) words.set(term, word);
  }
  return new Set(words.values());
}

function raise(weights: Map<string, number>, term: string, weight: number): void {
  weights.set(term, Math.max(weights.get(term) ?? 0, weight));
}

/** Returns the stop words of a few words without a question mark that are words of code in the docs, as in `export let`. */
function namesIn(text: string, index: DocsIndex): string[] {
  const isSearch = !text.includes('?') && text.trim().split(/\s+/).length <= MAX_SEARCH_WORDS;
  return isSearch ? stopWordsOf(text).filter((word) => index.has(word)) : [];
}

function isLanguageTerm(term: string, languages: readonly ExampleLanguage[]): boolean {
  const language = codeLanguageOf(term);
  return language !== undefined && languages.includes(language);
}

/** Returns the terms of code and selections that say most: rare ones of the docs, that are frequent in the code. */
function termsOfContext(items: readonly QuestionContextItem[], index: DocsIndex): Set<string> {
  const counts = new Map<string, number>();
  for (const { type, value } of items) {
    for (const { text } of termsOf(value)) {
      if (type === 'code' ? isCodeStopTerm(text) : isWeakTerm(text)) continue;
      if (text.length < 3 || !index.has(text)) continue;
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  }
  const worth = ([term, count]: readonly [string, number]): number =>
    index.rarity(term) * (1 + Math.log(count));
  const best = [...counts].sort((one, other) => worth(other) - worth(one));
  return new Set(best.slice(0, MAX_CONTEXT_TERMS).map(([term]) => term));
}

/** Returns the names of attached code that a question writes as two words: “idempotency key” for `idempotencyKey`. */
function namesInWords(text: string, contextTerms: ReadonlySet<string>): string[] {
  const words = termsOf(text).filter(({ isCompound }) => !isCompound);
  const pairs = words.slice(1).map(({ word }, index) => `${words[index]?.word ?? ''}${word}`);
  return pairs.map((pair) => stem(foldWord(pair))).filter((name) => contextTerms.has(name));
}

function languageOfContext(items: readonly QuestionContextItem[]): ExampleLanguage | undefined {
  for (const { type, path } of items) {
    const ending = /\.([\w+]+)$/.exec(path ?? '')?.[1];
    const language = type === 'code' && ending !== undefined ? codeLanguageOf(ending) : undefined;
    if (language !== undefined) return language;
  }
  return undefined;
}
