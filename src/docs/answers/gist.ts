import { isBadgeRow, isLabel, type SectionBlock } from '../pages/sections';
import { cutBetweenWords, itemsOf, relevance, wordCount } from './excerpt';
import { sentences } from './sentences';
import { withoutLinkTargets } from './unmarked';

/** Maximum number of characters of a statement about the question, and of another one. */
const MAX_ASKED = 160;
const MAX_FIRST = 60;
/** Weight that a statement about the question has at least, as a share of the weights of all its terms. */
const MIN_SHARE = 0.5;
/** Words and characters of which a statement has some, if it says something. Chinese has no spaces. */
const MIN_WORDS = 4;
const MIN_LENGTH = 20;

/**
 * Returns one line about a section as Markdown without links: the sentence or list item that says most about the
 * question, or else its first sentence, or an empty string.
 * @param topic weights of the question's terms
 */
export function gist(blocks: readonly SectionBlock[], topic: ReadonlyMap<string, number>): string {
  const text = blocks.filter((block) => !isLabel(block) && !isBadgeRow(block));
  const asked = askedStatement(text, topic);
  if (asked !== undefined) return cut(asked, MAX_ASKED);
  const first = text.find(({ kind }) => kind === 'prose');
  const statement = plain((first && sentences(withoutImages(first.markdown))[0]) ?? '');
  return saysSomething(statement) ? cut(statement, MAX_FIRST) : '';
}

function askedStatement(
  blocks: readonly SectionBlock[],
  topic: ReadonlyMap<string, number>,
): string | undefined {
  const weightOf = (term: string): number => topic.get(term) ?? 0;
  const all = [...topic.values()].reduce((sum, weight) => sum + weight, 0);
  let best: string | undefined;
  let bestScore = 0;
  for (const statement of blocks.flatMap(statementsOf)) {
    const score = saysSomething(statement) ? relevance(statement, { weightOf }) : 0;
    if (score <= bestScore) continue;
    best = statement;
    bestScore = score;
  }
  return bestScore >= MIN_SHARE * all ? best : undefined;
}

/** Returns the sentences of a paragraph, or the items of a list, each up to its first code or second paragraph. */
function statementsOf({ kind, markdown }: SectionBlock): string[] {
  if (kind === 'prose') return sentences(withoutImages(markdown)).map(plain);
  if (kind !== 'list') return [];
  const mark = /^\s*(?:[-*+]|\d+[.)])\s+/;
  return itemsOf(markdown).map((item) =>
    plain(withoutImages(item.replace(mark, '').split(/\n\s*(?:\n|```|~~~)/)[0] ?? '')),
  );
}

function withoutImages(markdown: string): string {
  return markdown.replace(/!\[[^\]]*\]\([^)]*\)/g, '');
}

/** Returns a statement on one line, without links and strong emphasis, which may begin or end outside of it. */
function plain(markdown: string): string {
  return withoutLinkTargets(markdown)
    .replace(/(`+).*?\1|\*\*/g, (part) => (part.startsWith('`') ? part : ''))
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/:$/, '.');
}

function saysSomething(statement: string): boolean {
  return statement.length >= MIN_LENGTH || wordCount(statement) >= MIN_WORDS;
}

function cut(statement: string, maxLength: number): string {
  if (statement.length <= maxLength) return statement;
  // A code span that is cut in the middle would turn the text after it into code.
  const cut = cutBetweenWords(statement, maxLength);
  return `${(cut.split('`').length - 1) % 2 === 0 ? cut : cut.slice(0, cut.lastIndexOf('`')).trim()} …`;
}
