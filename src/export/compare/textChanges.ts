/** Reads pages that differ, and distinguishes changed text from changed markup. */
import { cutText } from '../../common/text/strings';
import { own } from '../check/findings';
import { inOrder, readText } from '../check/siteFiles';
import type { SideFacts } from './bundleSide';
import type { ChangedPage, RestyledPage } from './comparison';
import { diffLines, type DiffLine } from './lineDiff';
import type { UnpairedPage } from './pageMoves';
import type { PagePair } from './pagePairs';
import { digestOf, type ReadableText, readableText, withoutTargets } from './readableText';
import { sketchOf } from './textSketch';

/** Pages with an excerpt of their difference. The whole difference is in VS Code's diff editor. */
const MAX_EXCERPTS = 200;
const MAX_EXCERPT_LINES = 14;
/** Most characters of a line in an excerpt. Longer lines are cut around the first difference. */
const MAX_LINE = 240;
/** Characters before the first difference in a line that is cut. */
const LEAD = 60;

/** A page with its readable text. */
interface PageText extends ReadableText {
  readonly path: string;
}

type Side = Pick<SideFacts, 'root' | 'pages' | 'basePath' | 'titleEnd'>;

/** Reads the texts of the pages of one bundle. */
export class PageTexts {
  readonly #sizes: ReadonlyMap<string, number>;

  constructor(readonly side: Side) {
    this.#sizes = new Map(side.pages.map(({ path, sizeBytes }) => [path, sizeBytes]));
  }

  /** Returns the text of a page, or undefined if the page can't be read. */
  async read(path: string): Promise<PageText | undefined> {
    const { root, basePath, titleEnd } = this.side;
    const { text } = await readText(root, { path, sizeBytes: this.#sizes.get(path) ?? 0 });
    if (text === undefined) return undefined;
    const { markdown, title, whole } = readableText(path, text, basePath, titleEnd);
    // `own` makes a copy, because a slice of the page would keep the whole page in memory.
    return { path, title: own(title), markdown, whole };
  }

  /** Yields the texts of pages in their order, or undefined for one that can't be read. */
  all(paths: readonly string[], signal: AbortSignal): AsyncGenerator<PageText | undefined> {
    return inOrder(paths, signal, (path) => this.read(path));
  }
}

/** Returns what a comparison keeps of a page, which is not the text itself. */
export function factsOf({ path, title, markdown }: PageText): UnpairedPage {
  const plain = withoutTargets(markdown);
  return { path, title, words: digestOf(plain), sketch: sketchOf(plain) };
}

/** Difference between two texts of a page. */
type TextChange = Pick<ChangedPage, 'change' | 'addedLines' | 'removedLines' | 'excerpt'>;

/** Compares the texts of pages, and writes an excerpt for the first ones that changed. */
export class TextComparison {
  #excerpts = 0;

  constructor(
    readonly before: PageTexts,
    readonly after: PageTexts,
  ) {}

  /** Compares a page that both bundles have. Undefined if it can't be read on a side. */
  async pair({
    before,
    after,
  }: PagePair): Promise<
    { readonly fresh: PageText; readonly change: ChangedPage | RestyledPage } | undefined
  > {
    const [old, fresh] = await Promise.all([this.before.read(before), this.after.read(after)]);
    if (!old || !fresh) return undefined;
    const page = { before, after, title: fresh.title };
    const change = this.change(old, fresh);
    return { fresh, change: change.change === 'none' ? page : { ...page, ...change } };
  }

  change(old: PageText, fresh: PageText): TextChange {
    if (old.whole === fresh.whole) return { change: 'none', addedLines: 0, removedLines: 0 };
    const lines = diffLines(linesOf(old.whole), linesOf(fresh.whole));
    const hasSameWords = withoutTargets(old.whole) === withoutTargets(fresh.whole);
    const isExcerpted = this.#excerpts++ < MAX_EXCERPTS;
    return {
      change: hasSameWords ? 'links' : 'text',
      addedLines: lines.filter(({ side }) => side === 'after').length,
      removedLines: lines.filter(({ side }) => side === 'before').length,
      excerpt: isExcerpted ? excerptOf(lines) : undefined,
    };
  }
}

function linesOf(markdown: string): string[] {
  return markdown.split('\n').filter((line) => line.trim() !== '');
}

/** Returns the first differing lines, each run with the heading above it. */
function excerptOf(lines: readonly DiffLine[]): string {
  const shown: string[] = [];
  let heading: string | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at];
    if (line === undefined) break;
    if (line.side === 'both') {
      if (/^#{1,6}\s/.test(line.text)) heading = line.text;
      continue;
    }
    if (shown.length >= MAX_EXCERPT_LINES) {
      shown.push('@@ …');
      break;
    }
    if (heading !== undefined) shown.push(`@@ ${cutAt(heading, 0)}`);
    heading = undefined;
    const sign = line.side === 'before' ? '-' : '+';
    shown.push(sign + cutAt(line.text, differenceIn(lines, at)));
  }
  return shown.join('\n');
}

/** Returns where a line begins to differ from the one it replaces, if a run replaces line by line. */
function differenceIn(lines: readonly DiffLine[], at: number): number {
  const side = lines[at]?.side;
  let first = at;
  while (first > 0 && lines[first - 1]?.side !== 'both') first--;
  let end = at;
  while (end < lines.length && lines[end]?.side !== 'both') end++;
  const run = lines.slice(first, end);
  const half = run.length / 2;
  const isReplaced = run.filter((line) => line.side === 'before').length === half;
  const other = isReplaced ? lines[side === 'before' ? at + half : at - half] : undefined;
  const text = lines[at]?.text ?? '';
  if (!other) return 0;
  let same = 0;
  while (same < text.length && text[same] === other.text[same]) same++;
  return same;
}

function cutAt(text: string, difference: number): string {
  if (text.length <= MAX_LINE) return text;
  const start = difference < MAX_LINE - LEAD ? 0 : difference - LEAD;
  const part = cutText(text.slice(start), MAX_LINE);
  return `${start > 0 ? '…' : ''}${part}${start + MAX_LINE < text.length ? '…' : ''}`;
}
