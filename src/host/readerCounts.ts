/** Counts what readers open and what they search in vain, by day. Nothing of a reader is kept. Uses `node:fs`. */
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import type { Clock } from '../common/ports';
import { writeError } from '../export/exportErrors';
import { withoutControls } from '../shared/characters';
import { makeFolder, readJson } from '../common/onDisk';
import { writePrivateFile } from '../export/replaceFile';

/** Maximum number of different pages and searches that a day counts. The others are counted together. */
const MAX_PAGES = 20_000;
const MAX_SEARCHES = 1000;

/** Maximum characters of a search. */
const MAX_SEARCH = 120;

/** Days after which counts are removed. */
const KEPT_DAYS = 400;

const DAY_MS = 24 * 60 * 60 * 1000;

/** Searches that are counted in a row, and in a second after that. All readers together have these. */
const BURST = 100;
const PER_SECOND = 5;

const counted = v.array(v.tuple([v.string(), v.pipe(v.number(), v.integer(), v.minValue(0))]));

const daySchema = v.object({
  schemaVersion: v.literal(1),
  /** Day in UTC, such as `2026-11-26`. */
  day: v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\d$/)),
  /** Views of each page, by its path. */
  pages: counted,
  otherPages: v.number(),
  /** Searches without a result, by their text. */
  searches: counted,
  /** Searches without a result whose text isn't kept: too many, or with something that looks private. */
  otherSearches: v.number(),
});

/** Counts of one day. */
interface Day {
  readonly day: string;
  readonly pages: Map<string, number>;
  otherPages: number;
  readonly searches: Map<string, number>;
  otherSearches: number;
}

/** Counts of some days, the most frequent first. */
export interface CountReport {
  readonly from: string;
  readonly to: string;
  readonly views: number;
  readonly pages: readonly { readonly path: string; readonly views: number }[];
  readonly searchesWithoutResult: number;
  readonly searches: readonly { readonly text: string; readonly count: number }[];
  readonly days: readonly {
    readonly day: string;
    readonly views: number;
    readonly searchesWithoutResult: number;
  }[];
}

interface CountOptions {
  /** Absolute path of the folder for the counts. */
  readonly folder: string;
  readonly clock: Pick<Clock, 'now'>;
}

export class ReaderCounts {
  readonly #options: CountOptions;
  #today: Day;
  #isChanged = false;
  /** Last save of a day that is over. */
  #ended: Promise<void> = Promise.resolve();
  /** Searches that can be counted now. */
  #room = BURST;
  #roomAt: number;

  constructor(options: CountOptions) {
    this.#options = options;
    this.#roomAt = options.clock.now();
    this.#today = emptyDay(this.#dayOf(0));
  }

  /** Continues the counts of today that an earlier process has saved, and removes those that are too old. */
  async open(): Promise<void> {
    const { folder } = this.#options;
    this.#today = (await this.#read(this.#today.day)) ?? this.#today;
    const oldest = this.#dayOf(KEPT_DAYS);
    for (const name of await readdir(folder).catch(() => [])) {
      const isOld = /^\d{4}-\d\d-\d\d\.json$/.test(name) && name < `${oldest}.json`;
      if (!isOld && !name.endsWith('.part')) continue;
      // A file that can't be removed now is removed at another start.
      await rm(path.join(folder, name), { force: true }).catch(() => undefined);
    }
  }

  /** Counts a view of a page. */
  countPage(page: string): void {
    const today = this.#current();
    if (!count(today.pages, page, MAX_PAGES)) today.otherPages += 1;
  }

  /** Returns whether another search is counted now, and takes its place. */
  takeRoom(): boolean {
    const now = this.#options.clock.now();
    this.#room = Math.min(BURST, this.#room + ((now - this.#roomAt) / 1000) * PER_SECOND);
    this.#roomAt = now;
    if (this.#room < 1) return false;
    this.#room -= 1;
    return true;
  }

  /** Counts a search without a result. A text with a secret or an e-mail address isn't kept. */
  async countSearch(search: string): Promise<void> {
    const text = withoutControls(search.normalize('NFC')).replace(/\s+/g, ' ').trim();
    if (text === '') return;
    const isPrivate = text.length > MAX_SEARCH || (await looksPrivate(text));
    const today = this.#current();
    if (isPrivate || !count(today.searches, text.toLowerCase(), MAX_SEARCHES)) {
      today.otherSearches += 1;
    }
  }

  /** Saves the counts of today. @throws {ExportError} `disk-full`, `not-writable` */
  async save(): Promise<void> {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    try {
      await this.#write(this.#today);
    } catch (error) {
      this.#isChanged = true;
      throw error;
    }
  }

  /** Returns the counts of the last days, today included. */
  async report(days: number): Promise<CountReport> {
    const pages = new Map<string, number>();
    const searches = new Map<string, number>();
    const byDay: CountReport['days'][number][] = [];
    const current = this.#current();
    await this.#ended;
    for (let ago = days - 1; ago >= 0; ago--) {
      const name = this.#dayOf(ago);
      const day = name === current.day ? current : await this.#read(name);
      if (!day) continue;
      byDay.push({
        day: name,
        views: sumOf(day.pages) + day.otherPages,
        searchesWithoutResult: sumOf(day.searches) + day.otherSearches,
      });
      for (const [page, views] of day.pages) pages.set(page, (pages.get(page) ?? 0) + views);
      for (const [text, times] of day.searches)
        searches.set(text, (searches.get(text) ?? 0) + times);
    }
    return {
      from: this.#dayOf(days - 1),
      to: current.day,
      views: byDay.reduce((sum, { views }) => sum + views, 0),
      pages: mostFirst(pages).map(([page, views]) => ({ path: page, views })),
      searchesWithoutResult: byDay.reduce((sum, each) => sum + each.searchesWithoutResult, 0),
      searches: mostFirst(searches).map(([text, times]) => ({ text, count: times })),
      days: byDay,
    };
  }

  /** Returns the counts of today, and begins those of a new day. */
  #current(): Day {
    this.#isChanged = true;
    const day = this.#dayOf(0);
    // A clock that is set back must not begin a day again that is saved already.
    if (day > this.#today.day) {
      // The last counts of a day are lost if they can't be written, as the next ones matter more.
      this.#ended = this.#write(this.#today).catch(() => undefined);
      this.#today = emptyDay(day);
    }
    return this.#today;
  }

  #dayOf(ago: number): string {
    return new Date(this.#options.clock.now() - ago * DAY_MS).toISOString().slice(0, 10);
  }

  async #read(day: string): Promise<Day | undefined> {
    const found = await readJson(this.#file(day), daySchema);
    if (!found) return undefined;
    const { otherPages, otherSearches } = found;
    return {
      day,
      pages: new Map(found.pages),
      otherPages,
      searches: new Map(found.searches),
      otherSearches,
    };
  }

  async #write({ day, pages, otherPages, searches, otherSearches }: Day): Promise<void> {
    const { folder } = this.#options;
    try {
      await makeFolder(folder);
    } catch (error) {
      throw writeError(error, folder);
    }
    const saved: v.InferOutput<typeof daySchema> = {
      schemaVersion: 1,
      day,
      pages: [...pages],
      otherPages,
      searches: [...searches],
      otherSearches,
    };
    await writePrivateFile(this.#file(day), `${JSON.stringify(saved)}\n`);
  }

  #file(day: string): string {
    return path.join(this.#options.folder, `${day}.json`);
  }
}

function emptyDay(day: string): Day {
  return { day, pages: new Map(), otherPages: 0, searches: new Map(), otherSearches: 0 };
}

/** Adds one to the count of a name. @returns whether there was room for the name. */
function count(counts: Map<string, number>, name: string, max: number): boolean {
  const before = counts.get(name);
  if (before === undefined && counts.size >= max) return false;
  counts.set(name, (before ?? 0) + 1);
  return true;
}

function sumOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, each) => sum + each, 0);
}

function mostFirst(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].toSorted(([, a], [, b]) => b - a);
}

/** Returns whether a text may have something that belongs to a person: a secret, an e-mail address, a long number. */
async function looksPrivate(text: string): Promise<boolean> {
  if (/\S@\S+\.\S/.test(text) || /\d(?:[\s./-]?\d){7}/.test(text)) return true;
  const { scanText } = await import('../common/secretScan/scanText');
  return (await scanText(text)).length > 0;
}
