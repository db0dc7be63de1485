import { type LinkRoots, type PageLookup, plainRoute } from '../pages/links';
import { type SectionBlock, type DocsPage, type FoundSection, isSameVersion } from '../pages/page';
import { FieldIndex } from './fieldIndex';
import { languageOfPath, languageOfText } from './languages';
import { termsOf } from './terms';
import { Vocabulary } from './vocabulary';

/** A word of a question with the words of the docs that can stand for it. */
export interface Concept {
  /** The word as the index writes it. */
  readonly term: string;
  /** Weight of the word in the question. */
  readonly weight: number;
  /** Words of the docs that can stand for the word, each with its likeness from 0 to 1. The word has 1. */
  readonly variants: ReadonlyMap<string, number>;
}

export interface SectionHit extends FoundSection {
  /** Score of the hit. Only comparable within one search. */
  readonly score: number;
  /**
   * Quality of the match for each matched term of the query, from 0 to 1, in the section, its
   * headings and its page's title.
   */
  readonly matched: ReadonlyMap<string, number>;
  /** The same for the whole page. */
  readonly onPage: ReadonlyMap<string, number>;
  /** The same for the headings of the section and the title, path and description of its page. */
  readonly inHead: ReadonlyMap<string, number>;
  /** Degree to which the heading or the page's title matches the query and nothing else, from 0 to 1. */
  readonly topic: number;
  /** Share of the query's weight whose words are close together in the section, from 0 to 1. */
  readonly passage: number;
  /** Numbers of the section's words in order. Equal words have equal numbers in one index. */
  readonly words: Int32Array;
}

/** Fields of a section's headings: its own heading (the page's title in the top section), and those above. */
const headingFields = [
  { weight: 1, lengthShare: 0.6 },
  { weight: 0.5, lengthShare: 0.6 },
];
/** Fields of a section's content: text and code. */
const sectionFields = [
  { weight: 1, lengthShare: 0.5 },
  { weight: 0.6, lengthShare: 0.6 },
];
/** Fields of the head of a page: its title, path and description. */
const headFields = [
  { weight: 1, lengthShare: 0.3 },
  { weight: 0.5, lengthShare: 0.3 },
  { weight: 0.5, lengthShare: 0.3 },
];
/** Fields of a page's content: headings, text and code. */
const pageFields = [
  { weight: 2, lengthShare: 0.6 },
  { weight: 1, lengthShare: 0.75 },
  { weight: 0.6, lengthShare: 0.75 },
];
/**
 * Weights of the four scores in the score of a section. Headings have their own index. If they shared one
 * with the content, frequent words of the content would hide whether a heading has a word.
 */
const shares = { section: 1, headings: 0.4, page: 0.5, head: 0.75 };
/** Number of words, without stop words, that count as close together: two or three sentences. */
const PASSAGE_WORDS = 30;

interface StoredPage {
  readonly page: DocsPage;
  readonly number: number;
  readonly firstSection: number;
  /** Words of the title, the path and the description. */
  readonly head: readonly number[];
  readonly title: readonly number[];
  readonly language: string | undefined;
}

interface StoredSection extends FoundSection {
  readonly pageNumber: number;
  /** Words of the section in order: its heading, its text, its code. */
  readonly words: Int32Array;
  readonly heading: readonly number[];
  readonly ancestors: readonly number[];
}

/** A concept with the numbers of its words. */
interface SearchedConcept {
  readonly term: string;
  readonly weight: number;
  /** Weight times rarity. */
  readonly worth: number;
  readonly variants: ReadonlyMap<number, number>;
}

interface ScoredSection {
  readonly stored: StoredSection;
  readonly number: number;
  readonly score: number;
}

/** The concept that a word of the docs matches best. */
interface Meaning {
  readonly concept: number;
  readonly likeness: number;
  readonly worth: number;
}

/**
 * Full-text index of the sections of all pages. Its methods are synchronous. Adding a page takes
 * about a millisecond.
 */
export class DocsIndex implements PageLookup<DocsPage> {
  /** Targets of links from the site's root, absent until the site's configuration is read. */
  roots?: LinkRoots;
  readonly #vocabulary = new Vocabulary();
  readonly #headingIndex = new FieldIndex(headingFields);
  readonly #sectionIndex = new FieldIndex(sectionFields);
  readonly #headIndex = new FieldIndex(headFields);
  readonly #pageIndex = new FieldIndex(pageFields);
  readonly #pages = new Map<string, StoredPage>();
  readonly #paths = new Map<string, string>();
  /** Paths by plain route. If several pages share a route, the last one that was added wins. */
  readonly #plainPaths = new Map<string, string>();
  readonly #sections: (StoredSection | undefined)[] = [];
  /** Number of pages by language. */
  readonly #languages = new Map<string, number>();
  /** Number of pages by version. */
  readonly #versions = new Map<string, number>();
  #pageNumbers = 0;
  #sectionCount = 0;

  get pageCount(): number {
    return this.#pages.size;
  }

  get sectionCount(): number {
    return this.#sectionCount;
  }

  *pages(): Iterable<DocsPage> {
    for (const { page } of this.#pages.values()) yield page;
  }

  pageAtRoute(route: string): DocsPage | undefined {
    return this.#pages.get(this.#paths.get(route) ?? '')?.page;
  }

  pageAtPlainRoute(route: string): DocsPage | undefined {
    return this.#pages.get(this.#plainPaths.get(route) ?? '')?.page;
  }

  pageAtPath(path: string): DocsPage | undefined {
    return this.#pages.get(path)?.page;
  }

  /** Adds a page, replacing one with the same path. */
  put(page: DocsPage): void {
    this.remove(page.path);
    const number = this.#pageNumbers++;
    const firstSection = this.#sections.length;
    const title = this.#words(page.title);
    const path = this.#words(plainRoute(page.route).replace(/[-_/]+/g, ' '));
    const description = this.#words(page.description);
    const all: Record<'headings' | 'text' | 'code', number[]> = {
      headings: [],
      text: [],
      code: [],
    };
    for (const section of page.sections) {
      const isTop = section.heading === page.title;
      const heading = isTop ? title : this.#words(section.heading);
      const ancestors = isTop ? [] : this.#words(section.ancestors.join(' '));
      const text = [
        ...(isTop ? description : []),
        ...this.#wordsOf(section.blocks.filter((block) => !isCode(block))),
      ];
      const languages = section.blocks.map((block) => block.codeLanguage ?? '');
      const code = [
        ...this.#wordsOf(section.blocks.filter(isCode)),
        ...this.#words([...new Set(languages)].join(' ')),
      ];
      const sectionNumber = this.#sections.length;
      this.#sections.push({
        page,
        section,
        pageNumber: number,
        words: Int32Array.from([...heading, ...text, ...code]),
        heading,
        ancestors,
      });
      this.#headingIndex.add(sectionNumber, [heading, ancestors]);
      this.#sectionIndex.add(sectionNumber, [text, code]);
      this.#sectionCount++;
      push(all.headings, heading);
      push(all.text, text);
      push(all.code, code);
    }
    this.#headIndex.add(number, [title, path, description]);
    this.#pageIndex.add(number, [[...title, ...all.headings], all.text, all.code]);
    const head = [...title, ...path, ...description];
    const language = languageOfPage(page);
    this.#pages.set(page.path, { page, number, firstSection, head, title, language });
    count(this.#languages, language, 1);
    count(this.#versions, page.version, 1);
    this.#paths.set(page.route, page.path);
    this.#plainPaths.set(plainRoute(page.route), page.path);
  }

  remove(path: string): void {
    const stored = this.#pages.get(path);
    if (!stored) return;
    const { page, number, firstSection, head, language } = stored;
    this.#pages.delete(path);
    count(this.#languages, language, -1);
    count(this.#versions, page.version, -1);
    if (this.#paths.get(page.route) === path) this.#paths.delete(page.route);
    const plain = plainRoute(page.route);
    if (this.#plainPaths.get(plain) === path) this.#plainPaths.delete(plain);
    const all = [...head];
    for (let section = firstSection; section < firstSection + page.sections.length; section++) {
      const { words = [], ancestors = [] } = this.#sections[section] ?? {};
      this.#headingIndex.remove(section, [...words, ...ancestors]);
      this.#sectionIndex.remove(section, words);
      push(all, words);
      this.#sections[section] = undefined;
      this.#sectionCount--;
    }
    this.#headIndex.remove(number, head);
    this.#pageIndex.remove(number, all);
  }

  /** Returns whether any page belongs to a version, such as `v2`. */
  hasVersion(version: string): boolean {
    return [...this.#versions.keys()].some((known) => isSameVersion(known, version));
  }

  /** Returns the language of a page: the one that it names, or the one that it is written in. */
  languageOf(page: DocsPage): string | undefined {
    return this.#pages.get(page.path)?.language;
  }

  /** The language of most pages, or English if several have as many. */
  get mainLanguage(): string | undefined {
    const most = Math.max(...this.#languages.values());
    if (this.#languages.get('en') === most) return 'en';
    return [...this.#languages].find(([, count]) => count === most)?.[0];
  }

  /**
   * Returns how specific a term is. Rare terms have a high value, and terms that occur nowhere the
   * highest.
   */
  rarity(term: string): number {
    return this.#sectionIndex.rarity(this.#vocabulary.numberOf(term) ?? -1);
  }

  /** The {@link rarity} of a term that occurs nowhere. */
  get greatestRarity(): number {
    return this.#sectionIndex.rarity(-1);
  }

  /** Returns whether any section has a word with this beginning. */
  hasBeginning(beginning: string): boolean {
    return this.beginningWith(beginning).length > 0;
  }

  /** Returns the words of the docs with this beginning, which must have three letters or more. */
  beginningWith(beginning: string): string[] {
    return this.#known(this.#vocabulary.beginningWith(beginning));
  }

  /** Returns the words of the docs that contain a text. Slow, because it checks every word. */
  wordsContaining(text: string): string[] {
    return this.#known(this.#vocabulary.containing(text));
  }

  /** Returns the words of the docs that differ from a word by one spelling mistake. */
  misspeltFrom(word: string): string[] {
    return this.#known(this.#vocabulary.misspeltFrom(word));
  }

  /** Returns whether any page has exactly this term. */
  has(term: string): boolean {
    return this.#pageIndex.count(this.#vocabulary.numberOf(term) ?? -1) > 0;
  }

  /** Returns the sections that match any of the concepts, best first. */
  search(
    concepts: readonly Concept[],
    accepts: (page: DocsPage) => boolean,
    limit: number,
  ): SectionHit[] {
    const searched = concepts.map((concept) => this.#searched(concept));
    const sectionScores = new Float64Array(this.#sections.length);
    const pageScores = new Float64Array(this.#pageNumbers);
    const sectionScratch = new Float64Array(this.#sections.length);
    const pageScratch = new Float64Array(this.#pageNumbers);
    for (const { weight, variants } of searched) {
      const weighted = new Map([...variants].map(([word, likeness]) => [word, likeness * weight]));
      this.#sectionIndex.addScores(weighted, sectionScores, sectionScratch, shares.section);
      this.#headingIndex.addScores(weighted, sectionScores, sectionScratch, shares.headings);
      this.#pageIndex.addScores(weighted, pageScores, pageScratch, shares.page);
      this.#headIndex.addScores(weighted, pageScores, pageScratch, shares.head);
    }
    return this.#best(sectionScores, pageScores, accepts, limit).map((found) =>
      this.#hit(found, searched),
    );
  }

  #searched(concept: Concept): SearchedConcept {
    const { term, weight, variants } = concept;
    const numbered = new Map<number, number>();
    for (const [word, likeness] of variants) {
      const number = this.#vocabulary.numberOf(word);
      if (number !== undefined) numbered.set(number, likeness);
    }
    const worth = weight * this.rarityOf(concept);
    return { term, weight, worth, variants: numbered };
  }

  /** Describes how a section matches. */
  #hit({ stored, number, score }: ScoredSection, concepts: readonly SearchedConcept[]): SectionHit {
    const { page, section, pageNumber, words, heading, ancestors } = stored;
    const { title = [], head: pageHead = [] } = this.#pages.get(page.path) ?? {};
    const head = new Set([...pageHead, ...heading, ...ancestors]);
    const matched = new Map<string, number>();
    const onPage = new Map<string, number>();
    const inHead = new Map<string, number>();
    const meanings = new Map<number, Meaning>();
    let whole = 0;
    concepts.forEach(({ term, worth, variants }, concept) => {
      whole += worth;
      for (const [word, likeness] of variants) {
        const meant = worth * likeness;
        if ((meanings.get(word)?.worth ?? 0) < meant) {
          meanings.set(word, { concept, likeness, worth: meant });
        }
        if (head.has(word)) raise(inHead, term, likeness);
        if (head.has(word) || this.#sectionIndex.has(number, word)) raise(matched, term, likeness);
        if (this.#pageIndex.has(pageNumber, word)) raise(onPage, term, likeness);
      }
    });
    const topic = Math.max(this.#topic(heading, meanings), this.#topic(title, meanings));
    return {
      page,
      section,
      score,
      matched,
      onPage,
      inHead,
      topic: whole === 0 ? 0 : topic / whole,
      passage: whole === 0 ? 0 : bestPassage(words, meanings) / whole,
      words,
    };
  }

  /**
   * Returns the worth of the concepts that a heading has. The worth is lower if the heading has other words
   * too.
   */
  #topic(heading: readonly number[], meanings: ReadonlyMap<number, Meaning>): number {
    let all = 0;
    let matched = 0;
    let worth = 0;
    for (const word of new Set(heading)) {
      const rarity = this.#sectionIndex.rarity(word);
      const meaning = meanings.get(word);
      all += rarity;
      matched += rarity * (meaning?.likeness ?? 0);
      worth += meaning?.worth ?? 0;
    }
    return all === 0 ? 0 : (matched / all) * worth;
  }

  /**
   * Returns the {@link rarity} of a concept's word. If the docs do not have the word, returns the rarity of
   * the rarest of its variants.
   */
  rarityOf({ term, variants }: Concept): number {
    if (this.has(term)) return this.rarity(term);
    const alike = [...variants.keys()]
      .filter((word) => this.has(word))
      .map((word) => this.rarity(word));
    return alike.length === 0 ? this.greatestRarity : Math.max(...alike);
  }

  #best(
    sectionScores: Float64Array,
    pageScores: Float64Array,
    accepts: (page: DocsPage) => boolean,
    limit: number,
  ): ScoredSection[] {
    const found: ScoredSection[] = [];
    const accepted = new Map<number, boolean>();
    this.#sections.forEach((stored, number) => {
      const own = sectionScores[number] ?? 0;
      if (!stored || own === 0) return;
      const { pageNumber } = stored;
      let isAccepted = accepted.get(pageNumber);
      if (isAccepted === undefined) {
        isAccepted = accepts(stored.page);
        accepted.set(pageNumber, isAccepted);
      }
      if (!isAccepted) return;
      found.push({ stored, number, score: own + (pageScores[pageNumber] ?? 0) });
    });
    return found.sort((one, other) => other.score - one.score).slice(0, limit);
  }

  #words(text: string): number[] {
    return termsOf(text).map((term) => this.#vocabulary.add(term.text));
  }

  #wordsOf(blocks: readonly SectionBlock[]): number[] {
    return this.#words(blocks.map((block) => block.text).join('\n'));
  }

  #known(words: readonly number[]): string[] {
    return words
      .filter((word) => this.#pageIndex.count(word) > 0)
      .map((word) => this.#vocabulary.wordOf(word));
  }
}

/** Minimum number of frequent words of a language that a page in this language has. */
const MIN_LANGUAGE_WORDS = 8;
/** Number of characters of a page that are enough to tell its language. */
const LANGUAGE_SAMPLE = 4000;

function languageOfPage(page: DocsPage): string | undefined {
  if (page.language !== undefined) return page.language.toLowerCase().split(/[-_]/)[0];
  let sample = '';
  for (const { blocks } of page.sections) {
    for (const block of blocks) if (!isCode(block)) sample += `${block.text}\n`;
    if (sample.length > LANGUAGE_SAMPLE) break;
  }
  return languageOfText(sample, MIN_LANGUAGE_WORDS) ?? languageOfPath(page.path);
}

function isCode(block: SectionBlock): boolean {
  return block.kind === 'code';
}

function count(counts: Map<string, number>, key: string | undefined, change: 1 | -1): void {
  if (key === undefined) return;
  const after = (counts.get(key) ?? 0) + change;
  if (after === 0) counts.delete(key);
  else counts.set(key, after);
}

/** Appends numbers one by one, because the number of arguments of `Array.push` is limited. */
function push(all: number[], more: Iterable<number>): void {
  for (const word of more) all.push(word);
}

function raise(credits: Map<string, number>, term: string, credit: number): void {
  credits.set(term, Math.max(credits.get(term) ?? 0, credit));
}

/** Returns the greatest sum of worth that different concepts reach within a passage. */
function bestPassage(words: Int32Array, meanings: ReadonlyMap<number, Meaning>): number {
  const places: (Meaning & { position: number })[] = [];
  words.forEach((word, position) => {
    const meaning = meanings.get(word);
    if (meaning) places.push({ ...meaning, position });
  });
  let best = 0;
  places.forEach(({ position: start }, first) => {
    const reached = new Map<number, number>();
    for (let next = first; next < places.length; next++) {
      const place = places[next];
      if (!place || place.position - start >= PASSAGE_WORDS) break;
      reached.set(place.concept, Math.max(reached.get(place.concept) ?? 0, place.worth));
    }
    let sum = 0;
    for (const worth of reached.values()) sum += worth;
    best = Math.max(best, sum);
  });
  return best;
}
