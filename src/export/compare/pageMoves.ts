/** Finds the pages that moved, by their contents. */
import { compareText } from '../../common/text/strings';
import { grouped } from '../check/report';
import { pageRoute } from './pageAddress';
import { similarity, type TextSketch } from './textSketch';

/** A page that only one of the bundles has at its address. */
export interface UnpairedPage {
  readonly path: string;
  readonly title: string;
  /** Digest of the readable text without the targets of its links. */
  readonly words: string;
  readonly sketch: TextSketch;
}

export interface PageMove {
  readonly before: string;
  readonly after: string;
  /** Share of the text that both pages have. It is 1 for the same text. */
  readonly similarity: number;
}

/**
 * Share of the text that two pages must have in common to count as one page that moved. Git's
 * renames use the same.
 */
const MOVED_SIMILARITY = 0.5;

/** Number of word sequences from which similar texts count. Shorter texts must be the same. */
const MIN_SIMILAR_SIZE = 8;

/** Samples of each page in the index. Similar pages have many samples in common. */
const INDEXED_SAMPLES = 32;

/**
 * Most pages with the same word sequence. A sequence on more pages belongs to a template and
 * identifies no page.
 */
const MAX_SHARED = 100;

/** Most candidates that are compared with a page. */
const MAX_CANDIDATES = 10;

/**
 * Returns the pages that moved, each page in at most one move. Pages with the same text are matched
 * first, then pages with the most text in common. Of equal candidates, one with the same name wins.
 */
export function findMoves(
  gone: readonly UnpairedPage[],
  added: readonly UnpairedPage[],
): PageMove[] {
  const withText = (page: UnpairedPage): boolean => page.sketch.size > 0;
  const same = sameTextMoves(gone.filter(withText), added.filter(withText));
  const movedFrom = new Set(same.map(({ before }) => before));
  const movedTo = new Set(same.map(({ after }) => after));
  const isLong = ({ sketch }: UnpairedPage): boolean => sketch.size >= MIN_SIMILAR_SIZE;
  const similar = similarMoves(
    gone.filter((page) => isLong(page) && !movedFrom.has(page.path)),
    added.filter((page) => isLong(page) && !movedTo.has(page.path)),
  );
  return [...same, ...similar].sort((a, b) => compareText(a.before, b.before));
}

function sameTextMoves(gone: readonly UnpairedPage[], added: readonly UnpairedPage[]): PageMove[] {
  const byText = grouped(added, ({ words }) => words);
  const byTextAndName = grouped(added, (page) => `${page.words} ${nameOf(page.path)}`);
  const movedTo = new Map<string, string>();
  const isTaken = new Set<string>();
  const take = (page: UnpairedPage, targets: UnpairedPage[] | undefined): void => {
    if (movedTo.has(page.path)) return;
    // Targets that are already taken are removed from the list, so each target is looked at only
    // once.
    for (let target = targets?.shift(); target; target = targets?.shift()) {
      if (isTaken.has(target.path)) continue;
      isTaken.add(target.path);
      movedTo.set(page.path, target.path);
      return;
    }
  };
  // Several pages can have the same text. Each takes one with its own name if there is one.
  for (const page of gone) take(page, byTextAndName.get(`${page.words} ${nameOf(page.path)}`));
  for (const page of gone) take(page, byText.get(page.words));
  return [...movedTo].map(([before, after]) => ({ before, after, similarity: 1 }));
}

interface SimilarPair extends PageMove {
  /** Whether the pages have the same name or the same title. */
  readonly isNamed: boolean;
}

function similarMoves(gone: readonly UnpairedPage[], added: readonly UnpairedPage[]): PageMove[] {
  const index = new SimilarPages(added);
  const pairs: SimilarPair[] = [];
  for (const page of gone) {
    for (const { other, share } of index.of(page, MOVED_SIMILARITY)) {
      const isNamed = hasSameName(page, other) || page.title === other.title;
      pairs.push({ before: page.path, after: other.path, similarity: share, isNamed });
    }
  }
  pairs.sort(
    (a, b) =>
      b.similarity - a.similarity ||
      Number(b.isNamed) - Number(a.isNamed) ||
      compareText(a.before, b.before) ||
      compareText(a.after, b.after),
  );
  const used = new Set<string>();
  const moves: PageMove[] = [];
  for (const { before, after, similarity: share } of pairs) {
    if (used.has(`- ${before}`) || used.has(`+ ${after}`)) continue;
    used.add(`- ${before}`).add(`+ ${after}`);
    moves.push({ before, after, similarity: share });
  }
  return moves;
}

/** Finds the pages with the most text in common, without comparing every pair. */
export class SimilarPages {
  readonly #pages: readonly UnpairedPage[];
  /** Numbers that hold a sample and the number of its page, sorted. A map takes ten times the memory. */
  readonly #index: Float64Array;
  readonly #byName: ReadonlyMap<string, readonly number[]>;

  constructor(pages: readonly UnpairedPage[]) {
    this.#pages = pages;
    const index = new Float64Array(pages.length * INDEXED_SAMPLES);
    let length = 0;
    const names = new Map<string, number[]>();
    for (const [number, page] of pages.entries()) {
      for (const sample of page.sketch.samples.subarray(0, INDEXED_SAMPLES))
        index[length++] = entryOf(sample, number);
      for (const name of namesOf(page)) {
        const known = names.get(name);
        if (known) known.push(number);
        else names.set(name, [number]);
      }
    }
    this.#index = index.subarray(0, length).sort();
    this.#byName = names;
  }

  /** Returns the pages that have at least this share of their text in common with one, best first. */
  of(page: UnpairedPage, minShare: number): { other: UnpairedPage; share: number }[] {
    const counts = new Map<number, number>();
    const count = (number: number): void => void counts.set(number, (counts.get(number) ?? 0) + 1);
    for (const sample of page.sketch.samples) this.#with(sample).forEach(count);
    // Pages of one template have few distinct samples, so names count as well.
    for (const name of namesOf(page)) {
      const named = this.#byName.get(name) ?? [];
      if (named.length <= MAX_SHARED) named.forEach(count);
    }
    return [...counts]
      .sort(([a, countA], [b, countB]) => countB - countA || a - b)
      .slice(0, MAX_CANDIDATES)
      .flatMap(([number]) => {
        const other = this.#pages[number];
        if (!other || other.path === page.path) return [];
        const share = similarity(page.sketch, other.sketch);
        return share >= minShare ? [{ other, share }] : [];
      })
      .sort((a, b) => b.share - a.share || compareText(a.other.path, b.other.path));
  }

  #with(sample: number): number[] {
    const first = this.#firstFrom(entryOf(sample, 0));
    const numbers: number[] = [];
    for (let at = first; at < this.#index.length; at++) {
      const entry = this.#index[at] ?? 0;
      if (Math.floor(entry / PAGES) !== sample) break;
      numbers.push(entry % PAGES);
      if (numbers.length > MAX_SHARED) return [];
    }
    return numbers;
  }

  #firstFrom(entry: number): number {
    let low = 0;
    let high = this.#index.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#index[middle] ?? 0) < entry) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Number of pages that an entry has room for. With 32 bits of a sample it stays a whole number. */
const PAGES = 2 ** 21;

function entryOf(sample: number, number: number): number {
  return sample * PAGES + number;
}

function namesOf({ path, title }: UnpairedPage): string[] {
  return [`name ${nameOf(path)}`, `title ${title}`];
}

function hasSameName(one: UnpairedPage, other: UnpairedPage): boolean {
  return nameOf(one.path) === nameOf(other.path);
}

/** Returns the last part of a page's address. */
function nameOf(path: string): string {
  const route = pageRoute(path);
  return route.slice(route.lastIndexOf('/') + 1);
}
