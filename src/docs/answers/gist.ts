import { normaliseLabel } from '../pages/links';
import type { FoundSection } from '../pages/page';
import { isBadgeRow, isLabel, type SectionBlock } from '../pages/sections';
import { cutBetweenWords, itemsOf, relevance, wordCount } from './excerpt';
import { sentences } from './sentences';
import { withoutLinkTargets } from './unmarked';

/** The sentence or list item of a section that says most about a question. */
interface Gist {
  /** Markdown on one line, without links, of up to 160 characters. */
  readonly markdown: string;
  /** Weight of the question's terms in it, as a share of the weights of all. */
  readonly share: number;
}

const MAX_LENGTH = 160;
const MIN_SHARE = 0.3;
/** Words and characters of which a statement has some, if it says something. Chinese has no spaces. */
const MIN_WORDS = 4;
const MIN_LENGTH = 20;

/**
 * Returns the gist of a section, or undefined if no statement of it has enough of the question's terms.
 * @param topic weights of the question's terms
 */
export function gistOf(
  { page, section }: FoundSection,
  topic: ReadonlyMap<string, number>,
): Gist | undefined {
  const weightOf = (term: string): number => topic.get(term) ?? 0;
  const all = [...topic.values()].reduce((sum, weight) => sum + weight, 0) || 1;
  let best = '';
  let bestScore = 0;
  for (const statement of section.blocks.flatMap(statementsOf)) {
    const score = relevance(statement, { weightOf });
    if (score <= bestScore) continue;
    best = statement;
    bestScore = score;
  }
  const share = bestScore / all;
  if (share < MIN_SHARE) return undefined;
  const unlinked = best.replace(/\[([^\]]+)\]/g, (whole, label: string) =>
    page.references[normaliseLabel(label)] === undefined ? whole : label,
  );
  return { markdown: cut(unlinked), share };
}

/** Returns the sentences of a paragraph, or the items of a list, each up to its first code or second paragraph. */
function statementsOf(block: SectionBlock): string[] {
  const { kind, markdown } = block;
  if (isLabel(block) || isBadgeRow(block) || (kind !== 'prose' && kind !== 'list')) return [];
  const all =
    kind === 'prose'
      ? sentences(withoutImages(markdown))
      : itemsOf(markdown).map((item) => withoutImages(contentOf(item)));
  return all.map(plain).filter(saysSomething);
}

function contentOf(item: string): string {
  return item.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '').split(/\n\s*(?:\n|```|~~~)/)[0] ?? '';
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
    .replace(/:$/, ' …');
}

function saysSomething(statement: string): boolean {
  return statement.length >= MIN_LENGTH || wordCount(statement) >= MIN_WORDS;
}

function cut(statement: string): string {
  if (statement.length <= MAX_LENGTH) return statement;
  // A code span that is cut in the middle would turn the text after it into code.
  const cut = cutBetweenWords(statement, MAX_LENGTH);
  if (cut.split('`').length % 2 === 1) return `${cut} …`;
  return `${cut.slice(0, cut.lastIndexOf('`')).trim() || `${cut}\``} …`;
}
