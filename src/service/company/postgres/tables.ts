/** The tables of the service, and their migrations. */
import { type ColumnType, type Generated, type Kysely, type Migration, sql } from 'kysely';

/** A value that is stored as JSON, and read with a schema. */
type Json = ColumnType<unknown, string, string>;

export interface Tables {
  /** Keys by their hash. */
  service_keys: { hash: string; id: string; record: Json };
  /** Threads by the hash of their ID. */
  threads: { id: string; owner: string; turns: Json; updated_at: ColumnType<Date, never, never> };
  misses: { domain: string; week: string; question: string; count: Generated<number> };
  /** Sites as their last refresh has left them. */
  sites: {
    domain: string;
    /** Grows with each refresh that has changed pages. */
    generation: number;
    /** Grows with each refresh, also with one that has failed. */
    attempt: number;
    config: Json;
    /** Id of the source that the last refresh has read. */
    source: string | null;
    problem: string | null;
    tried_at: Date | null;
    refreshed_at: Date | null;
  };
  pages: {
    domain: string;
    path: string;
    stamp: string;
    source: string;
    canonical_url: string | null;
    includes: Json;
  };
  /** Indexes of what audiences see of sites. */
  site_indexes: {
    id: Generated<number>;
    domain: string;
    audience: string;
    /** Names what decides which pages the index has. */
    rules: string;
    /** Generation of the site's pages that the index has. */
    generation: number;
    /** Numbers that the next page and the next section get. */
    next_page: number;
    next_section: number;
    /** Times that pages were added since the index was made. */
    additions: number;
    /** Time at which a process has begun to answer from it last. */
    asked_at: ColumnType<Date, never, Date>;
    /** Time from which no process begins to answer from it. */
    replaced_at: ColumnType<Date | null, never, Date>;
  };
  index_pages: {
    index_id: number;
    number: number;
    path: string;
    stamp: string;
    /** Generations in which the page is there as it is here: from the first on, and before the other. */
    from_generation: number;
    to_generation: number | null;
    sections: number;
    /** Facts and texts as JSON. Null for a page that the audience doesn't see. */
    facts: string | null;
    texts: string | null;
  };
  /** Postings of a word. Those of sections that were added later have a row of their own. */
  index_words: { index_id: number; word: string; first_section: number; postings: Buffer };
}

export type ServiceDatabase = Kysely<Tables>;

/** Table of the counters of requests, whose form the library of the limits decides. */
export const COUNTS_TABLE = 'request_counts';

/** Changes of the tables, in their order. One that has been released never changes. */
export const migrations: Record<string, Migration> = {
  '001': {
    up: async (db: Kysely<unknown>) => {
      await sql`
        create table service_keys (hash text primary key, id text not null unique, record jsonb not null)
      `.execute(db);
      await sql`
        create table threads (
          id text primary key, owner text not null, turns jsonb not null,
          updated_at timestamptz not null default now())
      `.execute(db);
      await sql`create index threads_by_age on threads (updated_at)`.execute(db);
      await sql`
        create table misses (
          domain text not null, week text not null, question text not null,
          count integer not null default 1, primary key (domain, week, question))
      `.execute(db);
      await sql`
        create table sites (
          domain text primary key, generation integer not null default 0,
          attempt integer not null default 0, config jsonb not null default 'null', problem text,
          tried_at timestamptz, refreshed_at timestamptz)
      `.execute(db);
      await sql`
        create table pages (
          domain text not null references sites on delete cascade, path text not null,
          stamp text not null, source text not null, canonical_url text,
          includes jsonb not null, primary key (domain, path))
      `.execute(db);
      await sql`
        create table request_counts (
          key varchar(255) primary key, points integer not null default 0, expire bigint)
      `.execute(db);
    },
  },
  '002': {
    up: async (db: Kysely<unknown>) => {
      await sql`
      create table site_indexes (
        id integer primary key generated always as identity,
        domain text not null references sites on delete cascade, audience text not null,
        rules text not null, generation integer not null, next_page integer not null,
        next_section integer not null, additions integer not null,
        asked_at timestamptz not null default now(), replaced_at timestamptz)
    `.execute(db);
      await sql`
      create unique index site_indexes_in_use on site_indexes (domain, rules) where replaced_at is null
    `.execute(db);
      await sql`
      create table index_pages (
        index_id integer not null references site_indexes on delete cascade, number integer not null,
        path text not null, stamp text not null, from_generation integer not null,
        to_generation integer, sections integer not null, facts text, texts text,
        primary key (index_id, number))
    `.execute(db);
      // Words are compared byte by byte, which is faster and the same on all machines.
      await sql`
      create table index_words (
        index_id integer not null references site_indexes on delete cascade,
        word text collate "C" not null, first_section integer not null, postings bytea not null,
        primary key (index_id, word, first_section))
    `.execute(db);
    },
  },
  '003': {
    up: async (db: Kysely<unknown>) => {
      await sql`alter table sites add column source text`.execute(db);
    },
  },
};
