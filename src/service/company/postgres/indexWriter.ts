/**
 * Writes the index of what an audience sees of a site: facts and texts by page, postings by word. Nothing that readers of
 * the last generation need is changed: a page that has gone gets the generation in which it went, a changed one gets new
 * numbers, and its postings rows of their own.
 */
import { type Insertable, type Selectable, sql } from 'kysely';
import * as v from 'valibot';
import { inTurns } from '../../../common/clock';
import type { Clock, Log } from '../../../common/ports';
import { workSlices } from '../../../common/workSlices';
import { logProblems } from '../../../docs/docsLibrary';
import { type DocsPage, parsePageFile } from '../../../docs/pages/page';
import { isPartPath } from '../../../docs/pages/markup/lines';
import { isHtmlPath } from '../../../docs/pages/pagePath';
import { writtenPage } from '../../../docs/parts/partFormat';
import { WordPostings } from '../../../docs/parts/wordPostings';
import { type ReadPage, readingWords } from '../../../docs/search/pageWords';
import { codeLanguagesOf } from '../../../docs/search/preferences';
import { lengthsOf } from '../../../docs/search/sectionSearch';
import { Vocabulary } from '../../../docs/search/vocabulary';
import type { SiteAudience } from '../sites/siteAudience';
import type { ServiceDatabase, Tables } from './tables';
import { type StoredFacts, wordKey } from './indexFormat';
import { configOf, includesSchema } from './storedPages';

interface IndexWriterPorts {
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Pages that are read and written in one statement, and words. */
const PAGES = 50;
const WORDS = 2000;
/** Sections whose postings are in memory before they are written. */
const OPEN_SECTIONS = 50_000;
/** Additions after which an index is made again, because the postings of a word are in as many rows. */
const MAX_ADDITIONS = 100;
/** Sections of pages that have gone after which an index is made again, beside as many as it has. */
const SPARE_SECTIONS = 1000;
/** Time for which an index stays that is replaced, or that nobody asks. */
const REPLACED = '2 minutes';
const UNASKED = '7 days';

type KnownPage = Pick<Tables['pages'], 'path' | 'stamp'>;

/** Brings the index of an audience to the generation of the site's pages, or makes it. Call it in a transaction. */
export async function writeIndex(
  db: ServiceDatabase,
  domain: string,
  audience: SiteAudience,
  ports: IndexWriterPorts,
): Promise<void> {
  const { rules, name } = audience;
  const site = await db
    .selectFrom('sites')
    .select(['generation', 'config'])
    .where('domain', '=', domain)
    .executeTakeFirst();
  if (!site) return;
  const { generation } = site;
  const found = await db
    .selectFrom('site_indexes')
    .select(['id', 'generation', 'next_page', 'next_section', 'additions'])
    .where('domain', '=', domain)
    .where('rules', '=', rules)
    .where('replaced_at', 'is', null)
    .executeTakeFirst();
  if (found && found.generation >= generation) return;
  const wanted = await pagesOf(db, domain, configOf(site.config).noPages);
  const known = found ? await knownPages(db, found.id) : [];
  const stamps = new Map(known.map(({ path, stamp }) => [path, stamp]));
  const newer = wanted.filter(({ path, stamp }) => stamps.get(path) !== stamp);
  const sections = known.reduce((sum, page) => sum + page.sections, 0);
  const isWorn =
    found !== undefined &&
    (newer.length * 2 > wanted.length ||
      found.additions >= MAX_ADDITIONS ||
      found.next_section > 2 * sections + SPARE_SECTIONS);
  if (isWorn) await replace(db, found.id);
  const index =
    found && !isWorn
      ? found
      : await db
          .insertInto('site_indexes')
          .values({
            domain,
            audience: name,
            rules,
            generation,
            next_page: 0,
            next_section: 0,
            additions: 0,
          })
          .returning(['id', 'next_page', 'next_section', 'additions'])
          .executeTakeFirstOrThrow();
  const added = index === found ? newer : wanted;
  if (index === found) {
    const still = new Map(wanted.map(({ path, stamp }) => [path, stamp]));
    const gone = known.filter(({ path, stamp }) => still.get(path) !== stamp);
    await sql`
      update index_pages set to_generation = ${generation}
      where index_id = ${index.id} and number = any(${gone.map(({ number }) => number)}::integer[])
    `.execute(db);
    // Questions that began on one of the last two generations still need their pages.
    await db
      .deleteFrom('index_pages')
      .where('index_id', '=', index.id)
      .where('to_generation', '<', generation - 1)
      .execute();
  }
  const adding = new Adding(db, { ...index, generation }, ports);
  for (let start = 0; start < added.length; start += PAGES) {
    await adding.add(domain, added.slice(start, start + PAGES), audience);
  }
  const next = await adding.finish();
  await db
    .updateTable('site_indexes')
    .set({ ...next, generation, additions: index.additions + (added.length > 0 ? 1 : 0) })
    .where('id', '=', index.id)
    .execute();
}

/** Removes the indexes of a site that nobody has asked for long, and those that were replaced. Call it in a transaction. */
export async function removeIndexes(db: ServiceDatabase, domain: string): Promise<void> {
  await sql`
    delete from site_indexes where domain = ${domain} and replaced_at < now() - ${REPLACED}::interval
  `.execute(db);
  await sql`
    update site_indexes set replaced_at = now()
    where domain = ${domain} and replaced_at is null and asked_at < now() - ${UNASKED}::interval
  `.execute(db);
}

async function replace(db: ServiceDatabase, id: number): Promise<void> {
  await sql`update site_indexes set replaced_at = now() where id = ${id}`.execute(db);
}

async function knownPages(db: ServiceDatabase, id: number) {
  return db
    .selectFrom('index_pages')
    .select(['number', 'path', 'stamp', 'sections'])
    .where('index_id', '=', id)
    .where('to_generation', 'is', null)
    .execute();
}

/** Returns the pages of a site in the order in which a folder is read, without the parts of others. */
async function pagesOf(
  db: ServiceDatabase,
  domain: string,
  noPages: readonly string[],
): Promise<KnownPage[]> {
  const rows = await db
    .selectFrom('pages')
    .select(['path', 'stamp'])
    .where('domain', '=', domain)
    .execute();
  const { rows: included } = await sql<{ path: string }>`
    select distinct jsonb_object_keys(includes) as path from pages
    where domain = ${domain} and includes <> '{}'
  `.execute(db);
  const left = new Set(included.flatMap(({ path }) => (isPartPath(path) ? path : [])));
  for (const path of noPages) left.add(path);
  return rows
    .filter(({ path }) => !left.has(path))
    .map((row) => ({ row, names: row.path.split('/') }))
    .sort((one, other) => compareNames(one.names, other.names))
    .map(({ row }) => row);
}

function compareNames(one: readonly string[], other: readonly string[]): number {
  if (one.length !== other.length) return one.length - other.length;
  const place = one.findIndex((name, at) => name !== other[at]);
  return (one[place] ?? '') < (other[place] ?? '') ? -1 : 1;
}

type IndexToFill = Pick<
  Selectable<Tables['site_indexes']>,
  'id' | 'generation' | 'next_page' | 'next_section'
>;

/** Adds pages to an index. */
class Adding {
  readonly #db: ServiceDatabase;
  readonly #index: IndexToFill;
  readonly #ports: IndexWriterPorts;
  #nextPage: number;
  #nextSection: number;
  #firstSection: number;
  /** Lets requests run from time to time. */
  readonly #pause: () => Promise<void>;
  #vocabulary = new Vocabulary();
  #words: WordPostings;

  constructor(db: ServiceDatabase, index: IndexToFill, ports: IndexWriterPorts) {
    this.#db = db;
    this.#index = index;
    this.#ports = ports;
    this.#nextPage = index.next_page;
    this.#nextSection = index.next_section;
    this.#firstSection = index.next_section;
    this.#words = new WordPostings(index.next_section);
    this.#pause = workSlices(ports.clock);
  }

  async add(
    domain: string,
    pages: readonly KnownPage[],
    { seen }: Pick<SiteAudience, 'seen'>,
  ): Promise<void> {
    const { id, generation } = this.#index;
    const rows = await this.#db
      .selectFrom('pages')
      .select(['path', 'source', 'canonical_url', 'includes'])
      .where('domain', '=', domain)
      .where(
        'path',
        'in',
        pages.map(({ path }) => path),
      )
      .execute();
    const sources = new Map(rows.map((row) => [row.path, row]));
    const written: Insertable<Tables['index_pages']>[] = [];
    for (const { path, stamp } of pages) {
      this.#ports.signal.throwIfAborted();
      const row = sources.get(path);
      const read = row && (await this.#read(path, row, seen));
      const number = this.#nextPage++;
      const base = { index_id: id, number, path, stamp, from_generation: generation };
      if (!read) {
        written.push({ ...base, sections: 0, facts: null, texts: null });
        continue;
      }
      const { page } = read;
      const facts = factsOf(read, this.#nextSection);
      const texts = JSON.stringify([writtenPage(page), page.references]);
      const sections = page.sections.length;
      written.push({ ...base, sections, facts: JSON.stringify(facts), texts });
      this.#words.add(read.words);
      this.#nextSection += sections;
      await this.#pause();
    }
    await this.#db.insertInto('index_pages').values(written).execute();
    if (this.#nextSection - this.#firstSection >= OPEN_SECTIONS) await this.#writeWords();
  }

  /** Writes what is left, and returns the numbers of the next page and section. */
  async finish(): Promise<Pick<IndexToFill, 'next_page' | 'next_section'>> {
    await this.#writeWords();
    return { next_page: this.#nextPage, next_section: this.#nextSection };
  }

  /** Reads a page. Undefined if it has none or the audience doesn't see it. */
  async #read(
    path: string,
    row: { source: string; canonical_url: string | null; includes: unknown },
    seen: SiteAudience['seen'],
  ): Promise<ReadPage | undefined> {
    const { log } = this.#ports;
    try {
      const file = { source: row.source, canonicalUrl: row.canonical_url ?? undefined };
      const files = new Map(Object.entries(v.parse(includesSchema, row.includes)));
      const page = seen(parsePageFile(path, file, files));
      if (!page) return undefined;
      logProblems(page, log);
      if (isHtmlPath(path) && page.sections.length === 0) return undefined;
      await this.#pause();
      return await inTurns(readingWords(page, this.#vocabulary), this.#pause);
    } catch (error) {
      log.error(`Can't index ${path}`, error);
      return undefined;
    }
  }

  async #writeWords(): Promise<void> {
    const all = this.#words.all();
    for (let start = 0; start < all.length; start += WORDS) {
      const some = all.slice(start, start + WORDS);
      const words = some.map(([word]) => wordKey(this.#vocabulary.wordOf(word)));
      const postings = some.map(([, bytes]) => Buffer.from(bytes));
      await sql`
        insert into index_words (index_id, word, first_section, postings)
        select ${this.#index.id}, word, ${this.#firstSection}, postings
        from unnest(${words}::text[], ${postings}::bytea[]) as each (word, postings)
      `.execute(this.#db);
    }
    this.#firstSection = this.#nextSection;
    this.#vocabulary = new Vocabulary();
    this.#words = new WordPostings(this.#nextSection);
  }
}

function factsOf({ page, language, words }: ReadPage, firstSection: number): StoredFacts {
  const lengths = lengthsOf(words.counts);
  return {
    title: page.title,
    description: page.description,
    version: page.version,
    language: page.language,
    readLanguage: language,
    canonicalUrl: page.canonicalUrl,
    groups: [...page.groups],
    firstSection,
    length: lengths.page,
    lengths: [...lengths.sections],
    code: codeIn(page),
  };
}

/** Returns the sections with code, by their position, and the languages of their code. */
function codeIn({ sections }: DocsPage): StoredFacts['code'] {
  return sections.flatMap((section, position): StoredFacts['code'] => {
    const languages = codeLanguagesOf(section);
    return languages.length > 0 ? [[position, languages]] : [];
  });
}
