/** *Compare Bundles…*: finds what changed between two unpacked bundles, and what broke. */
import type { Clock } from '../../common/ports';
import { compareText } from '../../common/text/strings';
import { inOrder } from '../check/siteFiles';
import { compareAssets } from './assetChanges';
import { readSide, type BundleSide, type SideFacts } from './bundleSide';
import type { CompareProgress } from './compareInWorker';
import {
  MAX_LISTED,
  type BundleComparison,
  type ChangedPage,
  type ComparedLink,
  type ComparedSide,
  type ComparisonNote,
  type MovedPage,
  type PageEntry,
  type RestyledPage,
} from './comparison';
import { compareLinks } from './linkChanges';
import { findLostAddresses } from './lostAddresses';
import { findMoves, type PageMove, type UnpairedPage } from './pageMoves';
import { pairPages, redirectEnd, type PagePair, type PairedPages } from './pagePairs';
import { factsOf, PageTexts, TextComparison } from './textChanges';
import { similarity } from './textSketch';

interface CompareOptions {
  readonly before: BundleSide;
  readonly after: BundleSide;
  readonly signal: AbortSignal;
  /** Called from time to time, and after each step. */
  readonly onProgress: (progress: CompareProgress) => void;
  /** Clock for `durationMs`. */
  readonly clock?: Pick<Clock, 'now'>;
}

/** Pages between two reports of progress. */
const PROGRESS_PAGES = 50;

/**
 * Percentage of the smaller bundle's pages. Bundles with fewer pages in common are hardly of the
 * same site.
 */
const MIN_COMMON_PERCENT = 10;

/**
 * Compares two bundles. Only digests and small fingerprints of all pages are in memory at a time.
 *
 * @throws {ExportError} `file-gone` if a root is not a folder.
 */
export async function compareBundles(options: CompareOptions): Promise<BundleComparison> {
  const { signal, onProgress, clock } = options;
  const startedAt = clock?.now();
  signal.throwIfAborted();
  const before = await readSide(options.before, signal, (progress) =>
    onProgress({ step: 'before', ...progress }),
  );
  const after = await readSide(options.after, signal, (progress) =>
    onProgress({ step: 'after', ...progress }),
  );
  const pages = await comparePages(before, after, signal, onProgress);
  const assets = await compareAssets(before, after, signal);

  const sameAssets = new Map(assets.changed.map((asset) => [asset.before, asset.after]));
  const filesAfter = new Set(after.assets.map(({ path }) => path));
  const pathAfter = (path: string): string | undefined =>
    pages.pathAfter(path) ?? sameAssets.get(path) ?? (filesAfter.has(path) ? path : undefined);
  const links = compareLinks(before, after, pathAfter);
  const lostAddresses = findLostAddresses({
    before,
    after,
    pathAfter: pages.pathAfter,
    titleOf: pages.titleOf,
    gone: pages.gone,
    fresh: pages.fresh,
    unserved: [
      ...pages.moved.filter(({ isRedirected }) => !isRedirected).map((page) => page.before),
      ...pages.goneRedirects.filter((page) => {
        const end = redirectEnd(before.redirects, page);
        return end !== undefined && pages.pathAfter(end) !== undefined;
      }),
    ],
  });

  const counts = {
    addedPages: pages.added.length,
    removedPages: pages.removed.length,
    movedPages: pages.moved.length,
    changedPages: pages.changed.length,
    restyledPages: pages.restyled.length,
    unchangedPages: pages.unchanged,
    addedAssets: assets.added.length,
    removedAssets: assets.removed.length,
    changedAssets: assets.changed.length,
    unchangedAssets: assets.unchanged,
    brokenLinks: links.broken.length,
    mendedLinks: links.mended.length,
    lostAddresses: lostAddresses.length,
  };
  const list = new ListLimit();
  const lists = {
    pages: {
      added: list.cut(pages.added, ({ path }) => path),
      removed: list.cut(pages.removed, ({ path }) => path),
      moved: list.cut(pages.moved, (page) => page.before),
      changed: list.cut(pages.changed, (page) => page.after),
      restyled: list.cut(pages.restyled, (page) => page.after),
    },
    assets: {
      added: list.cut(assets.added, ({ path }) => path),
      removed: list.cut(assets.removed, ({ path }) => path),
      changed: list.cut(assets.changed, (asset) => asset.after),
    },
    links: {
      broken: list.cut(links.broken, byPlace),
      mended: list.cut(links.mended, byPlace),
    },
    lostAddresses: list.cut(lostAddresses, ({ page }) => page),
  };
  const leftOut = list.leftOut + leftOutOf(before) + leftOutOf(after);
  return {
    version: 1,
    before: sideOf(before),
    after: sideOf(after),
    counts,
    ...lists,
    notes: [
      ...siteNotes(before, after, pages.common),
      ...unreadableNote(before, 'before', pages.unreadable, assets.unreadable),
      ...unreadableNote(after, 'after', pages.unreadable, assets.unreadable),
      ...(leftOut > 0 ? [{ code: 'capped' as const, count: leftOut }] : []),
    ],
    durationMs: clock && startedAt !== undefined ? clock.now() - startedAt : undefined,
  };
}

interface PageChanges {
  readonly added: readonly PageEntry[];
  readonly removed: readonly PageEntry[];
  readonly moved: readonly MovedPage[];
  readonly changed: readonly ChangedPage[];
  readonly restyled: readonly RestyledPage[];
  readonly unchanged: number;
  /** Number of pages that both bundles have, at any address. */
  readonly common: number;
  /** Pages of both bundles whose texts could not be read. They count as unchanged. */
  readonly unreadable: readonly string[];
  readonly gone: ReadonlyMap<string, UnpairedPage>;
  /** Redirect pages of the old bundle that the new bundle doesn't have. */
  readonly goneRedirects: readonly string[];
  readonly fresh: readonly UnpairedPage[];
  readonly pathAfter: (path: string) => string | undefined;
  readonly titleOf: (path: string) => string;
}

async function comparePages(
  before: SideFacts,
  after: SideFacts,
  signal: AbortSignal,
  onProgress: (progress: CompareProgress) => void,
): Promise<PageChanges> {
  const paired = pairPages(before, after);
  const texts = new TextComparison(new PageTexts(before), new PageTexts(after));
  const differing = paired.pairs.filter((pair) => mayDiffer(pair, before, after));
  const gonePaths = [...paired.gone, ...paired.replaced.keys()];

  const totalPages = differing.length + gonePaths.length + paired.added.length;
  let pages = 0;
  const report = (): void => onProgress({ step: 'text', pages, totalPages });
  const count = (): void => {
    if (++pages % PROGRESS_PAGES === 0) report();
  };
  report();

  const changed: ChangedPage[] = [];
  const restyled: RestyledPage[] = [];
  const unreadable: string[] = [];
  const fresh: UnpairedPage[] = [];
  const results = inOrder(differing, signal, async (pair) => ({
    pair,
    compared: await texts.pair(pair),
  }));
  for await (const { pair, compared } of results) {
    count();
    if (!compared) unreadable.push(pair.after);
    else if ('change' in compared.change) {
      changed.push(compared.change);
      fresh.push(factsOf(compared.fresh));
    } else restyled.push(compared.change);
  }

  const gone = await readAll(texts.before, gonePaths, signal, count);
  const added = await readAll(texts.after, paired.added, signal, count);
  report();
  const moves = allMoves(paired, gone, added);
  const movedTo = new Set(moves.map((move) => move.after));
  const movedFrom = new Set(moves.map((move) => move.before));
  const moved = inOrder(moves, signal, async (move): Promise<MovedPage> => {
    const [old, now] = await Promise.all([
      texts.before.read(move.before),
      texts.after.read(move.after),
    ]);
    const change = old && now ? texts.change(old, now) : undefined;
    return {
      before: move.before,
      after: move.after,
      title: now?.title ?? '',
      ...(change ?? { change: 'none', addedLines: 0, removedLines: 0 }),
      similarity: move.similarity,
      isRedirected: paired.replaced.has(move.before),
    };
  });
  const movedPages: MovedPage[] = [];
  for await (const page of moved) movedPages.push(page);

  const pathAfter = new Map<string, string>([
    ...paired.pairs.map((pair) => [pair.before, pair.after] as const),
    ...moves.map((move) => [move.before, move.after] as const),
  ]);
  const isLeft = (path: string): boolean => !movedTo.has(path);
  return {
    added: paired.added.filter(isLeft).map((path) => entryOf(path, added)),
    removed: gonePaths.filter((path) => !movedFrom.has(path)).map((path) => entryOf(path, gone)),
    moved: movedPages,
    changed,
    restyled,
    unchanged: paired.pairs.length - changed.length - restyled.length,
    common: paired.pairs.length + moves.length,
    unreadable,
    gone,
    goneRedirects: paired.goneRedirects,
    fresh: [...fresh, ...[...added.values()].filter(({ path }) => isLeft(path))],
    pathAfter: (path) => pathAfter.get(path),
    titleOf: (path) => gone.get(path)?.title ?? '',
  };
}

/**
 * Returns whether the two versions of a page have different bytes. A page that was not read counts
 * as unchanged.
 */
function mayDiffer(pair: PagePair, before: SideFacts, after: SideFacts): boolean {
  return before.digests.get(pair.before) !== after.digests.get(pair.after);
}

async function readAll(
  texts: PageTexts,
  paths: readonly string[],
  signal: AbortSignal,
  onPage: () => void,
): Promise<Map<string, UnpairedPage>> {
  const pages = new Map<string, UnpairedPage>();
  for await (const page of texts.all(paths, signal)) {
    onPage();
    if (page) pages.set(page.path, factsOf(page));
  }
  return pages;
}

function allMoves(
  { replaced }: PairedPages,
  gone: ReadonlyMap<string, UnpairedPage>,
  added: ReadonlyMap<string, UnpairedPage>,
): PageMove[] {
  // The new bundle has redirects for these pages.
  const told = new Map<string, PageMove>();
  for (const [before, target = ''] of replaced) {
    const [old, now] = [gone.get(before), added.get(target)];
    if (!old || !now) continue;
    const share = old.words === now.words ? 1 : similarity(old.sketch, now.sketch);
    // Several old pages can redirect to the same page. The one with the most text in common counts
    // as moved.
    if (share > (told.get(target)?.similarity ?? -1))
      told.set(target, { before, after: target, similarity: share });
  }
  const found = findMoves(
    [...gone.values()].filter(({ path }) => !replaced.has(path)),
    [...added.values()].filter(({ path }) => !told.has(path)),
  );
  return [...told.values(), ...found];
}

function entryOf(path: string, texts: ReadonlyMap<string, UnpairedPage>): PageEntry {
  return { path, title: texts.get(path)?.title ?? '' };
}

function sideOf({ name, host, basePath, pages, assets, sizeBytes }: SideFacts): ComparedSide {
  return {
    name,
    host,
    basePath,
    pages: pages.length,
    files: pages.length + assets.length,
    sizeBytes,
  };
}

function siteNotes(before: SideFacts, after: SideFacts, common: number): ComparisonNote[] {
  const notes: ComparisonNote[] = [];
  if (before.host !== undefined && after.host !== undefined && before.host !== after.host)
    notes.push({ code: 'different-hosts', before: before.host, after: after.host });
  if (before.basePath !== after.basePath)
    notes.push({
      code: 'different-base-paths',
      before: before.basePath,
      after: after.basePath,
    });
  for (const [side, { pages }] of [['before', before] as const, ['after', after] as const])
    if (pages.length === 0) notes.push({ code: 'no-pages', side });
  const smaller = Math.min(before.pages.length, after.pages.length);
  const percent = Math.floor((common / smaller) * 100);
  if (smaller > 0 && percent < MIN_COMMON_PERCENT)
    notes.push({ code: 'little-in-common', count: percent });
  return notes;
}

function unreadableNote(
  { notes }: SideFacts,
  side: 'before' | 'after',
  pages: readonly string[],
  assets: readonly string[],
): ComparisonNote[] {
  const files = new Set(
    notes.flatMap(({ code, file }) =>
      (code === 'unreadable-file' || code === 'too-large') && file !== undefined ? [file] : [],
    ),
  );
  if (side === 'after') for (const file of [...pages, ...assets]) files.add(file);
  const [first] = [...files].sort(compareText);
  return first === undefined ? [] : [{ code: 'unreadable', side, file: first, count: files.size }];
}

/** Returns the number of broken links of a bundle that were not compared. */
function leftOutOf({ broken, brokenCount }: SideFacts): number {
  return brokenCount - broken.length;
}

const byPlace = ({ file, line, column }: ComparedLink): string =>
  `${file} ${String(line).padStart(8, '0')} ${String(column).padStart(8, '0')}`;

/** Sorts and shortens lists, and counts the entries that are left out. */
class ListLimit {
  leftOut = 0;

  cut<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
    this.leftOut += Math.max(0, items.length - MAX_LISTED);
    return [...items].sort((a, b) => compareText(keyOf(a), keyOf(b))).slice(0, MAX_LISTED);
  }
}
