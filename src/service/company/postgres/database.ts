/** The database of the service, whose connections can fail. */
import { userInfo } from 'node:os';
import { Kysely, Migrator, PostgresDialect } from 'kysely';
import { defaults, Pool } from 'pg';
import { systemClock } from '../../../common/clock';
import { errorCodeOrName, systemErrorCode } from '../../../common/errorCode';
import type { Clock, Log } from '../../../common/ports';
import { StoreDown } from '../stores';
import { migrations, type ServiceDatabase, type Tables } from './tables';

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

  /** Brings the tables up to date. Processes that do so at once wait for each other. Rejects with errors of the driver. */
  async migrate(): Promise<void> {
    const migrator = new Migrator({
      db: this.db,
      provider: { getMigrations: () => Promise.resolve(migrations) },
    });
    const { error } = await migrator.migrateToLatest();
    if (error === undefined) return;
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
  // So would one that breaks while it is used. The query on it fails, and says so.
  pool.on('connect', (client) => client.on('error', () => {}));
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

/**
 * Returns whether an error says that the database can't be reached, has no room or is read-only, rather than that a
 * query is wrong.
 */
export function isDown(error: unknown): boolean {
  if (systemErrorCode(error) !== undefined) return true;
  const code = errorCodeOrName(error);
  if (/^(?:(?:08|53|57)[0-9A-Z]{3}|25006)$/.test(code)) return true;
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
