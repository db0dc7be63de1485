/** The stores of a service in PostgreSQL, which all of its processes share. */
import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible';
import * as v from 'valibot';
import type { Clock } from '../../../common/ports';
import type { StoredTurn } from '../../server/askedQuestion';
import { type LimiterOf, RequestLimiter } from '../../server/requestChecks';
import { MAX_TURNS, type ThreadStore } from '../../server/serviceThreads';
import {
  type KeyRecord,
  type KeyRecords,
  keyRecordSchema,
  type Miss,
  type MissRecords,
  ownerOf,
  type Stores,
  THREAD_LIFETIME_MS,
  turnsSchema,
} from '../stores';
import { type Database, storable } from './database';
import { COUNTS_TABLE } from './tables';

const CLEANING_MS = 60 * 60 * 1000;

/** Returns the stores over a database that has been migrated. */
export function postgresStores(database: Database, clock: Clock): Stores {
  const threads = new ThreadRows(database, clock);
  return {
    keys: new KeyRows(database),
    misses: new MissRows(database),
    threadsOf: (scope) => threads.of(scope),
    countsWith: (limits) => new RequestLimiter(limits, limiterIn(database)),
    check: async () => void (await database.run((db) => sql`select 1`.execute(db))),
    close: () => database.close(),
  };
}

class KeyRows implements KeyRecords {
  constructor(private readonly database: Database) {}

  async find(hash: string): Promise<KeyRecord | undefined> {
    const row = await this.database.run((db) =>
      db.selectFrom('service_keys').select('record').where('hash', '=', hash).executeTakeFirst(),
    );
    return row && v.parse(keyRecordSchema, row.record);
  }

  async list(): Promise<readonly KeyRecord[]> {
    const rows = await this.database.run((db) =>
      db.selectFrom('service_keys').select('record').execute(),
    );
    return rows
      .map(({ record }) => v.parse(keyRecordSchema, record))
      .toSorted((one, other) => one.createdAt - other.createdAt);
  }

  async add(hash: string, record: KeyRecord): Promise<void> {
    const name = storable(record.name);
    const row = { hash, id: record.id, record: JSON.stringify({ ...record, name }) };
    await this.database.run((db) => db.insertInto('service_keys').values(row).execute());
  }

  async remove(id: string): Promise<boolean> {
    const { numDeletedRows } = await this.database.run((db) =>
      db.deleteFrom('service_keys').where('id', '=', storable(id)).executeTakeFirst(),
    );
    return numDeletedRows > 0;
  }
}

class ThreadRows {
  readonly #database: Database;
  readonly #clock: Clock;
  #cleanedAt = -Infinity;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  of(scope: string): ThreadStore {
    return {
      turns: async (id, fp) => {
        const row = await this.#database.run((db) =>
          db
            .selectFrom('threads')
            .select('turns')
            .where('id', '=', rowOf(id))
            .where('owner', '=', ownerOf(scope, fp))
            .executeTakeFirst(),
        );
        return row && v.parse(turnsSchema, row.turns);
      },
      record: async (id = randomUUID(), fp, turn) => {
        await this.#add(rowOf(id), ownerOf(scope, fp), turn);
        this.#clean();
        return id;
      },
    };
  }

  /** Adds a turn in one statement, so that processes that add to the same thread lose none. */
  async #add(
    id: string,
    owner: string,
    { question, citedRoutes, reply }: StoredTurn,
  ): Promise<void> {
    const turn = {
      question: storable(question),
      citedRoutes: citedRoutes.map(storable),
      reply: reply === undefined ? undefined : storable(reply),
    };
    await this.#database.run((db) =>
      sql`
        insert into threads (id, owner, turns) values (${id}, ${owner}, ${JSON.stringify([turn])}::jsonb)
        on conflict (id) do update set updated_at = now(), turns = (
          select jsonb_agg(kept.turn order by kept.place) from (
            select turn, place
            from jsonb_array_elements(threads.turns || excluded.turns) with ordinality as each (turn, place)
            order by place desc limit ${MAX_TURNS}) as kept)
        where threads.owner = excluded.owner
      `.execute(db),
    );
  }

  /** Removes old threads in the background. */
  #clean(): void {
    const now = this.#clock.now();
    if (now - this.#cleanedAt < CLEANING_MS) return;
    this.#cleanedAt = now;
    const before = new Date(now - THREAD_LIFETIME_MS);
    this.#database
      .run((db) => db.deleteFrom('threads').where('updated_at', '<', before).execute())
      .catch(() => undefined);
  }
}

/** Returns the name of a thread's row. Clients send any text as its ID. */
function rowOf(id: string): string {
  return createHash('sha256').update(id).digest('hex');
}

class MissRows implements MissRecords {
  constructor(private readonly database: Database) {}

  async add({ domain, week, question }: Omit<Miss, 'count'>): Promise<void> {
    await this.database.run((db) =>
      db
        .insertInto('misses')
        .values({ domain, week, question: storable(question) })
        .onConflict((conflict) =>
          conflict
            .columns(['domain', 'week', 'question'])
            .doUpdateSet({ count: sql`misses.count + 1` }),
        )
        .execute(),
    );
  }

  async list(domain: string | undefined, week: string | undefined): Promise<readonly Miss[]> {
    return this.database.read((db) => {
      let query = db.selectFrom('misses').select(['domain', 'week', 'question', 'count']);
      if (domain !== undefined) query = query.where('domain', '=', storable(domain));
      if (week !== undefined) query = query.where('week', '=', storable(week));
      return query.orderBy('week', 'desc').orderBy('domain').orderBy('count', 'desc').execute();
    });
  }
}

/** Returns what makes counters in the database, which count in memory while the database is away. */
function limiterIn({ pool }: Database): LimiterOf {
  return (keyPrefix, { requests: points, seconds: duration }) => {
    const limiter = new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      tableName: COUNTS_TABLE,
      tableCreated: true,
      keyPrefix,
      points,
      duration,
      insuranceLimiter: new RateLimiterMemory({ keyPrefix, points, duration }),
    });
    return (id) => limiter.consume(storable(id));
  };
}
