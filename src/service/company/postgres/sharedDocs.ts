/** Refreshes sites in one process for all: jobs in a queue, and the state of sites that processes look at. */
import PgBoss from 'pg-boss';
import { sql } from 'kysely';
import { untilAborted } from '../../../common/clock';
import { errorCodeOrName } from '../../../common/errorCode';
import { Emitter } from '../../../common/event';
import { type Clock, type Log, prefixedLog } from '../../../common/ports';
import type { PageSource } from '../../../docs/sources/pageSource';
import type { SiteAudience } from '../sites/siteAudience';
import { type LoadedDocs, type SiteLoader, SourceError } from '../sites/siteLoader';
import type { Database } from './database';
import type { ServiceDatabase, Tables } from './tables';
import { removeIndexes, writeIndex } from './indexWriter';
import { StoredEngine } from './storedEngine';
import { IndexCaches } from './storedParts';
import { lockIndexes, storePages } from './storedPages';

/** State of a site after its last refresh. */
type SiteRow = Omit<Tables['sites'], 'config'>;

interface SharedDocsPorts {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** The way to the docs of a site, for the process that refreshes it. */
export interface OwnSource {
  /**
   * Opens the newest docs.
   * @param isAsked whether somebody says that they have changed, so that docs of a moment ago are too old.
   * @throws if they can't be had.
   */
  open(signal: AbortSignal, isAsked: boolean): Promise<PageSource>;
  /** Returns a sentence about an error of {@link open}, for the operator. */
  problemOf(error: unknown): string;
  /** Milliseconds between two refreshes, if the manifest names them. */
  readonly everyMs: number | undefined;
  /** Names the source. Processes whose manifests differ have different ones. */
  readonly id: string;
  /** Returns what readers see of the docs, by what names the restricted versions that they see. */
  readonly audience: (name: string) => SiteAudience;
  /** Audience without restricted versions. */
  readonly everybody: string;
}

const QUEUE = 'refresh-site';
/** Milliseconds between two looks at the state of sites. */
const LOOK_MS = 1000;
/** Longest wait for a refresh that another process makes. */
const WAIT_MS = 30 * 60 * 1000;
/** Jobs whose process has gone are done by another after these seconds. One that still runs holds its lock. */
const retrying = { expireInSeconds: 60, retryLimit: 60, retryDelay: 5 };
/** Milliseconds for which a process takes no job after it has passed one on. */
const PASS_MS = 1000;
/** Share of the time between two refreshes after which another process may begin one. */
const NEARLY = 0.9;
/** Number that names the locks of this program among those of a database. */
const LOCKS = 0x646f6373;

interface RefreshJob {
  readonly domain: string;
  /** Id of the source to refresh from. */
  readonly source: string;
  /** Whether somebody asked for it. Otherwise it is due by the time between two refreshes. */
  readonly isAsked: boolean;
  /** Number of refreshes before the job. */
  readonly before: number;
  /** Number of processes that had another source. */
  readonly passedOn: number;
}

/** Times that a job is passed on to find a process with its source. */
const MAX_PASSED_ON = 100;

export class SharedDocs {
  readonly #ports: SharedDocsPorts;
  readonly #boss: PgBoss;
  readonly #sources = new Map<string, OwnSource>();
  readonly #caches = new IndexCaches();
  readonly #looked = new Emitter<void>();
  readonly #stopping = new AbortController();
  #rows: ReadonlyMap<string, SiteRow> = new Map();
  #looking: Promise<void> | undefined;

  constructor(ports: SharedDocsPorts) {
    const { databaseUrl, log } = ports;
    this.#ports = ports;
    this.#boss = new PgBoss({
      connectionString: databaseUrl,
      application_name: 'docs-assistant-queue',
      max: 2,
      maintenanceIntervalSeconds: 15,
      schedule: false,
    });
    // The queue goes on by itself when the database is there again.
    this.#boss.on('error', (error) => log.warn(`The queue failed: ${errorCodeOrName(error)}`));
  }

  /** Makes the queue, and begins to work and to look. */
  async start(): Promise<void> {
    await this.#boss.start();
    await this.#makeQueue();
    await this.#look();
    this.#looking = this.#keepLooking();
    await this.#boss.work<RefreshJob>(QUEUE, { pollingIntervalSeconds: 0.5 }, async ([job]) => {
      if (job) await this.#do(job.data);
    });
  }

  /**
   * Makes the queue if it isn't there. Processes that do so at once wait for each other: the library inserts a row,
   * then locks its whole table for a foreign key, so that two of them would wait for each other's row and table.
   */
  async #makeQueue(): Promise<void> {
    await this.#ports.database.run((db) =>
      db.transaction().execute(async (transaction) => {
        await sql`select pg_advisory_xact_lock(${LOCKS}, hashtext(${QUEUE}))`.execute(transaction);
        await this.#boss.createQueue(QUEUE);
      }),
    );
  }

  /** Returns the loader of a site, whose docs this process can refresh with its own source. */
  loaderOf(domain: string, source: OwnSource): SiteLoader {
    this.#sources.set(domain, source);
    const stored: LoadedDocs = {
      docs: {
        kind: 'stored',
        open: (audience, ports) =>
          new StoredEngine(domain, audience, {
            ...this.#ports,
            ...ports,
            caches: this.#caches,
            generation: () => this.#rows.get(domain)?.generation ?? 0,
            onLooked: (listener) => this.#looked.event(listener),
            writeIndex: (signal) => this.#writeIndex(domain, audience, signal),
          }),
      },
      version: '',
    };
    return {
      everyMs: source.everyMs,
      last: () =>
        Promise.resolve((this.#rows.get(domain)?.generation ?? 0) > 0 ? stored : undefined),
      load: async (signal, isAsked) => {
        if (isAsked || this.#isDue(domain, source))
          await this.#ask(domain, source, isAsked, signal);
        const problem = this.#rows.get(domain)?.problem;
        if (problem !== undefined && problem !== null) throw new SourceError(problem);
        return stored;
      },
      clean: () => Promise.resolve(),
      told: () => {
        const row = this.#rows.get(domain);
        return {
          problem: row?.problem ?? undefined,
          refreshedAt: row?.refreshed_at?.getTime(),
        };
      },
    };
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('The service stops.'));
    await this.#looking;
    await this.#boss.stop({ graceful: true, timeout: 5000, wait: true });
  }

  #attemptsOf(domain: string): number {
    return this.#rows.get(domain)?.attempt ?? 0;
  }

  #isDue(domain: string, { id, everyMs = 60_000 }: OwnSource): boolean {
    // Another source is that of a manifest before its change.
    if (this.#rows.get(domain)?.source !== id) return true;
    const triedAt = this.#rows.get(domain)?.tried_at?.getTime() ?? -Infinity;
    return this.#ports.clock.now() - triedAt > everyMs * NEARLY;
  }

  /** Asks for a refresh, and waits until one that began after that has ended. */
  async #ask(domain: string, own: OwnSource, isAsked: boolean, signal: AbortSignal): Promise<void> {
    const { database, clock } = this.#ports;
    await database.run((db) =>
      db
        .insertInto('sites')
        .values({ domain, generation: 0, attempt: 0, config: 'null' })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    );
    await this.#look();
    if (!isAsked && !this.#isDue(domain, own)) return;
    const before = this.#attemptsOf(domain);
    const source = own.id;
    const job: RefreshJob = { domain, source, isAsked, before, passedOn: 0 };
    await this.#boss.send(QUEUE, job, {
      ...retrying,
      // A job that may end without a refresh must not stand for one that somebody asked for.
      singletonKey: `${domain} ${source} ${isAsked}`,
      singletonSeconds: 2,
      singletonNextSlot: true,
    });
    const ending = AbortSignal.any([signal, this.#stopping.signal]);
    const until = clock.now() + WAIT_MS;
    while (this.#attemptsOf(domain) <= before && clock.now() < until) {
      await untilAborted(
        new Promise<void>((resolve) => {
          const listening = this.#looked.event(() => {
            listening.dispose();
            resolve();
          });
        }),
        ending,
      );
    }
  }

  /** Does a job, or passes it on if the manifest of this process has another source for the site. */
  async #do(job: RefreshJob): Promise<void> {
    const { clock } = this.#ports;
    const own = this.#sources.get(job.domain);
    if (own?.id === job.source) {
      await this.#refresh(job, own);
      return;
    }
    if (job.passedOn >= MAX_PASSED_ON) return;
    await this.#boss.send(QUEUE, { ...job, passedOn: job.passedOn + 1 }, retrying);
    // Another process looks for jobs meanwhile.
    await clock.delay(PASS_MS, this.#stopping.signal).catch(() => undefined);
  }

  /** Refreshes a site. @throws if another process does so now, so that the queue gives the job out again. */
  async #refresh({ domain, isAsked, before }: RefreshJob, source: OwnSource): Promise<void> {
    const { database } = this.#ports;
    // The lock ends with the connection, so that of a process that was killed is free at once.
    const connection = await database.pool.connect();
    try {
      const { rows } = await connection.query<{ locked: boolean }>(
        'select pg_try_advisory_lock($1, hashtext($2)) as locked',
        [LOCKS, domain],
      );
      if (rows[0]?.locked !== true) throw new SourceError('Another process refreshes this site.');
      // Processes that start together all ask for a refresh, and the first one is enough for them.
      await this.#look();
      const isDone =
        this.#attemptsOf(domain) > before && this.#rows.get(domain)?.source === source.id;
      if (!isAsked && isDone) return;
      const { signal } = this.#stopping;
      let problem: string | null = null;
      try {
        const pages = await storePages(database, domain, await source.open(signal, isAsked), {
          ...this.#writing(domain, signal),
          writeIndexes: (db) => this.#writeIndexes(db, domain, source),
        });
        if (pages === 0) problem = 'The source has no pages that the site can show.';
      } catch (error) {
        signal.throwIfAborted();
        problem = source.problemOf(error);
      }
      await database.run((db) =>
        sql`
          update sites set attempt = attempt + 1, source = ${source.id}, problem = ${problem}, tried_at = now(),
            refreshed_at = case when ${problem === null} then now() else refreshed_at end
          where domain = ${domain}
        `.execute(db),
      );
    } finally {
      // Without its connection, the lock is gone, too.
      connection.release(true);
    }
    await this.#look();
  }

  /** Writes the indexes of everybody and of the audiences that are asked. */
  async #writeIndexes(db: ServiceDatabase, domain: string, source: OwnSource): Promise<void> {
    await removeIndexes(db, domain);
    const asked = await db
      .selectFrom('site_indexes')
      .select(['audience', 'rules'])
      .where('domain', '=', domain)
      .where('replaced_at', 'is', null)
      .execute();
    const audiences = [source.everybody, ...asked.map(({ audience }) => audience)];
    const rules = new Set(asked.map((index) => index.rules));
    for (const name of new Set(audiences)) {
      const audience = source.audience(name);
      // A process with another manifest brings its indexes up to date itself.
      if (name !== source.everybody && !rules.has(audience.rules)) continue;
      const { signal } = this.#stopping;
      await writeIndex(db, domain, audience, this.#writing(domain, signal));
    }
  }

  /** Writes the index of one audience, if nobody else has done so since. */
  async #writeIndex(domain: string, audience: SiteAudience, ending: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([ending, this.#stopping.signal]);
    await this.#ports.database.run((database) =>
      database.transaction().execute(async (db) => {
        await lockIndexes(db, domain);
        await writeIndex(db, domain, audience, this.#writing(domain, signal));
      }),
    );
  }

  #writing(
    domain: string,
    signal: AbortSignal,
  ): { readonly clock: Clock; readonly log: Log; readonly signal: AbortSignal } {
    const { clock, log } = this.#ports;
    return { clock, log: prefixedLog(`The site ${domain}`, log), signal };
  }

  async #keepLooking(): Promise<void> {
    const { clock } = this.#ports;
    const { signal } = this.#stopping;
    let isAway = false;
    for (;;) {
      try {
        await clock.delay(LOOK_MS, signal);
      } catch {
        return; // The service stops.
      }
      try {
        await this.#look();
        if (isAway) this.#ports.log.info('The database is there again');
        isAway = false;
      } catch (error) {
        if (!isAway) this.#ports.log.warn(`The database is away: ${errorCodeOrName(error)}`);
        isAway = true;
      }
    }
  }

  async #look(): Promise<void> {
    const rows = await this.#ports.database.read((db) =>
      db
        .selectFrom('sites')
        .select([
          'domain',
          'generation',
          'attempt',
          'source',
          'problem',
          'tried_at',
          'refreshed_at',
        ])
        .execute(),
    );
    this.#rows = new Map(rows.map((row) => [row.domain, row]));
    this.#looked.fire();
  }
}
