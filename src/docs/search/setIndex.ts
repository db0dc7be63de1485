import type { DocsSet } from '../../common/localDocsApi';
import { type LinkRoots, plainRoute } from '../pages/links';
import { compareVersions, isSameVersion } from '../pages/pageFilter';
import type { DocsPage, FoundSection } from '../pages/page';
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
import { languageOfPath } from './languages';
import { PAGE_FIELDS, type PageWords, type ReadPage, readWords, SECTION_FIELDS } from './pageWords';
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

interface StoredPage extends ReadPage {
  readonly number: number;
  readonly firstSection: number;
}

interface StoredSection extends FoundSection {
  readonly pageNumber: number;
  /** Words of the section in order: its heading, its text, its code. */
  readonly words: Int32Array;
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
  readonly #sectionIndex = new FieldIndex(sectionWeights);
  readonly #pageIndex = new FieldIndex(pageWeights);
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
    const [title = noWords, path = noWords, ...fields] = fieldsOf(words);
    const all: Record<'headings' | 'text' | 'code', Int32Array[]> = {
      headings: [],
      text: [],
      code: [],
    };
    page.sections.forEach((section, position) => {
      const first = position * SECTION_FIELDS;
      const [ancestors = noWords, heading = noWords, text = noWords, code = noWords] = fields.slice(
        first,
        first + SECTION_FIELDS,
      );
      const sectionNumber = this.#sections.length;
      // The fields of a section are next to each other, so its words need no array of their own.
      const { buffer, byteOffset } = heading;
      const length = heading.length + text.length + code.length;
      const own = new Int32Array(buffer, byteOffset, length);
      this.#sections.push({ page, section, pageNumber: number, words: own });
      const inFields = [[heading], [ancestors], [title], [path], [text], [code]];
      this.#sectionIndex.add(sectionNumber, inFields);
      this.#sectionCount++;
      all.headings.push(heading);
      all.text.push(text);
      all.code.push(code);
    });
    this.#pageIndex.add(number, [[title], [path], all.headings, all.text, all.code]);
    this.#pages.set(page.path, { page, language, words, number, firstSection });
    this.#count(page, language, 1);
    this.#paths.set(page.route, page.path);
    this.#plainPaths.set(plainRoute(page.route), page.path);
  }

  remove(path: string): void {
    const stored = this.#pages.get(path);
    if (!stored) return;
    const { page, language, words, number, firstSection } = stored;
    this.#pages.delete(path);
    this.#count(page, language, -1);
    if (this.#paths.get(page.route) === path) this.#paths.delete(page.route);
    const plain = plainRoute(page.route);
    if (this.#plainPaths.get(plain) === path) this.#plainPaths.delete(plain);
    const fields = fieldsOf(words);
    const head = fields.slice(0, PAGE_FIELDS);
    for (let position = 0; position < page.sections.length; position++) {
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
    return this.#best(sectionScores, pageScores, accepts, limit).map(
      ({ stored, number, score }) => ({
        page: stored.page,
        section: stored.section,
        score,
        matched: this.#matched(number, concepts),
        words: () => Array.from(stored.words, (word) => this.vocabulary.wordOf(word)),
      }),
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
