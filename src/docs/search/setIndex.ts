import type { DocsSet } from '../../common/localDocsApi';
import { type LinkRoots, plainRoute } from '../pages/links';
import type { DocsPage } from '../pages/page';
import {
  type Concept,
  type DocsIndex,
  type DocsStatistics,
  type IndexedSet,
  rarityOf,
  type SectionHit,
} from './docsIndex';
import { FieldIndex } from './fieldIndex';
import { AttachedPostings, type KeptEntries, keptEntries, type KeptPostings } from './keptPostings';
import { Editions } from './editions';
import {
  type KeptPage,
  PAGE_FIELDS,
  type PageWords,
  type ReadPage,
  readWords,
  SECTION_FIELDS,
} from './pageWords';
import {
  lengthsOf,
  pageWeights,
  searchSections,
  sectionWeights,
  statisticsOf,
  type StoredSection,
} from './sectionSearch';
import { Vocabulary } from './vocabulary';

interface StoredPage {
  readonly page: DocsPage;
  readonly language: string | undefined;
  readonly number: number;
  readonly firstSection: number;
  readonly sectionCount: number;
  /** The page's words, or where an earlier process has kept their postings. */
  readonly from: PageWords | KeptPlace;
}

interface KeptPlace {
  readonly postings: AttachedPostings;
  readonly firstSection: number;
}

/**
 * Full-text index of the sections of one set of docs. Its methods are synchronous. Adding a page takes
 * about a millisecond.
 */
export class SetIndex implements DocsIndex, IndexedSet {
  readonly set: DocsSet | undefined;
  readonly sets: readonly IndexedSet[] = [this];
  readonly statistics: DocsStatistics;
  /** Targets of links from the site's root, absent until the site's configuration is read. */
  roots?: LinkRoots;
  /** Words of all pages that were ever added. */
  readonly vocabulary = new Vocabulary();
  readonly #sectionIndex = new FieldIndex(sectionWeights, (word) => this.#keptOf(word).sections);
  readonly #pageIndex = new FieldIndex(pageWeights, (word) => this.#keptOf(word).pages);
  readonly #attached = new Map<KeptPostings, AttachedPostings>();
  /** Postings of the kept pages for the word that was looked up last. */
  #lastKept: { readonly word: number; readonly found: KeptEntries } | undefined;
  readonly #pages = new Map<string, StoredPage>();
  readonly #paths = new Map<string, string>();
  /** Paths by plain route. If several pages share a route, the last one that was added wins. */
  readonly #plainPaths = new Map<string, string>();
  readonly #sections: (StoredSection | undefined)[] = [];
  readonly #editions = new Editions();
  #pageNumbers = 0;
  #sectionCount = 0;

  /** @param set name of the set, which its pages get. */
  constructor(set?: DocsSet) {
    this.set = set;
    const numberOf = (word: string): number | undefined => this.vocabulary.numberOf(word);
    this.statistics = {
      sections: statisticsOf(this.#sectionIndex, numberOf),
      pages: statisticsOf(this.#pageIndex, numberOf),
    };
  }

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

  setOf(): IndexedSet {
    return this;
  }

  /** Adds a page, replacing one with the same path. */
  put(page: DocsPage): void {
    this.add(readWords(page, this.vocabulary));
  }

  /**
   * Adds a page whose words are known, replacing one with the same path. Takes a tenth of the time of
   * {@link put}.
   * @param read with numbers of this index's vocabulary.
   */
  add(read: ReadPage): void {
    const { language, words } = read;
    const page = this.set ? { ...read.page, set: this.set } : read.page;
    this.remove(page.path);
    const number = this.#pageNumbers++;
    const firstSection = this.#sections.length;
    const fields = fieldsOf(words);
    const lengths = lengthsOf(words.counts);
    const [title = noWords, path = noWords] = fields;
    const all: Record<'headings' | 'text' | 'code', Int32Array[]> = {
      headings: [],
      text: [],
      code: [],
    };
    page.sections.forEach((_section, position) => {
      const inFields = sectionFields(fields, position);
      const [[heading], , , , [text], code] = inFields;
      this.#sectionIndex.add(this.#sections.length, inFields, lengths.sections[position] ?? 0);
      this.#sections.push({ page, position, pageNumber: number });
      this.#sectionCount++;
      all.headings.push(heading);
      all.text.push(text);
      all.code.push(...code);
    });
    const { headings, text, code } = all;
    this.#pageIndex.add(number, [[title], [path], headings, text, code], lengths.page);
    const sectionCount = page.sections.length;
    this.#store({ page, language, number, firstSection, sectionCount, from: words });
  }

  /**
   * Adds a page that an earlier process has read, replacing one with the same path. Reads neither its sections nor
   * its postings.
   */
  addKept({ page, language, counts, postings, firstSection: from }: KeptPage): void {
    this.remove(page.path);
    this.#lastKept = undefined;
    let attached = this.#attached.get(postings);
    if (!attached) {
      attached = new AttachedPostings(postings, this.vocabulary);
      this.#attached.set(postings, attached);
    }
    const number = this.#pageNumbers++;
    const firstSection = this.#sections.length;
    const lengths = lengthsOf(counts);
    const sectionCount = lengths.sections.length;
    lengths.sections.forEach((length, position) => {
      this.#sectionIndex.addKept(this.#sections.length, length);
      this.#sections.push({ page, position, pageNumber: number });
      this.#sectionCount++;
    });
    this.#pageIndex.addKept(number, lengths.page);
    attached.attach(from, sectionCount, firstSection);
    const place = { postings: attached, firstSection: from };
    this.#store({ page, language, number, firstSection, sectionCount, from: place });
  }

  #store(stored: StoredPage): void {
    const { page, language } = stored;
    this.#pages.set(page.path, stored);
    this.#editions.count(page, language, 1);
    this.#paths.set(page.route, page.path);
    this.#plainPaths.set(plainRoute(page.route), page.path);
  }

  /** Returns the postings of the kept pages for a word, by section and by page. */
  #keptOf(word: number): KeptEntries {
    if (this.#lastKept?.word === word) return this.#lastKept.found;
    const lists = [...this.#attached.values()].map((postings) => {
      const list: number[] = [];
      postings.collect(word, list);
      return list;
    });
    const found = keptEntries(lists, (section) => this.#sections[section]?.pageNumber ?? -1);
    this.#lastKept = { word, found };
    return found;
  }

  remove(path: string): void {
    const stored = this.#pages.get(path);
    if (!stored) return;
    const { page, language, number, firstSection, sectionCount, from } = stored;
    this.#pages.delete(path);
    this.#lastKept = undefined;
    this.#editions.count(page, language, -1);
    if (this.#paths.get(page.route) === path) this.#paths.delete(page.route);
    const plain = plainRoute(page.route);
    if (this.#plainPaths.get(plain) === path) this.#plainPaths.delete(plain);
    if ('postings' in from) {
      from.postings.detach(from.firstSection, sectionCount);
      for (let position = 0; position < sectionCount; position++) {
        this.#sectionIndex.removeKept(firstSection + position);
        this.#sections[firstSection + position] = undefined;
        this.#sectionCount--;
      }
      this.#pageIndex.removeKept(number);
      return;
    }
    const fields = fieldsOf(from);
    const head = fields.slice(0, PAGE_FIELDS);
    for (let position = 0; position < sectionCount; position++) {
      const first = PAGE_FIELDS + position * SECTION_FIELDS;
      const own = fields.slice(first, first + SECTION_FIELDS);
      this.#sectionIndex.remove(firstSection + position, [...head, ...own]);
      this.#sections[firstSection + position] = undefined;
      this.#sectionCount--;
    }
    // The page's own fields don't have the headings above its sections, which are headings themselves.
    this.#pageIndex.remove(number, fields);
  }

  languageOf(page: DocsPage): string | undefined {
    return this.#pages.get(page.path)?.language;
  }

  /** Language that the configuration of the docs names, such as `en` or `pt-BR`. */
  set configuredLanguage(language: string) {
    this.#editions.configuredLanguage = language;
  }

  get versions(): readonly string[] {
    return this.#editions.versions;
  }

  get currentVersion(): string | undefined {
    return this.#editions.currentVersion;
  }

  hasLanguage(language: string): boolean {
    return this.#editions.hasLanguage(language);
  }

  get mainLanguage(): string | undefined {
    return this.#editions.mainLanguage;
  }

  rarity(term: string): number {
    const { sections } = this.statistics;
    return rarityOf(sections, sections.count(term));
  }

  hasBeginning(beginning: string): boolean {
    return this.beginningWith(beginning).length > 0;
  }

  beginningWith(beginning: string): string[] {
    return this.#known(this.vocabulary.beginningWith(beginning));
  }

  misspeltFrom(word: string): string[] {
    return this.#known(this.vocabulary.misspeltFrom(word));
  }

  has(term: string): boolean {
    return this.statistics.pages.count(term) > 0;
  }

  /** @param statistics of all docs that are searched, to which the set belongs. */
  search(
    concepts: readonly Concept[],
    accepts: (page: DocsPage) => boolean,
    limit: number,
    statistics: DocsStatistics = this.statistics,
  ): SectionHit[] {
    return searchSections(
      {
        sections: this.#sectionIndex,
        pages: this.#pageIndex,
        sectionEnd: this.#sections.length,
        pageEnd: this.#pageNumbers,
        numberOf: (word) => this.vocabulary.numberOf(word),
        sectionAt: (number) => this.#sections[number],
      },
      concepts,
      accepts,
      limit,
      statistics,
    );
  }

  #known(words: readonly number[]): string[] {
    return words
      .filter((word) => this.#pageIndex.count(word) > 0)
      .map((word) => this.vocabulary.wordOf(word));
  }
}

const noWords = new Int32Array();

type Field = readonly [Int32Array];
type SectionFields = readonly [Field, Field, Field, Field, Field, readonly Int32Array[]];

/** Returns the words of a section's fields, in the order of `sectionWeights`. */
function sectionFields(fields: readonly Int32Array[], position: number): SectionFields {
  const [title = noWords, path = noWords] = fields;
  const first = PAGE_FIELDS + position * SECTION_FIELDS;
  const [
    ancestors = noWords,
    heading = noWords,
    text = noWords,
    code = noWords,
    stopWords = noWords,
  ] = fields.slice(first, first + SECTION_FIELDS);
  return [[heading], [ancestors], [title], [path], [text], [code, stopWords]];
}

/** Postings of the sections of several pages, to be kept. */
export class SectionPostings {
  readonly #index = new FieldIndex(sectionWeights);
  /** Number of sections. */
  count = 0;

  /** Adds the sections of a page. */
  add(words: PageWords): void {
    const fields = fieldsOf(words);
    const count = (fields.length - PAGE_FIELDS) / SECTION_FIELDS;
    for (let position = 0; position < count; position++)
      this.#index.add(this.count++, sectionFields(fields, position), 0);
  }

  /** Returns the words with their sections and packed counts, as in {@link KeptPostings}. */
  all(): ReturnType<FieldIndex['postings']> {
    return this.#index.postings();
  }
}

/** Returns the words of each field. */
function fieldsOf({ numbers, counts }: PageWords): Int32Array[] {
  let end = 0;
  return counts.map((length) => numbers.subarray(end, (end += length)));
}
