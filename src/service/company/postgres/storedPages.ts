/** Pages of a site in PostgreSQL: written by the process that refreshes the site, read by all. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import * as v from 'valibot';
import type { Log } from '../../../common/ports';
import type { FolderChanges } from '../../../docs/sources/folderWatch';
import type { PageFile } from '../../../docs/sources/docsFolder';
import type { PageSource, PageWatch } from '../../../docs/sources/pageSource';
import { noSiteConfig, type SiteConfig } from '../../../docs/siteConfig/siteConfig';
import { type Database, type ServiceDatabase, storable } from './database';

/** Pages that are written in one statement. */
const BATCH = 100;

const includesSchema = v.record(v.string(), v.string());

/** Returns whether a stored value is a configuration, which this program has stored itself. */
function isConfig(value: unknown): value is SiteConfig {
  return typeof value === 'object' && value !== null && 'navigation' in value;
}

/** A page to store. */
interface NewPage {
  readonly path: string;
  readonly stamp: string;
  readonly source: string;
  readonly canonical_url: string | null;
  readonly includes: string;
}

/**
 * Replaces the pages of a site by those of a source, in one transaction: readers see the old pages until all new ones
 * are there, and a process that dies leaves the old ones.
 * @returns the number of pages.
 */
export async function storePages(
  database: Database,
  domain: string,
  source: PageSource,
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
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
      await sql`
        update sites set
          generation = generation + ${changes + gone.length > 0 ? 1 : 0}, config = ${config}::jsonb
        where domain = ${domain}
      `.execute(transaction);
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

/** Calls back when the pages of a site have changed. */
export type OnChangedPages = (listener: () => void) => { dispose(): void };

/** The stored pages of a site as a source of docs. Images aren't stored. */
export class StoredPages implements PageSource {
  readonly hasPagesOnly = true;
  readonly #database: Database;
  readonly #domain: string;
  readonly #onChanged: OnChangedPages;
  #stamps: ReadonlyMap<string, string> = new Map();
  /** Files that pages include, between the reading of a page and that of its files. */
  readonly #includes = new Map<string, ReadonlyMap<string, string>>();

  constructor(database: Database, domain: string, onChanged: OnChangedPages) {
    this.#database = database;
    this.#domain = domain;
    this.#onChanged = onChanged;
  }

  async *paths(): AsyncGenerator<string> {
    this.#stamps = await this.#readStamps();
    yield* this.#stamps.keys();
  }

  async read(path: string): Promise<PageFile | undefined> {
    const row = await this.#database.read((db) =>
      db
        .selectFrom('pages')
        .select(['source', 'stamp', 'canonical_url', 'includes'])
        .where('domain', '=', this.#domain)
        .where('path', '=', storable(path))
        .executeTakeFirst(),
    );
    if (!row) return undefined;
    const includes = Object.entries(v.parse(includesSchema, row.includes));
    if (includes.length > 0) this.#includes.set(path, new Map(includes));
    return {
      source: row.source,
      stamp: row.stamp,
      changedAt: -Infinity,
      canonicalUrl: row.canonical_url ?? undefined,
    };
  }

  stamp(path: string): Promise<string | undefined> {
    return Promise.resolve(this.#stamps.get(path));
  }

  async readIncludes(path: string): Promise<ReadonlyMap<string, string>> {
    if (!this.#includes.has(path)) await this.read(path);
    const includes = this.#includes.get(path) ?? new Map<string, string>();
    this.#includes.delete(path);
    return includes;
  }

  readFile(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async readConfig(): Promise<SiteConfig> {
    const row = await this.#database.read((db) =>
      db.selectFrom('sites').select('config').where('domain', '=', this.#domain).executeTakeFirst(),
    );
    return isConfig(row?.config) ? row.config : noSiteConfig;
  }

  watch(changes: FolderChanges): PageWatch {
    let comparing = Promise.resolve();
    const compare = async (): Promise<void> => {
      const before = this.#stamps;
      this.#stamps = await this.#readStamps();
      for (const [path, stamp] of this.#stamps) {
        if (before.get(path) !== stamp) changes.changed(path, stamp);
      }
      for (const path of before.keys()) if (!this.#stamps.has(path)) changes.removed(path);
    };
    const compareNext = (): void => {
      // A comparison that fails is made again with the next change.
      comparing = comparing.then(compare).catch(() => undefined);
    };
    let listening: { dispose(): void } | undefined;
    return {
      start: () => {
        listening = this.#onChanged(compareNext);
        compareNext();
      },
      stop: () => {
        listening?.dispose();
        return comparing;
      },
    };
  }

  #readStamps(): Promise<Map<string, string>> {
    return this.#database.read((db) => stampsOf(db, this.#domain));
  }
}
