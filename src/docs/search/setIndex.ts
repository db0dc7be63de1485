import type { DocsSet } from '../../common/localDocsApi';
import { type LinkRoots, plainRoute } from '../pages/links';
import { compareVersions, isSameVersion } from '../pages/pageFilter';
import type { DocsPage } from '../pages/page';
import {
  type Concept,
  type DocsIndex,
  type DocsStatistics,
  type IndexedSet,
  rarityOf,
  type SectionHit,
  type TextStatistics,
} from './docsIndex';
import { FieldIndex, type WeightedWord } from './fieldIndex';
import { AttachedPostings, type KeptEntries, keptEntries, type KeptPostings } from './keptPostings';
import { languageOfPath } from './languages';
import {
  type KeptPage,
  PAGE_FIELDS,
  type PageWords,
  type ReadPage,
  readWords,
  SECTION_FIELDS,
  sectionWords,
} from './pageWords';
import { Vocabulary } from './vocabulary';

/** Weights of a section's fields: its heading, the headings above it, the page's title and path, text, code. */
const sectionWeights = [3, 1, 2, 1, 1, 0.5];
/** Weights of a page's fields: its title, path, headings, text and code. */
const pageWeights = [4, 1, 3, 1, 0.5];
/** Weight of the page's score in the score of a section. */
const PAGE_SHARE = 1;

/** Docusaurus keeps older versions in this folder, and the current pages outside of it without a version. */
const archived = /(?:^|\/)versioned_docs\//;
/** The version of pages without a version, if the others are older. No page names it. */
const CURRENT = '';

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

interface StoredSection {
  readonly page: DocsPage;
  /** Place of the section in its page. Sections of a kept page are read when they are needed. */
  readonly position: number;
  readonly pageNumber: number;
}

interface ScoredSection {
  readonly stored: StoredSection;
  readonly number: number;
  readonly score: number;
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
  /** Language that the configuration of the docs names, such as `en` or `pt-BR`, or an empty text. */
  configuredLanguage = '';
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
  /** Number of pages by language. */
  readonly #languages = new Map<string, number>();
  /** Number of pages by language, without those in a folder or file that is named after a language. */
  readonly #rootLanguages = new Map<string, number>();
  /** Number of pages in folders of older versions whose current pages have no version. */
  #archivedCount = 0;
  /** Number of pages by version. */
  readonly #versions = new Map<string, number>();
  #pageNumbers = 0;
  #sectionCount = 0;

  /** @param set name of the set, which its pages get. */
  constructor(set?: DocsSet) {
    this.set = set;
    this.statistics = {
      sections: statisticsOf(this.#sectionIndex, this.vocabulary),
      pages: statisticsOf(this.#pageIndex, this.vocabulary),
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
    const [title = noWords, path = noWords] = fields;
    const all: Record<'headings' | 'text' | 'code', Int32Array[]> = {
      headings: [],
      text: [],
      code: [],
    };
    page.sections.forEach((_section, position) => {
      const inFields = sectionFields(fields, position);
      const [[heading], , , , [text], [code]] = inFields;
      this.#sectionIndex.add(this.#sections.length, inFields);
      this.#sections.push({ page, position, pageNumber: number });
      this.#sectionCount++;
      all.headings.push(heading);
      all.text.push(text);
      all.code.push(code);
    });
    this.#pageIndex.add(number, [[title], [path], all.headings, all.text, all.code]);
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
    const sectionCount = (counts.length - PAGE_FIELDS) / SECTION_FIELDS;
    const [title = 0, path = 0] = counts;
    const all = [title, path, 0, 0, 0];
    for (let position = 0; position < sectionCount; position++) {
      const first = PAGE_FIELDS + position * SECTION_FIELDS;
      const [ancestors = 0, heading = 0, text = 0, code = 0] = counts.slice(
        first,
        first + SECTION_FIELDS,
      );
      const fields = [heading, ancestors, title, path, text, code];
      this.#sectionIndex.addKept(this.#sections.length, fields);
      this.#sections.push({ page, position, pageNumber: number });
      this.#sectionCount++;
      [heading, text, code].forEach(
        (more, field) => (all[field + 2] = (all[field + 2] ?? 0) + more),
      );
    }
    this.#pageIndex.addKept(number, all);
    attached.attach(from, sectionCount, firstSection);
    const place = { postings: attached, firstSection: from };
    this.#store({ page, language, number, firstSection, sectionCount, from: place });
  }

  #store(stored: StoredPage): void {
    const { page, language } = stored;
    this.#pages.set(page.path, stored);
    this.#count(page, language, 1);
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
    this.#count(page, language, -1);
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

  hasVersion(version: string): boolean {
    return [...this.#versions.keys()].some((known) => isSameVersion(known, version));
  }

  languageOf(page: DocsPage): string | undefined {
    return this.#pages.get(page.path)?.language;
  }

  get versions(): readonly string[] {
    return [...this.#versions.keys()];
  }

  get currentVersion(): string | undefined {
    return this.#archivedCount > 0 ? CURRENT : this.versions.toSorted(compareVersions)[0];
  }

  hasLanguage(language: string): boolean {
    return this.#languages.has(language);
  }

  get mainLanguage(): string | undefined {
    const configured = this.configuredLanguage.toLowerCase().split(/[-_]/)[0] ?? '';
    if (this.#languages.has(configured)) return configured;
    const counts = this.#rootLanguages.size > 0 ? this.#rootLanguages : this.#languages;
    const most = Math.max(...counts.values());
    if (counts.get('en') === most) return 'en';
    return [...counts].find(([, count]) => count === most)?.[0];
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
    const sectionScores = new Float64Array(this.#sections.length);
    const pageScores = new Float64Array(this.#pageNumbers);
    const sectionScratch = new Float64Array(this.#sections.length);
    const pageScratch = new Float64Array(this.#pageNumbers);
    for (const { weight, variants } of concepts) {
      const inSections: WeightedWord[] = [];
      const inPages: WeightedWord[] = [];
      for (const [word, likeness] of variants) {
        const number = this.vocabulary.numberOf(word);
        if (number === undefined) continue;
        const { sections, pages } = statistics;
        const own = likeness * weight;
        inSections.push({ number, weight: own * rarityOf(sections, sections.count(word)) });
        inPages.push({
          number,
          weight: own * PAGE_SHARE * rarityOf(pages, pages.count(word)),
        });
      }
      this.#sectionIndex.addScores(
        inSections,
        scaleOf(statistics.sections),
        sectionScores,
        sectionScratch,
      );
      this.#pageIndex.addScores(inPages, scaleOf(statistics.pages), pageScores, pageScratch);
    }
    return this.#best(sectionScores, pageScores, accepts, limit).flatMap(
      ({ stored: { page, position }, number, score }) => {
        const section = page.sections[position];
        if (!section) return [];
        const matched = this.#matched(number, concepts);
        return [{ page, section, score, matched, words: () => sectionWords(page, section) }];
      },
    );
  }

  #matched(section: number, concepts: readonly Concept[]): Map<string, number> {
    const matched = new Map<string, number>();
    for (const { term, variants } of concepts) {
      for (const [word, likeness] of variants) {
        const number = this.vocabulary.numberOf(word) ?? -1;
        if (likeness > (matched.get(term) ?? 0) && this.#sectionIndex.has(section, number)) {
          matched.set(term, likeness);
        }
      }
    }
    return matched;
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

  #count(page: DocsPage, language: string | undefined, change: 1 | -1): void {
    count(this.#languages, language, change);
    if (languageOfPath(page.path) === undefined) count(this.#rootLanguages, language, change);
    count(this.#versions, page.version, change);
    if (archived.test(page.path)) this.#archivedCount += change;
  }

  #known(words: readonly number[]): string[] {
    return words
      .filter((word) => this.#pageIndex.count(word) > 0)
      .map((word) => this.vocabulary.wordOf(word));
  }
}

const noWords = new Int32Array();

type Field = readonly [Int32Array];
type SectionFields = readonly [Field, Field, Field, Field, Field, Field];

/** Returns the words of a section's fields, in the order of `sectionWeights`. */
function sectionFields(fields: readonly Int32Array[], position: number): SectionFields {
  const [title = noWords, path = noWords] = fields;
  const first = PAGE_FIELDS + position * SECTION_FIELDS;
  const [ancestors = noWords, heading = noWords, text = noWords, code = noWords] = fields.slice(
    first,
    first + SECTION_FIELDS,
  );
  return [[heading], [ancestors], [title], [path], [text], [code]];
}

/** Postings of the sections of several pages, to be kept. */
export class SectionPostings {
  readonly #index = new FieldIndex(sectionWeights);
  #count = 0;

  /** Adds the sections of a page. */
  add(words: PageWords): void {
    const fields = fieldsOf(words);
    const count = (fields.length - PAGE_FIELDS) / SECTION_FIELDS;
    for (let position = 0; position < count; position++)
      this.#index.add(this.#count++, sectionFields(fields, position));
  }

  /** Returns the words with their sections and packed counts, as in {@link KeptPostings}. */
  all(): ReturnType<FieldIndex['postings']> {
    return this.#index.postings();
  }
}

/** Returns the statistics of an index, as they are at any time. */
function statisticsOf(index: FieldIndex, vocabulary: Vocabulary): TextStatistics {
  return {
    get textCount() {
      return index.textCount;
    },
    get lengthSum() {
      return index.lengthSum;
    },
    count: (word) => index.count(vocabulary.numberOf(word) ?? -1),
  };
}

/** Returns the factor that makes a text's length a multiple of the mean length. */
function scaleOf({ textCount, lengthSum }: TextStatistics): number {
  return textCount === 0 ? 0 : textCount / Math.max(1, lengthSum);
}

/** Returns the words of each field. */
function fieldsOf({ numbers, counts }: PageWords): Int32Array[] {
  let end = 0;
  return counts.map((length) => numbers.subarray(end, (end += length)));
}

function count(counts: Map<string, number>, key: string | undefined, change: 1 | -1): void {
  if (key === undefined) return;
  const after = (counts.get(key) ?? 0) + change;
  if (after === 0) counts.delete(key);
  else counts.set(key, after);
}
