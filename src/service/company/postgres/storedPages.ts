/** Pages of a site in PostgreSQL, as the process that refreshes the site writes them. */
import { createHash } from 'node:crypto';
import { type Insertable, sql } from 'kysely';
import * as v from 'valibot';
import type { Log } from '../../../common/ports';
import type { PageFile } from '../../../docs/sources/docsFolder';
import type { PageSource } from '../../../docs/sources/pageSource';
import { noSiteConfig, type SiteConfig } from '../../../docs/siteConfig/siteConfig';
import { type Database, storable } from './database';
import type { ServiceDatabase, Tables } from './tables';

/** Pages that are written in one statement. */
const BATCH = 100;

/** Files that a page includes, by their paths. */
export const includesSchema = v.record(v.string(), v.string());

/** Returns the configuration that a site has stored. */
export function configOf(stored: unknown): SiteConfig {
  return isConfig(stored) ? stored : noSiteConfig;
}

/** Returns whether a stored value is a configuration, which this program has stored itself. */
function isConfig(value: unknown): value is SiteConfig {
  return typeof value === 'object' && value !== null && 'navigation' in value;
}

/** Names the locks of the writers of a site's indexes. */
const INDEXES = 0x696e6478;

/** Waits until nobody else writes the pages or indexes of a site, until the end of the transaction. */
export async function lockIndexes(db: ServiceDatabase, domain: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${INDEXES}, hashtext(${domain}))`.execute(db);
}

/** A page to store. */
type NewPage = Omit<Insertable<Tables['pages']>, 'domain'>;

interface StorePorts {
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Writes the indexes of the new pages in the same transaction. */
  readonly writeIndexes: (db: ServiceDatabase) => Promise<void>;
}

/**
 * Replaces the pages of a site by those of a source, in one transaction: readers see the old pages until all new ones
 * are there with their indexes, and a process that dies leaves the old ones.
 * @returns the number of pages.
 */
export async function storePages(
  database: Database,
  domain: string,
  source: PageSource,
  { log, signal, writeIndexes }: StorePorts,
): Promise<number> {
  return database.run((db) =>
    db.transaction().execute(async (transaction) => {
      const stored = await stampsOf(transaction, domain);
      const found = new Set<string>();
      let changes = 0;
      let batch: NewPage[] = [];
      const flush = async (): Promise<void> => {
        if (batch.length > 0) await write(transaction, domain, batch);
        changes += batch.length;
        batch = [];
      };
      for await (const path of source.paths(signal)) {
        signal.throwIfAborted();
        const file = await source.read(path);
        if (!file) continue;
        const page = await pageOf(source, path, file);
        if (found.has(page.path)) continue;
        found.add(page.path);
        if (stored.get(page.path) === page.stamp) continue;
        batch.push(page);
        if (batch.length === BATCH) await flush();
      }
      await flush();
      const gone = [...stored.keys()].filter((path) => !found.has(path));
      for (let start = 0; start < gone.length; start += BATCH) {
        const paths = gone.slice(start, start + BATCH);
        await transaction
          .deleteFrom('pages')
          .where('domain', '=', domain)
          .where('path', 'in', paths)
          .execute();
      }
      const config = JSON.stringify(await source.readConfig(log));
      await lockIndexes(transaction, domain);
      const isChanged = changes + gone.length > 0;
      await sql`
        update sites set config = ${config}::jsonb, generation = generation +
          case when ${isChanged} or config <> ${config}::jsonb then 1 else 0 end
        where domain = ${domain}
      `.execute(transaction);
      await writeIndexes(transaction);
      return found.size;
    }),
  );
}

async function pageOf(source: PageSource, path: string, file: PageFile): Promise<NewPage> {
  const text = storable(file.source);
  const included = await source.readIncludes(path, file.source);
  const includes = JSON.stringify(
    Object.fromEntries([...included].map(([name, content]) => [storable(name), storable(content)])),
  );
  const { canonicalUrl } = file;
  const stamp = createHash('sha256')
    .update(JSON.stringify([text, includes, canonicalUrl]))
    .digest('base64url');
  return {
    path: storable(path),
    stamp,
    source: text,
    canonical_url: canonicalUrl ?? null,
    includes,
  };
}

async function write(
  db: ServiceDatabase,
  domain: string,
  pages: readonly NewPage[],
): Promise<void> {
  await db
    .insertInto('pages')
    .values(pages.map((page) => ({ domain, ...page })))
    .onConflict((conflict) =>
      conflict.columns(['domain', 'path']).doUpdateSet((set) => ({
        stamp: set.ref('excluded.stamp'),
        source: set.ref('excluded.source'),
        canonical_url: set.ref('excluded.canonical_url'),
        includes: set.ref('excluded.includes'),
      })),
    )
    .execute();
}

async function stampsOf(db: ServiceDatabase, domain: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('pages')
    .select(['path', 'stamp'])
    .where('domain', '=', domain)
    .orderBy('path')
    .execute();
  return new Map(rows.map(({ path, stamp }) => [path, stamp]));
}
