/** Keeps on disk what was read of pages, so that no process reads the same page twice. Uses `node:fs`. */
import { createHash } from 'node:crypto';
import { readdir, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { inTurns } from '../../common/clock';
import { errorCodeOrName, systemErrorCode } from '../../common/errorCode';
import type { DocsSet } from '../../common/localDocsApi';
import { makeFolder } from '../../common/onDisk';
import type { Clock, Log } from '../../common/ports';
import type { IncludedFiles } from '../pages/markup/lines';
import { type KeptPage, type ReadPage, readingWords } from '../search/pageWords';
import type { Vocabulary } from '../search/vocabulary';
import {
  DamagedSegment,
  type KeptSegment,
  openSegment,
  PART_ENDING,
  SEGMENT_ENDING,
  writeSegment,
} from './keptSegment';
import { PageStamps } from './pageStamps';

/** Hash of the code that reads pages, as `esbuild.mjs` defines it. It doesn't while it watches. */
declare const DOCS_READER: string | undefined;

/**
 * Names the code that reads pages: other code may read other words. Node's version of Unicode decides what a
 * letter is. Empty in a build without the hash, which keeps nothing.
 */
export const builtReader =
  typeof DOCS_READER === 'undefined' ? '' : `${DOCS_READER} ${process.versions.unicode ?? ''}`;

/** Place of the kept pages of some docs. */
export interface KeptPlace {
  /** Absolute path of the folder for all docs. Several processes can use it at the same time. */
  readonly folder: string;
  /** Identifies the docs, such as the kind and the absolute path of their folder. */
  readonly docs: string;
  /** Names the code that reads pages. That of this build if absent. */
  readonly reader?: string;
  /** Maximum bytes of the folder. */
  readonly maxBytes?: number;
  /** Removal of old pages from the folder, which all sets of an engine share. */
  readonly cleaning?: Cleaning;
}

/** Time at which a process has last removed old pages, in milliseconds since the epoch. */
export interface Cleaning {
  at: number;
}

interface KeptPagesPorts {
  readonly place: KeptPlace;
  /** Set of the pages, if the engine has several. */
  readonly set?: DocsSet;
  /** Numbers of words, for the pages that are written. */
  readonly vocabulary: Vocabulary;
  readonly clock: Clock;
  readonly log: Log;
  /** Gives other work a turn, if it is time. */
  readonly pause: () => Promise<void>;
}

/** Maximum bytes of all docs: 40,000 pages of 25 KB. */
const MAX_BYTES = 1024 * 1024 * 1024;
/**
 * Bytes of new pages after which they are written, so that a crash while thousands are read doesn't lose all. The
 * first answer of most docs doesn't wait for that.
 */
const FLUSH_BYTES = 16 * 1024 * 1024;
/** Number of pages up to which a file is small. Each change of a page makes a small file. */
const SMALL_PAGES = 32;
/** Number of small files, and of files that are half out of date, after which they are joined. */
const MAX_LOOSE = 8;
/** Milliseconds after which docs that nobody asked are removed: 60 days. */
const UNUSED_MS = 60 * 24 * 60 * 60 * 1000;
/** Milliseconds after which a file that was not completed is removed, as its process must have ended. */
const ABANDONED_MS = 60 * 60 * 1000;
/** Milliseconds between two removals of old pages by one engine, which looks at the files of all docs each time. */
const CLEANING_MS = 60 * 60 * 1000;
const FOLDER_ONLY_FOR_THE_USER = 0o700;
/** Matches the name of a folder with the pages of one set of docs. Nothing else is removed. */
const setName = /^[0-9a-f]{32}$/;

/**
 * Returns the key of a page: equal keys mean that reading gives an equal page. Each part is hashed with its
 * length, so that no two lists of parts give the same bytes.
 */
export function keyOfPage(
  pagePath: string,
  source: string,
  canonicalUrl: string | undefined,
  files: IncludedFiles,
): string {
  const hash = createHash('sha256');
  const add = (part: string): void => void hash.update(`${part.length}:`).update(part);
  add(pagePath);
  add(source);
  add(canonicalUrl === undefined ? '' : `=${canonicalUrl}`);
  for (const [name, content] of files) {
    add(name);
    add(content);
  }
  return hash.digest('base64url');
}

/** Names what pages without files are made of. */
export interface MadeOf {
  /** Changes when it could have changed, on this machine and in this place. */
  readonly stamp: string;
  /** Hash of it, which is the same in all places. */
  readonly content: string;
}

/** Path under which the pages without files are told together: the hash of what they are made of, and as bytes their number. */
const MADE = '';

/**
 * Keeps what was read of the pages of some docs, in files that never change, each for some pages. The key of a
 * page is a hash of its content, so it doesn't matter which process wrote a file or when. Nothing here fails: a page
 * that can't be kept is read again.
 */
export class KeptPages {
  readonly #ports: KeptPagesPorts;
  readonly #folder: string;
  readonly #reader: string;
  #segments: KeptSegment[] = [];
  /** Pages that the docs have now, by path. */
  readonly #current = new Map<
    string,
    { readonly key: string; readonly read: ReadPage | KeptPage }
  >();
  readonly #stamps: PageStamps;
  /** Pages to write, by key. */
  #unwritten = new Map<string, ReadPage>();
  #unwrittenBytes = 0;
  #isReadOnly = false;
  #flushing: Promise<void> = Promise.resolve();

  constructor(ports: KeptPagesPorts) {
    this.#ports = ports;
    const { folder, docs, reader = builtReader } = ports.place;
    this.#reader = reader;
    const name = createHash('sha256').update(`${reader}\n${docs}`).digest('hex').slice(0, 32);
    this.#folder = path.join(folder, name);
    this.#stamps = new PageStamps(this.#folder);
  }

  /** Finds out which pages are kept. */
  async open(): Promise<void> {
    if (this.#reader === '') return;
    let names: string[];
    try {
      names = await readdir(this.#folder);
      // The time says when the docs were last asked.
      const now = new Date(this.#ports.clock.now());
      await utimes(this.#folder, now, now).catch(() => undefined);
    } catch (error) {
      if (systemErrorCode(error) !== 'ENOENT') this.#warn('read', error);
      return;
    }
    for (const name of names.filter((each) => each.endsWith(SEGMENT_ENDING)).toSorted()) {
      const file = path.join(this.#folder, name);
      try {
        this.#segments.push(await openSegment(file, this.#ports.set, this.#ports.pause));
      } catch (error) {
        await this.#leaveOut(file, error);
      }
      await this.#ports.pause();
    }
    await this.#stamps.load();
  }

  /** Returns what was read of a page, or undefined if it must be read. The page belongs to the docs now. */
  find(pagePath: string, key: string): KeptPage | undefined {
    for (const segment of this.#segments) {
      const read = segment.find(key);
      if (!read) continue;
      this.#current.set(pagePath, { key, read });
      return read;
    }
    return undefined;
  }

  /**
   * Returns what was read of a page whose file has not changed since, with its size in bytes. The page belongs to
   * the docs now.
   * @param stamp stamp of the file, as it is now.
   */
  findUnchanged(
    pagePath: string,
    stamp: string,
  ): { readonly read: KeptPage; readonly bytes: number } | undefined {
    const known = this.#stamps.get(pagePath, stamp);
    const read = known && this.find(pagePath, known.key);
    return read && { read, bytes: known.bytes };
  }

  /** Returns the hash of what pages without files are made of, if it still has the stamp that was told last. */
  contentOf(stamp: string): string | undefined {
    return this.#stamps.get(MADE, stamp)?.key;
  }

  /**
   * Returns the pages without files that an earlier process has made, or undefined if not all of them are kept. They
   * belong to the docs now.
   */
  findMade({ stamp, content }: MadeOf): readonly KeptPage[] | undefined {
    const made = this.#stamps.of(MADE);
    if (made?.key !== content) return undefined;
    const found = this.#stamps
      .withStamp(`made of ${content}`)
      .flatMap(({ page, key }) => this.find(page, key) ?? []);
    if (found.length !== made.bytes) return undefined;
    // Another copy of the same, such as that of a second workspace.
    this.trust(MADE, { key: content, stamp, bytes: made.bytes });
    return found;
  }

  /** Keeps all pages that were made without files. */
  async putMade({ stamp, content }: MadeOf, pages: readonly ReadPage[]): Promise<void> {
    // A page without sections isn't kept, and no question finds it.
    const filled = pages.filter(({ page }) => page.sections.length > 0);
    const told = `made of ${content}`;
    this.trust(MADE, { key: content, stamp, bytes: filled.length });
    for (const read of filled) {
      const { path: pagePath, sections } = read.page;
      const text = JSON.stringify(sections);
      const key = keyOfPage(pagePath, text, undefined, new Map());
      await this.put(key, read, text.length);
      this.trust(pagePath, { key, stamp: told, bytes: text.length });
      await this.#ports.pause();
    }
  }

  /** Returns whether an earlier process has told a stamp of a page's file. */
  hasStamp(pagePath: string): boolean {
    return this.#stamps.of(pagePath) !== undefined;
  }

  /** Tells the stamp of a page's file with which the page need not be read again. */
  trust(pagePath: string, known: { key: string; stamp: string; bytes: number }): void {
    if (this.#reader !== '') this.#stamps.set(pagePath, known);
  }

  /**
   * Adds a page that belongs to the docs now. Writes it later if it isn't kept yet.
   * @param bytes size of the page.
   */
  async put(key: string, read: ReadPage, bytes: number): Promise<void> {
    this.#current.set(read.page.path, { key, read });
    // Postings name sections, so a page without any has no words to keep.
    if (read.page.sections.length === 0) return;
    if (this.#reader === '' || this.#segments.some(({ keys }) => keys.has(key))) return;
    this.#unwritten.set(key, read);
    this.#unwrittenBytes += bytes;
    if (this.#unwrittenBytes >= FLUSH_BYTES) await this.flush();
  }

  /** Forgets a page that no longer belongs to the docs. */
  remove(pagePath: string): void {
    this.#current.delete(pagePath);
    this.#stamps.delete(pagePath);
  }

  /** Writes all that isn't kept yet, at the end. */
  async close(): Promise<void> {
    await this.flush();
    await this.#writeStamps();
  }

  async #writeStamps(): Promise<void> {
    if (this.#isReadOnly) return;
    try {
      await this.#stamps.write();
    } catch (error) {
      // A folder without kept pages doesn't exist, or another process has removed it.
      if (systemErrorCode(error) !== 'ENOENT') this.#warn('write', error);
    }
  }

  /** Writes the pages that aren't kept yet. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write());
    return this.#flushing;
  }

  /** Writes the pages that aren't kept yet, when all pages of the docs are known, and removes what is old. */
  async settle(): Promise<void> {
    const isChanged = this.#unwritten.size > 0;
    const loose = this.#looseSegments();
    if (loose.length > 0) await this.#keepCurrentOf(loose);
    await this.flush();
    if (!this.#isReadOnly) {
      for (const { file } of loose) await rm(file, { force: true }).catch(() => undefined);
      this.#segments = this.#segments.filter((segment) => !loose.includes(segment));
    }
    this.#stamps.keepOnly({ has: (page) => page === MADE || this.#current.has(page) });
    if (isChanged && !this.#isReadOnly) await this.#removeOld();
  }

  /** Returns the files to replace by one: small files, and those whose pages have mostly changed. */
  #looseSegments(): KeptSegment[] {
    const keys = new Set(Array.from(this.#current.values(), ({ key }) => key));
    const loose: KeptSegment[] = [];
    let isStale = false;
    for (const segment of this.#segments) {
      let current = 0;
      for (const key of segment.keys.keys()) if (keys.has(key)) current++;
      const { size } = segment.keys;
      const isMostlyStale = current * 2 < size;
      // One small file that is out of date costs less than the work to replace it.
      isStale ||= isMostlyStale && size > SMALL_PAGES;
      if (isMostlyStale || size <= SMALL_PAGES) loose.push(segment);
    }
    return isStale || loose.length > MAX_LOOSE ? loose : [];
  }

  async #keepCurrentOf(loose: readonly KeptSegment[]): Promise<void> {
    const { vocabulary, pause } = this.#ports;
    for (const { key, read } of this.#current.values()) {
      if (!loose.some(({ keys }) => keys.has(key))) continue;
      const words = 'words' in read ? read : inTurns(readingWords(read.page, vocabulary), pause);
      this.#unwritten.set(key, await words);
    }
  }

  async #write(): Promise<void> {
    const pages = this.#unwritten;
    if (pages.size === 0 || this.#isReadOnly) return;
    this.#unwritten = new Map();
    this.#unwrittenBytes = 0;
    const { vocabulary, pause, place } = this.#ports;
    const { maxBytes = MAX_BYTES } = place;
    const kept = this.#segments.reduce((sum, { bytes }) => sum + bytes, 0);
    if (kept > maxBytes) {
      this.#isReadOnly = true;
      this.#ports.log.info('Not all pages are kept on disk, because there are too many');
      return;
    }
    try {
      await makeFolder(this.#folder, FOLDER_ONLY_FOR_THE_USER);
      this.#segments.push(await writeSegment(this.#folder, pages, vocabulary, pause));
    } catch (error) {
      // On a full disk, the next page wouldn't fit either.
      this.#isReadOnly = true;
      this.#warn('write', error);
    }
  }

  /** Removes abandoned files, docs that nobody asked for long, and the oldest of the others above the limit. */
  async #removeOld(): Promise<void> {
    const { clock, place } = this.#ports;
    const { maxBytes = MAX_BYTES, cleaning } = place;
    const now = clock.now();
    if (cleaning) {
      if (Math.abs(now - cleaning.at) < CLEANING_MS) return;
      cleaning.at = now;
    }
    try {
      const others: { folder: string; usedAt: number; bytes: number }[] = [];
      let left = maxBytes;
      for (const name of await readdir(place.folder)) {
        if (!setName.test(name)) continue;
        const folder = path.join(place.folder, name);
        const stats = await stat(folder).catch(() => undefined);
        if (!stats?.isDirectory()) continue;
        const bytes = await this.#sizeOf(folder, now);
        if (folder === this.#folder) left -= bytes;
        else others.push({ folder, usedAt: stats.mtimeMs, bytes });
      }
      for (const { folder, usedAt, bytes } of others.toSorted((a, b) => b.usedAt - a.usedAt)) {
        left -= bytes;
        if (left >= 0 && now - usedAt < UNUSED_MS) continue;
        await rm(folder, { recursive: true, force: true });
      }
    } catch (error) {
      this.#warn('remove', error);
    }
  }

  /** Returns the bytes of a folder's files. Removes those that no process completes any more. */
  async #sizeOf(folder: string, now: number): Promise<number> {
    let bytes = 0;
    for (const name of await readdir(folder).catch(() => [])) {
      const file = path.join(folder, name);
      const stats = await stat(file).catch(() => undefined);
      if (!stats) continue;
      if (name.endsWith(PART_ENDING) && now - stats.mtimeMs > ABANDONED_MS) {
        await rm(file, { force: true }).catch(() => undefined);
      } else bytes += stats.size;
    }
    return bytes;
  }

  /** Goes on without a file. Removes it if it is damaged, because it would be damaged the next time, too. */
  async #leaveOut(file: string, error: unknown): Promise<void> {
    // Another process may just have replaced it.
    if (systemErrorCode(error) === 'ENOENT') return;
    this.#warn('read', error);
    if (error instanceof DamagedSegment) await rm(file, { force: true }).catch(() => undefined);
  }

  #warn(action: string, error: unknown): void {
    this.#ports.log.warn(`Can't ${action} the kept pages of the docs (${errorCodeOrName(error)})`);
  }
}
