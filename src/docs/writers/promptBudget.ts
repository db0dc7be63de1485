import { cutText } from '../../common/text/strings';
import { excerpt, type ExcerptWish } from '../answers/excerpt';
import type { FoundSection } from '../pages/page';
import type { SectionBlock } from '../pages/sections';
import type { QuestionContextItem } from '../search/query';

/**
 * Maximum tokens of a request, even if the model's window is larger. Five sections with attachments and
 * history rarely need more, and the reader pays for each token.
 */
export const MAX_PROMPT_TOKENS = 16_000;
/** Share of a window that stays free, because the number of tokens is an estimate. */
const ESTIMATE_RESERVE = 0.1;
/** Average characters of English or code per token. Tokenizers differ by about 20 %. */
const CHARACTERS_PER_TOKEN = 3.5;
/** Maximum shares of the budget for the parts other than the sections. */
const shares = { question: 0.25, attachments: 0.25, history: 0.15 } as const;
/** Maximum characters of an earlier question and of its reply. More would not help with the next question. */
const MAX_EARLIER_REPLY = 800;
/** Minimum tokens of a cut part. A shorter one is left out, because it says too little. */
const MIN_PART_TOKENS = 40;
/** A section can use this many times its equal share of the budget. Later sections then get less. */
const GREED = 1.8;

/** An excerpt's budget doesn't count what is between blocks, so it shrinks by a little more than what is too much. */
const SHRINK = 0.98;
const MAX_TRIES = 8;
/** Tokens of the marks that say that a block was cut. */
const CUT_TOKENS = 4;

/** Estimates the tokens of a text. Scripts without spaces take about a token per character. */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (let place = 0; place < text.length; place++) if (text.charCodeAt(place) > 0x2e7f) wide++;
  return Math.ceil(wide + (text.length - wide) / CHARACTERS_PER_TOKEN);
}

/** An earlier question of the thread, with its reply. */
export interface EarlierTurn {
  readonly question: string;
  readonly reply: string;
}

export interface PromptParts {
  readonly question: string;
  readonly attachments: readonly QuestionContextItem[];
  /** Turns of the thread, oldest first. */
  readonly earlier: readonly EarlierTurn[];
  /** Sections to answer from, best first. Citations number them in this order, starting with 1. */
  readonly sections: readonly FoundSection[];
}

/** The parts, cut so that they fit the model's window. */
export interface FittedParts {
  readonly question: string;
  readonly attachments: readonly QuestionContextItem[];
  readonly earlier: readonly EarlierTurn[];
  /** Sections that fit, each with its number for citations. */
  readonly sections: readonly {
    readonly number: number;
    readonly found: FoundSection;
    readonly markdown: string;
  }[];
  /** Descriptions of the cuts for the log, such as `1 of 5 sections`. They contain no text of the parts. */
  readonly leftOut: readonly string[];
}

interface BudgetOptions {
  readonly maxInputTokens: number;
  /** Tokens of the instructions and of the text between the parts. */
  readonly fixedTokens: number;
  readonly wish: ExcerptWish;
}

/**
 * Cuts the parts of a question so that they fit the model's window. The question, the attachments and the
 * history each have a maximum share, and the sections get the rest. A section that is too long keeps the
 * blocks that match the question.
 */
export function fitParts(parts: PromptParts, options: BudgetOptions): FittedParts {
  const window = Math.min(options.maxInputTokens * (1 - ESTIMATE_RESERVE), MAX_PROMPT_TOKENS);
  const total = Math.max(0, Math.floor(window) - options.fixedTokens);
  const leftOut: string[] = [];
  const question = cutToTokens(parts.question, total * shares.question);
  if (question !== parts.question) leftOut.push('the end of the question');
  let used = estimateTokens(question);

  const attachments = fitAttachments(parts.attachments, total * shares.attachments, leftOut);
  for (const { value } of attachments) used += estimateTokens(value);

  const earlier = fitEarlier(parts.earlier, total * shares.history);
  if (earlier.length < parts.earlier.length) {
    leftOut.push(`${parts.earlier.length - earlier.length} of ${parts.earlier.length} turns`);
  }
  for (const turn of earlier) used += estimateTokens(turn.question + turn.reply);

  const sections = fitSections(parts.sections, total - used, options.wish, leftOut);
  return { question, attachments, earlier, sections, leftOut };
}

function fitAttachments(
  items: readonly QuestionContextItem[],
  budget: number,
  leftOut: string[],
): QuestionContextItem[] {
  let remaining = budget;
  let cut = 0;
  const fitted: QuestionContextItem[] = [];
  items.forEach((item, position) => {
    const value = cutToTokens(item.value, remaining / (items.length - position));
    if (value !== item.value) cut++;
    if (estimateTokens(value) < Math.min(MIN_PART_TOKENS, estimateTokens(item.value))) return;
    remaining -= estimateTokens(value);
    fitted.push({ ...item, value });
  });
  if (cut > 0) leftOut.push(`the end of ${cut} of ${items.length} attachments`);
  return fitted;
}

/**
 * Returns an earlier reply without its citations. Their numbers belong to the sections of another request, and
 * a model would copy them.
 */
function withoutCitations(reply: string): string {
  return reply.replace(/ ?\[\d{1,3}\]\([^()\s]*\)/g, '');
}

/** Returns the newest turns that fit, oldest first. */
function fitEarlier(turns: readonly EarlierTurn[], budget: number): EarlierTurn[] {
  let remaining = budget;
  const fitted: EarlierTurn[] = [];
  for (const turn of [...turns].reverse()) {
    const cut = {
      question: cutText(turn.question, MAX_EARLIER_REPLY),
      reply: cutText(withoutCitations(turn.reply), MAX_EARLIER_REPLY),
    };
    remaining -= estimateTokens(cut.question + cut.reply);
    if (remaining < 0) break;
    fitted.unshift(cut);
  }
  return fitted;
}

function fitSections(
  sections: readonly FoundSection[],
  budget: number,
  wish: ExcerptWish,
  leftOut: string[],
): FittedParts['sections'] {
  let remaining = budget;
  let cut = 0;
  const fitted: FittedParts['sections'][number][] = [];
  sections.forEach((found, position) => {
    const equal = remaining / (sections.length - position);
    const allowance = Math.floor(Math.min(remaining, equal * GREED));
    if (allowance < MIN_PART_TOKENS) return;
    const { blocks } = found.section;
    let markdown = blocks.map((block) => block.markdown).join('\n\n');
    if (estimateTokens(markdown) > allowance) {
      cut++;
      markdown = cutSection(blocks, allowance, wish);
    }
    remaining -= estimateTokens(markdown);
    fitted.push({ number: position + 1, found, markdown });
  });
  if (cut > 0) leftOut.push(`parts of ${cut} of ${sections.length} sections`);
  const missing = sections.length - fitted.length;
  if (missing > 0) leftOut.push(`${missing} of ${sections.length} sections`);
  return fitted;
}

/** Returns the best blocks of a section that fit, each whole. Only a block that is too long alone is cut. */
function cutSection(blocks: readonly SectionBlock[], tokens: number, wish: ExcerptWish): string {
  let budget = tokens * CHARACTERS_PER_TOKEN;
  for (let tries = 1; ; tries++) {
    const chosen = excerpt(blocks, wish, budget);
    const markdown = chosen.map((block) => block.markdown).join('\n\n');
    const size = estimateTokens(markdown);
    if (size <= tokens) return markdown;
    if (tries < MAX_TRIES && chosen.length > 1) {
      budget *= (SHRINK * tokens) / size;
      continue;
    }
    const fence = /^(`{3,}|~{3,})/.exec(markdown)?.[1];
    if (fence === undefined) return `${cutToTokens(markdown, tokens - CUT_TOKENS)} …`;
    // Code is cut between lines and closed, because the model would take what follows for code.
    const lines = cutToTokens(markdown, tokens - CUT_TOKENS)
      .split('\n')
      .slice(0, -1);
    return [...lines, '…', fence].join('\n');
  }
}

/** Returns the beginning of a text, with at most this many tokens. */
function cutToTokens(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text;
  const narrow = cutText(text, Math.floor(tokens * CHARACTERS_PER_TOKEN));
  if (estimateTokens(narrow) <= tokens) return narrow;
  return cutText(text, Math.floor(tokens));
}
