/** The database of the service: its tables, their migrations, and connections that can fail. */
import { userInfo } from 'node:os';
import {
  type ColumnType,
  type Generated,
  Kysely,
  type Migration,
  Migrator,
  PostgresDialect,
  sql,
} from 'kysely';
import { defaults, Pool } from 'pg';
import { systemClock } from '../../../common/clock';
import { errorCodeOrName, systemErrorCode } from '../../../common/errorCode';
import type { Clock, Log } from '../../../common/ports';
import { StoreDown } from '../stores';

/** A value that is stored as JSON, and read with a schema. */
type Json = ColumnType<unknown, string, string>;

interface Tables {
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
const migrations: Record<string, Migration> = {
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
};

migrations['002'] = {
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
};

/** Connections of a process, and the time that a request waits for one. */
const MAX_CONNECTIONS = 10;
const CONNECT_MS = 3000;
const STATEMENT_MS = 60_000;
/** Time after which a replica that doesn't answer is given up. */
const REPLICA_MS = 5000;
/** Time for which a replica that failed isn't asked. */
const REPLICA_PAUSE_MS = 10_000;

/** A database that can be away for a while, and its replica, for which the database stands in. */
export class Database {
  readonly pool: Pool;
  readonly db: ServiceDatabase;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #replica: { readonly pool: Pool; readonly db: ServiceDatabase } | undefined;
  #isReplicaAway = false;
  /** Time from which the replica is asked again. */
  #replicaFrom = -Infinity;

  constructor(url: string, replicaUrl: string | undefined, log: Log, clock: Clock = systemClock) {
    this.#log = log;
    this.#clock = clock;
    this.pool = newPool(url, log);
    this.db = databaseOf(this.pool);
    if (replicaUrl === undefined) return;
    const pool = newPool(replicaUrl, log, REPLICA_MS);
    this.#replica = { pool, db: databaseOf(pool) };
  }

  /** Brings the tables up to date. Processes that do so at once wait for each other. */
  async migrate(): Promise<void> {
    const migrator = new Migrator({
      db: this.db,
      provider: { getMigrations: () => Promise.resolve(migrations) },
    });
    const { error } = await migrator.migrateToLatest();
    if (error === undefined) return;
    if (isDown(error)) throw new StoreDown();
    throw error instanceof Error ? error : new Error('The tables could not be brought up to date.');
  }

  /** Runs a query. @throws {StoreDown} if the database can't be reached, so that the request can be sent again. */
  async run<Result>(query: (db: ServiceDatabase) => Promise<Result>): Promise<Result> {
    return whileUp(() => query(this.db));
  }

  /**
   * Runs a query that only reads: on the replica if there is one and it answers, else on the database.
   * @throws {StoreDown}
   */
  async read<Result>(query: (db: ServiceDatabase) => Promise<Result>): Promise<Result> {
    const replica = this.#replica;
    if (!replica || this.#clock.now() < this.#replicaFrom) return this.run(query);
    try {
      const result = await query(replica.db);
      if (this.#isReplicaAway) this.#log.info('The replica of the database is there again');
      this.#isReplicaAway = false;
      return result;
    } catch (error) {
      if (!isDown(error) && !isBehind(error)) throw error;
      if (!this.#isReplicaAway) {
        const reason = errorCodeOrName(error);
        this.#log.warn(`The replica can't be read (${reason}), so the database itself is read`);
      }
      this.#isReplicaAway = true;
      this.#replicaFrom = this.#clock.now() + REPLICA_PAUSE_MS;
      return this.run(query);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.pool.end(), this.#replica?.pool.end()]);
  }
}

/** @param queryMs time after which an unanswered query fails. The server alone limits it if absent. */
function newPool(connectionString: string, log: Log, queryMs?: number): Pool {
  // Like psql. The library only knows the user of a variable, which containers often don't set.
  defaults.user ??= userInfo().username;
  const pool = new Pool({
    connectionString,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: queryMs,
    application_name: 'docs-assistant-service',
  });
  // An idle connection that breaks would end the process otherwise. The next request opens another.
  pool.on('error', (error) => log.warn(`A database connection broke: ${errorCodeOrName(error)}`));
  return pool;
}

function databaseOf(pool: Pool): ServiceDatabase {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

async function whileUp<Result>(query: () => Promise<Result>): Promise<Result> {
  try {
    return await query();
  } catch (error) {
    throw isDown(error) ? new StoreDown() : error;
  }
}

/** Returns whether an error says that the database can't be reached or has no room, rather than that a query is wrong. */
function isDown(error: unknown): boolean {
  if (systemErrorCode(error) !== undefined) return true;
  const code = errorCodeOrName(error);
  if (/^(?:08|53|57)[0-9A-Z]{3}$/.test(code)) return true;
  // The driver gives these no code.
  return (
    error instanceof Error &&
    /^(?:timeout e|Query read timeout|Connection terminated|Client has encountered a connection error|Cannot use a pool)/.test(
      error.message,
    )
  );
}

/** Returns whether an error says that a replica lacks the newest tables, or ended a query to apply changes. */
function isBehind(error: unknown): boolean {
  return /^(?:42P01|42703|40001)$/.test(errorCodeOrName(error));
}

/** Returns text that PostgreSQL can store: without NUL characters and halves of characters. */
export function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
