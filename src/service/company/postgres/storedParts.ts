/** An index in PostgreSQL, as questions read it: facts of all pages once, and the words and texts of a question. */
import { type ExampleLanguage, isExampleLanguage } from '../../../docs/pages/codeLanguages';
import { routeOf } from '../../../docs/pages/pagePath';
import { IndexFacts } from '../../../docs/parts/indexFacts';
import { type PageTexts, readTexts, type WrittenPage } from '../../../docs/parts/partFormat';
import type { IndexParts } from '../../../docs/parts/partIndex';
import { Editions } from '../../../docs/search/editions';
import { type KeptEntries, keptEntries } from '../../../docs/search/keptPostings';
import { readPostings } from '../../../docs/search/postingBytes';
import type { SiteConfig } from '../../../docs/siteConfig/siteConfig';
import * as v from 'valibot';
import { StoreDown } from '../stores';
import type { Database } from './database';
import type { ServiceDatabase } from './tables';
import { storedFactsSchema, wordKey } from './indexFormat';
import { configOf } from './storedPages';

/** A generation of an index, which all questions share that ask it. */
export interface StoredIndex {
  readonly id: number;
  readonly generation: number;
  readonly facts: IndexFacts;
  /** Numbers of the pages' rows, in the order of the facts. */
  readonly numbers: readonly number[];
  readonly config: SiteConfig;
}

/** Pages whose facts are read in one query. */
const PAGES = 2000;

/** Reads the facts of the newest generation of an index. Undefined if there is no such index. */
export async function readIndex(
  database: Database,
  domain: string,
  rules: string,
): Promise<StoredIndex | undefined> {
  const row = await database.read((db) =>
    db
      .selectFrom('site_indexes as own')
      .innerJoin('sites', 'sites.domain', 'own.domain')
      .select(['own.id', 'own.generation', 'sites.config'])
      .where('own.domain', '=', domain)
      .where('own.rules', '=', rules)
      .where('own.replaced_at', 'is', null)
      .executeTakeFirst(),
  );
  if (!row) return undefined;
  const { id, generation } = row;
  const config = configOf(row.config);
  const facts = new IndexFacts();
  const editions = new Editions();
  editions.configuredLanguage = config.language;
  const numbers: number[] = [];
  const languages = new Set<string>();
  for (;;) {
    const rows = await database.read((db) =>
      db
        .selectFrom('index_pages')
        .select(['number', 'path', 'facts'])
        .where('index_id', '=', id)
        .where('number', '>', numbers.at(-1) ?? -1)
        .where('from_generation', '<=', generation)
        .where((is) =>
          is.or([is('to_generation', 'is', null), is('to_generation', '>', generation)]),
        )
        .where('facts', 'is not', null)
        .orderBy('number')
        .limit(PAGES)
        .execute(),
    );
    for (const { number, path, facts: written } of rows) {
      const own = v.parse(storedFactsSchema, JSON.parse(written ?? ''));
      const { version, language, readLanguage, firstSection, lengths, code } = own;
      numbers.push(number);
      facts.add({ ...own, path, count: lengths.length }, { page: own.length, sections: lengths });
      for (const [position, names] of code)
        facts.codeLanguages.set(firstSection + position, names.filter(isExampleLanguage));
      if (language !== undefined) languages.add(language);
      editions.count({ path, route: routeOf(path), version }, readLanguage, 1);
    }
    if (rows.length < PAGES) break;
  }
  const { versions, currentVersion, mainLanguage } = editions;
  facts.editions = { versions, languages: [...languages], currentVersion, mainLanguage };
  const { contentFolder, basePaths, publicFolders } = config;
  facts.roots = { contentFolder, basePaths, publicFolders, hasPagesOnly: true };
  return { id, generation, facts, numbers, config };
}

/** Holds values up to a size, and forgets those that were used longest ago. */
class ValueCache<Value> {
  readonly #values = new Map<string, { readonly value: Value; readonly bytes: number }>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(key: string): Value | undefined {
    const found = this.#values.get(key);
    if (!found) return undefined;
    this.#values.delete(key);
    this.#values.set(key, found);
    return found.value;
  }

  set(key: string, value: Value, bytes: number): void {
    this.#bytes += bytes - (this.#values.get(key)?.bytes ?? 0);
    this.#values.delete(key);
    this.#values.set(key, { value, bytes });
    for (const [oldest, { bytes: own }] of this.#values) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#values.delete(oldest);
      this.#bytes -= own;
    }
  }
}

const MB = 1024 * 1024;

/** Keeps what questions have read, for all indexes of a process. */
export class IndexCaches {
  /** Postings of words, or null for a word that no page has. */
  readonly words = new ValueCache<KeptEntries | null>(64 * MB);
  readonly texts = new ValueCache<PageTexts>(32 * MB);
  readonly vocabularies = new ValueCache<readonly string[]>(16 * MB);
}

/** Rounds in which one request asks for more. A search takes five, and one that compares many pages a few more. */
const MAX_ROUNDS = 40;

/** Selects the row of an index where the database has its generation. */
function rowOf({ id, generation }: StoredIndex, db: ServiceDatabase) {
  return db
    .selectFrom('site_indexes as own')
    .where('own.id', '=', id)
    .where('own.generation', '>=', generation);
}

/** The parts of an index that one request has read. They stay until it ends. */
export class StoredParts implements IndexParts {
  readonly #database: Database;
  readonly #index: StoredIndex;
  readonly #caches: IndexCaches;
  readonly #prefix: string;
  readonly #words = new Map<string, KeptEntries | null>();
  readonly #texts = new Map<number, PageTexts>();
  #vocabulary: readonly string[] | undefined;
  readonly #wantedWords = new Set<string>();
  readonly #wantedTexts = new Set<number>();
  #wantsVocabulary = false;

  constructor(database: Database, index: StoredIndex, caches: IndexCaches) {
    this.#database = database;
    this.#index = index;
    this.#caches = caches;
    this.#prefix = `${index.id}.${index.generation} `;
  }

  /** Returns what `run` returns when all parts that it asks for are there. */
  async complete<Result>(run: () => Result | Promise<Result>): Promise<Result> {
    for (let round = 1; round <= MAX_ROUNDS; round++) {
      const result = await run();
      if (!(await this.#load())) return result;
    }
    throw new Error('A request asks for more of an index again and again.');
  }

  postingsOf(word: string): KeptEntries | undefined {
    let known = this.#words.get(word);
    if (known === undefined) {
      known = this.#caches.words.get(this.#prefix + word);
      if (known === undefined) this.#wantedWords.add(word);
      else this.#words.set(word, known);
    }
    return known ?? undefined;
  }

  beginningWith(beginning: string): readonly string[] {
    return this.vocabulary().filter((word) => word.startsWith(beginning));
  }

  vocabulary(): readonly string[] {
    this.#vocabulary ??= this.#caches.vocabularies.get(this.#prefix);
    if (!this.#vocabulary) this.#wantsVocabulary = true;
    return this.#vocabulary ?? [];
  }

  textsOf(page: number): PageTexts | undefined {
    let known = this.#texts.get(page);
    if (!known) {
      known = this.#caches.texts.get(this.#prefix + String(page));
      if (known) this.#texts.set(page, known);
      else this.#wantedTexts.add(page);
    }
    return known;
  }

  codeLanguagesOf(section: number): readonly ExampleLanguage[] {
    return this.#index.facts.codeLanguages.get(section) ?? [];
  }

  /** Reads what was asked for. @returns whether that was anything. */
  async #load(): Promise<boolean> {
    const words = [...this.#wantedWords];
    const texts = [...this.#wantedTexts];
    this.#wantedWords.clear();
    this.#wantedTexts.clear();
    // While a word is unknown, a search asks for the words that it may be made of.
    const wantsVocabulary = this.#wantsVocabulary && words.length === 0;
    this.#wantsVocabulary = false;
    await Promise.all([
      words.length > 0 && this.#loadWords(words),
      texts.length > 0 && this.#loadTexts(texts),
      wantsVocabulary && this.#loadVocabulary(),
    ]);
    return words.length > 0 || texts.length > 0 || wantsVocabulary;
  }

  /**
   * Reads rows that are joined to that of the index, of which there is at least one if the index is there. A replica may
   * not have this generation yet, and would say that no page has a word.
   * @throws {StoreDown} if the index is gone from the database as well, so that the request can be sent again.
   */
  async #rows<Row>(
    query: (index: ReturnType<typeof rowOf>) => Promise<readonly Row[]>,
  ): Promise<readonly Row[]> {
    const rows = await this.#database.read((db) => query(rowOf(this.#index, db)));
    if (rows.length > 0) return rows;
    const newest = await this.#database.run((db) => query(rowOf(this.#index, db)));
    if (newest.length === 0) throw new StoreDown();
    return newest;
  }

  async #loadWords(words: readonly string[]): Promise<void> {
    const keys = words.map(wordKey);
    const rows = await this.#rows((index) =>
      index
        .leftJoin('index_words', (join) =>
          join
            .onRef('index_words.index_id', '=', 'own.id')
            .on((is) => is('index_words.word', '=', is.fn.any(is.val(keys)))),
        )
        .select(['index_words.word', 'index_words.postings'])
        .orderBy('index_words.word')
        .orderBy('index_words.first_section')
        .execute(),
    );
    const pieces = new Map<string, number[][]>();
    for (const { word, postings } of rows) {
      if (word === null || postings === null) continue;
      const lists = pieces.get(word) ?? [];
      lists.push(this.#livingOf(readPostings(postings)));
      pieces.set(word, lists);
    }
    const { facts } = this.#index;
    for (const word of words) {
      const lists = pieces.get(wordKey(word)) ?? [];
      const found = keptEntries(lists, (section) => facts.pageOf(section));
      const entries = found.sections.length > 0 ? found : null;
      this.#words.set(word, entries);
      const bytes = 200 + 8 * (found.sections.length + found.pages.length);
      this.#caches.words.set(this.#prefix + word, entries, bytes);
    }
  }

  /** Returns postings without those of pages that have gone, or that came later. */
  #livingOf(entries: readonly number[]): number[] {
    const { facts } = this.#index;
    const living: number[] = [];
    for (let place = 0; place < entries.length; place += 2) {
      const section = entries[place] ?? -1;
      if (facts.pageOf(section) >= 0) living.push(section, entries[place + 1] ?? 0);
    }
    return living;
  }

  async #loadTexts(pages: readonly number[]): Promise<void> {
    const { numbers } = this.#index;
    const wanted = pages.map((page) => numbers[page] ?? -1);
    const rows = await this.#rows((index) =>
      index
        .leftJoin('index_pages', (join) =>
          join
            .onRef('index_pages.index_id', '=', 'own.id')
            .on((is) => is('index_pages.number', '=', is.fn.any(is.val(wanted)))),
        )
        .select(['index_pages.number', 'index_pages.texts'])
        .execute(),
    );
    const found = new Map(rows.map(({ number, texts }) => [number, texts]));
    for (const page of pages) {
      const written = found.get(numbers[page] ?? -1) ?? '[["",[]],{}]';
      // This program has written it.
      const [texts, references] = JSON.parse(written) as [WrittenPage, Record<string, string>];
      const read = { ...readTexts(texts), references };
      this.#texts.set(page, read);
      this.#caches.texts.set(this.#prefix + String(page), read, 1000 + 2 * written.length);
    }
  }

  async #loadVocabulary(): Promise<void> {
    const rows = await this.#rows((index) =>
      index
        .leftJoin('index_words', 'index_words.index_id', 'own.id')
        .select('index_words.word')
        .distinct()
        .execute(),
    );
    const words = rows.flatMap(({ word }) => word ?? []);
    this.#vocabulary = words;
    const bytes = words.reduce((sum, word) => sum + word.length + 32, 0);
    this.#caches.vocabularies.set(this.#prefix, words, bytes);
  }
}
