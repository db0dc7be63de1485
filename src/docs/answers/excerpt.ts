import { cutText } from '../../common/text/strings';
import { isSameOrKin, type ExampleLanguage } from '../pages/codeLanguages';
import { isBadgeRow, isLabel, type SectionBlock } from '../pages/sections';
import { termsOf } from '../search/terms';
import { sentences } from './sentences';

export interface ExcerptWish {
  /** Returns the weight of a term of the question, or 0 for other terms. */
  readonly weightOf: (term: string) => number;
  /** Programming language to show if the section has the same example in several. */
  readonly codeLanguage: ExampleLanguage | undefined;
}

/** Maximum number of words of a list and of rows of a table to show without shortening. */
const WHOLE_LIST_WORDS = 60;
const WHOLE_TABLE_ROWS = 12;
const PICKED_ITEMS = 6;
const MIN_SHARE_OF_BEST_ITEM = 0.5;
/** Length in characters above which a paragraph is cut to its best sentences, in a section only if it doesn't fit as a whole. */
const LONG_PARAGRAPH = 1000;
const PICKED_SENTENCES = 3;

/**
 * Returns the blocks of a section that answer best, in the section's order. Returns all blocks if
 * they fit the budget, or else the most relevant ones, each with the line that introduces it.
 * @param budget intended length in characters of Markdown.
 */
export function excerpt(
  blocks: readonly SectionBlock[],
  wish: ExcerptWish,
  budget: number,
): SectionBlock[] {
  const candidates = oneExampleOfEach(blocks, wish.codeLanguage)
    .filter((block) => !isBadgeRow(block))
    .map((block) => shorten(block, wish));
  if (sizeOf(candidates) <= budget) return candidates;

  const scored = candidates
    .map((block, position) => ({ block, position, score: scoreOf(block, position, wish) }))
    .sort((one, other) => other.score - one.score || one.position - other.position);
  const chosen = new Set<SectionBlock>();
  let size = 0;
  for (const { block, position } of scored) {
    const introduction = introductionOf(candidates, position);
    const added = (introduction ? [introduction, block] : [block]).filter(
      (item) => !chosen.has(item),
    );
    const cost = sizeOf(added);
    if (chosen.size > 0 && size + cost > budget) continue;
    for (const item of added) chosen.add(item);
    size += cost;
  }
  return candidates.filter((block) => chosen.has(block)).map((block) => cutParagraph(block, wish));
}

function sizeOf(blocks: readonly SectionBlock[]): number {
  return blocks.reduce((sum, block) => sum + block.markdown.length, 0);
}

function scoreOf(block: SectionBlock, position: number, wish: ExcerptWish): number {
  let score = relevance(block.text, wish);
  if (position === 0) score = score * 1.3 + 1;
  const isWanted =
    block.codeLanguage !== undefined &&
    wish.codeLanguage !== undefined &&
    isSameOrKin(block.codeLanguage, wish.codeLanguage);
  if (isWanted) score = score * 1.5 + 4;
  else if (block.kind === 'code') score += 1;
  return score;
}

/** Returns how relevant a text is. Each term counts once, so that a long text has no advantage. */
export function relevance(text: string, wish: Pick<ExcerptWish, 'weightOf'>): number {
  const terms = new Set(termsOf(text).map((term) => term.text));
  let sum = 0;
  for (const term of terms) sum += wish.weightOf(term);
  return sum;
}

/** Returns the line that introduces a code block, list or table and ends with a colon. */
function introductionOf(
  blocks: readonly SectionBlock[],
  position: number,
): SectionBlock | undefined {
  const before = blocks[position - 1];
  if (before?.kind !== 'prose' || blocks[position]?.kind === 'prose') return undefined;
  return before.text.trimEnd().endsWith(':') ? before : undefined;
}

/**
 * Returns the blocks with one code block of each group of tabs: the one in the wanted language, or
 * the first.
 */
export function oneExampleOfEach(
  blocks: readonly SectionBlock[],
  wanted: ExampleLanguage | undefined,
): SectionBlock[] {
  const kept: SectionBlock[] = [];
  let position = 0;
  for (let block = blocks[0]; block; block = blocks[position]) {
    const group = codeGroup(blocks, position);
    if (group.examples.length < 2) {
      kept.push(block);
      position++;
      continue;
    }
    const best =
      group.examples.find((example) => example.codeLanguage === wanted) ??
      group.examples.find(
        ({ codeLanguage }) =>
          wanted !== undefined && codeLanguage !== undefined && isSameOrKin(codeLanguage, wanted),
      ) ??
      group.examples[0];
    if (best) kept.push(best);
    position += group.length;
  }
  return kept.map(inOneLanguage);
}

/** Matches what only the site of Nest reads in code: the name of its file, and the same code in JavaScript. */
const nestMarks = /(^[`~]{3}.*\n)@@filename\(.*\)\n|^@@switch\n[^]*(?=^[`~]{3})/gm;

function inOneLanguage(block: SectionBlock): SectionBlock {
  if (block.kind !== 'code' || !block.markdown.includes('\n@@')) return block;
  return { ...block, markdown: block.markdown.replace(nestMarks, '$1') };
}

/**
 * Returns the run of code blocks at `start` that are all in different languages and have only labels
 * between them.
 */
function codeGroup(
  blocks: readonly SectionBlock[],
  start: number,
): { examples: SectionBlock[]; length: number } {
  const examples: SectionBlock[] = [];
  const languages = new Set<ExampleLanguage>();
  let length = 0;
  for (let position = start; position < blocks.length; position++) {
    const block = blocks[position];
    if (isLabel(block)) continue;
    const language = block?.codeLanguage;
    if (block?.kind !== 'code' || language === undefined || languages.has(language)) break;
    languages.add(language);
    examples.push(block);
    length = position - start + 1;
  }
  return { examples, length };
}

/**
 * Shortens a long table or list to the rows or items that match the question.
 * @param isAsked returns whether a row or an item is what is asked for, so that the others are left out.
 */
export function shorten(
  block: SectionBlock,
  wish: ExcerptWish,
  isAsked: (item: string) => boolean = () => false,
): SectionBlock {
  if (block.kind === 'table') return shortenTable(block, wish, isAsked);
  if (block.kind === 'list') return shortenList(block, wish, isAsked);
  return block;
}

function shortenTable(
  block: SectionBlock,
  wish: ExcerptWish,
  isAsked: (item: string) => boolean,
): SectionBlock {
  const [head = '', rule = '', ...rows] = block.markdown.split('\n');
  const asked = rows.filter(isAsked);
  if (asked.length === 0 && rows.length <= WHOLE_TABLE_ROWS) return block;
  const shown = asked.length > 0 ? asked : bestOf(rows, wish);
  return { ...block, markdown: [head, rule, ...shown].join('\n') };
}

function shortenList(
  block: SectionBlock,
  wish: ExcerptWish,
  isAsked: (item: string) => boolean,
): SectionBlock {
  const items = itemsOf(block.markdown);
  const asked = withInner(items, isAsked);
  const isSteps = /^\d/.test(block.markdown);
  const isWhole = isSteps || wordCount(block.text) <= WHOLE_LIST_WORDS;
  if (asked.length === 0 && isWhole) return block;
  const shown = asked.length > 0 ? asked : bestItems(items, wish);
  return { ...block, markdown: shown.join('\n') };
}

/** Label at the end of an item, of which the items of the inner list are parts, such as `**Parameters**`. */
const innerLabel = /\n\s*\n *\*\*[^*\n]+\*\*\s*$/;

/**
 * Returns the items that match best, without what leads in inner lists that are left out. An item of an inner list stays
 * below its outer item, if that one is shown.
 */
function bestItems(items: readonly string[], wish: ExcerptWish): string[] {
  const all = items.map((item) => outdented(item));
  const best = new Set(bestOf(all, wish));
  /** The items around the current one, with the indentation that they are shown with. */
  const outer: { own: number; shown: number | undefined }[] = [];
  return items.flatMap((item, at) => {
    const own = indentOf(item);
    while ((outer.at(-1)?.own ?? -1) >= own) outer.pop();
    const parent = outer.at(-1);
    const isShown = best.has(all[at] ?? '');
    const indent = parent?.shown === undefined ? 0 : parent.shown + own - parent.own;
    outer.push({ own, shown: isShown ? indent : undefined });
    const shown = outdented(item, own - indent);
    if (!isShown) return [];
    return best.has(all[at + 1] ?? '')
      ? shown
      : shown.replace(innerLabel, '').replace(/:\s*$/, ' …');
  });
}

/** Returns the items of a list, and of the lists in them, each with its mark. */
export function itemsOf(markdown: string): string[] {
  return markdown.split(/\n(?=\s*(?:[-*+]|\d+[.)])\s)/);
}

/** Returns the items that are asked for, each with the items of its inner lists. */
function withInner(items: readonly string[], isAsked: (item: string) => boolean): string[] {
  const found: string[] = [];
  let outer = Infinity;
  for (const item of items) {
    const own = indentOf(item);
    if (own > outer) {
      found.push(outdented(item, outer));
    } else {
      outer = isAsked(outdented(item)) ? own : Infinity;
      if (outer === own) found.push(outdented(item));
    }
  }
  return found;
}

/** Returns the number of spaces before an item. */
function indentOf(item: string): number {
  return /^ */.exec(item)?.[0].length ?? 0;
}

/** Returns an item of an inner list as one of an outer list, because its outer item can be left out. */
function outdented(item: string, indent = indentOf(item)): string {
  return item.replaceAll(`\n${' '.repeat(indent)}`, '\n').slice(indent);
}

/** Returns the number of words between spaces. */
export function wordCount(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}

/** Returns the texts that match best, in their order, or the first ones if none matches. */
function bestOf(texts: readonly string[], wish: ExcerptWish): string[] {
  const scored = texts
    .map((text, position) => ({ text, position, score: relevance(text, wish) }))
    .sort((one, other) => other.score - one.score || one.position - other.position);
  const enough = (scored[0]?.score ?? 0) * MIN_SHARE_OF_BEST_ITEM;
  return scored
    .filter(({ score }) => score >= enough)
    .slice(0, PICKED_ITEMS)
    .sort((one, other) => one.position - other.position)
    .map(({ text }) => text);
}

/** Returns a long paragraph cut to the sentences that match best. */
export function cutParagraph(block: SectionBlock, wish: ExcerptWish): SectionBlock {
  if (block.kind !== 'prose' || block.markdown.length <= LONG_PARAGRAPH) return block;
  const all = sentences(block.markdown);
  if (all.length <= PICKED_SENTENCES) return block;
  const picked = all
    .map((text, position) => ({ text, position, score: relevance(text, wish) }))
    .sort((one, other) => other.score - one.score || one.position - other.position)
    .slice(0, PICKED_SENTENCES)
    .sort((one, other) => one.position - other.position);
  let markdown = '';
  let expected = 0;
  for (const { text, position } of picked) {
    markdown += `${position === expected ? '' : '… '}${text.trim()} `;
    expected = position + 1;
  }
  return { ...block, markdown: `${markdown.trim()}${expected < all.length ? ' …' : ''}` };
}

/** Lines of code that a passage has at most, and that a cut one has. */
const MAX_CODE_LINES = 40;
const CUT_CODE_LINES = 30;

/** Returns long code, such as a log, cut to its first lines. */
export function cutCode(block: SectionBlock): SectionBlock {
  if (block.kind !== 'code') return block;
  const lines = block.markdown.split('\n');
  const fence = lines.at(-1) ?? '';
  if (lines.length <= MAX_CODE_LINES + 2 || !/^[`~]{3,}$/.test(fence)) return block;
  return { ...block, markdown: [...lines.slice(0, CUT_CODE_LINES + 1), '…', fence].join('\n') };
}

const MAX_BEGINNING = 1000;

/** Returns the beginning of a section as Markdown of up to 1,000 characters. */
export function beginning(blocks: readonly SectionBlock[]): string {
  const whole = blocks
    .filter((block) => !isLabel(block) && !isBadgeRow(block))
    .map(({ markdown }) => markdown)
    .join('\n\n');
  if (whole.length <= MAX_BEGINNING) return whole;
  return `${cutBetweenWords(whole, MAX_BEGINNING - 2)} …`;
}

/**
 * Cuts a text between words, or within a word in languages that do not separate words by spaces.
 */
export function cutBetweenWords(text: string, maxLength: number): string {
  return cutText(text, maxLength).replace(/\s+\S{0,40}$/, '');
}
