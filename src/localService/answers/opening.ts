import { escapeMarkdown } from '../../pages/markup/markdownWriter';
import { isLabel, type SectionBlock } from '../pages/page';
import type { Query } from '../search/query';
import type { RetrievedSection } from '../search/retrieval';
import { termsOf } from '../search/terms';
import { formFactor, questionKind, type QuestionKind } from './questionKind';
import { sentences } from './sentences';
import { unmarkedLine } from './unmarked';

/** The sentence, list item or table row that answers a question. */
export interface Opening {
  readonly found: RetrievedSection;
  /** Block that the opening comes from, if the block has nothing else. */
  readonly wholeBlock?: SectionBlock;
  /** Markdown of one paragraph as on the page, with the page's own links. */
  readonly markdown: string;
}

export interface OpeningWish {
  /** Text of the question. */
  readonly question: string;
  readonly query: Query;
  /** Sections to look in, best first. */
  readonly sections: readonly RetrievedSection[];
  /** Returns how specific a term is in the docs, or 0 for a term that they don't have. */
  readonly worthOf: (term: string) => number;
}

/** Number of the best sections that can have the answer. Later sections only touch the topic. */
export const MAX_SECTIONS = 5;
/** Maximum number of candidates of one section. A page can be a table of thousands of rows. */
const MAX_CANDIDATES = 400;
/** Lengths of a good answer, in characters. A shorter one says nothing, a longer one hides it. */
const MIN_LENGTH = 12;
const GOOD_LENGTH = 260;
const MAX_LENGTH = 420;
/** Share of the question's topic that the answer and its headings must have. */
const MIN_SHARE = 0.28;
/** Share of the topic that the sentence itself must have, unless the headings have most of it. */
const MIN_OWN_SHARE = 0.12;
const MOST_IN_HEADINGS = 0.6;

/** A sentence, list item or table row that can answer, with the text that introduces it. */
interface Candidate {
  readonly block: SectionBlock;
  readonly markdown: string;
  readonly text: string;
  /** Text that introduces the candidate: the line above a list, the head of a table. */
  readonly lead: string;
  /** Position of the candidate among the sentences, items and rows of its section. */
  readonly position: number;
}

/** Returns the sentence that answers best, or undefined if none is good enough to lead the reply. */
export function findOpening(wish: OpeningWish): Opening | undefined {
  const kind = questionKind(wish.question);
  const topic = topicOf(wish.query, wish.worthOf);
  if (topic.size === 0) return undefined;
  let best: Opening | undefined;
  let bestScore = 0;
  const pages = new Set<RetrievedSection['page']>();
  for (const found of wish.sections) {
    pages.add(found.page);
    const headings = wordsIn(
      [found.page.title, ...found.section.ancestors, found.section.heading].join(' '),
    );
    const heading = wordsIn(found.section.heading);
    const isSolution = solutionHeading.test(found.section.heading);
    for (const candidate of candidatesOf(found)) {
      // One row or item does not answer a question that asks for all of them.
      if (kind.isList && candidate.block.kind !== 'prose') continue;
      const score =
        scoreOf(candidate, headings, heading, topic, kind, isSolution) *
        (problemHeading.test(found.section.heading) ? PROBLEM : 1) *
        (0.4 + 0.6 * found.strength) *
        0.96 ** pages.size;
      if (score <= bestScore) continue;
      bestScore = score;
      const { block } = candidate;
      const isAll = block.markdown.trim() === candidate.markdown;
      best = {
        found,
        markdown: withHeading(candidate, found),
        ...(isAll ? { wholeBlock: block } : {}),
      };
    }
  }
  return best;
}

/** Maximum characters of a list item, such as "Default: 72000", that needs its heading to be understood. */
const SHORT_ITEM = 70;

function withHeading({ block, markdown, text }: Candidate, { section }: RetrievedSection): string {
  const isItem = block.kind === 'list' && text.length <= SHORT_ITEM;
  const hasHeading = [...wordsIn(section.heading)].every((word) => wordsIn(text).has(word));
  return isItem && !hasHeading ? `**${escapeMarkdown(section.heading)}** – ${markdown}` : markdown;
}

/**
 * Returns the weights of the terms of the question's topic. Terms of earlier questions count little, so
 * that a follow-up's own topic leads. Terms of attached code do not count: code has more words than the
 * question, and a sentence with many of them does not answer the question.
 */
function topicOf(query: Query, worthOf: (term: string) => number): Map<string, number> {
  const topic = new Map<string, number>();
  for (const [term, weight] of query.terms) {
    if (!query.subject.has(term)) continue;
    const isCarried = query.isFollowUp && !query.own.has(term) && query.own.size > 0;
    const value = weight * worthOf(term) * (isCarried ? CARRIED_SHARE : 1);
    if (value > 0) topic.set(term, value);
  }
  return topic;
}

/** Factor for the weight of a term that comes from an earlier question only. */
const CARRIED_SHARE = 0.3;

function scoreOf(
  { markdown, text, lead, position }: Candidate,
  headings: ReadonlySet<string>,
  heading: ReadonlySet<string>,
  topic: ReadonlyMap<string, number>,
  kind: QuestionKind,
  isSolution: boolean,
): number {
  const own = wordsIn(text);
  const context = wordsIn(lead);
  let all = 0;
  let inText = 0;
  let inContext = 0;
  let inHeadings = 0;
  for (const [term, value] of topic) {
    all += value;
    const credit = creditIn(own, term);
    inText += value * credit;
    const above = creditIn(headings, term);
    inHeadings += value * above;
    inContext += value * Math.max(credit, creditIn(context, term), above);
  }
  const share = inContext / all;
  // The text of a solution says what to do. The headings of its page name the problem.
  const ownShare = isSolution ? Math.max(inText / all, SOLUTION * share) : inText / all;
  if (share < MIN_SHARE) return 0;
  if (ownShare < MIN_OWN_SHARE && inHeadings / all < MOST_IN_HEADINGS) return 0;
  const isDefined = kind.isDefinition && isAbout(heading, topic);
  const place = position > 0 ? 1 : isDefined ? DEFINITION : FIRST_SENTENCE;
  return (
    (0.55 * ownShare + 0.45 * share) *
    formFactor(kind, markdown) *
    lengthFactor(text.length) *
    place *
    ([...topic.keys()].every((term) => creditIn(heading, term) > 0) ? OF_THE_TOPIC : 1) *
    (leadingOn.test(text) || looseStart.test(text) ? LEADING_ON : 1) *
    (hasOtherPurpose(text, topic) ? OTHER_PURPOSE : 1)
  );
}

/** Headings on pages about one problem. The text below them repeats the problem or solves it. */
const problemHeading =
  /^(?:the )?(?:issues?|problems?|symptoms?|causes?|error messages?|background|problem|symptome?|ursachen?)$/i;
const solutionHeading =
  /^(?:the )?(?:solutions?|fix(?:es)?|how to fix|resolutions?|workarounds?|what to do|lösung(?:en)?|abhilfe)\b/i;
const PROBLEM = 0.6;
/** Share of the match with the headings that counts for the sentences of a solution. */
const SOLUTION = 0.8;

/** Returns whether a heading has exactly the terms of the question's topic. */
function isAbout(heading: ReadonlySet<string>, topic: ReadonlyMap<string, number>): boolean {
  return (
    heading.size > 0 && heading.size === topic.size && [...heading].every((term) => topic.has(term))
  );
}

/** Factor for a section's first sentence, which often sums up the section. */
const FIRST_SENTENCE = 1.15;
/** Factor for the first sentence below a heading that is the term to explain, as in a glossary. */
const DEFINITION = 1.9;

/** Matches the beginning of a sentence that continues another one and seldom answers by itself. */
const leadingOn =
  /^(?:i |i'm|i am|my |ich |mein |in the (?:above|previous|following)|as (?:we|you|mentioned|a result|shown|noted|described)|going|further|furthermore|moreover|additionally|finally|next|again|note that this|remember|now|imagine|let's|let us|suppose|and|but|or|wie (?:oben|erwähnt|gezeigt)|außerdem|weiterhin|schließlich|zum beispiel|for example|for instance)\b/i;
const LEADING_ON = 0.75;
/** Matches the purpose that a sentence begins with: "To correct an address, void the shipment." */
const purpose = /^(?:in order )?(?:to|um) ([^,]{3,90}),/i;
const OTHER_PURPOSE = 0.6;

/** Returns whether a sentence says how to do something else than the question asks for. */
function hasOtherPurpose(text: string, topic: ReadonlyMap<string, number>): boolean {
  const clause = purpose.exec(text)?.[1];
  if (clause === undefined) return false;
  const words = wordsIn(clause);
  return [...topic.keys()].every((term) => creditIn(words, term) === 0);
}

/** Factor for a section whose heading has all terms of the question's topic. */
const OF_THE_TOPIC = 1.2;

function lengthFactor(length: number): number {
  if (length <= GOOD_LENGTH) return 1;
  return Math.max(0.6, 1 - (length - GOOD_LENGTH) / 800);
}

function wordsIn(text: string): Set<string> {
  return new Set(termsOf(text).map((term) => term.text));
}

const MIN_PREFIX = 4;

/**
 * Returns 1 for a term that is one of the words. Returns less, but more than 0, if the term is the
 * beginning of a word or a word is the beginning of the term.
 */
function creditIn(words: ReadonlySet<string>, term: string): number {
  if (words.has(term)) return 1;
  if (term.length < MIN_PREFIX) return 0;
  let credit = 0;
  for (const word of words) {
    const [short, long] = word.length < term.length ? [word, term] : [term, word];
    if (short.length >= MIN_PREFIX && long.startsWith(short)) {
      credit = Math.max(credit, (short.length / long.length) ** 2);
    }
  }
  return credit;
}

function candidatesOf({ section }: RetrievedSection): Candidate[] {
  const found: Candidate[] = [];
  let position = 0;
  section.blocks.forEach((block, at) => {
    if (found.length >= MAX_CANDIDATES || isLabel(block)) return;
    const lead = leadOf(section.blocks, at);
    for (const markdown of textsOf(block)) {
      if (found.length >= MAX_CANDIDATES) break;
      const text = unmarkedLine(markdown);
      if (isWhole(markdown, text)) found.push({ block, markdown, text, lead, position });
      position++;
    }
  });
  return found;
}

/** Returns the prose before a list, table or quote, or an empty string for prose itself. */
function leadOf(blocks: readonly SectionBlock[], at: number): string {
  const block = blocks[at];
  const before = blocks[at - 1];
  if (!block || block.kind === 'prose' || before?.kind !== 'prose') return '';
  return before.text;
}

/** Returns the sentences, items or rows of a block as Markdown. */
function textsOf(block: SectionBlock): string[] {
  switch (block.kind) {
    case 'prose':
      return withoutLooseStarts(sentences(block.markdown).map((text) => text.trim()));
    case 'quote':
      return withoutLooseStarts(
        sentences(block.markdown.replace(/^\s*>\s?/gm, '').replace(/^\[!\w+\]\s*/, '')).map(
          (text) => text.trim(),
        ),
      );
    case 'list':
      return block.markdown
        .split(/\n(?=\s*(?:[-*+]|\d+[.)])\s)/)
        .map((item) => item.replace(/^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?/, ''))
        .map(
          (item) =>
            item
              .split(/\n\s*\n|\n\s*(?:```|>)/, 1)[0]
              ?.replace(/\s*\n\s*/g, ' ')
              .trim() ?? '',
        );
    case 'table':
      return rowsOf(block.markdown);
    case 'code':
      return [];
  }
}

/** Matches the beginning of a sentence that refers to the sentence before it. */
const looseStart =
  /^(?:it|its|this|that|they|their|these|those|such|he|she|then|also|however|therefore|thus|otherwise|instead|in (?:this|that|these|such)|for (?:this|that|example)|after (?:that|this)|because of|so|but|and|both|either|here|there|dies\w*|das|es|sie|er|dann|danach|dabei|sonst|auch|jedoch|daher|deshalb|dadurch|so|aber|und|beide)\b|^[\p{L}]+ (?:it|them|this|these|those|sie|es)\b/iu;

/** Joins each sentence that refers to the sentence before it with that sentence. */
function withoutLooseStarts(texts: readonly string[]): string[] {
  return texts.map((text, at) => {
    const before = texts[at - 1];
    if (before === undefined || !looseStart.test(text)) return text;
    const joined = `${before} ${text}`;
    return joined.length <= MAX_LENGTH ? joined : text;
  });
}

/** Returns each row as a line with the names of its columns: `limit`: Type integer, Default 25. */
function rowsOf(table: string): string[] {
  const [head = '', , ...rows] = table.split('\n');
  const heads = cellsOf(head);
  return rows.map((row) => {
    const [first = '', ...rest] = cellsOf(row);
    const named = rest
      .map((cell, column) => [heads[column + 1] ?? '', cell] as const)
      .filter(([, cell]) => cell !== '')
      .map(([name, cell]) => (name === '' ? cell : `${name}: ${cell}`));
    const label = /^[`*[]/.test(first) ? first : `**${first}**`;
    return first === '' || named.length === 0 ? '' : `${label} – ${named.join(' · ')}`;
  });
}

function cellsOf(row: string): string[] {
  return row
    .replace(/^\s*\||\|\s*$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

/** Returns whether Markdown is a statement that can stand alone. */
function isWhole(markdown: string, text: string): boolean {
  if (text.length < MIN_LENGTH || markdown.length > 2 * MAX_LENGTH || text.length > MAX_LENGTH) {
    return false;
  }
  if (/[:?;]\s*$/.test(text) || /^!\[|^<|^#/.test(markdown)) return false;
  if (
    /^(?:see|siehe|read|for (?:more|details)|more (?:on|about)|mehr|weitere)\b.{0,90}$/i.test(text)
  )
    return false;
  // A text that is only a link is an entry of a table of contents.
  if (/^(?:\*\*|`)?\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])?(?:\*\*|`)?[.;]?$/.test(markdown))
    return false;
  // An opening mark without its closing mark would change the text after it.
  const marks = markdown.replace(/\\./g, '');
  const plain = marks.replace(/`[^`]*`/g, '');
  return (
    !marks.includes('```') &&
    count(marks, '`') % 2 === 0 &&
    count(plain, '*') % 2 === 0 &&
    count(plain, '**') % 2 === 0 &&
    count(plain, '[') === count(plain, ']')
  );
}

function count(text: string, mark: string): number {
  return text.split(mark).length - 1;
}
