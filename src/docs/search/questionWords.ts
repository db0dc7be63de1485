/** Finds the words of the docs that the words of a question stand for. */
import { isSameVersion } from '../pages/pageFilter';
import type { DocsIndex } from './docsIndex';
import { foldWord, stem, termsOf } from './terms';

const MIN_COMPOUND_PART = 4;
/** Longest word that is taken for a compound, and longest beginning of one. An encoded file is a word of many more. */
const MAX_WORD = 64;

/** Minimum length of a word that is taken for a misspelling of another. */
const MIN_CORRECTED = 6;
/** Minimum length of a word that is compared as a possible misspelling. */
const MIN_MISSPELT = 5;
/** Likeness of the words that stand for one that the docs don't have. */
const STAND_IN_CREDIT = 0.7;
const MAX_BEGUN = 16;
/** Letters of a word that stand for longer words while it is typed. */
const MIN_BEGINNING = 3;
const BEGINNING_CREDIT = 0.8;

interface OpenWord {
  readonly term: string;
  readonly folded: string;
}

/** The words of one question. Each that the docs don't have is compared with those of the docs once. */
export class QuestionWords {
  readonly #index: DocsIndex;
  readonly #misspelt = new Map<string, readonly string[]>();

  constructor(index: DocsIndex) {
    this.#index = index;
  }

  /**
   * Returns the terms of a text, each with the word that first has it. Splits compound words that the docs
   * only have in parts.
   */
  termsOf(text: string): Map<string, string> {
    const index = this.#index;
    const terms = new Map<string, string>();
    const versions = new Set(
      versionsIn(text, index)
        .filter((named) => index.versions.some((version) => isSameVersion(version, named)))
        .flatMap((version) => [foldWord(version), version.slice(1)]),
    );
    for (const { text: term, word, compound } of termsOf(text)) {
      if (versions.has(term) || (versions.size > 0 && term === 'version')) continue;
      for (const part of split(term, index)) {
        const spelled = this.#spelled(part);
        if (!terms.has(spelled)) terms.set(spelled, compound ?? word);
      }
    }
    return terms;
  }

  /**
   * Returns a term and, if the docs don't have it, their words that can stand for it: those that differ from it by one
   * spelling mistake, those that begin with it (`configuration` stands for `config`), and the longest that it begins
   * with (`valid` stands for `validator`).
   */
  variantsOf(term: string): Map<string, number> {
    const index = this.#index;
    const variants = new Map([[term, 1]]);
    if (term.length < MIN_COMPOUND_PART || index.has(term) || /\d/.test(term)) return variants;
    const misspelt = term.length < MIN_MISSPELT ? [] : this.#misspeltFrom(term);
    for (const word of [...misspelt, ...begunWords(term, index), ...beginningsOf(term, index)])
      variants.set(word, STAND_IN_CREDIT);
    return variants;
  }

  /**
   * Returns a term with the words of the docs that it can become. These are stems, so a long beginning of a word, such
   * as `authenticatio`, also stands for a stem that it begins with.
   */
  begunBy({ term, folded }: OpenWord): Map<string, number> {
    if (folded.length < MIN_BEGINNING) return this.variantsOf(term);
    const begun = begunWords(folded, this.#index);
    const words = begun.length > 0 ? begun : beginningsOf(folded, this.#index);
    if (words.length === 0) return this.variantsOf(term);
    const credits = words.map((word) => [word, BEGINNING_CREDIT] as const);
    return new Map([...credits, [term, 1]]);
  }

  /**
   * Returns the word of the docs that a misspelt word means, or the word itself: the most frequent that differs in one
   * letter behind the first.
   */
  #spelled(term: string): string {
    const index = this.#index;
    if (term.length < MIN_CORRECTED || /\d/.test(term) || index.hasBeginning(term)) return term;
    const meant = this.#misspeltFrom(term).filter((word) => word.startsWith(term.slice(0, 1)));
    const [best] = meant.toSorted((one, other) => index.rarity(one) - index.rarity(other));
    return best ?? term;
  }

  /** Returns the words of the docs that differ by one mistake, in the same order from each index. */
  #misspeltFrom(term: string): readonly string[] {
    const known = this.#misspelt.get(term);
    if (known) return known;
    const misspelt = this.#index.misspeltFrom(term).toSorted();
    this.#misspelt.set(term, misspelt);
    return misspelt;
  }
}

/** Returns the word at the end of a text, if nothing is behind it and it is no stop word. */
export function openWord(text: string): OpenWord | undefined {
  const last = termsOf(text).at(-1);
  if (!last || !text.endsWith(last.word)) return undefined;
  return { term: last.text, folded: foldWord(last.word) };
}

/** Returns both parts of a compound that the docs only have in parts (`Ratenlimit`), or the term itself. */
function split(term: string, index: DocsIndex): string[] {
  if (index.has(term) || term.length > MAX_WORD) return [term];
  for (let cut = term.length - MIN_COMPOUND_PART; cut >= MIN_COMPOUND_PART; cut--) {
    const last = stem(term.slice(cut));
    const first = term.slice(0, cut);
    if (index.has(last) && index.hasBeginning(first)) return [first, last];
  }
  return [term];
}

/** Returns the words of the docs with this beginning, the shortest first, in the same order from each index. */
function begunWords(beginning: string, index: DocsIndex): string[] {
  const begun = index.beginningWith(beginning).toSorted();
  return begun.toSorted((one, other) => one.length - other.length).slice(0, MAX_BEGUN);
}

/** Returns the longest word of the docs that begins a longer one, if there is any. */
function beginningsOf(word: string, index: DocsIndex): string[] {
  for (let end = Math.min(word.length - 1, MAX_WORD); end >= MIN_COMPOUND_PART; end--) {
    const beginning = word.slice(0, end);
    if (index.has(beginning)) return [beginning];
  }
  return [];
}

/** Rarity below which a word names the product, because most sections have it. */
const NAME_RARITY = 1;

/** A name with its language behind it, as in `NestJS` and `Vue.js`. */
const nameOfJs = /(?<![\p{L}\w$@./-])(\p{L}{3,}?)\.?js(?![\w$/-]|\.\w)/giu;

/** Returns a text with the product's name as most sections have it: “Nest” for “NestJS”, which few have. */
export function withPlainName(text: string, index: DocsIndex): string {
  return text.replace(nameOfJs, (written: string, name: string) =>
    isOfProduct(name, index) ? name : written,
  );
}

function isOfProduct(name: string, index: DocsIndex): boolean {
  const [term] = termsOf(name);
  return term !== undefined && index.rarity(term.text) < NAME_RARITY;
}

/**
 * Returns the versions that a text names in the form `v3`, also for `version 3`, and for a number behind the
 * product's name (`pnpm 10`).
 */
export function versionsIn(text: string, index: DocsIndex): string[] {
  const matches = text.matchAll(
    /\b(?:v|versions?\s+v?)(\d+(?:\.\d+)*)\b(?:\s*(?:and|or|to|und|oder|zu)\s+v?(\d+(?:\.\d+)*)\b)?/gi,
  );
  const numbers = [...matches].flatMap(([, one, other]) => [one, other]);
  for (const [, name = '', number] of text.matchAll(
    /(?<![\p{L}.])\.*(\p{L}[\p{L}.]*)\s+(\d+(?:\.\d+)*)\b/gu,
  )) {
    if (isOfProduct(name, index)) numbers.push(number);
  }
  return [...new Set(numbers.flatMap((number) => (number === undefined ? [] : `v${number}`)))];
}
