import type { ExampleLanguage } from '../pages/codeLanguages';
import { plainRoute } from '../pages/links';
import type { DocsPage } from '../pages/page';
import { isSameVersion } from '../pages/pageFilter';
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
import { type KeptEntries, keptEntries } from '../search/keptPostings';
import { readPostings } from '../search/postingBytes';
import {
  pageWeights,
  searchSections,
  sectionWeights,
  statisticsOf,
  type StoredSection,
} from '../search/sectionSearch';
import { termsOf } from '../search/terms';
import { isOneEditApart } from '../search/vocabulary';
import {
  type CodeLanguagesPart,
  PARTS_FORMAT,
  type PartsHead,
  type PageTexts,
  readTexts,
  readWordsPart,
  type WordsPart,
  type WrittenPage,
} from './partFormat';
import type { PartStore } from './partStore';

/** Parts of words that are loaded for the beginning of a word. Shorter beginnings have more. */
const MAX_BEGINNING_PARTS = 3;

interface FoundWord {
  readonly part: WordsPart;
  readonly place: number;
}

/** Reads the head of an index. Undefined if it isn't in memory yet. @throws for another format. */
export function readHead(store: PartStore, name: string): PartsHead | undefined {
  const head = store.get(name, (bytes) => jsonPart(bytes) as PartsHead);
  if (head && head.format !== PARTS_FORMAT) throw new Error('The index has another format');
  return head;
}

/** Returns the JSON of a part. A writer of ours wrote it, and its name is its content, so callers know its type. */
function jsonPart(bytes: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(bytes));
}

/**
 * The index of a site in parts. Finds what the whole index finds (`setIndex.ts`) with the same scores, and loads only the
 * words of a question and the texts of what it finds.
 */
export class PartIndex implements DocsIndex, IndexedSet {
  readonly set = undefined;
  readonly sets: readonly IndexedSet[] = [this];
  readonly versions: readonly string[];
  readonly languages: readonly string[];
  readonly currentVersion: string | undefined;
  readonly mainLanguage: string | undefined;
  readonly statistics: DocsStatistics;
  readonly #head: PartsHead;
  readonly #store: PartStore;
  readonly #pages: readonly PartPage[];
  readonly #byRoute = new Map<string, PartPage>();
  readonly #byPlainRoute = new Map<string, PartPage>();
  readonly #byPath = new Map<string, PartPage>();
  readonly #sections: FieldIndex;
  readonly #pageTexts: FieldIndex;
  /** Number of the page of each section. */
  readonly #pageOf: Int32Array;
  /** Numbers of the words that were looked up, and where their postings are. */
  readonly #numbers = new Map<string, number>();
  readonly #found: FoundWord[] = [];
  #last: { readonly word: number; readonly entries: KeptEntries } | undefined;

  constructor(head: PartsHead, store: PartStore) {
    this.#head = head;
    this.#store = store;
    const { pages, sectionLengths } = head;
    this.versions = head.versions;
    this.languages = head.languages;
    this.currentVersion = head.currentVersion;
    this.mainLanguage = head.mainLanguage;
    this.#sections = new FieldIndex(sectionWeights, (word) => this.#entriesOf(word).sections);
    this.#pageTexts = new FieldIndex(pageWeights, (word) => this.#entriesOf(word).pages);
    sectionLengths.forEach((length, section) => this.#sections.addKept(section, length));
    pages.lengths.forEach((length, page) => this.#pageTexts.addKept(page, length));
    this.#pageOf = new Int32Array(sectionLengths.length);
    let first = 0;
    this.#pages = pages.paths.map((path, number) => {
      const count = pages.sections[number] ?? 0;
      const page = new PartPage(
        {
          number,
          path,
          title: pages.titles[number] ?? '',
          version: head.versions[pages.versions[number] ?? -1],
          language: head.languages[pages.languages[number] ?? -1],
          count,
          firstSection: first,
        },
        () => this.#textsOf(number),
        (section) => this.#codeLanguagesOf(section),
      );
      this.#pageOf.fill(number, first, first + count);
      first += count;
      this.#byPath.set(path, page);
      this.#byRoute.set(page.route, page);
      this.#byPlainRoute.set(plainRoute(page.route), page);
      return page;
    });
    const numberOf = (word: string): number | undefined => this.#numberOf(word);
    this.statistics = {
      sections: statisticsOf(this.#sections, numberOf),
      pages: statisticsOf(this.#pageTexts, numberOf),
    };
  }

  get pageCount(): number {
    return this.#pages.length;
  }

  get sectionCount(): number {
    return this.#pageOf.length;
  }

  pages(): Iterable<DocsPage> {
    return this.#pages;
  }

  setOf(): IndexedSet {
    return this;
  }

  pageAtPath(path: string): DocsPage | undefined {
    return this.#byPath.get(path);
  }

  pageAtRoute(route: string): DocsPage | undefined {
    return this.#byRoute.get(route);
  }

  pageAtPlainRoute(route: string): DocsPage | undefined {
    return this.#byPlainRoute.get(route);
  }

  hasVersion(version: string): boolean {
    return this.versions.some((known) => isSameVersion(known, version));
  }

  hasLanguage(language: string): boolean {
    return this.#head.readLanguages.includes(language);
  }

  languageOf({ path }: DocsPage): string | undefined {
    const number = this.#byPath.get(path)?.number ?? -1;
    return this.#head.readLanguages[this.#head.pages.readLanguages[number] ?? -1];
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
    return this.#vocabulary()?.some((word) => word.startsWith(beginning)) ?? false;
  }

  beginningWith(beginning: string): string[] {
    const { words } = this.#head;
    const first = this.#partOf(beginning);
    const begun: string[] = [];
    for (let at = first; at < first + MAX_BEGINNING_PARTS; at++) {
      const [start, name] = words[at] ?? [];
      if (start === undefined || name === undefined) break;
      if (start > beginning && !start.startsWith(beginning)) break;
      const part = this.#store.get(name, readWordsPart);
      for (const word of part?.words ?? []) if (word.startsWith(beginning)) begun.push(word);
    }
    return begun;
  }

  misspeltFrom(word: string): string[] {
    return (
      this.#vocabulary()?.filter(
        (known) => Math.abs(known.length - word.length) <= 1 && isOneEditApart(word, known),
      ) ?? []
    );
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
        sectionEnd: this.#pageOf.length,
        pageEnd: this.#pages.length,
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
    const pageNumber = this.#pageOf[number] ?? -1;
    const page = this.#pages[pageNumber];
    return page && { page, position: number - page.firstSection, pageNumber };
  }

  #vocabulary(): readonly string[] | undefined {
    return this.#store.get(this.#head.vocabulary, (bytes) =>
      new TextDecoder().decode(bytes).split('\n'),
    );
  }

  /** Returns the place of the part that has a word, if the docs have it. */
  #partOf(word: string): number {
    const { words } = this.#head;
    let [low, high] = [0, words.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((words[middle]?.[0] ?? '') <= word) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #numberOf(word: string): number | undefined {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    const name = this.#head.words[this.#partOf(word)]?.[1];
    const part = name === undefined ? undefined : this.#store.get(name, readWordsPart);
    const place = part?.words.indexOf(word) ?? -1;
    if (!part || place < 0) return undefined;
    const number = this.#found.push({ part, place }) - 1;
    this.#numbers.set(word, number);
    return number;
  }

  #entriesOf(word: number): KeptEntries {
    if (this.#last?.word === word) return this.#last.entries;
    const found = this.#found[word];
    const list = found ? readPostings(found.part.bytesOf(found.place)) : [];
    const entries = keptEntries([list], (section) => this.#pageOf[section] ?? -1);
    this.#last = { word, entries };
    return entries;
  }

  #textsOf(page: number): PageTexts | undefined {
    const { texts } = this.#head;
    const part = texts.findLast(([first]) => first <= page);
    if (!part) return undefined;
    const [first, name] = part;
    const pages = this.#store.get(name, (bytes) =>
      (jsonPart(bytes) as readonly WrittenPage[]).map(readTexts),
    );
    return pages?.[page - first];
  }

  #codeLanguagesOf(section: number): readonly ExampleLanguage[] {
    const part = this.#store.get(
      this.#head.codeLanguages,
      (bytes) => new Map(jsonPart(bytes) as CodeLanguagesPart),
    );
    return part?.get(section) ?? [];
  }
}

interface PageFacts {
  readonly number: number;
  readonly path: string;
  readonly title: string;
  readonly version: string | undefined;
  readonly language: string | undefined;
  /** Number of sections. */
  readonly count: number;
  readonly firstSection: number;
}

/** A page whose texts are loaded when they are needed. */
class PartPage implements DocsPage {
  readonly path: string;
  readonly route: string;
  readonly title: string;
  readonly version: string | undefined;
  readonly language: string | undefined;
  readonly number: number;
  readonly firstSection: number;
  readonly groups = [];
  readonly references = {};
  readonly problems = [];
  readonly #count: number;
  readonly #texts: () => PageTexts | undefined;
  readonly #codeLanguages: (section: number) => readonly ExampleLanguage[];
  #sections: readonly Section[] | undefined;

  constructor(
    facts: PageFacts,
    texts: () => PageTexts | undefined,
    codeLanguages: (section: number) => readonly ExampleLanguage[],
  ) {
    this.path = facts.path;
    this.route = routeOf(facts.path);
    this.title = facts.title;
    this.version = facts.version;
    this.language = facts.language;
    this.number = facts.number;
    this.firstSection = facts.firstSection;
    this.#count = facts.count;
    this.#texts = texts;
    this.#codeLanguages = codeLanguages;
  }

  get description(): string {
    return this.#texts()?.description ?? '';
  }

  get sections(): readonly Section[] {
    return (this.#sections ??= Array.from(
      { length: this.#count },
      (_, position) =>
        new PartSection(
          () => this.#texts()?.sections[position],
          () => this.#codeLanguages(this.firstSection + position),
        ),
    ));
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
