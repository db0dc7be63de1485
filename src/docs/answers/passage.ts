import { isLabel, type SectionBlock } from '../pages/sections';
import type { RetrievedSection } from '../search/retrieval';
import { termsOf } from '../search/terms';
import { cutParagraph, type ExcerptWish, oneExampleOfEach, shorten } from './excerpt';
import { unmarkedLine } from './unmarked';

/** A part of a section that a reader understands alone. */
export interface Passage {
  readonly found: RetrievedSection;
  readonly blocks: readonly SectionBlock[];
  /** Whether it begins with a word for what only its heading names, as in "This error occurs when". */
  readonly needsTitle: boolean;
  /** Terms of the passage, of its headings and of its page's title. */
  readonly terms: ReadonlySet<string>;
  /** Terms of its headings and of its page's title. */
  readonly headings: ReadonlySet<string>;
}

export interface PassageWish extends ExcerptWish {
  /** Weights of the question's terms, greater for rare terms. */
  readonly topic: ReadonlyMap<string, number>;
}

/** Number of words that a passage has if its section has as many. */
const ENOUGH_WORDS = 60;
/** Maximum number of words to which a passage grows. A longer block stays whole. */
const MAX_WORDS = 110;
/** Number of words above a passage with which it begins at the top of its section. */
const MAX_ABOVE = 30;
/** Weight of a section's rank beside the words of its passage. */
const RANK_SHARE = 3;
/** Bonus of a section's first passage, which often says what the section is about. */
const FIRST_BONUS = 0.1;

/** Returns the passage of the sections that answers best, or undefined if they have no text. */
export function findPassage(
  sections: readonly RetrievedSection[],
  wish: PassageWish,
): Passage | undefined {
  let best: Passage | undefined;
  let bestScore = -1;
  let whole = 0;
  for (const weight of wish.topic.values()) whole += weight;
  for (const found of sections) {
    const units = unitsOf(found.section.blocks, wish);
    const { ancestors, heading } = found.section;
    const headings = new Set([found.page.title, ...ancestors, heading].flatMap(wordsOf));
    units.forEach((unit, position) => {
      const own = new Set(unit.flatMap(({ text }) => wordsOf(text)));
      const share = whole === 0 ? 0 : weightOfTerms(own, wish) / whole;
      const score = share + RANK_SHARE * found.strength + (position === 0 ? FIRST_BONUS : 0);
      if (score <= bestScore) return;
      bestScore = score;
      const blocks = grown(units, position);
      const terms = new Set([...headings, ...blocks.flatMap(({ text }) => wordsOf(text))]);
      best = { found, blocks, needsTitle: isLoose(blocks[0]), terms, headings };
    });
  }
  return best;
}

function wordsOf(text: string): string[] {
  return termsOf(text).map((term) => term.text);
}

function weightOfTerms(words: ReadonlySet<string>, { topic }: PassageWish): number {
  let sum = 0;
  for (const [term, weight] of topic) if (words.has(term)) sum += weight;
  return sum;
}

/**
 * Returns the parts of a section that belong together: a paragraph, or code, a list or a table with the line
 * that introduces it.
 */
function unitsOf(blocks: readonly SectionBlock[], wish: ExcerptWish): SectionBlock[][] {
  const units: SectionBlock[][] = [];
  let isOpen = false;
  for (const block of oneExampleOfEach(blocks, wish.codeLanguage)) {
    const shown = cutParagraph(shorten(block, wish), wish);
    const last = units.at(-1);
    if (last && isOpen) last.push(shown);
    else units.push([shown]);
    isOpen = isLeadIn(block);
  }
  // A line that introduces nothing, such as the last "See also:", says nothing.
  if (isOpen && units.length > 1) units.pop();
  return units;
}

function isLeadIn(block: SectionBlock): boolean {
  return isLabel(block) || (block.kind === 'prose' && /[:：]$/.test(block.text.trimEnd()));
}

/** Matches the beginning of a text that refers to the text before it. */
const looseStart =
  /^(?:it|its|this|that|they|their|these|those|such|then|also|however|therefore|thus|otherwise|instead|so|but|and|both|here|dies\w*|das|es|sie|dann|danach|dabei|sonst|auch|jedoch|daher|deshalb|dadurch|so|aber|und)\b/iu;

function isLoose(block: SectionBlock | undefined): boolean {
  return block !== undefined && looseStart.test(unmarkedLine(block.markdown));
}

/** Returns the blocks of a unit, with its neighbors if it is short or refers to the text before it. */
function grown(units: readonly (readonly SectionBlock[])[], at: number): SectionBlock[] {
  let [from, to] = [at, at + 1];
  let count = wordCount(units[at] ?? []);
  const first = units[at]?.[0];
  const before = units[at - 1];
  const needsBefore = first?.kind === 'code' || isLoose(first);
  if (before && needsBefore && count + wordCount(before) <= MAX_WORDS) {
    from--;
    count += wordCount(before);
  }
  // A line above the passage, such as "Default: 5", is often the answer.
  const above = wordCount(units.slice(0, from).flat());
  if (above <= MAX_ABOVE) {
    from = 0;
    count += above;
  }
  for (let next = units[to]; next && count < ENOUGH_WORDS; next = units[to]) {
    count += wordCount(next);
    if (count > MAX_WORDS) break;
    to++;
  }
  return units.slice(from, to).flat();
}

function wordCount(blocks: readonly SectionBlock[]): number {
  return blocks.reduce((sum, { text }) => sum + (text.match(/\S+/g)?.length ?? 0), 0);
}
