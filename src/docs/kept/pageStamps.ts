/**
 * The stamps of pages' files on this machine, by which a page that has not changed isn't read again. The file is
 * only a hint: it is replaced as a whole, by the process that ends last, and a damaged one costs reading the pages.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { hashOf, writeWhole } from './keptSegment';

/** Name of the file. It has no ending, so that no process takes it for kept pages. */
const FILE = 'stamps';
const HASH_LENGTH = 64;

const stampsSchema = v.array(v.tuple([v.string(), v.string(), v.number(), v.string()]));

interface KnownPage {
  readonly stamp: string;
  /** Size of the page in bytes. */
  readonly bytes: number;
  /** Key of what was read of the page. */
  readonly key: string;
}

export class PageStamps {
  readonly #file: string;
  #pages = new Map<string, KnownPage>();
  #isChanged = false;

  /** @param folder folder of the kept pages of some docs. */
  constructor(folder: string) {
    this.#file = path.join(folder, FILE);
  }

  /** Reads the file, if there is one. */
  async load(): Promise<void> {
    try {
      const written = await readFile(this.#file);
      const list = written.subarray(HASH_LENGTH);
      if (hashOf(list) !== written.toString('latin1', 0, HASH_LENGTH)) return;
      const pages = v.parse(stampsSchema, JSON.parse(list.toString('utf8')));
      this.#pages = new Map(
        pages.map(([page, stamp, bytes, key]) => [page, { stamp, bytes, key }]),
      );
    } catch {
      // Without stamps, the pages are read.
    }
  }

  /** Returns what is known about a page, if its file still has this stamp. */
  get(page: string, stamp: string): KnownPage | undefined {
    const known = this.#pages.get(page);
    return known?.stamp === stamp ? known : undefined;
  }

  /** Returns what is known about a page, whatever the stamp of its file is now. */
  of(page: string): KnownPage | undefined {
    return this.#pages.get(page);
  }

  /** Returns the keys of the pages with a stamp, with their paths. */
  withStamp(wanted: string): readonly { readonly page: string; readonly key: string }[] {
    return [...this.#pages].flatMap(([page, { stamp, key }]) =>
      stamp === wanted ? [{ page, key }] : [],
    );
  }

  set(page: string, known: KnownPage): void {
    const before = this.#pages.get(page);
    if (before?.stamp === known.stamp && before.key === known.key) return;
    this.#pages.set(page, known);
    this.#isChanged = true;
  }

  delete(page: string): void {
    if (this.#pages.delete(page)) this.#isChanged = true;
  }

  /** Forgets all other pages. */
  keepOnly(pages: Pick<ReadonlySet<string>, 'has'>): void {
    for (const page of this.#pages.keys()) if (!pages.has(page)) this.delete(page);
  }

  /** Writes the stamps if they have changed. Rejects with an error of the file system. */
  async write(): Promise<void> {
    if (!this.#isChanged) return;
    const list = Array.from(this.#pages, ([page, { stamp, bytes, key }]) => [
      page,
      stamp,
      bytes,
      key,
    ]);
    const written = Buffer.from(JSON.stringify(list));
    await writeWhole(this.#file, [Buffer.from(hashOf(written)), written]);
    this.#isChanged = false;
  }
}
