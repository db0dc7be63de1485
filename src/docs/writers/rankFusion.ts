import type { DocsPage, FoundSection } from '../pages/page';
import { passesFilter } from '../pages/pageFilter';
import type { Retrieval, RetrievedSection } from '../search/retrieval';
import type { SimilarSections } from './similarSections';

/** Constant of reciprocal rank fusion. The paper about this method recommends 60. */
const RANK_CONSTANT = 60;

/** Returns a key for a section, which is unique among all sets of docs. */
export function sectionKey({ page, section }: FoundSection): string {
  return `${page.set?.id ?? ''}\n${page.path}#${section.slug}`;
}

/** The result of one search. */
export interface RankedList {
  readonly sections: readonly FoundSection[];
  /** Weight of the list in the joined ranking. A list of one query has 1. */
  readonly weight: number;
}

/**
 * Joins the results of several searches by reciprocal rank. Scores of different searches can't be compared,
 * but ranks can. A page counts in each list by its first section, because searches that mean the same often find
 * different sections of it.
 * @returns up to `count` sections, the best one of each page first, each once.
 */
export function joinByRank(lists: readonly RankedList[], count: number): RetrievedSection[] {
  const joined = new Map<
    string,
    { readonly found: FoundSection; readonly page: string; score: number }
  >();
  const pages = new Map<string, number>();
  for (const { sections, weight } of lists) {
    const seen = new Set<string>();
    sections.forEach((found, place) => {
      const vote = weight / (RANK_CONSTANT + place + 1);
      const page = `${found.page.set?.id ?? ''}\n${found.page.path}`;
      if (!seen.has(page)) pages.set(page, (pages.get(page) ?? 0) + vote);
      seen.add(page);
      const key = sectionKey(found);
      const entry = joined.get(key) ?? { found, page, score: 0 };
      entry.score += vote;
      joined.set(key, entry);
    });
  }
  const bySection = [...joined.values()].sort((one, other) => other.score - one.score);
  const votesOf = ({ page }: { readonly page: string }): number => pages.get(page) ?? 0;
  const first = bySection.filter(
    (entry, place) => bySection.findIndex(({ page }) => page === entry.page) === place,
  );
  const rest = bySection.filter((entry) => !first.includes(entry));
  const ordered = [...first.sort((one, other) => votesOf(other) - votesOf(one)), ...rest];
  const best = Math.max(...pages.values());
  return ordered.slice(0, count).map((entry, place) => ({
    ...entry.found,
    strength: (place < first.length ? votesOf(entry) : entry.score) / best,
  }));
}

/**
 * Returns a test for pages with the version and language of the best section. Vectors don't tell versions and
 * languages apart.
 */
export function likeBest(
  { sections }: Pick<Retrieval, 'sections'>,
  filter: Parameters<typeof passesFilter>[1],
): (page: DocsPage) => boolean {
  const best = sections[0]?.page;
  return (page) =>
    passesFilter(page, filter) &&
    (best === undefined || (page.version === best.version && page.language === best.language));
}

interface JoinOptions {
  readonly similar: Pick<SimilarSections, 'find'> | undefined;
  readonly filter: Parameters<typeof passesFilter>[1];
  /** Number of sections to return. */
  readonly count: number;
  readonly signal: AbortSignal;
}

/**
 * Returns the sections that a search by words found, joined with those nearest in meaning. Without vectors, the
 * result stays as it is.
 */
export async function joinSimilar(
  text: string,
  retrieval: Retrieval,
  { similar, filter, count, signal }: JoinOptions,
): Promise<Retrieval> {
  const meant = await similar?.find([text], count, likeBest(retrieval, filter), signal);
  if (!meant) return retrieval;
  const lists = [retrieval.sections, meant].map((sections) => ({ sections, weight: 1 }));
  return { ...retrieval, sections: joinByRank(lists, count) };
}
