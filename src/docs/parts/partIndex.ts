import type { ExampleLanguage } from '../pages/codeLanguages';
import type { LinkRoots } from '../pages/links';
import type { DocsPage } from '../pages/page';
import { routeOf } from '../pages/pagePath';
import type { Section, SectionBlock } from '../pages/sections';
import {
  type Concept,
  type DocsIndex,
  type DocsStatistics,
  type IndexedSet,
  rarityOf,
  type SectionHit,
} from '../search/docsIndex';
import { FieldIndex } from '../search/fieldIndex';
import type { KeptEntries } from '../search/keptPostings';
import {
  pageWeights,
  searchSections,
  sectionWeights,
  statisticsOf,
  type StoredSection,
} from '../search/sectionSearch';
import { termsOf } from '../search/terms';
import { isOneEditApart } from '../search/vocabulary';
import type { IndexFacts, PageFacts } from './indexFacts';
import type { PageTexts } from './partFormat';

/**
 * The parts of an index that are in memory. What isn't is undefined or empty, and is asked for, so that the search can
 * run again when it is there.
 */
export interface IndexParts {
  /** Returns the postings of a word, or undefined if the docs don't have it. */
  postingsOf(word: string): KeptEntries | undefined;
  /** Returns words with a beginning. */
  beginningWith(beginning: string): readonly string[];
  /** Returns all words. */
  vocabulary(): readonly string[];
  /** Returns the texts of the page at a place. */
  textsOf(page: number): PageTexts | undefined;
  codeLanguagesOf(section: number): readonly ExampleLanguage[];
}

/** Pages without texts in memory after which a look at many pages waits for them. */
const AHEAD = 50;

/**
 * An index in parts. Finds what the whole index finds (`setIndex.ts`) with the same scores, and loads only the words of a
 * question and the texts of what it finds.
 */
export class PartIndex implements DocsIndex, IndexedSet {
  readonly set = undefined;
  readonly sets: readonly IndexedSet[] = [this];
  readonly versions: readonly string[];
  readonly languages: readonly string[];
  readonly currentVersion: string | undefined;
  readonly mainLanguage: string | undefined;
  readonly roots?: LinkRoots;
  readonly statistics: DocsStatistics;
  readonly #facts: IndexFacts;
  readonly #parts: IndexParts;
  readonly #pages: (PartPage | undefined)[] = [];
  readonly #sections: FieldIndex;
  readonly #pageTexts: FieldIndex;
  /** Numbers of the words that were looked up, and their postings. */
  readonly #numbers = new Map<string, number>();
  readonly #found: KeptEntries[] = [];

  constructor(facts: IndexFacts, parts: IndexParts) {
    this.#facts = facts;
    this.#parts = parts;
    const { editions, sectionLengths, pageLengths } = facts;
    this.versions = editions.versions;
    this.languages = editions.languages;
    this.currentVersion = editions.currentVersion;
    this.mainLanguage = editions.mainLanguage;
    this.roots = facts.roots;
    const postings = (word: number): KeptEntries => this.#found[word] ?? noEntries;
    this.#sections = new FieldIndex(
      sectionWeights,
      (word) => postings(word).sections,
      sectionLengths,
    );
    this.#pageTexts = new FieldIndex(pageWeights, (word) => postings(word).pages, pageLengths);
    const numberOf = (word: string): number | undefined => this.#numberOf(word);
    this.statistics = {
      sections: statisticsOf(this.#sections, numberOf),
      pages: statisticsOf(this.#pageTexts, numberOf),
    };
  }

  get pageCount(): number {
    return this.#facts.pages.length;
  }

  get sectionCount(): number {
    return this.#facts.sectionLengths.count;
  }

  *pages(): Iterable<DocsPage> {
    for (let place = 0; place < this.#facts.pages.length; place++) {
      const page = this.#pageAt(place);
      if (page) yield page;
    }
  }

  *pagesWith(terms: readonly string[]): Iterable<DocsPage> {
    const [first, ...others] = terms.map(
      (term) => new Set(pagesIn(this.#parts.postingsOf(term) ?? noEntries)),
    );
    const places = first ?? this.#facts.pages.keys();
    let there = 0;
    let missing = 0;
    for (const place of places) {
      const page = others.every((other) => other.has(place)) ? this.#pageAt(place) : undefined;
      if (!page) continue;
      if (this.#parts.textsOf(place)) there++;
      else missing++;
      yield page;
      // Twice as many each time, so that a name in the first pages doesn't load all others.
      if (missing >= Math.max(AHEAD, there)) return;
    }
  }

  setOf(): IndexedSet {
    return this;
  }

  pageAtPath(path: string): DocsPage | undefined {
    return this.#pageAt(this.#facts.byPath.get(path));
  }

  pageAtRoute(route: string): DocsPage | undefined {
    return this.#pageAt(this.#facts.byRoute.get(route));
  }

  pageAtPlainRoute(route: string): DocsPage | undefined {
    return this.#pageAt(this.#facts.byPlainRoute.get(route));
  }

  hasLanguage(language: string): boolean {
    return this.#facts.readLanguages.has(language);
  }

  languageOf({ path }: DocsPage): string | undefined {
    return this.#facts.pages[this.#facts.byPath.get(path) ?? -1]?.readLanguage;
  }

  /**
   * Looks up the words of a text. Do so before a search for it: a search takes a word whose part is missing for one that
   * the docs don't have, and asks for the parts of words that it may be made of.
   */
  lookUp(text: string): void {
    for (const term of termsOf(text)) this.#numberOf(term.text);
  }

  rarity(term: string): number {
    const { sections } = this.statistics;
    return rarityOf(sections, sections.count(term));
  }

  has(term: string): boolean {
    return this.#numberOf(term) !== undefined;
  }

  hasBeginning(beginning: string): boolean {
    return this.#parts.vocabulary().some((word) => word.startsWith(beginning));
  }

  beginningWith(beginning: string): string[] {
    return [...this.#parts.beginningWith(beginning)];
  }

  misspeltFrom(word: string): string[] {
    return this.#parts
      .vocabulary()
      .filter((known) => Math.abs(known.length - word.length) <= 1 && isOneEditApart(word, known));
  }

  search(
    concepts: readonly Concept[],
    accepts: (page: DocsPage) => boolean,
    limit: number,
  ): SectionHit[] {
    return searchSections(
      {
        sections: this.#sections,
        pages: this.#pageTexts,
        sectionEnd: this.#facts.sectionEnd,
        pageEnd: this.pageCount,
        numberOf: (word) => this.#numberOf(word),
        sectionAt: (number) => this.#sectionAt(number),
      },
      concepts,
      accepts,
      limit,
      this.statistics,
    );
  }

  #sectionAt(number: number): StoredSection | undefined {
    const pageNumber = this.#facts.pageOf(number);
    const page = this.#pageAt(pageNumber);
    return page && { page, position: number - page.firstSection, pageNumber };
  }

  #pageAt(place = -1): PartPage | undefined {
    const known = this.#pages[place];
    const facts = this.#facts.pages[place];
    if (known || !facts) return known;
    const page = new PartPage(facts, place, this.#parts);
    this.#pages[place] = page;
    return page;
  }

  #numberOf(word: string): number | undefined {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    const entries = this.#parts.postingsOf(word);
    if (!entries) return undefined;
    const number = this.#found.push(entries) - 1;
    this.#numbers.set(word, number);
    return number;
  }
}

const noEntries: KeptEntries = { sections: [], pages: [] };

function pagesIn({ pages }: KeptEntries): number[] {
  return pages.filter((_, place) => place % 2 === 0);
}

/** A page whose texts are loaded when they are needed. */
class PartPage implements DocsPage {
  readonly path: string;
  readonly route: string;
  readonly title: string;
  readonly version: string | undefined;
  readonly language: string | undefined;
  readonly canonicalUrl: string | undefined;
  readonly groups: readonly string[];
  readonly firstSection: number;
  readonly problems = [];
  readonly #facts: PageFacts;
  readonly #place: number;
  readonly #parts: IndexParts;
  #sections: readonly Section[] | undefined;

  constructor(facts: PageFacts, place: number, parts: IndexParts) {
    this.path = facts.path;
    this.route = routeOf(facts.path);
    this.title = facts.title;
    this.version = facts.version;
    this.language = facts.language;
    this.canonicalUrl = facts.canonicalUrl;
    this.groups = facts.groups;
    this.firstSection = facts.firstSection;
    this.#facts = facts;
    this.#place = place;
    this.#parts = parts;
  }

  get description(): string {
    return this.#facts.description ?? this.#texts()?.description ?? '';
  }

  get references(): Readonly<Record<string, string>> {
    return this.#texts()?.references ?? {};
  }

  get sections(): readonly Section[] {
    return (this.#sections ??= Array.from(
      { length: this.#facts.count },
      (_, position) =>
        new PartSection(
          () => this.#texts()?.sections[position],
          () => this.#parts.codeLanguagesOf(this.firstSection + position),
        ),
    ));
  }

  #texts(): PageTexts | undefined {
    return this.#parts.textsOf(this.#place);
  }
}

/** A section whose texts are loaded when they are needed. It is empty until then. */
class PartSection implements Section {
  readonly #texts: () => PageTexts['sections'][number] | undefined;
  readonly #codeLanguages: () => readonly ExampleLanguage[];

  constructor(
    texts: () => PageTexts['sections'][number] | undefined,
    codeLanguages: () => readonly ExampleLanguage[],
  ) {
    this.#texts = texts;
    this.#codeLanguages = codeLanguages;
  }

  get heading(): string {
    return this.#texts()?.heading ?? '';
  }

  get ancestors(): readonly string[] {
    return this.#texts()?.ancestors ?? [];
  }

  get slug(): string {
    return this.#texts()?.slug ?? '';
  }

  get blocks(): readonly SectionBlock[] {
    return this.#texts()?.blocks ?? [];
  }

  get codeLanguages(): readonly ExampleLanguage[] {
    return this.#codeLanguages();
  }
}
