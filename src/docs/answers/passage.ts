import { isBadgeRow, isLabel, isOnlyLinks, type SectionBlock } from '../pages/sections';
import type { NamedCode } from '../search/namedCode';
import type { RetrievedSection } from '../search/retrieval';
import { termsOf } from '../search/terms';
import type { Topic } from '../search/topic';
import {
  cutCode,
  cutParagraph,
  type ExcerptWish,
  oneExampleOfEach,
  shorten,
  wordCount,
} from './excerpt';
import { unmarkedLine } from './unmarked';

/** A part of a section that a reader understands alone. */
export interface Passage {
  readonly found: RetrievedSection;
  readonly blocks: readonly SectionBlock[];
  /**
   * Whether only its heading says what it is about: it begins with a word for that, as in "This error occurs when",
   * within a sentence, or with a list, a table or code, or it leaves out the name of code that the heading is.
   */
  readonly needsTitle: boolean;
  /** Terms of the passage, of its headings and of its page's title. */
  readonly terms: ReadonlySet<string>;
  /** Terms of its headings and of its page's title. */
  readonly headings: ReadonlySet<string>;
}

export interface PassageWish extends ExcerptWish {
  /** Weights of the question's terms, greater for rare terms. */
  readonly topic: ReadonlyMap<string, number>;
  /** Names of code that the question is about, if it is about any. */
  readonly names: NamedCode | undefined;
  /** Whether the question has no other words, so that the beginning of what defines a name answers. */
  readonly isOnlyNames: boolean;
  /** The question's topic as a whole. */
  readonly subject: Topic;
  /** Markdown that the thread's last reply quoted, if the question follows up on it. */
  readonly said: string;
}

/** Number of words that a passage has if its section has as many. */
const ENOUGH_WORDS = 60;
/** Maximum number of words to which a passage grows. A longer block stays whole. */
const MAX_WORDS = 110;
/** Number of words up to which a passage gets what follows, also if that is longer than {@link MAX_WORDS}. */
const FEW_WORDS = 8;
/** Number of words above a passage with which it begins at the top of its section. */
const MAX_ABOVE = 30;
/** Weight of a section's rank beside the score of its passage. */
const RANK_SHARE = 2;
/** Factor for the score of a passage that defines a name or the topic, or with which a page about the topic begins. */
const NAMED = 1.5;
/** Number of occurrences of a word after which further ones hardly count (BM25's `k1`). */
const SATURATION = 1.2;
/** Degree to which the length of a passage counts against its words, from 0 to 1 (BM25's `b`). */
const LENGTH_SHARE = 0.3;
/** Letters by which a block is found in a reply, which can leave out the rest of it. */
const SAME_BEGINNING = 80;
/** Number of terms of a usual passage. */
const USUAL_TERMS = 45;

/** A part of a section, which can become the passage. */
interface Candidate {
  readonly found: RetrievedSection;
  readonly units: readonly (readonly SectionBlock[])[];
  readonly position: number;
  readonly score: number;
}

/**
 * Returns the passage of the sections that answers best, or undefined if they have no text. Its words count by
 * BM25, as if each heading above it were a part of it. One that the reader has just seen gives way to another, first of
 * its page.
 */
export function findPassage(
  sections: readonly RetrievedSection[],
  wish: PassageWish,
): Passage | undefined {
  const candidates: Candidate[] = [];
  for (const found of sections) {
    const units = unitsOf(found.section.blocks, wish);
    const headings = headingTerms(found);
    const blocks = units.flat();
    const own = blocks.filter((block) => !isOnlyLinks(block));
    // The words of links are what other pages say.
    const isSaid = own.length === blocks.length || own.some((block) => !isLeadIn(block));
    units.forEach((unit, position) => {
      const hasItem = unit.some((block) => wish.names?.isItemOf(block, found) === true);
      const isDefinition =
        hasItem ||
        (position === 0 && wish.isOnlyNames && wish.names?.isHeadingOf(found) === true) ||
        (wish.subject.asksWhat && wish.subject.isDefinedIn(unit));
      const said = isSaid ? scoreOf(unit, headings, wish, hasItem) : 0;
      const begins = position === 0 ? wish.subject.likenessOfTop(found) : 0;
      const factor = (isDefinition ? NAMED : 1) * (1 + (NAMED - 1) * begins);
      const score = said * factor + RANK_SHARE * found.strength;
      candidates.push({ found, units, position, score });
    });
  }
  const best = bestNotSaid(candidates, wish.said);
  if (!best) return undefined;
  const { found, units, position } = best;
  // Only the blocks of the best passage are shortened, because that compares each of their items and sentences.
  const blocks = grown(units, position).map((block) => {
    const isAsked = (markdown: string): boolean =>
      wish.isOnlyNames && wish.names?.isItemOf({ ...block, markdown }, found) === true;
    return cutCode(cutParagraph(shorten(block, wish, isAsked), wish));
  });
  const headings = headingTerms(found);
  const terms = new Set([...headings, ...blocks.flatMap(({ text }) => wordsOf(text))]);
  return {
    found,
    blocks,
    needsTitle:
      found.section.place !== undefined ||
      needsTitle(blocks[0]) ||
      !(isAskedFor(found, wish) || saysName(found.section.heading, blocks)),
    terms,
    headings,
  };
}

/** Returns the candidate with the greatest score, or the next of its page, else of all, if that one has been said. */
function bestNotSaid(candidates: readonly Candidate[], said: string): Candidate | undefined {
  const best = greatest(candidates);
  if (!best || said === '') return best;
  const written = lettersOf(said);
  const isSaid = ({ units, position }: Candidate): boolean =>
    (units[position] ?? []).every(({ markdown }) =>
      written.includes(lettersOf(markdown).slice(0, SAME_BEGINNING)),
    );
  if (!isSaid(best)) return best;
  const others = candidates.filter((one) => !isSaid(one));
  return (
    greatest(others.filter(({ found }) => found.page === best.found.page)) ??
    greatest(others) ??
    best
  );
}

function greatest(candidates: readonly Candidate[]): Candidate | undefined {
  return candidates.reduce<Candidate | undefined>(
    (best, one) => (best && best.score >= one.score ? best : one),
    undefined,
  );
}

/** Returns the letters and digits of Markdown, which a reply leaves as they are. */
function lettersOf(markdown: string): string {
  return unmarkedLine(markdown).replace(/[^\p{L}\p{N}]+/gu, '');
}

function headingTerms({ page, section }: RetrievedSection): Set<string> {
  return new Set([page.title, ...section.ancestors, section.heading].flatMap(wordsOf));
}

/** Returns the BM25 score of a passage as a share of the weights of all terms of the question. */
function scoreOf(
  unit: readonly SectionBlock[],
  headings: ReadonlySet<string>,
  { topic }: PassageWish,
  isOfItem: boolean,
): number {
  const counts = new Map<string, number>();
  let words = 0;
  for (const { kind, text } of unit) {
    // Each row or item is a statement of its own, so a word in all of them says no more than in one.
    const isListed = kind === 'table' || kind === 'list';
    const most = new Map<string, number>();
    for (const part of isListed ? text.split('\n') : [text]) {
      const terms = wordsOf(part);
      words += terms.length;
      const own = new Map<string, number>();
      for (const term of terms) if (topic.has(term)) own.set(term, (own.get(term) ?? 0) + 1);
      for (const [term, count] of own) most.set(term, Math.max(count, most.get(term) ?? 0));
    }
    for (const [term, count] of most) counts.set(term, count + (counts.get(term) ?? 0));
  }
  // The item that is meant is as short in a long list as in a short one.
  const length = isOfItem ? 1 : 1 - LENGTH_SHARE + (LENGTH_SHARE * words) / USUAL_TERMS;
  let all = 0;
  let sum = 0;
  for (const [term, weight] of topic) {
    all += weight;
    const frequency = ((counts.get(term) ?? 0) + (headings.has(term) ? 1 : 0)) / length;
    sum += (weight * frequency * (SATURATION + 1)) / (frequency + SATURATION);
  }
  return all === 0 ? 0 : sum / all;
}

function wordsOf(text: string): string[] {
  return termsOf(text).map((term) => term.text);
}

/**
 * Returns the parts of a section that belong together: a paragraph, or code, a list or a table with the line
 * that introduces it.
 */
function unitsOf(blocks: readonly SectionBlock[], wish: ExcerptWish): SectionBlock[][] {
  const units: SectionBlock[][] = [];
  let isOpen = false;
  for (const block of oneExampleOfEach(blocks, wish.codeLanguage)) {
    if (isBadgeRow(block)) continue;
    const last = units.at(-1);
    if (last && isOpen) last.push(block);
    else units.push([block]);
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

/** Matches the beginning of a text that goes on with a sentence. Names of code can begin with a small letter. */
const withinSentence = /^(?:\p{Ll}+[,;:]?(?:\s|$)|[,;:.)])/u;

function isLoose(block: SectionBlock | undefined): boolean {
  if (block === undefined) return false;
  const line = unmarkedLine(block.markdown);
  return looseStart.test(line) || (block.kind === 'prose' && withinSentence.test(block.markdown));
}

function needsTitle(block: SectionBlock | undefined): boolean {
  return (
    block !== undefined &&
    (block.kind !== 'prose' || isLabel(block) || isLoose(block) || isFragment(block.text))
  );
}

/** Number of words of a line such as "Added in: v11.1.0" at most. */
const FRAGMENT_WORDS = 4;

/** Returns whether a paragraph is no sentence and leads nothing in, but is a fact about what the heading names. */
function isFragment(text: string): boolean {
  return wordCount(text) <= FRAGMENT_WORDS && !/[.!?:。！？：]\s*$/.test(text);
}

/** Returns whether the question names the heading, so that a reader knows what the passage is about. */
function isAskedFor(found: RetrievedSection, { names, subject }: PassageWish): boolean {
  return names?.isHeadingOf(found) === true || subject.isName(found.section.heading);
}

/** A heading that is a name of code, such as `--depth <number>`, `pelicanLimit` or `pond.fill(options)`. */
const codeHeading =
  /^(?:[\w$]+\.)*(?:(--?[a-z][\w-]*)|([\w$]*(?:[a-z][A-Z]|_)[\w$]*))\s*(?:[(<[=,].*)?$/;

/** Returns whether blocks have the name of code that is their heading, if it is one. A sentence below it can leave it out. */
function saysName(heading: string, blocks: readonly SectionBlock[]): boolean {
  const [, flag, name = flag] = codeHeading.exec(heading) ?? [];
  return name === undefined || blocks.some(({ text }) => text.includes(name));
}

/** Returns the blocks of a unit, with its neighbors if it is short or refers to the text before it. */
function grown(units: readonly (readonly SectionBlock[])[], at: number): SectionBlock[] {
  let [from, to] = [at, at + 1];
  let count = wordsIn(units[at] ?? []);
  const first = units[at]?.[0];
  const before = units[at - 1];
  const needsBefore = first?.kind === 'code' || isLoose(first) || leadsIn(before, first);
  if (before && needsBefore && count + wordsIn(before) <= MAX_WORDS) {
    from--;
    count += wordsIn(before);
  }
  // A line above the passage, such as "Default: 5", is often the answer.
  const above = wordsIn(units.slice(0, from).flat());
  if (above <= MAX_ABOVE) {
    from = 0;
    count += above;
  }
  for (let next = units[to]; next && count < ENOUGH_WORDS; next = units[to]) {
    // A few words say nothing, and a long list below them is shortened.
    count += count <= FEW_WORDS ? Math.min(wordsIn(next), MAX_WORDS / 2) : wordsIn(next);
    if (count > MAX_WORDS) break;
    to++;
  }
  if (leadsIn(units[to - 1], units[to]?.[0])) to++;
  return units.slice(from, to).flat();
}

/** Returns whether a unit ends with a sentence that goes on in code, a list or a table, as behind "For example, use". */
function leadsIn(
  unit: readonly SectionBlock[] | undefined,
  next: SectionBlock | undefined,
): boolean {
  const last = unit?.at(-1);
  return (
    last?.kind === 'prose' &&
    next !== undefined &&
    next.kind !== 'prose' &&
    next.kind !== 'quote' &&
    wordCount(last.text) > FRAGMENT_WORDS &&
    /[\p{Ll},]\s*$/u.test(last.text)
  );
}

function wordsIn(blocks: readonly SectionBlock[]): number {
  return blocks.reduce((sum, { text }) => sum + wordCount(text), 0);
}
