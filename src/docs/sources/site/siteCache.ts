/** Keeps the pages of a public site on disk, with `node:fs`. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { errorCodeOrName } from '../../../common/errorCode';
import { makeFolder } from '../../../common/onDisk';
import type { Clock, Log } from '../../../common/ports';
import { SiteError } from './siteErrors';

const keptPageSchema = v.object({
  path: v.string(),
  /** URL of the page for people. */
  canonicalUrl: v.optional(v.string()),
  hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  bytes: v.number(),
});

const keptFileSchema = v.object({
  /** URL from which the pages came. */
  url: v.string(),
  etag: v.optional(v.string()),
  lastModified: v.optional(v.string()),
  pages: v.array(keptPageSchema),
});

/** Forms in which a site publishes its docs: an llms-full.txt, an llms.txt or a sitemap. */
const siteForms = ['llms-full', 'llms', 'sitemap'] as const;

const siteSetSchema = v.object({
  version: v.literal(1),
  /** URL that the reader entered. */
  url: v.string(),
  /** Milliseconds since the epoch. */
  fetchedAt: v.number(),
  form: v.picklist(siteForms),
  /** Sentences about limits that were reached and pages that were left out. */
  notes: v.array(v.string()),
  files: v.array(keptFileSchema),
});

export type KeptPage = v.InferOutput<typeof keptPageSchema>;
export type KeptFile = v.InferOutput<typeof keptFileSchema>;
/** A complete set of a site's pages. */
export type SiteSet = v.InferOutput<typeof siteSetSchema>;

/** Age at which a set is fetched again when it is used. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** Returns whether a set is too old to be used without fetching it again. */
export function isOldSet({ fetchedAt }: Pick<SiteSet, 'fetchedAt'>, now: number): boolean {
  const age = now - fetchedAt;
  // After the clock was set back, a set can have a time in the future. Its age is unknown then.
  return age > MAX_AGE_MS || age < 0;
}

const MANIFEST = 'site.json';
const PAGES = 'pages';
/** Age at which unused pages are removed. A newer page can belong to the next set of another window. */
const UNUSED_MS = 60 * 60 * 1000;

/**
 * A folder with one site's pages. Each page is a file with the hash of its content as its name. One file
 * lists the pages of the current set. This file is replaced in one step, so a set is always complete.
 */
export class SiteCache {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #log: Log;

  constructor(folder: string, clock: Clock, log: Log) {
    this.#folder = folder;
    this.#clock = clock;
    this.#log = log;
  }

  /** Creates the folder. @throws {SiteError} if it can't be used. */
  async prepare(): Promise<void> {
    try {
      await makeFolder(path.join(this.#folder, PAGES));
    } catch (error) {
      throw unusable(error);
    }
  }

  /** Returns the current set of a site, or undefined if the folder has no complete set of this site. */
  async load(url: string): Promise<SiteSet | undefined> {
    let written: string;
    try {
      written = await readFile(path.join(this.#folder, MANIFEST), 'utf8');
    } catch {
      return undefined;
    }
    try {
      const set = v.parse(siteSetSchema, JSON.parse(written));
      if (set.url === url) return set;
      this.#log.info(`The folder has the pages of ${set.url}, which is another site`);
    } catch {
      this.#log.warn('The list of pages is damaged. The site is fetched again.');
    }
    return undefined;
  }

  /** Stores the text of a page. `isNew` tells whether the folder didn't have it before. */
  async put(source: string): Promise<{ readonly hash: string; readonly isNew: boolean }> {
    const hash = createHash('sha256').update(source).digest('hex');
    const file = this.#fileOf(hash);
    const now = new Date(this.#clock.now());
    try {
      // With a new time, no other window removes this page before the next set is complete.
      await utimes(file, now, now);
      return { hash, isNew: false };
    } catch {
      // There is no such page yet.
    }
    try {
      await mkdir(path.dirname(file), { recursive: true });
      await this.#replace(file, source);
    } catch (error) {
      throw unusable(error);
    }
    return { hash, isNew: true };
  }

  /** Returns the text of a page, or undefined if its file can't be read, for example because it was deleted. */
  async read(hash: string): Promise<string | undefined> {
    try {
      return await readFile(this.#fileOf(hash), 'utf8');
    } catch (error) {
      this.#log.warn(`A page is missing in the folder (${errorCodeOrName(error)})`);
      return undefined;
    }
  }

  /** Makes a set the current one, and removes the pages that it doesn't have. */
  async commit(set: SiteSet): Promise<void> {
    try {
      await this.#replace(path.join(this.#folder, MANIFEST), JSON.stringify(set));
    } catch (error) {
      throw unusable(error);
    }
    const used = new Set(set.files.flatMap(({ pages }) => pages.map(({ hash }) => hash)));
    await this.#prune(used);
  }

  /** Removes pages that were stored for a set that was not completed. */
  async discard(hashes: Iterable<string>): Promise<void> {
    for (const hash of hashes) await rm(this.#fileOf(hash), { force: true }).catch(() => undefined);
  }

  #fileOf(hash: string): string {
    return path.join(this.#folder, PAGES, hash.slice(0, 2), `${hash}.md`);
  }

  async #replace(file: string, content: string): Promise<void> {
    const part = `${file}.${randomUUID()}.part`;
    try {
      await writeFile(part, content);
      await rename(part, file);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
  }

  async #prune(used: ReadonlySet<string>): Promise<void> {
    const limit = this.#clock.now() - UNUSED_MS;
    try {
      const pages = path.join(this.#folder, PAGES);
      for (const folder of await readdir(pages)) {
        for (const name of await readdir(path.join(pages, folder))) {
          if (used.has(name.replace(/\.md$/, ''))) continue;
          const file = path.join(pages, folder, name);
          if ((await stat(file)).mtimeMs < limit) await rm(file, { force: true });
        }
      }
    } catch (error) {
      this.#log.warn(`Can't remove old pages: ${errorCodeOrName(error)}`);
    }
  }
}

function unusable(error: unknown): SiteError {
  return new SiteError('cache-unusable', { causeCode: errorCodeOrName(error), cause: error });
}
