import { escapeMarkdown } from '../pages/markup/markdownWriter';
import type { DocsPage, FoundSection } from '../pages/page';
import type { Section, SectionBlock } from '../pages/sections';
import { joinByRank, type RankedList, sectionKey } from './rankFusion';

/** Maximum number of sections that are added, over all pages. */
const MAX_NEIGHBORS = 8;

/**
 * Returns what a model reads to answer: the sections to cite, each with the best other sections of its page. The
 * page is often right where its best section isn't: with 8 more sections, the answer is in them for 68 instead of 50
 * of 100 questions (docs/benchmarks.md), and no further page is cited.
 * @param lists the results of the searches, with further sections of the found pages.
 */
export function withNeighbors(
  cited: readonly FoundSection[],
  lists: readonly RankedList[],
): FoundSection[] {
  const keys = new Set(cited.map(sectionKey));
  const pages = new Set(cited.map(({ page }) => page));
  const neighbors = joinByRank(lists, Infinity)
    .filter((found) => pages.has(found.page) && !keys.has(sectionKey(found)))
    .slice(0, MAX_NEIGHBORS);
  const done = new Set<DocsPage>();
  return cited.map(({ page, section }) => {
    // A model's queries can find two sections of one page. The first has the neighbors.
    if (done.has(page)) return { page, section };
    done.add(page);
    const own = neighbors
      .filter((found) => found.page === page)
      .toSorted(
        (one, other) => page.sections.indexOf(one.section) - page.sections.indexOf(other.section),
      );
    const blocks = own.flatMap((found) => [headingBlock(found.section), ...found.section.blocks]);
    // Sections of an index in parts have getters, which a spread would lose.
    const { heading, ancestors, slug, codeLanguages, place } = section;
    const read = { heading, ancestors, slug, codeLanguages, place };
    return { page, section: { ...read, blocks: [...section.blocks, ...blocks] } };
  });
}

function headingBlock({ heading, ancestors }: Section): SectionBlock {
  const text = [...ancestors, heading].join(' › ');
  return { kind: 'prose', markdown: `**${escapeMarkdown(text.replace(/[*`]/g, ''))}**`, text };
}
