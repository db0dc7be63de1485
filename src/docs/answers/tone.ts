import type { DocsIndex } from '../search/docsIndex';
import type { Retrieval } from '../search/retrieval';
import type { Passage } from './passage';

/** Weight of the question's words that stand in headings, beside all that the passage has. */
const HEADING_WEIGHT = 0.5;
/** Share of the question's topic that an answer has at least, with its headings. */
const MIN_SAID = 0.6;
/** Greatest weight of the distance to the section of the next page. A single hit proves little. */
const MAX_LEAD = 0.5;
/**
 * Evidence from which a passage counts as the answer. Of the questions about ten sets of docs, a fifth reach it. Of these
 * replies, 86 % hold the answer or are on a page that does. Of 150 questions that the docs don't answer, two reach it.
 */
const ENOUGH = 1.1;

/**
 * Returns whether a passage probably answers the question: its heading is the question, or it is of the best section, has
 * most of the question's words, also in its headings, and no section of another page matches nearly as well. What
 * something is, only a passage under its name or a sentence about it tells.
 */
export function isAnswer(
  { found, blocks, terms, headings }: Passage,
  { query, sections }: Retrieval,
  index: Pick<DocsIndex, 'rarity'>,
): boolean {
  const { topic } = query;
  if (topic.isName(found.section.heading)) return true;
  let all = 0;
  let said = 0;
  let inHeadings = 0;
  for (const term of query.own) {
    // A word that the docs don't have is the rarest, and speaks against an answer.
    const rarity = index.rarity(term);
    all += rarity;
    if (terms.has(term)) said += rarity;
    if (headings.has(term)) inHeadings += rarity;
  }
  if (found.page !== sections[0]?.page || said < MIN_SAID * all) return false;
  const isWhole = (): boolean =>
    topic.likeness(found.section.heading) > 0 || topic.isDefinedIn(blocks);
  if (topic.asksWhat && !isWhole()) return false;
  const next = sections.find(({ page }) => page !== found.page);
  const lead = Math.min(MAX_LEAD, 1 - (next?.strength ?? 0));
  return said / all + (HEADING_WEIGHT * inHeadings) / all + lead >= ENOUGH;
}
